# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 04 What the neighbours tell
#
# **When cells go together.** A guarantee is kept, and yet a rating is disclosed.

# %% [markdown] slideshow={"slide_type": "notes"}
# # 04 What the neighbours tell: when cells go together
#
# *Edition 2, part 2 of 6: what the promise does not say. Core track.*
#
# ## What you will be able to do
#
# - prove for which beliefs $e^\varepsilon$ limits the change in the odds of a cell, and find
#   beliefs for which the change is larger;
# - compute how much a release changes the odds of a rating if the attacker knows the frequencies in
#   real data;
# - repair a guarantee by changing its wording, its unit or its level;
# - measure what unanimous groups disclose, by homogeneity, l-diversity and t-closeness.
#
# ## What you need
#
# You need notebooks [00](00_find_somebody.ipynb) and [01](01_privacy_by_counting.ipynb), and Bayes'
# rule.
#
# **Minutes (estimates):** about 40 to read, about 75 for the exercises.
#
# ## Break something: predict, then run
#
# MovieLens shows which films each of 943 people has rated. Every cell is flipped with p = 1/4, so
# $e^\varepsilon$ is 3. An attacker has the true table without names, and wants to know whether a
# certain person has rated a certain film (in the real data, *Star Trek: The Wrath of Khan*). In
# this person's published row, the film's cell is a 1. The ten films whose columns correlate most
# with the film's column are its *near films*. Their cells are also published as 1.
#
# **By what factor does this release multiply the odds that the person has rated the film?**

# %%
my_prediction = 3  # your own number here, 1 or more

# %% tags=["real-data", "nbval-check-output"]
import numpy as np
import pandas as pd

import pplab
from pplab.attacks import posterior_odds
from pplab_course import say


def two(number):  # two significant digits, written out
    return f"{float(f'{number:.2g}'):,.0f}" if number >= 10 else f"{number:.2g}"


films = pplab.load_dataset("movielens-100k")
rated = (films.ratings.toarray() > 0).astype(int)
khan = films.items.index.get_loc(228 if films.source == "real" else 218)
print(films.items["title"].iloc[khan], "was rated by", rated[:, khan].sum(), "of", len(rated))

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## One film and its ten nearest
#
# Every cell of MovieLens is flipped with p = 1/4, so $e^\varepsilon$ is 3. In one person's row, a
# film is published as a 1. Ten other films, the near films, have the most similar columns. Their
# cells are also published as 1.
#
# **By what factor does this release multiply the odds that the person has rated the film?**


# %% slideshow={"slide_type": "fragment"} tags=["real-data", "nbval-check-output"]
def likeness(people):  # correlations of columns; one that is all 0 or all 1 has none: 0
    centred = people - people.mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=0), 1e-9)
    return (centred.T @ centred).round(9)


def group_of(film, alike):  # the film first, then the ten that go with it most
    order = np.argsort(-alike[film], kind="stable")
    return [film, *order[order != film][:10]]


def together(columns, weights=None):  # how many people have rated which of these films
    codes = rated[:, columns] @ 2 ** np.arange(len(columns))[::-1]  # bits, the first film leading
    return np.bincount(codes, weights, 2 ** len(columns)).reshape((2,) * len(columns))


