# %% [markdown]
# # 14 Microaggregation: what means give away
#
# *Edition 2, part 5 of 6: crowds. Core track.*
#
# ## What you will be able to do
#
# - fill the gaps of a table, and say what the filling does to distances;
# - measure how many published rows are linked to their owners, in both directions;
# - read ratings out of exact means: alone, with insiders, from two releases;
# - say what the k of a release bounds, and what it does not bound.
#
# ## What you need
#
# Means, squared distances and a standard deviation; the release label of notebook
# [01](01_privacy_by_counting.ipynb). Groups and their means come below
# ([13](13_microaggregation.ipynb) asks which groups are best).
#
# **Minutes (estimates):** about 50 to read, about 45 for the exercises.

# %% [markdown]
# ## Break something: predict, then run
#
# Three people rated a film from 1 to 5. Their club publishes one number for all three, the mean
# 11/3. Nobody stands out among three: the table is *3-anonymous*.
#
# Two of the three share what they gave: 4 and 2. **With what probability can they now
# name the third rating?** Write your number down, then run.

# %%
my_prediction = 1 / 3  # your own number here, between 0 and 1

# %%
# NBVAL_CHECK_OUTPUT
from fractions import Fraction

from IPython.display import Markdown, display


def say(text):  # a sentence with numbers from the run
    display(Markdown(text))


published = Fraction(11, 3)
possible = [rating for rating in range(1, 6) if Fraction(4 + 2 + rating, 3) == published]
say(f"Of five ratings {len(possible)} fits: 3 · {published} − 4 − 2 = **{3 * published - 4 - 2}**.")
say(f"They are right with probability **{1 / len(possible):.0%}**; you said {my_prediction:.0%}.")

# %% [markdown]
# No rule was broken, and the third rating is known exactly. So what *does* k-anonymity guarantee?
#
# ## Define: groups, means, linkage and inference
#
# A table is **k-anonymous** if each of its rows is equal to at least k − 1 others.
# **Microaggregation** makes such a table: it puts the rows into groups of k or more, and publishes
# for each row the mean of its group. What that costs is the **SSE**, the sum of squared errors: how
# far each cell moves, squared, and added up. Rows that are near each other should be together. A
# popular method, **MDAV** (Domingo-Ferrer and Torra 2005), starts at the far ends: the row that is
# farthest from the mean of all, with its k − 1 nearest; then the row that is farthest from *that*
# one, with its nearest; then the same with what is left. By hand, for nine readers and two books.
# (The first run on a computer also compiles, up to two minutes.)

# %%
# NBVAL_CHECK_OUTPUT
import numpy as np

from pplab.microaggregation import mdav


