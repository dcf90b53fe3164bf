# %% [markdown]
# # 01 Privacy by counting: same output, two inputs, worst case
#
# ## What you will be able to do
#
# - say what differential privacy promises, for which unit, and who must be trusted;
# - compute the exact privacy level ε of a mechanism with finitely many outputs;
# - say what several releases cost together, and what a group of edges or a whole user costs;
# - show a leak by its pair of inputs and its output, and audit a mechanism by hand.
#
# ## What you need
#
# Notebook [new-00](new-00_find_somebody.ipynb): flips, odds, density. Besides: a *conditional*
# probability, the chance of an answer given the truth, and the binomial distribution.
#
# **Minutes (estimates):** about 50 to read, about 110 for the exercises.

# %% [markdown]
# ## Break something: predict, then run
#
# Ask a person something delicate: have you seen this film? The person tosses coins and lies with
# probability p = 1/4. One answer proves nothing, and that is the intention. Now ask nine times,
# with fresh coins each time, and believe the majority.
#
# **How often is the majority wrong?** Write your number down, then run.

# %%
my_prediction = 0.25  # your own number here, between 0 and 1

# %%
# NBVAL_CHECK_OUTPUT
import math
from fractions import Fraction

import numpy as np
from IPython.display import Markdown, display


def say(text):  # a sentence with numbers from the run
    display(Markdown(text))


p = Fraction(1, 4)
wrong = 0
for lies in range(5, 10):  # the majority errs when five or more of nine answers are lies
    wrong += math.comb(9, lies) * p**lies * (1 - p) ** (9 - lies)
say(f"The majority errs in **{float(wrong):.1%}** of all cases; you said {my_prediction:.0%}.")

# %% [markdown]
# Nobody broke a rule: each answer kept its promise. What was never said is how promises add up. To
# say it, we need a promise that can be counted.
#
# ## Define: one output, two inputs
#
# A *mechanism* M turns an input into a random output. Two inputs D and D′ are **neighbouring
# data** when they differ in one *unit*, all else fixed: one edge, or all cells of one user. M has
# **pure differential privacy** at level ε, or is *ε-private*, when for all neighbours D, D′ and
# **every** set S of outputs
#
# $$\Pr[M(D) \in S] \;\le\; e^\varepsilon \cdot \Pr[M(D') \in S]$$
#
# Where the outputs can be counted, as in nearly all of this notebook, it is enough to ask this of
# each single output, since the probability of a set is a sum over its outputs. (With continuous
# noise it is not: there a single output has probability 0, whatever M does.)
#
# In words: take one output, ask how likely each input makes it, divide. The worst such quotient,
# over all outputs and in both directions, is the *odds factor* $e^\varepsilon$. So ε is no
# probability of a leak: it bounds how much **every** answer tells about which of **two neighbours**
# is true. It bounds no more than that. Where you believe that two cells are equal, say those of a
# couple, the two inputs that you compare differ in two units, and at p = 1/4 the answer "1, 1"
# moves your odds by 9, where $e^\varepsilon$ is 3 (Kifer and Machanavajjhala 2011).
#
# **Approximate differential privacy**, $(\varepsilon, \delta)$, allows a small excess:
# $\Pr[M(D)\in S] \le e^\varepsilon \Pr[M(D')\in S] + \delta$. Here δ = 0.
#
# Who adds the noise? In the **local** model each person does, at home: only the noisy answer leaves
# the house, and nobody need be trusted. In the **central** model a server sees all true data and
# publishes something noisy; it must be trusted. Our liar is local. The method is the oldest of all,
# **randomized response** (Warner 1965): give the truth x with probability 1−p, else its opposite.
# Write $\pi_{xy}$ for the probability of publishing y when the truth is x, so the **first** index
# is the truth and the second the answer. Then $\pi_{00} = \pi_{11} = 1-p$,
# $\pi_{01} = \pi_{10} = p$, and for p up to 1/2 the definition gives
#
# $$e^\varepsilon = \frac{1-p}{p}, \qquad \varepsilon = \ln\frac{1-p}{p}$$
#
# The code below compares two inputs output by output; the library has the same probabilities.

