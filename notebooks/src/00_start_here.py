# %% [markdown]
# # 00 Start here: what a flip does to a sparse graph
#
# ## What you will be able to do
#
# - predict what flipping cells does to a sparse graph, before you run it;
# - read a release label and a verdict of the claims ledger;
# - choose your path through this laboratory.
#
# ## What you need
#
# You can run a cell (Shift + Enter) and calculate with fractions. **15 minutes**, 5 of them to
# read.

# %% [markdown]
# ## Break something: predict, then run
#
# A table of film ratings has one row per user and one column per film. A cell that holds a
# rating is an *edge* between a user and a film; most cells are empty.
#
# To protect the users, somebody flips each cell with probability 5 %: an edge disappears, an
# empty cell becomes an edge. Then the table is published.
#
# **What share of the published edges is true?** Write your number into the next cell before you
# go on. Nobody grades it.

# %%
my_prediction = 0.95  # your own number here, between 0 and 1

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from IPython.display import Markdown, display

import pplab


def say(text):  # a sentence with numbers from the run
    display(Markdown(text))


movielens = pplab.load_dataset("movielens-100k", split="u1.base")
ratings = movielens.ratings
users, films = ratings.shape
density = ratings.nnz / (users * films)
say(f"{users:,} users, {films:,} films, {ratings.nnz:,} edges: {density:.2%} of all cells.")

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
p = 0.05
published = pplab.bipartite_noise_graph(ratings, flip_probability=p, rng=1)
true = int((published * (ratings > 0)).nnz)
share = true / published.nnz
say(f"**{true:,}** of **{published.nnz:,}** published edges are true: **{share:.0%}**.")
say(f"You predicted {my_prediction:.0%}; the gap is {abs(my_prediction - share):.0%}.")

# %% [markdown]
# If you wrote 95 %, you are in good company: 95 % of the *cells* are untouched. But nearly all
# cells are empty, so nearly all flips invent an edge. Look at it on a table small enough to see.

# %%
import numpy as np

from pplab.plots import cells, new_figure, show

rng = np.random.default_rng(seed=128)
before = (rng.random((20, 20)) < density).astype(int)
after = pplab.bipartite_noise_graph(before, flip_probability=p, rng=128).toarray()
false_edges, lost = int((after > before).sum()), int((after < before).sum())
figure, (left, right) = new_figure(1, 2, width=7, height=3.6)
cells(left, before, title=f"Before: {before.sum()} edges")
cells(right, after, title=f"After: {false_edges} false edges (crossed)", crossed=after > before)
message = f"Of {before.sum()} edges {lost} is lost; {false_edges} false ones appear."
show(figure, alt=message)
say(message)

# %% [markdown]
# ## Define: privacy multiplies odds
#
# Write λ for the density, the share of cells that are edges, and p for the probability that a
# cell flips. Pick a published edge. Before you saw it, the odds that its cell was an edge were
# λ : (1−λ), the *prior odds*. An edge is published with probability 1−p when it was there and
# with probability p when it was not. So seeing it multiplies the odds:
#
# $$\underbrace{\frac{\lambda}{1-\lambda}}_{\text{prior odds}} \times
# \underbrace{\frac{1-p}{p}}_{\text{odds factor}} = \text{odds that a published edge is true}$$
#
# In words: odds before, times the odds factor, give odds after. The odds factor is written
# $e^\varepsilon$, and $\varepsilon = \ln\frac{1-p}{p}$ is called the *privacy level*: a **larger**
# ε lets an observer learn **more**, so it protects **less**.


# %%
def share_true(density, p):
    prior_odds = density / (1 - density)
    odds_factor = (1 - p) / p
    odds = prior_odds * odds_factor
    return odds / (1 + odds)


# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
prior, factor = density / (1 - density), (1 - p) / p
odds = f"{prior:.3f} × {factor:.0f} = {prior * factor:.2f}"
say(f"Odds: {odds}, so a share of **{share_true(density, p):.0%}**, as counted above.")
epsilon = pplab.flip_to_epsilon(p)
say(
    f"ε = ln {factor:.0f} = {epsilon:.2f}: seeing an edge makes its odds {factor:.0f} times larger."
)

# %% [markdown]
# The same flip, three graphs: ratings, the likes of the noise-graph paper, and co-authorship.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
import pandas as pd

from pplab.plots import bars

