# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 09 Counts of a graph
#
# **For an edge and for a person.** Each count alone is harmless, but hundreds of counts form a
# system of equations.

# %% [markdown] slideshow={"slide_type": "notes"}
# # 09 Counts of a graph, for an edge and for a person
#
# *Edition 2, part 4 of 6: what can be published about a graph. Core track.*
#
# ## What you will be able to do
#
# - reconstruct one person's edges from counts, and say how much noise prevents this;
# - derive the sensitivity of a count, for an edge and for a person, and add noise that fits it;
# - say what δ means, and give an upper bound on the total level of a hundred releases;
# - limit the degrees of a graph so that a count protects a person, and distinguish bias from noise.
#
# ## What you need
#
# You need notebooks [01](01_privacy_by_counting.ipynb) (ε, units, composition, the zoo) and
# [05](05_social_recommendation.ipynb) (the Laplace mechanism and its proof).
#
# **Minutes (estimates):** about 45 to read, about 75 for the exercises.

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Break something: predict, then run
#
# A social network publishes no edges. You may only name a set of people and ask how many
# friendships there are among them. The network adds normal noise with a standard deviation of 3 to
# each answer.
#
# You make a list of people: all friends of the most popular person, and an equal number of
# strangers. Then you choose many random halves of the list, and ask about each half twice: with the
# popular person in it, and without. **What share of the list can you classify correctly?**

# %%
my_prediction = 0.5  # your own number here, between 0 and 1

# %% tags=["real-data", "nbval-check-output"]
import math
from fractions import Fraction

import numpy as np
import pandas as pd

import pplab
from pplab_course import say

lastfm = pplab.load_dataset("lastfm")
friends = lastfm.social  # friendships of Last.fm, users x users
person = int(np.argmax(np.diff(friends.indptr)))

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Only counts, with noise
#
# A network answers one question: how many friendships are there among a set of people that you
# name? The network adds noise with a standard deviation of 3 to each answer.
#
# You list the friends of one person and the same number of strangers. Then you ask about random
# halves of the list. **What share of the list do you classify correctly?** A coin toss classifies
# half of the list correctly.

# %% slideshow={"slide_type": "fragment"} tags=["real-data", "nbval-check-output"]
contacts = friends[[person]].indices
strangers = np.setdiff1d(np.arange(friends.shape[0]), [*contacts, person])[: len(contacts)]
truth = np.repeat([1, 0], len(contacts))  # friends first: what the curator knows and you want


def rebuilt(noise, questions, seed):
    rng = np.random.default_rng(seed)
    asked = rng.integers(0, 2, (questions, len(truth))).astype(float)  # random halves
    answers = asked @ truth + rng.normal(0, noise * math.sqrt(2), questions)  # with minus without
    guess = np.linalg.solve(asked.T @ asked, asked.T @ answers)  # least squares
    return float(np.mean((guess > 0.5) == truth))


