# %% [markdown]
# # 01 Privacy by counting: same output, two inputs, worst case
#
# ## What you will be able to do
#
# - compute the exact privacy level ε of a mechanism with finitely many outputs;
# - turn a flip probability p into ε and into odds, and back;
# - say what several releases cost together, and what a group of edges or a whole user costs;
# - show a leak by its pair of inputs and its output, and name the unit of a promise.
#
# ## What you need
#
# Notebook [00](00_start_here.ipynb): flips, odds, density. Besides: a *conditional* probability,
# the chance of an answer given the truth. **75 minutes.**

# %% [markdown]
# ## Break something: predict, then run
#
# Ask a person something delicate: have you seen this film? The person tosses coins and lies with
# probability p = 1/4. One answer proves nothing, that is the point. Now ask nine times, with fresh
# coins each time, and believe the majority.
#
# **How often is the majority wrong?** Write your number down, then run.

# %%
my_prediction = 0.25  # your own number here, between 0 and 1

# %%
# NBVAL_CHECK_OUTPUT
from fractions import Fraction
from math import comb

from IPython.display import Markdown, display


def say(text):  # a sentence with numbers from the run
    display(Markdown(text))


p = Fraction(1, 4)
wrong = sum(comb(9, lies) * p**lies * (1 - p) ** (9 - lies) for lies in range(5, 10))
say(
    f"The majority errs with probability **{float(wrong):.1%}**; you predicted {my_prediction:.0%}."
)
say(f"Exactly: {wrong}. Nine harmless answers are one telling answer.")

# %% [markdown]
# Nobody broke a rule: each answer kept its promise. What was never said is how promises add up. To
# say it, we need a promise that can be counted.
#
# ## Define: one output, two inputs
#
# A *mechanism* M turns an input into a random output. It is **ε-private** for a unit when for any
# two inputs D and D′ that differ in one such unit, and for **every** output,
#
# $$\Pr[M(D) = \text{output}] \;\le\; e^\varepsilon \cdot \Pr[M(D') = \text{output}]$$
#
# In words: take one output, ask how likely each input makes it, divide. The worst such quotient,
# over all outputs and in both directions, is the *odds factor* $e^\varepsilon$. It is the largest
# factor by which the output can move anybody's odds, whatever they believed before. So ε is no
# probability of a leak: it bounds how much **every** answer tells.
#
# One answer of our liar has four probabilities. Count them:

# %%
# NBVAL_CHECK_OUTPUT
import math

from pplab.response import BipartiteNoiseGraph


def worst_odds(one, other):  # two laws {output: probability}, in both directions
    both = [(one.get(output, 0), other.get(output, 0)) for output in {*one, *other}]
    return max(max(pair) / min(pair) if min(pair) else math.inf for pair in both)


law = {truth: BipartiteNoiseGraph(p).distribution([[truth]]) for truth in (0, 1)}
for truth in (0, 1):
    print("truth", truth, {output[0][0]: str(share) for output, share in law[truth].items()})
odds = worst_odds(law[0], law[1])
say(f"Worst odds **{odds} : 1**, so ε = ln {odds} = {math.log(odds):.3f}.")

# %% [markdown]
# The answer 1 is three times as likely when the truth is 1, the answer 0 three times as likely when
# the truth is 0. With p in general: $\varepsilon = \ln\frac{1-p}{p}$.
#
# ### A slip that is easy to make
#
# Write $\pi_{xy}$ for the probability of publishing y when the truth is x. The paper *noise-graphs*
# cites the condition $\max(\pi_{00}/\pi_{01},\ \pi_{11}/\pi_{10}) \le e^\varepsilon$ (row
# `noise-graphs:section-2.1:wang-condition` of the ledger). It divides two entries of one **row**:
# one input, two outputs. Try it on a person who nearly always lies:

# %%
# NBVAL_CHECK_OUTPUT
from pplab.response import DesignMatrix


def told(odds):  # every ε beside its odds factor
    if odds == math.inf:
        return "∞ : 1 (ε = ∞)"
    return f"{round(float(odds), 2):,g} : 1 (ε = {math.log(odds):.3f})"


