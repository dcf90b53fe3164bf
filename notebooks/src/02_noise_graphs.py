# %% [markdown]
# # 02 Noise graphs: much noise is not yet privacy
#
# ## What you will be able to do
#
# - add two graphs, and compute how many edges a noise graph leaves;
# - state the privacy level of an edge, of a user and of an item;
# - prove that the weighted mechanism leaks, by a pair of inputs and an output;
# - compute the two risk measures of the paper by hand, and on real ratings;
# - repair the mechanism exactly, and name the price.
#
# ## What you need
#
# Notebook [01](01_privacy_by_counting.ipynb): a mechanism is *ε-private* for a unit when, for any
# two inputs that differ in one such unit and for **every** output, the probabilities of that output
# differ at most by the factor $e^\varepsilon$, the odds. `exact_epsilon` counts them.
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
# None, whatever the seed and however large p. An empty cell *proves* that there was
# no such rating. (Where a 5 meets a 5, a 0 is written; here it counts as empty, in the later table
# as published. That is why only 1 to 4 are excluded with certainty.) Much noise, and still a
# certain conclusion: the rest of this notebook says why, and how much of the paper stands.
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

from pplab.response import BipartiteNoiseGraph, FairCoin

p = Fraction(1, 10)
for truth in (0, 1):
    added = BipartiteNoiseGraph(p).distribution([[truth]])
    coin = FairCoin(replacement_probability=2 * p).distribution([[truth]])
    flips = {((truth,),): 1 - p, ((1 - truth,),): p}
    for answer in (((0,),), ((1,),)):
        print(truth, "->", answer[0][0], ":", added[answer], flips[answer], coin[answer])

# %% [markdown]
# Three equal columns (row `noise-graphs:section-2.1:coin-replacement` of the ledger). Publishing
# "edge" has probability 9/10 or 1/10, so the odds move by 9 at most:
# $\varepsilon = \ln\frac{1-p}{p}$ for one edge, which is Theorem 1.
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
# output multiply: level d·ε. The paper prints ε for an edge (Theorem 1), n·ε for a node (Theorem 2)
# and says that everything carries over to users and items. Which of these sentences hold? Count,
# with p = 1/4:

# %%
# NBVAL_CHECK_OUTPUT
from pplab import exact_epsilon
from pplab.response import NoiseGraph

p = Fraction(1, 4)
lines = ["| data | unit | worst odds, counted | printed bound | holds |", "|---|---|---|---|---|"]
asked = [(4, "edge", 1), (4, "node", 4), ((2, 3), "edge", 1), ((2, 3), "item", 2)]
asked += [((3, 2), "user", 3), ((2, 3), "user", 2)]  # printed: a level of so many ε
for shape, unit, times in asked:
    one_graph = isinstance(shape, int)
    data = f"{shape} nodes" if one_graph else "{} users, {} items".format(*shape)
    flips = NoiseGraph(p) if one_graph else BipartiteNoiseGraph(p)
    worst, bound = exact_epsilon(flips, shape=shape, unit=unit).odds, ((1 - p) / p) ** times
    holds = "**no**" if worst > bound else "yes, exactly" if worst == bound else "yes, with room"
    lines.append(f"| {data} | {unit} | {worst} : 1 | {bound} : 1 | {holds} |")
say("\n".join(lines))

