# %% [markdown]
# # 09 Counts of a graph, for an edge and for a person
#
# *Edition 2, part 4 of 6: what can be published of a graph. Core track.*
#
# ## What you will be able to do
#
# - rebuild one person's edges from counts, and say how much noise stops it;
# - derive the sensitivity of a count, for an edge and for a person, and add the noise it asks for;
# - say what δ is, and add up a hundred releases by four kinds of accounts;
# - cap a graph so that a person can be promised something, and tell the cap's bias from its noise.
#
# ## What you need
#
# Notebook [01](01_privacy_by_counting.ipynb): ε, units, composition, the zoo. Besides: a mean, a
# standard deviation, the normal distribution.
#
# **Minutes (estimates):** about 60 to read, about 75 for the exercises.

# %% [markdown]
# ## Break something: predict, then run
#
# A social network publishes no edge. It answers one kind of question only: how many friendships are
# there among a set of people that you name? And it adds normal noise with a standard deviation of 3
# to each answer.
#
# You single out the person with the most friends, and list as many strangers beside these friends.
# Then you ask about random halves of the list, each half once with the person and once without.
# **What share of the list do you get right, friend or stranger?** A coin gets one half.

# %%
my_prediction = 0.5  # your own number here, between 0 and 1

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
import contextlib
import math
from fractions import Fraction

import numpy as np
import pandas as pd
from IPython.display import Markdown, display

import pplab


def say(text):  # a sentence with numbers from the run
    display(Markdown(text))


def short(number):  # three digits
    return f"{float(f'{number:.3g}'):,g}"


lastfm = pplab.load_dataset("lastfm")
friends = lastfm.social  # friendships of Last.fm, users x users
person = int(np.argmax(np.diff(friends.indptr)))

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
own = friends[[person]].indices
strangers = np.setdiff1d(np.arange(friends.shape[0]), [*own, person])[: len(own)]
candidates = np.concatenate([own, strangers])
truth = np.repeat([1, 0], len(own))  # what the curator knows and you want


def rebuilt(noise, questions, seed):
    rng = np.random.default_rng(seed)
    asked = rng.integers(0, 2, (questions, len(truth))).astype(float)  # random halves
    told = asked @ truth + rng.normal(0, noise * math.sqrt(2), questions)  # with minus without
    guess = np.linalg.solve(asked.T @ asked, asked.T @ told)  # least squares
    return float(np.mean((guess > 0.5) == truth))


share, four = rebuilt(3, 4 * len(truth), seed=1), 4 * len(truth)
say(f"{friends.nnz // 2:,} friendships; {len(truth)} people on the list, {four:,} halves.")
say(f"You get **{share:.1%}** of them right; you said {my_prediction:.0%}.")

# %% [markdown]
# The answer with the person minus the answer without is the number of the person's friends in that
# half, with noise: **differencing**. One such number tells nearly nothing. Hundreds of them are
# equations, one for each random half, and least squares solves them. With exact answers one
# question gives an edge away: the set {person, other} holds one friendship or none.
#
# How much noise stops this? Dinur and Nissim (2003) found the border: with a few times as many
# halves as there are people on the list, n (here four times), noise far below $\sqrt{n}$ gives
# nearly everything away, whatever its law is.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from pplab.plots import COLOURS, new_figure, show
from pplab.plots.style import style

noises = [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256]
found = [np.mean([rebuilt(one, four, seed) for seed in range(3)]) for one in noises]
figure, axes = new_figure(height=3)
axes.plot(noises, found, "o-", color=COLOURS["blue"])
border = math.sqrt(len(truth))
axes.axvline(border, color=COLOURS["red"], linestyle="--")
axes.text(border * 1.1, 0.95, "√n", color=COLOURS["red"])
axes.set(xscale="log", xlabel="standard deviation of the noise (friendships)", ylim=(0.4, 1.05))
axes.set(ylabel="share of the list that is right", title="Small noise hides nobody")
told_ends = f"{found[0]:.0%} at 0.5, {found[-1]:.0%} at 256 friendships"
show(figure, alt=f"Share of the list that is right against the noise: {told_ends}; a coin is 50%.")
pd.DataFrame({"share right": found}, pd.Index(noises, name="noise")).round(2)

