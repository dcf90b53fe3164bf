# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 10 A vote that decides
#
# **What groups of k hide, and what they do not.**

# %% [markdown] slideshow={"slide_type": "notes"}
# # 10 A vote that decides: what groups of k hide, and what they do not
#
# *Edition 2, part 5 of 6: crowds. Core track.*
#
# ## What you will be able to do
#
# - read a person's value with certainty from the vote that a group publishes;
# - make a k-anonymous copy by suppression and by majority, and measure how much of the data
#   remains;
# - say how many insiders a group of a given size can withstand;
# - list on a release label what k guarantees and what it does not;
# - randomize the vote, and compute its exact ε.
#
# ## What you need
#
# You need notebooks [00](00_find_somebody.ipynb) (k-anonymity) and
# [01](01_privacy_by_counting.ipynb) (ε, units), and probabilities of independent events.
#
# **Minutes (estimates):** about 30 to read, about 75 for the exercises.
#
# ## Break something: predict, then run
#
# The MovieLens data show which films each of 943 people has rated. A server puts people with
# similar taste into groups of three or more. For each group it publishes a single row, which
# contains the films that at least half of the members have rated. So **no published row is
# unique**.
#
# All other members of your group are **insiders**, and they compare their own rows. **What share of
# the films that you have rated can they read from the published row with certainty?** Write your
# number down, then run. (The first run also compiles code, for up to two minutes.)

# %%
my_prediction = 0  # your own number here, between 0 and 1

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## No row is unique
#
# People with similar taste are in groups of three or more, and each group publishes the films that
# at least half of its members have rated. All members of your group except you compare their rows.
#
# **What share of your ratings can they read with certainty?**

# %% slideshow={"slide_type": "fragment"} tags=["real-data", "nbval-check-output"]
import numpy as np
import pandas as pd
from IPython.utils.capture import capture_output

import pplab
from pplab.attacks import pivotal_cells, pivotal_counts
from pplab_course import say

rated = pplab.load_dataset("movielens-100k").ratings > 0
with capture_output():  # no progress bars between the lines
    crowd = pplab.smooth_k_anonymize(rated, 3, rng=1)
