# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 14 What means give away
#
# **The table is k-anonymous, and yet an attacker learns a rating exactly.**

# %% [markdown] slideshow={"slide_type": "notes"}
# # 14 Microaggregation: what means give away
#
# *Edition 2, part 5 of 6: crowds. Core track.*
#
# ## What you will be able to do
#
# - measure, in both directions, the share of rows that are linked to their owners;
# - compute a rating from exact means in three cases: the group has a lone rater, the other members
#   are insiders, or there are two releases;
# - say what the k of a release bounds, and what it does not bound.
#
# ## What you need
#
# You need squared distances, standard deviations, k-anonymity (notebook
# [00](00_find_somebody.ipynb)) and the release label (notebook [01](01_privacy_by_counting.ipynb)).
#
# **Minutes (estimates):** about 40 to read, about 45 for the exercises.

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Break something: predict, then run
#
# Three people rated a film from 1 to 5. For all three people, their club publishes the same number:
# the mean of their ratings, 11/3. So the published table is *3-anonymous*.
#
# Two of the people tell each other their ratings, which are 4 and 2. **With what probability can
# these two people now name the third rating?** Write your number down, then run.

# %%
my_prediction = 1 / 3  # your own number here, between 0 and 1

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Three people, one mean
#
# A club publishes 11/3, the mean of three ratings from 1 to 5. Two of the three people tell each
# other their ratings: 4 and 2. **With what probability can these two name the third rating?**

# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
from fractions import Fraction

from pplab_course import say