four = 4 * len(truth)
say(f"{friends.nnz // 2:,} friendships; {len(truth)} people on the list; {four:,} random halves.")
say(f"You get **{rebuilt(3, four, seed=1):.1%}** of the list right; you said {my_prediction:.0%}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# The difference of the two answers is the number of the person's friends in this half, plus noise.
# This attack is called **differencing**. Hundreds of differences form a system of equations, and we
# solve this system by least squares.
#
# If the noise is far below $\sqrt{n}$, an attacker can reconstruct nearly the whole list of n
# people. Dinur and Nissim (2003) showed that counts of $n \log^2 n$ random halves of the list are
# enough for this. Dwork, McSherry and Talwar (2007) showed that $cn$ weighted questions are enough,
# where c is a constant.

# %% tags=["real-data", "nbval-check-output"]
from pplab.plots import COLOURS, new_figure, show
from pplab.plots.style import style

noises = [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256]
right = pd.DataFrame(index=pd.Index(noises, name="noise"))
for factor in (4, 40):
    shares = [[rebuilt(one, factor * len(truth), seed) for seed in range(3)] for one in noises]
    right[f"{factor}n halves"] = np.mean(shares, axis=1)
right.round(2)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## More questions need more noise
#
# The list has n people, and each question is about a random half of them:

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output", "hide-input"]
figure, axes = new_figure(height=3)
for place, name in enumerate(right.columns):
    axes.plot(right.index, right[name], **style(place), label=name)
axes.axvline(math.sqrt(len(truth)), color="black", linestyle=":", label="√n")
axes.legend(frameon=False)
axes.set(xscale="log", xlabel="standard deviation of the noise (friendships)", ylim=(0.4, 1.05))
axes.set(ylabel="share right", title="The more questions, the more noise is needed")
ends = ", ".join(f"{share:.0%} with {name}" for name, share in right.loc[32].items())
show(figure, alt=f"Share of the list that is right against the noise; at noise 32: {ends}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# The noise that the list needs depends on **the number of questions**. If the noise is a few times
# $\sqrt{n}$, an attacker who asks about 4n halves is no better than a coin toss, but an attacker
# who asks about 40n halves is better.
#
# ## Define: how far can one unit move a count?
#
# Two graphs on the same nodes are **edge-level neighbours** when they differ in one edge. The
# **global sensitivity** of a count f is the largest difference of f between two neighbours: $\Delta
# f = \max |f(G) - f(G')|$. We derive it for three counts on n nodes:
#
# - **edges:** one more edge increases the count by one, so Δ = 1;
# - **degree histogram** (how many nodes have degree 1, 2, ...): one more edge moves each of two
#   nodes to the next bin. Each move changes two bins by one, so the bins change by at most Δ = 4 in
#   total;
# - **triangles:** the edge i–j forms a triangle with each *common neighbour* of i and j. There can
#   be n − 2 common neighbours, so Δ = n − 2.
#
# Laplace noise of scale $\Delta f/\varepsilon$ is ε-private (notebook
# [05](05_social_recommendation.ipynb)). *Geometric* noise is the version for whole numbers. Each
# step away from 0 divides the probability of the noise by a fixed factor, here 3.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## How far can one unit move a count?
#
# | count | one edge moves it by at most |
# |---|---|
# | edges | 1 |
# | degree histogram | 4 |
# | triangles | n − 2 |
#
# Laplace or geometric noise of scale Δ/ε is ε-private.

# %% tags=["nbval-check-output"]
from pplab.counts import NoisyCount

for count, steps in (("edges", 1), ("degrees", 4), ("triangles", 2)):  # Δ on four nodes
    noisy = NoisyCount(count=count, noise="geometric", unit="edge", odds=Fraction(3) ** steps)
    exact = pplab.exact_epsilon(noisy, shape=4, unit="edge")
    print(f"{count}: promised {noisy.odds} : 1, by enumeration {exact.odds} : 1, unit {noisy.unit}")

# %% [markdown]
# All three promised bounds are attained.
#
# **Exercise C (compute).** A graph has a thousand nodes, and any two nodes have at most 20 common
# neighbours. You publish the number of triangles at ε = 1/2 for an edge. What scale of Laplace
# noise do you need?

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: a number
answer = (1000 - 2) / 0.5
check("09-C", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ### The tempting shortcut leaks
#
# In many sparse graphs, the noise of exercise C exceeds the count. The **local sensitivity**
# depends on the given graph G: $LS(G) = \max_{G'} |f(G) - f(G')|$ over the neighbours G′ of G. For
# triangles, LS(G) is the largest number of common neighbours of any pair of nodes. We must not add
# $\mathrm{Lap}(LS(G)/\varepsilon)$, because the *size* of this noise depends on the private graph.
# The first two mechanisms in the table add this kind of noise (the third mechanism is explained
# below):

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The tempting shortcut leaks
#
# Noise scaled to *this* graph depends on the private graph:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from pplab_course import zoo

rows = []
for animal in zoo.BROKEN_COUNTS:
    claimed = animal.claimed
    audit = pplab.audit_epsilon(
        animal, animal.pair, claimed=claimed, samples=20_000, alpha=0.001, rng=1
    )
    found = math.exp(audit.lower_bound)
    rows.append((type(animal).__name__, animal.unit, math.exp(claimed), found, audit.violated))
names = ["mechanism", "unit", "odds claimed", "odds by audit, at least", "refuted"]
pd.DataFrame(rows, columns=names).round(1).set_index("mechanism")

# %% [markdown]
# **Exercise B (break).** Give two graphs on at most six nodes, as tables. The graphs must differ in
# one edge. Their local sensitivities must be different, and each must be at least 1.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: (one table, another table)
square = np.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
opened = square.copy()
opened[0, 3] = opened[3, 0] = 0
answer = (square, opened)
check("09-B", answer)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The repair: smooth sensitivity
#
# Between two neighbours, the scale of the noise may change by a factor of at most $e^\beta$:
#
# $$S_\beta(G) = \max_s e^{-\beta s} LS^{(s)}(G)$$
#
# $LS^{(s)}$ is the largest local sensitivity among all graphs that differ from G in at most s
# edges.

# %% [markdown] slideshow={"slide_type": "notes"}
# **The repair** (Nissim, Raskhodnikova and Smith 2007): the scale of the noise may depend on the
# graph, but between two neighbours, it changes by a factor of at most $e^\beta$. The smallest upper
# bound on LS with this property is the **smooth sensitivity** $S_\beta(G) = \max_s e^{-\beta s}
# LS^{(s)}(G)$. Here $LS^{(s)}$ is the largest local sensitivity among all graphs that differ from G
# in at most s edges. Cauchy noise (density $1/(\pi + \pi x^2)$) of scale $2S_\beta/\varepsilon$
# with $\beta = \varepsilon/2$ is ε-private. Its heavy tails also hide a change of the scale.
#
# For triangles, take two nodes with $a$ common neighbours. Another $b$ nodes are neighbours of only
# one of the two nodes. One changed edge turns one of the $b$ nodes into a common neighbour. To turn
# any other node into a common neighbour, two edges must change.
#
# **Exercise P (prove by code).** Write `reach(a, b, s, n)`, which returns the largest number of
# common neighbours that the two nodes can have after s edges are changed in a graph of n nodes.


# %% tags=["solution", "nbval-check-output"]
def reach(a, b, s, n):
    # YOUR CODE: first the nodes that need one edge, then those that need two, at most n - 2
    return min(a + (s + min(s, b)) // 2, n - 2)


check("09-P", reach)

# %% [markdown]
# **Exercise R (recall).** Which sensitivity of the number of triangles (global, local or smooth)
# depends only on the number of nodes?

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a word
answer = "global"
check("09-R", answer)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The worst graph is far away
#
# The table shows the global and the local sensitivity of the number of triangles:

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
from pplab.counts import local_sensitivity
from pplab.graphs import as_adjacency

papers = as_adjacency(pplab.load_dataset("dblp-2010").biadjacency)  # who wrote together
fair = NoisyCount(count="triangles", noise="laplace", unit="edge", epsilon=1.0)
facts = pd.DataFrame(index=["people", "edges", "triangles", "global", "local"])
for name, graph in {"dblp-2010": papers, "Last.fm": friends}.items():
    size, local = graph.shape[0], local_sensitivity(graph, count="triangles")
    facts[name] = size, graph.nnz // 2, fair.value(graph), size - 2, local
facts.T.map("{:,}".format)

# %% [markdown] slideshow={"slide_type": "notes"}
# The last two columns are sensitivities of the number of triangles.
#
# ## δ, and a hundred counts
#
# **Approximate privacy**: M is (ε, δ)-private when $\Pr[M(G) \in S] \le e^\varepsilon \Pr[M(G') \in
# S] + \delta$ for all neighbours and all S. For a table of n people, choose a δ far below 1/n,
# because even a mechanism that publishes one random row of the table is $(0, 1/n)$-private.
#
# Suppose that each of k = 100 counts is ε-private with ε = 1/10. There are three bounds on the
# total level of these counts:
#
# - **basic:** the sum of the levels, $k\varepsilon$;
# - **advanced:** for a given δ, the level is $\varepsilon\sqrt{2k\ln(1/\delta)} +
#   k\varepsilon(e^\varepsilon - 1)$; *privacy losses* (the logarithms of the odds factors) can be
#   positive or negative, so they partly cancel each other;
# - **exact:** the smallest ε for this δ in the worst case, in which randomized response answers k
#   times about the same bit.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## δ, and a hundred counts
#
# $$\Pr[M(G) \in S] \le e^\varepsilon \Pr[M(G') \in S] + \delta$$
#
# The table shows three bounds on the total level of 100 counts at ε = 1/10 each:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from pplab import theory

each, times, delta_all = 0.1, 100, 1e-6
accounts = {
    "basic": times * each,
    "advanced": theory.advanced_composition(each, times=times, delta=delta_all),
    "exact": theory.exact_composition(each, times=times, delta=delta_all),
}
pd.Series(accounts).round(2).to_frame("ε in all")

# %% [markdown] slideshow={"slide_type": "notes"}
# **Gaussian** noise of standard deviation σ has no finite ε if δ = 0, but it is easy to compose.
# The level depends only on $\mu = \Delta/\sigma$, where Δ is the largest Euclidean length of the
# vector of changes. Together, k releases with the same μ are exactly as private as one release with
# $\sqrt{k}\,\mu$. For a given ε, δ is $\Phi(\frac{\mu}{2} - \frac{\varepsilon}{\mu}) -
# e^\varepsilon\,\Phi(-\frac{\mu}{2} - \frac{\varepsilon}{\mu})$ (proof in notebook
# [16](16_a_recommender_for_a_person.ipynb)). The function `gaussian_mu(epsilon, delta)` returns the
# largest μ for which a release is (ε, δ)-private.
#
# **Exercise D (design).** You publish 100 counts, each of sensitivity 1, with Gaussian noise. You
# guarantee (ε, δ) = (1, 1e-6) for all counts together. Choose the smallest standard deviation. If
# you round it, round up.

# %% tags=["solution", "nbval-check-output"]
from pplab.tradeoff import gaussian_mu

# YOUR CODE: a standard deviation
answer = math.sqrt(100) / gaussian_mu(1.0, 1e-6)
check("09-D", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## A person: cap, then count
#
# Two graphs are **node-level neighbours** if they differ only in the edges of one node, that is, in
# the whole list of friends of one person. Either all these edges are *removed* in one of the two
# graphs, or they may change *at will*.
#
# One person can have n − 1 friends, so Δ = n − 1 for the number of edges, and the noise would be
# too large. It does not help to drop all people with more than θ friends. Suppose that all members
# of a group have exactly θ friends. If a newcomer becomes a friend of all members, then all members
# are dropped (*NaiveTruncation* above).
#
# **Projection** (Day, Li and Lyu 2016): go through all pairs of nodes in a fixed public order, and
# keep an edge if both of its ends have fewer than θ kept edges so far. *Why one person changes
# little:* run the projection once with a person v and once without v. For another node u, let
# $d(u)$ and $d'(u)$ be the numbers of kept edges so far in these two runs. Let D be the sum of
# $|d(u) - d'(u)|$ over all u except v.
#
# 1. A kept edge of v increases D by at most one. Person v has $t \le \theta$ kept edges.
# 2. Now take an edge that does not touch v, and suppose that only one of the two runs keeps this
#    edge. In the run that drops the edge, one end is full (it already has θ kept edges). In the
#    other run, this end is not full. So at this end, the difference $|d(u) - d'(u)|$ falls by one.
#    At the other end, the difference rises or falls by one. So D does not increase.
# 3. In the end, $D \le t$. The sum of all degrees counts every edge twice. So twice the difference
#    between the two numbers of edges is t (for v itself) plus the sum of $d(u) - d'(u)$. This sum
#    is between −t and t.
#
# So a person v adds between 0 and θ edges, no matter who the friends of v are. The sensitivity of
# the number of edges is **θ**, whether edges are removed or changed at will. (For the degree
# histogram, the sensitivity is 2θ + 1 if edges are removed, and 4θ if edges are changed at will.
# Triangles are capped in a different way, by `capped_triangles`.)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## A person: cap, then count
#
# Go through all pairs in a public order, and keep an edge if both of its ends have fewer than θ
# kept edges so far. **A person v adds between 0 and θ edges.**
#
# | edges of the person | sensitivity of the number of edges |
# |---|---|
# | removed, or changed at will | θ |

# %% tags=["nbval-check-output"]
capped = NoisyCount(
    count="edges", noise="geometric", unit="node", odds=Fraction(9), theta=2, node_edges="at will"
)
exact_node = pplab.exact_epsilon(capped, shape=4, unit="node").odds
print(f"θ = 2, at will: promised {capped.odds} : 1, by enumeration {exact_node} : 1")

# %% [markdown] slideshow={"slide_type": "notes"}
# Choose θ without looking at the degrees. Our guess is that hardly any author has more than 128
# co-authors.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Bias and noise
#
# The bias is the share of edges that the cap cuts off. The bias is the same in every run. The size
# of the noise is proportional to 1/ε:

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
from pplab.counts import project_degrees

full = papers.nnz // 2
median = math.log(2)  # half of all Laplace draws are within this many scales
cost = pd.DataFrame(index=["bias, %", "noise at ε = 1, %"])
for theta in (32, 64, 128, 256):
    kept = project_degrees(papers, theta=theta).nnz // 2
    cost[f"θ = {theta}"] = 100 * (full - kept) / full, 100 * median * theta / full
cost.round(3)

# %% [markdown] slideshow={"slide_type": "notes"}
# The **bias** is the share of edges that the cap cuts off. The bias is the same in every run,
# whatever ε is. The **noise** is different in every run, and its size is proportional to 1/ε. The
# next table gives an upper bound on the median error: at least half of all releases have at most
# this error. For a person (θ = 128), the error is bias plus noise. In the first column, the count
# is estimated from a copy with flipped cells.

# %% tags=["real-data", "nbval-check-output"]
levels = np.array([0.01, 0.03, 0.1, 0.3, 1, 3])
cells = papers.shape[0] * (papers.shape[0] - 1) / 2
flipped = 0.6745 * np.sqrt(cells * np.exp(levels)) / np.expm1(levels)  # median of a normal law
errors = pd.DataFrame(index=pd.Index(levels, name="ε"))
errors["copy, an edge"] = 100 * flipped / full
errors["count, a person"] = cost.loc["bias, %", "θ = 128"] + 100 * median * 128 / levels / full
errors["count, an edge"] = 100 * median / levels / full
errors.map("{:.3g}".format)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## A count is cheap, even for a person

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output", "hide-input"]
figure, axes = new_figure(height=3.2)
for place, name in enumerate(errors.columns):
    axes.plot(errors.index, errors[name], **style(place + 2), label=name)
axes.legend(frameon=False, title="release, protected unit")
axes.set(xscale="log", yscale="log", xlabel="privacy level ε", ylabel="median error at most, %")
axes.set(title="Number of edges: a count is cheap, even for a person", ylim=(1e-5, 1e6))
ends = ", ".join(f"{name} {value:.3g}%" for name, value in errors.loc[1.0].items())
show(figure, alt=f"Errors of the number of edges fall with ε; at ε = 1: {ends}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# At ε = 1, the error is below one per cent if we protect a **person**. The flipped copy has a far
# larger error, even if we protect only an edge.
#
# ## Not a number but a choice
#
# Which artist has the most listeners? We cannot add noise to a name. The **exponential mechanism**
# (McSherry and Talwar 2007) chooses item j with a probability proportional to the weight
# $e^{\varepsilon u_j / 2}$, where $u_j$ is the number of listeners of item j. If all entries of one
# **user** change *at will*, each $u_j$ changes by at most 1. So each weight, and also the sum of
# the weights, changes by a factor of at most $e^{\varepsilon/2}$. So the probability of each item
# changes by a factor of at most $e^\varepsilon$.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Not a number but a choice
#
# The **exponential mechanism** chooses item j with a probability proportional to
#
# $$e^{\varepsilon u_j / 2}$$
#
# where a user changes each number of listeners $u_j$ by at most 1:

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
from pplab.counts import TopItem

listeners = np.bincount(lastfm.preferences.indices)
choices = []
for level in (0.01, 0.1, 0.5):
    top = TopItem(unit="user", epsilon=level)
    drawn = listeners[top.sample_many(lastfm.preferences, 200, rng=1)]
    choices.append((level, np.mean(drawn == listeners.max()), drawn.mean() / listeners.max()))
names = ["ε for a user", "right artist", "listeners, relative to the right artist"]
pd.DataFrame(choices, columns=names).round(2).set_index(names[0])

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Play
#
# **Question:** you publish the number of friendships on Last.fm, and the unit is a person. Which θ
# has the smallest error at ε = 1? Does this θ rise or fall when ε gets smaller?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Question
#
# You publish the number of friendships on Last.fm, and the unit is a person. **Which cap θ has the
# smallest error at ε = 1? Does this θ rise or fall when ε gets smaller?**

# %% tags=["real-data", "nbval-check-output", "hide-input"]
thetas = (1, 2, 5, 10, 20, 50, 100, 200)
all_edges = friends.nnz // 2
lost = {theta: all_edges - project_degrees(friends, theta=theta).nnz // 2 for theta in thetas}
print("friendships that the cap cuts off:", lost)


def draw(axes, theta, epsilon):
    parts = {"bias": lost[theta], "noise": median * theta / epsilon}
    parts = {name: 100 * part / all_edges for name, part in parts.items()}
    total = sum(parts.values())
    bars = axes.bar(list(parts), list(parts.values()), color=COLOURS["blue"])
    axes.bar_label(bars, [f"{part:.2f} %" for part in parts.values()], fontsize=9)
    axes.set(ylim=(0, 120), ylabel="error, % of the count")
    axes.set_title(f"θ = {theta}, ε = {epsilon:g}: in all {total:.1f} %", fontsize=10)
    return {"θ": theta, "ε": epsilon, **parts, "both": total}


# %% tags=["widget", "real-data", "nbval-ignore-output", "hide-input"]
from pplab.widgets import Control, explore, twin

sentence = "θ = {θ}: {bias:.1f} % is cut off, noise of {noise:.1f} % is added (ε = {ε:g})."
explore(
    draw,
    say=sentence.format_map,
    theta=Control("cap θ on friends", thetas, 20, "less noise", "less bias"),
    epsilon=Control("privacy level ε", tuple(levels), 1, "more private", "more accurate"),
)


# %% slideshow={"slide_type": "fragment"} tags=["real-data", "nbval-check-output", "hide-input"]
def message(states):
    low, high = states["both"].min(), states["both"].max()
    return f"Four bar charts of bias and noise, two θ and two ε: {low:.1f} to {high:.1f} %."


states = twin(draw, alt=message, height=2.5, theta=(10, 200), epsilon=(0.03, 1))


def best_theta(epsilon):
    return min(thetas, key=lambda theta: lost[theta] + median * theta / epsilon)


best_thetas = ", ".join(f"θ = {best_theta(level)} at ε = {level:g}" for level in (3, 1, 0.01))
folded = f"{best_thetas}. When ε gets smaller, the best cap gets smaller."
say(f"<details><summary>The answer</summary>\n\n{folded}\n\n</details>")

# %% [markdown]
# ## Exercises
#
# In the open exercise, the check tests only the format of your answer.
#
# - **O (open).** You publish all three counts of the friendships on Last.fm once, with a guarantee
#   for a **person**. Give one θ for all counts, a pure ε (δ = 0) for each count, and the total ε by
#   basic composition. Say how you chose θ without looking at the data. Your answer is a dict with
#   "counts" (a list of "edges", "degrees", "triangles"), "theta", "epsilon" (a list of three
#   numbers), "total" and "why".

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: {"counts": [...], "theta": ..., "epsilon": [...], "total": ..., "why": "..."}
answer = {
    "counts": ["edges", "degrees", "triangles"],
    "theta": 150,
    "epsilon": [0.2, 0.4, 0.4],
    "total": 1.0,
    "why": "people are often said to know about 150 others; that was written down before loading. "
    "A person's edges may change at will. The cap cuts off much of the edges of popular people, "
    "so for edges the bias is larger; for the other counts, more sensitive ones, the noise is.",
}
check("09-O", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Quiz
#
# 1. Two graphs have the same number of triangles but different local sensitivities. Does
#    $\mathrm{Lap}(LS/\varepsilon)$ hide which of the two graphs was used?
#    <details><summary>Answer</summary>No: the graph with the larger local sensitivity gets larger
#    noise, which makes extreme outputs more likely.</details>
# 2. Which part of the error of a capped count stays the same as ε grows?
#    <details><summary>Answer</summary>The bias. </details>
# 3. A release is ε-private (δ = 0) with respect to the removal of all edges of a node. Is it also
#    ε-private if these edges change at will? <details><summary>Answer</summary>No, it is
#    2ε-private, because any change of the edges is a removal plus an addition.</details>
#
# ## What to remember
#
# - Differences of counts reveal single edges.
# - The noise must be large enough to hide the largest change that one unit can cause. If the noise
#   is scaled to the data, the noise reveals the data.
# - State the unit: an edge or a person. For a person, say whether edges are removed or changed at
#   will.
#
# ## References
#
# - Dinur and Nissim 2003, *Revealing information while preserving privacy*, [doi
#   10.1145/773153.773173](https://doi.org/10.1145/773153.773173).
# - Dwork, McSherry and Talwar 2007, *The price of privacy and the limits of LP decoding*, [doi
#   10.1145/1250790.1250804](https://doi.org/10.1145/1250790.1250804).
# - Nissim, Raskhodnikova and Smith 2007, *Smooth sensitivity and sampling in private data
#   analysis*, [doi 10.1145/1250790.1250803](https://doi.org/10.1145/1250790.1250803).
# - Day, Li and Lyu 2016, *Publishing graph degree distribution with node differential privacy*,
#   [doi 10.1145/2882903.2926745](https://doi.org/10.1145/2882903.2926745).
# - McSherry and Talwar 2007, *Mechanism design via differential privacy*, [doi
#   10.1109/FOCS.2007.66](https://doi.org/10.1109/FOCS.2007.66).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ask the room
#
# Which part of the error of a capped count stays the same as ε grows?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - Differences of counts reveal single edges.
# - The noise must be large enough to hide the largest change that one unit can cause. If the noise
#   is scaled to the data, the noise reveals the data.
# - State the unit: an edge or a person. For a person, say whether edges are removed or changed at
#   will.
