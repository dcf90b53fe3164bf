# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 07 What a private copy costs
#
# **How much of a sparse graph does randomized response keep?** Can any mechanism keep more?

# %% [markdown] slideshow={"slide_type": "notes"}
# # 07 What a private copy costs
#
# *Edition 2, part 4 of 6: what can be published about a graph. Core track.*
#
# ## What you will be able to do
#
# - compute how similar a randomized copy of a sparse graph is to the graph, and what ε a given
#   similarity needs;
# - prove that, at a given ε, no mechanism has a better ratio of true to invented edges;
# - prove a lower bound on ε that holds for every mechanism, and state ε on the release label.
#
# ## What you need
#
# You need ε, odds and units from notebook [01](01_privacy_by_counting.ipynb).
#
# **Minutes (estimates):** about 50 to read, about 75 for the exercises.
#
# ## Break something: predict, then run
#
# A graph has one edge in every ten thousand cells; its *density* λ is 10⁻⁴. You publish it by
# randomized response: every cell flips with probability p = 1/(1 + $e^\varepsilon$), so one edge is
# protected at level ε.
#
# You want the copy and the original to overlap by half: the number of edges that are in **both**
# graphs must be half of the number of edges that are in **at least one** of the two graphs. **What
# ε do you need?**

# %%
my_prediction = 3  # your own ε here

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Half of the edges in common
#
# One cell in ten thousand is an edge. Every cell flips with probability $1/(1 + e^\varepsilon)$.
#
# **What ε makes copy and original overlap by half?**

# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
import numpy as np

from pplab.theory import epsilon_for_jaccard, expected_jaccard
from pplab_course import say

for level in (my_prediction, 5):
    overlap = expected_jaccard(density=1e-4, cells=10**8, epsilon=level)
    say(f"At ε = {level:g} copy and original overlap by **{overlap:.3f}** on average.")
needed = epsilon_for_jaccard(1 / 2, density=1e-4)
say(f"A J of one half needs **ε = {needed:.2f}**: odds of {np.exp(needed):,.0f} : 1 for one edge.")

# %% [markdown] slideshow={"slide_type": "notes"}
# At ε = 5, an empty cell seldom flips, but there are so many empty cells that nearly all edges of
# the copy are false.
#
# ## Define: the Jaccard similarity
#
# The **Jaccard similarity** J of a graph E and its copy Ẽ is |E ∩ Ẽ| / |E ∪ Ẽ|: the number of edges
# in both graphs, divided by the number of edges in at least one graph. (For two empty graphs, J is
# 1.) An edge is *kept* or *lost*, and an empty cell may become an *invented* edge:
#
# $$J = \frac{\text{kept}}{\text{kept} + \text{lost} + \text{invented}}$$

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The Jaccard similarity
#
# $$J = \frac{\text{kept}}{\text{kept} + \text{lost} + \text{invented}}$$

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output", "hide-input"]
from pplab.plots import cells, new_figure, show

