# %% [markdown]
# # 02 Noise graphs: much noise is not yet privacy
#
# ## What you will be able to do
#
# - add two graphs, and compute how many edges a noise graph leaves;
# - state the privacy level of an edge, of a user and of an item;
# - find the leak of the weighted mechanism, with its pair of inputs and its output;
# - compute the two risk measures of the paper by hand, and on real ratings.
#
# ## What you need
#
# Notebook [00](00_start_here.ipynb): density λ, flip probability p, odds. Besides: a mechanism is
# *ε-private* for a unit when, for any two inputs that differ in one such unit and for **every**
# output, the probabilities of that output differ at most by the factor $e^\varepsilon$.
# **75 minutes.**

# %% [markdown]
# ## Break something: predict, then run
#
# The paper *noise-graphs* (Salas and Torra 2020) protects film ratings by adding a noise graph:
# in each cell, with probability p, a made-up rating is added to what is there. At p = 4/10 about
# nine in ten published ratings are made up. That sounds safe.
#
# Look at a cell that was published **empty**. **How probable is it that the user had rated that
# film with 1, 2, 3 or 4?** Write your number down, then run.

# %%
my_prediction = 0.05  # your own number here, between 0 and 1

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from IPython.display import Markdown, display

import pplab


def say(text):  # a sentence with numbers from the run
    display(Markdown(text))


movielens = pplab.load_dataset("movielens-100k", split="u1.base")
ratings = movielens.ratings
published = pplab.weighted_noise_graph(ratings, flip_probability=0.4, top_rating=5, rng=1)
stored, rated = published.toarray() != 0, ratings.toarray()
true, empty = int((stored & (rated > 0)).sum()), int((~stored).sum())
hidden = int((~stored & (rated > 0) & (rated < 5)).sum())
say(f"{1 - true / stored.sum():.0%} of {stored.sum():,} published ratings are made up.")
say(f"**{hidden}** of {empty:,} empty cells hide a 1, 2, 3 or 4; you said {my_prediction:.0%}.")

# %% [markdown]
# None, whatever the seed and however large p. An empty cell *proves* that there was no such
# rating. Much noise, and still a certain conclusion: the rest of this notebook says why, and how
# much of the paper stands.
#
# ## Define: adding graphs
#
# The sum $G \oplus g$ of two graphs on the same nodes has the edges that are in exactly one of
# them: $E(G \oplus g) = (E \setminus E_g) \cup (E_g \setminus E)$. In words: where both have an
# edge, it vanishes. The **noise-graph mechanism** draws g at random, each cell with probability p,
# and publishes $\tilde G = G \oplus g$ (Definitions 1, 2 and 7).

# %%
import numpy as np

from pplab.plots import cells, new_figure, show

rows = ["11100000", "11100000", "11100010", "00001110", "00101110", "00001111"]
graph = np.array([[int(digit) for digit in row] for row in rows])
noise = (np.random.default_rng(seed=3).random(graph.shape) < 0.2).astype(int)
total = graph ^ noise
figure, axes = new_figure(1, 3, width=9, height=2.6)
cells(axes[0], graph, title=f"G: {graph.sum()} edges")
cells(axes[1], noise, title=f"g: {noise.sum()} edges")
cells(axes[2], total, title=f"G ⊕ g: {total.sum()} edges (crosses: g)", crossed=noise > 0)
gone = int((graph & noise).sum())
message = f"Of {noise.sum()} noise edges {gone} remove an edge, {noise.sum() - gone} add one."
show(figure, alt=message)
say(message)

# %% [markdown]
# The same thing has three names. **Noise graph**: draw g, add it. **Cell flips**: turn each cell
# over with probability p. **Randomized response**: replace each cell with probability ρ = 2p by the
# toss of a fair coin. Write down the probability of every published answer for one cell, exactly:

# %%
# NBVAL_CHECK_OUTPUT
from fractions import Fraction

from pplab.response import BipartiteNoiseGraph

p = Fraction(1, 10)
rho = 2 * p
for truth in (0, 1):
    added = BipartiteNoiseGraph(p).distribution([[truth]])
    flips = {truth: 1 - p, 1 - truth: p}
    coin = {answer: (1 - rho) * (answer == truth) + rho / 2 for answer in (0, 1)}
    for answer in (0, 1):
        print(truth, "->", answer, ":", added[((answer,),)], flips[answer], coin[answer])

