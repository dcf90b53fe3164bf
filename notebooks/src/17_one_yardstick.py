# %% [markdown]
# # 17 One yardstick
#
# *Edition 2, part 6 of 6: a person. Core track.*
#
# ## What you will be able to do
#
# - compare four families of releases on the same people, the same use and the same attackers;
# - measure an attacker by what it gains over a guess;
# - write an attacker and let it fight in an arena, against its rivals and below a proved limit;
# - say which comparisons are not possible, and choose a release for a named threat.
#
# ## What you need
#
# Notebooks [01](01_privacy_by_counting.ipynb) (ε, units, odds) and [02](02_noise_graphs.ipynb) (the
# noise graph). The three other families are introduced here.
#
# **Minutes (estimates):** about 45 to read, about 75 for the exercises.
#
# ## Break something: predict, then run
#
# Six people rate films from 1 to 5. A server puts them into two groups of three, fills each gap by
# 3, the middle of the scale, and publishes for each person the **mean** of the group's rows.
# Nobody's own row is published: each published row stands for three people.
#
# Two members of the first group lend each other their rows. **How many of the eight values of the
# third member can they compute?** Write a number from 0 to 8.

# %%
my_prediction = 2  # your own number here, from 0 to 8

# %% tags=["nbval-check-output"]
import numpy as np
from IPython.display import Markdown, display


def say(text):  # a sentence with numbers from the run
    display(Markdown(text))


small = np.zeros((6, 8), dtype=int)  # 0: not rated
small[:3, :3] = [[5, 3, 4], [4, 5, 3], [3, 5, 5]]
small[3:, 4:7] = [[4, 5, 3], [5, 4, 5], [3, 5, 4]]
small[2, 6], small[4, 2], small[5, 7] = 1, 1, 5
filled = np.where(small > 0, small, 3)
mean = filled[:3].mean(axis=0)  # published
third = 3 * mean - filled[0] - filled[1]
say(f"You predicted {my_prediction}. They compute **{np.isclose(third, filled[2]).sum()}** of 8.")

# %% [markdown]
# A sum of three, less two of its parts, is the third part. (A 3 may be a rating or a gap: that they
# do not learn.) The same with time: where one member of
# a group changes between two releases, three times the difference of the means is that change.
#
# Who belongs to which group? **Microaggregation** joins rows that are near each other, at least k
# in a group, so that means differ little from rows. The library finds these two groups by itself:

# %% tags=["nbval-check-output"]
import pplab

grouped = pplab.microaggregate(small, 3, rating_range=(1, 5), impute="midpoint")
print("group of each person:", grouped.labels.tolist())
print("mean of the first group:", grouped.protected[0].round(2).tolist())

# %% [markdown]
# **k-anonymity** guarantees k equal rows: anyone who knows some ratings of a person and looks for
# the row finds k of them. It does not say what k - 1 members learn about the last one.
#
# ## Define: four families, one small graph
#
# Here are four ways to publish the same six people. The first three publish *likes* (is there a
# rating?), the last one means of ratings.

# %%
likes = (small > 0).astype(int)
flipped = pplab.bipartite_noise_graph(likes, flip_probability=0.1, rng=7).toarray()
shares, means = np.zeros(likes.shape), np.zeros(likes.shape)
for members in ([0, 1, 2], [3, 4, 5]):
    shares[members] = likes[members].mean(axis=0)
    means[members] = filled[members].mean(axis=0)
majority = (shares >= 0.5).astype(int)
noise = np.random.default_rng(seed=7).laplace(scale=1 / 3, size=(2, 8))  # one draw per group
averages = (shares + np.repeat(noise, 3, axis=0)).round(1) + 0.0  # no minus zero

# %% tags=["hide-input"]
from pplab.plots import cells, new_figure, show