# %%
# NBVAL_CHECK_OUTPUT
from pplab.response import BipartiteNoiseGraph


def worst_odds(one, other):  # two dicts {output: probability}
    worst = 1
    for output in set(one) | set(other):
        first, second = one.get(output, 0), other.get(output, 0)
        if min(first, second) == 0:
            return math.inf  # this output excludes one of the inputs
        worst = max(worst, first / second, second / first)
    return worst


by_hand = {0: {0: 1 - p, 1: p}, 1: {0: p, 1: 1 - p}}
odds = worst_odds(by_hand[0], by_hand[1])
say(f"Worst odds **{odds} : 1**, so ε = ln {odds} = {math.log(odds):.3f}.")
print("library, truth 1:", BipartiteNoiseGraph(p).distribution([[1]]))
couple = [BipartiteNoiseGraph(p).distribution([[x, x]]) for x in (0, 1)]  # both cells alike
say(f"Two cells that are believed to be equal: up to **{worst_odds(*couple)} : 1**.")

# %% [markdown]
# The answer 1 is three times as likely when the truth is 1, the answer 0 three times as likely when
# the truth is 0.
#
# **Exercise R (recall).** Which two of $\pi_{00}, \pi_{01}, \pi_{10}, \pi_{11}$ does the definition
# compare? One pair that it compares will do; write p for π.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
from pplab import check

# YOUR CODE: two entries, such as ("p00", "p11")
answer = ("p01", "p11")
check("01-R", answer)

# %% [markdown]
# **Exercise C (compute).** What is ε of a flip with p = 1/10?

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: a number
answer = math.log(Fraction(9, 10) / Fraction(1, 10))
check("01-C", answer)

# %% [markdown]
# ### A slip that is easy to make
#
# It is tempting to divide the truth by the lie for one person, that is two entries of one **row**:
# $\max(\pi_{00}/\pi_{01},\ \pi_{11}/\pi_{10}) \le e^\varepsilon$. This compares two outputs of one
# input, and nobody learns from it. Try this *row test* on three people:


# %%
# NBVAL_CHECK_OUTPUT
def told(odds):  # every ε beside its odds factor
    if odds == math.inf:
        return "∞ : 1 (ε = ∞)"
    return f"{round(float(odds), 2):,g} : 1 (ε = {math.log(odds):.3f})"


lies = {
    "lies in a quarter": ("1/4", "1/4"),
    "uneven": ("1/10", "1/2"),
    "lies often": ("9/10", "9/10"),
}
for name, (no_as_yes, yes_as_no) in lies.items():
    p01, p10 = Fraction(no_as_yes), Fraction(yes_as_no)
    row_test = max((1 - p01) / p01, (1 - p10) / p10)
    truly = worst_odds({0: 1 - p01, 1: p01}, {0: p10, 1: 1 - p10})
    print(f"{name:18} row test {row_test!s:>4}, true {told(truly)}")

# %% [markdown]
# The last person lies nine times in ten and passes the row test even at ε = 0, which promises that
# nothing is learned. But turn each of this person's answers round, and nine in ten are true. The
# row test fails there because it never compares two inputs.
#
# > **In the ledger.** The paper *noise-graphs* cites the row test from another work as its
# > condition
# > for ε-privacy: row `noise-graphs:section-2.1:wang-condition`. For a symmetric flip with p up to
# > 1/2 it gives the right ε all the same.
#
# ## Enumerate: every graph, every output
#
# One cell was easy. A graph on three nodes has three possible edges, so there are eight graphs, and
# each may be published as each. All 64 probabilities, with p = 1/4:

# %%
# NBVAL_CHECK_OUTPUT
from itertools import product

from pplab.plots import COLOURS, cells, new_figure, show

graphs = sorted(product((0, 1), repeat=3), key=sum)  # edges 0-1, 0-2, 1-2
chances = np.zeros((8, 8))  # in 64ths
for row, truth in enumerate(graphs):
    for column, output in enumerate(graphs):
        flips = sum(a != b for a, b in zip(truth, output, strict=True))
        chances[row, column] = 64 * p**flips * (1 - p) ** (3 - flips)
figure, axes = new_figure(width=5, height=4.6)
cells(axes, chances, title="One edge more or less: a factor of 3 (in 64ths)", text="{:.0f}")
names, places = ["".join(map(str, graph)) for graph in graphs], np.arange(8) + 0.5
axes.set(xticks=places, xticklabels=names, yticks=places, yticklabels=names)
axes.set(xlabel="published edges 0-1, 0-2, 1-2", ylabel="true edges 0-1, 0-2, 1-2")
show(figure, alt="Probabilities of 8 outputs (columns) under 8 graphs (rows), from 1/64 to 27/64.")

# %% [markdown]
# Read a **column**, not a row: one output under eight inputs. Two graphs that differ in one edge
# stand in ratio 3 in every column. You do not have to search by eye. The *enumerator*,
# `exact_epsilon`, goes through all neighbours and all outputs, in fractions, and hands over the
# worst pair with its output. Ask it about other **units**, too:

# %%
# NBVAL_CHECK_OUTPUT
from pplab import exact_epsilon
from pplab.response import NoiseGraph

found = exact_epsilon(NoiseGraph(p), shape=3, unit="edge")
print("edge, 3 nodes:", told(found.odds))
print("one input ", found.pair[0], "\nother     ", found.pair[1], "\noutput    ", found.output)
lines = ["| data | unit | worst odds |", "|---|---|---|"]
for nodes in (3, 4):
    odds = exact_epsilon(NoiseGraph(p), shape=nodes, unit="node").odds
    lines.append(f"| {nodes} nodes | node | {told(odds)} |")
for unit in ("edge", "user", "item"):
    odds = exact_epsilon(BipartiteNoiseGraph(p), shape=(1, 3), unit=unit).odds
    lines.append(f"| 1 user, 3 items | {unit} | {told(odds)} |")
say("\n".join(lines))

# %% [markdown]
# When one *node* of three is replaced, two cells may change, so the odds are 9 : 1, not 27 : 1: a
# node has no edge to itself. When a *user* with three items is replaced, three cells change. The
# release is the same, p is the same, and each unit has odds of its own: a promise without its unit
# says nothing.
#
# > **In the ledger.** That one edge costs one factor is Theorem 1 of *noise-graphs*
# > (`noise-graphs:theorem-1`); its Theorem 2 is about nodes (`noise-graphs:theorem-2`).
#
# **Exercise P (prove by code).** Write your own enumerator for a table: rows are inputs, columns
# outputs, entries are probabilities. `level(table)` returns ε, and `math.inf` where there is no
# bound; every two rows are neighbours. Entries are fractions: `max`, `/` and `math.log` take them,
# `np.log` wants `float(entry)`. It is run on tables that you have not seen.


# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
def level(table):
    # YOUR CODE: the worst ratio of two entries in one column, as its natural logarithm
    worst = 1
    for column in zip(*table, strict=True):
        if max(column) == 0:
            continue  # no input gives this output
        if min(column) == 0:
            return math.inf  # this output excludes an input
        worst = max(worst, max(column) / min(column))
    return math.log(worst)


check("01-P", level)

# %% [markdown]
# ## Composition: looks multiply
#
# Now ask the enumerator about the nine answers, about their majority, and about other combinations.

# %%
# NBVAL_CHECK_OUTPUT
from pplab.theory import DisjointRows, PostProcessed, Repeated, exact_group_epsilon