# %% [markdown]
# Three equal columns. Publishing "edge" has probability 9/10 or 1/10, so the odds move by 9 at
# most: $\varepsilon = \ln\frac{1-p}{p}$ for one edge, which is Theorem 1
# (row `noise-graphs:theorem-1` of the ledger).
#
# ## How many edges?
#
# The noise graph has pQ edges on average. Edges stay with probability 1−p, empty cells are filled
# with probability p:
#
# $$\mathrm{E}|\tilde E| = (1-p)\,|E| + p\,(Q - |E|) = |E| + p\,(Q - 2|E|)$$


# %%
# NBVAL_CHECK_OUTPUT
def expected_edges(edges, cells, p):
    return edges + p * (cells - 2 * edges)


p, draws = 0.2, []
for seed in range(400):
    draws.append(pplab.bipartite_noise_graph(graph, flip_probability=p, rng=seed).nnz)
expected, mean, sd = expected_edges(graph.sum(), graph.size, p), np.mean(draws), np.std(draws)
figure, axes = new_figure(height=2.6)
axes.hist(draws, bins=np.arange(10.5, 36.5), color="#56B4E9", edgecolor="black")
axes.axvline(expected, color="black", linestyle="--")
axes.annotate(f" expected {expected:.1f}", (expected, 0.92), xycoords=("data", "axes fraction"))
axes.set(xlabel="published edges", ylabel="releases (of 400)")
axes.set_title(f"A graph with {graph.sum()} edges gains some (p = {p:g})")
show(figure, alt=f"Histogram of published edges: mean {mean:.1f}, standard deviation {sd:.1f}.")
say(f"Expected {expected:.1f}; mean of {len(draws)} releases {mean:.2f}.")

# %% [markdown]
# ## Which unit?
#
# One edge is one cell. A *user* is a whole row of m cells, an *item* a whole column of n cells,
# a node of an undirected graph its n−1 possible edges. When d cells may differ, the odds of one
# output multiply: level d·ε. The paper prints n·ε for a node (Theorem 2) and says that everything
# carries over to users and items. Enumerate a table with one user and two items (n = 1, m = 2):

# %%
# NBVAL_CHECK_OUTPUT
p = Fraction(1, 4)
one, other = (BipartiteNoiseGraph(p).distribution([row]) for row in ([0, 0], [1, 1]))
for output in one:
    print(output[0], one[output], other[output], "odds", one[output] / other[output])
worst = max(max(one[o] / other[o], other[o] / one[o]) for o in one)
allowed = ((1 - p) / p) ** 1  # n·ε with n = 1, as odds
say(f"Worst odds **{worst} : 1**; the printed n·ε allows {allowed} : 1.")

# %% [markdown]
# Two cells changed, so the odds were squared. The bound n·ε holds for users only while m is not
# above n; the level of a user is **m·ε**, of an item **n·ε**, of a node **(n−1)·ε** (rows
# `noise-graphs:theorem-2` and `noise-graphs:theorem-2:bipartite-user`).
#
# ## Ratings: the fuzzy exclusive or
#
# Ratings have no "flip". The paper turns a rating r on a scale up to L into a weight $x = r/L$ and
# adds weights by a fuzzy exclusive or:
#
# $$x \oplus y = T\big(S(x,y),\, 1 - T(x,y)\big), \qquad T = \min,\ S = \max$$
#
# In words: one or the other, and not both. A cell that only one of the two graphs has keeps its
# weight. Back on the scale of ratings:

# %%
# NBVAL_CHECK_OUTPUT
import pandas as pd

from pplab.response import fuzzy_xor


def xor_table(norm, top=5):
    weights = [Fraction(rating, top) for rating in range(top + 1)]
    rows = [[float(top * fuzzy_xor(x, y, norm=norm)) for y in weights] for x in weights]
    return pd.DataFrame(rows)


norms = ("min-max", "product", "lukasiewicz")
figure, axes = new_figure(1, 3, width=9.5, height=3.4)
for place, norm in enumerate(norms):
    cells(axes[place], xor_table(norm), title=f"T: {norm}", text="{:.1f}", numbered=True)
    axes[place].set(xlabel="noise rating", ylabel="true rating")
zeros = [int((xor_table(norm) == 0).to_numpy().sum()) for norm in norms]
show(figure, alt=f"Three tables, true rating xor noise rating; zeros in each: {zeros}.")
print(xor_table("min-max").astype(int))