# %% [markdown]
# Edges: Theorem 1 holds, for graphs and for tables (`noise-graphs:theorem-1`,
# `noise-graphs:theorem-1:bipartite`). Nodes: the bound is generous by one cell, since a node has
# no edge to itself (`noise-graphs:theorem-2`). Items: exact
# (`noise-graphs:theorem-2:bipartite-item`). Users: it holds only while m is not above n
# (`noise-graphs:theorem-2:bipartite-user`). The level of a user is **m·ε**, of an item **n·ε**,
# of a node **(n−1)·ε**.
#
# ## Ratings: the fuzzy exclusive or
#
# Ratings have no "flip". The paper turns a rating r on a scale up to L into a weight $x = r/L$ and
# adds weights by a fuzzy exclusive or:
#
# $$x \oplus y = T\big(S(x,y),\, 1 - T(x,y)\big), \qquad T = \min,\ S = \max$$
#
# T is a *t-norm*, an "and" for weights between 0 and 1, and S its "or"; product and Lukasiewicz
# are other choices. In words: one or the other, and not both. A cell that only one of the two
# graphs has keeps its weight. The formula itself is for common edges; the paper's Definition 8
# prints the union, E₁ ∪ E₂, for them. Back on the scale of ratings:

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
# no rating, and a 4. Noise ratings are drawn from 1 to 5 here, each alike. Then let the enumerator
# find the worst pair and output, for four t-norms (hamacher is one more) and p up to 1/2.

# %%
# NBVAL_CHECK_OUTPUT
from pplab.papers.noise_graphs import unused_level_leak, weighted_refutation
from pplab.response import WeightedNoiseGraph


def answers(mechanism, truth, among=(None, 1, 2, 3, 4, 5)):  # 0 in, None out: an empty cell
    law = mechanism.distribution([[truth]])
    return {answer or "empty": law.get(((answer,),), Fraction(0)) for answer in among}


weighted = WeightedNoiseGraph(Fraction(1, 4), top_rating=5, noise_weights="uniform")
print(pd.DataFrame({f"truth: {r or 'none'}": answers(weighted, r) for r in (0, 4)}).to_string())
for p in (Fraction(1, 10), Fraction(1, 2)):
    for norm, found in weighted_refutation(flip_probability=p).items():
        print(f"p = {p!s:4} {norm:11} odds {found.odds} : 1", *found.pair, "at", found.output)
own = unused_level_leak(flip_probability=Fraction(1, 10))
print("last cell, noise from the data: odds", own.odds, ": 1", *own.pair, "at", own.output)

# %% [markdown]
# Look at the row *empty*: probability 3/4 when there was no rating, and **0** when
# there was a 4. No finite $e^\varepsilon$ times 0 reaches 3/4, so ε is infinite, printed as `inf`
# (∞ in notebook 01). No zero moves when the norm or p changes: the worst pair is always an empty
# cell (None) against a rating, the worst output an empty cell.
#
# The last line is a second leak. The paper draws noise ratings from the data's own ratings. Two
# tables differ in one rating, a 3 or a 4, and only the **last** cell of the release is shown, which
# is empty in both. A 3 appears there only if somebody rated 3.
#
# The authors name ε-privacy of the weighted mechanism as future work
# (`noise-graphs:section-5:weighted-future-work`). As run, the answer is no, for every p. What they
# wanted, ratings that hide among made-up ratings, is what their measures of risk look at:
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
# Here the mean over users lies below the ratio of the totals. It does so whenever
# all users get about the same noise: a user with few ratings hides well and counts as much as one
# with many. The paper reports the mean over users.
#
# ## The real ratings
#
# Six flip probabilities, as in the paper's Tables 3 and 5 and Figure 2. Noise ratings come from
# the data, and SA_R counts every noise edge that was drawn. One release for each p, beside the
# printed numbers; one release can round to the printed digits by luck, so at p = 1/10 look at the
# row of the ledger, where the mean over releases passes only with the standard errors that the
# rule adds; the ledger judges them over many releases, for example with the command `pplab claims
# noise-graphs:figure-2:p=0.1:mean-risk`.

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
    lines.append([f"{p:g}", release.nnz, f"{risk:.3f}", theirs[0], f"{error:.2f}", theirs[1]])
names = ["p", "published edges", "mean SA_R", "paper's SA_R", "SA_I", "paper's SA_I"]
print(pd.DataFrame(lines, columns=names).to_string(index=False))