lies = {"fair liar": ("1/4", "1/4"), "lopsided": ("1/10", "1/2"), "nearly always": ("9/10", "9/10")}
for name, (none_edge, edge_none) in lies.items():
    p01, p10 = Fraction(none_edge), Fraction(edge_none)
    person = DesignMatrix(p00=1 - p01, p01=p01, p10=p10, p11=1 - p10)
    print(f"{name:14} printed test {person.printed_odds!s:>4}, true {told(person.odds)}")

# %% [markdown]
# The last line passes the printed test even at ε = 0, which promises that nothing is
# learned. But who lies nine times in ten tells the truth to everyone who turns the answer round.
# Where the two lies sum to at most one, the printed test is safe, and sometimes too strict, as the
# second line shows. Beyond that it can fail, as in the last line, because it never compares two
# inputs.
#
# ## Enumerate: every graph, every output
#
# One cell was easy. A graph on three nodes has three possible edges, so there are eight graphs, and
# each may be published as each. All 64 probabilities, with p = 1/4:

# %%
# NBVAL_CHECK_OUTPUT
from itertools import product

import numpy as np

from pplab.plots import cells, new_figure, show
from pplab.response import NoiseGraph

graphs = sorted(product((0, 1), repeat=3), key=sum)  # edges 0-1, 0-2, 1-2
tables = [np.array([[0, a, b], [a, 0, c], [b, c, 0]]) for a, b, c in graphs]
laws = [NoiseGraph(p).distribution(table) for table in tables]
outputs = [tuple(map(tuple, table.tolist())) for table in tables]
chances = [[64 * law[output] for output in outputs] for law in laws]
names, places = ["".join(map(str, graph)) for graph in graphs], np.arange(8) + 0.5
figure, axes = new_figure(width=5, height=4.6)
cells(axes, chances, title="One edge more or less: a factor of 3 (in 64ths)", text="{:.0f}")
axes.set(xticks=places, xticklabels=names, yticks=places, yticklabels=names)
axes.set(xlabel="published edges 0-1, 0-2, 1-2", ylabel="true edges 0-1, 0-2, 1-2")
show(figure, alt=f"8 x 8 probabilities, from {min(chances[0])} to {max(chances[0])} 64ths.")

# %% [markdown]
# Read a **column**, not a row: one output under eight inputs. Two graphs that differ in one edge
# stand in ratio 3 in every column. You do not have to search by eye: `exact_epsilon` goes through
# all neighbours and all outputs, in fractions, and hands over the worst pair with its output.

# %%
# NBVAL_CHECK_OUTPUT
from pplab import exact_epsilon
from pplab.theory import cells_of_unit

found = exact_epsilon(NoiseGraph(p), shape=3, unit="edge")
print("edge, 3 nodes:", told(found.odds), "\none input ", found.pair[0])
print("other     ", found.pair[1], "\noutput    ", found.output)
lines = ["| data | unit | cells | worst odds |", "|---|---|---|---|"]
asked = [("3 nodes", 3, "node"), ("4 nodes", 4, "node"), ("1 user, 3 items", (1, 3), "edge")]
asked += [("1 user, 3 items", (1, 3), "user"), ("1 user, 3 items", (1, 3), "item")]
for data, shape, unit in asked:
    flips = BipartiteNoiseGraph(p) if isinstance(shape, tuple) else NoiseGraph(p)
    odds = exact_epsilon(flips, shape=shape, unit=unit).odds
    lines.append(f"| {data} | {unit} | {cells_of_unit(shape, unit)} | {told(odds)} |")
say("\n".join(lines))

# %% [markdown]
# The first block is Theorem 1 of the paper on three nodes (`noise-graphs:theorem-1`): one edge is
# one cell. The table is about other **units**. Who replaces a *node* among three changes two
# cells, so the odds are 9 : 1, not 27 : 1: a node has no edge to itself (`noise-graphs:theorem-2`).
# Who replaces a *user* with three items changes three cells. The same release, the same p, and each
# unit has odds of its own: a promise without its unit says nothing.
#
# ## Composition: looks multiply
#
# Ask the enumerator about the nine answers, about their majority, and about functions of a release.

