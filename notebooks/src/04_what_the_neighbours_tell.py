# %% [markdown]
# # 04 What the neighbours tell: beliefs in which cells go together
#
# *Edition 2, part 2 of 6: what the promise does not say. Core track.*
#
# ## What you will be able to do
#
# - prove that $e^\varepsilon$ caps how far the odds move between two neighbouring tables, and for
#   which beliefs it also caps how far the odds of one cell move;
# - break that cap with a belief in which cells go together, and say by at most how much;
# - compute how far the frequencies of real data move a published rating and a published edge;
# - repair the guarantee: its sentence, its unit or its level;
# - measure what the groups of a k-anonymous copy agree on: homogeneity, l-diversity, t-closeness.
#
# ## What you need
#
# Notebooks [01](01_privacy_by_counting.ipynb) and [02](02_noise_graphs.ipynb): flips, ε, the odds
# factor, units, group privacy. Also: Bayes' rule.
#
# **Minutes (estimates):** about 60 to read, about 75 for the exercises.
#
# ## Break something: predict, then run
#
# MovieLens: 943 people, and which films each of them has rated. Every cell is flipped with p = 1/4,
# so $e^\varepsilon$ is 3. Somebody holds the table without names, and wonders about one person and
# one film, *Star Trek: The Wrath of Khan*. In the flipped row of that person the film is published
# as a 1. So are the ten films whose columns correlate most with its column.
#
# **By what factor do the odds that the person has rated the film grow?** Write your number down,
# then run.

# %%
my_prediction = 3  # your own number here, 1 or more

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
import numpy as np
import pandas as pd
from IPython.display import Markdown, display

import pplab
from pplab.attacks import posterior_odds


def say(text):  # a sentence with numbers from the run
    display(Markdown(text))


def two(number):  # two significant digits, written out
    return f"{float(f'{number:.2g}'):,.0f}" if number >= 10 else f"{number:.2g}"


films = pplab.load_dataset("movielens-100k")
rated = (films.ratings.toarray() > 0).astype(int)
khan = films.items.index.get_loc(228)
print(films.items["title"].iloc[khan], "was rated by", rated[:, khan].sum(), "of", len(rated))


# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
def likeness(people):  # correlations of columns; one that is all 0 or all 1 has none: 0
    centred = people - people.mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=0), 1e-9)
    return (centred.T @ centred).round(9)


def group_of(film, alike):  # the film first, then the ten that go with it most
    order = np.argsort(-alike[film], kind="stable")
    return [film, *order[order != film][:10]]


def together(columns, weights=None):  # how many people have rated which of these films
    codes = rated[:, columns] @ 2 ** np.arange(len(columns))[::-1]
    return np.bincount(codes, weights, 2 ** len(columns)).reshape((2,) * len(columns))


all_ones, group = (1,) * 11, group_of(khan, likeness(rated))
found = posterior_odds(together(group), flip_probability=0.25)
say(f"The odds are multiplied by **{found.factors[all_ones]:.0f}**; you said {my_prediction}.")
share = found.prior / (1 + found.prior)
say(f"The belief in the rating goes from {share:.0%} to {found.posterior[all_ones]:.1%}.")

# %% [markdown]
# Nobody broke the guarantee of notebook 01, and nobody knows the person. The other ten cells gave
# it away. So what does ε guarantee, and for whom?
#
# ## Define: what is capped, and for which belief
#
# Write x for the true cells, y for the published ones, and b(x) for a **belief**: a probability for
# each table that might be the true one. Bayes' rule gives the odds of the first cell after a
# release y:
#
# $$\text{odds}(y) \;=\; \frac{\sum_{x:\,x_1=1} b(x)\,\Pr[y \mid x]}
# {\sum_{x:\,x_1=0} b(x)\,\Pr[y \mid x]}$$
#
# The **factor** of y is odds(y) divided by the odds before. Three statements, each with its proof.
#
# - **Neighbours.** *Two tables that differ in one cell: no release moves the odds between them by
#   more than* $e^\varepsilon$. Proof: the factor is Pr[y | x] / Pr[y | x′]. All cells but one
#   cancel, and that one gives (1−p)/p or its inverse. ∎ This is the guarantee. It needs no belief.
# - **Independent cells.** *If the first cell is believed to be independent of the others, or if the
#   others are known, its factor is at most* $e^\varepsilon$. Proof: with c cells in all, write
#   b(x) = b(x₁) · b(x₂ … x_c). The sum over the other cells is the same above and below, and
#   cancels. What remains is Pr[y₁ | 1] / Pr[y₁ | 0]. ∎
# - **Any belief on c cells.** *The factor is at most* $e^{c\varepsilon}$. Proof: two rows of c
#   cells differ in at most c cells, so Pr[y | x] ≤ $e^{c\varepsilon}$ Pr[y | x′] for every pair.
#   Dividing by the odds before turns both sums into means: the factor is a mean of Pr[y | x] with
#   x₁ = 1, divided by a mean of Pr[y | x′] with x′₁ = 0. ∎ This is *group privacy*.
#
# Count it out for two cells and p = 1/4, in fractions:

# %%
# NBVAL_CHECK_OUTPUT
from fractions import Fraction
from functools import reduce
from itertools import product

p = Fraction(1, 4)


def chance(output, truth):  # of a release, each cell flipped with probability p
    flips = sum(a != b for a, b in zip(output, truth, strict=True))
    return p**flips * (1 - p) ** (len(truth) - flips)


def factor(belief, output):  # belief: {true cells: probability}
    one = sum(b * chance(output, x) for x, b in belief.items() if x[0] == 1)
    zero = sum(b * chance(output, x) for x, b in belief.items() if x[0] == 0)
    prior = sum(b for x, b in belief.items() if x[0] == 1)
    return one / zero / (prior / (1 - prior))


# %%
# NBVAL_CHECK_OUTPUT
half, quarter = Fraction(1, 2), Fraction(1, 4)
beliefs = {
    "the other cell is known to be 1": {(0, 1): half, (1, 1): half},
    "independent cells": dict.fromkeys(product((0, 1), repeat=2), quarter),
    "equal nine times in ten": {
        x: Fraction(9 if x[0] == x[1] else 1, 20) for x in product((0, 1), repeat=2)
    },
    "equal cells": {(0, 0): half, (1, 1): half},
}
lines = ["| belief | " + " | ".join(f"published {y}" for y in product((0, 1), repeat=2)) + " |"]
lines.append("|---|---|---|---|---|")
for name, belief in beliefs.items():
    factors = [f"{float(factor(belief, y)):.3g}" for y in product((0, 1), repeat=2)]
    lines.append(f"| {name} | " + " | ".join(factors) + " |")
say("\n".join(lines))

# %% [markdown]
# The first two beliefs obey $e^\varepsilon = 3$. The last one reaches 9: a couple who see all films
# together answer twice for one secret. The mechanism and its ε are always the same. **What is
# different is the belief.**
#
# For the first statement the enumerator of notebook 01 tries all neighbours with 2 × 3 cells, and
# all outputs. The library's `posterior_odds` takes a belief as an array, one axis for each cell:

# %%
# NBVAL_CHECK_OUTPUT
from pplab import exact_epsilon
from pplab.response import BipartiteNoiseGraph

cap = exact_epsilon(BipartiteNoiseGraph(p), shape=(2, 3), unit="edge")
say(f"2 × 3 cells, all neighbours, all outputs: at most **{cap.odds} : 1** between two neighbours.")
for count in (1, 2, 3, 6):
    equal = np.zeros((2,) * count, dtype=int)
    equal[(0,) * count] = equal[(1,) * count] = 1
    moved = posterior_odds(equal, flip_probability=p)
    print(f"equal cells: {count}, odds × {moved.factors.max()}, group privacy allows {moved.cap}")

# %% [markdown]
# Equal cells reach what group privacy allows, so the third statement cannot be made sharper.
#
# **Exercise C (compute).** Three cells are believed to be equal, each is flipped with p = 1/10. By
# what factor do the odds of one of them grow, at most?

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
from pplab_course import check

# YOUR CODE: a number
answer = ((1 - 0.1) / 0.1) ** 3
check("04-C", answer)

# %% [markdown]
# **Exercise P (prove by code).** Write `largest(joint, p)`: the largest factor by which any release
# multiplies the odds of the first cell. `joint` is an array with two entries along each axis, one
# axis for each cell; entry `joint[x1, x2, ...]` is the weight of those true cells, and `p` is the
# flip probability, another one in each call. Two warnings: use the argument p, not the p of the
# notebook; and weights need not sum to 1, so the odds before are the sum for 1 over the sum for 0.
# Write it without `posterior_odds`: your function is compared with it.


# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
def largest(joint, p):
    # YOUR CODE: try all releases; for each of them two sums over all truths
    best, truths = 0, list(np.ndindex(joint.shape))
    prior = joint[1].sum() / joint[0].sum()
    for output in truths:
        odds = [0, 0]
        for truth in truths:
            flips = sum(a != b for a, b in zip(output, truth, strict=True))
            odds[truth[0]] += joint[truth] * p**flips * (1 - p) ** (len(truth) - flips)
        best = max(best, odds[1] / odds[0] / prior)
    return best


check("04-P", largest)

# %% [markdown]
# ## Films: the table's own frequencies
#
# **Whose belief is it?** Somebody who holds the table of 943 rows without names, and takes the
# person for any one of them. So the belief's frequencies are those of this very table, the person's
# own row among them. That gives the observer much. Below we try people whose rows were not used to
# form the belief. **What still holds?** All that was guaranteed, between two tables that differ in
# one cell. This belief compares tables that differ in many.
#
# Three levels, $e^\varepsilon$ = 3, 9, 19. The interval comes from 200 *resampled* tables: 943
# people drawn from the 943 with replacement. The last column: of all releases of a
# person drawn from this table, the share that moves the odds so far.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
levels, rng = (3, 9, 19), np.random.default_rng(1)
draws = [rng.multinomial(len(rated), np.full(len(rated), 1 / len(rated))) for _ in range(200)]
resampled = [together(group, weights) for weights in draws]
lines = ["| $e^ε$ | factor of eleven ones | interval, 95 % | largest | moved by more than $e^ε$ |"]
lines.append("|---|---|---|---|---|")
for level in levels:
    flip = 1 / (1 + level)
    moved = posterior_odds(together(group), flip_probability=flip)
    ends = [posterior_odds(each, flip_probability=flip).factors[all_ones] for each in resampled]
    low, high = np.quantile(ends, [0.025, 0.975])
    beyond = moved.chances[np.abs(np.log(moved.factors)) > np.log(level) + 1e-9].sum()
    cells = [two(moved.factors[all_ones]), f"{two(low)} to {two(high)}", two(moved.factors.max())]
    lines.append(f"| {level} | {' | '.join(cells)} | {beyond:.0%} of the releases |")
say("\n".join(lines))