figure, grid = new_figure(2, 2, width=8, height=5)
cells(grid[0, 0], flipped, title="1 Noise graph: flip cells", crossed=flipped != likes)
cells(grid[0, 1], averages, title="2 Cluster averages, with noise", text="{:.1f}")
cells(grid[1, 0], majority, title="3 Smooth k-anonymity: a vote")
cells(grid[1, 1], means, title="4 Microaggregation: means", text="{:.1f}")
flips, rows = int((flipped != likes).sum()), len(np.unique(majority, axis=0))
summary = f"release 1 has {flips} flipped cells, crossed; the others have {rows} different rows"
show(figure, alt=f"Four ways to publish the same six users: {summary}.")

# %% [markdown]
# | family | unit | guarantee | trusted | insiders | second release |
# |---|---|---|---|---|---|
# | noise graph | one like | ε | nobody | what ε allows | levels add up |
# | cluster averages | one like | ε | a server | what ε allows | levels add up |
# | smooth k-anonymity | a row | k equal rows | a server | a deciding vote | no promise |
# | microaggregation | a row | k equal rows | a server | everything | no promise |
#
# This is a **release label**: what is protected (the *unit*), by how much, who sees the original
# table, what the other members of a group learn about the last one, and what publishing
# twice costs.
#
# - *Noise graph:* users can flip at home, so nobody sees the original.
# - *Cluster averages:* clusters are public, for example circles of friends. One like moves the
#   average of m people by 1/m, so Laplace noise ([05](05_social_recommendation.ipynb)) of scale
#   1/(mε) gives ε for one like. Noise can push an average below 0 or above 1.
# - *Smooth k-anonymity:* an item is published for all of a group if at least half of it likes the
#   item. Where the others are divided, the last vote decides, and they read it off.
# - *Microaggregation:* means, as above.
#
# ### Exercise 17-R (recall)
#
# Which guarantee can be carried through two releases without looking at the data: `"epsilon"`,
# `"k"`, `"both"` or `"neither"`?

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: one of the four, in quotes
answer = "epsilon"
check("17-R", answer)

# %% [markdown]
# ## The same people, the same use
#
# **People.** All users with at least five likes of items that at least 50 people like. On Last.fm a
# like is an artist listened to, and circles of friends are the clusters. On MovieLens a like is a
# film with four or five stars. It holds no friends, so cluster averages stay empty there.
#
# **Use.** A fifth of each user's likes is held out. From the published table alone a recommender
# ranks the items: it smooths each published row by the table's strongest patterns (the few
# directions in which rows differ most), and shows the best 20 new items. **Recall at 20** is the
# share of held-out likes that are among these 20 (of 20, where more are held out). The user's own
# device hides what the user has already. The recommender is the same for all four.

# %% tags=["nbval-check-output"]
from pplab_papers.collection import read_result

lastfm = read_result("yardstick", "lastfm").frame
movielens = read_result("yardstick", "movielens").frame
for name, frame in (("Last.fm", lastfm), ("MovieLens", movielens)):
    counts = frame[frame["quantity"].isin(["users", "items"])].set_index("quantity")["value"]
    print(f"{name}: {counts['users']:.0f} users, {counts['items']:.0f} items")
recalls = lastfm[(lastfm["at"] == "strength") & (lastfm["quantity"] == "recall")]
recalls = recalls.astype({"strength": object}).fillna({"strength": "none"})
recalls.set_index(["family", "strength"])[["value"]].round(3)

# %% [markdown]
# (*popularity* shows everybody the same most liked items.) The strength is ε for noise graph and
# cluster averages, and k for the others. **No ε equals any k:** ε bounds what one like can change
# in the release, k counts rows that look alike. We compare where the *usefulness* is similar, never
# where the strengths look alike.
#
# **The level of comparison** is the recall midway in the range that all families reach. Each
# family's numbers are read off between its two nearest strengths. On Last.fm no recall is reached
# by all four: cluster averages stay below all that microaggregation gives. There the level is
# midway between the best of the one and the worst of the other. These two are taken where they come
# nearest, so the recalls are only **near** each other, as printed.