# %%
# NBVAL_CHECK_OUTPUT
from pplab.theory import DisjointRows, PostProcessed, Repeated, exact_group_epsilon

once, nine = BipartiteNoiseGraph(p), Repeated(BipartiteNoiseGraph(p), times=9)
majority = PostProcessed(nine, lambda answers: sum(answer[0][0] for answer in answers) > 4)
with_degree = PostProcessed(once, lambda rows: (rows, sum(rows[0])))
cases = {
    "one release": (once, (1, 2)),
    "two releases": (Repeated(once, times=2), (1, 2)),
    "nine answers about one cell": (nine, (1, 1)),
    "only the majority of the nine": (majority, (1, 1)),
    "a release and its degrees": (with_degree, (1, 2)),
    "two users, each answering once": (DisjointRows([once, once]), (2, 1)),
}
found = {name: exact_epsilon(m, shape=s, unit="edge") for name, (m, s) in cases.items()}
found["two edges differ"] = exact_group_epsilon(once, shape=(1, 2), unit="edge", units=2)
say("\n".join(f"- {name}: {told(level.odds)}" for name, level in found.items()))

# %% [markdown]
# - *Sequential composition*: two looks at one secret multiply the odds, 3 · 3 = 9.
# - *Post-processing*: whatever is computed from a release, such as its degrees, costs nothing more.
#   The majority even tells less than the nine answers it is made of.
# - *Parallel composition*: releases about different people do not add up for one edge.
# - *Group privacy*: two edges together have the odds of two looks.
#
# ## What a private release may teach
#
# Does this forbid learning? It forbids learning much about **one** edge. A group is another matter:
# the flips are known, so they can be counted back. With $|\tilde E|$ answers "yes" among Q,
#
# $$\widehat{|E|} = \frac{|\tilde E| - pQ}{1 - 2p}, \qquad
# \mathrm{Var} = \frac{Q\,p(1-p)}{(1-2p)^2}$$
#
# In words: take off the expected noise and stretch what is left. Ask ever more people, of whom
# 30 % have seen the film:

# %%
# NBVAL_CHECK_OUTPUT
import pplab
from pplab.response import estimate_edges

people, share = [100, 1_000, 10_000, 100_000], 0.3
figure, axes = new_figure(height=2.8)
for count in people:
    truth = (np.arange(count) < share * count).astype(int)[:, None]
    noisy = pplab.bipartite_noise_graph(truth, flip_probability=float(p), rng=1)
    found = estimate_edges(noisy, flip_probability=float(p))
    value, spread = found.value / count, found.standard_deviation / count
    axes.errorbar(count, value, 2 * spread, fmt="o", color="#0072B2", capsize=4)
    print(f"{count:7,} people: {value:6.1%}, standard deviation {spread:.2%}; each {told(odds=3)}")
axes.axhline(share, color="black", linestyle="--")
axes.set(xscale="log", xlabel="people asked", ylabel="estimated share")
axes.set_title("The group becomes known, each person stays at 3 : 1")
show(figure, alt=f"Estimates close in on {share:.0%}; two deviations shrink to {2 * spread:.2%}.")

# %% [markdown]
# Same odds for each person in every line, and the group is known to a fraction of a percent. If the
# group's share itself embarrasses its members, this promise does not help them: it protects what
# only **your** answer can tell.
#
# ## The zoo: noise is not yet privacy
#
# Each animal below adds noise, and each promises odds that it does not keep. A leak is shown in one
# way only: two neighbouring inputs, one output, and a quotient above the promise.
#
# ### Hunt
#
# Below the table stands a worked example. Then **catch at least four more animals**: for each,
# give its name and a triple (one, other, output), the inputs written as tuples of rows. First
# think which output is far likelier under one of two inputs, or possible under one only. Then let
# `exact_epsilon` enumerate; shapes such as `(1, 1)`, `(1, 2)`, `(2, 1)`, `(1, 3)`, or `2` for a
# graph on two nodes, are enough. Only *CountNeverBelowTruth* and *OneDrawForAll* escape the
# enumerator: they have infinitely many outputs.

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
from pplab import check

