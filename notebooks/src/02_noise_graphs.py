# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 02 Noise graphs
#
# **A lot of noise is not enough for privacy.** We prove that a mechanism from a paper reveals some
# facts with certainty. Then we repair the mechanism.

# %% [markdown] slideshow={"slide_type": "notes"}
# # 02 Noise graphs: a lot of noise is not enough for privacy
#
# *Edition 2, part 1 of 6: a promise for an edge. Core track.*
#
# ## What you will be able to do
#
# - state the privacy level of an edge, of a user and of an item;
# - find two inputs and one output that prove that the weighted mechanism leaks;
# - compute the two risk measures of the paper by hand;
# - repair the mechanism, derive the exact level of the repair, and state its price.
#
# ## What you need
#
# You should know ε, odds, units and `exact_epsilon` from notebook
# [01](01_privacy_by_counting.ipynb).
#
# **Minutes (estimates):** about 50 to read, about 75 for the exercises.

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Break something: predict, then run
#
# The paper *noise-graphs* (Salas and Torra 2020) protects film ratings by adding a noise graph: in
# each cell, with probability p, the mechanism adds a made-up rating to the content of the cell. At
# p = 4/10, most published ratings are made up.
#
# Look at a cell that is published **empty**, that is, without a record. **How probable is it that
# the user had rated that film?** Write your number down.

# %%
my_prediction = 0.05  # your own number here, between 0 and 1

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## An empty cell
#
# In each cell, with probability p, a made-up rating is added to the content of the cell. At p =
# 4/10, most published ratings are made up. Look at a cell that was published **empty**.
#
# **How probable is it that the user had rated that film?**

# %% slideshow={"slide_type": "fragment"} tags=["real-data", "nbval-check-output"]
import pplab
from pplab_course import say

