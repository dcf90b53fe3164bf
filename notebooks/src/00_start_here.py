# %% [markdown]
# # 00 Start here: what a flip does to a sparse graph
#
# ## What you will be able to do
#
# - predict what flipping cells does to a sparse graph, before you run it;
# - say which numbers survive the flips, and why;
# - read a release label and a verdict of the claims ledger;
# - choose your path through this laboratory.
#
# ## What you need
#
# You can run a cell (Shift + Enter), read Python with NumPy, and calculate with fractions.
#
# **Minutes (estimates):** about 45 to read, about 60 for the exercises.
#
# Five words are used from the first page on:
#
# - A **mechanism** is a random rule that turns a table or a graph into what is published.
# - The **unit** is what is hidden as one piece, such as one edge, or all edges of a user.
# - **Odds** are a probability over its counter-probability: 3/4 is 3 : 1. *Prior* odds come before
#   the release, *posterior* odds after it.
# - A **stand-in** is a made-up table with the size and shape of real data.
# - A **claim** is one printed number or one statement of a paper.

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
cell_count = users * films
density = ratings.nnz / cell_count
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

from pplab.plots import COLOURS, cells, new_figure, show

rng = np.random.default_rng(seed=128)
before = (rng.random((20, 20)) < density).astype(int)
after = pplab.bipartite_noise_graph(before, flip_probability=p, rng=128).toarray()
false_edges, lost = int((after > before).sum()), int((after < before).sum())
figure, (left, right) = new_figure(1, 2, width=7, height=4)
cells(left, before, title=f"Before: crossed is lost ({lost})", crossed=after < before)
cells(right, after, title=f"After: crossed is false ({false_edges})", crossed=after > before)
message = f"Of {before.sum()} edges {lost} is lost; {false_edges} false ones appear."
show(figure, alt=f"Two tables of 20 users and 20 items, before and after the flips. {message}")
say(message)

# %% [markdown]
# ## Define: a release multiplies odds
#
# Write λ for the **density**, the share of cells that are edges, and p for the probability that a
# cell flips. Pick a published edge. Before you saw it, the odds that its cell was an edge were
# λ : (1−λ), the *prior odds*. An edge is published with probability 1−p when it was there and
# with probability p when it was not. So seeing it multiplies the odds:
#
# $$\underbrace{\frac{\lambda}{1-\lambda}}_{\text{prior odds}} \times
# \underbrace{\frac{1-p}{p}}_{\text{odds factor}} = \text{odds that a published edge is true}$$
#
# In words: odds before, times the odds factor, give odds after. The odds factor is written
# $e^\varepsilon$, and $\varepsilon = \ln\frac{1-p}{p}$ is called the *privacy level*: a **larger**
# ε lets an observer learn **more**, so it protects **less**. (A published *empty* cell divides the
# odds by the same factor: the cell is then even more likely to be empty than before.)
#
# The formula is for **independent cells**: what is published in one says nothing about another.
# Where cells go together, say two people who see all films together, each speaks about the other
# as well, and odds may move by more. Notebook 01 says what ε promises then. (As an average over all
# published edges the formula holds for any table.)


# %%
def share_true(density, p):
    prior_odds = density / (1 - density)
    odds_factor = (1 - p) / p
    odds = prior_odds * odds_factor
    return odds / (1 + odds)


# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
prior = density / (1 - density)
factor = (1 - p) / p
say(f"Posterior odds: {prior:.3f} × {factor:.0f} = {prior * factor:.2f}.")
say(f"As a share: **{share_true(density, p):.0%}**, as counted above.")
epsilon = pplab.flip_to_epsilon(p)
say(f"ε = ln {factor:.0f} = {epsilon:.2f}: a published edge has odds {factor:.0f} times the prior.")

# %% [markdown]
# **Exercise C (compute).** What share of published edges is true at $\lambda = 1/1000$ and
# $p = 1/100$?
# Here and in all exercises, three significant digits are enough.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
from pplab import check

# YOUR CODE: the share, as a number between 0 and 1
answer = share_true(1 / 1000, 1 / 100)
check("00-C", answer)

# %% [markdown]
# **Exercise P (prove by code).** Do not believe the formula: simulate it. Write a function that
# draws as many cells as `cells` says, each an edge with probability `density`, flips each with
# probability p, and returns the share of true edges among the published ones. It will be run with
# seeds you have not seen.


# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
def simulate(density, p, cells, seed):
    # YOUR CODE: draw edges, flip cells, return true published edges over published edges
    rng = np.random.default_rng(seed)
    edge = rng.random(cells) < density
    published = edge ^ (rng.random(cells) < p)
    return (edge & published).sum() / published.sum()


check("00-P", simulate)

# %% [markdown]
# The same flip on three graphs: film ratings, the likes of one of our papers, and co-authorship.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
import pandas as pd

from pplab.plots import bars

densities = {
    "film ratings": density,
    "likes": 3_817_840 / (19_724 * 8_523),  # printed in noise-graphs, Section 4.1
    "co-authors": 1_049_866 / (317_080 * 317_079 / 2),  # com-dblp, as its owner states
}
table = pd.DataFrame({"density": densities})
table["share_true"] = [share_true(value, p) for value in table["density"]]
print(table.map("{:.2g}".format))

# %% tags=["real-data"]
figure, axes = new_figure(height=3)
bars(axes, 100 * table["share_true"], label="true among published edges (%)")
axes.set(title=f"The sparser the graph, the more false edges (p = {p:.0%})", ylim=(0, 100))
told = [f"{value:.2%} of published {name} are true" for name, value in table["share_true"].items()]
show(figure, alt=f"Three bars at p = {p:.0%}: {', '.join(told)}.")

# %% [markdown]
# ## What survives: totals
#
# Single edges drown. Is the published table useless? Count what the flips do *on average*: of |E|
# edges the share 1−p is kept, and of the Q−|E| empty cells the share p becomes an edge. So the
# expected number of published edges is
#
# $$\mathbb{E}\,|\tilde E| = (1-p)\,|E| + p\,(Q - |E|) = pQ + (1-2p)\,|E|$$
#
# with Q the number of all cells. p and Q are known. Solve for |E|, and put the counted
# $|\tilde E|$ in place of its expectation:
#
# $$\widehat{|E|} = \frac{|\tilde E| - pQ}{1 - 2p}$$
#
# In words: **subtract the expected noise, then stretch what is left.** Its standard deviation is
# $\sqrt{Q\,p(1-p)}\,/\,(1-2p)$, since each of the Q cells is flipped
# independently, and then moves the count by one, up or down: a variance of $p(1-p)$ each.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from pplab.response import estimate_edges

by_hand, by_library = [], []
for seed in range(100):
    noisy = pplab.bipartite_noise_graph(ratings, flip_probability=p, rng=seed)
    by_hand.append((noisy.nnz - p * cell_count) / (1 - 2 * p))
    by_library.append(estimate_edges(noisy, flip_probability=p).value)
estimates = np.array(by_hand)
deviation = np.sqrt(cell_count * p * (1 - p)) / (1 - 2 * p)
say(f"By hand and by the library the same: {np.allclose(by_hand, by_library)}.")
say(f"A hundred releases: mean {estimates.mean():,.0f}, the truth is {ratings.nnz:,}.")
say(f"Standard deviation: {estimates.std(ddof=1):.0f} counted, **{deviation:.0f}** by the formula.")

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
invented, removed = p * (cell_count - ratings.nnz), p * ratings.nnz
say(f"One release invents about {invented:,.0f} edges and loses about {removed:,.0f}.")
inside = int((abs(estimates - ratings.nnz) < 2 * deviation).sum())
figure, axes = new_figure(height=2.2)
axes.plot(estimates, np.zeros(100), "o", color=COLOURS["blue"], alpha=0.4, markeredgecolor="black")
axes.axvline(ratings.nnz, color="black", linestyle="--")
axes.annotate(" truth", (ratings.nnz, 0.8), xycoords=("data", "axes fraction"))
axes.set(title="Half of the published edges are false, yet the total shows", yticks=[])
axes.set_xlabel("estimated number of edges, one point per release")
spread = f"{inside} of 100 lie within two standard deviations, {2 * deviation:.0f}"
show(figure, alt=f"100 estimates of the total, around the true {ratings.nnz:,}; {spread}.")

# %% [markdown]
# The invented edges and the lost ones do **not** cancel: there are far more of the first. The total
# survives for another reason. We know how many flips to *expect*, and subtract them. What remains
# is chance, the difference between the flips that happened and those expected. It grows only like
# the square root of Q: a few hundred, beside a total of many thousands. Sums and averages can be
# repaired in this way, one cell cannot.
#
# ## Four families, one small graph
#
# This laboratory compares four ways to publish such a table. Here are all four on six users and
# eight items. You need not follow each line: the notebooks to come take them apart.

