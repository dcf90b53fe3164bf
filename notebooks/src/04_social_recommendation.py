# %% [markdown]
# # 04 Social recommendation: what a list tells about a friend
#
# ## What you will be able to do
#
# - run the Sybil attack: read a private preference list off the list of a fake account;
# - compute how far one preference moves everybody's utilities, by trying all of them;
# - compare three ways to add noise: on utilities, on edges, on averages of clusters;
# - split an error into bias and noise, and say what a promise for one preference is worth to a
#   whole person.
#
# ## What you need
#
# Notebook [01](01_privacy_by_counting.ipynb): ε, odds, units, composition. Besides: a product of
# two matrices. **75 minutes.**
#
# ## Break something: predict, then run
#
# A podcast site knows who is friends with whom, and so does everybody: that graph is public. What
# people *like* is private. Nobody ever sees a preference; everybody sees one list, their own, of
# what people with common friends like.
#
# Person 1 is the victim. Somebody opens a fake account, number 9, and befriends one person: number
# 0, whose only friend is the victim. The fake likes nothing and waits for its list.
#
# **What share of the victim's preferences does that list name?** Write your number down, then run
# two cells: the picture, and the list.

# %%
my_prediction = 0.2  # your own number here, between 0 and 1
# NBVAL_CHECK_OUTPUT
import numpy as np

from pplab.plots import network, new_figure, show

friends = [(0, 1), (1, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5), (5, 6), (6, 7), (7, 8), (6, 8)]
places = [(1, 0), (2, 0), (3, 0.8), (3, -0.8), (4.1, 0.8), (4.6, -0.5), (5.7, 0), (6.7, 0.7)]
places = np.array([*places, (6.7, -0.7), (0, 0)])
figure, axes = new_figure(width=7, height=2.6)
roles = {1: "victim", 9: "fake", 0: "lonely friend"}
network(axes, places, friends, dashed=[(0, 9)], roles=roles)
axes.set_title("One new friendship, dashed, leads to the victim's only lonely friend")
told = "Ten accounts in a row of circles of friends: fake 9, its friend 0, victim 1, and 2 to 8."
show(figure, alt=told)

# %%
# NBVAL_CHECK_OUTPUT
from IPython.display import Markdown, display


def say(text):  # a sentence with numbers from the run
    display(Markdown(text))


items = ["cooking", "debt", "football", "history", "insomnia", "jazz", "poker", "yoga"]
liked = ["ijy", "dij", "ch", "chi", "ch", "chf", "fpy", "py", "fpy", ""]  # first letters, private
likes = np.array([[int(item[0] in own) for item in items] for own in liked])
social = np.zeros((10, 10), dtype=int)
for one, other in [*friends, (0, 9)]:
    social[one, other] = social[other, one] = 1
similar = social @ social  # how many friends two people have in common
np.fill_diagonal(similar, 0)  # what you like yourself is no news to you
shown, truth = ((row > 0).nonzero()[0] for row in ((similar @ likes)[9], likes[1]))
names = ", ".join(items[item] for item in shown)
say(f"The fake is shown: {names}. You expected {my_prediction:.0%} of the victim's preferences;")
say(f"it is **{np.isin(truth, shown).mean():.0%}**; wrong ones: {(~np.isin(shown, truth)).sum()}.")

# %% [markdown]
# The list **is** the victim's preference list: nothing is missing, nothing is added. No password
# was guessed, nothing was broken into. The fake asked for recommendations, as anybody may.
#
# ## Define: similarity, utility, list
#
# Write Γ(u) for the friends of u. The paper *social* (Jorgensen and Yu 2014) scores an item i for a
# user u by the **utility** (its equation 1)
#
# $$\mu_u^i = \sum_{v} \mathrm{sim}(u, v) \cdot w(v, i)$$
#
# In words: everybody who likes the item counts, and counts as much as they are similar to u. Here
# w(v, i) is 1 where v likes i and 0 elsewhere. The **similarity** comes from the public graph
# alone. The paper has four: the number of common friends |Γ(u) ∩ Γ(v)| (*common neighbours*); the
# same with a common friend x counted 1/ln |Γ(x)| (*Adamic/Adar*); 1/d for people d ≤ 2 steps apart
# (*graph distance*); and paths of up to three edges, one of ℓ edges counting $0.05^\ell$ (*Katz*).
# Nobody is similar to themselves here (the paper leaves that open). A **list** names the items of
# highest utility; here, those above 0. With the similarities in a matrix S and the likes in a
# matrix, all utilities are one product. By hand for user 2, and the row of S that gave the victim
# away:

# %%
# NBVAL_CHECK_OUTPUT
from scipy import sparse

from pplab.recommenders import utilities

graph, private = sparse.csr_array(social), sparse.csr_array(likes)
parts = [f"{similar[2, v]} × account {v} ({liked[v]})" for v in similar[2].nonzero()[0]]
print("user 2 hears from", ", ".join(parts))
by_hand = {item: int(value) for item, value in zip(items, (similar @ likes)[2], strict=True)}
print("so its utilities are", by_hand)
print("row 9 of S:", similar[9], " row 2:", similar[2])
for measure in ("cn", "aa", "gd", "katz"):
    seen = utilities(graph, private, measure=measure).toarray()[9] > 0
    print(f"{measure:4} shows the fake: {', '.join(np.array(items)[seen])}")
found = utilities(graph, private, measure="cn").toarray()
print("all utilities as pplab finds them:", np.array_equal(found, similar @ likes))

# %% [markdown]
# Row 9 has **one** entry that is not 0. The fake has one friend, 0, and 0 has one other friend, the
# victim; so with nobody but the victim does the fake have a friend in common. A sum over one person
# is that person. Adamic/Adar weighs the same people (`social:section-2:sybil-cn-aa`). Where the
# victim has no lonely friend, two fakes do: one that the victim accepts, and one behind it
# (`social:section-2:sybil-two`).
#
# Graph distance and Katz reach further, so *this* fake's list mixes in others: with graph distance
# its friend 0 counts too (yoga), with Katz also the victim's friends. Exercise B mends that. What
# the fake needs in every case is a place in the public graph from which one person is seen alone.
#
# ## How far does one preference reach?
#
# To hide a preference, noise must cover what it changes. So change each of the 80 cells in turn,
# a like into none or none into a like, and add up how far **all** utilities of **all** people move:

# %%
# NBVAL_CHECK_OUTPUT
from pplab.recommenders import utility_sensitivity

moves = np.zeros(likes.shape)
for cell in np.ndindex(likes.shape):
    other = likes.copy()
    other[cell] = 1 - other[cell]
    moves[cell] = np.abs(similar @ other - similar @ likes).sum()
delta = moves.max()
print("most that one preference of user 0 .. 9 moves:", moves.max(axis=1).astype(int))
print("sums of the columns of S                     :", similar.sum(axis=0))
assert delta == utility_sensitivity(graph, measure="cn")
say(f"The largest similarity is {similar.max()}, but the sensitivity is **Δ = {delta:.0f}**.")

# %% [markdown]
# One like of user 3 enters the utilities of everyone similar to 3: the column of S, added up. The
# largest such sum is the *sensitivity* Δ of all utilities (`social:section-5:nou-sensitivity`).
#
# **Laplace noise.** Draw noise whose density falls by a factor e for each length b, the *scale*,
# on both sides. Its mean absolute value is b, its standard deviation √2·b. Numbers that move by at
# most Δ in all, when one preference changes, are ε-private for one preference with fresh noise of
# scale b = Δ/ε on each: the density of any output changes by a factor of at most $e^\varepsilon$
# (`social:theorem-1:laplace`). The lists are made from the noisy numbers, and that costs nothing
# more.
#
# ## Two first defences: noise on utilities, noise on edges
#
# - **NOU**, noise on utilities: every utility gets noise of scale Δ/ε.
# - **NOE**, noise on edges: every *cell* of the preferences gets noise of scale 1/ε, the zeros too
#   (or a cell without noise would be a zero for sure); then multiply by S as usual. Each user
#   could add that noise alone, at home: nobody need be trusted.
#
# How large is the noise in one utility at ε = 1? Under NOE, does user 3, whose row of S has the
# largest sum, get the least of it, or the most? Guess, then run.