# %% tags=["nbval-check-output"]
equal = lastfm[(lastfm["at"] == "equal") & (lastfm["quantity"] == "advantage")]
midway = lastfm[(lastfm["at"] == "equal") & (lastfm["quantity"] == "recall")]["value"].iloc[0]
say(f"On Last.fm the four families are compared near a recall of {midway:.3f}:")
equal.groupby("family")[["recall"]].first().round(3)

# %% [markdown]
# ## The attackers
#
# An attack must beat a guess. So a **fair coin** decides for each person whether one like, drawn at
# random, stays in the data. The coin depends on nothing else. Anyone who knows the person, the
# item and the whole world, but not the release, is right half of the time. (Whether one record is
# in the data is the question of **membership inference**; here the record is one like.) The
# **advantage** is
#
# $$\text{advantage} = P(\text{says yes} \mid \text{like is there})
# - P(\text{says yes} \mid \text{like is not there}) .$$
#
# | attacker | what it knows | what it does |
# |---|---|---|
# | link | five likes of a person | names the published row that fits best |
# | one like (the *outsider*) | who has which row, or group | reads the cell of a named person |
# | insiders | also the rows of all others in the group | takes them off, or counts the vote |
# | two releases | the release of the month before, too | looks whether the like arrived |
# | fake friend | some accounts are its own | puts them into the person's group |
#
# For *link* a guess names the right row with probability one over the number of rows; the advantage
# is what is won beyond that. For *two releases* the month before did not hold the like, so only one
# of the two releases depends on the coin: the limit is that of ε, not of 2ε.
#
# Here is the whole protocol for one cell behind a flip, in five lines.

# %% tags=["nbval-check-output"]
from pplab.attacks.protocol import advantage, advantage_limit

epsilon = 2
flip_probability = 1 / (1 + np.exp(epsilon))
random = np.random.default_rng(12)
heads = random.random(20_000) < 0.5  # is the like in the data?
published = heads ^ (random.random(20_000) < flip_probability)
gain = published[heads].mean() - published[~heads].mean()
assert gain == advantage(published, heads)  # the library agrees
say(f"The attacker gains {gain:.3f}; the limit is {advantage_limit(epsilon):.3f}.")

# %% [markdown]
# **The limit.** Let $a$ be the probability of *yes* when the like is there, and $b$ when it is not.
# ε says $a \le e^\varepsilon b$ for *yes* and $1-b \le e^\varepsilon (1-a)$ for *no*. Among all
# such pairs the difference $a - b$ is largest where both hold with equality, and there
#
# $$a - b = \frac{e^\varepsilon - 1}{e^\varepsilon + 1} .$$
#
# In words: an attacker on one like, there or not by the coin, gains no more, in whatever way the
# release is read. (Likes that go together are another question: the coin does not depend on them.)
# For one flipped cell this is $1 - 2p$: reading the cell is already the best attack. (A gain that
# is counted may end a little above its limit: with as many people as here chance moves it by about
# $1/200$, with few people by more.)
#
# ### Exercise 17-C, exercise 17-P
#
# - **C (compute).** You believe with 5 % that a person has a like, and know the rest of the table.
#   A release with ε = 2 speaks for the like as strongly as ε allows. What do you believe now? Three
#   significant digits.
# - **P (prove by code).** Write `gained(share, flip, trials, seed)`: of `trials` people each has
#   the like with probability `share`; flip each cell with probability `flip`, let the attacker say
#   what is published, and give back its advantage. Does it depend on the share?

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a probability
odds = 0.05 / 0.95 * np.exp(2)
answer = odds / (1 + odds)
check("17-C", answer)


# %% tags=["solution", "nbval-check-output"]
def gained(share, flip, trials, seed):
    # YOUR CODE: likes, flips, and yes to those who have less yes to those who have not
    random = np.random.default_rng(seed)
    has = random.random(trials) < share
    published = has ^ (random.random(trials) < flip)
    return published[has].mean() - published[~has].mean()


