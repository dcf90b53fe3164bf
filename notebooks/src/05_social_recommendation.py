# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 05 Social recommendation
#
# **What a list reveals about a friend**, and three places for the noise.

# %% [markdown] slideshow={"slide_type": "notes"}
# # 05 Social recommendation: what a list reveals about a friend
#
# *Edition 2, part 3 of 6: friends. Core track.*
#
# ## What you will be able to do
#
# - run a Sybil attack, which reads a person's private preferences from the list of a fake account;
# - compute how much all utilities together change if one preference changes;
# - prove in two lines that the Laplace mechanism is private, and code it in one line;
# - compare noise on utilities, noise on edges, and noise on averages of clusters;
# - split an error into bias and noise.
#
# ## What you need
#
# You need notebook [01](01_privacy_by_counting.ipynb), matrix products, and the variance of a sum
# of independent numbers.
#
# **Minutes (estimates):** about 40 to read, about 75 for the exercises.
#
# ## Break something: predict, then run
#
# On a podcast site, the graph of friendships is public, but the *preferences* (who likes which
# item) are private. Each person sees only a list. The list contains every item that is liked by
# someone who shares a friend with this person.
#
# Person 1 is the victim. An attacker opens a fake account, number 9. The fake account makes friends
# with one person, account 0. The only other friend of account 0 is the victim. The fake account
# likes nothing.
#
# **What share of the victim's preferences does the fake account's list contain?**

# %%
my_prediction = 0.2  # your own number here, between 0 and 1

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## A fake account
#
# The graph of friends is public, but preferences are private. The only friends of person 0 are the
# fake account 9 and the victim, person 1. **What share of the victim's preferences does the fake
# account's list contain?**

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output", "hide-input"]
import numpy as np

from pplab.plots import network, new_figure, show

friends = [(0, 1), (1, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5), (5, 6), (6, 7), (7, 8), (6, 8)]
places = [(1, 0), (2, 0), (3, 0.8), (3, -0.8), (4.1, 0.8), (4.6, -0.5), (5.7, 0), (6.7, 0.7)]
places = np.array([*places, (6.7, -0.7), (0, 0)])
figure, axes = new_figure(width=7, height=2.6)
roles = {1: "victim", 9: "fake", 0: "lonely friend"}
network(axes, places, friends, dashed=[(0, 9)], roles=roles)
axes.set_title("The new friendship (dashed) leads to the victim's lonely friend")
summary = (
    "Ten accounts and their friendships. From the left: fake 9, its friend 0, victim 1, 2 to 8."
)
show(figure, alt=summary)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The list is the victim's preference list

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from pplab_course import say

items = ["cooking", "debt", "football", "history", "insomnia", "jazz", "poker", "yoga"]
liked = ["ijy", "dij", "ch", "chi", "ch", "chf", "fpy", "py", "fpy", ""]  # first letters, private
likes = np.array([[int(item[0] in letters) for item in items] for letters in liked])
social = np.zeros((10, 10), dtype=int)
for one, other in [*friends, (0, 9)]:
    social[one, other] = social[other, one] = 1