def majority(answers):  # of nine releases of one cell
    yes = 0
    for answer in answers:
        yes += answer[0][0]
    return yes > 4


def with_degree(rows):  # a release and its number of published edges
    return rows, sum(rows[0])


# %%
# NBVAL_CHECK_OUTPUT
once, twice = BipartiteNoiseGraph(p), Repeated(BipartiteNoiseGraph(p), times=2)
nine = Repeated(BipartiteNoiseGraph(p), times=9)
cases = [  # what is released, how, and the number of users and items
    ("one release", once, (1, 2)),
    ("two releases", twice, (1, 2)),
    ("nine answers about one cell", nine, (1, 1)),
    ("only the majority of the nine", PostProcessed(nine, majority), (1, 1)),
    ("a release and its degree", PostProcessed(once, with_degree), (1, 2)),
    ("two users, each answering once", DisjointRows([once, once]), (2, 1)),
]
for name, mechanism, shape in cases:
    say(f"- {name}: {told(exact_epsilon(mechanism, shape=shape, unit='edge').odds)}")
pair = exact_group_epsilon(once, shape=(1, 2), unit="edge", units=2)
say(f"- two edges differ: {told(pair.odds)}")

# %% [markdown]
# - **Sequential composition:** releases of one secret at $\varepsilon_1$ and $\varepsilon_2$, each
#   with fresh noise of its own, cost at most $\varepsilon_1 + \varepsilon_2$ together; their odds
#   multiply, 3 · 3 = 9.
# - **Post-processing:** whatever is computed from a release alone, without another look at the
#   data, costs nothing more. The majority even
#   tells less than the nine answers it is made of.
# - **Parallel composition:** releases about different people do not add up for one edge: the cost
#   is at most $\max(\varepsilon_1, \varepsilon_2)$.
# - **Group privacy:** two units together have at most 2ε, three at most 3ε, and so on. Two edges
#   have the odds of two looks.
#
# **Exercise B (break).** An undirected graph is published cell by cell: both directions of each
# edge are flipped independently, p = 1/4. Give two graphs that differ in one edge, and the worst
# odds.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: (one table, another table, the worst odds)
answer = ([[0, 0], [0, 0]], [[0, 1], [1, 0]], 3 * 3)
check("01-B", answer)

# %% [markdown]
# **Exercise D (design).** You want three independent releases of one edge, all with the same p, and
# total odds of at most 19. Choose the smallest p. If you round it, round up: a smaller p tells more
# than is allowed.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: a flip probability
answer = 1 / (1 + 19 ** (1 / 3))
check("01-D", answer)

# %% [markdown]
# ## What a private release may teach
#
# Does this forbid learning? It forbids learning much about **one** edge. A group is another matter:
# the expected flips can be subtracted, as in 00. With $|\tilde E|$ answers "yes" among Q people,
#
# $$\widehat{|E|} = \frac{|\tilde E| - pQ}{1 - 2p}, \qquad
# \mathrm{Var} = \frac{Q\,p(1-p)}{(1-2p)^2}$$
#
# The variance has one line: each answer varies by p(1−p), there are Q independent ones, and
# dividing
# by 1−2p divides a variance by its square. Ask ever more people, of whom 30 % have seen the film:

# %%
# NBVAL_CHECK_OUTPUT
import pplab

lie, share = float(p), 0.3
for people in (100, 1_000, 10_000, 100_000):
    truth = np.zeros((people, 1), dtype=int)
    truth[: round(share * people)] = 1
    noisy = pplab.bipartite_noise_graph(truth, flip_probability=lie, rng=1)
    estimate = (noisy.nnz - lie * people) / (1 - 2 * lie)
    deviation = math.sqrt(people * lie * (1 - lie)) / (1 - 2 * lie)
    print(
        f"{people:7,} people: {estimate / people:6.1%} ± {deviation / people:.2%}, each {told(3)}"
    )