# YOUR CODE: a dict {"EarlyExit": (one, other, output), ...}
shapes = {"BothDirections": 2, "OnlyEdgesFlipped": (1, 1), "EarlyExit": (1, 2)}
shapes |= {"SeedReusedAcrossUsers": (2, 1), "DesignMatrixByRows": (1, 1), "UserAtEdgePrice": (1, 3)}
answer = {}
for name, shape in shapes.items():
    animal = getattr(zoo, name)()
    found = exact_epsilon(animal, shape=shape, unit=animal.unit)
    answer[name] = (*found.pair, found.output)
    print(
        f"{name}: {told(found.odds)}\n   {found.pair[0]} against {found.pair[1]} at {found.output}"
    )
check("01-H", answer)

# %% [markdown]
# ## Sampling: an audit refutes, it never proves
#
# Large data cannot be enumerated. But a mechanism can be run many times on two inputs, and counted.
# An *audit* chooses an event on one half of the runs, judges it on the other half with exact
# binomial bounds, and reports a **lower** confidence bound on ε. Above the promise, the promise is
# refuted; wrongly so in at most a share α of audits.

# %%
# NBVAL_CHECK_OUTPUT
from pplab import audit_epsilon

harmless = ([[1, 0]], [[1, 1]])  # neighbours, but not the telling ones
trials = [("FairCoins, right", zoo.FairCoins(), None), ("WeakNoise", zoo.WeakNoise(), None)]
trials += [("EarlyExit, harmless pair", zoo.EarlyExit(), harmless)]
trials += [("EarlyExit, telling pair", zoo.EarlyExit(), None)]
lines = ["| mechanism, promise 3 : 1 | runs | odds at least | verdict |", "|---|---|---|---|"]
for name, animal, pair in trials:
    for runs in (400, 40_000):
        asked = {"claimed": animal.claimed, "samples": runs, "alpha": 0.05}
        found = audit_epsilon(animal, pair or animal.pair, **asked, rng=1)
        verdict = "**refuted**" if found.violated else "not refuted"
        lines.append(f"| {name} | {runs:,} | {told(math.exp(found.lower_bound))} | {verdict} |")
say("\n".join(lines))

# %% [markdown]
# Read the lines of *WeakNoise*: with few runs it passes, with many it is caught. *EarlyExit* passes
# with as many runs as you like on one pair of inputs, and fails at once on another. So "it passed
# the audit" is not "it is private": the pair, the event or the number of runs may have been wrong.
# How many runs does it take? Repeat the audit with 40 seeds per size:

# %%
# NBVAL_CHECK_OUTPUT
import pandas as pd

from pplab.plots import curves


def refuted(animal, runs):  # share of 40 audits
    asked = {"claimed": animal.claimed, "samples": runs, "alpha": 0.05}
    return np.mean([audit_epsilon(animal, animal.pair, **asked, rng=n).violated for n in range(40)])


animals, sizes = (zoo.WeakNoise(), zoo.FairCoins()), (100, 200, 500, 1_000, 2_000, 5_000)
rows = [(round(float(a.odds), 2), runs, refuted(a, runs)) for a in animals for runs in sizes]
power = pd.DataFrame(rows, columns=["odds", "runs", "refuted"])
figure, axes = new_figure(height=3)
curves(axes, power, x="runs", y="refuted", by="odds")
axes.set(xscale="log", xlabel="runs per input", ylabel="share of audits that refute")
axes.set(title="A promise of 3 : 1 is put to the test (boxes: true odds)", ylim=(-0.05, 1.1))
caught, false = power["refuted"][5], power["refuted"][6:].max()
show(figure, alt=f"At 5000 runs {caught:.0%} refute odds of 3.74; right odds: {false:.0%} at most.")

# %% [markdown]
# The fault is small, and it is caught nearly always once there are thousands of runs. The right
# mechanism is accused now and then, in at most a share α of the audits: that is what α buys.
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
# is the suspicion above one half? A hundred people of whom you think the same: a filled circle is
# one who was suspected before, a square one whom the answer adds, an empty circle the rest. Tab
# reaches a slider, arrow keys move it; the sliders appear when you run their cell.