published = Fraction(11, 3)
possible = [rating for rating in range(1, 6) if Fraction(4 + 2 + rating, 3) == published]
say(f"Of five ratings, {len(possible)} fits: 3 · {published} − 4 − 2 = **{3 * published - 4 - 2}**")
say(f"They are right with probability **{1 / len(possible):.0%}**; you said {my_prediction:.0%}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# The two people know the third rating exactly. So what *does* k-anonymity guarantee?
#
# ## Define: groups, means, linkage and inference
#
# **Microaggregation** makes a k-anonymous table: it puts the rows into groups of k or more rows,
# and publishes for each row the mean of its group. The cost is the **SSE**, the sum of squared
# errors over all cells, so a group should consist of similar rows. **MDAV** (Domingo-Ferrer and
# Torra 2005) takes the row r that is farthest from the mean of all rows, and puts r in a group with
# the k − 1 rows nearest to r. Then it takes the row s that is farthest from r, and puts s in a
# group with the k − 1 rows nearest to s. MDAV repeats both steps on the remaining rows. (The first
# run also compiles code, for up to two minutes.) Here are the groups of nine readers who rated two
# books:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Two things that an attacker may want
#
# - **Linkage:** which published row is yours? Each published row is equal to at least k − 1 other
#   rows, so a guess is right with probability at most 1/k.
# - **Inference:** which films did you rate, and what are your ratings? The number k guarantees
#   nothing about inference.

# %% tags=["nbval-check-output"]
import numpy as np

from pplab.microaggregation import mdav


def far_ends(points, k):  # for 2k, 3k, 4k, ... rows
    left = np.arange(len(points))
    labels = np.zeros(len(points), int)
    centre = points.mean(axis=0)
    for group in range(len(points) // k):
        far = points[left[((points[left] - centre) ** 2).sum(axis=1).argmax()]]
        near = ((points[left] - far) ** 2).sum(axis=1).argsort(kind="stable")[:k]
        labels[left[near]] = group
        left = np.delete(left, near)
        centre = points[left].mean(axis=0) if group % 2 and len(left) else far
    return labels


readers = np.array([[5.0, 1], [4, 1], [5, 2], [1, 5], [2, 4], [1, 3], [3, 3], [4, 4], [3, 2]])
groups = far_ends(readers, 3)
means = np.array([readers[groups == group].mean(axis=0) for group in groups])
print(f"groups {groups}; the library's mdav forms {mdav(readers, 3)}")
print(f"first book {means[:, 0].round(2)}; SSE {((readers - means) ** 2).sum():.2f}")

# %% [markdown] slideshow={"slide_type": "notes"}
# An attacker may have one of two goals.
#
# - **Linkage**: which published row is yours? In a release of group means, each row is equal to at
#   least k − 1 other rows. An attacker who picks one of these equal rows at random is right with
#   probability at most 1/k. This bound is the guarantee that k gives.
# - **Inference**: which films did you rate, and what are your ratings? An attacker who never finds
#   your row may still learn one of your ratings. The number k guarantees nothing about inference.
#
# In MovieLens (Harper and Konstan 2015), most cells are empty. The paper *microaggregation* (Casino
# and others 2015) first **completes** the table, which means that it puts a fill value into every
# gap. Here the fill value is 3, the midpoint of the scale. Then the paper computes the **z-scores**
# of each film, $z = (x - \text{mean}) / \text{standard deviation}$, and groups rows with similar
# z-scores. The z-scores are only used to form groups: the published means and the SSE are in
# *stars*. Notebook [15](15_microaggregation_experiments.ipynb) asks which imputation and scale the
# paper used.

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Linkage, measured both ways
#
# **Original → published**: the attacker holds your true row and looks for the nearest published
# row. **Published → original**: the attacker holds a published row and looks for the nearest true
# row. The attacker breaks ties at random. In the code, row i of one table is linked when its
# nearest row in the other table is row i:

# %% tags=["nbval-check-output"]
from pplab.metrics import disclosure_risk
from pplab.microaggregation import group_means


def linked(asking, answering):
    chances = []
    for row in range(len(asking)):
        squares = ((answering - asking[row]) ** 2).sum(axis=1)
        nearest = np.flatnonzero(np.isclose(squares, squares.min()))
        chances.append(1 / len(nearest) if row in nearest else 0)
    return np.mean(chances)


line = np.array([[0.0], [1], [2], [10], [11], [13]])
toy = group_means(line, [0, 0, 0, 1, 1, 1])
forth, back = "original-to-protected", "protected-to-original"
print("published:", toy.ravel().round(2))
for way, share in ((forth, linked(line, toy)), (back, linked(toy, line))):
    print(f"{way}: {share:.3f}, pplab: {disclosure_risk(line, toy, direction=way).mean():.3f}")

# %% [markdown] slideshow={"slide_type": "notes"}
# In this example, the share is 1/3 in both directions. In the first direction, the attacker finds
# the three equal rows of a group, and picks one of them at random. In the second direction, the
# attacker finds the same original row for all three equal rows, and this guess is right for only
# one of the three rows. So there is at most **one hit per distinct mean**. Since groups have k or
# more members, both shares are at most 1/k. (In the second direction, the bound holds only for the
# *share*. The member nearest to the mean is found with certainty.) The next table shows both shares
# on MovieLens:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Linkage, measured both ways
#
# The bound 1/k holds for every k, in both directions:

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
import pandas as pd

import pplab
from pplab.microaggregation import microaggregate

ratings = pplab.load_dataset("movielens-100k").ratings
scale = {"rating_range": (1, 5)}
print("five releases, a few seconds each", flush=True)
releases = {k: microaggregate(ratings, k, **scale) for k in (2, 3, 5, 10, 25)}
lines = {}
for k, release in releases.items():
    tables = (release.completed, release.protected)
    lines[k] = {
        "distinct means": len(np.unique(release.labels)),
        "SSE": f"{release.sse:,.0f}",
        "1/k": f"{1 / k:.1%}",
        "original → published": f"{disclosure_risk(*tables, direction=forth).mean():.2%}",
        "published → original": f"{disclosure_risk(*tables, direction=back).mean():.2%}",
    }
pd.DataFrame(lines).T.rename_axis("k")

# %% [markdown] slideshow={"slide_type": "notes"}
# <details><summary>In the ledger</summary>
#
# Both bounds hold (`microaggregation:section-3:dr-bound:original-to-protected`,
# `microaggregation:section-3:dr-bound:protected-to-original`).
#
# </details>
#
# ## Inference: when a group agrees
#
# A unanimous group discloses its value, whatever k is (*homogeneity*, [notebook
# 04](04_what_the_neighbours_tell.ipynb)). In a group, how often do all raters of a film give the
# same rating? The published mean does not show whether the raters agree. So the share of ratings in
# unanimous groups is only an upper bound on the share of ratings that an attacker can read.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Inference: when a group agrees
#
# In a group, how often do all raters of a film give the same rating?

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
from pplab.attacks import homogeneous_cells

same = homogeneous_cells(ratings, labels=releases[10].labels, **scale)
counts = same.by_raters.rename(columns={"cells": "ratings", "share": "agree"})
say(f"At k = 10, **{same.share:.0%}** of ratings are in a group whose raters agree.")
counts.head(4).set_index("raters")[["ratings", "agree"]].round(2)

# %% [markdown] slideshow={"slide_type": "notes"}
# A lone rater counts as a unanimous group. About a quarter of all ratings come from lone raters.
#
# **Exercise 14-R (recall).** On which of these attacks is 1/k a bound: `"linkage"` (naming a
# person's row), `"inference"` (learning a rating of that person), or `"insiders"` (k − 1 members
# who read the last row)?

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: a word in quotes
answer = "linkage"
check("14-R", answer)

# %% [markdown]
# ## The lone rater: the fill value can be subtracted
#
# Suppose that you are the only member of a group of k who rated a film. Your rating is x, and the
# other k − 1 cells were filled with 3. Then the published mean is
#
# $$\bar x = \frac{x + (k - 1) \cdot 3}{k}, \quad\text{so}\quad x = k\,\bar x - (k - 1) \cdot 3 .$$
#
# The attacker only needs to know your group, and to know that you rated the film.
#
# **Exercise 14-C (compute).** A group of four publishes the mean 7/2 for a film. Only you rated the
# film; the other three cells were filled with 3. What was your rating?

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a number
answer = 4 * Fraction(7, 2) - 3 * 3
check("14-C", answer)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The lone rater: the fill value can be subtracted
#
# Only you rated the film (rating x); the other k − 1 cells were filled with 3:
#
# $$x = k\,\bar x - (k - 1) \cdot 3$$

# %% [markdown] slideshow={"slide_type": "notes"}
# The attacker cannot see whether you are the only rater. Suppose that the attacker always *assumes*
# that you are the only rater, and solves for x. (A solution outside the scale is moved to the
# nearer end of the scale.) The table shows the share of all ratings that the attacker **finds
# exactly**. It also shows the mean absolute error, in rating points, of three guesses: the solution
# for x, the published mean of the group, and the film's mean. (The film's mean needs no group.)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Always assume a lone rater, and solve
#
# The table shows the share of ratings found exactly, and mean absolute errors in rating points:

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
from pplab.attacks import group_inference

lines = {}
for k in (3, 5, 10):
    summary = group_inference(ratings, releases[k].protected, filling=3, **scale)
    lines[k] = {
        "found exactly": f"{summary.lone_exact:.0%}",
        "error: solved": f"{summary.lone_error:.2f}",
        "error: group's row": f"{summary.group_error:.2f}",
        "error: film's mean": f"{summary.item_error:.2f}",
    }
counts = [np.asarray((ratings == stars).sum(axis=0)) for stars in range(1, 6)]
common = np.max(counts, axis=0).sum() / ratings.nnz
say(f"An attacker who always names a film's most common rating finds {common:.0%} exactly.")
pd.DataFrame(lines).T.rename_axis("k")

# %% [markdown] slideshow={"slide_type": "notes"}
# At k = 10, the share of rows linked is at most a tenth, and yet the attacker finds more than half
# of all ratings exactly. Only about half of these ratings are really *read*, namely the ratings of
# lone raters. The attacker finds the other half by luck, and cannot tell which ratings were found
# by luck.
#
# <details><summary>In the ledger</summary>
#
# The paper writes that k-anonymity also protects attributes
# (`microaggregation:section-3:attribute-disclosure`). An attribute can be protected only if the
# members of a group differ in this attribute.
#
# </details>
#
# ## Insiders
#
# Two members of a group of three know their own rows, and subtract these rows from three times the
# mean. Is the third member protected if the mean is published with fewer decimals? For each film,
# `insider_intervals` gives an interval that contains the third rating. A rating is *pinned* if its
# interval contains only one whole number.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Insiders
#
# Two members of a group of three subtract their own rows from three times the mean:

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
from pplab.attacks import insider_intervals

trios = releases[3]
first, second, last = np.flatnonzero(trios.labels == 0)  # a group of three
mean = trios.protected[last]
truth = trios.completed[last]
exact = 3 * mean - trios.completed[first] - trios.completed[second]
rows = {"known": trios.completed[[first, second]], "size": 3}
left = insider_intervals(mean.round(1), decimals=1, **rows, **scale)
print(f"exact means: {np.isclose(exact, truth).sum()} of {truth.size} cells are read")
print(f"one decimal: intervals {left.width:.1f} wide, {left.pinned.mean():.0%} of cells are pinned")

# %% [markdown] slideshow={"slide_type": "notes"}
# The insiders read every cell, both from exact means and from rounded means. If the mean has one
# decimal, the error of the sum is at most k/20, which is less than half a rating for k up to 9.
#
# ## Two releases
#
# A month later, a new reader joins the group, and the club publishes the means again. Multiply each
# mean by its number of members to get a sum; the two sums differ by the newcomer's rating. Let
# $\bar x$ be the first mean, of k members, and let $\bar x'$ be the second mean, of k + 1 members.
# Then the newcomer's rating is
#
# $$x_{\text{new}} = (k + 1)\,\bar x' - k\,\bar x .$$
#
# Each release alone is k-anonymous; the pair of releases is not. The exact means of a group do not
# **compose** safely (Ganta and others 2008).
#
# **Exercise 14-B (break).** A group of three publishes the means 8/3, 11/3 and 3 for three films.
# One person joins. The means of the four people are 5/2, 4 and 13/4. Give the newcomer's ratings.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: three ratings
before, after = [Fraction(8, 3), Fraction(11, 3), 3], [Fraction(5, 2), 4, Fraction(13, 4)]
answer = [4 * new - 3 * old for old, new in zip(before, after, strict=True)]
check("14-B", answer)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Two releases
#
# A month later another reader joins the group, and the club publishes again:
#
# $$x_{\text{new}} = (k + 1)\,\bar x' - k\,\bar x$$
#
# Each release alone is k-anonymous; the pair of releases is not.

# %% [markdown]
# **Exercise 14-P (prove by code).** Write `newcomer(before, after)`. Its arguments are two
# published tables of means; the second table has one more row. One person has joined one group, and
# all other groups are unchanged. The rows may be in any order. Return a pair: the old size of that
# group, and the newcomer's row. (Hint: which row of means is gone, and which row is new?)


# %% tags=["solution", "nbval-check-output"]
def newcomer(before, after):
    # YOUR CODE: a pair, the size of the group before and the row of the person who joined
    old, old_sizes = np.unique(before, axis=0, return_counts=True)
    new, new_sizes = np.unique(after, axis=0, return_counts=True)
    for mean, size in zip(old, old_sizes, strict=True):
        if not (new == mean).all(axis=1).any():
            members, sum_before = size, size * mean  # this group is gone
    for mean, size in zip(new, new_sizes, strict=True):
        if not (old == mean).all(axis=1).any():
            sum_after = size * mean  # this one is new
    return members, sum_after - sum_before


check("14-P", newcomer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Play
#
# You and five other people rated a film. The mean is published, either exactly or rounded to a
# whole number. Some of the other people are insiders, and share their ratings. The bars show how
# probable the insiders find each of your possible ratings. (Without the mean, they find all ratings
# equally probable.) **Question:** how many insiders are needed for certainty? Does rounding help?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Question
#
# The mean of six ratings is published, exactly or rounded to a whole number. **How many insiders
# are needed for certainty? Does rounding help?**

# %%
from itertools import product

from pplab.plots import bars, new_figure, show


def whole(total):  # the mean of six, halves upwards
    return (total + 3) // 6


def chances(insiders, mean):
    """Probability of each rating of yours, after the others shared theirs."""
    others, yours = [4, 2, 5, 3, 4], 5
    total = sum(others) + yours
    ways = dict.fromkeys(range(1, 6), 0)
    for guess in product(range(1, 6), repeat=6 - insiders):  # you and those who kept silent
        guessed = sum(others[:insiders]) + sum(guess)
        same_mean = guessed == total if mean == "exact" else whole(guessed) == whole(total)
        ways[guess[0]] += same_mean
    return {rating: count / sum(ways.values()) for rating, count in ways.items()}


# %% tags=["hide-input"]
def draw(axes, insiders, mean="exact"):
    result = pd.Series(chances(insiders, mean))
    bars(axes, 100 * result, label="probability, %")
    axes.set(title=f"{insiders} insiders, {mean} mean", xlabel="your rating", ylim=(0, 115))
    left = int((result > 0).sum())
    return {"insiders": insiders, "mean": mean, "possible": left, "truth": result[5]}


# %% tags=["widget", "nbval-ignore-output", "hide-input"]
from pplab.widgets import Control, explore, twin

sentence = "Insiders: {insiders}, {mean} mean; possible ratings: {possible}; "
explore(
    draw,
    say=(sentence + "your true rating, 5, has probability {truth:.0%}.").format_map,
    insiders=Control("insiders", range(6), 0, "nobody talks", "all others talk"),
    mean=Control("published mean", ("exact", "rounded"), "exact", "", "", show=str),
)


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output", "hide-input"]
def message(states):
    summary = "What insiders believe about your rating, which is 5. "
    for _, state in states.iterrows():
        summary += f"{state['insiders']} insiders, {state['mean']} mean: {state['truth']:.0%}. "
    return summary.strip()


states = twin(draw, alt=message, height=2.5, mean=("exact", "rounded"), insiders=(0, 3, 5))

# %% [markdown] slideshow={"slide_type": "notes"}
# <details><summary>The answer</summary>
#
# With the exact mean, five insiders know your rating with certainty. With the rounded mean, several
# ratings remain possible even for five insiders. But rounding guarantees nothing. For example, if
# the other five ratings are 1, 1, 1, 2 and 2, a rounded mean of 1 shows that your rating is 1, too.
#
# </details>
#
# ## An attacker who knows a few ratings
#
# A colleague may know your ratings of four films. This is called **background knowledge**. The
# colleague looks for the published row that is nearest to your row on these four films. In this
# search, filled-in values count as ratings. We attack three releases. The first release is the
# completed table with the **names removed**. The second release consists of the **group means** at
# k = 10. The third release is the table with **Gaussian noise** on the z-scores. The noisy table is
# clipped to the scale, and its SSE is about equal to the SSE of the group means. What share of 300
# users does the attacker find? The vertical bars in the figure are intervals over users.

# %% tags=["real-data", "nbval-check-output"]
from pplab.attacks import reidentification_curve
from pplab.microaggregation import gaussian_noise

means = releases[10]
variance = means.completed.var(axis=0).sum() * len(means.completed)  # SSE of noise with σ = 1
noisy = gaussian_noise(ratings, sigma=np.sqrt(means.sse / variance), rng=1, **scale)
tables = {"names removed": means.completed, "noise": noisy.protected, "k = 10": means.protected}
results = {}
for name, table in tables.items():
    results[name] = reidentification_curve(ratings, table, users=300, rng=1, **scale)
shares = pd.DataFrame({name: curve.set_index("known")["risk"] for name, curve in results.items()})
print("share of users found, by the number of known ratings")
shares.map("{:.1%}".format)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## An attacker who knows a few ratings
#
# The SSE of the noisy table is about equal to the SSE of the group means. The figure shows the
# share of users found:

# %% slideshow={"slide_type": "-"} tags=["real-data", "hide-input"]
from pplab.plots import style

figure, axes = new_figure(height=3.4)
places = {"names removed": (-9, 2, "right"), "noise": (9, -6, "left"), "k = 10": (0, 11, "center")}
for place, (name, curve) in enumerate(results.items()):
    spread = [curve["risk"] - curve["low"], curve["high"] - curve["risk"]]
    axes.errorbar(curve["known"], curve["risk"], spread, capsize=3, **style(place))
    right, up, side = places[name]
    axes.annotate(name, (4, shares[name][4]), (right, up), textcoords="offset points", ha=side)
axes.set(xscale="log", xlabel="true ratings that the attacker knows", ylabel="share of users found")
axes.set_xticks(curve["known"], curve["known"])
axes.minorticks_off()
axes.set(title="A few known ratings identify a person, unless rows are equal", ylim=(-0.04, 1.08))
text = "Three rising curves, share of users found against known ratings. With 8 known: "
show(figure, alt=text + ", ".join(f"{name} {shares[name][8]:.0%}" for name in shares) + ".")

# %% [markdown] slideshow={"slide_type": "notes"}
# If only the names are removed, a few ratings identify a person. (Narayanan and Shmatikov showed
# this on different data.) With the group means, the share of people found stays below 1/k, even if
# the attacker knows many ratings. The attacker has now found a row. How much does this row reveal
# about the person's *other* ratings? For the other ratings, the table gives the mean absolute error
# of the row, in rating points:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What does the row reveal about the other ratings?
#
# The table shows mean absolute errors in rating points. The last column gives the error of the
# film's mean, which needs no attack:

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
rest = pd.DataFrame({name: curve.set_index("known")["error"] for name, curve in results.items()})
rest["film's mean"] = results["noise"].set_index("known")["item_error"]
rest.map("{:.2f}".format)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The release labels
#
# | release | unit | guarantee | trusted | insiders learn | a second release |
# |---|---|---|---|---|---|
# | names removed | none | none | the server | a row, from a few ratings | more of the row |
# | group means | a user's row | share linked ≤ 1/k | the server | the last row | a newcomer's row |
# | noise | one cell | none is stated | the server | nothing more | noise averages out |

# %% [markdown] slideshow={"slide_type": "notes"}
# If only the names are removed, the attacker learns the whole row. A row of group means predicts
# the other ratings no better than the film's mean does. So against **this** attacker, the group
# means are the best release of the three. But they are not the best release against insiders, or
# against an attacker who sees two releases of a group.
#
# | release | unit | guarantee | who is trusted | insiders learn | a second release |
# |---|---|---|---|---|---|
# | names removed | none | none | the server | a row, if they know a few ratings | more of the row |
# | group means | a user's row | share linked ≤ 1/k | the server | the last row | a newcomer's row |
# | noise | one cell | none is stated | the server | nothing more | noise averages out |
#
# The table contains no bound on odds, so none of the releases has an ε.
#
# ## Exercises
#
# **Exercise 14-D (design).** `club` holds the ratings of 120 readers for 20 books. Publish group
# means. The release must satisfy one condition: in each of the two directions, *the attacker of
# this notebook*, who takes the nearest row, links at most 5 % of all rows. Several values of k
# satisfy this condition. Among the releases with these values of k, hand in the release with the
# smallest SSE. (Neither the SSE nor the share is monotone in k.)

# %% tags=["solution", "nbval-check-output"]
from pplab_course import reading_club

club = reading_club()
# YOUR CODE: a release, such as microaggregate(club, 20, rating_range=(1, 5))
answer = None
for k in range(2, 21):
    release = microaggregate(club, k, **scale)
    there = linked(release.completed, release.protected)
    risk = max(there, linked(release.protected, release.completed))
    if risk <= 0.05 and (answer is None or release.sse < answer.sse):
        answer = release
        print(f"k = {k}: SSE {release.sse:,.0f}, linked {risk:.1%}; guaranteed at most {1 / k:.1%}")
check("14-D", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Quiz
#
# 1. Do the exact means of a group compose safely? <details><summary>Answer</summary>No: two
#    releases of a group reveal the newcomer's ratings.</details>
# 2. All members of a group gave a film 5 stars. What does the release leak about this film?
#    <details><summary>Answer</summary>Everything: the mean is 5 only if every member gave 5
#    stars.</details>
# 3. In which direction is there at most one hit per distinct mean?
#    <details><summary>Answer</summary>Published → original: the rows of a group are all
#    equal, so the attacker finds the same original row for each of them.</details>
#
# ## What to remember
#
# - In both directions of linkage, a link is right with probability at most 1/k. But 1/k does not
#   bound what an attacker learns about a rating.
# - In three cases (a lone rater, k − 1 insiders, two releases), an attacker can compute one rating
#   from the mean: $x = k\bar x - (\text{the rest})$.
# - When you call a release safe, name the attacker against whom it is safe.
#
# ## References
#
# - Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, *A k-anonymous approach to privacy
#   preserving collaborative filtering*, [doi
#   10.1016/j.jcss.2014.12.013](https://doi.org/10.1016/j.jcss.2014.12.013).
# - Domingo-Ferrer and Torra 2005, *Ordinal, continuous and heterogeneous k-anonymity through
#   microaggregation*, [doi 10.1007/s10618-005-0007-5](https://doi.org/10.1007/s10618-005-0007-5).
# - Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007, *l-diversity: privacy beyond
#   k-anonymity*, [doi 10.1145/1217299.1217302](https://doi.org/10.1145/1217299.1217302).
# - Ganta, Kasiviswanathan and Smith 2008, *Composition attacks and auxiliary information in data
#   privacy*, [doi 10.1145/1401890.1401926](https://doi.org/10.1145/1401890.1401926).
# - Narayanan and Shmatikov 2008, *Robust de-anonymization of large sparse datasets*, [doi
#   10.1109/SP.2008.33](https://doi.org/10.1109/SP.2008.33).
# - Harper and Konstan 2015, *The MovieLens datasets*, [doi
#   10.1145/2827872](https://doi.org/10.1145/2827872).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ask the room
#
# All members of a group gave a film 5 stars. What does the release leak about this film?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - In both directions of linkage, a link is right with probability at most 1/k. But 1/k does not
#   bound what an attacker learns about a rating.
# - In three cases (a lone rater, k − 1 insiders, two releases), an attacker can compute one rating
#   from the mean.
# - When you call a release safe, name the attacker against whom it is safe.