# %% [markdown]
# Same odds for each person in every line, and the larger the group, the better its share is known
# (± is one standard deviation). If the
# group's share itself embarrasses its members, this promise does not help them: it protects what
# only **your** answer can tell.
#
# ## The zoo: noise is not yet privacy
#
# Each *animal* below is a mechanism that adds noise and promises odds that it does not keep. A leak
# is shown in one way only: two neighbouring inputs, one output, and a quotient above the promise.
#
# ### Hunt
#
# **Exercise H.** Below the table stands a worked example. **Catch at least four more animals**: for
# each, give its name and a triple (one, other, output), the inputs written as tuples of rows. First
# think which output is far likelier under one of two inputs, or possible under one only. Then let
# `exact_epsilon` enumerate; shapes such as `(1, 1)`, `(1, 2)`, `(2, 1)`, `(1, 3)`, or `2` for a
# graph on two nodes, are enough. `zoo.NoiseReused??` shows the code of an animal. In inputs an
# empty cell is 0; in outputs of the two animals with ratings it is `None`. Two animals have
# infinitely many outputs and escape the enumerator: *CountNeverBelowTruth*, which comes back below,
# and *OneDrawForAll*.

# %%
# NBVAL_CHECK_OUTPUT
from pplab.attacks import zoo

lines = ["| animal | unit | promised odds | what it does |", "|---|---|---|---|"]
for animal in zoo.BROKEN:
    name, what = type(animal).__name__, type(animal).__doc__.splitlines()[0]
    lines.append(f"| {name} | {animal.unit} | {math.exp(animal.claimed):.3g} : 1 | {what} |")
say("\n".join(lines))
found = exact_epsilon(zoo.WeakNoise(), shape=(1, 1), unit="edge")
say(f"Worked example, **WeakNoise**: {told(found.odds)} instead of {told(3)}.")
print("inputs", *found.pair, "output", found.output)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: a dict {"EarlyExit": (one, other, output), ...}
shapes = {"BothDirections": 2, "OnlyEdgesFlipped": (1, 1), "EarlyExit": (1, 2)}
shapes |= {"SeedReusedAcrossUsers": (2, 1), "UserAtEdgePrice": (1, 3)}
answer = {}
for name, shape in shapes.items():
    animal = getattr(zoo, name)()
    found = exact_epsilon(animal, shape=shape, unit=animal.unit)
    answer[name] = (*found.pair, found.output)
    print(f"{name}: {told(found.odds)}")
    print(f"   {found.pair[0]} against {found.pair[1]} at {found.output}")
check("01-H", answer)

# %% [markdown]
# ## Sampling: an audit refutes, it never proves
#
# Large data cannot be enumerated. But a mechanism can be run many times on two inputs, and its
# outputs counted. That is an **audit**. Do one by hand, on *WeakNoise*: one cell, and the event
# "1 is published", which was fixed before anything was drawn.
#
# A count of x among N runs is not yet a probability. The **Clopper-Pearson interval** turns it into
# one with a guarantee. Its lower end $\underline{q}$ is the probability under which so large a
# count
# is just too rare, and its upper end $\overline{q}$ the one under which so small a count is. Each
# end is wrong in at most $\alpha/2$ of all cases:
#
# $$\sum_{j \ge x} \binom{N}{j} \underline{q}^{\,j} (1-\underline{q})^{N-j} = \frac{\alpha}{2},
# \qquad
# \sum_{j \le x} \binom{N}{j} \overline{q}^{\,j} (1-\overline{q})^{N-j} = \frac{\alpha}{2}$$
#
# (For x = 0 the lower end is 0, and for x = N the upper end is 1.)

# %%
# NBVAL_CHECK_OUTPUT
from scipy.stats import binomtest

from pplab.attacks import log_ratio_bound