counts_needed = pivotal_counts(rated, crowd.labels, insiders=len(crowd.labels))  # all but one
share = counts_needed.edges_share
say(f"The insiders read **{share:.0%}** of the ratings; you said {my_prediction:.0%}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# The insiders did not guess. How can they read ratings, and what does the number k guarantee?
#
# ## Define: two kinds of k-anonymity
#
# Rows are people, columns are items, and a 1 is an *edge*. Samarati and Sweeney invented
# k-anonymity for tables in which a few columns, the *quasi-identifiers*, identify a person. In a
# table of films, any column may help to identify a person. So all columns are protected: each group
# of k or more people publishes a single row. There are two ways to choose this row:
#
# - **suppression**: the group publishes the items that *all* members have. Nothing false is
#   published.
# - **smooth**: the group publishes the items that *at least half* of the members have. The paper
#   *smooth* (Esfandiari, Epasto, Mirrokni and Munoz Medina) proposes this rule for sparse graphs.
#
# Take six people, eight items and two groups of three (k = 3). A cross marks a cell that changed:

# %% tags=["nbval-check-output"]
from pplab.plots import COLOURS, cells, new_figure, show
from pplab.smooth import publish_votes

rows = ["11100000", "11010000", "10110010", "00001110", "01001101", "00000111"]
graph, trios = np.array([list(map(int, row)) for row in rows]), np.array([0, 0, 0, 1, 1, 1])


def vote(table, groups, share):  # each group gets what this share of it has
    copy = np.zeros_like(table)
    for group in set(groups.tolist()):
        members = groups == group
        copy[members] = table[members].mean(axis=0) >= share
    return copy


halves, common = vote(graph, trios, 1 / 2), vote(graph, trios, 1)
library = publish_votes(graph, trios, keep="half").biadjacency.toarray()
print("the library publishes the same:", np.array_equal(halves, library))

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Two ways to choose the row
#
# Publish what *all* members of the group have (suppression), or what at least *half* of them have
# (smooth). A cross marks a cell that changed:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output", "hide-input"]
figure, axes = new_figure(1, 3, width=8.4, height=2.5)
cells(axes[0], graph, title=f"original: {graph.sum()} edges")
lines = []
for place, (name, copy) in enumerate({"all": common, "half": halves}.items(), start=1):
    kept, created = (graph & copy).sum(), (copy & ~graph).sum()
    lines.append(f"what {name} have: {kept} kept, {created} created, {graph.sum() - kept} lost")
    cells(axes[place], copy, title=f"what {name} have (×: changed)", crossed=copy != graph)
    print(lines[-1])
show(figure, alt=f"A 6 by 8 table and two 3-anonymous copies; {'; '.join(lines)}.")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## How much of a graph is left?
#
# $$J = \frac{\text{kept}}{\text{kept} + \text{created} + \text{lost}}$$
#
# If exactly half of the members have an item (a tie), it is published.

# %% [markdown] slideshow={"slide_type": "notes"}
# Suppression keeps one item per group. The majority vote keeps most edges, but it also adds a few
# edges that were not in the original (**created** edges). How much of the graph is left? The
# **Jaccard similarity** (notebook [07](07_what_half_a_graph_costs.ipynb)) is the number of edges
# that are in both tables, divided by the number of edges that are in at least one of the tables.
#
# $$J = \frac{\text{kept}}{\text{kept} + \text{created} + \text{lost}}$$
#
# Votes are counted in the *original* table. If exactly half of the members have an item (a
# **tie**), it is published.
#
# <details><summary>In the ledger</summary>
#
# The paper's definition, and how it treats ties: `smooth:definition-3.5:as-printed`,
# `smooth:definition-3.5:original`, `smooth:definition-3.5:ties`, `smooth:definition-3.5:weaker`.
#
# </details>
#
# ### Exercise R (recall)
#
# A group of two people (k = 2) publishes the items that "at least half" of its members have. Is the
# published row the `"union"` or the `"intersection"` of the two rows?

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: a word in quotes
answer = "union"
check("10-R", answer)

# %% [markdown]
# ### Exercise C (compute)
#
# The rows 110, 100 and 101 form a group (k = 3), which publishes each column's majority. What is J?
# Give three significant digits.

# %% tags=["solution", "nbval-check-output"]
from fractions import Fraction

# YOUR CODE: a number
three = publish_votes([[1, 1, 0], [1, 0, 0], [1, 0, 1]], [0, 0, 0], keep="half")
answer = Fraction(three.kept, three.kept + three.created + three.suppressed)
check("10-C", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## The attack: one vote decides
#
# In a group of three, two insiders know their own rows and see the published row. For each item,
# there are two cases:
#
# - **The insiders agree.** If both insiders have the item, their two votes are enough, so the item
#   is published. If neither insider has the item, it is not published. The third person's vote does
#   not matter, so this vote stays hidden.
# - **The insiders disagree.** There is one vote for the item and one against it, so the third vote
#   decides. **The published bit is the third person's bit.**
#
# So the two insiders look for the items on which they differ. For these items, the published row
# shows the third person's bits. Here are the last three people of the small table; a cell with −1
# stays hidden:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## One vote decides
#
# | two insiders of three | the published bit |
# |---|---|
# | both have the item | 1, whatever the third person has |
# | neither has the item | 0, whatever the third person has |
# | they disagree | **the third person's bit** |

# %% tags=["nbval-check-output"]
split = graph[3] != graph[4]  # the two insiders disagree
by_hand = np.where(split, halves[5], -1)
print("insiders       ", graph[3], "\n               ", graph[4])
print("published      ", halves[5], "\nread by hand   ", by_hand, "\nthe third's row", graph[5])
library = pivotal_cells(halves[5], known=graph[3:5], size=3)
print("the library reads the same:", np.array_equal(by_hand, library))

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Larger groups: how many of the others may have the item?
#
# A group of g members publishes an item that v of the insiders have. Then the other members cast at
# least
#
# $$\lceil g/2 \rceil - v \text{ votes.}$$
#
# Sometimes only one possibility is left: all of the others have the item, or none of them has it.

# %% [markdown] slideshow={"slide_type": "notes"}
# The insiders read three cells correctly, although the table is 3-anonymous.
#
# In larger groups, the insiders ask: **how many of the other members may have the item?** Suppose
# that the group has g members, and that $v$ insiders have the item. If the item is published, the
# other members cast at least $g/2 - v$ votes (rounded up). If the item is not published, they cast
# fewer votes. Sometimes only one possibility is left: *all* of the other members have the item, or
# *none* of them has it. Then the insiders are certain.
#
# ### Exercise P (prove by code)
#
# Write `read(published, known, size)`. A group of `size` people publishes the row `published` by
# majority (at least half). `known` is an array with one row for each insider. There are fewer
# insiders than members, and there may be no insiders at all. Return one number for each item: 1 if
# all of the other members must have the item, 0 if none of them can have it, and −1 otherwise. The
# check compares your function with `pivotal_cells`, which your code must not call.


# %% tags=["solution", "nbval-check-output"]
def read(published, known, size):
    # YOUR CODE: a list with 1, 0 or -1 for each item
    others, certain = size - len(known), []
    for bit, votes in zip(published, np.sum(known, axis=0), strict=True):
        counts = [c for c in range(others + 1) if (2 * (votes + c) >= size) == bit]
        certain.append(1 if counts == [others] else 0 if counts == [0] else -1)
    return certain


check("10-P", read)

# %% [markdown]
# ### Exercise B (break)
#
# `release` holds the published rows of nine people in three groups of three, and the true rows of
# six of these people. The true rows of the other three people are missing, but one cell in these
# rows can be read with certainty. Give the person and the item, both counted from 0, and the value
# of the cell.

# %% tags=["solution", "nbval-check-output"]
from pplab_course import nine_voters

release = nine_voters()
print(release)
# YOUR CODE: three numbers (person, item, value)
for group in range(3):
    members = np.flatnonzero(release.groups == group)
    own = [release.known[person] for person in members if person in release.known]
    [third] = [person for person in members if person not in release.known]
    for item in np.flatnonzero(own[0] != own[1]):
        answer = (third, item, release.published[third, item])
check("10-B", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Larger groups, on MovieLens
#
# The column *whole group has it* gives the share of published edges that are true for all members
# of their group. The column *read with certainty* gives the share of the other members' ratings
# that insiders can compute with certainty.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Does a larger k help?

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
lines = {}
for k in (3, 4, 8, 16):
    with capture_output():
        crowd_of_k = pplab.smooth_k_anonymize(rated, k, rng=1)
    labels, shown = crowd_of_k.labels, crowd_of_k.biadjacency > 0
    true = rated.multiply(shown).nnz / shown.nnz
    whole = (publish_votes(rated, labels, keep="all").biadjacency > 0).nnz / shown.nnz
    for name, insiders in {"1": 1, f"{k // 2}": k // 2, "all but one": len(labels)}.items():
        read_by = pivotal_counts(rated, labels, insiders=insiders).edges_share
        lines[k, name] = {
            "J": f"{crowd_of_k.jaccard:.2f}",
            "published edges true": f"{true:.0%}",
            "whole group has it": f"{whole:.0%}",
            "read with certainty": f"{read_by:.1%}",
        }
pd.DataFrame(lines).T.rename_axis(["k", "insiders"])

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## k = 8 is not a confidence of at most 1/8
#
# If k rows are equal, an attacker picks *your row* with probability at most 1/k. But a published
# edge is true for at least half of the members of its group, whatever k is.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What k guarantees, and what it does not
#
# | | guaranteed? |
# |---|---|
# | from the table alone, an attacker picks your row with probability at most 1/k | yes |
# | a published edge is true with probability at most 1/k | no: at least half have it |
# | a group does not disclose its members' value | no: it may be unanimous |
# | members of your group cannot read your cells | no: your vote may decide |
# | two releases reveal no more than one release | no |

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## No ε
#
# Take a table of exactly k people. They must be in one group, so only one output is possible. Now
# change one cell that decides a vote. The output that was certain becomes impossible:
#
# $$\Pr[M(D) = y] = 1, \qquad \Pr[M(D') = y] = 0$$

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The release label
#
# | copy | unit | guarantee | trusted | insiders learn | a second release |
# |---|---|---|---|---|---|
# | what all have | a row | k equal rows | the server | shared edges, lone gaps | nothing holds |
# | what half have | a row | k equal rows | the server | votes that decide | nothing holds |

# %% [markdown] slideshow={"slide_type": "notes"}
# In groups of three, even a single insider learns something. If an insider *lacks* a published
# item, the other two members must have it. In groups of eight or more, a few insiders drawn at
# random read almost nothing, but all members except one can read roughly a tenth of the last
# member's ratings. **A published result hides only the votes that do not decide it.**
#
# A published edge is true for at least half of the members of its group. So **k = 8 does not mean
# "confidence of at most 1/8"**. If k rows are equal, an attacker picks *your row* with probability
# at most 1/k. But suppose that an attacker knows your group and the release, and nothing else. For
# each published item, this attacker gives a probability of at least 1/2 to the statement that you
# have the item.
#
# If the group is unanimous, the published row is the row of every member. This is called
# *homogeneity*, and l-diversity forbids it ([notebook 04](04_what_the_neighbours_tell.ipynb)).
#
# ## What k guarantees, and what it does not
#
# | | guaranteed? |
# |---|---|
# | from the table alone, an attacker picks your row with probability at most 1/k | yes |
# | a published edge is true with probability at most 1/k | no: at least half have it |
# | a group does not disclose its members' value | no: it may be unanimous |
# | members of your group cannot read your cells | no: your vote may decide |
# | two releases reveal no more than one release | no |
# | an ε | no |
#
# **No ε.** A smooth release is not ε-private, even if groups are formed at random. Take a table of
# exactly k people. All of them must be in one group, so only one output is possible. Now change one
# cell that decides a vote. The output that was certain is now impossible, so no finite ε is large
# enough.
#
# The release labels:
#
# | copy | unit | guarantee | who is trusted | insiders learn | a second release |
# |---|---|---|---|---|---|
# | what all have | a row | k equal rows | the server | shared edges, lone gaps | nothing holds |
# | what half have | a row | k equal rows | the server | votes that decide | nothing holds |
#
# *Lone gaps*: if all insiders have an item that is not published, the last member lacks this item.
# *Nothing holds*: a second release can take the guarantee away. Suppose that you are in a group
# with Ann and Bo in January, and in a group with Cy and Di in June. An attacker who knows both
# groups knows two published rows for you, because you are the only person who is in both groups.
#
# <details><summary>In the ledger</summary>
#
# `smooth:section-5:leak`: in a group of three, two insiders read the third member's value.
#
# </details>
#
# ## Play
#
# **Question:** eight people vote. How many of them must be insiders before *anything* can be read
# with certainty? How many insiders are needed if sixteen people vote? Each person has the item with
# the same probability, independently of the other people.

# %%
from math import comb


def certain(size, insiders, share):  # the probability that a vote is read with certainty
    others, needed = size - insiders, (size + 1) // 2
    all_have = comb(insiders, needed - others) if needed >= others else 0
    none_has = comb(insiders, needed - 1)
    all_have *= share**needed * (1 - share) ** (size - needed)
    return all_have + none_has * share ** (needed - 1) * (1 - share) ** (size - needed + 1)


# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Question
#
# **How many of eight people must be insiders before anything can be read with certainty? How many
# of sixteen people?**


# %% tags=["hide-input"]
def draw(axes, size, share):
    chances = np.array([certain(size, insiders, share) for insiders in range(1, size)])
    first = int(np.flatnonzero(chances)[0])
    counts = np.arange(1, size)
    axes.plot(counts[first:], chances[first:], "o-", color=COLOURS["blue"])
    axes.plot(counts[:first], [2e-8] * first, "x", color=COLOURS["red"])
    axes.set(yscale="log", ylim=(1e-8, 1), xlim=(0, 16), ylabel="chance that a vote is read")
    axes.set(xlabel="insiders (cross: no chance)", title=f"{size} people, {share:.0%} have it")
    row = {"size": size, "share": share, "first": first + 1, "it reads": chances[first]}
    return row | {"all but one": chances[-1]}


# %% tags=["widget", "nbval-ignore-output", "hide-input"]
from pplab.widgets import Control, explore, twin

summary = (
    "{size} people: {first} insiders may read a vote; all but one read {all but one:.1%} of votes."
)
explore(
    draw,
    say=summary.format_map,
    width=4.6,
    height=3.2,
    size=Control("group size g", (3, 5, 8, 12, 16), 8, "accurate", "large crowds"),
    share=Control("share with the item", (0.1, 0.3, 0.5, 0.8), 0.5, "rare item", "frequent item"),
)


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output", "hide-input"]
def message(states):
    low, high = states["first"].min(), states["first"].max()
    text = f"Six groups, of 3, 8 and 16 people: it takes {low} insider to read a vote in groups"
    return f"{text} of 3, and {high} in groups of 16; the more insiders, the more is read."


states = twin(draw, alt=message, height=2.6, share=(0.1, 0.5), size=(3, 8, 16))

# %% [markdown] slideshow={"slide_type": "notes"}
# <details><summary>The answer</summary>
#
# In a group of eight, three people must be insiders. In a group of sixteen, the attack needs seven
# insiders. Each number is one less than the number of votes that an item needs. Two insiders in a
# group of eight cannot be certain of any cell.
#
# </details>
#
# ### Exercise D (design)
#
# A group of g people publishes an item if at least h of the people have it. The number h need not
# be half of g. **Find the smallest g for which you can choose h so that three insiders can never
# read a vote with certainty**, whatever the rows are. Give the pair (g, h).


# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: two numbers (g, h)
def is_safe(size, needed, insiders=3):
    others = size - insiders
    for votes in range(insiders + 1):
        for bit in (True, False):
            counts = [c for c in range(others + 1) if (votes + c >= needed) == bit]
            if counts in ([0], [others]):
                return False
    return True


pairs = [(g, h) for g in range(4, 15) for h in range(1, g + 1) if is_safe(g, h)]
answer = pairs[0]
check("10-D", answer)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Your turn
#
# A group of g people publishes an item if at least h of them have it. **Find the smallest g for
# which you can choose h so that three insiders can never read a vote with certainty.**

# %% [markdown]
# ## Exercises
#
# - **O (open).** Randomize the vote. A group of three draws a bit for each item independently. The
#   bit is 1 with a probability that depends on the number of votes for the item (0 to 3). The group
#   publishes this bit for all three members. Give three results: the four probabilities, the exact
#   ε for **one cell** (one person's vote on one item), and the exact ε for **one row** (eight
#   items, any of which may change). Then ask yourself three questions. What is the mean J of your
#   vote on the 6 × 8 table above? How must the groups be chosen so that both values of ε are
#   correct? Would you publish a table in which each row has this ε?

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: three things (four probabilities, ε of a cell, ε of a row)
votes_to_one = [Fraction(1, 10), Fraction(3, 10), Fraction(7, 10), Fraction(9, 10)]
answer = (votes_to_one, np.log(3), 8 * np.log(3))
votes = np.array([graph[trios == group].sum(axis=0) for group in (0, 1)])
draws = []
for drawn in np.random.default_rng(1).random((2000, 2, 8)):
    bits = (drawn < np.array(votes_to_one, dtype=float)[votes])[trios]
    draws.append((bits & graph).sum() / (bits | graph).sum())
plain = (halves & graph).sum() / (halves | graph).sum()
print(f"mean J {np.mean(draws):.3f}, by majority {plain:.3f}")
check("10-O", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Quiz
#
# 1. Is a smooth k-anonymous release ε-private for a finite ε? <details><summary>Answer</summary>No.
#    A table of exactly k people is always one group, so it has only one possible output. If one
#    cell that decides a vote changes, that output becomes impossible.</details>
# 2. In a group of three, both insiders lack an item, and the item is not published. What do the
#    insiders know about the third person? <details><summary>Answer</summary>Nothing: the third
#    person's vote alone is not enough, so the item is not published in any case.</details>
# 3. All eight members of a group have the same row. What does k = 8 hide?
#    <details><summary>Answer</summary>It hides which of the eight rows is yours, but not what your
#    row contains.</details>
#
# ## What to remember
#
# - k equal rows hide which row is yours. They do not hide a vote that decides the result. No choice
#   of k gives a finite ε.
# - If two insiders of three disagree, the published bit is the third person's bit.
# - A published edge is true for at least half of the members of its group, whatever k is.
# - A unanimous group reveals its votes to everybody, whereas a close vote reveals some votes only
#   to insiders.
#
# ## References
#
# - Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
#   [arXiv 2207.06358](https://arxiv.org/abs/2207.06358).
# - Samarati 2001, *Protecting respondents' identities in microdata release*,
#   [doi 10.1109/69.971193](https://doi.org/10.1109/69.971193).
# - Sweeney 2002, *k-anonymity: a model for protecting privacy*,
#   [doi 10.1142/S0218488502001648](https://doi.org/10.1142/S0218488502001648).
# - Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007, *l-diversity: privacy beyond
#   k-anonymity*, [doi 10.1145/1217299.1217302](https://doi.org/10.1145/1217299.1217302).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ask the room
#
# In a group of three, both insiders lack an item, and the item is not published. What do the
# insiders know about the third person?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - k equal rows hide which row is yours. They do not hide a vote that decides the result.
# - A published edge is true for at least half of the members of its group, whatever k is.
# - A unanimous group reveals its votes to everybody, whereas a close vote reveals some votes only
#   to insiders.