# %%
# NBVAL_CHECK_OUTPUT
rng = np.random.default_rng(4)
noise = rng.laplace(scale=delta, size=(20_000, 10))  # NOU at ε = 1, one item
passed = rng.laplace(scale=1, size=(20_000, 10)) @ similar  # NOE: noise of the edges, times S
print("standard deviation of the noise in a utility, ε = 1 (odds 2.7 : 1); measured, then formulas")
print("user  sum of S   NOU  √2·Δ    NOE  √2·√(sum of squares)  √2·sum, as printed")
for user in (9, 0, 8, 1, 3):
    row = similar[user]
    formulas = np.sqrt(2) * np.array([delta, np.sqrt(row @ row), row.sum()])
    print(f"{user:4} {row.sum():8} {noise[:, user].std():7.2f} {formulas[0]:5.2f}", end="")
    print(f" {passed[:, user].std():7.2f} {formulas[1]:12.2f} {formulas[2]:20.2f}")
four = rng.laplace(scale=1, size=(20_000, 4)).sum(axis=1).std()
print(f"four equal noises, added: {four:.2f}; their four deviations, added: {4 * 2**0.5:.2f}")
say(f"Noise on utilities, mean absolute value: {np.abs(noise).mean():.2f}, with Δ = {delta:.0f}.")

# %% [markdown]
# Noise on utilities is as large as Δ demands, and the same for everybody, also for user 9 whose
# only similar person moves it by 1. Noise on edges grows with the people a user hears from, and
# with how similar they are: a sum of noisy terms. But it grows like a **root**: independent noises
# partly cancel, so their variances add and not their standard deviations. Four equal ones make
# twice one, not four times. The paper prints the plain sum, the last column
# (`social:section-5:noe-error`): right for one similar person, too large for more. And what it
# calls the expected error of NOU, √2·Δ/ε, is the standard deviation; the mean absolute error is Δ/ε
# (`social:section-5:nou-error`).
#
# ## The third defence: average first
#
# Which numbers would need *less* noise? The share of a group that likes an item. If one of |c|
# people changes one preference, the share moves by 1/|c|, so noise of scale 1/(|c|·ε) is enough.
# With $\varepsilon = 0.1$ (odds about $1.1 : 1$):

# %%
# NBVAL_CHECK_OUTPUT
from pplab.recommenders import cluster_averages

for size in (1, 20, 115):  # 115: mean cluster of the paper, main part of Last.fm
    nobody, formula = sparse.csr_array((size, 50_000), dtype=int), np.sqrt(2) / (size * 0.1)
    spread = cluster_averages(nobody, np.zeros(size, dtype=int), epsilon=0.1, rng=size).std()
    print(f"cluster of {size:3}: standard deviation {spread:6.3f}, √2/(|c|·ε) = {formula:6.3f}")
circles = np.array([0, 0, 1, 1, 1, 1, 2, 2, 2, 0])
before, found = cluster_averages(likes, circles, epsilon=np.inf), set()
for user, item in np.ndindex(likes.shape):
    other = likes.copy()
    other[user, item] = 1 - other[user, item]
    change = np.abs(cluster_averages(other, circles, epsilon=np.inf) - before)
    times = change.max() * (circles == circles[user]).sum()
    found.add((int((change > 0).sum()), float(times.round(9))))
print("averages that one preference changes, and by how many times 1/|c|:", found)

# %% [markdown]
# The average over 115 people needs 115 times less noise than a single cell. This is the paper's
# **Algorithm 1**: cut the users into clusters c, publish for each cluster and item the share that
# likes it, with noise of scale 1/(|c|·ε), and give everybody in the cluster that number in place of
# their own preference:
#
# $$\hat\mu_u^i = \sum_c \Big(\sum_{v \in c} \mathrm{sim}(u, v)\Big) \cdot \hat w_c^i$$
#
# In words: how similar is u to the cluster as a whole, times what the cluster likes, added up. The
# last line above is the proof in small: of all the averages one preference changes **one**, and
# that by 1/|c|. So the whole table costs ε, not ε per item and not ε per cluster
# (`social:theorem-4:algorithm-1`, `social:theorem-3:parallel`). The clusters come from the public
# graph, so they cost nothing at all. (Clusters made from the *preferences* would have to pay.) Here
# are three, as the graph suggests, and what becomes of the likes:

# %%
# NBVAL_CHECK_OUTPUT
from pplab.plots import cells

averages = cluster_averages(likes, circles, epsilon=np.inf)
released = cluster_averages(likes, circles, epsilon=3, rng=1)
figure, grid = new_figure(2, 2, width=9, height=7)
network(grid[0, 0], places, friends, dashed=[(0, 9)], clusters=circles, size=13)
grid[0, 0].set_title("three clusters, from the public graph alone")
cells(grid[0, 1], likes, title="private: who likes what", numbered=True)
cells(grid[1, 0], averages[circles], title="bias: everyone gets an average", text="{:.1f}")
cells(grid[1, 1], released[circles].clip(0), title="noise on top, ε = 3 (20 : 1)", text="{:.1f}")
jazz = f"Person 1 likes jazz: 1; its cluster: {averages[0, 5]:.2f}; released: {released[0, 5]:.2f}"
show(figure, alt=f"Ten accounts in three clusters; their likes, the averages, the noise. {jazz}.")
say(f"{jazz}. (Below 0 is drawn as 0; items are numbered as in the list above.)")

# %% [markdown]
# Nobody's row is their own any more: within a cluster all rows are equal. That is the **bias** (the
# paper says *approximation error*): a person is not their cluster, and no ε mends that. The
# **noise** (*perturbation error*) comes on top.
#
# ## How the two errors add up
#
# The noise of a utility is a sum over clusters, and their noises are independent. The paper adds
# the standard deviations again (its equation 5), here too more than the truth wherever somebody
# hears from several clusters: no equality (`social:equation-5:linear-sum`), but a safe upper bound
# (`social:equation-5:upper-bound`). What does add up exactly is **squares**: mean squared error =
# bias² + variance of the noise. For any partition, in a few lines:


# %%
# NBVAL_CHECK_OUTPUT
from pplab.recommenders import error_parts


def errors(labels, epsilon, likes=likes):  # bias² and variance, means over people and items
    member = np.equal.outer(labels, np.unique(labels)) * 1.0  # people × clusters
    sizes = member.sum(axis=0)
    bias = similar @ (member @ (member.T @ likes / sizes[:, None]) - likes)
    variance = 2 / epsilon**2 * ((similar @ member / sizes) ** 2).sum(axis=1)
    return (bias**2).mean(), variance.mean()


parts = error_parts(graph, private, circles, measure="cn", epsilon=1)
ratio = (parts.perturbation_printed / parts.perturbation).round(2)
print("printed sum ÷ true noise, by user:", ratio)
bias, noise = errors(circles, 1)
print(f"three clusters, ε = 1: bias² {bias:.3f} + noise {noise:.3f} = {bias + noise:.3f},", end=" ")
print(f"as pplab's error_parts has it: {(parts.rms**2).mean():.3f}")
draws = [cluster_averages(likes, circles, epsilon=1, rng=seed) for seed in range(4000)]
print(f"over 4000 releases: {((similar @ (np.array(draws)[:, circles] - likes)) ** 2).mean():.3f}")

# %% [markdown]
# ## Play
#
# **Question:** which partition has the least sum of the two errors, and does it stay the best when
# ε moves? One cluster of everybody is smooth and wrong; everyone alone is faithful and noisy (that
# is noise on edges again). Between them: two parts, 0 to 5 with the fake and 6 to 8, and the three
# clusters above. Move the two sliders (Tab, then arrow keys); the line below restates the bars.

# %%
# NBVAL_CHECK_OUTPUT
import pandas as pd

coarse = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 0])
steps = {1: np.zeros(10, dtype=int), 2: coarse, 3: circles, 10: np.arange(10)}
top = 1.8  # a taller bar is cut, and its number says so