all_ones, group = (1,) * 11, group_of(khan, likeness(rated))
result = posterior_odds(together(group), flip_probability=0.25)  # its factors: an axis per cell
say(f"The odds are multiplied by **{result.factors[all_ones]:.0f}**; you said {my_prediction}.")
share = result.prior / (1 + result.prior)
say(f"The belief in the rating rises from {share:.0%} to {result.posterior[all_ones]:.1%}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# The guarantee of notebook 01 is not broken, as the next section proves. But the other ten cells
# reveal the rating. (Our sentences about films and incomes describe the real data, not a stand-in.)
#
# ## Define: what is capped, and for which belief
#
# Write x for the true cells, y for the published cells, and b(x) for a **belief**, that is, a
# probability for each possible true table. Bayes' rule gives the odds of the first cell after a
# release y:
#
# $$\text{odds}(y) \;=\; \frac{\sum_{x:\,x_1=1} b(x)\,\Pr[y \mid x]}
# {\sum_{x:\,x_1=0} b(x)\,\Pr[y \mid x]}$$
#
# The **factor** of y is odds(y) divided by the prior odds.
#
# - **Neighbours.** *If two tables differ in one cell, no release changes the odds between them by a
#   factor of more than* $e^\varepsilon$. Proof: the factor is Pr[y | x] / Pr[y | x′]. The
#   probabilities of all cells except one cancel, and the remaining cell gives (1−p)/p or its
#   inverse. ∎ This guarantee assumes nothing about the attacker's beliefs.
# - **Independent cells.** *If the first cell is believed to be independent of the other cells, the
#   factor is at most* $e^\varepsilon$. Proof: the sum over the other cells is the same in numerator
#   and denominator. The quotient that remains is Pr[y₁ | 1] / Pr[y₁ | 0]. ∎
# - **Any belief on c cells.** *The factor is at most* $e^{c\varepsilon}$. Proof: two rows of c
#   cells differ in at most c cells, so Pr[y | x] ≤ $e^{c\varepsilon}$ Pr[y | x′] for every pair.
#   The factor is a weighted mean of Pr[y | x] over rows with x₁ = 1, divided by a weighted mean of
#   Pr[y | x′] over rows with x′₁ = 0. ∎ This is *group privacy* (notebook
#   [01](01_privacy_by_counting.ipynb)).
#
# These are the factors for two cells and p = 1/4:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Bayes' rule, for a belief b
#
# $$\text{odds}(y) \;=\; \frac{\sum_{x:\,x_1=1} b(x)\,\Pr[y \mid x]}
# {\sum_{x:\,x_1=0} b(x)\,\Pr[y \mid x]}$$
#
# The **factor** of a release y is odds(y) divided by the prior odds.

# %% tags=["nbval-check-output"]
from fractions import Fraction
from functools import reduce
from itertools import product

p = Fraction(1, 4)


def chance(output, truth):  # of a release, each cell flipped with probability p
    flips = sum(a != b for a, b in zip(output, truth, strict=True))
    return p**flips * (1 - p) ** (len(truth) - flips)


def factor(belief, output):  # belief: {true cells: weight}
    before, after = [0, 0], [0, 0]  # the first cell is 0, and is 1
    for x, weight in belief.items():
        before[x[0]] += weight
        after[x[0]] += weight * chance(output, x)
    return after[1] / after[0] / (before[1] / before[0])


# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What is capped, and for which belief
#
# | belief | the factor is at most |
# |---|---|
# | two tables that differ in one cell | $e^\varepsilon$ |
# | the first cell is independent of the others | $e^\varepsilon$ |
# | any belief on c cells | $e^{c\varepsilon}$ |

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Only the belief is different
#
# The table shows the factor of each release of two cells, where $e^\varepsilon = 3$:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
two_cells = list(product((0, 1), repeat=2))
beliefs = {
    "the other cell is known to be 1": {(0, 1): 1, (1, 1): 1},
    "independent cells": dict.fromkeys(two_cells, 1),
    "equal nine times in ten": {x: 9 if x[0] == x[1] else 1 for x in two_cells},
    "equal cells": {(0, 0): 1, (1, 1): 1},
}
published = pd.Index([str(y) for y in two_cells], name="published")
factors = pd.DataFrame(columns=published, dtype=float)
for name, belief in beliefs.items():
    factors.loc[name] = [float(factor(belief, y)) for y in two_cells]
factors.round(3)

# %% [markdown] slideshow={"slide_type": "notes"}
# With the first two beliefs, no factor exceeds $e^\varepsilon = 3$. With the last belief, one
# factor is 9, which is the largest factor that group privacy allows.
#
# **Exercise C (compute).** Three cells are believed to be equal, and each cell is flipped with p =
# 1/10. What is the largest factor by which the odds of one cell can increase?

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: a number
answer = ((1 - 0.1) / 0.1) ** 3
check("04-C", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# **Exercise P (prove by code).** Write `largest(joint, p)`, which returns the largest factor by
# which any release multiplies the odds of the first cell. `joint` has one axis of length 2 for each
# cell, and `joint[x1, x2, ...]` is the weight of the true values x1, x2, … The weights need not sum
# to 1. Use the argument p, not the p of the notebook. Do not call `posterior_odds`.


# %% tags=["solution", "nbval-check-output"]
def largest(joint, p):
    # YOUR CODE: try all releases; for each of them two sums over all truths
    best, truths = 0, list(np.ndindex(joint.shape))
    for output in truths:
        odds = [0, 0]
        for truth in truths:
            flips = sum(a != b for a, b in zip(output, truth, strict=True))
            odds[truth[0]] += joint[truth] * p**flips * (1 - p) ** (len(truth) - flips)
        best = max(best, odds[1] / odds[0])
    return best * joint[0].sum() / joint[1].sum()


check("04-P", largest)

# %% [markdown]
# ## Films: the frequencies in the table
#
# The attacker has the 943 rows without names, and believes that each row is equally likely to be
# the row of this person.
#
# We *resample* the people with replacement 200 times, and get an interval from these 200 tables.
# *Beyond* is the probability that a release raises or lowers the odds by a factor above
# $e^\varepsilon$.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The table's own frequencies
#
# The attacker believes that each of the 943 rows is equally likely to be the row of this person.
# *Beyond* is the probability that a release raises or lowers the odds by a factor above
# $e^\varepsilon$.

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
levels = (3, 9, 19)
equal = np.full(len(rated), 1 / len(rated))
draws = np.random.default_rng(1).multinomial(len(rated), equal, size=200)

lines = {}
for level in levels:
    flip = 1 / (1 + level)
    moved = posterior_odds(together(group), flip_probability=flip)
    tables = [together(group, weights) for weights in draws]
    ends = [posterior_odds(each, flip_probability=flip).factors[all_ones] for each in tables]
    low, high = np.quantile(ends, [0.025, 0.975])
    beyond = moved.chances[np.abs(np.log(moved.factors)) > np.log(level) + 1e-9].sum()
    lines[f"e^ε = {level}"] = {"factor of eleven ones": two(moved.factors[all_ones])}
    lines[f"e^ε = {level}"]["interval, 95 %"] = f"{two(low)} to {two(high)}"
    lines[f"e^ε = {level}"]["beyond"] = f"{beyond:.0%}"
pd.DataFrame(lines).T

# %% [markdown] slideshow={"slide_type": "notes"}
# Is this belief true for people in general, or only for these 943 rows? We use one half of the
# people to find the near films and to form the belief. We publish the rows of the *other* half. We
# take each film that at least 200 people have rated. Two attackers guess "has rated" whenever this
# is more probable than "has not rated". The first attacker uses only the film's own published cell;
# the second attacker uses all eleven cells.

# %% tags=["real-data", "nbval-check-output"]
known, unseen = np.split(np.random.default_rng(2).permutation(len(rated)), [len(rated) // 2])
learned = np.isin(np.arange(len(rated)), known).astype(int)
similar_users = likeness(rated[known])  # nothing of the unseen half
popular = np.flatnonzero(rated.sum(axis=0) >= 200)


def guesses(flip):  # for each unseen person and guesser: the share that is right
    noisy = pplab.bipartite_noise_graph(rated, flip_probability=flip, rng=3).toarray()[unseen]
    right = np.zeros((2, len(unseen), len(popular)))
    for place, film in enumerate(popular):
        cells = group_of(film, similar_users)
        believed = posterior_odds(together(cells, learned), flip_probability=flip)
        own = believed.prior * (1 / flip - 1) ** (2.0 * noisy[:, film] - 1) > 1
        after = believed.posterior[tuple(noisy[:, cells].T)] > 0.5
        right[:, :, place] = (own == rated[unseen, film]), (after == rated[unseen, film])
    return right.mean(axis=2)  # per person


# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Does the belief see something real?
#
# Two attackers learn from one half of the people, and guess the ratings of the other half. The
# first attacker uses only the film's own published cell, and the second attacker uses all eleven
# cells.

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
from scipy.stats import ttest_1samp

lines = {}
for level in (1.1, *levels):
    own, eleven = guesses(1 / (1 + level))
    low, high = ttest_1samp(eleven - own, 0).confidence_interval(0.95)  # over people
    lines[f"e^ε = {level}"] = {"own cell": f"{own.mean():.1%}", "eleven": f"{eleven.mean():.1%}"}
    lines[f"e^ε = {level}"]["gain, 95 %"] = f"{low:+.1%} to {high:+.1%}"
pd.DataFrame(lines).T

# %% [markdown] slideshow={"slide_type": "notes"}
# If the gain is above 0, the near films reveal something true that the cell itself does not reveal.
# At odds of 19 : 1, the cell itself reveals nearly everything, and the belief misleads the second
# attacker.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## How the factor grows with the near films published

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output", "hide-input"]
from pplab.plots import COLOURS, new_figure, show

figure, axes = new_figure(width=5.4, height=3.2)
joint, ends = together(group), []
for level, look, colour in ((3, "o-", "blue"), (9, "s--", "red"), (19, "^:", "green")):
    moved = posterior_odds(joint, flip_probability=1 / (1 + level)).factors
    line = [moved[(1,) + (1,) * j + (0,) * (10 - j)] for j in range(11)]
    ends.append(f"from {two(line[0])} to {two(line[-1])} at {level} : 1")
    axes.plot(range(11), line, look, color=COLOURS[colour], label=f"$e^ε$ = {level}")
    axes.axhline(level, color=COLOURS[colour], linewidth=0.8, linestyle=look[1:])
axes.set(yscale="log", ylabel="factor of the odds", title="Near films add evidence (lines: $e^ε$)")
axes.set(xlabel="near films published as 1, nearest first")
axes.legend(frameon=False, fontsize=8)
show(figure, alt=f"Three curves, factors of the odds {'; '.join(ends)}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# In the figure, the film itself is published as 1. The horizontal lines show $e^\varepsilon$. A
# single 1 among zeros may look like noise. In this case, the factor is below 1, and the odds fall.
#
# **Exercise B (break).** A publisher flips each cell with p = 1/10 and says: "If you think that a
# cell is 1 with probability 1/100, the release raises this probability to at most 1/12, since the
# odds rise to at most 9 · 1/99 = 1/11." Refute this claim: give a belief on three cells, as an
# array of shape (2, 2, 2). Your prior must give **each** cell a probability of 1/100 of being 1.
# There must be a release after which the first cell is 1 with probability above one half.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: an array of probabilities, belief[x1, x2, x3]
answer = np.zeros((2, 2, 2))
answer[0, 0, 0], answer[1, 1, 1] = 0.99, 0.01
check("04-B", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Repair: the sentence, the unit, the level
#
# **The sentence.** Say: *If all cells except one are known, the release changes the odds of this
# cell by a factor of at most* $e^\varepsilon$.
#
# **The unit.** If cells go together, that is, if they are correlated, treat them as one unit, for
# example a film with its near films, or a row.
#
# **The level.** A unit of c cells has level cε. To guarantee a factor of at most 3 for c cells
# together, flip each cell with $p = 1/(1 + 3^{1/c})$. How much of MovieLens is left?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Repair: the sentence, the unit, the level
#
# Treat correlated cells as one unit. A unit of c cells has level cε. This is the price:

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
total, every = int(rated.sum()), rated.size
units = {"one cell": 1, "a film and its ten nearest": 11, "a person's whole row": rated.shape[1]}
lines = {}
for name, count in units.items():
    flip = 1 / (1 + 3 ** (1 / count))
    true = total * (1 - flip) / (total * (1 - flip) + (every - total) * flip)
    lines[name] = {"cells": count, "p for 3 : 1": f"{flip:.4f}", "true": f"{true:.1%}"}
say(f"{rated.mean():.1%} of *all* cells are ratings. What share of *published* ratings is true?")
pd.DataFrame(lines).T

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## There is no free lunch
#
# No useful release bounds the odds for all beliefs at once (Kifer and Machanavajjhala 2011).
#
# A **Pufferfish** guarantee lists the secrets, the pairs of secrets that must remain
# indistinguishable, and the beliefs.

# %% [markdown] slideshow={"slide_type": "notes"}
# The guarantee in the second line holds for every belief *on those eleven cells*, but a twelfth
# film may break it. The release in the third line protects a person, but it is useless. Kifer and
# Machanavajjhala (2011) showed that **no useful release bounds the odds for all beliefs at once**.
# So a guarantee must state the beliefs for which it holds. A **Pufferfish** guarantee (the same
# authors, 2014) lists the secrets, the pairs of secrets that must remain indistinguishable, and the
# beliefs.
#
# If each cell is flipped with p = 1/4, the release label is:
#
# | unit | neighbours | guarantee | who is trusted | an insider learns | again |
# |---|---|---|---|---|---|
# | one cell | the cell changed | odds × 3 | nobody | more, if cells go together | × 9 |
# | c cells | all c changed at will | odds × 3ᶜ | nobody | more, by cells outside | × 9ᶜ |
#
# **Exercise R (recall).** A couple sees every film together, so *in each column* their two cells
# are believed to be equal. Which of the units `"edge"`, `"user"`, `"item"` contains both of these
# cells?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ask the room
#
# A couple sees every film together: in each column their two cells are equal. **Which unit contains
# both cells: an edge, a user or an item?**

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a word in quotes
answer = "item"
check("04-R", answer)

# %% [markdown]
# **Exercise D (design).** A table has 6 users and 4 films. *Fans*: all cells of a user's row are
# correlated. *Fashion*: all cells of a film's column are correlated. For each belief, give the
# **number of cells** of the unit that must be protected, and the smallest p for which the odds of
# this unit change by a factor of at most 9. If you round p, round up.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: {"fans": (cells, p), "fashion": (cells, p)}
answer = {"fans": (4, 1 / (1 + 9 ** (1 / 4))), "fashion": (6, 1 / (1 + 9 ** (1 / 6)))}
check("04-D", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## The other side of the coin: groups that agree
#
# A k-anonymous copy (notebook 00) has no ε. From the copy alone, no attacker can find *your row*
# with probability above 1/k. But if all members of your group have the same sensitive value, the
# attacker need not find your row. In the census data set *adult*, a row contains eight attributes
# of a person, and the sensitive value is whether the income is high. Suppose that we publish groups
# of at least k similar rows, and all incomes in each group:
#
# - **Homogeneity.** If all members of a group have the same income, the group is *unanimous*: it
#   discloses this income, whatever k is.
# - **l-diversity** (Machanavajjhala and others 2007): each group has at least l different values.
# - **t-closeness** (Li, Li and Venkatasubramanian 2007): for each value, take the difference
#   between its share in the group and its share among all people. In each group, half of the sum of
#   the absolute differences is at most t.
#
# (The first run takes up to two minutes.)

# %% tags=["real-data", "nbval-check-output"]
from IPython.utils.capture import capture_output

census = pplab.load_dataset("adult")
income = np.asarray(census.labels)
with capture_output():  # no progress bars between the lines
    copies = {
        k: pplab.smooth_k_anonymize(census.biadjacency, k, method="paper", rng=8) for k in (8, 32)
    }
say(f"Of all people {income.mean():.0%} have a high income.")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The other side of the coin: groups that agree
#
# A k-anonymous copy has no ε. If a group of equal rows is unanimous, it discloses its sensitive
# value, whatever k is (**homogeneity**).

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
from pplab.metrics import l_diversity, t_closeness

columns, dealer = {}, np.random.default_rng(1)
for k, copy in copies.items():
    unanimous = l_diversity(income, copy.labels, form="distinct") == 1
    mixed = l_diversity(dealer.permutation(income), copy.labels, form="distinct") == 1
    t = t_closeness(income, copy.labels)
    farthest = income[copy.labels == copy.labels[t.argmax()]]
    columns[f"k = {k}"] = {
        "% of people in unanimous groups": 100 * unanimous.mean(),
        "% of these whose income is high": 100 * income[unanimous].mean(),
        "% in unanimous groups, incomes shuffled": 100 * mixed.mean(),
        "largest t": t.max(),
        "% of that group whose income is high": 100 * farthest.mean(),
    }
pd.DataFrame(columns).round(2)

# %% [markdown] slideshow={"slide_type": "notes"}
# If we *shuffle* the incomes among all people, almost no unanimous groups remain. So groups are
# unanimous because similar people have similar incomes.
#
# **Which value do unanimous groups disclose?** In the real data, they all disclose the *common*
# value, the lower income. The attacker becomes certain of this value, but already gave it a
# probability of about three quarters before the release. The group with the largest t is not
# unanimous, but nearly all of its members have the *rare* value, the high income. The number l does
# not show this, but t does.

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Play
#
# **Question:** each of ten cells is 1 with probability 1 %. There is one hidden coin for all ten
# cells. With probability $a$, a cell copies this coin; otherwise the cell gets its value
# independently. All ten cells are published as 1, and $e^\varepsilon$ is 3 (the dashed line). How
# large must $a$ be if the probability that the first cell is 1 is to exceed one half? (The odds
# must then grow by a factor of more than 99: the dotted line.)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Question
#
# Each of ten cells copies a hidden coin with probability $a$. All ten cells are published as 1.
# **How large must $a$ be for a factor of 99 (dotted line)?** The dashed line is $e^\varepsilon$.


# %% tags=["hide-input"]
def believed(count, a):  # the belief on this number of cells
    joint = 0
    for coin, weight in ((0, 0.99), (1, 0.01)):
        one = a * coin + (1 - a) * 0.01
        joint = joint + weight * reduce(np.multiply.outer, [np.array([1 - one, one])] * count)
    return joint


def draw(axes, count, a):
    moved = posterior_odds(believed(count, a), flip_probability=1 / 4).factors
    line = [moved[(1,) * j + (0,) * (count - j)] for j in range(1, count + 1)]
    axes.plot(range(1, count + 1), line, "o-", color=COLOURS["blue"])
    axes.hlines((3, 99), 0.8, count + 0.2, COLOURS["red"], ["--", ":"])
    axes.set(yscale="log", ylim=(3**-9.0, 3**11), xticks=(1, count))
    axes.set(xlabel="cells published as 1\n(dashed: 3, dotted: 99)", ylabel="factor of the odds")
    axes.set_title(f"{count} cells, a = {a:g}: × {two(line[-1])}", fontsize=9)
    return {"cells": count, "a": a, "factor": line[-1], "share of cap": line[-1] / 3**count}


# %% tags=["widget", "nbval-ignore-output", "hide-input"]
from pplab.widgets import Control, explore, twin

sentence = "{cells} cells, a = {a:g}: the odds are multiplied by {factor:,.1f}. "
sentence += "For one cell alone, they are multiplied by 3."
agreements = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)
explore(
    draw,
    say=sentence.format_map,
    count=Control("cells that go together", range(1, 11), 10, "more private", "less private"),
    a=Control("copies the coin: a", agreements, 0.5, "more private", "less private"),
)


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output", "hide-input"]
def message(states):
    low, high = states["factor"].min(), states["factor"].max()
    return f"Eight curves at 3 : 1 for 2 and 10 cells: from {low:.3g} to {high:,.0f} for all ones."


states = twin(draw, alt=message, height=2.4, count=(2, 10), a=(0, 0.3, 0.4, 1))
enough = states.query("cells == 10 and factor > 99")["a"].min()
say(f"<details><summary>The answer</summary>\n\nAt least a = {enough:g}.\n\n</details>")

# %% [markdown]
# ## Exercises
#
# - **O (open).** We chose the film above by hand. **For which film do the odds change most**, if
#   this film and its ten near films are published as 1 at $e^\varepsilon = 3$? First choose a
#   minimum number of raters. Then give the film, its factor, and an interval for this factor. The
#   largest of many noisy numbers is large partly by luck, so search in one half of the people, and
#   measure in the other half. `together(group_of(film, alike), learned)` is the belief from the
#   half in which you search; use `1 - learned` for the other half. Each entry of `draws` contains
#   the weights of the people in one resample; for the other half, use `each * (1 - learned)`.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: {"film": a title in quotes, "factor": ..., "interval": (low, high)}
candidates = np.flatnonzero(rated[known].sum(axis=0) >= 50)  # the rule: 50 people of one half
measured = 1 - learned  # films, neighbours and search from one half, the factor from the other


def eleven(film, weights):
    joint = together(group_of(film, similar_users), weights)
    return posterior_odds(joint, flip_probability=1 / 4).factors[all_ones]


top = max(candidates, key=lambda film: eleven(film, learned))
answer = {"film": films.items["title"].iloc[top], "factor": eleven(top, measured)}
resampled = [eleven(top, measured * each) for each in draws]
answer["interval"] = tuple(np.quantile(resampled, (0.025, 0.975)))
check("04-O", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Quiz
#
# 1. An insider knows all cells of a table but one. By how much can a release move the odds of that
#    cell? <details><summary>Answer</summary>By a factor of at most $e^\varepsilon$, because all
#    other cells are fixed.</details>
# 2. The attacker believes that either of two cells may be 1, but never both. Can a release move the
#    odds of the first cell by more than $e^\varepsilon$? <details><summary>Answer</summary>Yes,
#    since the cells are not independent. A published 0 in the second cell is also evidence for a 1
#    in the first cell.</details>
# 3. A group has 50 equal rows, and all 50 people have the same illness. What are k and l?
#    <details><summary>Answer</summary>k = 50 and l = 1: no row can be found, but the illness of all
#    50 people is known.</details>
# 4. Half of all people have a cold and half have the flu. In one group, three of four people have a
#    cold. What is the smallest t for which the group is t-close?
#    <details><summary>Answer</summary>One quarter, which is (1/4 + 1/4) / 2.</details>
#
# ## What to remember
#
# - $e^\varepsilon$ limits the change in the odds between two neighbours if all other cells are
#   fixed.
# - If $c$ cells are correlated, the limit is $e^{c\varepsilon}$.
# - Treat correlated cells as one unit, or state the beliefs for which the guarantee holds.
# - A unanimous group discloses its value, whatever k is.
#
# ## References
#
# - Kifer and Machanavajjhala 2011, *No free lunch in data privacy*, [doi
#   10.1145/1989323.1989345](https://doi.org/10.1145/1989323.1989345).
# - Kifer and Machanavajjhala 2014, *Pufferfish: a framework for mathematical privacy definitions*,
#   [doi 10.1145/2514689](https://doi.org/10.1145/2514689).
# - Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007, *l-diversity: privacy beyond
#   k-anonymity*, [doi 10.1145/1217299.1217302](https://doi.org/10.1145/1217299.1217302).
# - Li, Li and Venkatasubramanian 2007, *t-closeness: privacy beyond k-anonymity and l-diversity*,
#   [doi 10.1109/ICDE.2007.367856](https://doi.org/10.1109/ICDE.2007.367856).
# - Dwork and Roth 2014, *The algorithmic foundations of differential privacy*, [doi
#   10.1561/0400000042](https://doi.org/10.1561/0400000042).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - $e^\varepsilon$ limits the change in the odds between two neighbours if all other cells are
#   fixed.
# - If $c$ cells are correlated, the limit is $e^{c\varepsilon}$.
# - Treat correlated cells as one unit, or state the beliefs for which the guarantee holds.
# - A unanimous group discloses its value, whatever k is.