rows = ["11100000", "11100000", "11100010", "00001110", "00101110", "00001111"]
original = np.array([[int(digit) for digit in row] for row in rows])
flips = np.random.default_rng(7).random(original.shape) < 1 / 10
copy = original ^ flips
kept, invented = int((original & copy).sum()), int((copy > original).sum())
lost = original.sum() - kept
figure, axes = new_figure(1, 2, width=7, height=2.6)
cells(axes[0], original, title=f"original: {original.sum()} edges")
cells(axes[1], copy, title="copy; crosses: flipped cells", crossed=flips)
words = f"{kept} edges kept, {lost} lost, {invented} invented"
share = kept / (kept + lost + invented)
show(figure, alt=f"A graph on 6 by 8 cells and its copy: {words}, J = {share:.2f}.")
say(f"{words}: J = {kept}/{kept + lost + invented} = {share:.2f}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# ## The mean
#
# Write Q for the number of cells, and |E| for the number of edges; λ is |E|/Q. On average, (1 −
# p)|E| edges are kept. The lost and the invented edges together are **all flipped cells**, and on
# average pQ cells are flipped. So the odds of J are
#
# $$\frac{J}{1-J} = \frac{\text{kept}}{\text{lost} + \text{invented}}
# \approx \frac{(1-p)\,|E|}{p\,Q} = \lambda\, e^\varepsilon.$$
#
# In words: **the odds of the similarity are the density times the odds of ε.** If J is one half,
# its odds are 1 : 1, so J of one half needs $e^\varepsilon = 1/\lambda$, whatever the size of the
# graph:
#
# $$\varepsilon = \ln\frac{1}{\lambda}.$$
#
# A count deviates from its average by about the square root of the average, so for large graphs we
# may replace counts by averages. For a small check, take one edge in three cells with p = 1/4,
# where λ$e^\varepsilon$ = 1, and list all eight copies:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The odds of the similarity
#
# The lost and the invented edges together are all flipped cells, and on average pQ cells are
# flipped:
#
# $$\frac{J}{1-J} = \frac{\text{kept}}{\text{lost} + \text{invented}}
# \approx \frac{(1-p)\,|E|}{p\,Q} = \lambda\, e^\varepsilon$$
#
# A similarity of one half needs $\varepsilon = \ln(1/\lambda)$, whatever the size of the graph.

# %% tags=["nbval-check-output"]
from fractions import Fraction
from itertools import product

quarter, edge_first, mean = Fraction(1, 4), (1, 0, 0), 0  # so the odds of ε are 3, those of J 1
for released in product((0, 1), repeat=3):
    flipped = sum(old != new for old, new in zip(edge_first, released, strict=True))
    chance = quarter**flipped * (1 - quarter) ** (3 - flipped)
    both = sum(old and new for old, new in zip(edge_first, released, strict=True))
    either = sum(old or new for old, new in zip(edge_first, released, strict=True))
    print(released, f"probability {chance!s:5}  J = {Fraction(both, either)}")
    mean += chance * Fraction(both, either)
print(f"mean of J, {edge_first} in three cells: {mean} = {float(mean):.4f}")
for edges in (10, 100, 1000):  # all at odds 1 : 1
    exact = expected_jaccard(density=1e-4, cells=edges * 10**4, epsilon=needed)
    print(f"mean of J, {edges} edges, one in ten thousand cells: {exact:.4f}")

# %% [markdown] slideshow={"slide_type": "notes"}
# We compute the ε for a similarity of one half, first for four densities, then for three graphs:
# ratings (MovieLens), friends (Last.fm), and co-authors (dblp-2010).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The price at four densities

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output", "hide-input"]
from pplab.theory import jaccard_first_term

(figure, axes), levels = new_figure(width=7, height=3.2), np.linspace(0, 13, 53)
halves = []
for place, density in enumerate((1e-1, 1e-2, 1e-3, 1e-4)):
    curve = [jaccard_first_term(density=density, epsilon=level) for level in levels]
    axes.plot(levels, curve, "k" + ("-", "--", "-.", ":")[place], label=f"λ = {density:g}")
    halves.append(epsilon_for_jaccard(1 / 2, density=density))
axes.axhline(0.5, color="grey", linewidth=1)
axes.legend()
axes.set(xlabel="ε of one edge (← more private, more accurate →)", ylabel="mean of J")
axes.set_title("At a tenth of the density, the curve is ln 10 further right")
summary = ", ".join(f"{half:.1f}" for half in halves)
show(figure, alt=f"Mean of J against ε. Four equal curves reach one half at {summary}.")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Three graphs
#
# If a graph is ten times sparser, the same similarity needs an ε that is larger by ln 10:

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
import pandas as pd

import pplab

films = pplab.load_dataset("movielens-100k").ratings
friends = pplab.load_dataset("lastfm").social  # a friendship is listed twice
authors = pplab.load_dataset("dblp-2010").biadjacency  # so is a pair of authors
lines = {}
for name, table, times in (
    ("MovieLens", films, 1),
    ("Last.fm", friends, 2),
    ("dblp-2010", authors, 2),
):
    density = table.nnz / table.shape[0] / table.shape[1]
    half = epsilon_for_jaccard(1 / 2, density=density)
    lines[name] = {"edges": f"{table.nnz // times:,}", "density λ": f"{density:.2g}"}
    lines[name]["ε for one half"] = f"{half:.1f}"
    lines[name]["odds for one edge"] = f"{np.exp(half):,.0f} : 1"
pd.DataFrame(lines).T

# %% [markdown] slideshow={"slide_type": "notes"}
# For the graph of co-authors, the odds are tens of thousands to one, although half of the edges in
# the copy are false.
#
# ### Exercise C (compute)
#
# A graph of web pages has density $3.14 \cdot 10^{-5}$ (in Python, `3.14e-5`). What ε gives a mean
# J of 1/2?

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: a number
answer = np.log(1 / 3.14e-5)
check("07-C", answer)

# %% [markdown]
# ### Exercise R (recall)
#
# A network now has twice as many members as before, and each member has the same number of friends
# as before. The mean J must again be 1/2. Is the ε that you need `"larger"`, `"smaller"` or the
# `"same"`?

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a word in quotes
answer = "larger"
check("07-R", answer)

# %% [markdown]
# ### Exercise P (prove by code)
#
# Write your own version of the library's `expected_jaccard`: `mean_jaccard(edges, cells, p)`
# returns the mean of J if each cell flips with probability p. You need only the counts: each of the
# `edges` is kept with probability 1 − p, and each of the `cells − edges` empty cells becomes an
# edge with probability p. All these events are independent. Of n independent events of probability
# q, exactly c happen with probability `comb(n, c) * q**c * (1 - q)**(n - c)`.

# %% tags=["solution", "nbval-check-output"]
from math import comb


def mean_jaccard(edges, cells, p):
    # YOUR CODE: the mean of J, from the two counts
    def coins(c, n, q):
        return comb(n, c) * q**c * (1 - q) ** (n - c)

    total = 0
    for kept, invented in product(range(edges + 1), range(cells - edges + 1)):
        union = edges + invented
        share = Fraction(kept, union) if union else 1
        total += coins(kept, edges, 1 - p) * coins(invented, cells - edges, p) * share
    return total


check("07-P", mean_jaccard)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Is randomized response to blame?
#
# Let M be **any** mechanism that is ε-private for one edge, and let the graph be random: each cell
# is an edge with probability λ, independently of all other cells.
#
# Take one cell e, and keep all other cells fixed. The graph with the edge e and the graph without e
# are neighbours. So the probability that M publishes e is at most $e^\varepsilon$ times as large
# for the graph with e as for the graph without e. The other cells have the same distribution in
# both cases, so the same bound holds on average: $\mathrm{P}(e \in M \mid e \in E) \le
# e^\varepsilon\, \mathrm{P}(e \in M \mid e \notin E)$. Multiply both sides by λ, and take the sum
# over all cells:
#
# $$\mathrm{E}[\text{true}] = \sum_e \lambda\, \mathrm{P}(e \in M \mid e \in E)
# \;\le\; \frac{e^\varepsilon \lambda}{1-\lambda} \sum_e (1-\lambda)\, \mathrm{P}(e \in M \mid
# e \notin E) = \frac{e^\varepsilon \lambda}{1-\lambda}\, \mathrm{E}[\text{invented}].$$
#
# So, on average, there are at most $e^\varepsilon \lambda/(1-\lambda)$ true edges for each invented
# edge, whatever the mechanism is.
#
# On a few cells, a mechanism is a table of probabilities, with a row for each graph and a column
# for each output. We number the graphs in binary, with one bit for each cell (graph 3 is 011, so
# its last two cells are edges). We compare three mechanisms on 3 cells, at odds of 3 : 1 and λ =
# 1/5:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Is it the fault of randomized response?
#
# If cells are independent, then for **any** ε-private mechanism
#
# $$\mathrm{E}[\text{true}] \;\le\; \frac{e^\varepsilon \lambda}{1-\lambda}\,
# \mathrm{E}[\text{invented}]$$
#
# Randomized response attains this bound: no mechanism has a better ratio of true to invented edges.

# %% tags=["nbval-check-output"]
graphs = np.arange(8)  # bits: which of the 3 cells are edges
changed = np.bitwise_count(graphs[:, None] ^ graphs).astype(int)  # cells, from graph to output
response = (1 / 4) ** changed * (3 / 4) ** (3 - changed)
sparser = response / 2  # heads: publish it; tails: publish the empty graph
sparser[:, 0] += 1 / 2
whole = np.eye(8)[[7] * 8]  # always publish all cells
print("row of the graph 011:", response[0b011].round(3))

# %% tags=["nbval-check-output"]
from pplab.theory import edge_level

many = np.bitwise_count(graphs).astype(int)  # edges of each graph
prior = (1 / 5) ** many * (4 / 5) ** (3 - many)
ways = {"randomized response": response, "the same or nothing": sparser, "everything": whole}
print(f"bound: {3 * (1 / 5) / (4 / 5):.2f} true edges per invented edge")
for name, table in ways.items():
    weights, odds = prior[:, None] * table, np.exp(edge_level(table))
    true = (weights * np.bitwise_count(graphs[:, None] & graphs)).sum()
    false = (weights * np.bitwise_count(~graphs[:, None] & graphs)).sum()
    print(f"{name:19} odds {odds:.2f} : 1, true per invented {true / false:.2f}")

# %% [markdown] slideshow={"slide_type": "notes"}
# Randomized response attains the bound: at this ε, no mechanism has a better ratio of true to
# invented edges. But J also depends on the edges that are *lost*.
#
# ## Is randomized response the best there is?
#
# We look for the mechanism with the largest mean J on its **worst** graph. On 3 cells there are 8
# graphs, so a mechanism has 64 unknown probabilities. All conditions on these unknowns are
# *linear*: the sum of each row is 1, privacy limits the ratio of two unknowns, a mean J is a
# weighted sum of unknowns, and each of the eight means is at least v. A **linear programme** finds
# the largest possible v (`optimal_jaccard`):

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Is randomized response the best there is?
#
# A linear programme finds the mechanism with the largest mean J on its **worst** graph, at odds of
# 3 : 1:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from pplab.theory import optimal_jaccard, response_probabilities, worst_case_jaccard
from pplab_papers.smooth import largest_jaccard

lines = []
for count in (1, 2, 3, 4, 5, 6):
    ours = worst_case_jaccard(response_probabilities(count, np.log(3)))
    top = optimal_jaccard(count, np.log(3))
    lines.append((count, ours, top, largest_jaccard(epsilon=np.log(3), cells=count, edges=0)))
names = ["cells", "randomized response", "best of all", "the theorem below"]
pd.DataFrame(lines, columns=names).round(4).set_index("cells")

# %% [markdown] slideshow={"slide_type": "notes"}
# Randomized response is not the best mechanism: with 2 or more cells, other mechanisms are better.
#
# ## What every mechanism pays
#
# **Theorem.** If an ε-private mechanism has a mean J of at least v on all graphs with r edges and
# on all graphs with r + 1 edges, then
#
# $$e^\varepsilon \;\ge\; \frac{v}{1-v} \cdot \frac{Q-r}{r+1}.$$
#
# *Proof.* Choose at random a graph G′ with r + 1 edges, and one edge e of G′. Let G be G′ without
# e. A copy M gets a score: the score is 1/|M ∪ G′| if M contains e, and 0 otherwise.
#
# 1. *M is made from G′.* Keep G′ and M fixed. Then e is one of the r + 1 edges of G′, each equally
#    likely, and M contains |M ∩ G′| of these edges. So the mean score is J(M, G′) / (r + 1). If we
#    average over M and G′, we get $\text{score} \ge \frac{v}{r+1}$.
# 2. *M is made from G instead.* G and G′ are neighbours, so the probability of each M is at least
#    $e^{-\varepsilon}$ times the probability in step 1. No score is negative. So now $\text{score}
#    \ge e^{-\varepsilon} \frac{v}{r+1}$.
# 3. *The same mean score, computed from G.* Keep G and M fixed. Now e is one of the Q − r empty
#    cells of G, each equally likely, and M contains |M ∖ G| of these cells. If M contains e, then M
#    ∪ G′ is M ∪ G. So the mean score is |M ∖ G| / |M ∪ G| divided by Q − r. The quotient |M ∖ G| /
#    |M ∪ G| is at most 1 − J(M, G) (and 0 if both graphs are empty). So $\text{score} \le
#    \frac{1-v}{Q-r}$.
#
# So $e^{-\varepsilon} \frac{v}{r+1} \le \frac{1-v}{Q-r}$. Solve for $e^\varepsilon$. $\blacksquare$
#
# We compare randomized response with this bound on a graph of 10¹⁰ cells:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What every mechanism pays
#
# If an ε-private mechanism has a mean J of at least v on all graphs with r or r + 1 edges, then
#
# $$e^\varepsilon \;\ge\; \frac{v}{1-v} \cdot \frac{Q-r}{r+1}$$

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The proof is a game
#
# 1. Choose at random a graph G′ of r + 1 edges and an edge e of G′. A copy with e scores
#    1/|M ∪ G′|; other copies score 0.
# 2. For copies of G′, the mean is at least v/(r + 1).
# 3. For copies of G = G′ − e, the mean is at least $e^{-\varepsilon}$ times this bound.
# 4. Given G, e is any of Q − r empty cells, so the mean is at most (1 − v)/(Q − r).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The price is due to the guarantee, not to the mechanism
#
# The table is for a graph with 10¹⁰ cells:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from pplab_papers.smooth import sharper_epsilon_lower_bound

size, lines = 10**10, []
for wanted, edges in product((0.5, 0.99), (10**9, 10**6, 10**4)):
    least = sharper_epsilon_lower_bound(jaccard=wanted, cells=size, edges=edges)
    flips_take = epsilon_for_jaccard(wanted, density=edges / size)
    lines.append((wanted, edges, least, flips_take))
names = ["v", "r", "ε of every mechanism at least", "randomized response"]
pd.DataFrame(lines, columns=names).round(2).set_index(["v", "r"])

# %% [markdown] slideshow={"slide_type": "notes"}
# On a sparse graph with many edges, the two columns agree to the last digit shown, so no mechanism
# is noticeably better than randomized response. **The price is due to the guarantee, not to the
# mechanism.**
#
# <details><summary>In the ledger</summary>
#
# `smooth:theorem-4.1:mean`, `smooth:figure-2:sparser-needs-more`, `smooth:figure-2:above-10`,
# `smooth:theorem-4.3:statement` (the last line of its proof, `smooth:theorem-4.3:as-proved`, gives
# no bound at one half), `smooth:theorem-4.3:met`, `smooth:theorem-4.3:randomized-response-optimal`.
#
# </details>
#
# ### Exercise B (break)
#
# A vendor shows you a mechanism for 4 cells at odds of 3 : 1, and **two neighbouring graphs**, one
# with 2 edges and one with 3 edges. The mean J is above $0.85$ on both graphs. "The theorem is
# wrong", says the vendor: for r = 2, the theorem allows a mean J of at most $9/11$. Build such a
# mechanism, as a table of 16 × 16 probabilities. For every input, it is enough that the mechanism
# publishes one of these two graphs. Which word of the theorem did the vendor overlook?

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a table, a row for each of 16 graphs (bits: cells), a column for each output
answer = np.zeros((16, 16))
for graph in range(16):  # two edges known by heart, the third cell by randomized response
    answer[graph, 0b0011] = 1 / 4 if graph & 0b0100 else 3 / 4
    answer[graph, 0b0111] = 3 / 4 if graph & 0b0100 else 1 / 4
print(f"all graphs: {worst_case_jaccard(answer):.2f} in the worst case")
check("07-B", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## And a whole person?
#
# To protect a row of m cells at level ε, we protect each cell at level ε/m (group privacy, notebook
# 01). We compare three releases at λ = 10⁻⁴:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## And a whole person?
#
# So far we protected one edge. To protect a row of m cells at level ε, we protect each cell at
# level ε/m. At λ = 10⁻⁴, three releases compare as follows:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
lines = []
for unit, level, m in (
    ("one edge, added or removed", needed, 1),
    ("one edge, added or removed", 1, 1),
    ("row of 100 cells, changed at will", 10, 100),
):
    mean_j = jaccard_first_term(density=1e-4, epsilon=level / m)
    after = 1 / (1 + 99 / np.exp(level))
    lines.append((unit, round(level, 2), f"{np.exp(level):,.5g} : 1", mean_j, f"{after:.1%}"))
names = ["unit and neighbours", "ε", "odds", "mean of J", "1 % suspicion grows to"]
pd.DataFrame(lines, columns=names).round(5).set_index("unit and neighbours")

# %% [markdown] slideshow={"slide_type": "notes"}
# The last column shows how high a suspicion of 1 % can rise if the rest of the graph reveals
# nothing about the unit. In all three releases, users need not trust anybody, because they can flip
# their own cells. If the cells of an insider do not depend on another person's edge, the insider
# learns no more about this edge than the odds allow. If a second copy is released, the two values
# of ε add up.
#
# The first release hardly protects an edge, and in the other two releases nearly all edges are
# false. There are two ways out: a different guarantee (notebook
# [10](10_a_vote_that_decides.ipynb)), or counts instead of a copy (notebook
# [09](09_counts_of_a_graph.ipynb)).
#
# ### Exercise D (design)
#
# A colleague wants a mean J of at least 3/10 for a network of co-authors (with one cell for each
# pair of authors). The density of the network is $2.09 \cdot 10^{-5}$. Give the smallest ε (to
# three digits, rounded up), the odds of this ε as a number, and the unit that these odds protect
# (`"edge"`, `"author"` or `"graph"`).

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: three things (ε, odds, a word in quotes)
level = epsilon_for_jaccard(0.3, density=2.09e-5)
answer = (level, np.exp(level), "edge")
print(f"ε = {level:.2f}: odds of up to {answer[1]:,.0f} : 1 for one {answer[2]}")
check("07-D", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Play
#
# **Question:** an attacker thinks that, with probability 1 %, a cell is an edge. You want a mean J
# of **at least** one half (dashed line). After the release, the attacker's probability must be **at
# most** one tenth (dotted line). At which densities can you choose an ε that meets both goals?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Question
#
# You want a mean J of at least 1/2 (dashed line). An attacker's probability may rise from 1 % to at
# most 1/10 (dotted line). **At which densities does some ε meet both goals?**

# %% tags=["hide-input"]
from pplab.plots import COLOURS, SHADES


def draw(axes, density, epsilon):
    mean_j = jaccard_first_term(density=density, epsilon=epsilon)
    after = 1 / (1 + 99 / np.exp(epsilon))
    for place, value in enumerate((mean_j, after)):
        look = {"color": SHADES["mist"], "edgecolor": "black", "hatch": ("", "///")[place]}
        axes.bar(place, value, 0.6, **look)
        goal, dash = ((0.5, "--"), (0.1, ":"))[place]
        axes.hlines(goal, place - 0.4, place + 0.4, COLOURS["red"], dash)
    names = [f"mean of J: {mean_j:.3f}", f"belief: {after:.3f}"]
    axes.set(xticks=(0, 1), xticklabels=names, ylim=(0, 1.05), xlabel="goal: ≥ dashed, ≤ dotted")
    axes.set_title(f"λ = {density:g}, ε = {epsilon:g}", fontsize=10)
    both = mean_j >= 0.5 and after <= 0.1
    return {"density": density, "epsilon": epsilon, "J": mean_j, "belief": after, "both": both}


# %% tags=["widget", "nbval-ignore-output", "hide-input"]
from pplab.widgets import Control, explore, twin


def sentence(row):
    words = "λ = {density:g}, ε = {epsilon:g}: the mean of J is {J:.3f}, a suspicion of 1 % grows "
    words += "to {belief:.1%}: " + ("both goals are met." if row["both"] else "a goal is missed.")
    return words.format_map(row)


explore(
    draw,
    say=sentence,
    width=4.6,
    density=Control("density λ", (1e-4, 0.001, 0.01, 0.05, 0.1), 0.001, "sparse", "dense"),
    epsilon=Control("ε", (1, 2.35, 3.5, 5, 7, 9.3), 5, "more private", "more accurate"),
)


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output", "hide-input"]
def message(states):
    text = "Six pairs of bars. J goes from {:.3f} to {:.3f}; {} of the six meets both goals."
    return text.format(states["J"].min(), states["J"].max(), states["both"].sum())


states = twin(draw, alt=message, height=2.8, density=(0.001, 0.1), epsilon=(1, 2.35, 7))

# %% [markdown] slideshow={"slide_type": "notes"}
# <details><summary>The answer</summary>
#
# You can meet both goals only at λ = 1/10, the largest density on the slider. A mean J of one half
# needs $e^\varepsilon \ge 1/\lambda$. A probability of 1 % means odds of 1 : 99, and one tenth
# means odds of 1 : 9. The odds can grow by a factor of $e^\varepsilon$, so $e^\varepsilon \le 11$.
# These two conditions give λ ≥ 1/11.
#
# </details>
#
# ## Exercises
#
# - **O (open).** Build a mechanism on 4 cells, at odds of 3 : 1, as a table of 16 × 16
#   probabilities. On the **worst** graph for your mechanism, the mean J must exceed the mean J of
#   randomized response by at least 1/100. Do not use the linear programme. `edge_level` (the
#   largest odds between neighbouring rows) and `worst_case_jaccard` show how close you are.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a table, a row for each of 16 graphs (bits: cells), a column for each output
response4 = response_probabilities(4, np.log(3))
for share in (0, 0.05, 0.1, 0.15, 0.2):  # this share of the outputs is the empty graph instead
    mixed = (1 - share) * response4 + share * np.eye(16)[0]
    print(f"share {share:.2f}: worst graph {worst_case_jaccard(mixed):.3f}")
answer = 0.85 * response4 + 0.15 * np.eye(16)[0]
print(f"the best of all has {optimal_jaccard(4, np.log(3)):.3f}")
check("07-O", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Quiz
#
# 1. Does the mean of J depend on the density or on the size of a graph?
#    <details><summary>Answer</summary>It depends on the density: the odds of J are λ times the odds
#    of ε.</details>
# 2. A copy of a sparse graph, made by flips, has a mean J of one half. What share of the copy's
#    edges is true? <details><summary>Answer</summary>About one half: hardly any edge is lost, so
#    the copy has about as many invented edges as kept edges.</details>
# 3. A label guarantees odds of at most ten thousand to one for each edge. Is that protection?
#    <details><summary>Answer</summary>No: an attacker who suspects an edge is nearly sure of it
#    after seeing the copy.</details>
#
# ## What to remember
#
# - The odds of J are the density times the odds of ε, so J = 1/2 needs ε = ln(1/λ).
# - If cells are independent, no mechanism has a better ratio of true to invented edges at the same
#   ε. On large sparse graphs with about r edges, no other mechanism has a noticeably larger mean J
#   on its worst graph.
# - Read the unit before you read ε.
#
# ## References
#
# - Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, [arXiv
#   2207.06358](https://arxiv.org/abs/2207.06358).
# - Warner 1965, *Randomized response*, [doi
#   10.1080/01621459.1965.10480775](https://doi.org/10.1080/01621459.1965.10480775).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ask the room
#
# A label guarantees odds of at most ten thousand to one for each edge. Is that protection?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - The odds of J are the density times the odds of ε, so J = 1/2 needs ε = ln(1/λ).
# - If cells are independent, no mechanism has a better ratio of true to invented edges at the same
#   ε.
# - Read the unit before you read ε.