def draw(axes, clusters, epsilon):
    bias, noise = errors(steps[clusters], epsilon)
    for place, (value, hatch) in enumerate(((bias, "//"), (noise, ".."), (bias + noise, ""))):
        axes.bar(place, min(value, top), color="#C7D3DD", edgecolor="black", hatch=hatch)
        arrow = " ↑" if value > top else ""
        axes.text(place, min(value, top), f"{value:.2f}{arrow}", ha="center", va="bottom")
    axes.set_xticks(range(3), ("bias²", "noise", "sum"))
    axes.set(ylim=(0, top * 1.15), ylabel="mean squared error")
    odds = f"{np.exp(epsilon):,.3g}" if epsilon < 5 else f"{np.exp(epsilon):,.0f}"
    axes.set_title(f"clusters: {clusters}, ε = {epsilon:g} ({odds} : 1)", fontsize=10)
    return {"clusters": clusters, "epsilon": epsilon, "bias": bias, "noise": noise}


# %% tags=["widget"]
# NBVAL_IGNORE_OUTPUT
from pplab.widgets import Control, explore, twin


def told(row):
    total = row["bias"] + row["noise"]
    words = "clusters: {clusters}, ε = {epsilon:g}: bias² {bias:.2f} and noise {noise:.2f}".format
    return f"{words(**row)} make {total:.2f}."


explore(
    draw,
    say=told,
    clusters=Control("clusters", tuple(steps), 1, "smooth, wrong", "faithful, noisy"),
    epsilon=Control("ε", (0.5, 1, 1.5, 2, 3, 5, 10), 1, "more private", "more accurate"),
)


# %%
# NBVAL_CHECK_OUTPUT
def least(states):  # the best of the panels, for each ε
    totals = states.assign(total=states["bias"] + states["noise"])
    best = totals.loc[totals.groupby("epsilon")["total"].idxmin()]
    rows = zip(best["epsilon"], best["clusters"], best["total"], strict=True)
    return "; ".join(f"ε = {e:g}: clusters {c}, sum {t:.2f}" for e, c, t in rows)


message = "Bias², noise and their sum for three partitions and three ε. Least sum at "
states = twin(draw, alt=lambda s: message + least(s), clusters=(1, 3, 10), epsilon=(1, 3, 10))
all_steps = [(c, e, *errors(steps[c], e)) for c in steps for e in (0.5, 1, 1.5, 2, 3, 5, 10)]
print("best of the four partitions:")
print(least(pd.DataFrame(all_steps, columns=["clusters", "epsilon", "bias", "noise"])))

# %% [markdown]
# Read along a row, ε grows: the bias stays, the noise falls. Read down a column: the bias falls,
# the noise grows. So the least sum moves: the smaller ε, the larger the best clusters. No partition
# is best by itself. The paper looks for the one of largest *modularity*, a measure of how many more
# friendships than by chance stay inside clusters. The three clusters above are one of the two such
# partitions of this graph. Modularity does not know ε.
#
# ## One preference, or one person?
#
# The promise is for **one preference edge**: two worlds that differ in one like have odds of at
# most $e^\varepsilon$ (`social:definition-5:levels`). A person has many, and two worlds that
# differ in *all* of them are that many edges apart: up to their number times ε
# (`social:theorem-4:user`; the paper claims the edge only). At $\varepsilon = 0.1$, on the real
# Last.fm friends (HetRec 2011), where a preference is an artist listened to at least twice:

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
import pplab

lastfm = pplab.load_dataset("lastfm")
counts = (lastfm.preferences >= 2).sum(axis=1)
lines = ["| preferences | users with that many or more | ε for all of them | odds |"]
lines.append("|---|---|---|---|")
for count in (1, 10, 25, 50):
    users = f"{(counts >= count).sum():,} of {len(counts):,}"
    lines.append(f"| {count} | {users} | {0.1 * count:.1f} | {np.exp(0.1 * count):,.1f} : 1 |")
say("\n".join(lines))
print(f"most preferences of a user: {counts.max()}")
one, fifty = (1 / (1 + 99 / np.exp(0.1 * count)) for count in (1, 50))
print(f"a suspicion of 1 % grows to at most {one:.1%} (one preference), {fifty:.0%} (fifty)")