# %% [markdown]
# Noise that stops the attack is many times as large as $\sqrt{n}$, since it must hold against
# **all** the questions together. So we need two things: noise enough for one count, and an account
# of many.
#
# ## Define: how far can one unit move a count?
#
# Two graphs on the same nodes are **neighbours for an edge** when they differ in one edge. The
# **global sensitivity** of a count f is its largest move between neighbours,
# $\Delta f = \max |f(G) - f(G')|$. Derive it for three counts on n nodes:
#
# - **edges:** one edge more is one more, Δ = 1;
# - **degree histogram** (how many nodes have degree 1, 2, ...): two nodes leave a bin and enter the
#   next one. Summed over the bins, that is at most Δ = 4;
# - **triangles:** the edge i–j closes a triangle with each *common neighbour* of i and j. There can
#   be n − 2 of them, Δ = n − 2.
#
# The **Laplace mechanism** publishes $f(G) + \mathrm{Lap}(\Delta f/\varepsilon)$, where Lap(b) has
# the density $e^{-|z|/b}/2b$. Move its middle by at most Δf and the density changes by a factor of
# at most $e^{\Delta f/b} = e^\varepsilon$: it is ε-private. On whole numbers **geometric** noise
# does the same: noise of z + 1 is rarer than noise of z by a fixed factor. Cut off at the ends of
# the public range it has finitely many outputs, and the enumerator of 01 can be asked. Below, the
# odds promised are a factor of 3 for each step of the sensitivity. On four nodes the sensitivities
# of edges, degrees and triangles are 1, 4 and 2.

# %%
# NBVAL_CHECK_OUTPUT
from pplab.counts import NoisyCount

path = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
by_hand = 3 + np.random.default_rng(1).laplace(0, 1 / math.log(3))  # edges, ε = ln 3
library = NoisyCount(count="edges", noise="laplace", unit="edge", odds=3).sample(path, rng=1)
print(f"Laplace by hand {by_hand:.4f}, library {library:.4f}")
for count, steps in (("edges", 1), ("degrees", 4), ("triangles", 2)):
    noisy = NoisyCount(count=count, noise="geometric", unit="edge", odds=Fraction(3) ** steps)
    exact = pplab.exact_epsilon(noisy, shape=4, unit="edge")
    print(f"{count}: promised {noisy.odds} : 1, by enumeration {exact.odds} : 1, unit {noisy.unit}")

# %% [markdown]
# Over all 64 graphs on four nodes each promise is kept exactly, and none is a waste.
# `sampler="vetted"` takes geometric and Gaussian noise not from numpy but from *OpenDP*, a library
# of private statistics.
#
# **Exercise C (compute).** A graph has a thousand nodes, and no two of them have more than 20
# common neighbours. What scale has the Laplace noise of its number of triangles at ε = 1/2, for an
# edge?

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
from pplab_course import check

# YOUR CODE: a number
answer = (1000 - 2) / 0.5
check("09-C", answer)

# %% [markdown]
# ### The tempting shortcut leaks
#
# The noise of exercise C is larger than the count of many sparse graphs. The **local sensitivity**
# looks at this graph only: $LS(G) = \max_{G'} |f(G) - f(G')|$ over the neighbours of G. For
# triangles it is the largest number of common neighbours of any pair. Why not add
# $\mathrm{Lap}(LS(G)/\varepsilon)$? Because the *size* of the noise is then read off the graph. The
# zoo has this animal twice (finite, and with Laplace noise), and a third that comes below:

# %%
# NBVAL_CHECK_OUTPUT
from pplab.attacks import zoo

rows = [
    "| animal | unit | promised | by enumeration | by audit, at least |",
    "|---|---|---|---|---|",
]
for animal in zoo.BROKEN_COUNTS:
    exact, name = "not countable", type(animal).__name__
    if hasattr(animal, "distribution"):
        worst_odds = pplab.exact_epsilon(animal, shape=4, unit=animal.unit).odds
        exact = f"{worst_odds} : 1".replace("inf", "∞")
    promise, asked = animal.claimed, {"samples": 20_000, "alpha": 0.001}
    audit = pplab.audit_epsilon(animal, animal.pair, claimed=promise, **asked, rng=1)
    low = f"{short(math.exp(audit.lower_bound))} : 1" + " (refuted)" * audit.violated
    rows.append(f"| {name} | {animal.unit} | {short(math.exp(promise))} : 1 | {exact} | {low} |")