movielens = pplab.load_dataset("movielens-100k", split="u1.base")
ratings = movielens.ratings
published = pplab.weighted_noise_graph(ratings, flip_probability=0.4, top_rating=5, rng=1)
pattern = published.copy()
pattern.data[:] = 1  # 1 for every published record, whatever its rating
recorded, rated = pattern.toarray() > 0, ratings.toarray() > 0
made_up, hidden = (recorded & ~rated).sum(), (~recorded & rated).sum()
say(f"{made_up / published.nnz:.0%} of {published.nnz:,} published ratings are made up.")
say(f"**{hidden}** of {(~recorded).sum():,} empty cells hid ratings; you said {my_prediction:.0%}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# An empty published cell *proves* that the user had not rated the film. (A published rating of 0 is
# a record, so its cell is not empty.)
#
# ## Define: adding graphs
#
# The sum $G \oplus g$ of two graphs on the same nodes consists of the edges that are in exactly one
# of the two graphs: $E(G \oplus g) = (E \setminus E_g) \cup (E_g \setminus E)$. The **noise-graph
# mechanism** generates a random graph g that contains each possible edge with probability p, and
# publishes $\tilde G = G \oplus g$.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Adding graphs
#
# $G \oplus g$ consists of the edges that are in exactly one of the graphs G and g (the noise
# graph):

# %% slideshow={"slide_type": "-"} tags=["hide-input"]
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
message = f"G, g and their sum: of {noise.sum()} noise edges, {gone} remove an edge of G, and "
message += f"{noise.sum() - gone} add one."
show(figure, alt=message)
say(message)

# %% [markdown] slideshow={"slide_type": "notes"}
# This mechanism has three names. **Noise graph**: generate g and add it to G. **Cell flips**: flip
# each cell with probability p. **Randomized response**: replace each cell, with probability 2p, by
# the toss of a fair coin. For one cell, the exact probabilities are:

# %% tags=["nbval-check-output"]
from fractions import Fraction

from pplab.response import BipartiteNoiseGraph, FairCoin

tenth = Fraction(1, 10)
for truth in (0, 1):
    print("truth", truth, "noise graph", BipartiteNoiseGraph(tenth).distribution([[truth]]))
    coin = FairCoin(replacement_probability=2 * tenth)
    print("truth", truth, "fair coin  ", coin.distribution([[truth]]))

# %% [markdown] slideshow={"slide_type": "notes"}
# So $\varepsilon = \ln\frac{1-p}{p}$ for one edge (Theorem 1). In a table of Q cells, a true edge
# stays with probability 1−p, and an empty cell becomes an edge with probability p:
#
# $$\mathrm{E}|\tilde E| = (1-p)\,|E| + p\,(Q - |E|) = |E| + p\,(Q - 2|E|)$$

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## One mechanism, three names
#
# Noise graphs, cell flips and randomized response are one mechanism. For one edge
#
# $$\varepsilon = \ln\frac{1-p}{p}, \qquad \mathrm{E}|\tilde E| = |E| + p\,(Q - 2|E|)$$


# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
def expected_edges(edges, cells, p):
    return edges + p * (cells - 2 * edges)


counts = []
for seed in range(400):
    counts.append(pplab.bipartite_noise_graph(graph, flip_probability=0.2, rng=seed).nnz)
expected = expected_edges(graph.sum(), graph.size, 0.2)
say(f"Expected {expected:.1f} edges; mean of {len(counts)} releases {np.mean(counts):.2f}.")

# %% [markdown]
# **Exercise 02-C (compute).** How many edges are published on average, for Q = 20 cells, 6 true
# edges and p = 1/4?

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: a number
answer = expected_edges(6, 20, Fraction(1, 4))
check("02-C", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Which unit?
#
# In a table of n users and m items, the unit *user* is a row of m cells, and the unit *item* is a
# column of n cells. In a graph of n nodes, the unit *node* is n−1 possible edges. The paper states
# the level ε for an edge (Theorem 1) and n·ε for a node (Theorem 2), and says that both theorems
# also hold for users and items. We enumerate all cases with p = 1/4:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Which unit?
#
# As a unit, a user is a row of m cells, an item is a column of n cells, and a node is n − 1
# possible edges. The level that the paper prints for a user is false if m exceeds n:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
import pandas as pd

from pplab import exact_epsilon
from pplab.response import NoiseGraph

quarter = Fraction(1, 4)
cases = [  # data, shape, unit, printed level in ε
    ("4 nodes", 4, "node", 4),
    ("2 users, 3 items", (2, 3), "edge", 1),
    ("2 users, 3 items", (2, 3), "item", 2),
    ("3 users, 2 items", (3, 2), "user", 3),
    ("2 users, 3 items", (2, 3), "user", 2),
]
lines = []
for data, shape, unit, level in cases:
    mechanism = NoiseGraph(quarter) if shape == 4 else BipartiteNoiseGraph(quarter)
    worst = exact_epsilon(mechanism, shape=shape, unit=unit).odds
    lines.append((data, unit, f"{worst} : 1", f"{3**level} : 1", worst <= 3**level))
pd.DataFrame(lines, columns=["data", "unit", "worst odds", "printed bound", "holds"])

# %% [markdown] slideshow={"slide_type": "notes"}
# For users, the printed bound holds only if m is at most n. The exact level is **m·ε** for a user,
# **n·ε** for an item, and **(n−1)·ε** for a node.
#
# <details><summary>In the ledger</summary>
#
# `noise-graphs:theorem-1`, `noise-graphs:theorem-1:bipartite`, `noise-graphs:theorem-2` and
# `noise-graphs:theorem-2:bipartite-item` hold. `noise-graphs:theorem-2:bipartite-user` holds only
# if n counts users and items together; `noise-graphs:theorem-2:bipartite-user-repaired`, with m
# instead of n, holds. `noise-graphs:section-2.1:coin-replacement` is about the three names.
#
# </details>
#
# **Exercise 02-R (recall).** Which unit has level m·ε: an edge, a user or an item?

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a word in quotes
answer = "user"
check("02-R", answer)

# %% [markdown]
# **Exercise 02-B (break).** What is the smallest bipartite graph for which "a user has level n·ε"
# is false?

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a pair (users, items)
answer = (1, 2)
check("02-B", answer)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ratings: one or the other, and not both
#
# A rating r on a scale up to L becomes a weight r/L. Weights are added by a fuzzy "exclusive or":
#
# $$x \oplus y = T\big(S(x,y),\, 1 - T(x,y)\big)$$

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Ratings: the fuzzy exclusive or
#
# A rating cannot be flipped. The paper turns a rating r on a scale up to L into a weight $x = r/L$,
# and adds weights by a fuzzy "exclusive or":
#
# $$x \oplus y = T\big(S(x,y),\, 1 - T(x,y)\big)$$
#
# T is a **t-norm**, an "and" for weights between 0 and 1, and S is the matching "or": $S(x,y) = 1 -
# T(1-x, 1-y)$. The paper uses the first row of this table:
#
# | name | T(x, y) | S(x, y) |
# |---|---|---|
# | min-max | min(x, y) | max(x, y) |
# | product | xy | x + y − xy |
# | Lukasiewicz | max(0, x + y − 1) | min(1, x + y) |
#
# A record that is in only one of the two graphs keeps its weight. These are the sums of two ratings
# under min-max:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Where a 5 meets a 5, a 0 is published
#
# Rows and columns are the two ratings that are added; T is the minimum, and S is the maximum.


# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
def min_max_xor(x, y):  # the formula, with T = min and S = max
    both = min(x, y)
    either = max(x, y)
    return min(either, 1 - both)


table = pd.DataFrame(0, index=range(6), columns=range(6))
for r in table.index:
    for s in table.columns:
        table.loc[r, s] = int(5 * min_max_xor(Fraction(r, 5), Fraction(s, 5)))
table

# %% [markdown] slideshow={"slide_type": "notes"}
# On the diagonal, 1⊕1 = 1, 3⊕3 = 2, and 5⊕5 = 0. So a published rating of 0 reveals that the true
# rating was a 5. No record ever vanishes.
#
# <details><summary>In the ledger</summary>
#
# Definition 8 adds two weights for each edge of the union E₁ ∪ E₂, but only edges of the
# intersection have two weights (a misprint without
# consequence, `noise-graphs:definition-8:common-edges`).
#
# </details>
#
# **Exercise 02-P (prove by code).** Write `zeros(xor, top)`, which returns all pairs (r, s) of
# ratings from 0 to `top` for which `xor(r/top, s/top)` is 0. Like `min_max_xor`, `xor` is a
# function of two weights. The check also uses other functions and scales.


# %% tags=["solution", "nbval-check-output"]
def zeros(xor, top):
    # YOUR CODE: all pairs (r, s) with xor(r/top, s/top) = 0
    result = []
    for r in range(top + 1):
        for s in range(top + 1):
            if xor(Fraction(r, top), Fraction(s, top)) == 0:
                result.append((r, s))
    return result


check("02-P", zeros)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## The leak, on one cell
#
# We list all outputs of one cell under three inputs: no rating, a 4, and a 5. Noise ratings are
# uniform from 1 to 5 here.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The leak, on one cell
#
# **Which row shows that no finite ε is possible?**

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from pplab.response import WeightedNoiseGraph


def answers(mechanism, truth, listed):  # truth 0: no rating; answer None: an empty cell
    law, chances = mechanism.distribution([[truth]]), {}
    for answer in listed:
        name = "empty" if answer is None else answer
        chances[name] = law.get(((answer,),), Fraction(0))
    return chances


uniform = WeightedNoiseGraph(Fraction(1, 4), top_rating=5, noise_weights="uniform")
every = pd.DataFrame()
for truth, name in ((0, "no rating"), (4, "a 4"), (5, "a 5")):
    every[name] = pd.Series(answers(uniform, truth, (None, 0, 1, 2, 3, 4, 5)))
every

# %% [markdown] slideshow={"slide_type": "notes"}
# The output *empty* has probability 3/4 if there was no rating, and probability **0** if there was
# a rating. For any finite ε, $e^\varepsilon$ times 0 is 0, which is less than 3/4. So ε is
# infinite.
#
# Would a different norm or a larger p help? We also try Hamacher's norm, T = xy / (x + y − xy):

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## A record never vanishes
#
# The output *empty* has probability 3/4 if there was no rating, and probability 0 if there was a
# rating:
#
# $$\frac34 \;\le\; e^\varepsilon \cdot 0 \quad\text{for no } \varepsilon$$
#
# Neither a larger p nor another norm helps.

# %% tags=["nbval-check-output"]
from pplab_papers.noise_graphs import weighted_refutation

for p in (Fraction(1, 10), Fraction(1, 2)):
    for norm, found in weighted_refutation(flip_probability=p).items():
        print(f"p = {p!s:4} {norm:11} odds {found.odds} : 1", *found.pair, "at", found.output)

# %% [markdown] slideshow={"slide_type": "notes"}
# The worst pair is always an empty cell (`None`) and a rating, and the worst output is an empty
# cell.
#
# <details><summary>In the ledger</summary>
#
# The paper leaves the ε of the weighted mechanism to future work. It is infinite at every p:
# `noise-graphs:section-5:weighted-future-work`.
#
# </details>
#
# ## Two measures of risk
#
# The **sensitive attribute risk** of a user compares the true records $N_G(u)$ with the noise edges
# $N_g(u)$ in the user's row, including noise edges that are added to a rating (Definition 11).
# **Imprecision** is the mean error of the weights (Definition 13). Here the weight w is the rating,
# or 0 if there is no rating:
#
# $$SA_R(u) = \frac{|N_G(u)|}{|N_g(u)| + |N_G(u)|} \qquad
# SA_I = \frac{1}{|E \cup \tilde E|} \sum_{e \in E \cup \tilde E} |\tilde w(e) - w(e)|$$
#
# In one cell of this example, a noise rating of 3 is added to a 3, and 3⊕3 = 2:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Two measures of risk
#
# $$SA_R(u) = \frac{|N_G(u)|}{|N_g(u)| + |N_G(u)|} \qquad
# SA_I = \frac{1}{|E \cup \tilde E|} \sum_{e \in E \cup \tilde E} |\tilde w(e) - w(e)|$$
#
# More noise lowers $SA_R$ for every user. An empty cell still proves that there was no rating, and
# $SA_R$ ignores empty cells.

# %% tags=["nbval-check-output"]
truth = np.array([[5, 3, 4, 0], [0, 4, 0, 0]])
noise = np.array([[0, 3, 0, 2], [1, 0, 0, 3]])
release = np.array([[5, 2, 4, 2], [1, 4, 0, 3]])
true = (truth > 0).sum(axis=1)
drawn = (noise > 0).sum(axis=1)
by_hand = true / (drawn + true)
error = np.abs(release - truth)[(truth > 0) | (release > 0)].mean()
risk = pplab.sensitive_attribute_risk(truth, release, noise=noise)
imprecision = pplab.sensitive_attribute_imprecision(truth, release)
print("SA_R", by_hand.round(3), "library", risk.round(3))
print("SA_I", error.round(3), "library", round(imprecision, 3))

# %% [markdown] slideshow={"slide_type": "notes"}
# More noise lowers SA_R for every user. But an empty cell still proves that there was no rating,
# and SA_R ignores empty cells.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The repair
#
# Every cell must be able to give every answer. The **categorical response** with L levels keeps the
# true answer with probability
#
# $$\frac{e^\varepsilon}{e^\varepsilon + L}$$
#
# and gives each wrong answer with probability $1 / (e^\varepsilon + L)$, so the worst odds are
# exactly $e^\varepsilon$.

# %% [markdown] slideshow={"slide_type": "notes"}
# ## The repair, and its price
#
# Every answer must be possible for every cell. With L levels, there are L + 1 answers: empty, 1, …,
# L. The **categorical response** keeps the true answer with probability
# $\frac{e^\varepsilon}{e^\varepsilon+L}$ and gives each wrong answer with probability
# $\frac{1}{e^\varepsilon+L}$, so the worst odds are exactly $e^\varepsilon$.
#
# The **two-stage response** first flips, with probability p, whether the cell holds a rating. If a
# rating stays, its true level is $e^{\varepsilon_2}$ times as likely as any wrong level, so ε₂ is
# the privacy level between two ratings. An invented rating is uniform on the L levels. With $c =
# (1-p)\,/\,(e^{\varepsilon_2}+L-1)$, the probabilities of the answers are:
#
# | answer | truth: empty | truth: r | truth: another rating |
# |---|---|---|---|
# | empty | $1-p$ | $p$ | $p$ |
# | r | $p/L$ | $c\,e^{\varepsilon_2}$ | $c$ |
#
# In this table, odds compare two numbers in one **row**. The odds are $e^{\varepsilon_2}$ between
# two ratings, and $c\,e^{\varepsilon_2} L/p$ between r and empty. The second expression is at least
# $(1-p)/p$ (the odds in the first row) and at least $c\,L/p$ (the odds between another rating and
# an empty cell). So
#
# $$e^\varepsilon = \max\Big(e^{\varepsilon_2},\;
# \frac{1-p}{p}\cdot\frac{L\,e^{\varepsilon_2}}{e^{\varepsilon_2}+L-1}\Big)$$
#
# (The remaining odds, between an empty cell and another rating, are $p/(c\,L) =
# \frac{p}{1-p}\cdot\frac{e^{\varepsilon_2}+L-1}{L} \le e^{\varepsilon_2}$ if p is at most 1/2.)
#
# We compare three mechanisms on the MovieLens ratings, at odds of 19 : 1 for one edge. For the
# weighted mechanism, we take the p that would give these odds for edges without ratings:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The price of the repair
#
# On the MovieLens ratings, the weighted mechanism looks best in every column but the first:

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
from pplab.response import CategoricalResponse, TwoStageResponse
from pplab_papers.noise_graphs import OnLevels

weighted = WeightedNoiseGraph(Fraction(1, 20), top_rating=5, noise_weights="uniform")
made = {"weighted, p = 1/20": OnLevels(weighted, (1, 2, 3, 4, 5))}
made["categorical"] = CategoricalResponse(levels=5, odds=19)
made["two stages (2 : 1)"] = TwoStageResponse.within(levels=5, odds=19, rating_odds=2)
lines = {}
for name, mechanism in made.items():
    worst = exact_epsilon(mechanism, shape=(1, 1), unit="edge").odds
    release = mechanism.sample(ratings, rng=1)
    kept = (release.toarray() == ratings.toarray())[rated].mean()
    error = pplab.sensitive_attribute_imprecision(ratings, release)
    lines[name] = {"worst odds": f"{worst} : 1", "published": f"{release.nnz:,}"}
    lines[name] |= {"rating kept": f"{kept:.0%}", "SA_I": f"{error:.2f}"}
pd.DataFrame(lines).T

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The release labels
#
# | release | unit | neighbours | guarantee | trusted | insiders learn | a second release |
# |---|---|---|---|---|---|---|
# | flipped cells | edge | there or not | (1−p)/p : 1 | nobody | nothing more* | odds squared |
# | weighted noise | edge | any record, none | none | server | ratings given | more is certain |
# | repairs | edge | any record, none | $e^\varepsilon$ : 1 | nobody | nothing more* | squared |
#
# \* if cells are independent, or if the insider knows all other cells.

# %% [markdown] slideshow={"slide_type": "notes"}
# The weighted mechanism looks best in every column except the first. The categorical response makes
# the table dense, because an empty cell has L wrong answers. The two-stage response invents fewer
# ratings, but it keeps fewer of the true ratings. These are the labels:
#
# | release | unit | neighbours | guarantee | trusted | insiders learn | a second release |
# |---|---|---|---|---|---|---|
# | flipped cells | edge | there or not | (1−p)/p : 1 | nobody | nothing more* | odds squared |
# | weighted noise | edge | any record, none | none | server | ratings given | more is certain |
# | repairs | edge | any record, none | $e^\varepsilon$ : 1 | nobody | nothing more* | squared |
#
# \* as in notebook 01. If the noise ratings are chosen from the ratings of all users, the noise
# reveals true ratings, and the server must be trusted.
#
# **Exercise 02-D (design).** Build a `TwoStageResponse` with five levels: find (p,
# $e^{\varepsilon_2}$) such that
#
# - the worst odds of a cell are at most 19, and at least 99 % of 19;
# - fewer than 300 thousand ratings are published on average (there are 80 thousand edges in $943
#   \times 1650$ cells);
# - for a rating that stays, the probability $e^{\varepsilon_2} / (e^{\varepsilon_2} + L - 1)$ of
#   keeping its value is at least 1/2.
#
# For odds of 19 and an $e^{\varepsilon_2}$ of 2, p is `TwoStageResponse.within(levels=5, odds=19,
# rating_odds=2).flip_probability`. If you round p, round *up*.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a pair (p, e^ε₂)
for second in (2, 3, 4, 6):
    mechanism = TwoStageResponse.within(levels=5, odds=19, rating_odds=second)
    worst = exact_epsilon(mechanism, shape=(1, 1), unit="edge").odds
    count = expected_edges(80_000, 943 * 1650, mechanism.flip_probability)
    kept = second / (second + 4)
    print(f"{second} : 1, worst odds {worst}, {float(count):,.0f} published, kept {kept:.2f}")
answer = (TwoStageResponse.within(levels=5, odds=19, rating_odds=4).flip_probability, 4)
check("02-D", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Play
#
# **Question:** which mechanisms can be made private by a larger p, and how often is a 4 still
# published as a 4? For each answer, compare the bar for no rating with the bar for a 4. The
# mechanism *flip* publishes edges without ratings; *categorical* has the same odds as a flip with
# this p.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Question
#
# **Which mechanisms can be made private by a larger p, and how often is a 4 still published as a
# 4?**

# %% tags=["hide-input"]
from pplab.plots import paired_bars


def draw(axes, p, mechanism):
    flip = Fraction(p).limit_denominator(1000)
    levels = [4] if mechanism == "flip" else [1, 2, 3, 4, 5]  # a flip has one level: "edge"
    made = WeightedNoiseGraph(flip, top_rating=5, noise_weights="uniform")
    if mechanism != "weighted":
        made = CategoricalResponse(levels=levels, odds=(1 - flip) / flip)
    empty = pd.Series(answers(made, 0, (None, *levels))).astype(float)
    four = pd.Series(answers(made, 4, (None, *levels))).astype(float)
    worst = max((empty / four).max(), (four / empty).max())
    names = ["empty", "edge"] if mechanism == "flip" else list(empty.index)
    paired_bars(axes, names, empty, four)
    axes.set_title(f"{mechanism}, p = {p:g}: {worst:.3g} : 1".replace("inf", "∞"))
    axes.set_xlabel("answer (plain: truth empty,\nhatched: truth 4, ×: never)")
    return {"mechanism": mechanism, "p": p, "worst odds": worst, "4 kept": four[4]}


# %% tags=["widget", "nbval-ignore-output", "hide-input"]
from pplab.widgets import Control, explore, twin

sentence = "p = {p:g}: {mechanism} has worst odds of {worst odds:.3g} : 1, and publishes a 4 as "
sentence += "a 4 with probability {4 kept:.2f}."
values = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
kinds = ("flip", "weighted", "categorical")
explore(
    draw,
    say=sentence.format_map,
    p=Control("flip probability p", values, 0.1, "more accurate", "more private"),
    mechanism=Control("mechanism", kinds, "weighted"),
)


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output", "hide-input"]
def message(states):
    finite = states["worst odds"][states["worst odds"] < np.inf]
    text = "Nine panels, chances of each answer for an empty cell and for a 4: the weighted "
    text += "mechanism has infinite odds in three; flip and categorical, from {:.2g} to {:.2g}."
    return text.format(finite.min(), finite.max())


states = twin(draw, alt=message, height=2.3, p=(0.05, 0.2, 0.5), mechanism=kinds)

# %% [markdown] slideshow={"slide_type": "notes"}
# <details><summary>The answer</summary>
#
# The weighted mechanism has crosses (probabilities of 0) in every panel, so its odds have no bound
# at any p. At the same p, the other two mechanisms have the same odds, but the categorical response
# keeps a 4 less often than a flip keeps an edge.
#
# </details>
#
# ## Exercises
#
# **Exercise 02-O (open).** A *response* publishes each cell independently, with the same
# probabilities in every cell. For edges without ratings, two numbers define the response: how often
# a true edge is published as an edge (here 8 times in 10), and how often an empty cell is published
# as an edge. Can *any* response with odds of 19 : 1 publish a graph with at most one false edge for
# every ten true edges? The graph has 80 thousand edges among $943 \times 1650$ cells. Give a pair:
# the smallest possible average number of **false** edges (to three digits), and your argument in
# quotes. Begin the argument with yes or no. It must have at least 15 different words, and hold for
# every such response.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a pair (number of false edges, your argument in quotes)
fewest = (943 * 1650 - 80_000) * 0.8 / 19
answer = (
    fewest,
    """No. Take the output "edge" of one cell under two inputs: with an edge and without. Their
    ratio is at most 19. So an empty cell is published as an edge at least with probability 0.8/19,
    whatever the response does. Nearly all cells are empty, so the false edges are about as many
    as the true ones. One false edge for ten true ones takes odds of ten times the number of empty
    cells per edge, about 184.""",
)
check("02-O", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Quiz
#
# 1. Does a published rating of 0 hide the true rating? <details><summary>Answer</summary>No: only
#    5⊕5 is 0.</details>
# 2. Does the weighted mechanism stop leaking as p approaches 1/2?
#    <details><summary>Answer</summary>No: at every p, an empty cell has probability 0 if there was
#    a rating.</details>
# 3. What does a high SA_R mean? <details><summary>Answer</summary>The user's row contains little
#    noise compared with its true records.</details>
#
# ## What to remember
#
# - If no record ever vanishes, an empty cell proves that there was no record.
# - First make every answer possible; then choose the amount of noise.
# - The repaired mechanisms publish many more ratings.
#
# ## References
#
# - Salas and Torra 2020, *Differentially private graph publishing and randomized response for
#   collaborative filtering*, [doi
#   10.5220/0009833804150422](https://doi.org/10.5220/0009833804150422).
# - Klir and Yuan 1995, *Fuzzy Sets and Fuzzy Logic*, for t-norms and their duals.
# - Warner 1965, *Randomized response*, [doi
#   10.1080/01621459.1965.10480775](https://doi.org/10.1080/01621459.1965.10480775).
# - Harper and Konstan 2015, *The MovieLens datasets*, [doi
#   10.1145/2827872](https://doi.org/10.1145/2827872).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ask the room
#
# Does the weighted mechanism stop leaking as p approaches 1/2?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - If no record ever vanishes, an empty cell proves that there was no record.
# - First make every answer possible; then choose the amount of noise.
# - The repaired mechanisms publish many more ratings.