# %% tags=["real-data"]
from pplab.papers.noise_graphs import risk_distribution
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
# ## The repair, and its price
#
# Every cell must be able to give every answer. With L levels there are L + 1 answers: empty, 1,
# …, L. The **categorical response** tells the truth with probability
# $\frac{e^\varepsilon}{e^\varepsilon+L}$ and gives each other answer with probability
# $\frac{1}{e^\varepsilon+L}$. In any column of its table stand only these two numbers, so the
# worst odds are exactly $e^\varepsilon$.
#
# The **two-stage response** first flips presence with probability p. A rating that stays is told
# with odds $e^{\varepsilon_2}$ against each other level, an invented one is any level alike. It
# saves noise:
#
# $$e^\varepsilon = \max\Big(e^{\varepsilon_2},\;
# \frac{1-p}{p}\cdot\frac{L\,e^{\varepsilon_2}}{e^{\varepsilon_2}+L-1}\Big)$$
#
# All at odds of 19 : 1 for one edge, on the real ratings; the weighted mechanism at the p that
# would give these odds to plain edges, with public noise ratings 1 to 5, each alike:

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from pplab.papers.noise_graphs import OnLevels
from pplab.response import CategoricalResponse, TwoStageResponse

weighted = WeightedNoiseGraph(Fraction(1, 20), top_rating=5, noise_weights="uniform")
made = {"weighted, p = 1/20": OnLevels(weighted, (1, 2, 3, 4, 5))}
made |= {"categorical": CategoricalResponse(levels=5, odds=19)}
made |= {"two stages (2 : 1)": TwoStageResponse.within(levels=5, odds=19, rating_odds=2)}
lines = ["| mechanism | worst odds | published | rating kept | SA_I |", "|---|---|---|---|---|"]
for name, mechanism in made.items():
    worst = exact_epsilon(mechanism, shape=(1, 1), unit="edge").odds
    release = mechanism.sample(ratings, rng=1)
    kept = (release.toarray() == rated)[rated > 0].mean()
    error = pplab.sensitive_attribute_imprecision(ratings, release)
    lines.append(f"| {name} | {worst} : 1 | {release.nnz:,} | {kept:.0%} | {error:.2f} |")
plain = expected_edges(ratings.nnz, rated.size, 0.05)
say("\n".join(lines) + f"\n| edges alone, on average | 19 : 1 | {plain:,.0f} | – | – |")

# %% [markdown]
# Of the three, the weighted one looks best in every column but the one that counts. The categorical
# response keeps its promise and pays in sparsity: each empty cell has L ways to be wrong. The
# two-stage response is much sparser and pays in ratings; exercise D asks for a better split. All
# six p, with intervals: `pplab reproduce noise-graphs --part repair`. The release labels:
#
# | release | unit | guarantee | who is trusted | insiders learn | a second release |
# |---|---|---|---|---|---|
# | flipped cells | one edge | odds × (1−p)/p | nobody | nothing more | odds squared |
# | weighted noise | one edge | none | the server | which cells were empty | more empty cells |
# | both repairs | one edge | odds × $e^\varepsilon$ | nobody | nothing more | odds squared |
#
# ## Play
#
# **Question:** which mechanisms can be made private by a larger p, and what do you pay: how often
# is a 4 still published as a 4? Compare the two bars over each answer: no rating, or a 4. Odds of
# `inf : 1` identify, odds of 1 : 1 teach nothing. *flip* publishes edges without ratings;
# *categorical* has the odds of a flip with the same p. Reach a slider with Tab, move it with the
# arrow keys. The sliders appear when you run their cell; the grid below shows the same.