check("17-P", gained)

# %% [markdown]
# ## The plane: usefulness against advantage
#
# To the right is more useful, down is safer against *this* attacker. Thin lines are 95 % intervals
# over five seeds. A short bar in a family's colour is its limit of ε at the same strength. For the
# noise graph it lies on the point itself, since reading the cell is the best attack there is.
# Families that guarantee k alone have no bar.

# %% tags=["nbval-check-output", "hide-input"]
from pplab.plots.curves import advantage_plane

limited = lastfm[lastfm["quantity"].isin(["advantage", "recall"])]
figure, panels = new_figure(1, 3, width=10, height=4)
for axes, attacker in zip(panels, ("link", "one like", "insiders"), strict=True):
    advantage_plane(axes, limited, attacker=attacker)
table = equal.pivot(index="attacker", columns="family", values="value").round(2)
summary = f"Recall against advantage. Near a recall of {midway:.2f}:"
for attacker in ("link", "one like", "insiders"):
    row = table.loc[attacker]
    summary += (
        f" {attacker}, most {row.max()} ({row.idxmax()}), least {row.min()} ({row.idxmin()});"
    )
show(figure, alt=summary[:-1] + ".")
table.astype(object).fillna("empty")

# %% [markdown]
# Between *one like* and *insiders* no family changed. Only the attacker changed.


# %% tags=["nbval-check-output"]
def ends(values, digits):  # both ends, or one number where they round alike
    found = values.agg(["min", "max"]).round(digits).unique()
    return " to ".join(f"{end:.{digits}f}" for end in found)


helped = table.loc["insiders"] - table.loc["one like"] > 0.1
say(f"Insiders raise the gain by more than a tenth against: {', '.join(helped[helped].index)}.")
for name, frame in (("Last.fm", lastfm), ("MovieLens", movielens)):
    at_level = frame[(frame["at"] == "equal") & (frame["quantity"] == "advantage")]
    reversals = frame.loc[frame["quantity"] == "reversals", "value"].iloc[0]
    reached = ends(at_level["recall"], 3)
    say(f"{name}, recall {reached}: **{reversals:.0f}** times two families surely swap places.")

# %% [markdown]
# Two families change their order between two attackers; that counts where both orders are sure,
# their intervals apart. The intervals of the fake friend are wide: it attacks at most 60 people in
# each run on groups, so its points have a standard error of about a tenth. One of its intervals
# (for cluster averages) is entirely above the limit. A 95 % interval misses on that side in one of
# forty cases, and this is one of the 44 intervals with a limit.
#
# **Which guarantee says nothing about which attack?** k bounds the linker, by 1/k, and says nothing
# about a like: the insiders are its blind spot. In a vote the insiders are right no more often than
# the outsider, but they know *when* they are right: where the last vote decides. ε bounds all four
# attackers on a like, and gives no useful bound against the linker, who uses many likes at once:
# five likes are five units.
#
# **Empty cells.** Cluster averages have no rows to link. An empty cell is an answer: the question
# does not exist there.
#
# **An attack is a lower bound.** A better attacker moves points up, never down. Only a proof, such
# as the short bars, bounds from above.
#
# <details><summary>In the ledger</summary>
#
# These are claims of this project, under the key *yardstick*, apart from the four papers
# (`pplab claims --paper yardstick`). The rule for the level was completed after a first run ended
# without a verdict. *At equal usefulness* means: at the level of comparison, near it on Last.fm.
#
# </details>
#
# ### Exercise 17-B (break)
#
# Four rows are equal in a release with smooth 4-anonymity: an item is kept if at least half of the
# group has it. Give the four bits of one item as a list, the insiders' three bits first and the
# person's last, so that the three know the fourth for certain.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: four bits, the person's last
answer = [1, 0, 0, 1]
check("17-B", answer)