# %% [markdown]
# Read the first table by its diagonal: 1⊕1 = 1, 3⊕3 = 2, and only 5⊕5 is 0. All three tables are 0
# in two corners only: nothing meets nothing, or full meets full. So a rating is lost **only** when
# both weights are the largest, and even then a 0 is written, not an empty cell.
#
# ## The leak, on one cell
#
# A mechanism is as private as its worst output. List all of them for one cell, under two inputs:
# no rating, and a 4. Noise ratings are drawn from 1 to 5 here, each alike.

# %%
# NBVAL_CHECK_OUTPUT
from pplab.response import WeightedNoiseGraph


def leak_table(p, norm="min-max"):
    mechanism = WeightedNoiseGraph(p, top_rating=5, norm=norm, noise_weights="uniform")
    inputs = {"truth: none": [[0]], "truth: 4": [[4]]}
    table = pd.DataFrame(index=["empty", 1, 2, 3, 4, 5], columns=list(inputs), data=Fraction(0))
    for name, cell in inputs.items():
        for ((answer,),), share in mechanism.distribution(cell).items():
            table.loc["empty" if answer is None else answer, name] = share
    return table.rename_axis("published")


print(leak_table(Fraction(1, 4)).to_string())

# %% [markdown]
# Look at the row *empty*: probability 3/4 when there was no rating, and **0** when there
# was a 4. No finite $e^\varepsilon$ times 0 reaches 3/4, so ε is infinite. More noise or another
# norm does not help, because no zero moves:

# %%
# NBVAL_CHECK_OUTPUT
for norm in norms:
    for p in (Fraction(1, 10), Fraction(2, 5), Fraction(1, 2)):
        table = leak_table(p, norm).loc["empty"]
        print(f"{norm:12} p = {float(p):.1f}: empty has", *table.tolist())
own = WeightedNoiseGraph(Fraction(1, 4), top_rating=5, noise_weights="empirical")
print("noise from the data's own ratings, [4, none]:", end=" ")
print(sorted({out[0][1] for out in own.distribution([[4, 0]])} - {None}))

# %% [markdown]
# The last line is a second leak. The paper draws noise ratings from the data's own ratings. In a
# table whose only rating is a 4, only a 4 can be made up: an unused rating never appears.
#
# The authors name ε-privacy of the weighted mechanism as future work
# (`noise-graphs:section-5:weighted-future-work`). As run, the answer is no. There is a repair that
# answers every cell from the same list of answers; a later notebook proves it, and exercise D below
# lets you design one. The release labels so far:
#
# | release | unit | guarantee | who is trusted | insiders learn | a second release |
# |---|---|---|---|---|---|
# | flipped cells | one edge | odds × (1−p)/p | nobody | nothing more | odds squared |
# | weighted noise | one edge | none | the server | which cells were empty | more empty cells |
#
# ## Two measures of risk
#
# **Sensitive attribute risk** of a user, from the true records N(G) and the noise N(g) in the row
# (Definition 11), and **imprecision**, the mean error of the weights (Definition 13):
#
# $$SA_R(u) = \frac{|N_G(u)|}{|N_g(u)| + |N_G(u)|} \qquad
# SA_I = \frac{1}{|E \cup \tilde E|} \sum_{e \in E \cup \tilde E} |\tilde w(e) - w(e)|$$
#
# A high SA_R means that more of the published records are true; a high SA_I that weights are far
# off. By hand, for two users and four films:

# %%
# NBVAL_CHECK_OUTPUT
truth, release = np.array([[5, 3, 4, 0], [0, 4, 0, 0]]), np.array([[5, 3, 4, 2], [1, 4, 0, 3]])
true, new = (truth > 0).sum(axis=1), ((release > 0) & (truth == 0)).sum(axis=1)
by_hand = true / (true + new)
error = np.abs(release - truth)[(truth > 0) | (release > 0)].mean()
print("SA_R", by_hand.round(3), pplab.sensitive_attribute_risk(truth, release).round(3))
print("SA_I", error.round(3), round(pplab.sensitive_attribute_imprecision(truth, release), 3))
print(f"mean of users {by_hand.mean():.3f}, ratio of totals {true.sum() / (true + new).sum():.3f}")