# %%
def draw(axes, p, mechanism):
    flip = Fraction(p).limit_denominator(1000)
    levels = [4] if mechanism == "flip" else [1, 2, 3, 4, 5]  # a flip has one level: "edge"
    made = WeightedNoiseGraph(flip, top_rating=5, noise_weights="uniform")
    if mechanism != "weighted":
        made = CategoricalResponse(levels=levels, odds=(1 - flip) / flip)
    table = pd.DataFrame({r: answers(made, r, (None, *levels)) for r in (0, 4)}).astype(float)
    worst, places = (table.max(axis=1) / table.min(axis=1)).max(), np.arange(len(table))
    axes.bar(places - 0.2, table[0], 0.4, color="#56B4E9", edgecolor="black")
    axes.bar(places + 0.2, table[4], 0.4, color="#D55E00", edgecolor="black", hatch="//")
    axes.set_xticks(places, ["empty", "edge"] if mechanism == "flip" else table.index)
    axes.plot(places[table[4] == 0] + 0.2, 0.03 + table[4][table[4] == 0], "kx")
    axes.set(ylim=(0, 1.05), title=f"{mechanism}, p = {p:g}: {worst:.3g} : 1")
    axes.set_xlabel("plain: truth empty, hatched: truth 4, ×: never", fontsize=8)
    return {"mechanism": mechanism, "p": p, "worst odds": worst, "4 told": table[4][4]}


# %% tags=["widget"]
# NBVAL_IGNORE_OUTPUT
from pplab.widgets import Control, explore, twin

sentence = (
    "p = {p:g}: {mechanism}: worst odds {worst odds:.3g} : 1; a 4 is told truly "
    "with probability {4 told:.2f}."
)
values = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
kinds = ("flip", "weighted", "categorical")
explore(
    draw,
    say=sentence.format_map,
    p=Control("flip probability p", values, 0.1, "more accurate", "more private"),
    mechanism=Control("mechanism", kinds, "weighted", "edges only", "ratings, repaired", str),
)


# %%
# NBVAL_CHECK_OUTPUT
def message(states):
    finite = states["worst odds"][states["worst odds"] < np.inf]
    text = "Nine panels: weighted has infinite odds three times, the others {:.2g} to {:.2g}."
    return text.format(finite.min(), finite.max())


states = twin(draw, alt=message, height=2.3, p=(0.05, 0.2, 0.5), mechanism=kinds)
print(states.round(3).to_string(index=False))

# %% [markdown]
# The weighted mechanism has bars of height 0 in every panel, so no p bounds its odds. The other
# two have the same odds at the same p, down to 1 : 1 at p = 1/2, where nothing is learned. But a
# 4 among five levels drowns sooner than an edge: that is the price of the repair once more.
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
# - **D (design).** A `TwoStageResponse` with five levels: find (p, $e^{\varepsilon_2}$) such that
#   the worst odds of a cell are exactly 19, counted by `exact_epsilon`; under 300 thousand
#   ratings are published on average (80 thousand edges, $943 \times 1650$ cells); and a rating
#   that stays keeps its value with probability at least 1/2.
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
# YOUR CODE: a pair (p, e^ε₂). TwoStageResponse.within spends given odds; try several splits.
for second in (2, 3, 4, 6):
    mechanism = TwoStageResponse.within(levels=5, odds=19, rating_odds=second)
    worst = exact_epsilon(mechanism, shape=(1, 1), unit="edge").odds
    count = expected_edges(80_000, 943 * 1650, mechanism.flip_probability)
    kept = second / (second + 4)
    print(
        f"split {second}: odds {worst} : 1, {float(count):,.0f} published, {kept:.2f} keep theirs"
    )
answer = (TwoStageResponse.within(levels=5, odds=19, rating_odds=4).flip_probability, 4)
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
#    edge. (Harmless: with 0 for a missing weight the formula gives the other cases too.)</details>
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
#   collaborative filtering*, [doi
#   10.5220/0009833804150422](https://doi.org/10.5220/0009833804150422).
# - Klir and Yuan 1995, *Fuzzy Sets and Fuzzy Logic*, for t-norms and their duals.
# - Warner 1965, *Randomized response*,
#   [doi 10.1080/01621459.1965.10480775](https://doi.org/10.1080/01621459.1965.10480775).
# - Harper and Konstan 2015, *The MovieLens datasets*,
#   [doi 10.1145/2827872](https://doi.org/10.1145/2827872).