runs, alpha, rng = 10_000, 0.05, np.random.default_rng(1)
weak = zoo.WeakNoise()
likely = int(np.sum(weak.sample_many([[1]], runs, rng=rng)))  # 1 is published, the truth is 1
unlikely = int(np.sum(weak.sample_many([[0]], runs, rng=rng)))  # 1 is published, the truth is 0
low = binomtest(likely, runs).proportion_ci(1 - alpha, method="exact").low
high = binomtest(unlikely, runs).proportion_ci(1 - alpha, method="exact").high
say(f"Counted: {likely:,} and {unlikely:,} of {runs:,}, a quotient of {likely / unlikely:.2f}.")
say(f"Pr[1 | truth 1] ≥ {low:.4f}, Pr[1 | truth 0] ≤ {high:.4f}.")
say(f"So the odds are at least **{low / high:.2f} : 1**, and 3 : 1 was promised.")
library = log_ratio_bound(likely, unlikely, runs, alpha=alpha)
print(f"by hand ε ≥ {math.log(low / high):.4f}, library {library:.4f}, promised {math.log(3):.4f}")

# %% [markdown]
# The promise is **refuted**: if it were kept, an audit would still say "refuted", but in at most
# α = 5 % of all cases.
# The bound lies below the counted quotient: that is the price of certainty.
#
# Here the event was easy to guess. `audit_epsilon` also finds the event: it splits the
# runs, chooses on one half the outputs that tell the two inputs apart, and judges on the other
# half,
# by the same two bounds, in both directions with α/2 each. Choosing and judging on the same runs
# would be cheating: by chance some event always looks telling.

# %%
# NBVAL_CHECK_OUTPUT
from pplab import audit_epsilon

harmless = ([[1, 0]], [[1, 1]])  # neighbours, but not the telling ones
trials = [
    ("FairCoins, keeps its promise", zoo.FairCoins(), zoo.FairCoins.pair),
    ("WeakNoise", zoo.WeakNoise(), zoo.WeakNoise.pair),
    ("EarlyExit, harmless pair", zoo.EarlyExit(), harmless),
    ("EarlyExit, telling pair", zoo.EarlyExit(), zoo.EarlyExit.pair),
    ("CountNeverBelowTruth", zoo.CountNeverBelowTruth(), zoo.CountNeverBelowTruth.pair),
]

# %%
# NBVAL_CHECK_OUTPUT
lines = ["| mechanism | runs | promised | odds at least | verdict |", "|---|---|---|---|---|"]
for name, animal, pair in trials:
    for runs in (400, 40_000):
        promise = animal.claimed
        found = audit_epsilon(animal, pair, claimed=promise, samples=runs, alpha=0.05, rng=1)
        verdict = "**refuted**" if found.violated else "not refuted"
        odds, bound = math.exp(promise), math.exp(found.lower_bound)
        lines.append(f"| {name} | {runs:,} | {odds:.3g} : 1 | {bound:.3g} : 1 | {verdict} |")
say("\n".join(lines))

# %% [markdown]
# *WeakNoise* passes with few runs and is caught with many. *EarlyExit* passes with as many runs as
# you like on one pair of inputs, and fails at once on another. So "it passed the audit" is not "it
# is private": the pair, the event or the number of runs may have been wrong.
#
# The share of audits that catch a fault is called the **power** of the audit. Repeat it with 40
# seeds for each number of runs:

# %%
# NBVAL_CHECK_OUTPUT
sizes = (100, 200, 500, 1_000, 2_000, 5_000)


def power(animal):
    shares = []
    for runs in sizes:
        asked = {"claimed": animal.claimed, "samples": runs, "alpha": 0.05}
        audits = [audit_epsilon(animal, animal.pair, **asked, rng=seed) for seed in range(40)]
        shares.append(float(np.mean([audit.violated for audit in audits])))
    return shares


broken, right = power(zoo.WeakNoise()), power(zoo.FairCoins())
print("runs     ", *sizes, "\nWeakNoise", *broken, "\nFairCoins", *right)

