# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 00 Find somebody
#
# **Three films, and the price of hiding them.** We find a person in a table without names, then
# publish the table with noise.

# %% [markdown] slideshow={"slide_type": "notes"}
# # 00 Find somebody: three films, and the price of hiding them
#
# *Edition 2, part 1 of 6: a promise for an edge. Core track.*
#
# ## What you will be able to do
#
# - use a join to find a person in a table without names;
# - predict how flips of cells change a sparse graph, and which totals can still be estimated;
# - compute the odds that a published edge is true.
#
# ## What you need
#
# You should be able to run a cell (Shift + Enter), read Python code that uses NumPy and pandas, and
# calculate with fractions.
#
# **Minutes (estimates):** about 30 to read, about 30 for the exercises.

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Break something: predict, then run
#
# A film site publishes its ratings: for each rating, the person, the film, the number of stars and
# the day. At lunch, a woman names three films that she rated on the site, and says roughly when she
# rated them.
#
# Suppose that an attacker knows three films of a person, and knows roughly when the person rated
# each film. **What share of the people in the table can the attacker single out?** Write your
# number into the next cell.

# %%
my_prediction = 0.01  # your own number here, between 0 and 1

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Three films at lunch
#
# A film site publishes its ratings without names. A woman names three films that she rated on the
# site, and says roughly when:

# %% tags=["real-data", "nbval-check-output"]
import numpy as np
import pandas as pd

import pplab
from pplab_course import say