# %% [markdown]
# ## The arena: your attacker enters
#
# Stored runs cannot be changed. In the **arena** you write the attacker. There are 200 made-up
# people of four tastes, and 60 items. One like of each person is drawn, and a fair coin decides
# whether it stays in the data. One of the four families publishes. Half of the people have a public
# profile. An attacker is a function of what anybody can see:
#
# | name | what it holds |
# |---|---|
# | `seen.table` | what is published for each person |
# | `seen.labels` | the group of each person (`None` for the noise graph) |
# | `seen.means` | whether the table holds averages or means |
# | `seen.known` | public profiles: 1, 0, and `nan` where nothing is public |
# | `seen.users`, `seen.items` | the cells asked about, one for each person; never public |
#
# It gives back a probability of yes for each person. `score` plays 16 rounds, each with new people,
# coins and noise. `practice` is a round with open coins, to try things on. Here it is by hand, for
# the outsider:

# %% tags=["nbval-check-output"]
from pplab.attacks.arena import arena, outsider

room = arena("microaggregation", 5, seed=12)
seen, coin = room.practice
values = seen.table[seen.users, seen.items]
says = values > np.median(values)
print("published:", values[:6].round(2), " yes:", says[:6] * 1, " like is there:", coin[:6] * 1)
say(f"In this round the outsider gains {says[coin].mean() - says[~coin].mean():.2f}.")

# %% [markdown]
# **Predict the score** of three attackers on the same means: one says the opposite of the outsider,
# one always says yes, and one has learned the coins of the practice round by heart.


# %% tags=["nbval-check-output"]
def inverted(seen):
    return 1 - outsider(seen)


def constant(seen):
    return np.ones(len(seen.users))


scores = room.table(inverted=inverted, constant=constant, memory=lambda _: coin)
scores.drop(columns="given").set_index("attacker").round(2) + 0.0

# %% [markdown]
# The interval is over the 16 rounds, and *lead* is what is gained beyond the outsider in the same
# rounds. The turned attacker loses what the outsider gains; the two others know nothing of new
# coins. The rivals have a few lines each; `outsider??` in a cell of its own shows one:
#
# - *popularity* ignores the release, and says yes as often as the public profiles like the item;
# - *outsider* reads the cell, and says yes above the median of all cells asked about;
# - *excess* compares the cell with the mean of its item in the whole table;
# - *profiles* takes the public profiles off the sum of the group (with `members = seen.labels ==
#   seen.labels[u]`, the cell times `members.sum()`), and lets the others like the item as usual;
#   *patterns* lets them follow the four strongest patterns of the table. Where nothing is added up,
#   in flips and votes, these two do what the outsider does.
#
# Now yours. Change the function, run the cell, and see your point move.


# %% tags=["nbval-check-output"]
def mine(seen):  # change me: is the cell above the mean of the person's published row?
    return seen.table[seen.users, seen.items] > seen.table.mean(axis=1)[seen.users]


strengths = {"noise graph": 2, "cluster averages": 1, "smooth k-anonymity": 5}
strengths |= {"microaggregation": 5}
arenas, ranked = {}, {}
for family, strength in strengths.items():  # about ten seconds, most of them for the votes
    arenas[family] = arena(family, strength, seed=12)
    ranked[family] = arenas[family].table(mine=mine)
    best = ranked[family].iloc[0]
    print(f"{family}, {strength}: best is {best['attacker']}, {best['value']:.2f}")

# %% tags=["nbval-check-output", "hide-input"]
from pplab.plots.curves import score_lines

figure, panels = new_figure(2, 2, width=10, height=5.4)
summary = "Attackers in the arena, with intervals."
for axes, (family, scored) in zip(panels.flat, ranked.items(), strict=True):
    own, limit = scored.set_index("attacker").loc["mine", ["value", "limit"]]
    sign = "ε" if limit < 1 else "k"
    score_lines(axes, scored, title=f"{family}, {sign} = {strengths[family]}")
    summary += f" {family}: limit {limit:.2f}, best {scored['value'].max():.2f}, mine {own:.2f}."