# %%
figure, axes = new_figure(height=3)
axes.plot(sizes, broken, "o-", color=COLOURS["blue"], label="WeakNoise, true odds 3.74 : 1")
axes.plot(sizes, right, "s--", color=COLOURS["red"], label="FairCoins, true odds 3 : 1")
axes.legend(frameon=False)
axes.set(xscale="log", xlabel="runs per input", ylabel="share of audits that refute")
axes.set(title="A promise of 3 : 1 is put to the test", ylim=(-0.05, 1.1))
told_power = f"WeakNoise rises from {broken[0]:.0%} at 100 runs to {broken[-1]:.0%} at 5000"
show(figure, alt=f"Share of audits that refute: {told_power}; FairCoins at most {max(right):.0%}.")

# %% [markdown]
# The fault is small, and it is caught nearly always once there are thousands of runs. The right
# mechanism may be accused now and then, in at most the share α of the audits.
#
# The release labels so far, for p = 1/4:
#
# | release | unit | guarantee | who is trusted | insiders learn | a second release |
# |---|---|---|---|---|---|
# | one flip per cell | one edge | odds × 3 | nobody | nothing more | odds × 9 |
# | the same | a user with 3 items | odds × 27 | nobody | nothing more | odds × 729 |
# | nine flips per cell | one edge | odds × 3⁹ | nobody | nothing more | odds × 3¹⁸ |
#
# ## Play
#
# **Question:** you suspect a person with probability 1 %, and the answer is "yes". From which ε on
# is the suspicion above one half? (Nobody else's answer tells anything about this person.) The
# picture has a hundred people whom you suspect alike. Filled circles: so many have seen the film,
# as you expect before they answer. Filled circles and squares: so many of a hundred who say "yes".
# Tab reaches a slider, arrow keys move it; the sliders appear when you run their cell.


# %%
def draw(axes, prior, epsilon):
    odds = prior / (1 - prior) * math.exp(epsilon)
    posterior = odds / (1 + odds)
    before, after = round(100 * prior), round(100 * posterior)
    x, y, size = np.arange(100) % 10, 9 - np.arange(100) // 10, axes.bbox.height / 32
    axes.plot(x[:before], y[:before], "o", color=COLOURS["blue"], markersize=size)
    axes.plot(x[before:after], y[before:after], "s", color=COLOURS["orange"], markersize=size)
    axes.plot(x[after:], y[after:], "o", color=COLOURS["grey"], fillstyle="none", markersize=size)
    axes.set(aspect="equal", xticks=[], yticks=[], xlim=(-1, 10), ylim=(-1, 10))
    axes.set_title(f"ε = {epsilon:g}: {before} → {after} of 100", fontsize=10)
    axes.set_xlabel(f"odds × {math.exp(epsilon):.3g}", fontsize=9)
    return {"prior": prior, "ε": epsilon, "odds factor": math.exp(epsilon), "posterior": posterior}


# %% tags=["widget"]
# NBVAL_IGNORE_OUTPUT
from pplab.widgets import Control, explore, twin

sentence = "Suspicion {prior:.0%} × odds {odds factor:.3g} (ε = {ε:g}): {posterior:.1%} afterwards."
priors, levels = (0.01, 0.05, 0.1, 0.25, 0.5), (0.1, 0.5, 1, 2, 3, 4, 4.5, 4.6, 5, 6)
explore(
    draw,
    say=sentence.format_map,
    width=3.6,
    height=3.6,
    prior=Control("suspicion before", priors, 0.01, "rare", "even odds", "{:.0%}".format),
    epsilon=Control("privacy level ε", levels, 1, "more private", "more accurate"),
)


# %%
# NBVAL_CHECK_OUTPUT
def message(states):
    low, high = states["posterior"].min(), states["posterior"].max()
    return f"Twelve grids of 100 dots, three priors, four ε: {low:.1%} to {high:.1%} afterwards."