similar = social @ social  # how many friends two people have in common
np.fill_diagonal(similar, 0)  # what you like yourself is no news to you
shown, truth = (similar @ likes)[9] > 0, likes[1] > 0  # the fake's list; what the victim likes
say(f"The fake's list: {', '.join(np.array(items)[shown])}. Wrong items: {shown[~truth].sum()}.")
say(f"It names **{shown[truth].mean():.0%}** of the victim's likes; you said {my_prediction:.0%}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# The list contains exactly the items that the victim likes. In a **Sybil attack** (Douceur 2002),
# one attacker opens several accounts that look like several people. (Calandrino and others 2011
# inferred customers' purchases from public recommendations.)
#
# ## Define: similarity, utility, list
#
# The paper *social* (Jorgensen and Yu 2014) scores an item i for a user u by the **utility**
#
# $$\mu_u^i = \sum_{v} \mathrm{sim}(u, v) \cdot w(v, i)$$
#
# where w(v, i) is 1 if v likes i and 0 otherwise. The **similarity** sim(u, v) is computed from the
# public graph alone. Here the similarity is the number of common friends (`"cn"`). A **list**
# contains the items of highest utility. Here a list contains all items with positive utility. If a
# matrix S contains the similarities and a matrix W contains the preferences w(v, i), the product S
# times W contains all utilities:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Similarity, utility, list
#
# $$\mu_u^i = \sum_{v} \mathrm{sim}(u, v) \cdot w(v, i)$$
#
# w(v, i) is 1 if v likes i; the similarity comes from the public graph. If only one person
# contributes to the sums, the list reveals this person's preferences.

# %% tags=["nbval-check-output"]
from scipy import sparse

from pplab.recommenders import utilities

for other in similar[2].nonzero()[0]:
    print(f"user 2 has similarity {similar[2, other]} with user {other}, who likes {liked[other]}")
print("so the utilities of user 2, item by item:", (similar @ likes)[2])
print("row 2 of S:", similar[2], " row 9 of S:", similar[9])
graph, private = sparse.csr_array(social), sparse.csr_array(likes)
for measure in ("cn", "gd", "katz"):
    seen = utilities(graph, private, measure=measure).toarray()[9] > 0
    print(f"{measure:4} shows the fake: {', '.join(np.array(items)[seen])}")

# %% [markdown] slideshow={"slide_type": "notes"}
# Row 9 of S has only **one** entry that is not 0. The similarity *graph distance* (`"gd"`) is 1/d
# for two people at distance d ≤ 2. The similarity *Katz* (`"katz"`) adds $0.05^\ell$ for each path
# of ℓ ≤ 3 edges without repeated nodes. With these two similarities, the list of *this* fake
# account also contains items that other people like.
#
# ### Exercise B (break)
#
# Now account 9 has one friend, person 5, so the graph has the edge (5, 9) instead of (0, 9). Add as
# few fake accounts as possible, numbered 10, 11 and so on. The fake accounts like nothing, and each
# new account may be friends only with other fake accounts. The list of the *last* fake account must
# contain exactly the items that person 5 likes. Give the added edges, once for graph distance and
# once for Katz.

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: such as {"gd": [(9, 10), (9, 11)], "katz": [(9, 10)]}, with your own edges
answer = {"gd": [(10, 9)], "katz": [(10, 9), (11, 10)]}
check("05-B", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## How far does one preference reach?
#
# If one preference changes, many utilities change. To hide the preference, noise must hide all
# these changes. Here two tables of preferences that differ in one cell are **neighbouring data**.
# We change each of the 80 cells in turn, and add up the changes in **all** utilities of **all**
# people.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## How far does one preference reach?
#
# Change each of the private cells in turn, and add up the changes in all utilities of all people:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from pplab.recommenders import utility_sensitivity

moves = np.zeros(likes.shape)
for user, item in np.ndindex(likes.shape):
    neighbour = likes.copy()
    neighbour[user, item] = 1 - neighbour[user, item]
    moves[user, item] = np.abs(similar @ neighbour - similar @ likes).sum()
delta = moves.max()
print("largest change by a preference of user 0 .. 9:", moves.max(axis=1).astype(int))
print("the largest, computed by pplab:", utility_sensitivity(graph, measure="cn"))
say(f"The largest similarity is {similar.max()}, but the sensitivity is **Δ = {delta:.0f}**.")

# %% [markdown] slideshow={"slide_type": "notes"}
# The **sensitivity** Δ of the utilities is the largest sum of changes that results from a change in
# one preference.
#
# ### Exercise P (prove by code)
#
# Write `sensitivity(social)`, which returns Δ for any graph, given as a 0/1 array like `social`
# above. The similarity is the number of common neighbours, but the similarity of an account with
# itself is 0. Compute Δ from the graph alone, without changing any cell.


# %% tags=["solution", "nbval-check-output"]
def sensitivity(social):
    # YOUR CODE: a number; social is a 0/1 array, social @ social counts common friends
    common = social @ social
    np.fill_diagonal(common, 0)
    return common.sum(axis=0).max()


check("05-P", sensitivity)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## The Laplace mechanism
#
# **Laplace noise** of scale b > 0 has the density $f_b(x) = \frac{1}{2b}\, e^{-|x|/b}$. The mean
# absolute value of the noise is b, and its standard deviation is √2·b.
#
# Suppose that numbers $t_1, t_2, \dots$ depend on private data. The **Laplace mechanism** (Dwork,
# McSherry, Nissim and Smith 2006) adds fresh Laplace noise of scale **b = Δ/ε** to each number.
# Here Δ is an upper bound on the sum of all changes $|t_j - t'_j|$ if one preference changes. This
# mechanism is ε-differentially private. Proof: for any published $y_1, y_2, \dots$
#
# $$\frac{\prod_j f_b(y_j - t_j)}{\prod_j f_b(y_j - t'_j)}
#   = \exp\Big(\sum_j \frac{|y_j - t'_j| - |y_j - t_j|}{b}\Big)
#   \le \exp\Big(\sum_j \frac{|t_j - t'_j|}{b}\Big) \le e^{\Delta/b} = e^{\varepsilon}$$
#
# The factors 1/(2b) cancel, and the first inequality is the triangle inequality. If a bound holds
# for densities, it also holds for the probability of any set of outputs. Lists that are computed
# from the noisy numbers are **post-processing**.
#
# ## The first two defences: noise on utilities, noise on edges
#
# - **NOU**, noise on utilities: the site adds noise of scale Δ/ε to every utility. Users must trust
#   the site.
# - **NOE**, noise on edges: noise of scale 1/ε is added to every *cell* of the table of
#   preferences, even to cells that contain 0. Then S is multiplied by this noisy table. Here Δ is
#   1, since one preference is one cell. Each user could add the noise at home, as in the **local
#   model** of notebook 01.
#
# The row of user 3 in S has the largest sum. Under NOE, do this user's utilities get the smallest
# or the largest noise?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The Laplace mechanism
#
# Each number $t_j$ gets noise of scale $b = \Delta/\varepsilon$; the sum of all changes is at most
# Δ:
#
# $$\frac{\prod_j f_b(y_j - t_j)}{\prod_j f_b(y_j - t'_j)}
#   \le \exp\Big(\sum_j \frac{|t_j - t'_j|}{b}\Big) \le e^{\Delta/b} = e^{\varepsilon}$$

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Noise on utilities, or noise on edges
#
# Noise **on utilities** has scale Δ/ε for every user. Noise **on edges** has scale 1/ε for every
# cell, and the variances of the cells add up. Which users get less noise?


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
def on_utilities(likes, epsilon, rng, releases=10_000):
    noise = rng.laplace(scale=delta / epsilon, size=(releases, *likes.shape))
    return similar @ likes + noise


def on_edges(likes, epsilon, rng, releases=10_000):
    noise = rng.laplace(scale=1 / epsilon, size=(releases, *likes.shape))
    return similar @ (likes + noise)


rng = np.random.default_rng(4)
noisy_utilities, noisy_edges = on_utilities(likes, 1, rng), on_edges(likes, 1, rng)
print("standard deviation of a utility over 10,000 releases, ε = 1 (odds 2.7 : 1)")
print("user   similar people   noise on utilities   noise on edges")
for user in (9, 0, 8, 1, 3):
    two = noisy_utilities[:, user].std(axis=0).mean(), noisy_edges[:, user].std(axis=0).mean()
    print(f"{user:4} {(similar[user] > 0).sum():16} {two[0]:20.1f} {two[1]:16.1f}")

# %% [markdown] slideshow={"slide_type": "notes"}
# User 3 gets the largest noise. With NOU, the standard deviation of the noise is √2·Δ/ε for all
# users. With NOE, the *variances* of the cells add up, so for a utility of user u, the standard
# deviation of the noise is $\frac{\sqrt 2}{\varepsilon} \sqrt{\sum_v \mathrm{sim}(u, v)^2}$.
#
# ## The third defence: average first
#
# If one of |c| people changes one preference, the share of people who like an item changes by only
# 1/|c|. The paper's **Algorithm 1** divides the users into clusters. For each cluster c and each
# item i, the algorithm publishes the share of members who like the item, with noise of scale
# 1/(|c|·ε). This noisy share $\hat w_c^i$ replaces the preference of every member of the cluster:
#
# $$\hat\mu_u^i = \sum_c \Big(\sum_{v \in c} \mathrm{sim}(u, v)\Big) \cdot \hat w_c^i$$
#
# The graph suggests three clusters:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The third defence: average first
#
# One preference changes the average of a cluster of |c| people by only 1/|c|.
#
# $$\hat\mu_u^i = \sum_c \Big(\sum_{v \in c} \mathrm{sim}(u, v)\Big) \cdot \hat w_c^i$$
#
# The clusters come from the public graph, so they reveal nothing private.

# %% tags=["nbval-check-output"]
from pplab.recommenders import cluster_averages

circles = np.array([0, 0, 1, 1, 1, 1, 2, 2, 2, 0])  # the cluster of each account
member = (circles[:, None] == [0, 1, 2]).astype(int)  # people × clusters: 1 inside
sizes = member.sum(axis=0)


def on_averages(likes, epsilon, rng, releases=10_000):
    averages = member.T @ likes / sizes[:, None]
    scales = 1 / (sizes[:, None] * epsilon)
    noise = rng.laplace(scale=scales, size=(releases, *averages.shape))
    return similar @ member @ (averages + noise)


exact = cluster_averages(likes, circles, epsilon=np.inf)  # no noise
print("pplab computes the same averages:", np.allclose(member.T @ likes / sizes[:, None], exact))

# %% [markdown] slideshow={"slide_type": "notes"}
# One preference changes only **one** of these averages, by 1/|c|, so the level of the whole table
# of averages is only ε. The clusters come from the public graph, so they reveal nothing private.
#
# Within a cluster, all rows are now equal. Averaging causes an error, the **bias**, which does not
# depend on ε (the paper calls it *approximation error*). The second error is the **noise**
# (*perturbation error*).
#
# ### Exercise R (recall)
#
# From which graph can we compute the clusters at no cost in privacy: from the graph of friendships
# or from the graph of preferences? Answer `"social"` or `"preference"`.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a word in quotes
answer = "social"
check("05-R", answer)

# %% [markdown]
# ### Exercise C (compute)
#
# What is the standard deviation of the noise on the average of a cluster of 20 people at ε = 1/2?

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a number
answer = np.sqrt(2) / (20 * 1 / 2)
check("05-C", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## How the two errors add up
#
# The **squares** of the two errors add up exactly, for any partition: mean squared error = bias² +
# variance of the noise.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## How the two errors add up
#
# Squares add up exactly: **mean squared error = bias² + variance of the noise.**

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from pplab.recommenders import error_parts


def errors(labels, epsilon, likes=likes):  # bias² and variance, means over people and items
    member = np.equal.outer(labels, np.unique(labels)) * 1.0  # people × clusters
    sizes = member.sum(axis=0)
    averages = member.T @ likes / sizes[:, None]
    bias = similar @ (member @ averages) - similar @ likes
    weights = similar @ member / sizes  # what the noise of each cluster is multiplied by
    variance = 2 / epsilon**2 * (weights**2).sum(axis=1)
    return (bias**2).mean(), variance.mean()


bias, noise = errors(circles, 1)
print(f"three clusters, ε = 1: bias² {bias:.4f} + noise {noise:.4f} = {bias + noise:.4f}")
parts = error_parts(graph, private, circles, measure="cn", epsilon=1)
print(f"computed by error_parts of pplab:             {(parts.rms**2).mean():.4f}")
misses = on_averages(likes, 1, rng) - similar @ likes
print(f"measured over 10,000 releases:                {(misses**2).mean():.4f}")

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Play
#
# **Question:** for which partition is the sum of bias² and noise smallest, and does this partition
# stay the best when ε changes? The four partitions have one cluster, two clusters (accounts 6 to 8,
# and all others), three clusters (shown above) and ten clusters. An arrow marks a bar that is cut
# off.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Question
#
# **Which partition has the smallest sum of the two errors, and does it stay the best when ε
# changes?**

# %% tags=["nbval-check-output", "hide-input"]
import pandas as pd

from pplab.plots import bars

halves = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 0])
partitions = {1: np.zeros(10, dtype=int), 2: halves, 3: circles, 10: np.arange(10)}


def draw(axes, clusters, epsilon):
    bias, noise = errors(partitions[clusters], epsilon)
    heights = pd.Series({"bias²": bias, "noise": noise, "sum": bias + noise})
    bars(axes, heights, label="mean squared error", top=1.8)
    axes.set(ylim=(0, 2.1), title=f"clusters: {clusters}, ε = {epsilon:g}")
    axes.set_xlabel(f"odds {np.exp(epsilon):,.1f} : 1")
    return {"clusters": clusters, "ε": epsilon, **heights.to_dict()}


# %% tags=["widget", "nbval-ignore-output", "hide-input"]
from pplab.widgets import Control, explore, twin

levels = (0.5, 1, 1.5, 2, 3, 5, 10)
explore(
    draw,
    say="Clusters: {clusters}, ε = {ε:g}: bias² {bias²:.2f} and noise {noise:.2f} "
    "add up to {sum:.2f}.".format_map,
    clusters=Control("clusters", tuple(partitions), 1, "smooth, wrong", "faithful, noisy"),
    epsilon=Control("ε", levels, 1, "more private", "more accurate"),
)


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output", "hide-input"]
def summary(table):  # the alt text: the best panel of each column
    text = "Bias², noise and their sum for 1, 3 and 10 clusters."
    for _, row in table.loc[table.groupby("ε")["sum"].idxmin()].iterrows():
        best = f"{row['sum']:.2f}, comes with clusters = {row['clusters']:g}"
        text += f" At ε = {row['ε']:g} the smallest sum, {best}."
    return text


states = twin(draw, alt=summary, height=1.7, clusters=(1, 3, 10), epsilon=(1, 3, 10))
sums = pd.DataFrame(index=pd.Index(partitions, name="clusters"), columns=levels, dtype=float)
for clusters, labels in partitions.items():
    for epsilon in levels:
        sums.loc[clusters, epsilon] = sum(errors(labels, epsilon))
least = f"Number of clusters with the smallest sum, for each ε: {sums.idxmin().to_dict()}."
say(f"<details><summary>The answer</summary>\n\n{least}\n\n{sums.round(2).to_html()}\n\n</details>")

# %% [markdown] slideshow={"slide_type": "notes"}
# As ε increases, the bias stays the same and the noise becomes smaller. With larger clusters, the
# noise is smaller and, as a rule, the bias is larger. The smaller ε is, the larger the best
# clusters are.
#
# ## The attack again
#
# In one world, the victim likes *debt*; in the other world, the victim does not. A list now has
# three items (alphabetical order breaks ties). The attacker says "likes it" if *debt* is on the
# fake account's list. The attacker says "likes it" with probability $h$ in the first world (a hit)
# and with probability $a$ in the second world (a false alarm). The **advantage** of the attacker is
# $h - a$. The advantage is 1 with exact lists, and at most $(e^\varepsilon - 1)/(e^\varepsilon +
# 1)$ with an ε-private release (notebook [17](17_one_yardstick.ipynb) proves this). To get the
# *worth* of a list, divide the sum of the exact utilities of its three items by the same sum for
# the best three items. We average over the nine people.

# %% tags=["nbval-check-output"]
debt, ideal = items.index("debt"), similar @ likes  # ideal: utilities without noise
without = likes.copy()
without[1, debt] = 0  # the world in which the victim does not like debt


def best_three(utilities):  # the lists of all ten accounts
    return (-utilities).argsort(axis=-1, kind="stable")[..., :3]


def worth(lists):  # to the nine people, mean over all releases
    people, best = np.arange(9), np.sort(ideal[:9], axis=1)[:, -3:]
    taken = ideal[people[:, None], lists[:, :9]]
    return (taken.sum(axis=-1) / best.sum(axis=-1)).mean()


by_chance = (ideal[:9].sum(axis=1) * 3 / 8 / np.sort(ideal[:9], axis=1)[:, -3:].sum(axis=1)).mean()
print(f"worth of three items drawn at random: {by_chance:.2f}")

# %% tags=["nbval-check-output"]
rows = []
ways = {"on utilities": on_utilities, "on edges": on_edges, "on averages": on_averages}
for name, way in ways.items():
    for epsilon in (0.1, 0.5, 1, 2, 5):
        fresh = np.random.default_rng(9)
        first, second = way(likes, epsilon, fresh), way(without, epsilon, fresh)
        lists, others = best_three(first), best_three(second)
        said = (lists[:, 9] == debt).any(axis=1).mean()  # in the first world, and rightly
        wrongly = (others[:, 9] == debt).any(axis=1).mean()  # in the second
        row = {"noise": name, "epsilon": epsilon, "advantage": said - wrongly}
        rows.append(row | {"worth": worth(lists)})
replay = pd.DataFrame(rows)
odds = np.exp(replay["epsilon"])
replay["bound"] = (odds - 1) / (odds + 1)
replay.round(2).replace(0, 0.0).set_index(["noise", "epsilon"])  # 0.0 for -0.0

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The attack again
#
# At the same ε, noise on utilities protects preferences best, but the resulting lists have the
# smallest worth. So compare the methods at settings where their lists have the same worth:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output", "hide-input"]
from pplab.plots import level_curves

figure, (left, right) = new_figure(1, 2, width=9, height=3.3)
level_curves(left, replay.assign(se=0), by="noise", value="advantage")
left.hlines(replay["bound"][:5], np.arange(5) - 0.3, np.arange(5) + 0.3, color="black")
level_curves(right, replay.assign(se=0), by="noise", value="worth")
left.set(title="A smaller ε: the fake gains less ...", ylabel="advantage (black: the bound)")
right.set(title="... and the lists are worth less", ylabel="worth (dotted: random lists)")
right.axhline(by_chance, color="black", linestyle=":", linewidth=1)
summary = []
for name, table in replay.groupby("noise"):  # between the two nearest ε
    low, high = np.interp([0.65, 0.8], table["worth"], table["advantage"])
    summary.append(f"noise {name}: advantage {low:.2f} at worth 0.65, {high:.2f} at worth 0.8")
show(figure, alt=f"Advantage of the fake and worth of the lists grow with ε; {'; '.join(summary)}.")
print("\n".join(summary))

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The release labels
#
# | release | unit, at will | guarantee | trusted | an insider learns | a second release |
# |---|---|---|---|---|---|
# | exact lists | none | none | the site | a victim's list | reveals more |
# | NOU, clusters | one preference | odds × $e^\varepsilon$ | the site | no more | adds its ε |
# | NOE | one preference | odds × $e^\varepsilon$ | nobody | no more | adds its ε |
#
# A **person** with fifty preferences has level 50ε.

# %% [markdown] slideshow={"slide_type": "notes"}
# Black lines mark the bound on the advantage, and the dotted line marks the worth of three random
# items. At the same ε, noise on utilities protects preferences best, but the resulting lists have
# the smallest worth. So we must compare methods whose lists have the *same worth*. The output
# compares the advantages at two worths. At the higher worth, the attacker's advantage is smallest
# when the noise is added to the averages. At ε = 1/10, no list is worth much more than a random
# list, because ten people are too few.
#
# These are the release labels:
#
# | release | unit, at will | guarantee | who is trusted | an insider learns | a second release |
# |---|---|---|---|---|---|
# | exact lists | none | none | the site | a victim's list, with a Sybil or two | reveals more |
# | NOU, clusters | one preference | odds × $e^\varepsilon$ | the site | no more | adds its ε |
# | NOE | one preference | odds × $e^\varepsilon$ | nobody | no more | adds its ε |
#
# "No more" means that an insider who knows all other preferences learns no more about one
# preference than the guarantee allows. By group privacy, a **person** with fifty preferences has
# level 50ε. At ε = 1/10, this level means odds of 148 : 1.
#
# **A seed is a key**: anyone who knows the seed can subtract the noise. The lowest bits of
# floating-point numbers can also reveal private data (Mironov 2012). For real data, use
# `recommend(..., sampler="vetted")` ([limitations](../docs/LIMITATIONS.md)).
#
# <details><summary>In the ledger</summary>
#
# `social:section-2:sybil-cn-aa`, `social:section-2:sybil-two`, `social:section-2:sybil-gd`,
# `social:section-2:sybil-kz`, `social:definition-5:levels`, `social:theorem-1:laplace`,
# `social:theorem-3:parallel`, `social:theorem-4:algorithm-1`, `social:theorem-4:user`,
# `social:theorem-4:w_c-is-a-mean`, `social:section-5:nou-sensitivity`,
# `social:section-5:nou-error`, `social:section-5:noe-error`, `social:equation-5:linear-sum`,
# `social:equation-5:upper-bound`.
#
# </details>
#
# ## Exercises
#
# ### Exercise D (design)
#
# `past` contains last year's preferences of the ten accounts, which are public. Give the partition
# (a list of ten cluster numbers) with the smallest bias² + noise on `past` at ε = 3/2. A sum within
# 5 % of the smallest sum is enough. Start from the best of the slider's four partitions, move one
# account at a time to a different cluster, and keep each move that makes the sum smaller.

# %% tags=["solution", "nbval-check-output"]
from pplab_course import last_year

past = last_year()
# YOUR CODE: ten cluster numbers; sum(errors(labels, 3 / 2, past)) is what should be small
answer = list(halves)
for _ in range(3):  # three rounds: move one account at a time, keep what helps
    for user in range(10):
        for cluster in range(4):
            moved = [*answer[:user], cluster, *answer[user + 1 :]]
            if sum(errors(moved, 3 / 2, past)) < sum(errors(answer, 3 / 2, past)):
                answer = moved
print([int(label) for label in answer], "sum", round(sum(errors(answer, 3 / 2, past)), 3))
check("05-D", answer)

# %% [markdown]
# ### Exercise O (open)
#
# Is there a useful guarantee for a whole user? Choose the number of a user's `"preferences"` and an
# `"epsilon"` for the whole user. Give the ε of `"each"` preference and the `"odds"` for the whole
# user. A cluster has 115 people (the paper's mean size for Last.fm). For this ε of each preference,
# give the standard deviation of the `"noise"` on the average of this cluster. In `"why"`, say in at
# least 15 different words whether you would accept the odds, which users lose more than other
# users, how the lists change, and how you would measure this change.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: {"preferences": ..., "epsilon": ..., "each": ..., "odds": ..., "noise": ...,
# "why": "..."}
why = (
    "I would accept odds of 2.7 : 1 for a whole user. In a cluster of 115 people the noise on an "
    "average is then more than half a like per person, so only items that nearly all of them like "
    "stand out. A user who likes more than 50 items counts with 50 of them, and gets less. I would "
    "measure NDCG of lists with such noise before I promised anything."
)
answer = {"preferences": 50, "epsilon": 1, "each": 1 / 50, "odds": np.exp(1), "why": why}
answer["noise"] = np.sqrt(2) / (115 * answer["each"])
check("05-O", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Quiz
#
# 1. A site shows only lists, never preferences. Are the preferences hidden?
#    <details><summary>Answer</summary>No: a list is computed from sums over similar people, and a
#    Sybil attacker can arrange that only one person is similar to the fake account.</details>
# 2. A thousand items are released for each cluster. Does the release cost a thousand times ε?
#    <details><summary>Answer</summary>No: one preference changes only one average, so the level of
#    all averages together is only ε for one preference.</details>
# 3. What changes if a cluster is larger? <details><summary>Answer</summary>Its average has less
#    noise and, as a rule, more bias.</details>
#
# ## What to remember
#
# - A list reveals a person's preferences if only this person contributes to the sums.
# - Laplace noise of scale Δ/ε is ε-private if Δ is at least the sum of all changes that one
#   preference can cause.
# - For averages, Δ is only 1/|c|. The price is bias. The best clusters depend on ε.
# - The ε of a person with many preferences is many times the ε of one preference.
#
# ## References
#
# - Jorgensen and Yu 2014, *A privacy-preserving framework for personalized, social
#   recommendations*, EDBT 2014, [doi
#   10.5441/002/edbt.2014.51](https://doi.org/10.5441/002/edbt.2014.51).
# - Douceur 2002, *The Sybil attack*, [doi
#   10.1007/3-540-45748-8_24](https://doi.org/10.1007/3-540-45748-8_24).
# - Dwork, McSherry, Nissim and Smith 2006, *Calibrating noise to sensitivity in private data
#   analysis*, [doi 10.1007/11681878_14](https://doi.org/10.1007/11681878_14).
# - Mironov 2012, *On significance of the least significant bits for differential privacy*, [doi
#   10.1145/2382196.2382264](https://doi.org/10.1145/2382196.2382264).
# - Calandrino, Kilzer, Narayanan, Felten and Shmatikov 2011, *"You might also like:" privacy risks
#   of collaborative filtering*, [doi 10.1109/SP.2011.40](https://doi.org/10.1109/SP.2011.40).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ask the room
#
# A site shows only lists, never preferences. Are the preferences hidden?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - A list reveals a person's preferences if only this person contributes to the sums.
# - Laplace noise of scale Δ/ε is ε-private.
# - For averages, Δ is only 1/|c|. The price is bias.
# - The ε of a person with many preferences is many times the ε of one preference.