# %%
small = np.array(
    [
        [5, 3, 4, 0, 0, 0, 0, 0],  # ratings from 1 to 5; 0 is no rating
        [4, 5, 3, 0, 0, 0, 0, 0],
        [3, 5, 5, 0, 0, 0, 1, 0],
        [0, 0, 0, 0, 4, 5, 3, 0],
        [0, 0, 1, 0, 5, 4, 5, 0],
        [0, 0, 0, 0, 3, 5, 4, 5],
    ]
)
likes = (small > 0).astype(int)
flipped = pplab.bipartite_noise_graph(likes, flip_probability=0.1, rng=7).toarray()
filled = np.where(small > 0, small, 3)  # the middle of 1 to 5 where a rating is missing

# %%
shares, means = np.zeros(likes.shape), np.zeros(likes.shape)
for members in ([0, 1, 2], [3, 4, 5]):  # two groups of three users
    shares[members] = likes[members].mean(axis=0)
    means[members] = filled[members].mean(axis=0)
majority = (shares > 0.5).astype(int)
noise = np.random.default_rng(seed=7).laplace(scale=1 / 3, size=(2, 8))  # one draw per group
averages = (shares + np.repeat(noise, 3, axis=0)).round(1) + 0.0  # no minus zero
figure, grid = new_figure(2, 2, width=8, height=5)
cells(grid[0, 0], flipped, title="1 Flip cells", crossed=flipped != likes)
cells(grid[0, 1], averages, title="2 Noisy averages of groups", text="{:.1f}")
cells(grid[1, 0], majority, title="3 Majority in groups")
cells(grid[1, 1], means, title="4 Means in groups", text="{:.1f}")
flips, kinds = int((flipped != likes).sum()), len(np.unique(majority, axis=0))
told = f"release 1 has {flips} flipped cells, crossed; the others have {kinds} kinds of rows"
show(figure, alt=f"Four ways to publish the same six users: {told}.")

# %% [markdown]
# | release | unit | guarantee | who is trusted | insiders learn | a second release |
# |---|---|---|---|---|---|
# | 1 flip cells, p = 1/10 | one edge | odds × 9 | nobody | nothing more | odds × 81 |
# | 2 noisy averages, ε = 1 | one edge | odds × e | the server | nothing more | odds × e² |
# | 3 majority of three | a row | 3 rows alike | the server | a third vote | new votes |
# | 4 means of three | a row | 3 rows alike | the server | a third value | differences |
#
# This is a **release label**. It says what is protected (the *unit*), by how much, who sees the
# original table, what a member of a group learns who subtracts what they know, and what
# publishing twice costs. *odds × 9* compares two tables that differ in one edge, all else fixed.
#
# - *Release 1:* each user can flip at home, so nobody sees the original. Two releases multiply.
# - *Release 2:* a server counts, then adds random noise to each average. Noise can push an average
#   below 0 or above 1.
# - *Release 3:* a group publishes what more than half of it has. Where two members disagree, the
#   third vote decides, so these two know it. No bound on odds is promised.
# - *Release 4:* a mean of three, and two of the values, give the third. When one member changes
#   between two releases, the difference of the means shows that change.
#
# Every release in this laboratory carries such a label. "It is private" says none of these things.
#
# ## Play
#
# **Question:** which pairs of density λ and flip probability p leave **half** of the published
# edges true? Set λ, then look for the p that gives one half; do it again for another λ. The sliders
# appear when you run their cell: Tab reaches one, the arrow keys move it.


# %%
def draw(axes, density, p):
    share = share_true(density, p)
    axes.barh(["edges"], [share], color=COLOURS["blue"], edgecolor="black")
    axes.barh(["edges"], [1 - share], left=[share], color="white", edgecolor="black", hatch="///")
    axes.set_title(f"λ = {density:g}, p = {p:g}: {share:.1%} true", fontsize=9)
    axes.set(xlim=(0, 1), xlabel="share true (filled), false (hatched)", yticks=[])
    prior, factor = density / (1 - density), (1 - p) / p
    return {"density": density, "p": p, "prior": prior, "factor": factor, "true": share}


# %% tags=["widget"]
# NBVAL_IGNORE_OUTPUT
from pplab.widgets import Control, explore, twin