# %% [markdown]
# Nearly everybody has as many preferences as the file holds of anybody. For a single preference ε =
# 1/10 is a strong promise; for such a person as a whole it is a weak one. Both are true at once, so
# a promise without its unit says nothing.
#
# ## The attack again
#
# Now the fake meets the three defences. Two worlds that differ in one edge: in one of them the
# victim likes *debt*, in the other not. The fake gets its list of three and says "likes it" when
# *debt* is on it. How much more often does it say so in the first world than in the second? That is
# its **advantage**: 1 against the exact lists, and never more than
# $(e^\varepsilon - 1)/(e^\varepsilon + 1)$ against an ε-private release. Beside it, what the lists
# are still worth to the nine people: NDCG@3, the utilities in a list of three, discounted by rank,
# divided by those of the best list; 1 is best.

# %%
# NBVAL_CHECK_OUTPUT
from itertools import product

from pplab.metrics import ndcg

member, own = np.eye(3)[circles], np.eye(10)
means = member.T / member.sum(axis=0)[:, None]  # times likes: the averages
ways = {  # utilities = after @ (before @ likes + noise of scale c/ε), given as after, before, c
    "on utilities": (own, similar, delta),
    "on edges": (similar, own, 1),
    "clusters": (similar @ member, means, means.max(axis=1, keepdims=True)),
}


def lists(likes, way, epsilon, rng, releases=10_000):  # the three best items, best first
    after, before, c = ways[way]
    noise = rng.laplace(scale=c / epsilon, size=(releases, len(before), 8))
    return (-(after @ (before @ likes + noise))).argsort(axis=-1)[..., :3]


# %%
# NBVAL_CHECK_OUTPUT
without, rows = likes.copy(), []
without[1, items.index("debt")] = 0  # the world in which the victim does not like debt
best = np.tile(similar @ likes, (300, 1, 1))[:, :9].reshape(-1, 8)  # of the nine people, 300 times
for way, epsilon in product(ways, (0.1, 0.5, 1, 2, 5)):
    rng = np.random.default_rng(9)
    worlds = [lists(world, way, epsilon, rng) for world in (likes, without)]
    said = [(found[:, 9] == items.index("debt")).any(axis=1).mean() for found in worlds]
    worth = ndcg(best, worlds[0][:300, :9].reshape(-1, 3), top_n=3).mean()
    rows.append((way, epsilon, said[0] - said[1], np.tanh(epsilon / 2), worth))
replay = pd.DataFrame(rows, columns=["noise", "ε", "advantage", "bound", "NDCG@3"])
print(replay.round(2).replace(0, 0.0).to_string(index=False))  # 0.0 for -0.0
chance = np.random.default_rng(9).random(best.shape).argsort(axis=1)[:, :3]
print(f"random lists: NDCG@3 {ndcg(best, chance, top_n=3).mean():.2f}")

# %%
# NBVAL_CHECK_OUTPUT
from pplab.plots import style

figure, grid = new_figure(1, 2, width=9, height=3.3)
for axes, column in zip(grid, ("advantage", "NDCG@3"), strict=True):
    for place, (way, curve) in enumerate(replay.groupby("noise", sort=False)):
        axes.plot(curve["ε"], curve[column], **style(place))
        end, shift = (5, curve[column].iloc[-1]), (7, (-3, 2, -8)[place])
        axes.annotate(way, end, shift, textcoords="offset points")
    axes.set(xscale="log", xlim=(0.08, 22), ylabel=column)
    axes.set_xlabel("ε (← more private, more accurate →)")
grid[0].plot(curve["ε"], curve["bound"], color="black", linewidth=1)
grid[0].annotate("bound", (5, np.tanh(5 / 2)), (7, -3), textcoords="offset points")
grid[0].set_title("A smaller ε: the fake gains less ...")
grid[1].set_title("... and the lists are worth less")
ends = [curve[column].iloc[[0, -1]].round(2).tolist() for column in ("advantage", "NDCG@3")]
show(figure, alt=f"From ε 0.1 to 5, clusters: advantage {ends[0]}, NDCG@3 {ends[1]}.")