sizes = {  # edges, cells
    "film ratings": (ratings.nnz, users * films),
    "likes": (3_817_840, 19_724 * 8_523),  # printed in the paper, Section 4.1
    "co-authors": (1_049_866, 317_080 * 317_079 // 2),  # com-dblp, as its owner states
}
table = pd.DataFrame({"density": {name: edges / cells for name, (edges, cells) in sizes.items()}})
table["share_true"] = [share_true(value, p) for value in table["density"]]
print(table.map("{:.2g}".format))

# %% tags=["real-data"]
figure, axes = new_figure(height=3)
bars(axes, 100 * table["share_true"], label="true among published edges (%)")
axes.set(title=f"The sparser the graph, the more false edges (p = {p:.0%})", ylim=(0, 100))
densities = [f"{name}\ndensity {value:.2g}" for name, value in table["density"].items()]
axes.set_xticks(range(3), densities)
low, high = table["share_true"].min(), table["share_true"].max()
message = f"{high:.0%} of the published film ratings are true, {low:.2%} of co-authors."
show(figure, alt=message)

# %% [markdown]
# ## What survives: totals
#
# Single edges drown. Does that make the published table useless? A flip with known p can be
# counted back. If $|\tilde E|$ edges were published on Q cells, then
#
# $$\widehat{|E|} = \frac{|\tilde E| - pQ}{1 - 2p}$$
#
# estimates how many there were: take off the noise one expects, and stretch what is left.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from pplab.response import estimate_edges

estimates = []
for seed in range(100):
    noisy = pplab.bipartite_noise_graph(ratings, flip_probability=p, rng=seed)
    estimates.append(estimate_edges(noisy, flip_probability=p))
values = np.array([estimate.value for estimate in estimates])
sd = estimates[0].variance ** 0.5
sentence = f"standard deviation **{sd:.0f}** among {ratings.nnz:,} edges, {sd / ratings.nnz:.2%}"
say(f"One estimate: {values[0]:,.0f}. In theory: {sentence}.")
say(f"A hundred releases: mean {values.mean():,.0f}, standard deviation {values.std(ddof=1):.0f}.")

# %% tags=["real-data"]
figure, axes = new_figure(height=2.4)
axes.plot(values, np.zeros(100), "o", color="#0072B2", alpha=0.4, markeredgecolor="black")
axes.axvline(ratings.nnz, color="black", linestyle="--")
axes.annotate(" truth", (ratings.nnz, 0.8), xycoords=("data", "axes fraction"))
axes.axvspan(ratings.nnz - 2 * sd, ratings.nnz + 2 * sd, color="#DDDDDD", zorder=0)
axes.annotate("grey: truth ± 2 standard deviations", (0.01, 0.05), xycoords="axes fraction")
axes.set(title="Half of the published edges are false, yet the true total shows", yticks=[])
axes.set_xlabel("estimated number of edges, one point per release")
inside = int((abs(values - ratings.nnz) < 2 * sd).sum())
show(
    figure, alt=f"{inside} of 100 estimates lie within two standard deviations of {ratings.nnz:,}."
)

# %% [markdown]
# Sums survive because errors in both directions cancel: that is why noise on single
# cells can protect a single edge and still leave a table worth publishing.
#
# ## Four families, one small graph
#
# This laboratory compares four ways to publish such a table. Here are all four on six users and
# eight items, each in a few lines; the notebooks to come take them apart.

# %%
rows = ["53400000", "45300000", "35500010", "00004530", "00105450", "00003545"]
small = np.array([[int(digit) for digit in row] for row in rows])  # 0 is no rating
likes, rng = (small > 0).astype(int), np.random.default_rng(seed=7)
flipped = pplab.bipartite_noise_graph(likes, flip_probability=0.1, rng=7)
groups = np.repeat([0, 1], 3)  # two communities of three users
means = np.array([likes[groups == group].mean(axis=0) for group in (0, 1)])
noisy = means + rng.laplace(scale=1 / 3, size=means.shape)  # ε = 1, three users
averages = noisy.round(1)[groups] + 0.0  # no minus zero
majority = (means > 0.5)[groups].astype(int)
filled = np.where(small > 0, small, 3)  # the middle of 1..5 for what is missing
group_means = np.array([filled[groups == group].mean(axis=0) for group in (0, 1)])[groups]

# %%
panels = {
    "1 Flip cells": (flipped.toarray(), ""),
    "2 Noisy community averages": (averages, "{:.1f}"),
    "3 Majority in groups": (majority, ""),
    "4 Means in groups": (group_means, "{:.1f}"),
}
figure, grid = new_figure(2, 2, width=8, height=5)
figure.suptitle("Four ways to publish the same six users")
for axes, (title, (released, text)) in zip(grid.ravel(), panels.items(), strict=True):
    cells(axes, released, title=title, text=text)
flips = int((flipped.toarray() != likes).sum())
kinds = len(np.unique(majority, axis=0))
show(figure, alt=f"One release has {flips} flipped cells, the other three {kinds} kinds of rows.")

# %% [markdown]
# | release | unit | guarantee | who is trusted | insiders learn | a second release |
# |---|---|---|---|---|---|
# | 1 flip cells | one edge | odds × 9 | nobody | nothing more | odds × 81 |
# | 2 noisy averages | one edge | odds × e | the server | nothing more | odds × e² |
# | 3 majority | 3 rows alike | no bound on odds | the server | a close vote | more votes |
# | 4 means | 3 rows alike | no bound on odds | the server | the third value | means subtract |
#
# This is a **release label**: what is protected (the *unit*), by how much, who must be trusted,
# what people inside a group can still learn, and what publishing twice costs. Rows 1 and 2 bound
# odds; rows 3 and 4 make people look alike, which is another promise. Every release in this
# laboratory carries such a label, because "it is private" says none of these things.
#
# ## Play
#
# **Question:** which pairs of density λ and flip probability p leave half of the published edges
# true? Move one slider, then find out how far the other one must go to make up for it. The sliders
# appear when you run their cell: Tab reaches one, the arrow keys move it.


# %%
def draw(axes, density, p):
    share, prior, factor = share_true(density, p), density / (1 - density), (1 - p) / p
    axes.barh(["edges"], [share], color="#0072B2", edgecolor="black")
    rest = {"color": "white", "edgecolor": "black", "hatch": "///"}
    axes.barh(["edges"], [1 - share], left=[share], **rest)
    axes.set_title(f"λ = {density:g}, p = {p:g}: {100 * share:.2g} % true", fontsize=9)
    axes.set(xlim=(0, 1), xlabel="share true (filled), false (hatched)", yticks=[])
    return {"density": density, "p": p, "prior": prior, "factor": factor, "true": share}


# %% tags=["widget"]
# NBVAL_IGNORE_OUTPUT
from pplab.widgets import Control, explore, twin

sentence = (
    "Prior odds {prior:.2g} × odds factor {factor:.3g}: {true:.1%} of published edges are true."
)
densities = (1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.2, 0.5)
flips = (0.001, 0.01, 0.05, 0.1, 0.2, 0.4, 0.5)
explore(
    draw,
    say=sentence.format_map,
    height=2,
    density=Control("density λ", densities, 0.05, "sparse: mostly false", "dense"),
    p=Control("flip probability p", flips, 0.05, "more accurate", "more private"),
)

# %% [markdown]
# The same without sliders, three densities and three flip probabilities:


# %%
# NBVAL_CHECK_OUTPUT
def message(states):
    low, high = states["true"].min(), states["true"].max()
    return f"Nine bars: {low:.2%} true at low density and high p, {high:.0%} at the other end."


states = twin(draw, alt=message, height=1.5, density=(0.0001, 0.01, 0.2), p=(0.01, 0.1, 0.4))
print(states.map("{:.3g}".format).to_string(index=False))

# %% [markdown]
# Only the product of prior odds and odds factor matters: a graph whose prior odds
# are ten times smaller needs an odds factor ten times larger to keep its edges as believable, so ε
# grows by ln 10.
#
# ## How to read a verdict
#
# Each printed number and each theorem of a paper has a row in the *claims ledger*, with the rule
# that judges it (fixed before the run) and a verdict that the code computes. In a terminal,
# `pplab claims` prints the ledger, `pplab claims --html` writes a page that sorts and filters,
# and `pplab claims ID` shows one row with the command that reruns it.

# %%
from pplab.course import MEANINGS

for letter, meaning in zip("ABCDEFG", MEANINGS.values(), strict=True):
    print(letter, meaning)
ledger = pplab.claims()
print(ledger["verdict"].value_counts().to_string())

# %% [markdown]
# The letters are for exercise R below. Four more words are finer shades: *compatible*, one that
# agrees, but chance alone may move it by a tenth; *holds-under-reading*; *proof-fails*, where a
# proof breaks and the statement may still be true; *misprint*, a slip without consequence. A row
# may also be *open*: nobody has run it under its present rule. No computation, no verdict.
#
# ## The map of the house
#
# ```
# data ───> mechanism ─────────> metric, attack ─> paper ──> ledger ──> notebook
# datasets  response             metrics           papers    ledger     (here)
#           recommenders         attacks
#           smooth               theory
#           microaggregation
# ```
#
# Below each word stand the folders of `pplab`. Each uses only what stands to its left: a mechanism
# knows no data set, the rerun of a paper draws nothing, a notebook tells the story.
#
# ### Notation
#
# | Sign | Meaning |
# |---|---|
# | $G$, $E$; $\tilde G$, $\tilde E$ | original and published graph, and their edges |
# | n, m, Q = nm | users, items, cells |
# | λ | density, edges per cell |
# | p | probability that a cell flips, at most 1/2 |
# | ε, $e^\varepsilon$ | privacy level and odds factor, $e^\varepsilon = (1-p)/p$ |
# | k | size of a group of rows that look alike |
#
# ### Glossary
#
# - **Mechanism**: a random rule that turns a graph into what is published.
# - **Unit**: what is hidden as one piece, such as one edge, or all edges of a user.
# - **Odds**: probability over counter-probability; 3/4 is 3 : 1. *Prior* odds come before the
#   release, *posterior* odds after it.
# - **Stand-in**: made-up data with the size and shape of real data; a result from it says so.
#
# ### Your path
#
# A student goes on with [01 Privacy by counting](01_privacy_by_counting.ipynb), then with
# [02 Noise graphs](02_noise_graphs.ipynb). A reviewer opens the ledger with `pplab claims --html`,
# picks a row, and reruns it with the command it names. What the samplers here cannot promise is in
# [the limitations](../docs/LIMITATIONS.md), what an attacker is assumed to know in
# [the attack model](../docs/attack-model.md).

# %% [markdown]
# ## Exercises
#
# Each answer is checked at once: a hint first, then another, never the answer.
#
# - **R (recall).** Give each verdict of the ledger the letter of its meaning, from the list above.
# - **C (compute).** What share of published edges is true at $\lambda = 1/1000$ and $p = 1/100$?
# - **P (prove by code).** Write a simulation that returns the share of true edges among the
#   published ones. It will be run with seeds you have not seen.
# - **B (break).** Find a p at which more than half of the film ratings' published edges are false
#   although ε is above 2.
# - **O (open).** Name a claim of one of the four papers that you doubt: paper, place, number.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
from pplab import check

# YOUR CODE: a letter for each of: reproduced, reproduced-under-reading, differs, holds,
# refuted, shape-only, not-testable; for example {"holds": "A", ...}
answer = {"refuted": "A", "reproduced": "B", "shape-only": "C", "not-testable": "D"}
answer |= {"differs": "E", "reproduced-under-reading": "F", "holds": "G"}
check("00-R", answer)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: the share, as a number between 0 and 1
answer = share_true(1 / 1000, 1 / 100)
check("00-C", answer)


# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
def simulate(density, p, cells, seed):
    # YOUR CODE: draw edges, flip cells, return true published edges over published edges
    rng = np.random.default_rng(seed)
    edge = rng.random(cells) < density
    published = edge ^ (rng.random(cells) < p)
    return (edge & published).sum() / published.sum()


check("00-P", simulate)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: a flip probability
answer = 0.1
check("00-B", answer)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: paper, place, the number you doubt and why, in quotes
answer = "noise-graphs, Table 1: do 19,724 users fit the printed count 67,302,556 at p = 0.4?"
check("00-O", answer)

# %% [markdown]
# ## Quiz
#
# 1. Is a larger ε more private? <details><summary>Answer</summary>No: a larger ε multiplies an
#    observer's odds by more.</details>
# 2. Which quantity is λ/(1−λ)? <details><summary>Answer</summary>The prior odds of an edge, before
#    anything is published.</details>
# 3. Can totals survive when single edges do not? <details><summary>Answer</summary>Yes: the noise
#    on a sum can be counted back.</details>
#
# ## What to remember
#
# - Privacy multiplies odds.
# - Sparse graphs start with tiny odds.
# - Sums survive.
#
# ## References
#
# - Salas and Torra 2020, *Differentially private graph publishing and randomized response for
#   collaborative filtering*, [doi 10.5220/0009833804150422](https://doi.org/10.5220/0009833804150422).
# - Warner 1965, *Randomized response*,
#   [doi 10.1080/01621459.1965.10480775](https://doi.org/10.1080/01621459.1965.10480775).
# - Harper and Konstan 2015, *The MovieLens datasets*,
#   [doi 10.1145/2827872](https://doi.org/10.1145/2827872).
