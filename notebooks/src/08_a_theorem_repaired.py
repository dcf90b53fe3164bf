# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 08 A theorem repaired
#
# **We test, refute and repair a printed bound.**

# %% [markdown] slideshow={"slide_type": "notes"}
# # 08 A theorem repaired
#
# *Edition 2, part 4 of 6: what can be published about a graph. Papers’ track.*
#
# ## What you will be able to do
#
# - test a printed theorem by sampling and with exact probabilities;
# - find the line at which its proof fails, and the simplest numbers for which this line is false;
# - repair the theorem, prove the repair, and measure what the repair costs;
# - use the inequalities of Hoeffding, Markov and Chernoff.
#
# ## What you need
#
# From [*What a private copy costs*](07_what_half_a_graph_costs.ipynb), you need the terms *kept*,
# *lost* and *invented edges*, J, and the mean of J. You also need the binomial distribution and its
# standard deviation, $\sqrt{nq(1-q)}$.
#
# **Minutes (estimates):** about 50 to read, about 75 for the exercises.
#
# ## Break something: predict, then run
#
# A mean is not a guarantee: the similarity of a single copy to the original graph may be above or
# below the mean. A published theorem gives an upper bound for the similarity J of a graph and a
# copy made by randomized response. The user of the theorem chooses how often J may exceed the
# bound, and we choose one copy in twenty. The theorem then says: **at most one copy in twenty
# exceeds the bound.**
#
# We simulate twenty thousand copies of a graph with a million cells. **What share of these copies
# exceeds the bound of the theorem?** Write your number down.

# %%
my_prediction = 1 / 20  # your own share here

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## One copy in twenty
#
# A theorem bounds the similarity J of a graph and its copy: at most one copy in twenty exceeds the
# bound. **What share of twenty thousand copies exceeds this bound?**

# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
import numpy as np

from pplab.theory import is_covered, jaccard_bound, sample_jaccard, violation_probability

settings = [
    {"density": 1e-3, "cells": 10**6, "epsilon": 5.8},
    {"density": 2e-5, "cells": 10**10, "epsilon": 9},
]
for setting in settings:
    line = jaccard_bound(**setting, delta=1 / 20, form="printed")
    beyond = (sample_jaccard(**setting, size=20_000, rng=1) > line).mean()
    exact = violation_probability(**setting, delta=1 / 20, form="printed")
    met = is_covered(cells=setting["cells"], epsilon=setting["epsilon"], delta=1 / 20)
    print("λ = {density:g}, Q = {cells:,}, ε = {epsilon:g}:".format(**setting), end=" ")
    print("condition met" if met else "condition not met")
    print(f"  J above {line:.3f}: {beyond:.1%} of copies; exact {exact:.1%}, allowed 5%")

# %% [markdown] slideshow={"slide_type": "notes"}
# Copies exceed the bound about four times as often as the theorem allows. For a second, larger
# graph, copies exceed the bound eight times as often as the theorem allows. Sampling is not the
# cause, because the *exact* probability, computed without sampling, is also too large. J depends on
# two independent binomial counts, the number of kept edges and the number of invented edges. For
# each pair of counts for which J exceeds the bound, we multiply the two probabilities, and then we
# add up all products.

# %% tags=["nbval-check-output"]
from scipy.stats import binom

