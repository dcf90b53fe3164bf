# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 01 Privacy by counting
#
# **In the worst case, how well does one output distinguish two inputs?** The definition of privacy
# answers this question. You can check the definition by going through all inputs and all outputs.

# %% [markdown] slideshow={"slide_type": "notes"}
# # 01 Privacy by counting: same output, two inputs, worst case
#
# *Edition 2, part 1 of 6: a promise for an edge. Core track.*
#
# ## What you will be able to do
#
# - compute the exact privacy level ε of a mechanism with finitely many outputs;
# - state the privacy level for several releases together, for a group of edges, and for a whole
#   user;
# - find two inputs and one output that prove that a mechanism leaks, and audit a mechanism;
# - read a release label.
#
# ## What you need
#
# You should know flips, odds and density (notebook [00](00_find_somebody.ipynb)), conditional
# probabilities, and the binomial distribution.
#
# **Minutes (estimates):** about 40 to read, about 75 for the exercises.

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Break something: predict, then run
#
# You ask a person a delicate question: have you seen this film? The person tosses coins and lies
# with probability p = 1/4, so one answer proves nothing. Now ask nine times, with fresh coins each
# time, and believe the majority of the answers. **How often is the majority wrong?** Write your
# number down.

# %%
my_prediction = 0.25  # your own number here, between 0 and 1

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Nine answers
#
# A person answers a delicate question and lies with probability 1/4. You ask nine times, with fresh
# coins, and believe the majority. **How often is the majority wrong?**

# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
import math
from fractions import Fraction

from pplab_course import say

p = Fraction(1, 4)
wrong = 0
for lies in range(5, 10):  # the majority errs when five or more of nine answers are lies
    wrong += math.comb(9, lies) * p**lies * (1 - p) ** (9 - lies)