show(figure, alt=summary)

# %% [markdown]
# The square is yours. **Who can be beaten?**
#
# - *Noise graph:* the outsider is at the limit (dashed), and nobody passes it.
# - *Votes:* one vote more can only turn a published 0 into 1, and does so where it decides (if the
#   groups do not depend on the coin). So reading the cell wins exactly the decided votes. An
#   attacker who knows all other votes wins the same ones, and knows which they are.
# - *Averages and means:* a sum reveals more to those who know parts of it. Here the limit is ε's
#   for the averages, and there is none for the means: an attacker who knows all other rows is
#   certain.

# %% [markdown]
# ## Play
#
# **Question:** which family would you publish against each attacker, and does one family win
# against all? Choose an attacker: the points of the stored runs move, the limits stay. Tab reaches
# the menu, the arrow keys move it.


# %% tags=["hide-input"]
def draw(axes, attacker, data="Last.fm"):
    frame = {"Last.fm": lastfm, "MovieLens": movielens}[data]
    advantage_plane(axes, frame, attacker=attacker)
    rows = frame[(frame["at"] == "equal") & (frame["attacker"] == attacker)]
    state = {"data": data, "attacker": attacker}
    state["recall"] = ends(rows["recall"], 2)
    ordered = rows.sort_values("value")
    first, last, low, high = ordered.iloc[0], ordered.iloc[-1], ordered["low"], ordered["high"]
    sure = {"least": first["high"] < low.iloc[1:].min(), "most": high.iloc[:-1].max() < last["low"]}
    for word, row in (("least", first), ("most", last)):
        gain = "{family}, {value:.2f} ({low:.2f} to {high:.2f})".format_map(row)
        state[word] = f"{gain}, {'sure' if sure[word] else 'not sure'}"
    return state


# %% tags=["widget", "nbval-ignore-output", "hide-input"]
from pplab.widgets import Control, explore, twin
from pplab_papers.yardstick.compare import ATTACKERS

sentence = "{data}, {attacker}, recall {recall}: least {least}; most {most}."
explore(
    draw,
    say=sentence.format_map,
    height=4.6,
    attacker=Control("attacker", ATTACKERS, "one like", "first", "last", show=str),
    data=Control("data", ("Last.fm", "MovieLens"), "Last.fm", "four", "three families", show=str),
)


# %% tags=["nbval-check-output", "hide-input"]
def message(states):
    rows = states.to_dict("records")
    return " ".join(sentence.format_map(row) for row in rows)


states = twin(draw, alt=message, height=4.2, attacker=("link", "insiders", "fake friend"))

# %% [markdown]
# <details><summary>The answer</summary>
#
# No family wins against all. Cluster averages reveal least to an outsider, and most of what ε
# allows to insiders. Votes reveal least to insiders, without any guarantee about them, and a fake
# friend much. Means reveal all to insiders. *Not sure* is where the interval overlaps that of
# another family.
#
# </details>
#
# ## Exercises
#
# - **D (design).** *Threat:* the other members of a group may compare notes. *Limit:* the end of
#   the 95 % interval of their advantage is at most `0.3`. Choose the row of Last.fm that keeps to
#   it and recommends best. Hand in a dict: `family` and `strength` as in the table; then of the
#   label one choice each: `unit` (`"one like"`, `"a row"`), `trusted` (`"nobody"`, `"a server"`),
#   `insiders` (`"what ε allows"`, `"a deciding vote"`, `"everything"`) and `second release`
#   (`"levels add up"`, `"no promise"`); last `memo`, a line of your own to those who decide. That
#   line is *not* read by the check.
# - **O (open).** Write an attacker whose *lead* is at least `0.05` on one family. Hand in a pair
#   `(family, attack)`: a name of `strengths`, and a function of `seen` such as `mine`. The check
#   plays 16 rounds at the strength of this family, with people and coins that you have not seen. It
#   tests the lead and nothing else. Print the interval of your lead, which is
#   `arenas[family].score(attack).lead_interval`; say in comments what your attacker knows, and
#   where and why it must fail. This part you judge yourself by the lines that the check prints.