edges = 1000  # of the first graph, which has a million cells
flip = 1 / (1 + np.exp(5.8))
kept = np.arange(edges + 1)
line = jaccard_bound(**settings[0], delta=1 / 20, form="printed")
# J = kept / (edges + invented) > line means: invented < kept / line - edges
few = np.ceil(kept / line - edges) - 1  # the largest whole number below that
chance = binom(edges, 1 - flip).pmf(kept) * binom(10**6 - edges, flip).cdf(few)
print(f"exactly {chance.sum():.1%}")

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Define: the theorem, as printed
#
# We divide all counts by the number of cells, Q. Write $a$ **for the mean number of kept edges per
# cell, and** $b$ **for the mean size of the union per cell**:
#
# $$a = \lambda(1-p), \qquad b = \lambda + p(1-\lambda), \qquad b - a = p.$$
#
# J is close to a/b. Let δ be the allowed probability that J exceeds the bound. The allowance for
# chance is
#
# $$x = \sqrt{\frac{\ln(2/\delta)}{2Q}}.$$
#
# **Theorem, as printed** (*Smooth Anonymity for Sparse Graphs*, Theorem $4.1$): if p/2 is at least
# x (`is_covered`), then with probability at least 1 − δ
#
# $$J \;\le\; \frac ab + 2x.$$
#
# The amount by which a bound exceeds a/b is called the **tail** of the bound. Here the tail is 2x.
# (The paper writes p for our 2p, and $\sqrt{C/Q}$ for our x.)
#
# ## The tool: Hoeffding's inequality
#
# **Hoeffding's inequality** (1963): *let Q random numbers be independent, each in an interval of
# length 1. Their sum exceeds its mean by more than Qx with probability at most*
#
# $$e^{-2Qx^2},$$
#
# *and it is below its mean by more than Qx with at most the same probability.* The bound uses only
# the length of the intervals. We compare the bound with the exact probability for a thousand fair
# coins:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The theorem, as printed
#
# Per cell, $a$ is the mean number of kept edges, and $b$ is the mean size of the union. With
# probability at least 1 − δ
#
# $$J \;\le\; \frac ab + 2x, \qquad x = \sqrt{\frac{\ln(2/\delta)}{2Q}}$$

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The tool: Hoeffding's inequality
#
# A sum of Q independent numbers, each in an interval of length 1, exceeds its mean by more than Qx
# with probability at most
#
# $$e^{-2Qx^2}$$

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
heads = binom(1000, 0.5)
for more in (10, 30, 50):  # heads above the mean of 500
    most = np.exp(-2 * 1000 * (more / 1000) ** 2)
    print(f"above {500 + more}: at most {most:.4f}, exactly {heads.sf(500 + more):.4f}")