# %% [markdown]
# The mean over users lies below the ratio of the totals: a user with few ratings hides well and
# counts as much as one with many. The paper reports the mean over users.
#
# ## The real ratings
#
# Six flip probabilities, as in the paper's Tables 3 and 5 and Figure 2. Noise ratings come from the
# data, and SA_R counts every noise edge that was drawn. One release for each p, beside the printed
# numbers; the ledger judges them over many releases, for example with the command
# `pplab claims noise-graphs:figure-2:p=0.1:mean-risk`.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
printed, lines = pplab.claims().set_index("id")["published"], []
for p in (0.005, 0.05, 0.1, 0.2, 0.3, 0.4):
    mechanism = WeightedNoiseGraph(p, top_rating=5)
    noise = mechanism.draw_noise(ratings, rng=1)
    release = mechanism.add(ratings, noise)
    risk = pplab.sensitive_attribute_risk(ratings, release, noise=noise).mean()
    error = pplab.sensitive_attribute_imprecision(ratings, release)
    claims = (f"figure-2:p={p:g}:mean-risk", f"table-5:p={p:g}:imprecision")
    theirs = [printed[f"noise-graphs:{claim}"] for claim in claims]
    lines.append([f"{p:g}", release.nnz, f"{risk:.2f}", theirs[0], f"{error:.2f}", theirs[1]])
names = ["p", "published edges", "mean SA_R", "paper's SA_R", "SA_I", "paper's SA_I"]
print(pd.DataFrame(lines, columns=names).to_string(index=False))

# %% tags=["real-data"]
from pplab.experiments.noise_graphs import risk_distribution
from pplab.plots import curves, end_labels

risks = risk_distribution(movielens, rng=1)
figure, axes = new_figure(width=7, height=4)
curves(axes, risks, x="value", y="share", by="p")
axes.set(xscale="log", ylabel="share of users", title="More noise hides everyone better (boxes: p)")
axes.set_xticks([0.01, 0.03, 0.1, 0.3, 1], ["0.01", "0.03", "0.1", "0.3", "1"])
axes.set_xlabel("SA_R: share of true records of a user (log scale)", labelpad=18)
end_labels(axes, "better hidden", "more exposed")
middle = risks[risks["share"] == 0.5].set_index("p")["value"]
text = f"The median SA_R falls from {middle.max():.2f} at p = 0.005 to {middle.min():.2f} at 0.4."
show(figure, alt=text)
say(text)

# %% [markdown]
# A user further right has more true records among the false ones: more noise moves everybody to the
# left. But the empty cells still speak for everybody, and SA_R does not look at them.
#
# ## Play
#
# **Question:** is there a p, up to 1/2, that closes the leak? And what do you pay on the way: how
# often is a 4 still published as a 4? Reach the slider with Tab, move it with the arrow keys, watch
# the bars over *empty*. The slider appears when you run its
# cell; the grid below it shows the same for six steps.


# %%
def draw(axes, p):
    table = leak_table(Fraction(p).limit_denominator(1000)).astype(float)
    none, four, places = table["truth: none"], table["truth: 4"], np.arange(6)
    axes.bar(places - 0.2, none, 0.4, color="#56B4E9", edgecolor="black")
    axes.bar(places + 0.2, four, 0.4, color="#D55E00", edgecolor="black", hatch="//")
    axes.text(-0.4, none["empty"] + 0.02, "truth: none", fontsize=8)
    axes.text(3.5, four[4] + 0.02, "truth: a 4", fontsize=8)
    axes.text(0.1, 0.02, f"{four['empty']:g}", fontweight="bold")
    axes.set_xticks(places, table.index)
    axes.set(ylim=(0, 1.25), xlabel="published", ylabel="probability", title=f"p = {p:g}")
    return {"p": p, "flip odds": (1 - p) / p, "empty if 4": four["empty"], "4 stays": four[4]}


# %% tags=["widget"]
# NBVAL_IGNORE_OUTPUT
from pplab.widgets import Control, explore, twin

sentence = (
    "p = {p:g}: a 4 stays a 4 with probability {4 stays:.2f} and is empty with {empty if 4:g}: "
    "odds ∞ : 1. Plain flips at this p: odds {flip odds:.3g} : 1."
)
values = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
control = Control("flip probability p", values, 0.1, "more accurate", "flips: more private")
explore(draw, say=sentence.format_map, p=control)