sentence = "Prior odds {prior:.2g} × factor {factor:.3g}: {true:.1%} of published edges are true."
steps = (0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
explore(
    draw,
    say=sentence.format_map,
    height=2,
    density=Control("density λ", steps, 0.1, "sparse: mostly false", "dense"),
    p=Control("flip probability p", steps, 0.05, "more accurate", "more private"),
)

# %% [markdown]
# The same without sliders, three densities (rows) and three flip probabilities (columns):


# %%
# NBVAL_CHECK_OUTPUT
def message(states):
    low, high = states["true"].min(), states["true"].max()
    return f"Nine bars, three densities by three p: at least {low:.1%} true, at most {high:.1%}."


states = twin(draw, alt=message, height=1.5, density=(0.01, 0.05, 0.2), p=(0.01, 0.05, 0.2))
print(states.map("{:.3g}".format).to_string(index=False))

# %% [markdown]
# <details><summary>The answer</summary>
#
# Half of the published edges are true exactly when **p = λ**. Then the two factors
# $\frac{\lambda}{1-\lambda}$ and $\frac{1-p}{p}$ are inverse to each other, and the odds are 1 : 1.
# Said with counts: (1−p)λ of all cells are published and true, p(1−λ) are published and false, and
# these are equal when p = λ. So more flips than there are edges drown the edges. In a sparse graph
# that happens at a small p, long before p hides much.
#
# </details>
#
# **Exercise B (break).** Find a p at which more than half of the film ratings' published edges are
# false, although ε is above 2.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: a flip probability
answer = 0.1
check("00-B", answer)

# %% [markdown]
# ## How to read a verdict
#
# Four papers are reproduced here, one for each family. Each has a short name:
#
# | short name | paper | family | notebooks |
# |---|---|---|---|
# | *noise-graphs* | Salas and Torra 2020 | 1 flip cells | 02, 03 |
# | *social* | Jorgensen and Yu 2014 | 2 noisy averages | 04, 05 |
# | *smooth* | Esfandiari and others 2022 | 3 majority | 06, new-10, new-11, 08 |
# | *microaggregation* | Casino and others 2015 | 4 means | 09, 10, 11 |
#
# A number or a statement that a paper prints is a row of the **claims ledger**, with the rule that
# judges it (committed before its run) and a verdict that the code computes. Where a text is
# unclear, a **reading** is one of the meanings that it may have. The authors ran one program, so a
# reading is tried on all numbers that depend on it together. Here is one row, and then all
# verdicts, with the number of the papers' rows that have them today. (Rows that repeat others, that
# test our program, or that hold claims of this project do not count.)

# %%
# NBVAL_CHECK_OUTPUT
from pplab.ledger.verdicts import VERDICTS

ledger = pplab.claims()
row = ledger.set_index("id").loc["noise-graphs:table-1:p=0.005:epsilon"]
say(f"Row: {row['place']}. Printed {row['published']}, measured {row['measured']}.")
say(f"Rule: {row['rule']}. Verdict: **{row['verdict']}**.")
counts = ledger[ledger["kind"].isin(["number", "statement"])]["verdict"].value_counts()
for verdict, meaning in VERDICTS.items():  # and how many rows have it
    print(f"{counts.get(verdict, 0):4} {verdict:25} {meaning}")

# %% [markdown]
# The rule of the row above, *truncated*, says: the printed digits are ours, cut off. A number is
# *reproduced*, *compatible* or it *differs*. A statement *holds*, is *refuted*, its *proof fails*,
# or it is a *misprint*; where the runs show neither that it is true nor that it is false, it is
# *undecided*. No computation, no verdict. The terminal shows more: `pplab claims` prints the
# ledger, `pplab claims --html` writes a page that sorts and filters, and `pplab claims ID` shows
# one row with the command that reruns it.
#
# **Exercise R (read).** Give each case the verdict that it deserves.

# %%
from pplab_course import MEANINGS

for letter, case in zip("ABCDEFGHIJKL", MEANINGS.values(), strict=True):
    print(letter, case)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: a letter for each verdict but "open", such as {"holds": "A", "misprint": "B", ...}
answer = {"refuted": "A", "reproduced": "B", "shape-only": "C", "not-testable": "D"}
answer |= {"differs": "E", "reproduced-under-reading": "F", "holds": "G", "compatible": "H"}
answer |= {"proof-fails": "I", "misprint": "J", "holds-under-reading": "K", "undecided": "L"}
check("00-R", answer)

# %% [markdown]
# ## The course
#
# | part | notebooks |
# |---|---|
# | begin | **00 Start here**, [01 Privacy by counting](01_privacy_by_counting.ipynb) |
# | flips | 02 Noise graphs, 03 Noise graphs: the experiments |
# | averages | 04 Social recommendation, 05 Social recommendation: the experiments |
# | majorities | 06 The Jaccard bound, 08 Smooth k-anonymity: the experiments |
# | crowds | new-10 A vote that decides, new-11 How good can anybody be? |
# | means | 09 Microaggregation, 10 What means give away, 11 Microaggregation: the experiments |
# | together | 12 One yardstick, 13 Reading the ledger |
#
# Read 00 and 01 first. After 01 you may begin with any part. A student goes on with 01; a reviewer
# opens the ledger, picks a row, and reruns it with the command it names. What this code cannot
# promise is in [the limitations](../docs/LIMITATIONS.md), what an attacker is assumed to know in
# [the attack model](../docs/attack-model.md).
#
# | Sign | Meaning in all notebooks |
# |---|---|
# | $G$, $E$; $\tilde G$, $\tilde E$ | original and published graph, and their edges |
# | n, m, Q = nm | users, items, cells |
# | λ | density, edges per cell |
# | p | probability that a cell flips, at most 1/2 |
# | ε, $e^\varepsilon$ | privacy level and odds factor; here $e^\varepsilon = (1-p)/p$ |
# | k | size of a group of rows that look alike |

# %% [markdown]
# ## Exercises
#
# C, P, B and R stand above, each after its idea. The last one is open: the check looks at the form
# only, and you judge yourself by the three lines that it prints.
#
# - **O (open).** Choose a row of the ledger whose printed value you doubt, before you look at its
#   verdict. The next cell prints a dozen numbers of the four papers; change its 7 to see
#   others. Give the id, what you would expect instead, and the computation that would
#   decide it.

# %%
# NBVAL_CHECK_OUTPUT
other_data = ["shape-only", "not-testable"]  # here nothing can be decided
printed = ledger[(ledger["kind"] == "number") & ~ledger["verdict"].isin(other_data)]
print(printed.iloc[7::16][["id", "setting", "published"]].to_string(index=False))

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: {"claim": id, "expected": a sentence, "decided by": a sentence}
answer = {
    "claim": "noise-graphs:table-1:p=0.4:noise-edges",
    "expected": "p Q, which is smaller: 0.4 times 19,724 users times 8,523 pages",
    "decided by": "the mean and the spread of 100 draws of the noise with the printed sizes",
}
check("00-O", answer)

# %% [markdown]
# ## Quiz
#
# 1. Is a larger ε more private? <details><summary>Answer</summary>No: a larger ε lets a release
#    tell more about an edge.</details>
# 2. Which quantity is λ/(1−λ)? <details><summary>Answer</summary>The prior odds of an edge, before
#    anything is published.</details>
# 3. Why can totals survive when single edges do not? <details><summary>Answer</summary>The expected
#    noise is known and can be subtracted; the rest is small beside a sum.</details>
#
# ## What to remember
#
# - A release multiplies odds; ε says by how much, where cells are independent.
# - Sparse graphs start with tiny odds: half of what is published is true at p = λ.
# - Sums survive, because the expected noise can be subtracted.
#
# ## References
#
# The four papers:
#
# - *noise-graphs*: Salas and Torra 2020, *Differentially private graph publishing and randomized
#   response for collaborative filtering*,
#   [doi 10.5220/0009833804150422](https://doi.org/10.5220/0009833804150422).
# - *social*: Jorgensen and Yu 2014, *A privacy-preserving framework for personalized, social
#   recommendations*, [doi 10.5441/002/edbt.2014.51](https://doi.org/10.5441/002/edbt.2014.51).
# - *smooth*: Esfandiari, Epasto, Mirrokni and Munoz Medina 2022, *Smooth anonymity for sparse
#   graphs*, [arXiv 2207.06358](https://arxiv.org/abs/2207.06358).
# - *microaggregation*: Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, *A k-anonymous
#   approach to privacy preserving collaborative filtering*,
#   [doi 10.1016/j.jcss.2014.12.013](https://doi.org/10.1016/j.jcss.2014.12.013).
#
# Besides:
#
# - Warner 1965, *Randomized response*,
#   [doi 10.1080/01621459.1965.10480775](https://doi.org/10.1080/01621459.1965.10480775).
# - Harper and Konstan 2015, *The MovieLens datasets*,
#   [doi 10.1145/2827872](https://doi.org/10.1145/2827872).