# %% [markdown] slideshow={"slide_type": "notes"}
# For the x defined above, $e^{-2Qx^2}$ is δ/2.
#
# ### Exercise C (compute)
#
# What is x for a million cells and δ = 1/100?

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: a number
answer = np.sqrt(np.log(2 / 0.01) / (2 * 10**6))
check("08-C", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Which line fails?
#
# **First half of the proof.** The number of kept edges has mean Qa, and the size of the union has
# mean Qb. Both are sums of Q independent numbers that are 0 or 1. With probability at most δ/2,
# more than Q(a + x) edges are kept, and with probability at most δ/2, the union has fewer than Q(b
# − x) edges. So with probability at least 1 − δ, at most Q(a + x) edges are kept, *and* the union
# has at least Q(b − x) edges. Hence
#
# $$J \;\le\; \frac{a+x}{b-x}.$$
#
# This half is correct. We call this inequality *the line before the lemma*.
#
# **Second half.** From this line, the proof concludes that J is at most a/b + 2x. This step needs
#
# $$\frac{a+x}{b-x} \;\le\; \frac ab + 2x.$$
#
# Is this inequality true? We try the simplest fractions for which p = b − a is at most 1/2 and x is
# at most p/2.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Which line fails?
#
# With probability at least 1 − δ, at most Q(a + x) edges are kept, and the union has at least Q(b −
# x) edges. This half of the proof is correct. Is the next step correct too?
#
# $$\frac{a+x}{b-x} \;\le\; \frac ab + 2x$$

# %% tags=["nbval-check-output"]
from fractions import Fraction
from itertools import product


def triples(n):  # all (a, b, x) in n-th parts that meet the condition
    for parts in product(range(1, n), repeat=3):
        a, b, x = (Fraction(part, n) for part in parts)
        if x <= (b - a) / 2 and b - a <= Fraction(1, 2):
            yield a, b, x


a, b, x = next(
    (a, b, x) for n in range(2, 9) for a, b, x in triples(n) if (a + x) / (b - x) > a / b + 2 * x
)
print(f"a = {a}, b = {b}, x = {x}: {(a + x) / (b - x)} is not at most {a / b + 2 * x}")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The smallest fractions that break it
#
# a = 1/4, b = 3/4, x = 1/4:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output", "hide-input"]
import pandas as pd

from pplab.plots import COLOURS, SHADES, bars, new_figure, show

heights = {"mean: a/b": a / b, "printed: a/b + 2x": a / b + 2 * x}
heights = pd.Series(heights | {"proved: (a + x)/(b − x)": (a + x) / (b - x)}).astype(float)
figure, axes = new_figure(width=6.4, height=2.8)
bars(axes, heights, label="bound of J")
axes.set_title("The third bar must not be higher than the second", fontsize=10)
summary = ", ".join(f"{value:.3f}" for value in heights)
show(figure, alt=f"Three bars: {summary}. The proved bound is higher than the printed one.")

# %% [markdown] slideshow={"slide_type": "notes"}
# The step replaces a true but weak bound by a smaller number. The paper justifies the step by a
# lemma. The lemma has the same right side, but its left side has two minus signs: (a − x)/(b −
# x). The lemma is true, because (a − x)/(b − x) is at most a/b. But (a − x)/(b − x) is smaller
# than (a + x)/(b − x), so the lemma does not help.
#
# ## The gap
#
# How far above a/b is the proved bound? With a common denominator, the gap is
#
# $$\frac{a+x}{b-x} - \frac ab = \frac{x\,(a+b)}{b\,(b-x)}.$$
#
# The step claims that this gap is at most 2x. So the step is correct only if
#
# $$a + b \;\le\; 2b\,(b-x).$$
#
# If $b$ is at most 1/2, this inequality is never true, because the right side is below 2b², and 2b²
# is at most $b$. And b = λ + p(1 − λ) is **small on a sparse graph with little noise**.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The gap
#
# $$\frac{a+x}{b-x} - \frac ab = \frac{x\,(a+b)}{b\,(b-x)}$$
#
# The step claims that this gap is at most 2x. But b is **small on a sparse graph with little
# noise**.

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
for setting in settings:
    before = jaccard_bound(**setting, delta=1 / 20, form="line")
    after = jaccard_bound(**setting, delta=1 / 20, form="printed")
    print(f"λ = {setting['density']:g}: before the lemma {before:.3f}, after it {after:.3f}")

# %% [markdown] slideshow={"slide_type": "notes"}
# If a step of a proof is wrong, the statement may still be true. Hoeffding's bound is often much
# larger than the exact probability. This difference can make up for the error in the proof. On a
# sparse graph with little noise, the difference is too small, unless J is near 0 or 1.
#
# ### Exercise P (prove by code)
#
# Write `gap(a, b, x)`, which returns two values: $\frac{a+x}{b-x} - \frac ab$, and whether this
# number is at most 2x (`True` or `False`). Your function must work for any $a$ from 0 to $b$ and
# any $x$ between 0 and $b$, and $b$ may be above 1. The check uses `Fraction`s that you have not
# seen. Do not convert them to floats: if both sides are equal, rounding may make the left side
# larger.


# %% tags=["solution", "nbval-check-output"]
def gap(a, b, x):
    # YOUR CODE: two things, the gap and True or False
    return x * (a + b) / (b * (b - x)), a + b <= 2 * b * (b - x)


check("08-P", gap)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The repair
#
# With probability at least 1 − δ
#
# $$J \;\le\; \frac ab + \frac{2x}{b}$$
#
# The authors' condition is exactly the condition that *this* step needs, so perhaps the paper lost
# a factor 1/b.

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Repair: the corrected theorem, with its proof
#
# **Theorem.** For every graph with at least one edge and every ε, with probability at least 1 − δ
#
# $$J \;\le\; \frac ab + \frac{2x}{b}.$$
#
# *Proof.* First suppose that x is above p/2. Then 2x/b is above p/b, and p/b is 1 − a/b because b −
# a = p. So the bound is above 1, and J is never above 1. Now suppose that x is at most p/2. We
# start from the line before the lemma, where b − x is positive. The gap is small enough:
#
# $$\frac{x(a+b)}{b(b-x)} \le \frac{2x}{b} \iff a + b \le 2(b - x) \iff x \le \frac{b-a}{2} =
# \frac p2. \qquad \blacksquare$$
#
# The authors' condition is exactly the condition that *this* step needs, so perhaps the paper lost
# a factor 1/b.
#
# ## Better: one count instead of two
#
# The proof bounds two counts, and each bound may fail with probability δ/2. We now use a single
# number instead. "J is above t" means that the number of kept edges is above t times the size of
# the union. So we combine the two counts:
#
# **S = kept − t · union**, and J is above t exactly when S is positive.
#
# A kept edge counts in both terms. A lost or an invented edge counts only in the union. So an edge
# adds 1 − t to S if it is kept, and −t if it is lost. An empty cell adds −t if it becomes an
# invented edge, and 0 otherwise. So S is *one* sum of Q independent numbers, each in the interval
# from −t to 1 − t, which has length 1. The mean of S is −Q(tb − a). For t from a/b to 1, we use
# Hoeffding's inequality once:
#
# $$\mathrm{P}(J > t) \;\le\; e^{-2Q(tb-a)^2}.$$
#
# - At t = a/b + x/b, the difference tb − a is x. The bound is then δ/2, so the bound on J with half
#   of the corrected tail also holds.
# - At the printed bound, t is a/b + 2x, and the difference tb − a is 2bx. The bound on the
#   probability is then $(\delta/2)^{4b^2}$. If $b$ is at least 1/2, the exponent is at least 1, so
#   the probability is at most δ/2. **On dense graphs the printed theorem is true.**
#
# ### Exercise D (design)
#
# Design a bound of your own: `bound(density, cells, epsilon, delta)`. In every tested setting, J
# must exceed your bound with probability at most δ, and the tail of your bound must be at most 6/10
# of the tail of the corrected bound. Use one count, and do not call `jaccard_bound`.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## One count instead of two
#
# S = kept − t · union is **one** sum of Q independent numbers, and J is above t if S is positive:
#
# $$\mathrm{P}(J > t) \;\le\; e^{-2Q(tb-a)^2}$$
#
# The bound on J still holds if its tail is half of the corrected tail.


# %% tags=["solution", "nbval-check-output"]
def bound(density, cells, epsilon, delta):
    # YOUR CODE: a/b and your tail
    flip = 1 / (1 + np.exp(epsilon))
    a, b = density * (1 - flip), density + flip * (1 - density)
    return a / b + np.sqrt(np.log(1 / delta) / (2 * cells)) / b


check("08-D", bound)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Sharper still: the Chernoff bound, in a picture
#
# Hoeffding's bound uses only the interval of each number. But we know more: most numbers in the sum
# S are 0. The probability that S is positive is the mean of a *step function*, which is 0 if S is
# at most 0, and 1 if S is positive. It is hard to compute with a step function, so we bound this
# function from above by a curve $e^{sS}$, for any s above 0:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Sharper still: above the step, whatever s is

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output", "hide-input"]
(figure, axes), places = new_figure(width=6.4, height=3), np.linspace(-4, 1.2, 200)
axes.plot([-4, 0, 0, 1.2], [0, 0, 1, 1], color="black", label="step: 1 where S > 0")
for s, dash in ((0.4, "--"), (1.2, ":")):
    axes.plot(places, np.exp(s * places), dash, color=COLOURS["blue"], label=f"$e^{{sS}}$, s = {s}")
axes.set(xlabel="S", ylabel="height", ylim=(-0.05, 2.2), title="Above the step, whatever s is")
axes.legend(loc="upper left")
show(figure, alt="A step from 0 to 1 at S = 0, and two curves above it that meet it at height 1.")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The Chernoff bound
#
# The mean of a product of independent numbers is the product of the means:
#
# $$\mathrm{P}(J > t) \;\le\; \min_{s \ge 0}\;
# \big[(1-p)\,e^{s(1-t)} + p\,e^{-st}\big]^{|E|}\; \big[1 - p + p\,e^{-st}\big]^{Q-|E|}$$

# %% [markdown] slideshow={"slide_type": "notes"}
# The curve is nowhere below the step function, so the mean of the curve is at least the mean of the
# step function. (This is **Markov's inequality** for $e^{sS}$.)
#
# $$\mathrm{P}(S > 0) \;\le\; \mathrm{E}\big[e^{sS}\big]$$
#
# We choose the s for which the mean of the curve is smallest.
#
# Since S is a sum of independent numbers, $e^{sS}$ is a product of independent factors, one for
# each edge and one for each empty cell. The mean of this product is the product of the means. With
# the four values that edges and empty cells add to S, this gives
#
# $$\mathrm{P}(J > t) \;\le\; \min_{s \ge 0}\;
# \big[(1-p)\,e^{s(1-t)} + p\,e^{-st}\big]^{|E|}\; \big[1 - p + p\,e^{-st}\big]^{Q-|E|}.$$
#
# This is the **Chernoff bound**. The bound on J is the smallest t for which the right side is at
# most δ.

# %% tags=["nbval-check-output"]
setting = settings[0]  # a million cells, a thousand edges
p = flip
t = jaccard_bound(**setting, delta=1 / 20, form="chernoff")
tried = np.linspace(0, 5, 5001)  # many s at once
edge = np.log((1 - p) * np.exp(tried * (1 - t)) + p * np.exp(-tried * t))
empty = np.log(1 - p + p * np.exp(-tried * t))
logarithm = edges * edge + (10**6 - edges) * empty  # of the right side
best = logarithm.argmin()
least = np.exp(logarithm[best])
print(f"At t = {t:.4f} the right side is smallest at s = {tried[best]:.2f}: {least:.4f}")

# %% [markdown] slideshow={"slide_type": "notes"}
# Now we compare all forms of the bound on a grid of settings for which p/2 is at least x. The
# **exact** form is the smallest t that J exceeds with probability at most δ.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## How often does each form fail?

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from pplab_papers.smooth import bound_settings, worst_violation

forms = ("printed", "corrected", "chernoff", "exact")
grid = {"densities": (1e-4, 1e-3, 0.01, 0.1, 0.5), "cells": (10**4, 10**5, 10**6)}
grid |= {"epsilons": np.arange(0, 6, 0.2), "deltas": (0.001, 1 / 20)}
for form in forms:
    found = list(bound_settings(**grid, form=form))
    failed = sum(each.violated for each in found)
    print(f"{form:9}: fails in {failed} of {len(found)} settings")
    if failed:
        worst = worst_violation(found)
        print(f"  worst: probability {worst.probability:.2f} where {worst.delta:g} is allowed")

# %% tags=["nbval-check-output"]
from pplab.theory import jaccard_first_term

densities = np.geomspace(100, 900_000, 25).round() / 10**6
asked = settings[0] | {"delta": 1 / 20}  # the first graph, at other densities
means = np.array([jaccard_first_term(density=each, epsilon=5.8) for each in densities])
tails = {}
for form in forms:
    lines = [jaccard_bound(**asked | {"density": each}, form=form) for each in densities]
    tails[form] = lines - means
    print(
        f"{form:9}: J ≤ {lines[0]:.3f} at λ = {densities[0]}, {lines[6]:.3f} at {densities[6]:.4f}"
    )

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The tails, density by density
#
# In the area shaded grey, J exceeds a bound too often:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output", "hide-input"]
from pplab.plots import style

figure, axes = new_figure(width=7, height=4)
for place, (form, tail) in enumerate(tails.items()):
    axes.plot(densities, tail, label=form, **style(place), markevery=4)
axes.fill_between(densities, 1e-5, tails["exact"], color=SHADES["pale"])
axes.text(0.012, 6e-4, "false here", ha="center", fontsize=13, weight="bold")
axes.set(xscale="log", yscale="log", ylim=(2e-4, 2), xlabel="density λ (← sparse, dense →)")
axes.set(ylabel="tail: bound minus mean", title="The printed tail runs through the grey area")
axes.legend(ncols=2)
summary = ", ".join(f"{form} {tail[6]:.4f}" for form, tail in tails.items())
show(
    figure,
    alt=f"Tails; at λ = {densities[6]:.4f}: {summary}. The printed tail crosses the exact one.",
)

# %% [markdown] slideshow={"slide_type": "notes"}
# Where the tail of a bound is below the exact tail (the area shaded grey), J exceeds the bound too
# often. The tail of the printed bound is the same at every density, and it is in this area in the
# middle of the figure. The tail of the corrected bound is never in this area, but on sparse graphs
# it is far above the exact tail. The tail of Chernoff's bound is close to the exact tail on this
# log scale.
#
# The mean did **not** change: on a sparse graph, a J of one half still needs an ε of ln(1/λ). The
# printed bound was false, but the paper's message was true.
#
# <details><summary>In the ledger</summary>
#
# The printed bound is exceeded too often (`smooth:theorem-4.1:tail`); the line before the lemma
# holds (`smooth:theorem-4.1:line-before-lemma`). The lemma has three wordings:
# `smooth:lemma-A.1:as-printed`, `smooth:lemma-A.1:as-needed`, `smooth:lemma-A.1:repaired`. The
# printed form holds on dense graphs (`smooth:theorem-4.1:tail-dense`). Our two forms are
# `smooth:theorem-4.1:corrected` and `smooth:theorem-4.1:chernoff`.
#
# </details>
#
# ### Exercise R (recall)
#
# A colleague wants a bound on J for a sparse graph. Which form do you recommend: `"mean"` (the mean
# of J itself), `"printed"` (with the paper's tail) or `"chernoff"` (with the tail of Chernoff's
# bound)?

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a word in quotes
answer = "chernoff"
check("08-R", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Play
#
# **Question:** for which graphs is the printed bound safe? The bars show the exact probabilities of
# J on a million cells. In the hatched part, J exceeds the printed bound. The theorem says that the
# probability of this part is at most one in twenty. Is a sparser graph always worse?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Question
#
# **For which graphs is the printed bound safe?** In the hatched part, J exceeds the bound.

# %% tags=["nbval-check-output", "hide-input"]
from pplab.plots import tail_bars
from pplab.theory import jaccard_distribution


def draw(axes, density, epsilon):
    state = {"density": density, "cells": 10**6, "epsilon": epsilon}
    exact, lines = jaccard_distribution(**state), {}
    for form in ("printed", "corrected"):
        lines[form] = jaccard_bound(**state, delta=1 / 20, form=form)
    tail_bars(axes, exact, bound=lines["printed"], lines=lines)
    beyond = exact.above(lines["printed"])
    axes.set_title(f"λ = {density:g}, ε = {epsilon:g}: beyond {beyond:.1%}", fontsize=10)
    axes.set_xlabel("J (← less alike, more alike →)")
    met = is_covered(cells=10**6, epsilon=epsilon, delta=1 / 20)
    return {"density": density, "epsilon": epsilon, "met": met, "beyond": beyond, **lines}


# %% tags=["widget", "nbval-ignore-output", "hide-input"]
from pplab.widgets import Control, explore, twin


def sentence_of(row):
    verdict = "safe here" if row["beyond"] <= 1 / 20 else "exceeded too often"
    verdict += "" if row["met"] else ", but the theorem does not apply"
    words = "λ = {density:g}, ε = {epsilon:g}: {beyond:.1%} of the copies exceed the "
    return (words + "printed bound, {printed:.3g}: ").format(**row) + verdict + "."


explore(
    draw,
    say=sentence_of,
    density=Control("density λ", (1e-4, 0.001, 0.01, 0.1, 0.5), 0.001, "sparse", "dense"),
    epsilon=Control("ε", (2, 3, 4, 5, 5.8, 7), 5.8, "more private", "more accurate"),
)


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output", "hide-input"]
def message(states):
    failed = (states["beyond"] > 1 / 20).sum()
    text = "Six pictures of J, as bars. A share of {:.2g} to {:.2g} lies beyond the printed line; "
    text += "this is more than 1/20 in {} of them."
    return text.format(states["beyond"].min(), states["beyond"].max(), failed)


states = twin(draw, alt=message, height=2.8, epsilon=(3, 5.8), density=(0.001, 0.01, 0.5))

# %% [markdown] slideshow={"slide_type": "notes"}
# <details><summary>The answer</summary>
#
# The bound is safe on dense graphs, at every ε. On sparse graphs, the bound is safe with a lot of
# noise (at ε = 3, J is small, and its deviations are far smaller than 2x), but not with little
# noise (at ε = $5.8$). A sparser graph is not always worse: at λ = 10⁻⁴, J is so small that it
# hardly varies from copy to copy, so the bound is safe again. At ε = 7, the theorem does not apply,
# because p/2 is below x.
#
# </details>
#
# ### Exercise B (break)
#
# Find (λ, Q, ε) with **at most 100 thousand cells** that meets the condition of the theorem at δ =
# 1/20, and for which J exceeds the printed bound with probability above 2δ. `is_covered` tests the
# condition, and `violation_probability` computes the probability. First make ε as large as the
# condition allows, then try values of λ near p.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: three numbers (λ, Q, ε)
answer, most = None, 0
for density, level in product(np.geomspace(1e-3, 0.1, 20), np.arange(3, 6, 0.1)):
    if is_covered(cells=10**5, epsilon=level, delta=1 / 20):
        tried_here = {"density": density, "cells": 10**5, "epsilon": level}
        chance = violation_probability(**tried_here, delta=1 / 20, form="printed")
        if chance > most:
            answer, most = (density, 10**5, level), chance
print(f"λ = {answer[0]:.3f}, ε = {answer[2]:.1f}: exceeded with probability {most:.3f}")
check("08-B", answer)

# %% [markdown]
# ## Exercises
#
# - **O (open).** *How wrong can it be?* Find (λ, Q, ε, δ), with at most 100 million cells, that
#   meets the condition, and for which J exceeds the printed bound **a thousand times as often** as
#   the theorem allows. Then write three sentences to the authors, on paper.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: four numbers (λ, Q, ε, δ)
answer, most, rare = None, 0, 1e-6  # a rare failure, and noise as low as the condition allows
level = max(e for e in np.arange(1, 8, 0.1) if is_covered(cells=10**7, epsilon=e, delta=rare))
for density in np.geomspace(1e-4, 0.1, 20):
    state = {"density": density, "cells": 10**7, "epsilon": level, "delta": rare}
    chance = violation_probability(**state, form="printed")
    if chance > most:
        answer, most = (density, 10**7, level, rare), chance
print(f"λ = {answer[0]:.4f}, ε = {level:.1f}: {most:.3f}, {most / rare:,.0f} times too often")
check("08-O", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Quiz
#
# 1. What changes if Q is larger? <details><summary>Answer</summary>The spread becomes smaller: for
#    copies of large graphs, J is closer to its mean.</details>
# 2. A theorem is refuted. Is it useless? <details><summary>Answer</summary>No. Here one factor was
#    lost in the tail. The condition, the idea and the message are still correct, and the repair
#    takes one line.</details>
# 3. One step of a proof is wrong. Is the theorem false? <details><summary>Answer</summary>Not
#    necessarily: a theorem with a wrong proof may still be true. To show that a theorem is false,
#    you need a counterexample.</details>
# 4. Why does Chernoff's bound use an exponential curve? <details><summary>Answer</summary>The curve
#    lies above the step function, and it turns a sum of independent numbers into a product of
#    means.</details>
#
# ## What to remember
#
# - You can check a printed tail bound by sampling, or compute the tail exactly from two binomial
#   distributions.
# - The printed bound fails on sparse graphs with little noise. The bound with the tail 2x/b holds.
#   With one count instead of two, the bound with the tail x/b also holds, and Chernoff's bound has
#   an even smaller tail.
# - One counterexample refutes a theorem; a repair needs a proof.
#
# ## References
#
# - Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
#   [arXiv 2207.06358](https://arxiv.org/abs/2207.06358).
# - Hoeffding 1963, *Probability inequalities for sums of bounded random variables*,
#   [doi 10.1080/01621459.1963.10500830](https://doi.org/10.1080/01621459.1963.10500830).
# - Chernoff 1952, *A measure of asymptotic efficiency for tests of a hypothesis based on the sum of
#   observations*, [doi 10.1214/aoms/1177729330](https://doi.org/10.1214/aoms/1177729330).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ask the room
#
# One step of a proof is wrong. Is the theorem false?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - You can check a printed tail bound by sampling, or compute the tail exactly from two binomial
#   distributions.
# - The bound with the tail 2x/b holds. With one count instead of two, the bound with the tail x/b
#   also holds, and Chernoff's bound has an even smaller tail.
# - One counterexample refutes a theorem; a repair needs a proof.