# %% [markdown]
# All three advantages shrink when ε shrinks, and stay below the bound, as they must. (This attack
# is a lower bound on the harm: a cleverer one may come closer to the line, none can cross it.)
# Noise on utilities hides best, because its lists say least: at ε = 1 they are little better than
# random ones. Between ε = 1/2 and 2 the clusters are worth more than noise on edges. At ε = 5 the
# bias is what is left to see, and noise on edges just overtakes. At $\varepsilon = 0.1$ no list is
# worth much more than a random one (which, with three of eight items, has some good ones too): ten
# people are no crowd, and clusters of three and four average little noise away. What clusters of a
# hundred do, notebook 05 measures on the real network.
#
# It is the noise that carries the promise. Averages without it would change with every preference,
# for sure, and so promise nothing.
#
# The release labels:
#
# | release | unit | guarantee | who is trusted | an insider learns | a second release |
# |---|---|---|---|---|---|
# | exact lists | none | none | the site | a victim's list, with a fake or two | tells more |
# | NOU | one preference | odds ≤ $e^\varepsilon$ | the site | no more than that | adds its ε |
# | NOE | one preference | odds ≤ $e^\varepsilon$ | nobody | no more than that | adds its ε |
# | clusters | one preference | odds ≤ $e^\varepsilon$ | the site | no more than that | adds its ε |
#
# "No more than that" holds for every insider: fakes, friends, even all other users together.
# Friendships are public in all four; nothing here protects them.
#
# ## Exercises
#
# - **R (recall).** Which graph may define the clusters without any cost: `"social"` or
#   `"preference"`?
# - **C (compute).** The standard deviation of the noise on the average of a cluster of 20 people at
#   ε = 1/2.
# - **P (prove by code).** Write `sensitivity(social)`: how far one preference can move all
#   utilities together (common neighbours), for any graph given as a 0/1 array like `social` above.
#   It is tried on graphs you have not seen.
# - **B (break).** Person 5 has no lonely friend, but has accepted the fake 9 (which has no other
#   friend and likes nothing). Add fakes 10, 11, ..., which like nothing and befriend only fakes,
#   such that the list of the *last* one names what 5 likes and nothing else; as few as possible.
#   Give the new edges, for graph distance (d ≤ 2) and for Katz (up to three edges).
# - **D (design).** `past` holds what the ten accounts liked last year; suppose that this is public.
#   Give the partition (a list of ten cluster numbers) with the least bias² + noise on `past` at
#   ε = 3/2; within 5 % of the best of all is enough. (A partition fitted to this year's private
#   likes would tell on them.)
# - **O (open).** Is there a user-level guarantee worth having? State your ε per user, for whom, and
#   what is left of the lists.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
from pplab import check

# YOUR CODE: a word in quotes
answer = "social"
check("04-R", answer)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: a number
answer = np.sqrt(2) / (20 * 1 / 2)
check("04-C", answer)


# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
def sensitivity(social):
    # YOUR CODE: a number; social is a 0/1 array, social @ social counts common friends
    common = social @ social
    np.fill_diagonal(common, 0)
    return common.sum(axis=0).max()


check("04-P", sensitivity)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: such as {"gd": [(9, 10), (9, 11)], "katz": [(9, 10)]}, with your own edges
answer = {"gd": [(10, 9)], "katz": [(10, 9), (11, 10)]}
check("04-B", answer)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
from pplab.course import last_year

past = last_year()
# YOUR CODE: ten cluster numbers; sum(errors(labels, 3 / 2, past)) is what should be small
answer = list(steps[2])
for _ in range(3):  # move one account at a time, keep what helps; three rounds
    for user in range(10):
        moved = [[*answer[:user], c, *answer[user + 1 :]] for c in range(4)]
        answer = min(moved, key=lambda labels: sum(errors(labels, 3 / 2, past)))
print(answer, "sum", round(sum(errors(answer, 3 / 2, past)), 3))
check("04-D", answer)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: two or three sentences in quotes
answer = (
    "A user with 50 preferences who is promised ε = 1 as a whole, odds 2.7 : 1, leaves ε = 1/50 "
    "for each preference. In a cluster of 115 people the noise on an average is then √2·50/115, "
    "more than half a like per person, so only items that nearly all of them like would stand out: "
    "I would measure NDCG with such noise before I promised anything, and publish few items."
)
check("04-O", answer)