# %% [markdown]
# Eleven ones are one release of many; the strongest (*largest*) may be another. The last column
# says how often the odds move, up or down, by more than $e^\varepsilon$: no rare accident.
#
# Does the belief see something that is there, or does it repeat the 943 rows? Take neighbours and
# belief from one half of the people and publish the rows of the *other* half. For each film that at
# least 200 people have rated, three guessers say "has rated" when they believe it with more than
# one half: from the film's frequency alone, with its own published cell, and with all eleven cells.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
known, unseen = np.split(np.random.default_rng(2).permutation(len(rated)), [len(rated) // 2])
learned = np.isin(np.arange(len(rated)), known).astype(int)
alike = likeness(rated[known])  # nothing of the unseen half
popular = np.flatnonzero(rated.sum(axis=0) >= 200)


def guesses(flip):  # for each unseen person and guesser: the share that is right
    noisy = pplab.bipartite_noise_graph(rated, flip_probability=flip, rng=3).toarray()[unseen]
    right = np.zeros((3, len(unseen), len(popular)))
    for place, film in enumerate(popular):
        cells = group_of(film, alike)
        believed = posterior_odds(together(cells, learned), flip_probability=flip)
        own = believed.prior * (1 / flip - 1) ** (2.0 * noisy[:, film] - 1) > 1
        after = believed.posterior[tuple(noisy[:, cells].T)] > 0.5
        for row, says in enumerate((believed.prior > 1, own, after)):
            right[row, :, place] = says == rated[unseen, film]
    return right.mean(axis=2)  # per person


# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from scipy.stats import ttest_1samp

lines = [f"| $e^ε$ | frequency | own cell | eleven cells | gain, 95 % ({len(popular)} films) |"]
lines.append("|---|---|---|---|---|")
for level in (1.1, *levels):
    shares = guesses(1 / (1 + level))
    low, high = ttest_1samp(shares[2] - shares[1], 0).confidence_interval(0.95)  # over people
    means = " | ".join(f"{share:.1%}" for share in shares.mean(axis=1))
    lines.append(f"| {level} | {means} | {low:+.1%} to {high:+.1%} |")
say("\n".join(lines))

# %% [markdown]
# The guessers never saw these people. Where the interval of the gain is above 0, the neighbouring
# cells reveal something true that the cell itself does not. At 19 the own cell says nearly all, and
# a belief from a few hundred rows misleads: the gain is below 0. **Of the levels 3, 9 and 19, the
# neighbours matter most where the noise is strongest.** With still more noise, in the first line,
# they say nothing either.
#
# ## A graph: one edge, and ten colleagues
#
# dblp-2010 is the graph of who has written a paper with whom. Flip each of its cells. Is there an
# edge between v and u?
#
# **Whose belief is it?** Somebody knows u and ten of u's co-authors, the *circle* of u, as
# everybody knows a research group, and nothing of v. Eleven cells count: v–u, and v with each of
# the ten:
#
# ```text
#   v - ? - u                           one cell, the secret
#   v - ? - each of the ten of the circle, all of whom u has written with: ten cells
# ```
#
# The belief is taken from the data: draw u among all people with more than ten co-authors, and v
# among all others. How often is there an edge v–u, and how many of the ten are co-authors of v? As
# the ten are alike, only their number counts. Each of the ten who is *published* as a co-author of
# v would close a triangle with v–u; we count these.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
graph = pplab.load_dataset("dblp-2010").biadjacency
nodes, degrees, rng = graph.shape[0], np.diff(graph.indptr), np.random.default_rng(1)
people = rng.choice(np.flatnonzero(degrees > 10), 1_000, replace=False)


def row(person):
    return graph.indices[graph.indptr[person] : graph.indptr[person + 1]]


def table_of(person):  # numbers of others v: (is v a co-author, how many of the circle are v's)
    circle = rng.choice(row(person), 10, replace=False)
    others, shared = np.unique(np.concatenate([row(one) for one in circle]), return_counts=True)
    free = ~np.isin(others, [person, *circle])
    table = np.zeros((2, 11))
    np.add.at(table, (np.isin(others, row(person))[free].astype(int), shared[free]), 1)
    table[1, 0] = degrees[person] - 10 - table[1].sum()
    table[0, 0] = nodes - 11 - table.sum()
    return table


# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from math import comb

tables = np.array([table_of(person) for person in people])
ways, ones = np.array([comb(10, j) for j in range(11)]), np.indices((2,) * 10).sum(axis=0)


def of_edges(counts):  # the belief on eleven cells: all circles with j ones are equally likely
    return (counts / ways)[:, ones]


weights = rng.multinomial(len(people), np.full(len(people), 1 / len(people)), size=200)
resampled_edges = [of_edges(np.tensordot(each, tables, 1)) for each in weights]
seen = tables.sum(axis=0)
lines = ["| v is | 0 | 1 | 2 | 5 | 10 of the circle |", "|---|---|---|---|---|---|"]
for name, kind in (("a co-author of u, with", 1), ("another, with", 0)):
    lines.append(f"| {name} | {' | '.join(f'{seen[kind, j]:,.0f}' for j in (0, 1, 2, 5, 10))} |")
say("\n".join(lines))
say(f"Before any release the edge has odds of 1 : {seen[0].sum() / seen[1].sum():,.0f}.")

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
lines = ["| $e^ε$ | factor of eleven ones | interval, 95 % | odds after | true edges beyond |"]
lines.append("|---|---|---|---|---|")
for level in levels:
    flip = 1 / (1 + level)
    moved = posterior_odds(of_edges(seen), flip_probability=flip)
    ends = [posterior_odds(each, flip_probability=flip).factors for each in resampled_edges]
    low, high = np.quantile([each[all_ones] for each in ends], [0.025, 0.975])
    given_edge = moved.chances * moved.posterior / (moved.chances * moved.posterior).sum()
    beyond = given_edge[moved.factors > level * (1 + 1e-9)].sum()
    cells = [two(moved.factors[all_ones]), f"{two(low)} to {two(high)}"]
    cells += [f"{two(moved.prior * moved.factors[all_ones])} : 1", f"{beyond:.0%}"]
    lines.append(f"| {level} | {' | '.join(cells)} |")
say("\n".join(lines))
three = posterior_odds(of_edges(seen + 3 * np.eye(2, 11, 10)), flip_probability=1 / 20)
say(f"With three *others* instead of the 0 above: {two(three.factors[all_ones])} at 19.")

# %% [markdown]
# *Odds after* are those of the edge after eleven ones. The interval resamples the
# people u. It does not see that two of them may share colleagues. Nor does it see that the 0 in the
# table is a count, too: no *other* v with all ten of the circle was seen. If the true expected
# number were 3, we would still see 0 in one case of twenty. With 3 in its place the factor at 19
# falls, as the last line says; so this factor is known less well than its interval says. The last
# column: for this share of the true edges the odds move *up* by more than $e^\varepsilon$
# (among the films it was up or down). An edge inside a group of people who write together is
# revealed by the group:

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from pplab.plots import COLOURS, new_figure, show

figure, axes = new_figure(1, 2, width=8.6, height=3.4)
joints, ends = (together(group), of_edges(seen)), []
for level, look, colour in ((3, "o-", "blue"), (9, "s--", "red"), (19, "^:", "green")):
    for place, joint in enumerate(joints):
        moved = posterior_odds(joint, flip_probability=1 / (1 + level)).factors
        line = [moved[(1,) + (1,) * j + (0,) * (10 - j)] for j in range(11)]
        ends += [two(line[0]), two(line[-1])]
        axes[place].plot(range(11), line, look, color=COLOURS[colour], label=f"$e^ε$ = {level}")
        axes[place].axhline(level, color=COLOURS[colour], linewidth=0.8, linestyle=look[1:])
        axes[place].text(10.7, level, level, color=COLOURS[colour], fontsize=8, va="center")
axes[0].set(yscale="log", ylabel="factor of the odds", xlabel="near films published, nearest first")
axes[1].set(yscale="log", xlabel="of the circle, published as co-authors of v")
axes[0].legend(frameon=False, fontsize=8)
show(figure, alt="At 3 : 1 factors grow from {} to {} (film), {} to {} (edge).".format(*ends))

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
for name, joint in zip(("film", "edge"), joints, strict=True):
    moves = [posterior_odds(joint, flip_probability=1 / (1 + level)).factors for level in levels]
    lone = ", ".join(two(factors[(1,) + (0,) * 10]) for factors in moves)
    print(f"a lone 1 of the {name}: its odds times {lone} at 3, 9, 19")

# %% [markdown]
# The film and the edge themselves are published as 1. The level lines are $e^\varepsilon$. Where
# many neighbours are published, too, the factor lies far above its line; where few are, **below**.
# A lone 1 among zeros is taken for noise, in part or wholly: a factor below 1 lowers the odds.
#
# **Exercise B (break).** A publisher flips with p = 1/10 and says: "Anyone who believes that a cell
# is 1 with probability 1/100 never believes it with more than 1/12 afterwards, since 9 · 1/99 =
# 1/11 in odds." Defeat it: give a belief on three cells, an array of shape (2, 2, 2), in which
# **each** cell is 1 with probability 1/100, and with which some release leads beyond one half for
# the first cell.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: an array of probabilities, belief[x1, x2, x3]
answer = np.zeros((2, 2, 2))
answer[0, 0, 0], answer[1, 1, 1] = 0.99, 0.01
check("04-B", answer)

# %% [markdown]
# ## Repair: the sentence, the unit, the level
#
# **The sentence.** Say it of two inputs: *between two tables that differ in one cell, all else
# fixed, the release moves the odds by at most* $e^\varepsilon$. Do not say it of all beliefs.
#
# **The unit.** Make what goes together the unit: a film with its neighbours, a row, a research
# group. Then the tables that the belief compares are neighbours again.
#
# **The level.** A unit of c cells has level cε (group privacy, notebook 01). To guarantee
# $e^\varepsilon = 3$ for c cells, flip each with $p = 1/(1 + 3^{1/c})$. What is left of MovieLens?

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
total, every = int(rated.sum()), rated.size
units = {"one cell": 1, "a film and its ten nearest": 11, "a person's whole row": rated.shape[1]}
lines = ["| unit | cells | p for 3 : 1 | published ratings that are true | error of the total |"]
lines.append("|---|---|---|---|---|")
for name, count in units.items():
    flip = 1 / (1 + 3 ** (1 / count))
    true = total * (1 - flip) / (total * (1 - flip) + (every - total) * flip)
    spread = np.sqrt(every * flip * (1 - flip)) / (1 - 2 * flip) / total
    lines.append(f"| {name} | {count} | {flip:.4f} | {true:.1%} | ± {spread:,.0%} |")
say("\n".join(lines))
say(f"± is one standard deviation. Of *all* cells {rated.mean():.1%} are ratings.")
mended = posterior_odds(together(group), flip_probability=1 / (1 + 3 ** (1 / 11)))
say(f"With the second p the film's odds move by {mended.factors.max():.2f} at most.")

# %% [markdown]
# The second line meets its guarantee for every belief *on those eleven cells*; a twelfth film that
# goes along breaks it again. The third covers a whole person, and the release is worth nothing.
# Kifer and Machanavajjhala (2011) showed that **no useful release bounds the odds for all beliefs
# at once**: there is no free lunch. So beliefs must be named.
#
# **Pufferfish** (the same authors, 2014): a guarantee lists the secrets ("this cell is 1",
# "this cell is 0"), the pairs of secrets that must remain indistinguishable, and the beliefs for
# which it holds. For each listed belief and each pair, a release may move the odds of the pair by
# at most $e^\varepsilon$. With independent cells as beliefs and the two values of a cell as a pair,
# this is the guarantee of notebook 01.
#
# Each cell flipped with p = 1/4, for *two tables that differ in one unit*:
#
# | unit | guarantee | who is trusted | an insider learns | a second release |
# |---|---|---|---|---|
# | one cell | odds × 3 | nobody | more, where cells go together | odds × 9 |
# | c cells | odds × 3ᶜ | nobody | more, by cells outside of the unit | odds × 9ᶜ |
#
# **Exercise R (recall).** A couple sees every film together, so *in each column* their two cells
# are believed to be equal. Which of the units `"edge"`, `"user"`, `"item"` holds both cells?

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: a word in quotes
answer = "item"
check("04-R", answer)

# %% [markdown]
# **Exercise D (design).** A table has 6 users and 4 films. *Fans*: all cells of a user's row go
# together. *Fashion*: all cells of a film's column do. For each belief, name the unit that mends it
# by its **number of cells**, and the smallest p with which the odds of that unit move by at most 9.
# If you round p, round up.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: {"fans": (cells, p), "fashion": (cells, p)}
answer = {
    name: (count, 1 / (1 + 9 ** (1 / count))) for name, count in (("fans", 4), ("fashion", 6))
}
check("04-D", answer)

# %% [markdown]
# ## The other side of the coin: groups that agree
#
# A copy is **k-anonymous** when each row is equal to at least k − 1 others. It has no ε. From the
# copy alone no attacker finds *your row* with more than 1/k. But what if the group agrees? Then
# the row need not be found. In the census data *adult* a row holds eight attributes of a person;
# next to it is whether the income is above fifty thousand dollars. Publish a *smooth* copy
# (groups of k rows or more; each row shows what at least half of its group have) and the incomes:
#
# - **Homogeneity.** A unanimous group discloses its income, whatever k is.
# - **l-diversity** (Machanavajjhala and others 2007): each group has at least l values. *Distinct*
#   counts them; *entropy* takes $e^{H}$, with $H = -\sum_v q_v \ln q_v$ of the shares $q_v$: so
#   many equally frequent values would leave you as uncertain.
# - **t-closeness** (Li, Li and Venkatasubramanian 2007): the shares in each group differ from those
#   of all people by at most t, here by half of the sum of absolute differences. It asks how far
#   finding the *group* moves the belief on the value, measured by a difference, not by a quotient.
#
# (The first run on a computer also compiles, up to two minutes.)

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from IPython.utils.capture import capture_output

from pplab.metrics import l_diversity, t_closeness

census, dealer = pplab.load_dataset("adult"), np.random.default_rng(1)
income, copies = np.asarray(census.labels), {}
for k in (8, 32):
    with capture_output():  # no progress bars between the lines
        copies[k] = pplab.smooth_k_anonymize(census.biadjacency, k, method="paper", rng=8)
say(f"Of all people {income.mean():.0%} have a high income.")

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
columns = {}
for k, copy in copies.items():
    unanimous = l_diversity(income, copy.labels, form="distinct") == 1
    mixed = l_diversity(dealer.permutation(income), copy.labels, form="distinct") == 1
    vague = l_diversity(income, copy.labels, form="entropy") < 1.5
    columns[f"k = {k}"] = {
        "J": copy.jaccard,
        "people in a group, mean": len(income) / len(np.unique(copy.labels)),
        "% in groups of one income": 100 * unanimous.mean(),
        "% of these whose income is high": 100 * income[unanimous].mean(),
        "% in groups of one income, shuffled": 100 * mixed.mean(),
        "% at entropy l < 1.5": 100 * vague.mean(),
        "largest t": t_closeness(income, copy.labels).max(),
    }
pd.DataFrame(columns).round(2)

# %% [markdown]
# J: how much of the table is kept ([how](10_a_vote_that_decides.ipynb)). Per cent are shares of the
# people; *shuffled* deals the incomes out anew. *Largest t* is that of the farthest group. No copy
# is even 2-diverse: each has groups of one income. Shuffled incomes leave next to none in groups of
# this size: not smallness but *likeness* gives people away. People who are alike are grouped, and
# have similar incomes: correlation discloses.
#
# **Which value?** In every such group it is the *common* one, the lower income. In odds an attacker
# moves without bound; in belief from about three quarters to certainty. No high income is disclosed
# like that. Distinct l does not distinguish a common value from a rare one; that is why t-closeness
# exists.

# %% [markdown]
# ## Play
#
# **Question:** each cell is 1 with probability 1 %. With probability a it copies a hidden coin that
# it shares with the other cells, else it is drawn alone. There are ten cells, $e^\varepsilon$ is 3,
# and all ten are published as 1. How large must a be for the first cell to be believed with more
# than one half (a factor of 99, dotted)? Then give the publisher another cap (dashed): at which
# $e^\varepsilon$ do ten cells that always copy stay below the dotted line? Tab reaches a slider,
# arrows move it.


# %%
def believed(count, a):  # the belief on this number of cells
    joint = 0
    for coin, weight in ((0, 0.99), (1, 0.01)):
        one = a * coin + (1 - a) * 0.01
        joint = joint + weight * reduce(np.multiply.outer, [np.array([1 - one, one])] * count)
    return joint


def draw(axes, count, a, odds=3):
    moved = posterior_odds(believed(count, a), flip_probability=1 / (1 + odds)).factors
    line = [moved[(1,) * j + (0,) * (count - j)] for j in range(1, count + 1)]
    axes.plot(range(1, count + 1), line, "o-", color=COLOURS["blue"])
    axes.hlines((odds, 99), 0.8, count + 0.2, COLOURS["red"], ["--", ":"])
    axes.set(yscale="log", ylim=(odds**-9.0, 200 + odds**11), xticks=(1, count), ylabel="factor")
    axes.set_xlabel("cells published as 1", fontsize=9)
    axes.set_title(f"{count} cells, a = {a:g}: × {two(line[-1])}", fontsize=9)
    return {"cells": count, "a": a, "odds": odds, "factor": line[-1], "cap": odds**count}


# %% tags=["widget"]
# NBVAL_IGNORE_OUTPUT
from pplab.widgets import Control, explore, twin

sentence = "{cells} cells, copied with {a:g}: odds × {factor:,.3g}; one cell alone × {odds:g}."
agreements = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)
explore(
    draw,
    say=sentence.format_map,
    width=4.2,
    height=3.4,
    count=Control(
        "cells that go together", tuple(range(1, 11)), 10, "more private", "less private"
    ),
    a=Control("each copies the coin with a", agreements, 0.5, "more private", "less private"),
    odds=Control("odds factor of a cell", (1.5, 2, 3, 9), 3, "more private", "more accurate"),
)


# %%
# NBVAL_CHECK_OUTPUT
def message(states):
    low, high = states["factor"].min(), states["factor"].max()
    return f"Eight curves at 3 : 1 for 2 and 10 cells: from {low:.3g} to {high:,.0f} for all ones."


states = twin(draw, alt=message, height=2.4, count=(2, 10), a=(0, 0.3, 0.4, 1))
enough = states.query("cells == 10 and factor > 99")["a"].min()
root = f"Ten copies move the odds by $e^{{10ε}}$, and {99**0.1:.2f}¹⁰ = 99"
folded = f"From the step a = {enough:g} on. {root}: with an $e^ε$ below that they never get there."
say(f"<details><summary>The answer</summary>\n\n{folded}\n\n</details>")

# %% [markdown]
# ## Exercises
#
# R, C, P, B and D are above. The last one is open: the check computes film and factor again, and
# you judge your study by the three lines that it prints.
#
# - **O (open).** *Khan* was chosen by hand. **Which film's odds move most**, when it and its ten
#   nearest are published as 1 at $e^\varepsilon = 3$? First choose how many people must have rated
#   a film that counts. Then search, and give the film, its factor, and an interval for it. Beware:
#   the largest of many noisy numbers is large by luck, too: search in one half of the people, and
#   measure in the other. `together(group_of(film, alike), learned)` is the belief of the half that
#   you search, and with `1 - learned` that of the other half. Each of `draws` is a list of weights
#   that resamples the people; for the other half take `each * (1 - learned)`.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: {"film": a title in quotes, "factor": ..., "interval": (low, high)}
candidates = np.flatnonzero(rated[known].sum(axis=0) >= 50)  # the rule: 50 people of one half
measured = 1 - learned  # films, neighbours and search from one half, the factor from the other


def eleven(film, weights):
    joint = together(group_of(film, alike), weights)
    return posterior_odds(joint, flip_probability=1 / 4).factors[all_ones]


top = max(candidates, key=lambda film: eleven(film, learned))
answer = {"film": films.items["title"].iloc[top], "factor": eleven(top, measured)}
answer["interval"] = tuple(
    np.quantile([eleven(top, measured * each) for each in draws], (0.025, 0.975))
)
check("04-O", answer)

# %% [markdown]
# ## Quiz
#
# 1. Somebody knows all cells of a table but one. By how much can a release move the odds of that
#    cell? <details><summary>Answer</summary>By at most $e^\varepsilon$: all else is
#    fixed.</details>
# 2. Each of two cells may be 1, but somebody believes that never both are. May a release move the
#    odds of the first by more than $e^\varepsilon$? <details><summary>Answer</summary>Yes: cells
#    that exclude each other go together, too. A 1 and a 0 published there point the same
#    way.</details>
# 3. A group of 50 rows is alike, and all 50 people have the same illness. What is k, and what is
#    distinct l? <details><summary>Answer</summary>k = 50 and l = 1: no row is found, and the
#    illness of all is known.</details>
# 4. Of a group of eight six have a cold and two the flu. What is its entropy l?
#    <details><summary>Answer</summary>The shares are 3/4 and 1/4, so l is $4 / 3^{3/4}$: a little
#    less than the two that equal shares would give.</details>
# 5. Of all people four tenths have a cold, three tenths the flu, two tenths a cough, one tenth
#    nothing; in a group six tenths have a cold and four the flu. For which t is it just t-close?
#    <details><summary>Answer</summary>Three tenths: half of 2 + 1 + 2 + 1 tenths. Values that the
#    group does not have count, too.</details>
#
# ## What to remember
#
# - $e^\varepsilon$ caps how far the odds move between two neighbours, all else fixed.
# - c cells that go together can move the odds by $e^{c\varepsilon}$, and no belief on them by more.
# - Ask what goes together; make it the unit, or name the beliefs.
# - A unanimous group discloses its value, whatever k is.
#
# ## References
#
# - Kifer and Machanavajjhala 2011, *No free lunch in data privacy*,
#   [doi 10.1145/1989323.1989345](https://doi.org/10.1145/1989323.1989345).
# - Kifer and Machanavajjhala 2014, *Pufferfish: a framework for mathematical privacy definitions*,
#   [doi 10.1145/2514689](https://doi.org/10.1145/2514689).
# - Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007, *l-diversity: privacy beyond
#   k-anonymity*, [doi 10.1145/1217299.1217302](https://doi.org/10.1145/1217299.1217302).
# - Li, Li and Venkatasubramanian 2007, *t-closeness: privacy beyond k-anonymity and l-diversity*,
#   [doi 10.1109/ICDE.2007.367856](https://doi.org/10.1109/ICDE.2007.367856).
# - Dwork and Roth 2014, *The algorithmic foundations of differential privacy*,
#   [doi 10.1561/0400000042](https://doi.org/10.1561/0400000042).
