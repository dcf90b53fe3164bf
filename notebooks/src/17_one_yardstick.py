# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 17 One yardstick
#
# **The same people, the same task, several attackers.**

# %% [markdown] slideshow={"slide_type": "notes"}
# # 17 One yardstick
#
# *Edition 2, part 6 of 6: a person. Core track.*
#
# ## What you will be able to do
#
# - compare four families of releases on the same people and the same task;
# - measure how much better an attacker does than a guess, and write an attacker of your own;
# - choose a release for a given threat, and use a budget to limit further releases.
#
# ## What you need
#
# You need notebooks [01](01_privacy_by_counting.ipynb) (ε, units, odds) and
# [02](02_noise_graphs.ipynb).
#
# **Minutes (estimates):** about 40 to read, about 75 for the exercises.
#
# ## Break something: predict, then run
#
# The listening data of Last.fm are published in four ways that are about equally useful to a
# recommender. An *outsider* asks whether a person listened to a certain artist. *Insiders* belong
# to the person's group and know what all other members listened to.
#
# **Which of the four releases reveals least to the insiders: `"noise graph"`, `"cluster averages"`,
# `"smooth k-anonymity"` or `"microaggregation"`?** Write your guess down, then run.

# %%
my_prediction = "noise graph"  # your own guess here

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Four releases of about equal usefulness
#
# An *outsider* asks whether a person listened to a certain artist. *Insiders* belong to the
# person's group and know what all other members listened to. **Which release reveals the least to
# the insiders?**

# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
import numpy as np
from IPython.display import display

import pplab
from pplab_course import say
from pplab_papers.collection import read_result