# %% [markdown]
# ## From here to a real release
#
# All noise so far is numpy's: quick, and repeatable from its seed. That is right for a laboratory
# and wrong for people. **A seed is a key**: whoever knows it draws the same noise and subtracts it.
# And the lowest bits of a float that was drawn and added can tell which number it was added to
# (Mironov 2012).
#
# `sampler="vetted"` runs the same three mechanisms on the samplers of OpenDP, a library made for
# releases: the numbers are rounded to a public *grid*, the noise is a whole number of its steps
# (discrete Laplace), the random bits come from a generator that the operating system seeds, and no
# seed is taken. OpenDP computes the privacy loss with a map of its own; the result holds it beside
# ours.
#
# First what that costs, in a table stored by `python benchmarks/vetted.py`: NDCG of lists of 50 on
# Last.fm at ε = 1 with its standard error; with noise on edges or utilities the thousand best-liked
# artists only; *flips* are the bipartite noise graph of notebook 02. Then one recommendation on
# both samplers, drawn when you run the cell: the second is another each time, and cannot be
# repeated.

# %%
from pathlib import Path

stored = pd.read_csv(Path(pplab.__file__).parents[1] / "benchmarks/results/vetted.csv")
columns = ["method", "sampler", "stated", "numbers", "cpu seconds", "NDCG@50", "error"]
print(stored[columns].to_string(index=False, na_rep=""))
settings = {"epsilon": 1, "measure": "cn", "top_n": 3, "method": "cluster", "clusters": circles}
for sampler, rng in (("teaching", 1), ("vetted", None)):
    try:
        found = pplab.recommend(graph, private, **settings, sampler=sampler, rng=rng)
    except ModuleNotFoundError as missing:
        print(missing)
        continue
    print(f"{sampler:8} shows user 2:", ", ".join(items[item] for item in found.items[2]))
    print(found.vetted or "nobody but us states a level")

# %% [markdown]
# The lists are worth the same on both: what one pays is time. What the word *vetted* covers is the
# noise of these mechanisms, its bits and its level. It does not cover how long the machine worked,
# clusters made from private data, or a second release; the [limitations](../docs/LIMITATIONS.md)
# list what is left to whoever publishes.
#
# ## Quiz
#
# 1. Nobody's preferences are ever shown, only lists. Are they hidden?
#    <details><summary>Answer</summary>No: a list is a sum over similar people, and a fake can see
#    to it that there is one only.</details>
# 2. A thousand items are released for each cluster. Does that cost a thousand times ε?
#    <details><summary>Answer</summary>No: one preference meets one average, so all of them together
#    cost ε for a preference. (For a user, ε times their preferences.)</details>
# 3. What does a larger cluster change? <details><summary>Answer</summary>Less noise; as a rule more
#    bias.</details>
#
# ## What to remember
#
# - Lists tell: a sum over one person is that person.
# - Average first, then add noise: 1/|c| of it is enough.
# - Bias and noise trade places as ε moves; a promise names its unit.
#
# ## References
#
# - Jorgensen and Yu 2014, *A privacy-preserving framework for personalized, social
#   recommendations*, EDBT 2014, [doi 10.5441/002/edbt.2014.51](https://doi.org/10.5441/002/edbt.2014.51).
# - Dwork, McSherry, Nissim and Smith 2006, *Calibrating noise to sensitivity in private data
#   analysis*, [doi 10.1007/11681878_14](https://doi.org/10.1007/11681878_14).
# - Mironov 2012, *On significance of the least significant bits for differential privacy*,
#   [doi 10.1145/2382196.2382264](https://doi.org/10.1145/2382196.2382264).
# - Calandrino, Kilzer, Narayanan, Felten and Shmatikov 2011, *"You might also like:" privacy risks
#   of collaborative filtering*, [doi 10.1109/SP.2011.40](https://doi.org/10.1109/SP.2011.40).
# - Cantador, Brusilovsky and Kuflik 2011, *Second workshop on information heterogeneity and fusion
#   in recommender systems (HetRec 2011)*,
#   [doi 10.1145/2043932.2044016](https://doi.org/10.1145/2043932.2044016).