# %%
# NBVAL_CHECK_OUTPUT
def message(states):
    text = "Six panels: the hatched bar over empty is {:g} throughout, over 4 it falls to {:.2f}."
    return text.format(states["empty if 4"].max(), states["4 stays"].min())


states = twin(draw, alt=message, p=(0.005, 0.05, 0.1, 0.2, 0.4, 0.5))
print(states.round(3).to_string(index=False))

# %% [markdown]
# No p closes it: the bar over *empty* has height 0 for a 4 in every panel, while flips of plain
# edges become private as p grows.
#
# ## Exercises
#
# - **R (recall).** m·ε is the level of which unit: edge, user or item?
# - **C (compute).** Expected published edges for Q = 20 cells, 6 edges, p = 1/4.
# - **P (prove by code).** Write `zeros(norm, top)`: the list of all pairs (r, s) of ratings from 0
#   to `top` whose fuzzy xor is 0. It is run on the three norms above, and on scales you have not
#   seen.
# - **B (break).** The smallest bipartite graph, as (users, items), for which "a user has level n·ε"
#   is false.
# - **D (design).** A mechanism with two stages: presence flips with probability p; a rating that
#   stays is answered from 1 to 5, the true one $e^{\varepsilon_2}$ times as likely as each other;
#   an invented rating is uniform. Find (p, $e^{\varepsilon_2}$) with worst odds of exactly 19 for
#   a cell, under 300 thousand published ratings on average (80 thousand edges,
#   $943 \times 1650$ cells), and a rating that stays keeps its value with probability at least 1/2.
# - **O (open).** Can *any* ε-private response on cells publish a sparse graph? Argue in a few
#   sentences.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
from pplab import check

# YOUR CODE: a word in quotes
answer = "user"
check("02-R", answer)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: a number
answer = expected_edges(6, 20, Fraction(1, 4))
check("02-C", answer)


# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
def zeros(norm, top):
    # YOUR CODE: all pairs (r, s) with r/top ⊕ s/top = 0
    weights = [Fraction(rating, top) for rating in range(top + 1)]
    pairs = [(x, y) for x in weights for y in weights if fuzzy_xor(x, y, norm=norm) == 0]
    return [(int(x * top), int(y * top)) for x, y in pairs]


check("02-P", zeros)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: a pair (users, items)
answer = (1, 2)
check("02-B", answer)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: a pair (p, e^ε₂), by hand: compare a kept rating with an invented one.
second, levels = Fraction(4), 5
kept = second / (second + levels - 1)  # the true value, when the rating stays
# worst odds 19 = (1 - p) kept / (p / levels), solved for the odds of p
odds = 19 / (levels * kept)
answer = (1 / (1 + odds), second)
check("02-D", answer)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: your argument, in quotes
answer = """
Take the output "edge" of one cell under two inputs: with an edge and without. Their ratio is at
most e^ε. So an empty cell is published as an edge at least with probability (1 - f) / e^ε, where f
is the probability that a true edge is lost. Of Q cells most are empty: about Q (1 - f) / e^ε false
edges appear. That is few only if ε is above ln(Q / |E|), or if most true edges are lost.
"""
check("02-O", answer)

# %% [markdown]
# ## Quiz
#
# 1. Why must Definition 8 say ∩ where both weights are added, and not ∪?
#    <details><summary>Answer</summary>Both weights exist only where both graphs have the
#    edge.</details>
# 2. Does p → 1/2 cure the weighted leak? <details><summary>Answer</summary>No: the zero
#    stays.</details>
# 3. What does a high SA_R mean? <details><summary>Answer</summary>More of the published records are
#    true.</details>
#
# ## What to remember
#
# - Never removing an edge is a proof of absence.
# - Range of answers first, noise second.
# - Repair costs sparsity.
#
# ## References
#
# - Salas and Torra 2020, *Differentially private graph publishing and randomized response for
#   collaborative filtering*, [doi 10.5220/0009833804150422](https://doi.org/10.5220/0009833804150422).
# - Klir and Yuan 1995, *Fuzzy Sets and Fuzzy Logic*, for t-norms and their duals.
# - Warner 1965, *Randomized response*,
#   [doi 10.1080/01621459.1965.10480775](https://doi.org/10.1080/01621459.1965.10480775).
# - Harper and Konstan 2015, *The MovieLens datasets*,
#   [doi 10.1145/2827872](https://doi.org/10.1145/2827872).