states = twin(draw, alt=message, height=2.5, prior=(0.01, 0.1, 0.5), epsilon=(0.1, 1, 3, 5))
print(states.map("{:.3g}".format).to_string(index=False))
folded = f"1 % is odds of 1 : 99. One half is passed when $e^ε$ > 99: ε > {math.log(99):.2f}."
say(f"<details><summary>The answer</summary>\n\n{folded}\n\n</details>")

# %% [markdown]
# The same answer, the same ε, and very different conclusions: what an observer believes afterwards
# depends on what was believed before. ε speaks only of the factor between the two, and only as long
# as nothing else is believed to go along with this answer.
#
# ## Exercises
#
# R, C, P, B, D and H stand above, each after its idea. The last one is open: the check looks at
# your
# numbers, and you judge your study yourself by the three lines that it prints.
#
# - **O (open).** A mechanism of true ε = 11/10 is sold as ε = 1. How many runs does an audit need
# to
#   catch it? It flips one cell. Repeat the audit by hand a few hundred times for at least three
#   numbers of runs: counts are binomial, so `rng.binomial` draws them, and `log_ratio_bound` takes
#   arrays of counts. Give α and the power, that is the share of audits with a bound above 1.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: {"alpha": ..., "power": {runs: share of audits that refute, ...}}
rng, lie = np.random.default_rng(1), pplab.epsilon_to_flip(1.1)
shares = {}
for runs in (500, 1_000, 2_000, 4_000, 8_000):
    likely = rng.binomial(runs, 1 - lie, size=1_000)  # a thousand audits
    unlikely = rng.binomial(runs, lie, size=1_000)
    bounds = log_ratio_bound(likely, unlikely, runs, alpha=0.05)
    shares[runs] = round(float(np.mean(bounds > 1)), 2)
say(f"Share of audits that refute: {shares}.")
answer = {"alpha": 0.05, "power": shares}
check("01-O", answer)

# %% [markdown]
# ## Quiz
#
# 1. An output has probability 0 under one input and 1/10 under its neighbour. What is ε?
#    <details><summary>Answer</summary>Infinite: that output excludes an input.</details>
# 2. Two different edges are flipped once each, and the unit is one edge. Is the level of both
#    together ε or 2ε? <details><summary>Answer</summary>ε: one edge was looked at once.</details>
# 3. What does it cost to publish the degrees of $\tilde G$ beside $\tilde G$?
#    <details><summary>Answer</summary>Nothing more: they are computed from what is
#    published.</details>
#
# ## What to remember
#
# - Same output, two inputs that differ in one unit, worst case.
# - Looks multiply odds.
# - Name the unit.
#
# ## References
#
# - Warner 1965, *Randomized response*,
#   [doi 10.1080/01621459.1965.10480775](https://doi.org/10.1080/01621459.1965.10480775).
# - Dwork and Roth 2014, *The algorithmic foundations of differential privacy*,
#   [doi 10.1561/0400000042](https://doi.org/10.1561/0400000042).
# - Salas and Torra 2020, *Differentially private graph publishing and randomized response for
#   collaborative filtering*, [doi
#   10.5220/0009833804150422](https://doi.org/10.5220/0009833804150422).
# - Kifer and Machanavajjhala 2011, *No free lunch in data privacy*,
#   [doi 10.1145/1989323.1989345](https://doi.org/10.1145/1989323.1989345).
# - Ding, Wang, Wang, Zhang and Kifer 2018, *Detecting violations of differential privacy*,
#   [doi 10.1145/3243734.3243818](https://doi.org/10.1145/3243734.3243818).
# - Clopper and Pearson 1934, *The use of confidence or fiducial limits*,
#   [doi 10.1093/biomet/26.4.404](https://doi.org/10.1093/biomet/26.4.404).