def far_ends(points, k):  # for 2k, 3k, 4k, ... rows
    left, labels, centre = np.arange(len(points)), np.zeros(len(points), int), points.mean(axis=0)
    for group in range(len(points) // k):
        far = points[left[((points[left] - centre) ** 2).sum(axis=1).argmax()]]
        near = ((points[left] - far) ** 2).sum(axis=1).argsort(kind="stable")[:k]
        labels[left[near]], left = group, np.delete(left, near)
        centre = points[left].mean(axis=0) if group % 2 and len(left) else far
    return labels


readers = np.array([[5.0, 1], [4, 1], [5, 2], [1, 5], [2, 4], [1, 3], [3, 3], [4, 4], [3, 2]])
groups = far_ends(readers, 3)
means = np.array([readers[groups == group].mean(axis=0) for group in groups])
print(f"groups {groups}; those of the library's mdav {mdav(readers, 3)}")
print(f"first book {means[:, 0].round(2)}; SSE {((readers - means) ** 2).sum():.2f}")

# %% [markdown]
# Three groups of three, so the table is 3-anonymous: every published row appears three times.
# An attacker can want two different things of it.
#
# - **Linkage**: which published row is yours? In a release of means k rows or more are equal. An
#   attacker who picks one of them at random is right with probability at most 1/k. This is the
#   guarantee of k.
# - **Inference**: what did you rate, and how? An attacker who never finds your row may still learn
#   a rating of yours. About this k guarantees nothing.
#
# The sections below measure both on ratings of films, one attack at a time. First we need a
# release.
#
# ## Filling the gaps
#
# MDAV needs distances, distances need full rows, and in MovieLens (Harper and Konstan 2015) most
# cells are empty. So the paper *microaggregation* (Casino and others 2015) does two things before
# it groups. It **completes** the table: every gap gets a filling, here the midpoint 3 of the scale.
# Then it brings each film to **z-scores**: $z = (x - \text{mean}) / \text{standard deviation}$ of
# that film, so that no film counts more than another.
#
# Do these choices matter? Ask every user: *who is nearest to you?* The table below has a row for
# each filling, and a column for each scale, z-scores or plain ratings. Each entry is the share
# of users whose nearest neighbour is **another** than with midpoint and z-scores.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
import pplab
from pplab.microaggregation import complete, standardise

ratings = pplab.load_dataset("movielens-100k").ratings
scale = {"rating_range": (1, 5)}


def nearest_user(table):
    lengths = (table**2).sum(axis=1)
    squares = lengths[:, None] + lengths - 2 * table @ table.T  # |a|² + |b|² − 2ab
    np.fill_diagonal(squares, np.inf)  # nobody is their own neighbour
    return squares.argmin(axis=1)


full = complete(ratings, impute="midpoint", **scale)
usual = nearest_user(standardise(full).scores)
print(f"{(ratings.toarray() == 0).mean():.0%} of all cells are empty.")

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
lines = ["| filling | another neighbour on z-scores | another neighbour on ratings |"]
lines.append("|---|---|---|")
for impute in ("midpoint", "item-mean", "user-mean"):
    table = complete(ratings, impute=impute, **scale)
    on_scores = np.mean(nearest_user(standardise(table).scores) != usual)
    on_ratings = np.mean(nearest_user(table) != usual)
    lines.append(f"| {impute} | {on_scores:.0%} | {on_ratings:.0%} |")
say("\n".join(lines))

# %% [markdown]
# The first cell is 0 because it compares a choice with itself. All others are large: another
# filling gives most people another neighbour, and leaving out the z-scores does so as well. So "the
# nearest user" means little unless imputation and scaling are specified. Below we take midpoint and
# z-scores.
#
# The paper fills with a "central value" and does not say which; notebook
# [15](15_microaggregation_experiments.ipynb) finds out.
#
# ## Linkage, measured both ways
#
# There are two ways to look for a row. **Original → published**: the attacker holds your true row
# and looks for the nearest published one. **Published → original**: the attacker holds a published
# row and looks for the nearest true one. In both, several rows can be equally near; then the
# attacker picks one of them at random. In code, row i asks, and is linked when it finds row i:


# %%
# NBVAL_CHECK_OUTPUT
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

# %% [markdown]
# Both give 1/3 here. In the first direction, each row matches its group, and picks one of three.
# Back, all three members of a group publish the same number, and ask the same question: they get
# one answer, and it is right for one of them. So in this direction there is at most **one hit per
# distinct mean**. Since groups have k or more members, 1/k bounds both shares. (In the second
# direction it bounds the *share* only: the member who lies nearest to the mean is found with
# certainty.)
#
# Now the large table. Columns: k; the number of distinct means; the SSE; the bound 1/k; and the
# share that is linked in each direction.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from pplab.microaggregation import microaggregate

print("five releases, a few seconds each", flush=True)
releases = {k: microaggregate(ratings, k, **scale) for k in (2, 3, 5, 10, 25)}
lines = ["| k | distinct means | SSE | 1/k | original → published | published → original |"]
lines.append("|---|---|---|---|---|---|")
for k, release in releases.items():
    tables = (release.completed, release.protected)
    found_forth = disclosure_risk(*tables, direction=forth).mean()
    found_back = disclosure_risk(*tables, direction=back).mean()
    groups = len(np.unique(release.labels))
    lines.append(f"| {k} | {groups} | {release.sse:,.0f} | {1 / k:.1%} ")
    lines[-1] += f"| {found_forth:.2%} | {found_back:.2%} |"
say("\n".join(lines))

# %% [markdown]
# The guarantee holds in every row, both ways. With k = 2 the second one nearly reaches the bound,
# because the mean of two rows lies exactly half way between them. From k = 5 on it is far below,
# because a few users near the middle are the answer to everybody's question.
#
# <details><summary>In the ledger</summary>
#
# Both bounds hold (`microaggregation:section-3:dr-bound:original-to-protected` and
# `microaggregation:section-3:dr-bound:protected-to-original`). The paper describes the second
# direction; notebook [15](15_microaggregation_experiments.ipynb) asks which one its numbers fit.
#
# </details>
#
# ## Homogeneity: when a group agrees
#
# Linkage is bounded. Now inference. Suppose that all people in your group who rated a film gave it
# 5. An attacker who knows your group, and is *told* that its raters agree, reads your rating,
# whatever k is: the **homogeneity attack** (Machanavajjhala and others 2007). A mean of ratings and
# fillings does not show by itself whether they agree, so the share below is an upper bound on what
# this attack finds, not its rate of success.
# The next table counts them for k = 10. Its columns: how many members of the group rated the film;
# how many ratings are in that case; and in what share of those the raters agree.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from pplab.attacks import homogeneous_cells

same = homogeneous_cells(ratings, labels=releases[10].labels, **scale)
counts = same.by_raters.head(4).rename(columns={"cells": "ratings", "share": "agree"})
display(counts.set_index("raters")[["ratings", "agree"]].round(2))
say(f"In all, **{same.share:.0%}** of the ratings are in a group whose raters agree (k = 10).")
more = same.by_raters[same.by_raters["raters"] > 1]
share = (more["cells"] * more["share"]).sum() / more["cells"].sum()
say(f"Without the lone raters, of whom each agrees with itself: **{share:.0%}**.")

# %% [markdown]
# One rater always agrees with itself, so the first line reads 1. Two raters agree less often, three
# still less. About a quarter of all ratings are of the first kind: of ten members or more, only one
# rated the film.
#
# **Exercise 14-R (recall).** Which of these does 1/k bound: `"linkage"` (naming a person's row),
# `"inference"` (learning a rating of that person), or `"insiders"` (k − 1 members reading the last
# row)?

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
from pplab_course import check

# YOUR CODE: a word in quotes
answer = "linkage"
check("14-R", answer)

# %% [markdown]
# ## The lone rater: the filling can be taken out
#
# A lone rater is worse off than that. Suppose that you alone in a group of k rated the film with x,
# and that the other k − 1 cells were filled with 3. The published mean is
#
# $$\bar x = \frac{x + (k - 1) \cdot 3}{k}, \quad\text{so}\quad x = k\,\bar x - (k - 1) \cdot 3 .$$
#
# In words: multiply the mean by k, and take the fillings out. The attacker needs to know only your
# group, and that you rated the film.
#
# **Exercise 14-C (compute).** A group of four publishes the mean 7/2 for a film. You alone rated
# it; the gaps were filled with 3. What did you give?

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: a number
answer = 4 * Fraction(7, 2) - 3 * 3
check("14-C", answer)

# %% [markdown]
# The attacker cannot see whether you are the only rater. So let the attacker *suppose* it, always,
# and solve; a solution beyond the scale is cut to the nearer end of it. The columns of the table:
# k; the share of all ratings that are **met exactly** in this way; then three mean absolute errors
# in rating points, of the solved value, of the group's published row as it is, and of the
# film's mean, which needs no group at all.
#
# A second cell asks, for k = 10, which of the exact ones follow from the mean, because the rater is
# alone, and which are luck.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from pplab.attacks import group_inference

lines = ["| k | met exactly | error: solved | error: group's row | error: film's mean |"]
lines.append("|---|---|---|---|---|")
for k in (3, 5, 10):
    summary = group_inference(ratings, releases[k].protected, filling=3, **scale)
    lines.append(f"| {k} | {summary.lone_exact:.0%} | {summary.lone_error:.2f} ")
    lines[-1] += f"| {summary.group_error:.2f} | {summary.item_error:.2f} |"
say("\n".join(lines))
counts = [np.asarray((ratings == stars).sum(axis=0)) for stars in range(1, 6)]
common = np.max(counts, axis=0).sum() / ratings.nnz
say(f"For comparison: naming each film's most common rating is exact in {common:.0%}.")

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
truth, group = ratings.toarray(), releases[10].labels
rated, ends = truth > 0, (1 - 1e-6, 5 + 1e-6)
raters = np.array([rated[group == each].sum(axis=0) for each in range(group.max() + 1)])[group]
solved = 3 + np.bincount(group)[group][:, None] * (releases[10].protected - 3)
exact = rated & np.isclose(solved.clip(1, 5), truth)
cut = (solved < ends[0]) | (solved > ends[1])
cases = {"a lone rater": raters == 1, "by luck, cut to the end": (raters > 1) & cut}
cases["by luck, on the scale"] = (raters > 1) & ~cut
for name, case in cases.items():
    print(f"met exactly, {name}: {(exact & case).sum() / rated.sum():.1%} of all ratings")
say(f"A solution on the scale, before any cut, is right in **{exact[rated & ~cut].mean():.0%}**.")

# %% [markdown]
# Read the row k = 10. Linkage is bounded by a tenth, and yet more than half of all ratings are met
# exactly, more than the comparison below the table reaches without any group. But only about half
# of these are *read*: those of lone raters. The others are luck, since more than one of the group
# rated the film. Mostly the solution is below 1 or above 5, and cut to 1 or 5 it happens to be the
# rating; or the other raters gave 3, or cancel out. And the attacker cannot
# show which is which: a solution on the scale is right more often than not, and no more. The
# group's row as it is is about as good a guess as the film's mean; solved, it is a better one.
#
# <details><summary>In the ledger</summary>
#
# The paper writes that k-anonymity also protects attributes
# (`microaggregation:section-3:attribute-disclosure`). It can do so only where the members of a
# group differ, and nothing in the construction makes them differ.
#
# </details>
#
# ## Insiders
#
# Now the first cells again, on the large table. Two members of a group of three know their own
# rows, and subtract them from three times the mean. Does it help to publish fewer decimals? A mean
# with one decimal is off by at most half a tenth, so the sum of three is off by three times that,
# which is less than half a rating: round the result.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
trios = releases[3]
first, second, last = np.flatnonzero(trios.labels == 0)  # a group of three
mean = trios.protected[last]
known = trios.completed[first] + trios.completed[second]
exact = 3 * mean - known
rounded = np.rint(3 * mean.round(1) - known)
truth = trios.completed[last]
print(f"exact means: {np.isclose(exact, truth).sum()} of {truth.size} cells are read")
print(f"one decimal: {np.isclose(rounded, truth).sum()} of {truth.size} cells are read")

# %% [markdown]
# The library has both attacks. `insider_intervals` gives for each film the interval in which the
# last rating lies; a rating is *pinned* when one whole number alone lies in it.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from pplab.attacks import insider_intervals, last_member

rows = {"known": trios.completed[[first, second]], "size": 3}
left = insider_intervals(mean.round(1), decimals=1, **rows, **scale)
print("exact means, the same as above:", np.allclose(last_member(mean, **rows), exact))
print("one decimal, the same as above:", np.allclose(left.value, rounded))
print(f"one decimal: an interval of {left.width:.1f} ratings, {left.pinned.mean():.0%} are pinned")

# %% [markdown]
# Every cell, both times. (A 3 may be a rating or a gap: that they do not learn.) In a group of k
# the sum is off by at most k/20. Up to k = 9 that is less
# than half a rating, so rounding the result recovers it. Fewer decimals help less than one hopes.
#
# ## Two releases
#
# A month later somebody joins the group, and the club publishes again. A mean times the number of
# members is a sum, and the two sums differ by one person. With $\bar x$ of k before and $\bar x'$
# of k + 1 after, the newcomer's rating is
#
# $$x_{\text{new}} = (k + 1)\,\bar x' - k\,\bar x .$$
#
# Each release alone is k-anonymous; the pair is not. This is **composition**, and exact means do
# not survive it (Ganta and others 2008 show this for other k-anonymous releases).
#
# **Exercise 14-B (break).** A group of three publishes the means 8/3, 11/3 and 3 for three films.
# One person joins; now the means of the four are 5/2, 4 and 13/4. Give the newcomer's ratings.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: three ratings
before, after = [Fraction(8, 3), Fraction(11, 3), 3], [Fraction(5, 2), 4, Fraction(13, 4)]
answer = [4 * new - 3 * old for old, new in zip(before, after, strict=True)]
check("14-B", answer)

# %% [markdown]
# **Exercise 14-P (prove by code).** Do it for a whole table. Write `newcomer(before, after)`: two
# published tables of means, the second with one row more. One group, of a size that you must find,
# has taken in one person; all other groups are as they were; the rows come in any order. Give back
# the newcomer's row. (Which row of means is gone, and which is new?)


# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
def newcomer(before, after):
    # YOUR CODE: the row of the person who joined
    old, old_sizes = np.unique(before, axis=0, return_counts=True)
    new, new_sizes = np.unique(after, axis=0, return_counts=True)
    for mean, size in zip(old, old_sizes, strict=True):
        if not (new == mean).all(axis=1).any():
            sum_before = size * mean  # this group is gone
    for mean, size in zip(new, new_sizes, strict=True):
        if not (old == mean).all(axis=1).any():
            sum_after = size * mean  # this one is new
    return sum_after - sum_before


check("14-P", newcomer)

# %% [markdown]
# Does it help to form the groups anew for the second release? Take MovieLens without its last user
# at k = 3; then that user joins. Once the user is put into an existing group, and once all groups
# are formed again. `compare_releases` sees only the two published tables. It looks for groups that
# stayed, and for pairs of groups that differ by one person.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from pplab.attacks import compare_releases

before = microaggregate(ratings[:-1], 3, **scale)
groups = len(np.unique(before.labels))
added = np.vstack([before.protected, trios.completed[-1]])
members = np.append(before.labels == 0, True)  # the user joins the first group
added[members] = trios.completed[members].mean(axis=0)
for way, after in {"added to a group": added, "groups formed anew": trios.protected}.items():
    found = compare_releases(before.protected, after, **scale)
    right = sum(np.allclose(row, trios.completed[-1]) for row in found.rows)
    print(f"{way}: {found.unchanged} of {groups} groups stayed;", end=" ")
    print(f"rows read {len(found.rows)}, of them right {right}")

# %% [markdown]
# New groups stop *this* attack. That is not a guarantee: more than half of the groups stayed all
# the same, and an attacker who knows who was grouped with whom can intersect the two groupings.
#
# ## Play
#
# Six people rated a film, you among them; the mean is published, exact or as a whole number. Some
# of the five others are insiders and put their ratings together. The bars show how probable each
# rating of yours is to them, if every rating of the others was equally probable before.
# **Question:** how many insiders does it take until they are sure, and does rounding stop them?


# %%
from itertools import product

from pplab.plots import bars, new_figure, show


def whole(total):  # the mean of six, halves upwards
    return (total + 3) // 6


def chances(insiders, mean):
    """How probable each rating of yours is, after the others shared theirs."""
    others, yours = [4, 2, 5, 3, 4], 5
    total = sum(others) + yours
    ways = dict.fromkeys(range(1, 6), 0)
    for guess in product(range(1, 6), repeat=6 - insiders):  # you and those who kept silent
        guessed = sum(others[:insiders]) + sum(guess)
        same_mean = guessed == total if mean == "exact" else whole(guessed) == whole(total)
        ways[guess[0]] += same_mean
    return {rating: count / sum(ways.values()) for rating, count in ways.items()}


# %%
import pandas as pd


def draw(axes, insiders, mean="exact"):
    found = pd.Series(chances(insiders, mean))
    bars(axes, 100 * found, label="probability, %")
    axes.set(title=f"{insiders} insiders, {mean} mean", xlabel="your rating", ylim=(0, 115))
    left = int((found > 0).sum())
    return {"insiders": insiders, "mean": mean, "possible": left, "truth": found[5]}


# %% tags=["widget"]
# NBVAL_IGNORE_OUTPUT
from pplab.widgets import Control, explore, twin

sentence = "{insiders} insiders, mean {mean}: {possible} ratings are possible; "
explore(
    draw,
    say=(sentence + "your true rating, 5, has probability {truth:.0%}.").format_map,
    insiders=Control("insiders", range(6), 0, "nobody talks", "all others talk"),
    mean=Control("published mean", ("exact", "whole"), "exact", "", "", show=str),
)


# %%
# NBVAL_CHECK_OUTPUT
def message(states):
    summary = "What insiders believe about your rating, which is 5. "
    for _, state in states.iterrows():
        summary += f"{state['insiders']} insiders, mean {state['mean']}: {state['truth']:.0%}. "
    return summary.strip()


states = twin(draw, alt=message, height=2.5, mean=("exact", "whole"), insiders=(0, 3, 5))

# %% [markdown]
# <details><summary>The answer</summary>
#
# With five insiders and the exact mean nothing is left open. Whole numbers leave several ratings
# possible even then; that is some protection, and its price is a coarser table. There the truth may
# even become less probable as more people talk. From a mean of 4 alone your rating looks high; when
# others say that theirs are high, yours need not be.
#
# </details>
#
# ## An attacker who knows a few ratings
#
# Few attackers are insiders. But a colleague may know four films that you rated, and how; call this
# **background knowledge**. The colleague looks at these four films alone, and takes the published
# row that is nearest there, fillings included. We attack
# three releases: the completed table with the **names removed**; the **group means** at k = 10; and
# **Gaussian noise** on the z-scores, cut to the scale, with σ chosen so that it costs about as much
# SSE as the means. What share of 300 users is found? (A user who rated fewer films than the
# attacker wants to know is attacked with all of them.) The figure shows intervals over users.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from pplab.attacks import reidentification_curve
from pplab.microaggregation import gaussian_noise

means = releases[10]
variance = means.completed.var(axis=0).sum() * len(means.completed)  # SSE of noise with σ = 1
noisy = gaussian_noise(ratings, sigma=np.sqrt(means.sse / variance), rng=1, **scale)
tables = {"names removed": means.completed, "noise": noisy.protected, "k = 10": means.protected}
found = {}
for name, table in tables.items():
    found[name] = reidentification_curve(ratings, table, users=300, rng=1, **scale)
print(f"SSE: names removed 0, noise {noisy.sse:,.0f}, k = 10 {means.sse:,.0f}")
shares = pd.DataFrame({name: curve.set_index("known")["risk"] for name, curve in found.items()})
print("share of users found, by the number of known ratings")
shares.map("{:.1%}".format)

# %% tags=["real-data"]
from pplab.plots import style

figure, axes = new_figure(height=3.4)
places = {"names removed": (-9, 2, "right"), "noise": (9, -6, "left"), "k = 10": (0, 11, "center")}
for place, (name, curve) in enumerate(found.items()):
    spread = [curve["risk"] - curve["low"], curve["high"] - curve["risk"]]
    axes.errorbar(curve["known"], curve["risk"], spread, capsize=3, **style(place))
    right, up, side = places[name]
    axes.annotate(name, (4, shares[name][4]), (right, up), textcoords="offset points", ha=side)
axes.set(xscale="log", xlabel="true ratings that the attacker knows", ylabel="share of users found")
axes.set_xticks(curve["known"], curve["known"])
axes.minorticks_off()
axes.set(title="A few known ratings are a name, unless rows are equal", ylim=(-0.04, 1.08))
text = "Three rising curves, share of users found against known ratings. With 8 known: "
show(figure, alt=text + ", ".join(f"{name} {shares[name][8]:.0%}" for name in shares) + ".")

# %% [markdown]
# With the names removed, a handful of ratings is a name (as Narayanan and Shmatikov found on
# another set of film ratings). Noise that costs as much as the means delays this, and does not stop
# it. The group means stay under 1/k however much the attacker knows. And what does the row that was
# found say about the *other* ratings? Its mean absolute error on them, in rating points:

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
rest = pd.DataFrame({name: curve.set_index("known")["error"] for name, curve in found.items()})
rest["film's mean"] = found["noise"].set_index("known")["item_error"]
rest.map("{:.2f}".format)

# %% [markdown]
# Compare each column with the last one, which needs no attack. With the names removed the error
# goes to nothing: the whole row is known. The row of the group is no better than the film's mean.
# So for **this** attacker the means are the better release; for insiders, and for anyone who sees
# two releases of a group, they are not. No release is "safe": it withstands a named attacker.
#
# The release labels:
#
# | release | unit | guarantee | who is trusted | insiders learn | a second release |
# |---|---|---|---|---|---|
# | names removed | none | none | the server | a row, if a few ratings are known | more of it |
# | group means | a user's row | share linked ≤ 1/k | the server | the last row | a newcomer's row |
# | noise | one cell | none is stated | the server | nothing more | noise averages out |
#
# None of the three labels states odds, so they have no ε.
#
# ## Exercises
#
# **Exercise 14-D (design).** `club` holds the ratings of 120 readers for 20 books. Publish group
# means such that *the attacker of this notebook*, who takes the nearest row, links at most 5 % of
# all rows, in each of the two directions, with the smallest SSE that MDAV offers for any k (the
# error does not rise, nor the share fall, at every step of k: try all). Hand in the release. (That
# is the success of one rule of linking, measured. What k guarantees, for every such rule, is 1/k:
# compare the two.)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
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
        print(f"k = {k}: SSE {release.sse:,.0f}, linked {risk:.1%}; promised {1 / k:.1%} at most")
check("14-D", answer)

# %% [markdown]
# ## Quiz
#
# 1. Do exact means compose safely? <details><summary>Answer</summary>No: two releases of a group
#    give away who joined.</details>
# 2. All members of a group gave a film 5 stars. What does the release leak about it?
#    <details><summary>Answer</summary>Everything: a mean of 5 leaves nothing else. (A mean of 4
#    does not reveal whether they agree.)</details>
# 3. In which direction is there at most one hit per distinct mean?
#    <details><summary>Answer</summary>Published → original: all members of a group ask with the
#    same row, so they get one answer.</details>
#
# ## What to remember
#
# - 1/k bounds linkage, in both directions. It does not bound what is learned about a rating.
# - A lone rater, k − 1 insiders, or two releases solve the mean for one rating:
#   $x = k\bar x - (\text{the rest})$.
# - Filling and scale decide who is near to whom, so they belong to the description of a release.
#
# ## References
#
# - Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, *A k-anonymous approach to privacy
#   preserving collaborative filtering*,
#   [doi 10.1016/j.jcss.2014.12.013](https://doi.org/10.1016/j.jcss.2014.12.013).
# - Domingo-Ferrer and Torra 2005, *Ordinal, continuous and heterogeneous k-anonymity through
#   microaggregation*, [doi 10.1007/s10618-005-0007-5](https://doi.org/10.1007/s10618-005-0007-5).
# - Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007, *l-diversity: privacy beyond
#   k-anonymity*, [doi 10.1145/1217299.1217302](https://doi.org/10.1145/1217299.1217302).
# - Ganta, Kasiviswanathan and Smith 2008, *Composition attacks and auxiliary information in data
#   privacy*, [doi 10.1145/1401890.1401926](https://doi.org/10.1145/1401890.1401926).
# - Narayanan and Shmatikov 2008, *Robust de-anonymization of large sparse datasets*,
#   [doi 10.1109/SP.2008.33](https://doi.org/10.1109/SP.2008.33).
# - Harper and Konstan 2015, *The MovieLens datasets*,
#   [doi 10.1145/2827872](https://doi.org/10.1145/2827872).