# %%
def draw(axes, prior, epsilon):
    odds = prior / (1 - prior) * math.exp(epsilon)
    posterior = odds / (1 + odds)
    before, after = round(100 * prior), round(100 * posterior)
    x, y, size = np.arange(100) % 10, 9 - np.arange(100) // 10, axes.bbox.height / 32
    axes.plot(x[:before], y[:before], "o", color="#0072B2", markersize=size)
    axes.plot(x[before:after], y[before:after], "s", color="#E69F00", markersize=size)
    axes.plot(x[after:], y[after:], "o", color="#767676", fillstyle="none", markersize=size)
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
say(f"1 % is odds of 1 : 99. One half is passed when $e^ε$ > 99, so when ε > {math.log(99):.2f}.")

# %% [markdown]
# The same answer, the same ε, and very different conclusions: what an observer believes afterwards
# depends on what was believed before. ε speaks only of the factor between the two.
#
# ## Exercises
#
# - **R (recall).** Which two of $\pi_{00}, \pi_{01}, \pi_{10}, \pi_{11}$ does the definition
#   compare? One pair that it compares will do; write p for π.
# - **C (compute).** ε of a flip with p = 1/10.
# - **P (prove by code).** Write `level(table)`: rows are inputs, columns outputs, entries are
#   probabilities; give ε, `math.inf` where there is no bound. It is run on unseen tables.
# - **B (break).** An undirected graph is published cell by cell: both directions of each edge are
#   flipped independently, p = 1/4. Give two graphs that differ in one edge, and the worst odds.
# - **D (design).** Three independent releases of one edge, all with the same p, total odds at most
#   19. Choose the smallest p.
# - **O (open).** A mechanism of true ε = 11/10 is sold as ε = 1. How many samples does a test need
#   to catch it? Give α, the slack you add to ε, and the power at several sample sizes.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: two entries, such as ("p00", "p11")
answer = ("p01", "p11")
check("01-R", answer)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: a number
answer = math.log(Fraction(9, 10) / Fraction(1, 10))
check("01-C", answer)


# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
def level(table):
    # YOUR CODE: the worst ratio of two entries in one column, as its natural logarithm
    columns = [column for column in zip(*table, strict=True) if max(column) > 0]
    if any(min(column) == 0 for column in columns):
        return math.inf  # an output that excludes an input
    return math.log(max(max(column) / min(column) for column in columns))


check("01-P", level)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: (one table, another table, the worst odds)
answer = ([[0, 0], [0, 0]], [[0, 1], [1, 0]], 3 * 3)
check("01-B", answer)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: a flip probability
answer = 1 / (1 + 19 ** (1 / 3))
check("01-D", answer)

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
from pplab.attacks import log_ratio_bound

# YOUR CODE: {"alpha": ..., "slack": ..., "power": {samples: share of runs that refute, ...}}
# One cell; the event "published as it is", fixed beforehand; 1,000 runs of binomial counts.
rng, lie, power = np.random.default_rng(1), pplab.epsilon_to_flip(1.1), {}
for samples in (500, 1_000, 2_000, 4_000, 8_000):
    true, false = rng.binomial(samples, [[1 - lie], [lie]], size=(2, 1_000))
    power[samples] = float(np.mean(log_ratio_bound(true, false, samples, alpha=0.05) > 1))
say(f"Share of runs that refute: {power}, in odds {told(math.exp(1.1))} sold as {told(math.e)}.")
answer = {"alpha": 0.05, "slack": 0, "power": power}
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
# - Same output, two inputs, worst case.
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
#   collaborative filtering*, [doi 10.5220/0009833804150422](https://doi.org/10.5220/0009833804150422).
# - Ding, Wang, Wang, Zhang and Kifer 2018, *Detecting violations of differential privacy*,
#   [doi 10.1145/3243734.3243818](https://doi.org/10.1145/3243734.3243818).
# - Clopper and Pearson 1934, *The use of confidence or fiducial limits*,
#   [doi 10.1093/biomet/26.4.404](https://doi.org/10.1093/biomet/26.4.404).