# %% tags=["solution", "nbval-check-output"]
rows = lastfm[lastfm["at"] == "strength"].set_index(["family", "strength"])
insiders = rows.loc[rows["attacker"] == "insiders", "high"].rename("insiders, end")
recall = rows.loc[rows["quantity"] == "recall", "value"].rename("recall")
kept = insiders.to_frame().join(recall).sort_values("recall")
display(kept.round(3))
# YOUR CODE: a dict of seven entries
family, strength = kept[kept["insiders, end"] <= 0.3].index[-1]
answer = {"family": family, "strength": strength, "unit": "a row", "trusted": "a server"}
answer |= {"insiders": "a deciding vote", "second release": "no promise"}
answer["memo"] = "Measured, not promised: where a group is divided, its members know the last vote."
check("17-D", answer)


# %% tags=["solution", "nbval-check-output"]
def attack(seen):
    # YOUR CODE: one probability for each person; say what it knows, where it must fail, and why
    chances = []  # made for means; it knows groups and profiles, and fails where nothing is added
    for user, item in zip(seen.users, seen.items, strict=True):
        group = np.flatnonzero((seen.labels == seen.labels[user]) & (seen.users != user))
        public, average = seen.known[group, item], seen.table[user, item]
        others = np.where(np.isnan(public), average, public).sum()
        chances.append(average * (len(group) + 1) - others > 0.5)
    return chances


score = arenas["microaggregation"].score(attack)
low, high = score.lead_interval
print(f"lead {score.lead:.2f} ({low:.2f} to {high:.2f})")
check("17-O", ("microaggregation", attack))

# %% [markdown]
# ## Quiz
#
# 1. Can a release without chance have a finite ε? <details><summary>Answer</summary>Only if it is
#    the same for all neighbours.</details>
# 2. An attack gains nothing. What does that prove? <details><summary>Answer</summary>Nothing: a
#    stronger attack may gain.</details>
# 3. Equal usefulness, equal risk? <details><summary>Answer</summary>No: it depends on the
#    attacker.</details>
#
# ## What to remember
#
# - Fix the attacker, then compare.
# - A guarantee answers one question; an attack asks another.
# - An attack bounds a risk from below, and its score needs coins that it has not seen.
# - Leave blanks where there is nothing to compare, and say why.
#
# The page [Which release for which threat](../docs/which-release.md) puts this on one screen.
#
# ## References
#
# - Salas and Torra 2020, [doi 10.5220/0009833804150422](https://doi.org/10.5220/0009833804150422).
# - Jorgensen and Yu 2014, [doi 10.5441/002/edbt.2014.51](https://doi.org/10.5441/002/edbt.2014.51).
# - Esfandiari, Epasto, Mirrokni and Munoz Medina 2022,
#   [arXiv 2207.06358](https://arxiv.org/abs/2207.06358).
# - Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015,
#   [doi 10.1016/j.jcss.2014.12.013](https://doi.org/10.1016/j.jcss.2014.12.013).
# - Cremonesi, Koren and Turrin 2010, *Performance of recommender algorithms on top-N recommendation
#   tasks*, [doi 10.1145/1864708.1864721](https://doi.org/10.1145/1864708.1864721).
# - Ganta, Kasiviswanathan and Smith 2008, *Composition attacks and auxiliary information in data
#   privacy*, [arXiv 0803.0032](https://arxiv.org/abs/0803.0032).
# - Harper and Konstan 2015, *The MovieLens datasets*,
#   [doi 10.1145/2827872](https://doi.org/10.1145/2827872).