lastfm = read_result("yardstick", "lastfm").frame
movielens = read_result("yardstick", "movielens").frame
equal = lastfm[(lastfm["at"] == "equal") & (lastfm["quantity"] == "advantage")]
gains = equal.pivot_table(index="family", columns="attacker", values="value")
gains = gains[["one like", "insiders"]].rename(columns={"one like": "outsider"})
display(gains.round(2))
say(f"Insiders gain least from **{gains['insiders'].idxmin()}**; you said {my_prediction}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# (An attacker with a gain of 0 is no better than a guess, and an attacker with a gain of 1 is
# always right.) The best release against the outsider is not the best release against the insiders.
# If group means are published, the insiders are certain of the answer, because they can subtract
# all other rows from the sum of the group.
#
# ## Define: four families and their labels

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Four families and their labels

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
import pandas as pd

families = ["noise graph", "cluster averages", "smooth k-anonymity", "microaggregation"]
labels = pd.DataFrame(index=families)
labels["unit"] = ["one like", "one like", "a row", "a row"]
labels["neighbours"] = ["with or without a like"] * 2 + ["not defined"] * 2
labels["guarantee"] = ["ε", "ε", "k equal rows", "k equal rows"]
labels["trusted"] = ["nobody", "a server", "a server", "a server"]
labels["insiders"] = ["what ε allows", "what ε allows", "a deciding vote", "everything"]
labels["second release"] = ["levels add up", "levels add up", "no promise", "no promise"]
labels

# %% [markdown] slideshow={"slide_type": "notes"}
# Each line is a **release label**. The label states what is protected (the *unit*), which two
# tables are compared (the *neighbours*), and the guarantee. It also states who sees the original
# table (*trusted*), what the other members of a group learn about the last member (*insiders*), and
# what a *second release* costs.
#
# - *Cluster averages* (notebook [05](05_social_recommendation.ipynb)): the clusters are public
#   circles of friends. One like changes the average of m people by 1/m, so Laplace noise of scale
#   1/(mε) gives the level ε.
# - *Smooth k-anonymity* (notebook [10](10_a_vote_that_decides.ipynb)): an item is published for all
#   members of a group if at least half of them like it.
# - *Microaggregation* (notebook [14](14_microaggregation_what_means_give_away.ipynb)): for each
#   member of a group of k similar rows, the mean of the group is published.
#
# ### Exercise 17-R (recall)
#
# Two releases are published. For which guarantee can you compute the level of both releases
# together without the data: `"epsilon"`, `"k"`, `"both"` or `"neither"`?

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: one of the four, in quotes
answer = "epsilon"
check("17-R", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## The same people, the same task
#
# **People.** We keep the items that at least 50 people like, and all users who like at least five
# of these items. On Last.fm, a like is an artist whom the user listened to. On MovieLens, a like is
# a film that the user gave four or five stars. MovieLens has no friendships, so cluster averages
# are missing there.
#
# **Task.** We hold out a fifth of each user's likes. The same recommender is used for all releases.
# It smooths each published row with the strongest patterns of the table (the leading singular
# vectors), and shows each user 20 new items. **Recall at 20** is the share of the held-out likes
# that are among these 20 items.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The same people, the same use
#
# We hold out a fifth of each user's likes, and show 20 new items.
#
# $$\text{recall at 20} =
# \frac{\text{held-out likes among the items shown}}{\text{held-out likes}}$$
#
# **An ε and a k cannot be compared.** Compare releases of similar usefulness.

# %% tags=["nbval-check-output"]
recalls = lastfm[(lastfm["at"] == "strength") & (lastfm["quantity"] == "recall")]
recalls = recalls.astype({"strength": object}).fillna({"strength": "none"})
recalls.set_index(["family", "strength"])[["value"]].round(3)

# %% [markdown] slideshow={"slide_type": "notes"}
# The *strength* is ε for noise graphs and cluster averages, and k for the other two families. **An
# ε and a k cannot be compared.** So we compare releases of similar *usefulness*. We choose a recall
# in the middle of the range. For each family, we interpolate between the two strengths whose
# recalls are just below and just above the chosen recall. (If a family does not reach the chosen
# recall, we use the strength with the nearest recall.)
#
# ## The attackers
#
# An attack must be better than a guess. For each person, one like is drawn at random, and a **fair
# coin** decides whether this like stays in the data. Without the release, even an attacker with all
# other information is right only half of the time. The **advantage** is
#
# $$\text{advantage} = P(\text{says yes} \mid \text{like is there})
# - P(\text{says yes} \mid \text{like is not there}) .$$
#
# |attacker|what the attacker knows|what the attacker does|
# |---|---|---|
# |link|five likes of a person|names the published row that fits best|
# |one like (the *outsider*)|which row, or group, is whose|reads the cell of a named person|
# |insiders|also all other rows in the group|subtract these rows, or count votes|
# |two releases|also the previous month's release|checks whether the like is new|
# |fake friend|some accounts of their own|puts these accounts into the person's group|
#
# For one flipped cell, the whole protocol takes six lines of code:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The attackers
#
# |attacker|what the attacker knows|what the attacker does|
# |---|---|---|
# |link|five likes of a person|names the published row that fits best|
# |one like|which row, or group, is whose|reads the cell of a named person|
# |insiders|also all other rows in the group|subtract these rows, or count votes|
# |two releases|also the previous month's release|checks whether the like is new|
# |fake friend|some accounts of their own|puts these accounts into the person's group|

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## An attack must beat a guess
#
# A fair coin decides whether one like stays in the data.
#
# $$\text{advantage} = P(\text{says yes} \mid \text{like is there})
# - P(\text{says yes} \mid \text{like is not there})$$

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from pplab.attacks.protocol import advantage_limit

epsilon = 2
flip_probability = 1 / (1 + np.exp(epsilon))
random = np.random.default_rng(12)
heads = random.random(2_000_000) < 0.5  # is the like in the data?
published = heads ^ (random.random(2_000_000) < flip_probability)
gain = published[heads].mean() - published[~heads].mean()
say(f"The attacker's advantage is {gain:.3f}; the limit is {advantage_limit(epsilon):.3f}.")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The limit
#
# $$a - b \;\le\; \frac{e^\varepsilon - 1}{e^\varepsilon + 1}$$
#
# For one flipped cell, the limit is 1 − 2p. An attacker who reads the cell reaches this limit, so
# no attack is better.

# %% [markdown] slideshow={"slide_type": "notes"}
# **The limit.** Let $a$ be the probability of *yes* when the like is there, and let $b$ be the
# probability of *yes* when the like is not there. By the definition of ε, $a \le e^\varepsilon b$
# for *yes* and $1-b \le e^\varepsilon (1-a)$ for *no*. Among all pairs $a$, $b$ that satisfy these
# inequalities, $a - b$ is largest when both inequalities are equalities, and then
#
# $$a - b = \frac{e^\varepsilon - 1}{e^\varepsilon + 1} .$$
#
# No attacker who wants to learn one like can have a larger advantage. (The coin is independent of
# all other likes; for correlated likes, see notebook [04](04_what_the_neighbours_tell.ipynb).) For
# one flipped cell, the limit is $1 - 2p$. An attacker who reads the cell reaches this limit, so no
# attack is better.
#
# ### Exercise 17-C, exercise 17-P
#
# - **C (compute).** You know the rest of the table, and you think that, with probability 5 %, a
#   person likes a given item. Then you see a release with ε = 2, and its output favours the like as
#   strongly as this ε allows. What is the probability of the like after you have seen the release,
#   to three significant digits?
# - **P (prove by code).** Write `gained(share, flip, trials, seed)`. Simulate `trials` people: each
#   of them likes the item with probability `share`. Flip each cell with probability `flip`. The
#   attacker's answer is the published cell. Return the attacker's advantage. Does the advantage
#   depend on `share`?

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a probability
odds = 0.05 / 0.95 * np.exp(2)
answer = odds / (1 + odds)
check("17-C", answer)


# %% tags=["solution", "nbval-check-output"]
def gained(share, flip, trials, seed):
    # YOUR CODE: likes, flips, and P(yes | like) - P(yes | no like)
    random = np.random.default_rng(seed)
    has = random.random(trials) < share
    published = has ^ (random.random(trials) < flip)
    return published[has].mean() - published[~has].mean()


check("17-P", gained)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## The plane: usefulness against advantage
#
# Points further right are more useful, and lower points are safer against *this* attacker. Thin
# lines are 95 % intervals over five seeds. A short bar in the colour of a family marks the limit
# that ε sets for this family. A family with a k but no ε has no such limit.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The plane: usefulness against advantage
#
# Points further right are more useful, and lower points are safer against *this* attacker:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output", "hide-input"]
from pplab.plots import new_figure, show
from pplab.plots.curves import advantage_plane

limited = lastfm[lastfm["quantity"].isin(["advantage", "recall"])]
midway = lastfm[(lastfm["at"] == "equal") & (lastfm["quantity"] == "recall")]["value"].iloc[0]
figure, panels = new_figure(1, 3, width=10, height=4)
for axes, attacker in zip(panels, ("link", "one like", "insiders"), strict=True):
    advantage_plane(axes, limited, attacker=attacker)
table = equal.pivot_table(index="attacker", columns="family", values="value").round(2)
summary = f"Recall against advantage. Near a recall of {midway:.2f}:"
for attacker in ("link", "one like", "insiders"):
    row = table.loc[attacker]
    summary += f" {attacker}, most {row.max()} ({row.idxmax()}), least {row.min()};"
show(figure, alt=summary[:-1] + ".")
table.astype(object).fillna("nothing to link")

# %% [markdown] slideshow={"slide_type": "notes"}
# The plots *one like* and *insiders* show the same releases, and differ only in the attacker.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Only the attacker changed


# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
def ends(values, digits):  # both ends, or one number where they round alike
    result = values.agg(["min", "max"]).round(digits).unique()
    return " to ".join(f"{end:.{digits}f}" for end in result)


for name, frame in (("Last.fm", lastfm), ("MovieLens", movielens)):
    at_level = frame[(frame["at"] == "equal") & (frame["quantity"] == "advantage")]
    reversals = frame.loc[frame["quantity"] == "reversals", "value"].iloc[0]
    reached = ends(at_level["recall"], 3)
    swaps = f"In **{reversals:.0f}** cases two families certainly swap places."
    say(f"{name}, recall {reached}. {swaps}")

# %% [markdown] slideshow={"slide_type": "notes"}
# We say that two families swap places only if their intervals are disjoint under both attackers.
#
# **Which attacks does each guarantee limit?** The link attacker succeeds with probability at most
# 1/k. But k says nothing about a single like, so k does not limit what insiders learn. The level ε
# limits what the other four attackers learn about one like. But ε gives no useful bound on the link
# attacker, who asks about five likes, that is, five units.
#
# **An attack gives a lower bound on a risk.** A better attacker moves the points of the figure up,
# never down. Only a proof bounds the risk from above.
#
# ### Exercise 17-B (break)
#
# A group of four people publishes an item if at least two of the people have the item. Find four
# original bits of one item such that the insiders learn the fourth bit with certainty. Give the
# bits as a list: first the bits of the three insiders, then the person's bit.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: four bits, the person's last
answer = [1, 0, 0, 1]
check("17-B", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## The arena: write an attacker
#
# There are 200 made-up people with four tastes, and 60 items. For each person, a fair coin decides
# whether one like is in the data. Half of the people have a public profile. An attacker is a
# function of public information:
#
# |name|content|
# |---|---|
# |`seen.table`|what is published for each person|
# |`seen.labels`|the group of each person (`None` for the noise graph)|
# |`seen.means`|whether the table contains averages or means|
# |`seen.known`|public profiles: 1, 0, and `nan` where nothing is public|
# |`seen.users`, `seen.items`|the cells asked about, one for each person|
#
# The attacker returns a probability of yes for each person. `score` plays 16 rounds, each with new
# people, coins and noise. `practice` is a round whose coins are known. We compute the outsider's
# gain in this round by hand:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The arena: write an attacker
#
# For each of 200 made-up people a fair coin decides whether one like is in the data.
#
# **An attacker is a function of public information.**

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from pplab.attacks.arena import arena, outsider

room = arena("microaggregation", 5, seed=12)
seen, coin = room.practice
values = seen.table[seen.users, seen.items]
says = values > np.median(values)
say(f"In this round the outsider gains {says[coin].mean() - says[~coin].mean():.2f}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# **Predict the scores** of three attackers who see the same means. One attacker says the opposite
# of the outsider, one always says yes, and one has memorized the coins of the practice round.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Predict the score
#
# One attacker says the opposite of the outsider, one always says yes, and one has memorized the
# coins of another round.


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
def inverted(seen):
    return 1 - outsider(seen)


def constant(seen):
    return np.ones(len(seen.users))


scores = room.table(inverted=inverted, constant=constant, memory=lambda _: coin)
scores.drop(columns="given").set_index("attacker").round(2) + 0.0

# %% [markdown] slideshow={"slide_type": "notes"}
# *lead* is an attacker's gain minus the outsider's gain in the same rounds. Your attacker has five
# rivals (`outsider??` shows the code of one rival):
#
# - the attacker *popularity* ignores the release; its probability of yes is the share of public
#   profiles that have the item;
# - the attacker *outsider* compares the cell with the median of all cells in question, and says yes
#   if the cell is larger;
# - the attacker *excess* compares the cell with the mean of the item's column in the whole table;
# - the attacker *profiles* computes the sum of the group (the cell times the number of members),
#   and subtracts the public profiles from this sum; `(seen.labels == seen.labels[u]).sum()` is this
#   number;
# - the attacker *patterns* estimates the rows of the other members from the strongest patterns of
#   the table.
#
# Change the function below into your attacker.


# %% tags=["nbval-check-output"]
def mine(seen):  # change this: is the cell above the mean of the person's published row?
    return seen.table[seen.users, seen.items] > seen.table.mean(axis=1)[seen.users]


strengths = dict(zip(families, (2, 1, 5, 5), strict=True))
arenas, ranked = {}, {}
for family, strength in strengths.items():  # about ten seconds, most of them for the votes
    arenas[family] = arena(family, strength, seed=12)
    ranked[family] = arenas[family].table(mine=mine)
    best = ranked[family].iloc[0]
    print(f"{family}, {strength}: best attacker {best['attacker']}, gain {best['value']:.2f}")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Which rivals can be beaten?

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output", "hide-input"]
from pplab.plots.curves import score_lines

figure, panels = new_figure(2, 2, width=10, height=5.4)
summary = "Attackers in the arena, with intervals."
for axes, (family, scored) in zip(panels.flat, ranked.items(), strict=True):
    own, limit = scored.set_index("attacker").loc["mine", ["value", "limit"]]
    sign = "ε" if limit < 1 else "k"
    score_lines(axes, scored, title=f"{family}, {sign} = {strengths[family]}")
    summary += f" {family}: limit {limit:.2f}, best {scored['value'].max():.2f}, mine {own:.2f}."
show(figure, alt=summary)

# %% [markdown] slideshow={"slide_type": "notes"}
# The square is your attacker. **Which rivals can be beaten?** On the *noise graph*, no attacker can
# have a larger advantage than the limit (dashed), except by chance. *Averages and means* reveal
# more to an attacker who knows part of the sum than to the outsider. The level ε limits what the
# averages reveal, but nothing limits what the means reveal.
#
# ## A budget over time
#
# The levels of releases add up without limit unless releases *stop*. Before the first release, a
# **budget** sets a limit for this sum, and a **privacy filter** refuses any release that would
# exceed the budget. The filter also works if questions and levels depend on earlier answers
# (Rogers, Roth, Ullman and Vadhan 2016). If all levels are pure ε (without δ) and refer to the same
# unit, the filter only adds the levels:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## A budget that refuses
#
# The levels of releases add up without limit unless releases *stop*.

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from fractions import Fraction


class Budget:
    def __init__(self, total):
        self.left = Fraction(str(total))

    def spend(self, epsilon):
        cost = Fraction(str(epsilon))  # 0.1 ten times is 1, no rounding
        if cost > self.left:
            raise ValueError(f"refused: costs {float(cost):g}, but {float(self.left):g} is left")
        self.left -= cost
        return epsilon


# %% [markdown] slideshow={"slide_type": "notes"}
# Suppose that Last.fm publishes a chart each month. The chart gives the number of listeners of each
# artist, with Laplace noise of scale 1/ε, since one like changes one number by 1. The total budget
# of a like is 1:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## A chart each month
#
# The total budget of a like is 1, and each chart costs 3/10. In April the budget refuses the chart.

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
listeners = np.asarray((pplab.load_dataset("lastfm").preferences > 0).sum(axis=0)).ravel()
truth = np.argsort(-listeners, kind="stable")[:20]
budget = Budget(1)
noise = np.random.default_rng(17)
months = []
for month in ("January", "February", "March", "April"):
    try:
        scale = 1 / budget.spend(0.3)
    except ValueError as refusal:
        print(month, refusal)
        break
    chart = np.argsort(-(listeners + noise.laplace(0, scale, len(listeners))))[:20]
    found = np.isin(chart, truth).sum()
    months.append({"month": month, "of the true top 20": found, "left": float(budget.left)})
pd.DataFrame(months)

# %% [markdown] slideshow={"slide_type": "notes"}
# A spent budget never comes back. (For daily sums, a *binary tree* spends far less: Dwork and
# others 2010.) **What do real deployments spend?**

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What do real deployments spend?
#
# These levels cannot be ranked: their units and periods differ.

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
deployed = pd.DataFrame(
    [
        ("Apple, popular emoji", 4, "0", "a device's reports of one day", "nobody"),
        ("US Census 2020, persons", 17.14, "1e-10", "a person's record", "the bureau"),
        ("Facebook, shared links", 0.45, "1e-5", "a user's actions of one type *", "Facebook"),
    ],
    columns=["release", "ε", "δ", "unit", "trusted"],
)
deployed.set_index("release")

# %% [markdown] slideshow={"slide_type": "notes"}
# (* This level holds for 99 % of the users. Apple 2017, Abowd and others 2022, Messing and others
# 2020.) These levels cannot be ranked: Apple's budget starts anew each day, the census is taken
# once, and a user of Facebook has many types of actions. In our charts, ε = 1 is the level of one
# like in all months together. For a person with 50 artists, the level is 50.
#
# ## Play
#
# **Question:** does one family win against all attackers? Choose an attacker: the points move, but
# the limits do not. (*Fake friends* attack few people, so chance can move these points past a
# limit.)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Question
#
# **Does one family win against all attackers?** Choose an attacker: the points move, but the limits
# do not.


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


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output", "hide-input"]
def message(states):
    return " ".join(sentence.format_map(row) for row in states.to_dict("records"))


states = twin(draw, alt=message, height=4.2, attacker=("link", "insiders", "fake friend"))

# %% [markdown] slideshow={"slide_type": "notes"}
# <details><summary>The answer</summary>
#
# No. Cluster averages reveal least to an outsider. Votes reveal least to insiders, but this is not
# guaranteed, and votes reveal much to a fake friend. Group means reveal everything to insiders.
# *Not sure* means that the interval of the family overlaps the interval of another family.
#
# </details>
#
# ## Exercises
#
# - **D (design).** *Threat:* the other members of a group may share what they know. *Limit:* the
#   upper end of the 95 % interval of their advantage must be at most `0.3`. Among all releases of
#   the Last.fm data that satisfy this limit, choose the release with the best recall. Hand in a
#   dict. Take `family` and `strength` from the table, and take `unit`, `trusted`, `insiders` and
#   `second release` from the labels above. The entry `memo` is a line of your own, which is not
#   checked.
# - **O (open).** Write an attacker whose *lead* is at least `0.05` against one family. Hand in a
#   pair `(family, attack)`. Here, `family` is a key of `strengths`, and `attack` (for example,
#   `mine`) is a function of `seen`. The check plays 16 rounds with people and coins that you have
#   not seen, and tests only the lead. Print the interval of the lead,
#   `arenas[family].score(attack).lead_interval`. Say in comments what your attacker knows, and
#   where and why the attack is bound to fail.

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
answer["memo"] = "Measured, not guaranteed: in a divided group the members know the last vote."
check("17-D", answer)


# %% tags=["solution", "nbval-check-output"]
def attack(seen):
    # YOUR CODE: one probability for each person; say what it knows, and where and why it fails
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

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Quiz
#
# 1. Can a deterministic release have a finite ε? <details><summary>Answer</summary>Only if the
#    release is the same for all neighbours.</details>
# 2. An attack gains nothing. What does that prove? <details><summary>Answer</summary>Nothing: a
#    stronger attack may do better.</details>
#
# ## What to remember
#
# - Fix the attacker, then compare releases.
# - An attack bounds a risk from below. Score an attack only on coin tosses that it has not seen.
# - A budget protects only if it refuses further releases.
#
# The page [Which release for which threat](../docs/which-release.md) sums this up on one screen.
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
# - Rogers, Roth, Ullman and Vadhan 2016, *Privacy odometers and filters: pay-as-you-go
#   composition*, [arXiv 1605.08294](https://arxiv.org/abs/1605.08294).
# - Dwork, Naor, Pitassi and Rothblum 2010, *Differential privacy under continual observation*,
#   [doi 10.1145/1806689.1806787](https://doi.org/10.1145/1806689.1806787).
# - Apple 2017, *Differential privacy overview*
#   ([PDF](https://www.apple.com/privacy/docs/Differential_Privacy_Overview.pdf)).
# - Abowd and others 2022, *The 2020 Census disclosure avoidance system TopDown algorithm*,
#   [doi 10.1162/99608f92.529e3cb9](https://doi.org/10.1162/99608f92.529e3cb9).
# - Messing and others 2020, *Facebook privacy-protected full URLs data set*,
#   [doi 10.7910/DVN/TDOAPG](https://doi.org/10.7910/DVN/TDOAPG).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ask the room
#
# An attack gains nothing. What does that prove?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - Fix the attacker, then compare releases.
# - An attack bounds a risk from below. Score an attack only on coin tosses that it has not seen.
# - A budget protects only if it refuses further releases.