say(f"The majority errs in **{float(wrong):.1%}** of all cases; you said {my_prediction:.0%}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# Each answer keeps its own guarantee. What is guaranteed for the nine answers together?
#
# ## Define: one output, two inputs
#
# A **mechanism** is a random rule that turns an input into a published output. This table gives the
# probabilities for a mechanism in which a person may also answer "perhaps".
#
# | the truth | says no | says perhaps | says yes |
# |---|---|---|---|
# | not seen | 1/2 | 3/8 | 1/8 |
# | seen | 1/4 | 1/4 | 1/2 |
#
# You see one answer and want to infer the truth. So read a **column** of the table: how likely is
# this answer under each truth? The answer "yes" is four times as likely if the truth is *seen*. The
# quotient is at most 4 in every column. So 4 is the **odds factor** of the mechanism: no answer
# changes the odds of the two truths by a larger factor.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Read a column
#
# | the truth | says no | says perhaps | says yes |
# |---|---|---|---|
# | not seen | 1/2 | 3/8 | 1/8 |
# | seen | 1/4 | 1/4 | 1/2 |
#
# You see one answer. Under which truth is this answer more likely? **What is the largest quotient
# in a column?**


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
def worst_odds(one, other):  # two dicts {output: probability}
    worst = 1
    for output in set(one) | set(other):
        first = one.get(output, 0)
        second = other.get(output, 0)
        if min(first, second) == 0:
            return math.inf  # this output excludes one of the inputs
        worst = max(worst, first / second, second / first)
    return worst


not_seen = {"no": Fraction(1, 2), "perhaps": Fraction(3, 8), "yes": Fraction(1, 8)}
seen = {"no": Fraction(1, 4), "perhaps": Fraction(1, 4), "yes": Fraction(1, 2)}
say(f"Worst odds: **{worst_odds(not_seen, seen)} : 1**.")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Pure differential privacy
#
# For all neighbours D and D′, which differ in one **unit**, and for every set S of outputs
#
# $$\Pr[M(D) \in S] \;\le\; e^\varepsilon \cdot \Pr[M(D') \in S]$$
#
# Take one output, find its probability under each input, and divide one probability by the other.

# %% [markdown] slideshow={"slide_type": "notes"}
# ### The inequality
#
# Two inputs D and D′ are **neighbouring data**, or neighbours, when they differ only in one
# **unit**. The unit may be one edge, or all cells of one user. The unit may change arbitrarily (*at
# will*), that is, to any other value. A mechanism M has **pure differential privacy** at level ε,
# or is *ε-private*, when for all neighbours D and D′ and for **every** set S of outputs
#
# $$\Pr[M(D) \in S] \;\le\; e^\varepsilon \cdot \Pr[M(D') \in S]$$
#
# If there are countably many outputs, it is enough to check single outputs, since the probability
# of a set is a sum. In words: divide the probability of an output under one input by the
# probability of the same output under the other input. No such quotient exceeds $e^\varepsilon$.
#
# So ε is not the probability of a leak. Suppose that an observer knows everything except which of
# **two neighbours** is the true input. Then ε limits how much **any** output changes the odds,
# whatever the prior odds are. It limits nothing else. Notebook 04 asks what happens when several
# cells are correlated.

# %% [markdown] slideshow={"slide_type": "notes"}
# ### Who adds the noise?
#
# In the **local** model each person adds noise at home, so no one else has to be trusted. In the
# **central** model a trusted server, the *curator*, sees all true data and publishes a noisy
# result. The person in our first example uses the oldest local method, **randomized response**
# (Warner 1965): report the truth x with probability 1−p, and the opposite of x with probability p.
# Write $\pi_{xy}$ for the probability of publishing y when the truth is x: the **first** index is
# the truth, and the second is the answer. So $\pi_{00}$ and $\pi_{11}$ are 1−p, and $\pi_{01}$ and
# $\pi_{10}$ are p. For p up to 1/2, the worst column gives
#
# $$e^\varepsilon = \frac{1-p}{p}, \qquad \varepsilon = \ln\frac{1-p}{p}$$

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The oldest mechanism: randomized response
#
# Report the truth with probability 1 − p, and report the opposite of the truth with probability p.
# Each person does this at home, so no one else has to be trusted.
#
# $$\varepsilon = \ln\frac{1-p}{p}$$

# %% tags=["nbval-check-output"]
from pplab.response import BipartiteNoiseGraph


def terms(odds):  # ε with its odds factor
    if odds == math.inf:
        return "∞ : 1 (ε = ∞)"
    return f"{round(float(odds), 2):,g} : 1 (ε = {math.log(odds):.3f})"


by_hand = {0: {0: 1 - p, 1: p}, 1: {0: p, 1: 1 - p}}
say(f"Worst odds **{terms(worst_odds(by_hand[0], by_hand[1]))}**.")
print("library, truth 1:", BipartiteNoiseGraph(p).distribution([[1]]))

# %% [markdown]
# **Exercise R (recall).** Which two of $\pi_{00}, \pi_{01}, \pi_{10}, \pi_{11}$ does the definition
# compare? Give one such pair. Write `p00` for $\pi_{00}$, and so on.

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: two entries, such as ("p00", "p11")
answer = ("p01", "p11")
check("01-R", answer)

# %% [markdown]
# **Exercise C (compute).** What is the ε of a flip with p = 1/10?

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a number
answer = math.log(Fraction(9, 10) / Fraction(1, 10))
check("01-C", answer)

# %% [markdown]
# <details><summary>A slip that is easy to make</summary>
#
# If you divide two entries of one **row**, you compare two outputs of the same input. By this test,
# even a person who lies nine times in ten would have level 0. The paper *noise-graphs* cites this
# test (`noise-graphs:section-2.1:wang-condition`). The test is correct if the true answer is more
# likely than the lie, as in that paper.
#
# </details>
#
# ## Enumerate: every graph, every output
#
# A graph on three nodes has three possible edges, so there are eight graphs. Whatever the true
# graph is, any of these eight graphs can be published. These are all 64 probabilities, with p =
# 1/4:

# %% tags=["nbval-check-output"]
from itertools import product

import numpy as np

from pplab.plots import COLOURS, cells, new_figure, show

graphs = sorted(product((0, 1), repeat=3), key=sum)  # edges 0-1, 0-2, 1-2
chances = np.zeros((8, 8))  # in 64ths
for row, truth in enumerate(graphs):
    for column, output in enumerate(graphs):
        flips = sum(a != b for a, b in zip(truth, output, strict=True))
        chances[row, column] = 64 * p**flips * (1 - p) ** (3 - flips)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Every graph, every output
#
# In every column, the entries of two graphs that differ in one edge have the ratio 3:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output", "hide-input"]
figure, axes = new_figure(width=5, height=4.6)
cells(axes, chances, title="Probabilities, in 64ths (one edge: a factor of 3)", text="{:.0f}")
names = ["".join(map(str, graph)) for graph in graphs]
places = np.arange(8) + 0.5
axes.set(xticks=places, xticklabels=names, yticks=places, yticklabels=names)
axes.set(xlabel="published edges 0-1, 0-2, 1-2", ylabel="true edges 0-1, 0-2, 1-2")
show(figure, alt="Probabilities of 8 outputs (columns) under 8 graphs (rows), from 1/64 to 27/64.")

# %% [markdown] slideshow={"slide_type": "notes"}
# In every **column**, the entries of two graphs that differ in one edge have the ratio 3. The
# *enumerator*, `exact_epsilon`, tries all pairs of neighbours and all outputs, and returns the
# worst pair and the worst output. You can also give it other **units**:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## A guarantee without its unit says nothing
#
# These are the worst odds of the same flips (p = 1/4) for different units:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
import pandas as pd

from pplab import exact_epsilon
from pplab.response import NoiseGraph

edge = exact_epsilon(NoiseGraph(p), shape=3, unit="edge")
node = exact_epsilon(NoiseGraph(p), shape=3, unit="node")
print("one input ", edge.pair[0], "\nother     ", edge.pair[1], "\noutput    ", edge.output)
levels = {("3 nodes", "edge"): terms(edge.odds), ("3 nodes", "node"): terms(node.odds)}
for unit in ("edge", "user", "item"):
    found = exact_epsilon(BipartiteNoiseGraph(p), shape=(1, 3), unit=unit)
    levels["1 user, 3 items", unit] = terms(found.odds)
pd.Series(levels, name="worst odds").to_frame()

# %% [markdown]
# If the unit is a *node* of a graph with three nodes, two cells may change, and the worst odds are
# 9 : 1. If the unit is a *user* with three items, three cells may change.
#
# <details><summary>In the ledger</summary>
#
# Edges: `noise-graphs:theorem-1`; nodes: `noise-graphs:theorem-2`.
#
# </details>
#
# **Exercise P (prove by code).** Write your own enumerator, `level(table)`. The rows of `table` are
# inputs, the columns are outputs, and the entries are probabilities, given as fractions. Any two
# rows are neighbours. Return ε, or `math.inf` if no bound exists. Skip every column of zeros,
# because its output never occurs.


# %% tags=["solution", "nbval-check-output"]
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

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Composition: odds multiply
#
# **What is the level of nine answers, and of their majority?**

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Composition: odds multiply
#
# Several releases of one secret, each with fresh noise, form one mechanism. Its output is the list
# of all answers. The probability of a list of independent answers is the product of their
# probabilities. A function of a release is also a mechanism: the probability of a result is the sum
# of the probabilities of all outputs that give this result.


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
def repeated(law, times):  # {answer: probability} -> the same for a number of fresh answers
    result = {(): Fraction(1)}
    for _ in range(times):
        result = {(*old, new): q * law[new] for old, q in result.items() for new in law}
    return result


def processed(law, function):  # only function(output) is shown
    result = {}
    for output, q in law.items():
        result[function(output)] = result.get(function(output), 0) + q
    return result


nine_answers = [repeated(by_hand[truth], 9) for truth in (0, 1)]
say(f"Nine answers: {terms(worst_odds(*nine_answers))}, which is 3⁹.")
votes = [processed(law, lambda answers: sum(answers) > 4) for law in nine_answers]
say(f"Their majority: {terms(worst_odds(*votes))}.")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Four rules
#
# - **Sequential composition:** the levels of two releases add up.
# - **Post-processing:** anything computed from a release alone costs no further privacy.
# - **Parallel composition:** if two releases are about different cells, the level of both together
#   is only the larger of the two levels.
# - **Group privacy:** the level for c units taken together is at most cε.

# %% tags=["nbval-check-output"]
from pplab.theory import Repeated, exact_group_epsilon

once = BipartiteNoiseGraph(p)
twice = exact_epsilon(Repeated(once, times=2), shape=(1, 2), unit="edge")
pair = exact_group_epsilon(once, shape=(1, 2), unit="edge", units=2)
print("the library, two releases:  ", terms(twice.odds))
print("one release, two edges differ:", terms(pair.odds))

# %% [markdown] slideshow={"slide_type": "notes"}
# - **Composition:** if two releases of one secret have levels $\varepsilon_1$ and $\varepsilon_2$,
#   and each release uses fresh noise, the level of both together is at most $\varepsilon_1 +
#   \varepsilon_2$, because their odds multiply (here 3 · 3 = 9). (*Parallel* composition: if two
#   releases are about different *cells*, such as the rows of different users, the level of both is
#   only the larger of the two levels.)
# - **Post-processing:** anything computed from a release alone costs no further privacy.
# - **Group privacy:** the level for c units taken together is at most cε.
#
# **Exercise B (break).** An undirected graph is published cell by cell: the two cells of each edge,
# one for each direction, are flipped independently with p = 1/4. Give two graphs that differ in one
# edge, and give the worst odds. Write a graph as a table of nodes × nodes, with two 1s for each
# edge.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: (one table, another table, the worst odds)
answer = ([[0, 0], [0, 0]], [[0, 1], [1, 0]], 3 * 3)
check("01-B", answer)

# %% [markdown]
# **Exercise D (design).** You want three independent releases of one edge, all with the same p. The
# odds of the three releases together may be at most 19. Choose the smallest p. If you round this p,
# round it up.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a flip probability
answer = 1 / (1 + 19 ** (1 / 3))
check("01-D", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## The zoo: noise alone is not privacy
#
# Each *animal* in the table below is a mechanism that claims a bound on its odds, adds noise, and
# still breaks this bound. To prove a leak, show two neighbouring inputs and one output for which
# the quotient exceeds the stated bound.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Noise alone is not privacy
#
# Each animal of the zoo is a mechanism that adds noise but breaks the bound on the odds that it
# states. To prove a leak, show **two neighbouring inputs, one output, and a quotient above the
# guarantee.**
#
# $$\frac{\Pr[M(D) = y]}{\Pr[M(D') = y]} > e^\varepsilon$$

# %% tags=["nbval-check-output"]
from pplab_course import zoo

animals = {}
for animal in zoo.BROKEN:
    what = type(animal).__doc__.splitlines()[0]
    stated = f"{math.exp(animal.claimed):.3g} : 1"
    animals[type(animal).__name__] = {"unit": animal.unit, "stated odds": stated, "does": what}
found = exact_epsilon(zoo.WeakNoise(), shape=(1, 1), unit="edge")
say(f"Worked example, **WeakNoise**: {terms(found.odds)} instead of {terms(3)}.")
print("inputs", *found.pair, "output", found.output)
pd.set_option("display.max_colwidth", None)
pd.DataFrame(animals).T

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Sampling: an audit refutes, it never proves
#
# For large data, we cannot enumerate all inputs and outputs. An **audit** runs a mechanism many
# times on two inputs, and counts the outputs. Here we audit *WeakNoise*, a mechanism of the zoo, on
# one cell. We fixed the event "1 is published" before the first run.
#
# If an event occurs in x of N runs, x/N only estimates the probability of the event. The exact
# *Clopper-Pearson interval* contains the true probability with probability at least $1 - \alpha$.
# If the true probability were the lower end $\underline{q}$, a count of x or more would have
# probability $\alpha/2$. If the true probability were the upper end $\overline{q}$, a count of x or
# fewer would have probability $\alpha/2$:
#
# $$\sum_{j \ge x} \binom{N}{j} \underline{q}^{\,j} (1-\underline{q})^{N-j} = \frac{\alpha}{2},
# \qquad
# \sum_{j \le x} \binom{N}{j} \overline{q}^{\,j} (1-\overline{q})^{N-j} = \frac{\alpha}{2}$$

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## An audit counts
#
# Run the mechanism many times on two inputs. Exact intervals turn the two counts into a lower
# bound on the odds:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from scipy.stats import binomtest

from pplab.attacks import log_ratio_bound

runs, alpha, rng = 10_000, 0.05, np.random.default_rng(1)
weak = zoo.WeakNoise()
likely = int(np.sum(weak.sample_many([[1]], runs, rng=rng)))  # 1 is published, the truth is 1
unlikely = int(np.sum(weak.sample_many([[0]], runs, rng=rng)))  # 1 is published, the truth is 0
low = binomtest(likely, runs).proportion_ci(1 - alpha, method="exact").low
high = binomtest(unlikely, runs).proportion_ci(1 - alpha, method="exact").high
say(f"Counted: {likely:,} and {unlikely:,} of {runs:,}, a quotient of {likely / unlikely:.2f}.")
sure = f"With {1 - alpha:.0%} confidence"
say(f"{sure} the odds are at least **{low / high:.2f} : 1**, but 3 : 1 was promised.")
library = log_ratio_bound(likely, unlikely, runs, alpha=alpha)
print(f"by hand ε ≥ {math.log(low / high):.4f}, library {library:.4f}, promised {math.log(3):.4f}")

# %% [markdown] slideshow={"slide_type": "notes"}
# The guarantee is **refuted**. If the guarantee held, an audit would say "refuted" with probability
# at most α = 5 %.
#
# `audit_epsilon` also chooses the event. It uses half of the runs to choose the outputs that best
# distinguish the two inputs, and the other half to test these outputs with the same two bounds.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## An audit refutes, it never proves
#
# A leaking mechanism can pass an audit if the pair, the event or the number of runs is badly
# chosen:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from pplab import audit_epsilon

harmless = ([[1, 0]], [[1, 1]])  # neighbours, but not those that reveal the fault
trials = [
    ("FairCoins, keeps its guarantee", zoo.FairCoins(), zoo.FairCoins.pair),
    ("WeakNoise", zoo.WeakNoise(), zoo.WeakNoise.pair),
    ("EarlyExit, harmless pair", zoo.EarlyExit(), harmless),
    ("EarlyExit, revealing pair", zoo.EarlyExit(), zoo.EarlyExit.pair),
]
audits = []
for name, animal, pair in trials:
    for runs in (400, 40_000):
        claim = animal.claimed
        found = audit_epsilon(animal, pair, claimed=claim, samples=runs, alpha=0.05, rng=1)
        stated, least = math.exp(claim), math.exp(found.lower_bound)
        audits.append((name, runs, round(stated, 2), round(least, 2), found.violated))
columns = ["mechanism", "runs", "stated odds", "odds at least", "refuted"]
pd.DataFrame(audits, columns=columns).set_index("mechanism")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Read a release label
#
# | release | unit, changed at will | guarantee | trusted | insiders learn | a second release |
# |---|---|---|---|---|---|
# | one flip per cell | one edge | odds × 3 | nobody | nothing more* | odds × 9 |
# | the same | a user with 3 items | odds × 27 | nobody | nothing more* | odds × 729 |
# | nine flips per cell | one edge | odds × 3⁹ | nobody | nothing more* | odds × 3¹⁸ |
#
# \* if cells are independent, or if the insider knows all other cells.

# %% [markdown] slideshow={"slide_type": "notes"}
# With few runs, *WeakNoise* passes the audit; with many runs, it fails. On the harmless pair of
# inputs, the mechanism *EarlyExit* passes with any number of runs. So a mechanism that passes an
# audit may still leak.
#
# ## Read a release label
#
# A **release label** states the unit that is protected and how neighbours may differ in this unit.
# It states the guarantee, and who must be trusted with the true data. It also states what an
# *insider* (an attacker who knows part of the data) learns beyond the guarantee, and what a second
# release costs. These are the labels for p = 1/4:
#
# | release | unit, changed at will | guarantee | trusted | insiders learn | a second release |
# |---|---|---|---|---|---|
# | one flip per cell | one edge | odds × 3 | nobody | nothing more* | odds × 9 |
# | the same | a user with 3 items | odds × 27 | nobody | nothing more* | odds × 729 |
# | nine flips per cell | one edge | odds × 3⁹ | nobody | nothing more* | odds × 3¹⁸ |
#
# \* if cells are independent, or if the insider knows all other cells (notebook 04).
#
# ## Play
#
# **Question:** you think that, with probability 1 %, a person has seen the film. Then the person
# answers "yes". How large must ε be for this probability to exceed one half? The left panel shows a
# hundred such people, and the right panel shows a hundred others, who all answered "yes". Filled
# dots are people who have seen the film.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Question
#
# You think that, with probability 1 %, a person has seen the film. Then the person answers "yes".
# **How large must ε be for this probability to exceed one half?**


# %% tags=["hide-input"]
def draw(axes, prior, epsilon):
    odds = prior / (1 - prior) * math.exp(epsilon)
    posterior = odds / (1 + odds)
    x, y = np.arange(100) % 10, 9 - np.arange(100) // 10
    look = {"color": COLOURS["blue"], "markersize": axes.bbox.height / 80}
    counts = [round(100 * prior), round(100 * posterior)]
    for shift, count in zip((0, 12), counts, strict=True):
        axes.plot(shift + x[:count], y[:count], "o", **look)
        axes.plot(shift + x[count:], y[count:], "o", fillstyle="none", **look)
    axes.set(aspect="equal", yticks=[], xlim=(-1, 22), ylim=(-1, 10), xlabel="filled: film seen")
    axes.set_xticks((4.5, 16.5), ("all", "who say yes"), fontsize=9)
    axes.set_title(f"ε = {epsilon:g}: {counts[0]} of 100 → {counts[1]} of 100", fontsize=10)
    return {"prior": prior, "ε": epsilon, "odds factor": math.exp(epsilon), "posterior": posterior}


# %% tags=["widget", "nbval-ignore-output", "hide-input"]
from pplab.widgets import Control, explore, twin

sentence = "ε = {ε:g}: an odds factor of {odds factor:.3g} turns {prior:.0%} into {posterior:.1%}."
priors, levels = (0.01, 0.05, 0.1, 0.25, 0.5), (0.1, 0.5, 1, 2, 3, 4, 4.5, 4.6, 5, 6)
explore(
    draw,
    say=sentence.format_map,
    width=6,
    height=3.2,
    prior=Control("suspicion before", priors, 0.01, "rare", "even odds", "{:.0%}".format),
    epsilon=Control("privacy level ε", levels, 1, "more private", "more accurate"),
)


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output", "hide-input"]
def message(states):
    low, high = states["posterior"].min(), states["posterior"].max()
    return f"Pairs of 100 dots for three priors and four ε: {low:.1%} to {high:.1%} after a yes."


states = twin(draw, alt=message, height=1.7, prior=(0.01, 0.1, 0.5), epsilon=(0.1, 1, 3, 5))
folded = "A probability of 1 % means odds of 1 : 99, so the suspicion exceeds one half when "
folded += f"$e^ε$ > 99, that is, when ε > {math.log(99):.2f}."
say(f"<details><summary>The answer</summary>\n\n{folded}\n\n</details>")

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Exercises
#
# - **O (open): the hunt.** **Catch at least three animals of the zoo** other than WeakNoise. For
#   each animal, give its name and a triple (one input, the other input, the output), with the
#   inputs as tuples of rows. Look for an output that is far more likely under one input than under
#   the other input, or possible under only one input. Then let `exact_epsilon` enumerate all cases.
#   The shapes `(1, 1)`, `(1, 2)`, `(2, 1)` and `(1, 3)` are enough for tables. For a graph on two
#   nodes, use the shape `2`. `zoo.NoiseReused??` shows the code of *NoiseReused*.
#   (*CountNeverBelowTruth* and *OneDrawForAll* have infinitely many outputs, so you cannot
#   enumerate them.) For the two animals with ratings, write an empty cell as 0 or `None` in inputs,
#   and as `None` in outputs. Finally, repair one animal: say in a comment which line of its code
#   you would change.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a dict {"EarlyExit": (one, other, output), ...}
shapes = {"BothDirections": 2, "OnlyEdgesFlipped": (1, 1), "EarlyExit": (1, 2)}
shapes |= {"SeedReusedAcrossUsers": (2, 1), "UserAtEdgePrice": (1, 3)}
answer = {}
for name, shape in shapes.items():
    animal = getattr(zoo, name)()
    found = exact_epsilon(animal, shape=shape, unit=animal.unit)
    answer[name] = (*found.pair, found.output)
    print(f"{name}: {terms(found.odds)}")
    print(f"   {found.pair[0]} against {found.pair[1]} at {found.output}")
check("01-O", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Quiz
#
# 1. An output has probability 0 under one input and probability 1/10 under a neighbouring input.
#    What is ε?
#    <details><summary>Answer</summary>It is infinite: this output excludes an input.</details>
# 2. Two different edges are flipped once each, and the unit is one edge. Is the level ε or 2ε?
#    <details><summary>Answer</summary>It is ε: each edge is published only once.</details>
# 3. What does it cost to publish the degrees of $\tilde G$ as well as $\tilde G$?
#    <details><summary>Answer</summary>It costs nothing: this is post-processing.</details>
#
# ## What to remember
#
# - Compare the probabilities of the same output under two inputs that differ in one unit, and take
#   the worst case.
# - Each further release of the same secret multiplies the odds by another factor.
# - A guarantee has no meaning without its unit.
#
# ## References
#
# - Warner 1965, *Randomized response*, [doi
#   10.1080/01621459.1965.10480775](https://doi.org/10.1080/01621459.1965.10480775).
# - Dwork and Roth 2014, *The algorithmic foundations of differential privacy*, [doi
#   10.1561/0400000042](https://doi.org/10.1561/0400000042).
# - Salas and Torra 2020, *Differentially private graph publishing and randomized response for
#   collaborative filtering*, [doi
#   10.5220/0009833804150422](https://doi.org/10.5220/0009833804150422).
# - Kifer and Machanavajjhala 2011, *No free lunch in data privacy*, [doi
#   10.1145/1989323.1989345](https://doi.org/10.1145/1989323.1989345).
# - Ding, Wang, Wang, Zhang and Kifer 2018, *Detecting violations of differential privacy*, [doi
#   10.1145/3243734.3243818](https://doi.org/10.1145/3243734.3243818).
# - Clopper and Pearson 1934, *The use of confidence or fiducial limits*, [doi
#   10.1093/biomet/26.4.404](https://doi.org/10.1093/biomet/26.4.404).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ask the room
#
# An output has probability 0 under one input and probability 1/10 under a neighbouring input. What
# is ε?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - Compare the probabilities of the same output under two inputs that differ in one unit, and take
#   the worst case.
# - Each further release of the same secret multiplies the odds by another factor.
# - A guarantee has no meaning without its unit.