say("\n".join(rows))

# %% [markdown]
# Each animal breaks its promise. In the first line some output occurs for one of two neighbours
# only: ∞ : 1. Outputs of Laplace noise cannot be counted; there the audit speaks alone, from
# samples.
#
# **Exercise B (break).** The leak is not only that a graph without common neighbours gets no noise.
# Give two graphs on at most six nodes, as tables, that differ in one edge, with different local
# sensitivities, both at least 1: far outputs then tell them apart.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: (one table, another table)
square = np.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
opened = square.copy()
opened[0, 3] = opened[3, 0] = 0
answer = (square, opened)
check("09-B", answer)

# %% [markdown]
# ### Smooth sensitivity: let the width change slowly
#
# Let the width depend on the graph, but change by a factor of at most $e^\beta$ between neighbours
# (Nissim, Raskhodnikova, Smith 2007). The smallest such bound on the local sensitivity is the
# **smooth sensitivity**
#
# $$S_\beta(G) = \max_{s \ge 0} \; e^{-\beta s}\, LS^{(s)}(G)$$
#
# where $LS^{(s)}$ is the largest local sensitivity within s changed edges. For triangles it can be
# computed. Take a pair with $a$ common neighbours, and $b$ nodes that are neighbours of only one of
# the two. One changed edge makes one of the $b$ common; any other node takes two. How far do s
# changes get? That is exercise P. $LS^{(s)}$ is the largest such number over all pairs.
#
# **Cauchy noise** of scale $S_\beta/\alpha$ with $\alpha = \beta = \varepsilon/2$ is then
# ε-private: the move of the middle costs a factor of at most $e^\alpha$, the change of width one of
# at most $e^\beta$. Its tails are heavy enough to hide a width, and so heavy that it has no
# variance. With Laplace noise the tails are lighter, and a rare output gives the width away: that
# promise needs a δ, below.
#
# **Exercise P (prove by code).** Write `reach(a, b, s, n)`, the number of common neighbours that s
# changed edges can give a pair. A search through all choices of nodes checks it.


# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
def reach(a, b, s, n):
    # YOUR CODE: first the nodes that need one edge, then those that need two, at most n - 2
    return min(a + (s + min(s, b)) // 2, n - 2)


check("09-P", reach)

# %% [markdown]
# **Exercise R (recall).** Three kinds of sensitivity came up: global, local, smooth. Which of them
# is known as soon as the number of nodes is? One word.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: a word
answer = "global"
check("09-R", answer)

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from pplab.counts import local_sensitivity, smooth_sensitivity
from pplab.graphs import as_adjacency

papers = as_adjacency(pplab.load_dataset("dblp-2010").biadjacency)  # who wrote together
graphs = {"dblp-2010": papers, "Last.fm": friends}
with contextlib.suppress(FileNotFoundError):  # Ciao has no stand-in
    graphs["Ciao"] = pplab.load_dataset("ciao").social  # who trusts whom
fair = NoisyCount(count="triangles", noise="laplace", unit="edge", epsilon=1.0)
facts = pd.DataFrame(index=["people", "edges", "triangles", "global", "local"])
for name, graph in graphs.items():
    size, local = graph.shape[0], local_sensitivity(graph, count="triangles")
    facts[name] = size, graph.nnz // 2, fair.value(graph), size - 2, local
display(facts.T.map("{:,}".format))
there, n, betas = facts["dblp-2010"], papers.shape[0], (0.5, 0.05, 0.005, 0.0005)
smooth = {beta: smooth_sensitivity(papers, beta=beta) for beta in betas}
pd.DataFrame({"smooth, dblp-2010": smooth}).round(1).rename_axis("β")

# %% [markdown]
# The last two columns are sensitivities of the triangles. The worst graph on so many nodes is far
# away from dblp-2010, and S knows it: at the two larger β the smooth sensitivity is the local one,
# and at each β it is hundreds of times below the global one.
#
# ## δ, and the Gaussian mechanism
#
# **Approximate privacy**: M is (ε, δ)-private when
# $\Pr[M(G) \in S] \le e^\varepsilon \Pr[M(G') \in S] + \delta$ for all neighbours and all S.
# Whatever set S you name: its probability under G is at most $e^\varepsilon$ times that under G′,
# and δ more. And δ must be far below one over the number of people: of a table in which each person
# has one row of their own, a mechanism that publishes one random row is $(0, 1/n)$-private.
#
# **Gaussian** noise of standard deviation σ has no ε of its own, since the ratio of two normal
# densities grows without bound in the tails. Let $\Delta_2$ be the largest length of the
# vector of changes (for one count: Δ), $\mu = \Delta_2/\sigma$, and Φ the distribution function of
# the standard normal. Then, exactly (Balle and Wang 2018),
#
# $$\delta(\varepsilon) = \Phi\left(\frac{\mu}{2} - \frac{\varepsilon}{\mu}\right) -
# e^\varepsilon\,\Phi\left(-\frac{\mu}{2} - \frac{\varepsilon}{\mu}\right)$$
#
# Another way to draw this: whoever wants to tell G from G′ accuses wrongly with some probability
# (false alarms) and misses with another. The **trade-off curve** is the smallest share of misses
# for each share of false alarms. Both errors together are 1 for a coin.

# %%
# NBVAL_CHECK_OUTPUT
alarms = np.linspace(0, 1, 201)
kinds = {"laplace": 0.0, "gaussian": 1e-6}
figure, axes = new_figure(height=3.2)
for place, (name, delta) in enumerate(kinds.items()):
    noisy = NoisyCount(count="edges", noise=name, unit="edge", epsilon=1.0, delta=delta)
    missed = noisy.trade_off(alarms)
    axes.plot(alarms, missed, **style(place), markevery=20, label=name)
    print(f"{name}: scale {noisy.scale(path):.3f}, misses at 5 %: {missed[10]:.3f}")
axes.plot([0, 1], [1, 0], ":", color="black", label="a coin")
axes.legend(frameon=False)
axes.set(xlabel="share of false alarms", ylabel="least share of misses")
axes.set(title="One count at ε = 1: the Gaussian noise is wider")
show(figure, alt="Trade-off curves at ε = 1: Laplace below Gaussian, below a line from 1 to 0.")

# %% [markdown]
# For a single count the Gaussian noise is the wider one: it hides more (but for the rarest
# alarms), and costs more accuracy. With many counts this turns round.
#
# ## A hundred counts
#
# Let each of 100 counts be ε-private with ε = 1/10. Four accounts of the whole:
#
# - **basic:** levels add up, $k\varepsilon$;
# - **advanced:** for a δ, $\varepsilon\sqrt{2k\ln(1/\delta)} + k\varepsilon(e^\varepsilon - 1)$:
#   losses of both signs partly cancel, so the sum grows like $\sqrt{k}$;
# - **Rényi:** a third account, which we only use: means of powers of the odds factor multiply from
#   release to release, and are turned into ε at the end;
# - **exact:** the smallest ε there is for this δ. The worst ε-private answer is a coin that shows
#   one bit, right with odds $e^\varepsilon$; of k such coins all outcomes can be counted.

# %%
# NBVAL_CHECK_OUTPUT
from pplab import theory

each, times, delta_all = 0.1, 100, 1e-6
orders = [1.5, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64]
moments = [times * theory.laplace_divergence(order, epsilon=each) for order in orders]
accounts = {
    "basic": times * each,
    "advanced": theory.advanced_composition(each, times=times, delta=delta_all),
    "Rényi, Laplace noise": theory.renyi_epsilon(moments, orders=orders, delta=delta_all),
    "exact, any noise": theory.exact_composition(each, times=times, delta=delta_all),
}
pd.Series(accounts).round(3).to_frame("ε in all")

# %% [markdown]
# "Exact, any noise" holds for every ε-private count. Laplace noise may do better; its Rényi account
# is only an upper bound. *dp-accounting*, a library, does both for many mechanisms; below it
# agrees. Gaussian noise is the simplest: k releases with μ are one release with $\sqrt{k}\,\mu$,
# exactly.
#
# **Exercise D (design).** You publish 100 counts, each of sensitivity 1, with Gaussian noise, and
# promise (1, 1e-6) for all of them together. Choose the smallest standard deviation. If you round
# it, round up. `pplab.tradeoff.gaussian_delta(epsilon, mu=...)` is the formula above;
# `gaussian_mu(epsilon, delta)` inverts it.

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
from pplab.tradeoff import gaussian_mu

# YOUR CODE: a standard deviation
answer = math.sqrt(100) / gaussian_mu(1.0, 1e-6)
check("09-D", answer)

# %%
# NBVAL_CHECK_OUTPUT
try:
    from dp_accounting import LaplaceDpEvent, rdp
    from dp_accounting.pld import common, privacy_loss_distribution

    accountant = rdp.RdpAccountant(orders).compose(LaplaceDpEvent(1 / each), times)
    worst = common.DifferentialPrivacyParameters(each, 0.0)  # losses are whole steps of 1e-4
    losses = privacy_loss_distribution.from_privacy_parameters(worst).self_compose(times)
    theirs = accountant.get_epsilon(delta_all), losses.get_epsilon_for_delta(delta_all)
    source = "computed"
except ModuleNotFoundError:
    theirs, source = (4.996131498, 4.774567588), "stored: dp-accounting is not installed"
for kind, one in zip(list(accounts)[2:], theirs, strict=True):
    print(f"{kind}: dp-accounting {one:.3f}, agrees to 1e-6: {abs(accounts[kind] - one) < 1e-6}")
gauss = math.sqrt(times) / gaussian_mu(accounts["exact, any noise"], delta_all)
say(f"(Those of dp-accounting are {source}.) For the exact ε, the standard deviation of a count:")
say(f"Laplace noise **{math.sqrt(2) / each:.1f}**, Gaussian noise **{gauss:.1f}**.")

# %% [markdown]
# ## A person: cap, then count
#
# **Neighbours for a node** differ in edges of one node only: that person's whole list of friends.
# This can mean two things. The node's edges are *removed* (one of the two graphs has none of them),
# or changed *at will*. `exact_epsilon(unit="node")` means at will.
#
# One person can have n − 1 friends, so Δ = n − 1 for edges: too much noise. Dropping all with more
# than θ friends does not help. Let all members of a group have exactly θ friends; a newcomer
# gives each one more, so all are dropped. (*NaiveTruncation* above.)
#
# **Projection** (Day, Li, Lyu 2016): go through all pairs in a fixed public order, and keep an edge
# while both of its ends have fewer than θ kept edges. *Why one person moves little:* run it with
# person v and without, and compare how many kept edges each other node has so far. For θ = 1:
#
# ```
# pair in order   without v   with v    who differs
# v–a             –           kept      a is one ahead
# a–b             kept        dropped   a is level again; b is one behind
# b–c             dropped     kept      b is level again; c is one ahead
# ```
#
# 1. A kept edge of v puts one node ahead by one. There are at most θ such edges.
# 2. Take another edge that is kept in one run only, as a–b. The run that drops it has a full end
#    (a), which was ahead there.
# 3. The other run keeps the edge, so this end is level again. Only the other end (b) now differs.
# 4. So differences move on in chains, and no new one arises.
# 5. A chain adds the edge of v, takes one away, adds one, and so on: one edge in all, or none.
#
# So with v there are 0 to θ edges more than without v, whatever friends v names. Edges: **θ**
# (removed and at will: both numbers lie between the same ends).
#
# In the histogram of degrees each difference moves a node from bin to bin, and v is new in one:
# **2θ + 1** (removed). At will there are differences of both lists, up to 2θ: **4θ** (v keeps its
# bin if it has θ kept edges both times; else at most 2θ − 1 differ, and v changes its bin, too).
#
# For triangles this does not work: a difference may move on through the whole graph, and at each
# step an edge comes or goes that may close triangles. They are **capped** in another way
# (Kasiviswanathan and others 2013): give each triangle a weight from 0 to 1 so that the weights at
# each node sum to at most $c = \theta(\theta-1)/2$, and publish the largest total. Without v's
# triangles the weights are still allowed, so v moves the total by at most **c**, removed and at
# will.

# %%
# NBVAL_CHECK_OUTPUT
lines = ["| count | node's edges | θ | promised | by enumeration |", "|---|---|---|---|---|"]
for count, theta_small, nodes, steps in (("edges", 2, 4, 2), ("degrees", 1, 3, 4)):
    capped = NoisyCount(
        count=count,
        noise="geometric",
        unit="node",
        odds=Fraction(3) ** steps,  # a factor of 3 for each step of the sensitivity
        theta=theta_small,
        node_edges="at will",
    )
    exact_node = pplab.exact_epsilon(capped, shape=nodes, unit="node").odds
    lines.append(f"| {count} | at will | {theta_small} | {capped.odds} : 1 | {exact_node} : 1 |")
say("\n".join(lines))

# %% [markdown]
# At θ = 1 the one bin is twice the number of kept edges, and moves by 2 at most.
#
# Choose θ without looking at the degrees: else θ itself would tell. We say beforehand that hardly
# anybody writes with more than 128 people, and look at 64 and 256 to see what they would have cost.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from pplab.counts import capped_triangles, project_degrees

table = []
for theta in (64, 128, 256):
    kept = {
        "edges": project_degrees(papers, theta=theta).nnz // 2,
        "triangles": capped_triangles(papers, theta=theta),
    }
    widths = {"edges": theta, "triangles": theta * (theta - 1) // 2}
    for count, value in kept.items():
        full = there[count]
        noise_share = math.log(2) * widths[count] / full  # half of all draws are closer, ε = 1
        table.append((count, theta, 100 * (full - value) / full, 100 * noise_share))
capped_table = pd.DataFrame(table, columns=["count", "θ", "bias, %", "noise at ε = 1, %"])
capped_table.set_index(["count", "θ"]).sort_index().round(3)

# %% [markdown]
# The **bias** is what the cap cuts off, if anything: it is the same in every run, and no larger ε
# mends it. The **noise** is drawn anew each time, and falls like 1/ε.
#
# In one picture: a size that at least half of all errors stay below. For a person, θ = 128, and
# bias is added to the noise.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
levels, half = [0.01, 0.03, 0.1, 0.3, 1, 3], math.log(2)
bias = capped_table[capped_table["θ"] == 128].set_index("count")["bias, %"] / 100
cap = 128 * 127 // 2
errors = {}
for level in levels:
    cauchy = NoisyCount(
        count="triangles", noise="cauchy", sensitivity="smooth", unit="edge", epsilon=level
    )
    errors[level] = {
        "edges, an edge": half / level / there["edges"],
        "edges, a person": bias["edges"] + half * 128 / level / there["edges"],
        "triangles, an edge, global": half * (n - 2) / level / there["triangles"],
        "triangles, an edge, smooth": cauchy.scale(papers) / there["triangles"],
        "triangles, a person": bias["triangles"] + half * cap / level / there["triangles"],
    }

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
frame = 100 * pd.DataFrame(errors).T.sort_values(by=3, axis=1, ascending=False)
figure, axes = new_figure(width=9, height=4)
for place, name in enumerate(frame.columns):
    axes.plot(frame.index, frame[name], **style(place), label=name)
axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
axes.set(xscale="log", yscale="log", title="Smooth noise and caps make triangles cheap")
axes.set(xlabel="privacy level ε", ylabel="median error at most, % of the count")
at_one = frame.loc[1.0]
ends = f"from {at_one.min():.4f}% for edges to {at_one.max():.1f}% for triangles"
show(figure, alt=f"Errors at ε = 1, {ends} with the global sensitivity.")
decimals = {"precision": 2, "fractional": False, "trim": "-"}
display(frame.T.map(np.format_float_positional, **decimals).rename_axis("error in %"))
spread = math.sqrt(n * (n - 1) / 2 * math.e) / (math.e - 1)  # half are within 0.6745 of it
copy_off = f"**{0.6745 * spread / there['edges']:.0%}**"
say(f"Edges from a copy flipped at ε = 1 for an edge: half of all errors are above {copy_off}.")

# %% [markdown]
# A **person** is promised something at ε = 1 for an error below one per cent. The flipped copies
# of notebook 02 come nowhere near, even for an edge.
#
# ## Nobody to be trusted: two rounds
#
# In the **local model** nobody sees the graph. Round 1: each person flips the answers about all
# earlier people and sends them off; a noisy graph is published. Round 2: each person counts the
# pairs of own friends that look joined in it, subtracts what flips are expected to give, and sends
# that with Laplace noise (Imola, Murakami, Chaudhuri 2021). Were triangles counted in the noisy
# graph alone, all three edges of each would be noisy; now only one is.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from pplab.counts import LocalTriangles

central = NoisyCount(
    count="triangles", noise="cauchy", sensitivity="smooth", unit="edge", epsilon=2.0
)
true_count = central.value(friends)
rounds = LocalTriangles(epsilon_lists=1.0, epsilon_counts=1.0, theta=128)  # θ is public
estimates = [rounds.sample(friends, rng=seed) for seed in range(10)]
off = np.median(np.abs(np.array(estimates) - true_count))
near = central.scale(friends)
say(f"Last.fm has {true_count:,} triangles. At ε = {rounds.epsilon:g} for an edge, half of ten")
say(f"local estimates are off by more than {off:,.0f}; half of all central ones by {near:.0f}.")

# %% [markdown]
# With nobody to be trusted the triangles of some thousand people are not yet countable: the noise
# is of the size of the count. It grows more slowly than the count does, so it takes more people.
#
# ## Not a number but a choice
#
# Which artist has the most listeners? A name takes no noise. The **exponential mechanism**
# (McSherry and Talwar 2007) chooses item j with probability proportional to $e^{\varepsilon u_j /
# 2}$, where $u_j$ is the number of its listeners and one user moves each number by at most 1. The
# unit can be a whole **user**: however many artists are on the list, the weights move by a factor
# of $e^{\varepsilon/2}$ at most, and so does their sum: the quotient moves by $e^\varepsilon$ at
# most.

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
from pplab.counts import TopItem

listeners = np.bincount(lastfm.preferences.indices)
best = int(listeners.argmax())
print(f"the right artist has {listeners[best]} listeners, the next {np.sort(listeners)[-2]}")
for level_user in (0.01, 0.1, 0.5):
    top = TopItem(unit="user", epsilon=level_user)
    drawn = top.sample_many(lastfm.preferences, 200, rng=1)
    right = np.mean([item == best for item in drawn])
    kept_share = np.mean([listeners[item] for item in drawn]) / listeners[best]
    told = f"right in {right:.0%} of the draws; the artists drawn have on average"
    print(f"ε = {level_user:g} for a user: {told} {kept_share:.0%} as many listeners")

# %% [markdown]
# ## Play
#
# **Question:** for the number of friendships of Last.fm and a person's promise, which θ has the
# least error at ε = 1, and which way does it move when ε gets smaller? (Here θ is read off the
# data: for learning, not for publishing.)

# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
thetas = (1, 2, 5, 10, 20, 50, 100, 200)
all_edges = friends.nnz // 2
lost = {theta: all_edges - project_degrees(friends, theta=theta).nnz // 2 for theta in thetas}
print("friendships that the cap cuts off:", lost)


def draw(axes, theta, epsilon):
    bias_share, noise_share = lost[theta] / all_edges, math.log(2) * theta / epsilon / all_edges
    parts = {"bias": 100 * bias_share, "noise": 100 * noise_share}
    total = sum(parts.values())
    bars = axes.bar(list(parts), list(parts.values()), color=COLOURS["blue"])
    axes.bar_label(bars, [f"{part:.2f} %" for part in parts.values()], fontsize=9)
    axes.set(ylim=(0, 120), ylabel="error, % of the count")
    axes.set_title(f"θ = {theta}, ε = {epsilon:g}: both {total:.1f} %", fontsize=10)
    return {"θ": theta, "ε": epsilon, "bias": parts["bias"], "noise": parts["noise"], "both": total}


# %% tags=["widget", "real-data"]
# NBVAL_IGNORE_OUTPUT
from pplab.widgets import Control, explore, twin

sentence = "θ = {θ}: {bias:.1f} % is cut off, noise of {noise:.1f} % is added (ε = {ε:g})."
strengths = (0.01, 0.03, 0.1, 0.3, 1, 3)
explore(
    draw,
    say=sentence.format_map,
    theta=Control("cap θ on friends", thetas, 20, "less noise", "less bias"),
    epsilon=Control("privacy level ε", strengths, 1, "more private", "more accurate"),
)


# %% tags=["real-data"]
# NBVAL_CHECK_OUTPUT
def message(states):
    low, high = states["both"].min(), states["both"].max()
    return f"Nine bar charts of bias and noise, three θ and three ε: {low:.1f} to {high:.1f} %."


states = twin(draw, alt=message, height=2.5, theta=(10, 50, 200), epsilon=(0.03, 0.3, 1))


def best_theta(epsilon):
    return min(thetas, key=lambda theta: lost[theta] + math.log(2) * theta / epsilon)


best_thetas = ", ".join(f"θ = {best_theta(level)} at ε = {level:g}" for level in (3, 1, 0.01))
folded = f"{best_thetas}: more noise asks for a smaller cap."
say(f"<details><summary>The answer</summary>\n\n{folded}\n\n</details>")

# %% [markdown]
# ## Exercises
#
# R, C, B, P and D stand above, each after its idea. Of the open one the check sees the form; you
# judge the rest.
#
# - **O (open).** You publish all three counts of the friendships of Last.fm, once, with a promise
#   for a **person**. Give one θ for all and a pure ε (δ = 0) for each, their cost by basic
#   composition, and how you chose θ without looking: a dict with "counts" (a list of "edges",
#   "degrees", "triangles"), "theta", "epsilon" (a list of three numbers), "total" and "why".

# %% tags=["solution"]
# NBVAL_CHECK_OUTPUT
# YOUR CODE: {"counts": [...], "theta": ..., "epsilon": [...], "total": ..., "why": "..."}
answer = {
    "counts": ["edges", "degrees", "triangles"],
    "theta": 150,
    "epsilon": [0.2, 0.4, 0.4],
    "total": 1.0,
    "why": "people are often said to know about 150 others; that was written down before loading. "
    "A person's edges may change at will. The cap cuts off much of the edges of popular people, "
    "so for edges the bias is larger; for the others, with a larger sensitivity, the noise is.",
}
check("09-O", answer)

# %% [markdown]
# ## Quiz
#
# 1. Two graphs have equally many triangles and different local sensitivities. Does
#    $\mathrm{Lap}(LS/\varepsilon)$ hide which it is? <details><summary>Answer</summary>No: far
#    outputs are likelier under the wider noise.</details>
# 2. Which error of a capped count stays when ε grows? <details><summary>Answer</summary>The bias.
#    </details>
# 3. Is a promise at ε (δ = 0) for a node with its edges removed also one for edges changed at will?
#    <details><summary>Answer</summary>At 2ε: at will is a removal and an addition.</details>
#
# ## What to remember
#
# - Counts give people away, one difference at a time.
# - Noise fits the worst move of one unit; a width that jumps with the data tells of the data.
# - Say the unit: an edge, or a person, with edges removed or at will.
#
# ## References
#
# - Dinur and Nissim 2003, *Revealing information while preserving privacy*, [doi
#   10.1145/773153.773173](https://doi.org/10.1145/773153.773173).
# - Nissim, Raskhodnikova and Smith 2007, *Smooth sensitivity and sampling in private data
#   analysis*, [doi 10.1145/1250790.1250803](https://doi.org/10.1145/1250790.1250803).
# - Day, Li and Lyu 2016, *Publishing graph degree distribution with node differential privacy*,
#   [doi 10.1145/2882903.2926745](https://doi.org/10.1145/2882903.2926745).
# - Kasiviswanathan, Nissim, Raskhodnikova and Smith 2013, *Analyzing graphs with node differential
#   privacy*, [doi 10.1007/978-3-642-36594-2_26](https://doi.org/10.1007/978-3-642-36594-2_26).
# - Balle and Wang 2018, *Improving the Gaussian mechanism for differential privacy*, arXiv
#   1805.06530.
# - Imola, Murakami and Chaudhuri 2021, *Locally differentially private analysis of graph
#   statistics*, arXiv 2010.08688.
# - McSherry and Talwar 2007, *Mechanism design via differential privacy*, [doi
#   10.1109/FOCS.2007.66](https://doi.org/10.1109/FOCS.2007.66).