movielens = pplab.load_dataset("movielens-100k", split="u1.base")
rated = movielens.ratings.tocoo()
table = pd.DataFrame({"person": rated.row, "film": movielens.items["title"].iloc[rated.col]})
table["stars"] = rated.data
table["day"] = pd.to_datetime(movielens.times.data, unit="s").normalize()
people, films = movielens.ratings.shape
kind = {"real": "real", "standin": "made up"}[movielens.source]
say(f"{len(table):,} ratings: {people:,} people, {films:,} films. These people are {kind}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# Her three films and dates make a small table. (We choose a user at random, and shift her dates by
# up to five days.) The attack is one **join** of the small table with the published table. First,
# match each row of the small table with all published rows that name the same film. Keep a match
# only if its two dates are at most a week apart. Then look for a person who matches all three
# films.

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
rng = np.random.default_rng(seed=7)
somebody = int(rng.integers(people))  # do not look
hers = table[table["person"] == somebody]
remembered = hers.iloc[rng.choice(len(hers), 3, replace=False)][["film", "day"]]
remembered["around"] = remembered.pop("day") + pd.to_timedelta(
    rng.integers(-5, 6, size=3), unit="D"
)


def find(published):
    both = remembered.merge(published, on="film")
    near = both[(both["day"] - both["around"]).abs() <= pd.Timedelta(days=7)]
    fits = near.groupby("person")["film"].nunique()
    return fits.index[fits == 3].tolist()


remembered.set_index("film")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The attack is one join
#
# Match the rows of the two tables that name the same film, keep the matches whose dates are at most
# a week apart, and look for a person who matches all three films.

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
result = find(table)
say(f"People who match: **{len(result)}** of {people:,}. Is it her? {result == [somebody]}.")
if result == [somebody]:
    say(f"Now you know how she rated {len(hers) - 3} more films.")
number = rng.permutation(people)  # drop the names: everybody becomes a random number
result = find(table.assign(person=number[rated.row]))
say(f"Without names: **{len(result)}**. Is it her? {result == [number[somebody]]}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# The attack needed no name, so dropping names does not protect her. Finding the record of a known
# person in a table without names is called **linkage**. The columns that make linkage possible,
# here film and week, are called a **quasi-identifier**: no single column names a person, but
# together the columns single out one person. In this way, Narayanan and Shmatikov (2008) identified
# customers of Netflix.
#
# Was she an exception? We choose three films at random for each of the 943 people. Then we count
# the people who can be singled out.

# %% tags=["real-data", "nbval-check-output"]
seen, day = movielens.ratings.toarray() > 0, movielens.times.toarray() / 86_400
fame = seen.sum(axis=0)


def alone(days, rarest=False):  # the share of people whom nobody else fits
    rng, count = np.random.default_rng(seed=0), 0
    for person in range(people):
        own = np.flatnonzero(seen[person])
        rare = own[np.argsort(fame[own], kind="stable")]  # those with the fewest raters first
        three = rare[:3] if rarest else rng.choice(own, 3, replace=False)
        near = abs(day[:, three] - day[person, three]) <= days  # whose dates fit
        count += (seen[:, three] & near).all(axis=1).sum() == 1
    return count / people


# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Was she an exception?
#
# An attacker knows three films of a person, and knows roughly when the person rated each film.
# **What share of the people can the attacker single out?** Write down a number.

# %% slideshow={"slide_type": "fragment"} tags=["real-data", "nbval-check-output"]
from pplab.plots import COLOURS, bars, cells, new_figure, show

shares = {"three films": alone(np.inf), "dates ± 7 days": alone(7)}
shares |= {"dates ± 1 day": alone(1)}
shares["three rarest films"] = alone(np.inf, rarest=True)
figure, axes = new_figure(height=2.6)
bars(axes, 100 * pd.Series(shares), label="people singled out (%)")
axes.set(title="With rough dates, three films single out more than half", ylim=(0, 108))
summary = [f"{name}: {share:.0%}" for name, share in shares.items()]
show(
    figure,
    alt=f"Four bars, the share of people singled out by what is known. {'; '.join(summary)}.",
)
gap = abs(my_prediction - shares["dates ± 7 days"])
say(f"{', '.join(summary)}. You predicted {my_prediction:.0%}; the gap is {gap:.0%}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# Three films without dates identify few people. If the attacker also knows the date of each rating
# to within a week, the three films single out more than half of the people.
#
# One defence is to make the quasi-identifier coarser until every record has the same values as at
# least k−1 other records. The table is then **k-anonymous** (Sweeney 2002). The other defence is
# noise. Take a table with a row for each person and a column for each film. Ignore the number of
# stars, and call a cell that holds a rating an *edge*. This kind of table is a **graph**, and a
# published version of the graph is a **release**. To make a release, flip each cell with
# probability 5 %: a flipped edge disappears, and a flipped empty cell becomes an edge.
#
# **What share of the published edges is true?**

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Linkage
#
# Finding the record of a known person in a table without names is called **linkage**.
#
# Film and week are a **quasi-identifier**: neither of them names a person, but together they single
# out one person.

# %%
my_share = 0.95  # your own number here, between 0 and 1

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Two ways to hide: equal rows, or noise
#
# **k-anonymity:** every record has the same values as at least k − 1 other records.
#
# **Noise:** flip each cell of the table with probability p. At p = 5 %, **what share of the
# published edges is true?**

# %% slideshow={"slide_type": "fragment"} tags=["real-data", "nbval-check-output"]
p, cell_count = 0.05, people * films
density = movielens.ratings.nnz / cell_count
published = pplab.bipartite_noise_graph(movielens.ratings, flip_probability=p, rng=1).toarray()
true = int((published * seen).sum())
share = true / published.sum()
say(f"**{true:,}** of **{published.sum():,}** published edges are true: **{share:.0%}**.")
say(f"You predicted {my_share:.0%}; the gap is {abs(my_share - share):.0%}.")
three = movielens.items["title"].isin(remembered["film"]).to_numpy()
fits = published[:, three].sum(axis=1) >= 3
say(f"Without dates, {fits.sum()} published rows have her three films. Hers too? {fits[somebody]}.")
most = published[:, seen[somebody]].sum(axis=1).argmax()
say(f"Is she the best match for *all* her {seen[somebody].sum()} films? {most == somebody}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# 95 % of the *cells* are unchanged. But nearly all cells are empty, so nearly every flip turns an
# empty cell into a false edge.
#
# The last line printed above is a warning: noise that hides one edge does not always hide a person,
# because an attacker may know many edges of that person.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Nearly all cells are empty, so nearly all flips invent an edge

# %% slideshow={"slide_type": "-"} tags=["hide-input"]
small = (np.random.default_rng(seed=128).random((20, 20)) < 0.05).astype(int)
after = pplab.bipartite_noise_graph(small, flip_probability=0.05, rng=128).toarray()
false_edges, lost = int((after > small).sum()), int((after < small).sum())
figure, (left, right) = new_figure(1, 2, width=7, height=4)
cells(left, small, title=f"Before: {lost} lost (crossed)", crossed=after < small)
cells(right, after, title=f"After: {false_edges} false (crossed)", crossed=after > small)
message = f"Of {small.sum()} edges, {lost} is lost, and {false_edges} false ones appear."
show(figure, alt=f"Two tables of 20 users and 20 items, before and after the flips. {message}")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The release multiplies odds
#
# $$\underbrace{\frac{\lambda}{1-\lambda}}_{\text{prior odds}} \times
# \underbrace{\frac{1-p}{p}}_{\text{odds factor}} = \text{odds that a published edge is true}$$
#
# λ is the density, and p is the flip probability. A privacy guarantee is an upper bound
# $e^\varepsilon$ on the odds factor, so a **larger** ε protects **less**.

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Define: the release multiplies odds
#
# The **odds** of an event are the probability that it happens divided by the probability that it
# does not happen: a probability of 3/4 means odds of 3 : 1. Write λ for the **density**, the share
# of cells that are edges. Before you see the release, the odds that a cell is an edge are λ :
# (1−λ). These are the *prior odds*. A true edge is published as an edge with probability 1−p, and
# an empty cell is published as an edge with probability p. So when you see a published edge, the
# prior odds are multiplied by an odds factor:
#
# $$\underbrace{\frac{\lambda}{1-\lambda}}_{\text{prior odds}} \times
# \underbrace{\frac{1-p}{p}}_{\text{odds factor}} = \text{odds that a published edge is true}$$
#
# The odds on the right are called the *posterior odds*. **The release multiplies the odds by a
# factor, and a privacy guarantee is a cap** (an upper bound) on this factor. The cap is written
# $e^\varepsilon$, and ε is the *privacy level*. A **larger** ε lets an observer learn **more**, so
# it protects **less**.
#
# For one particular edge, the formula assumes that **cells are independent**: other cells must
# reveal nothing about this cell. (Notebook 04 drops this assumption.) For the share of true edges
# among all published edges, we do not need this assumption if there are many cells. This share is
# then close to the expected number of published true edges divided by the expected number of
# published edges.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The formula in code
#
# Turn the density into odds, multiply them by the odds factor, and turn the result into a
# probability.


# %% slideshow={"slide_type": "-"}
def share_true(density, p):
    prior_odds = density / (1 - density)
    odds_factor = (1 - p) / p
    odds = prior_odds * odds_factor
    return odds / (1 + odds)


# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Predicted and counted
#
# If the same noise is added to a sparser graph, hardly any published edge is true:

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
prior, factor = density / (1 - density), (1 - p) / p
say(f"ε = ln {factor:.0f} = {pplab.flip_to_epsilon(p):.2f}.")
odds, expected = f"{prior:.4f} × {factor:.0f} = {prior * factor:.3f}", share_true(density, p)
say(f"Odds: {odds}. As a share: **{expected:.0%}**; counted above: {share:.0%}.")
sparse = share_true(1_049_866 / (317_080 * 317_079 / 2), p)  # com-dblp, as its owner states
summary = "A graph of 317,080 co-authors has 1,049,866 edges. With the same p, only"
say(f"{summary} {sparse:.2%} of its published edges are true.")

# %% [markdown]
# **Exercise C (compute).** What share of published edges is true at λ = 1/10 and p = 1/100? In all
# exercises, three significant digits are enough.

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: the share, as a number between 0 and 1
answer = share_true(1 / 10, 1 / 100)
check("00-C", answer)

# %% [markdown]
# **Exercise P (prove by code).** Check the formula by a simulation. Write a function that makes
# `cells` cells, each of which is an edge with probability `density`. The function then flips each
# cell with probability p, and returns the share of true edges among the published edges.


# %% tags=["solution", "nbval-check-output"]
def simulate(density, p, cells, seed):
    # YOUR CODE: draw edges, flip cells, return true published edges over published edges
    rng = np.random.default_rng(seed)
    edge = rng.random(cells) < density
    published = edge ^ (rng.random(cells) < p)
    return (edge & published).sum() / published.sum()


check("00-P", simulate)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Totals survive
#
# On average, pQ + (1 − 2p)|E| edges are published. Subtract the expected noise, then scale up the
# rest:
#
# $$\widehat{|E|} = \frac{|\tilde E| - pQ}{1 - 2p}$$

# %% [markdown] slideshow={"slide_type": "notes"}
# ## What survives: totals
#
# Write Q for the number of cells. On average, the flips keep a share 1−p of the |E| edges, and turn
# a share p of the Q−|E| empty cells into edges. Together, these are pQ + (1−2p)·|E| published edges
# on average. Both p and Q are known, so replace this mean by the published count $|\tilde E|$, and
# solve for |E|:
#
# $$\widehat{|E|} = \frac{|\tilde E| - pQ}{1 - 2p}$$
#
# In words: **subtract the expected noise, then scale up the rest.** Each of the Q cells adds p(1−p)
# to the variance of the count, so the standard deviation of the estimate is
# $\sqrt{Q\,p(1-p)}\,/\,(1-2p)$.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Sixty releases, one total
#
# The estimates spread around the truth as the formula predicts:

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output", "hide-input"]
truth = movielens.ratings.nnz
estimates = np.empty(60)
for seed in range(60):
    noisy = pplab.bipartite_noise_graph(movielens.ratings, flip_probability=p, rng=seed)
    estimates[seed] = (noisy.nnz - p * cell_count) / (1 - 2 * p)
deviation = np.sqrt(cell_count * p * (1 - p)) / (1 - 2 * p)
figure, axes = new_figure(height=2)
axes.plot(estimates, np.zeros(60), "o", color=COLOURS["blue"], alpha=0.4, markeredgecolor="black")
axes.axvline(truth, color="black", linestyle="--")
axes.set(title="Half of the published edges are false, yet the total can be estimated", yticks=[])
axes.set_xlabel("estimated number of edges, one point per release; dashed: the truth")
summary = f"mean {estimates.mean():,.0f}, the truth {truth:,}"
show(figure, alt=f"Estimates of the total from 60 releases: {summary}.")
spread = f"{estimates.std(ddof=1):.0f} counted, **{deviation:.0f}** by the formula"
say(f"60 releases: {summary}. Standard deviation: {spread}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# We know how many flips to *expect*, and we subtract this number, so only the random deviation from
# it remains. The subtraction repairs totals, but not individual cells.
#
# ## Play
#
# **Question:** for which pairs of density λ and flip probability p is exactly **half** of the
# published edges true? (Run the cell to see the sliders. The Tab key reaches a slider, and the
# arrow keys move it.)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Question
#
# **For which density λ and flip probability p is half of the published edges true?**


# %% tags=["hide-input"]
def draw(axes, density, p):
    share = share_true(density, p)
    axes.barh(["edges"], [share], color=COLOURS["blue"], edgecolor="black")
    axes.barh(["edges"], [1 - share], left=[share], color="white", edgecolor="black", hatch="///")
    axes.set_title(f"λ = {density:g}, p = {p:g}: {share:.1%} true", fontsize=9)
    axes.set(xlim=(0, 1), xlabel="share true (filled), false (hatched)", yticks=[])
    prior, factor = density / (1 - density), (1 - p) / p
    return {"density": density, "p": p, "prior": prior, "factor": factor, "true": share}


# %% tags=["widget", "nbval-ignore-output", "hide-input"]
from pplab.widgets import Control, explore, twin

sentence = "Prior odds {prior:.2g} × factor {factor:.3g}: {true:.1%} of published edges are true."
steps = (0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
explore(
    draw,
    say=sentence.format_map,
    height=2,
    density=Control("density λ", steps, 0.1, "sparse: mostly false", "dense"),
    p=Control("flip probability p", steps, 0.05, "more accurate", "more private"),
)


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output", "hide-input"]
def message(states):
    low, high = states["true"].min(), states["true"].max()
    return f"Nine bars, for three densities and three p: from {low:.1%} to {high:.1%} are true."


states = twin(draw, alt=message, height=1.5, density=(0.01, 0.05, 0.2), p=(0.01, 0.05, 0.2))

# %% [markdown] slideshow={"slide_type": "notes"}
# <details><summary>The answer</summary>
#
# Half of the published edges are true exactly when **p = λ**, because the odds factor is then the
# inverse of the prior odds. In a sparse graph, this p is too small to protect an edge well.
#
# </details>
#
# ## Exercises
#
# **Exercise R (recall).** In the join at the top, what are film and week together: an *identifier*,
# a *quasi-identifier*, a *sensitive value* (a value that a person wants to hide) or a *pseudonym*
# (a made-up name)?

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: one of the four, in quotes
answer = "quasi-identifier"
check("00-R", answer)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Your turn
#
# A made-up film club lists forty members by number. Mia says that she rated *Rain* around week 15,
# *Salt* around week 8 and *Mirror* around week 15.
#
# **What is her number, and how many stars did she give to *The Letter*?**

# %% [markdown] slideshow={"slide_type": "notes"}
# **Exercise B (break).** `film_club()` returns the ratings of a made-up film club. Each row has a
# member (one of forty numbers), a film (one of twelve), the week and the stars. Mia, a member, says
# that she rated *Rain* around week 15, *Salt* around week 8 and *Mirror* around week 15. Each of
# these weeks is wrong by at most one. What is her number, and how many stars did she give to *The
# Letter*?

# %% tags=["solution", "nbval-check-output"]
from pplab_course import film_club

# YOUR CODE: (number of the member, stars)
club = film_club()
told_by_mia = pd.DataFrame({"film": ["Rain", "Salt", "Mirror"], "around": [15, 8, 15]})
joined = told_by_mia.merge(club, on="film")
near = joined[(joined["week"] - joined["around"]).abs() <= 1]
mia = near["member"].value_counts().idxmax()
letter = club[(club["member"] == mia) & (club["film"] == "The Letter")]
answer = (mia, letter["stars"].item())
check("00-B", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## The course
#
# Notebooks in *italics* belong to the papers' track. The other thirteen notebooks form the core
# track, a first course. The *ledger* lists each claim of four papers and what our code measured.
#
# | part | notebooks |
# |---|---|
# | 1 A promise for an edge | **Find somebody**, Privacy by counting, Noise graphs, *experiments* |
# | 2 What the promise does not say | What the neighbours tell |
# | 3 Friends | Social recommendation, *experiments* |
# | 4 What of a graph? | What a private copy costs, *A theorem repaired*, Counts of a graph |
# | 5 Crowds: votes | A vote that decides, *How good can anybody be?*, *experiments* |
# | 5 Crowds: means | *Microaggregation*, What means give away, *experiments* |
# | 6 A person: recommenders | A recommender for a person, Learning with noise |
# | 6 A person: comparisons | One yardstick, *Reading the ledger* |
# | for a project | Your own data |
#
# [The limitations](../docs/LIMITATIONS.md) list what this code cannot guarantee; [the
# glossary](../docs/glossary.md) explains every sign and term. $G$ is a graph and $E$ is the set of
# its edges; $\tilde G$ and $\tilde E$ are the published versions. A **stand-in** is a made-up table
# with the size and shape of real data.
#
# ## Quiz
#
# 1. Is a larger ε more private? <details><summary>Answer</summary>No: with a larger ε, a release
#    may reveal more about an edge.</details>
# 2. Names are dropped before publication. What can still identify a person?
#    <details><summary>Answer</summary>The quasi-identifier. It consists of columns that an attacker
#    may know, and few people have the same combination of values in these columns.</details>
# 3. Why can totals survive the noise when single edges do not?
#    <details><summary>Answer</summary>The expected noise is known and can be subtracted. The random
#    error that remains is small compared with the total.</details>
#
# ## What to remember
#
# - A join on a few known facts finds a person, even in a table without names.
# - A release multiplies the odds by a factor, and a privacy guarantee is a cap on this factor. In a
#   sparse graph the prior odds are tiny.
# - Totals survive the noise, because the expected noise can be subtracted.
#
# ## References
#
# - Sweeney 2002, *k-anonymity: a model for protecting privacy*,
#   [doi 10.1142/S0218488502001648](https://doi.org/10.1142/S0218488502001648).
# - Narayanan and Shmatikov 2008, *Robust de-anonymization of large sparse datasets*,
#   [doi 10.1109/SP.2008.33](https://doi.org/10.1109/SP.2008.33).
# - Harper and Konstan 2015, *The MovieLens datasets*,
#   [doi 10.1145/2827872](https://doi.org/10.1145/2827872).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ask the room
#
# Why can totals survive the noise when single edges do not?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - A join on a few known facts finds a person.
# - A release multiplies the odds by a factor, and a privacy guarantee is a cap on this factor.
# - Totals survive the noise, because the expected noise can be subtracted.
