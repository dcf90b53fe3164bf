# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 16 A recommender for a person, attacked
#
# **The unit is everything that a user ever rated.**

# %% [markdown] slideshow={"slide_type": "notes"}
# # 16 A recommender for a person, attacked
#
# *Edition 2, part 6 of 6: a person. Core track.*
#
# ## What you will be able to do
#
# - protect a *person*: the unit is all ratings of a user;
# - publish an item covariance with clipped rows and Gaussian noise;
# - say what δ means, and compute (ε, δ) from the noise;
# - attack a release by membership inference, and report the result as a lower bound on ε.
#
# ## What you need
#
# You need notebooks [01](01_privacy_by_counting.ipynb) and [02](02_noise_graphs.ipynb) (ε, units,
# group privacy) and [09](09_counts_of_a_graph.ipynb) (Gaussian noise). You also need matrix
# products, the singular value decomposition and the normal distribution.
#
# **Minutes (estimates):** about 40 to read, about 75 for the exercises.
#
# ## Break something: predict, then run
#
# MovieLens has 943 people and nearly twice as many films. A like is a rating of four or five stars.
# So far, most guarantees have covered a single like. Now a *person* demands: "A release may not
# change the odds that I am in the data by a factor of more than $e^8$." Randomized response can
# meet this demand by group privacy (notebook [01](01_privacy_by_counting.ipynb)): each cell of a
# row, whether the film was rated or not, gets an equal share of ε = 8.
#
# **With what probability must each cell then be flipped?** Write your number down, then run.

# %%
my_prediction = 0.1  # your own number here, between 0 and 1/2

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## ε = 8 for a whole row
#
# Randomized response protects a person by group privacy: each cell of the row gets an equal share
# of ε = 8. **With what probability is a cell then flipped?**

# %% slideshow={"slide_type": "fragment"} tags=["real-data", "nbval-check-output"]
import numpy as np
import pandas as pd
from IPython.display import display

import pplab
from pplab_course import say
from pplab_papers.collection import read_result

films = pplab.load_dataset("movielens-100k")
likes = (films.ratings.toarray() >= 4).astype(float)
flip = pplab.epsilon_to_flip(8 / likes.shape[1])
say(f"A cell is flipped with p = **{flip:.4f}**; you said {my_prediction}.")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Every cell is nearly a fair coin
#
# Recall at 20 is the share of a user's held-out likes that are among the 20 films shown:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
parts = ("person-movielens", "person-jester")  # stored runs of the comparison in notebook 17
use = pd.concat(read_result("yardstick", part).frame for part in parts)
audit = read_result("yardstick", "person-audit").frame
recall = use[use["quantity"] == "recall"].set_index(["data", "family", "epsilon"])["value"]
flipped = recall["movielens-100k", "noise graph", "8"]
popular = recall["movielens-100k", "popularity", ""]
say(f"Recall at 20: {flipped:.3f} with these flips, {popular:.3f} with the most popular films.")

# %% [markdown] slideshow={"slide_type": "notes"}
# Every published cell is nearly a fair coin, so the flipped table is useless. (*Recall at 20* is
# the share of a user's held-out likes that are among the 20 films shown.) Notebook
# [20](20_learning_with_noise.ipynb) makes flips useful for a large crowd by limiting each user's
# likes. In this notebook, a **trusted curator** sees the table, and publishes sums over many
# people.
#
# ## Define: neighbours, and a guarantee with δ
#
# The **frame** (the lists of users and items) is public. Two tables are **neighbours** when they
# are equal, except that one table lacks all ratings of one user. The user stays in the frame, with
# an empty row. (In notebooks 01 and 09, a row may change arbitrarily.)
#
# A mechanism M is **(ε, δ)-private** if, for all neighbours D and D′, in either order, and for all
# sets S of outputs,
#
# $$\Pr[M(D) \in S] \;\le\; e^{\varepsilon}\,\Pr[M(D') \in S] + \delta .$$
#
# For n people, choose δ far below 1/n. With δ = 1/n, a mechanism may print the whole row of one
# random person (notebook [09](09_counts_of_a_graph.ipynb)). We choose δ = $10^{-5}$.
#
# **The Gaussian mechanism.** Each user adds a vector of length at most Δ to a sum. The mechanism
# adds normal noise of standard deviation σΔ to each coordinate of the sum; σ is the **noise
# multiplier**. For the worst neighbours, the two sums differ in only one direction. In this
# direction, the output is normal with mean 0 or with mean Δ. So an attacker must distinguish two
# normal distributions whose means are $\mu = 1/\sigma$ standard deviations apart. A test with
# false-alarm rate α misses the person with probability at least f(α):
#
# $$f(\alpha) \;=\; \Phi\big(\Phi^{-1}(1-\alpha) - \mu\big), \qquad
# \delta(\varepsilon) \;=\; \Phi\!\left(\tfrac{\mu}{2}-\tfrac{\varepsilon}{\mu}\right)
# - e^{\varepsilon}\,\Phi\!\left(-\tfrac{\mu}{2}-\tfrac{\varepsilon}{\mu}\right).$$
#
# Here f is the **trade-off curve**, and Φ is the distribution function of the standard normal. The
# second formula is exact (Balle and Wang 2018). Proof: the log of the ratio of the two densities is
# normal, with mean $\pm\mu^2/2$ and standard deviation μ. The worst set S contains the outputs at
# which this log is larger than ε. ∎

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Neighbours, and a guarantee with δ
#
# Two neighbours are equal, except that one table lacks all ratings of one user. The frame is
# public.
#
# $$\Pr[M(D) \in S] \;\le\; e^{\varepsilon}\,\Pr[M(D') \in S] + \delta$$
#
# For n people, choose δ far below 1/n.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The Gaussian mechanism
#
# With noise of standard deviation σΔ, an attacker must distinguish two normal distributions at a
# distance of $\mu = 1/\sigma$ standard deviations.
#
# $$f(\alpha) = \Phi\big(\Phi^{-1}(1-\alpha) - \mu\big)$$
#
# A test with false-alarm rate α misses the person with probability at least f(α).

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from pplab.recommenders.private import gaussian_level

delta = 1e-5
levels = pd.DataFrame({"σ": [0.5, 1, 2, 4]})
levels["exact ε at δ = 1e-5"] = [gaussian_level(noise, delta=delta) for noise in levels["σ"]]
levels.round(2)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Code: an item covariance of clipped rows
#
# McSherry and Mironov (2009) publish the covariance of items. Each row is **clipped** as a whole to
# length at most 1. A row y then adds the matrix $y y^\top$ to the covariance. The norm of this
# matrix (the square root of the sum of its squared entries) is $|y|^2 \le 1$, so the sensitivity
# is 1. The noise must be symmetric, like $y y^\top$, so we average a noise matrix with its
# transpose.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## An item covariance of clipped rows
#
# Each row is **clipped** as a whole to length at most 1, and adds the matrix
#
# $$y\,y^\top, \qquad |y\,y^\top| = |y|^2 \le 1$$


# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
def clipped(rows, clip):  # long rows are shortened as a whole
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.maximum(lengths / clip, 1)


def item_covariance(rows, noise, rng):
    rows = clipped(rows, 1.0)
    drawn = noise * rng.standard_normal((rows.shape[1], rows.shape[1]))
    return rows.T @ rows + (drawn + drawn.T) / 2


exact = item_covariance(likes, 0.0, np.random.default_rng(1))
without_one = item_covariance(likes[1:], 0.0, np.random.default_rng(1))
moved = np.linalg.norm(exact - without_one)
say(f"Without the first user, the covariance changes by a length of {moved:.3f}.")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Signal and noise

# %% slideshow={"slide_type": "-"} tags=["real-data", "nbval-check-output"]
top = np.linalg.eigvalsh(exact)[-1]
pure_noise = item_covariance(0 * likes, 1.0, np.random.default_rng(1))
noise_top = np.linalg.eigvalsh(pure_noise)[-1]
say(f"Largest eigenvalue: {top:.1f} for the people, {noise_top:.1f} for noise alone at σ = 1.")

# %% [markdown] slideshow={"slide_type": "notes"}
# After averaging, an entry off the diagonal has noise of standard deviation $\sigma/\sqrt2$. This
# smaller noise is enough, because the entry appears twice in the matrix, and so counts twice in the
# squared norm.
#
# The leading eigenvectors of the covariance are the directions in which rows are longest. The
# truncated singular value decomposition finds the same directions. So without noise *or clipping*,
# our method is a well-known recommender. We leave out the directions that noise alone could
# produce. To find these directions, we only need σ, which is public. Each user's device projects
# the user's own row onto the remaining directions, and ranks the items. This step needs no
# guarantee, as long as only the user sees the list.
#
# The library's `NoisyCovariance` also publishes noisy sums of the rows. For ratings, it first
# subtracts the item means. **These means are computed from the noisy sums, never from the data:**
# an exact mean would disclose something about a person. If the distance is $\mu_1$ for the sums and
# $\mu_2$ for the covariance, then both together have a distance μ with $\mu^2 = \mu_1^2 + \mu_2^2$.
#
# **Exercise C (compute).** Rows are clipped to length 2, and σ is 3/2. What is the standard
# deviation of the noise on a *diagonal* entry of the covariance?

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: a number
answer = 3 / 2 * 2**2
check("16-C", answer)

# %% [markdown]
# **Exercise P (prove by code).** Write `clipped_sum(rows, clip)`. It scales rows longer than
# `clip` down to this length, and returns the sum of all rows. The check tries long, short and empty
# rows.


# %% tags=["solution", "nbval-check-output"]
def clipped_sum(rows, clip):
    # YOUR CODE: shorten each row that is too long, then add
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.maximum(lengths / clip, 1)).sum(axis=0)


check("16-P", clipped_sum)

# %% [markdown]
# **Exercise B (break).** Alongside its noisy covariance, a team publishes the *exact* mean rating
# of each item, taken over the users who rated the item. The team claims "(ε, δ) for a person".
# Refute this claim: give two neighbours, `(one, other)`, whose exact means differ. Each table has 3
# users (rows) and 2 items. Ratings go from 1 to 5, and 0 means no rating. The second table lacks
# all ratings of one user. In both tables, each item has at least one rating.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: two lists of three rows
answer = ([[5, 1], [3, 3], [3, 3]], [[0, 0], [3, 3], [3, 3]])
check("16-B", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## How well does it recommend?
#
# We hold out a fifth of the likes to test recommendations, and a fifth of the ratings to test
# predictions. We recommend 20 films on MovieLens, and 10 of 100 jokes on Jester (part 1). Ten runs
# on the real data are stored (`pplab reproduce yardstick`). The clip and the number of directions
# were chosen on made-up data, since choices on real data also cost privacy.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## How well does it recommend?
#
# Noise is added once for each pair of items; the signal grows with the number of people.

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
names = {"": "no noise, no clip", "inf": "clip only", "8": "ε = 8", "3": "ε = 3", "1": "ε = 1"}
families = ["no protection", "popularity", "own mean", "noisy covariance"]
for quantity in ("recall", "rmse"):
    rows = use[(use["quantity"] == quantity) & use["family"].isin(families)]
    table = rows.pivot_table(index=["data", "family"], columns="epsilon", values="value")
    table = table.rename(columns=names)[list(names.values())]
    display(table.rename_axis(columns=quantity).round(3).astype(object).fillna("-"))

# %% [markdown] slideshow={"slide_type": "notes"}
# Noise is added once for each pair of *items*, whereas the signal grows with the number of
# *people*. So noise costs more accuracy in a small population. Clipping costs accuracy on both data
# sets. On Jester, a list of the most popular jokes is better than the lists of the covariance, even
# without noise or clipping.
#
# The method *own mean* uses only the user's own ratings. A private model with larger errors than
# this method should not be published.
#
# ## The attack: was this person in?
#
# **Membership inference** asks one question: was this person in the data? The attacker knows the
# person's row y and sees a release C. The statistic combines $y^\top C\,y$ with the product of y
# and the noisy sums. The attacker simulates many releases from random halves of the users, *with*
# and *without* the person, and fits a normal distribution to the statistics in each case. The score
# is the log of the **likelihood ratio** (Carlini and others 2022). One half of the releases
# determines the two distributions and the threshold. The second half tests the attack. Exact
# intervals for the hit rate $h$ and the false-alarm rate $a$ give
#
# $$\varepsilon \;\ge\; \log\frac{h_{\text{low}} - \delta}{a_{\text{high}}} \quad\text{and}\quad
# \varepsilon \;\ge\; \log\frac{1 - a_{\text{high}} - \delta}{1 - h_{\text{low}}} .$$
#
# The result is the larger bound, or 0 if both bounds are negative.
#
# We begin with one person and one item, because then the truth is known. Each of ten runs has $2
# \cdot 10^4$ releases. The claim is that the noise has σ = 1, but the true noise is only a fraction
# (*scale*) of this σ.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The attack: was this person in?
#
# The statistic is $y^\top C\,y$. The hit rate h and the false-alarm rate a give
#
# $$\varepsilon \;\ge\; \log\frac{h_{\text{low}} - \delta}{a_{\text{high}}} \quad\text{and}\quad
# \varepsilon \;\ge\; \log\frac{1 - a_{\text{high}} - \delta}{1 - h_{\text{low}}}$$

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## A case in which the truth is known
#
# One person has one item. The true noise is a fraction of the claimed noise:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
refuted = audit[audit["quantity"] == "refuted"].set_index("scale")["value"]
display((refuted * 10).round().astype(int).to_frame("runs of ten that refute the claim"))
smallest = 1 - refuted[refuted >= 0.9].index.max()
say(f"The smallest shortfall tried that nine of ten runs detect: **{smallest:.0%}** of the noise.")

# %% [markdown] slideshow={"slide_type": "notes"}
# We now attack the real release. The targets are the first eight people in MovieLens with 20 or
# more likes. All eight attacks use the same 200 releases. At each ε (inf means no noise), the
# intervals hold for all eight people at once in 95 % of runs.

# %% tags=["nbval-check-output"]
member = audit[audit["quantity"] == "membership"].astype({"person": int})
bounds = member.pivot_table(index="person", columns="epsilon", values="value")[["inf", "8", "1"]]
display(bounds.round(2).rename_axis("lower bound on ε, by person"))
totals = member.groupby("epsilon")[["hits", "members", "false_alarms", "others"]].sum().astype(int)
totals["says 'in' of members"] = totals["hits"] / totals["members"]
totals["says 'in' of others"] = totals["false_alarms"] / totals["others"]
totals.loc[["inf", "8", "1"]].round(2)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The real release
#
# We attack eight people, in releases without noise:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from pplab.intervals import binomial_lower, binomial_upper

row = totals.loc["inf"]
hit_low = binomial_lower(int(row["hits"]), int(row["members"]), alpha=0.025)
alarm_high = binomial_upper(int(row["false_alarms"]), int(row["others"]), alpha=0.025)
first = np.log((hit_low - delta) / alarm_high)
second = np.log((1 - alarm_high - delta) / (1 - hit_low))
say(f"For all eight people pooled, without noise, ε is at least **{max(first, second):.1f}**.")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## An attack gives only a lower bound
#
# A small bound may mean a good guarantee, a weak attacker or few releases.
#
# | | bounds ε |
# |---|---|
# | an attack | from below |
# | a proof | from above |

# %% [markdown] slideshow={"slide_type": "notes"}
# **Why are the bounds so small, even without noise?** First, each person is a member in only about
# fifty of the tested releases, and the intervals must hold for all eight people at once. This alone
# makes many bounds 0. (The pooled result treats all releases as independent.) Second, the rows of
# other people act as noise for an attacker who does not know these rows. An attacker who knows all
# other rows can subtract them. Then only the target's row, of length 1, is left. So every person
# who has a like is as exposed as the person in the section above.
#
# **An attack gives only a lower bound.** A small bound may mean a good guarantee, a weak attacker
# or few releases. With these intervals and a hundred tested releases, even a perfect attacker could
# not prove a bound above about 2. Only a proof bounds ε from above. Attacks find *mistakes*, for
# example noise that is half as large as stated.
#
# <details><summary>In the ledger: what we had expected</summary>
#
# We had expected that this attacker would prove ε > 1 for at least one person
# (`yardstick:person:membership-found`), and that no mechanism would predict ratings better than the
# user's own mean (`yardstick:person:own-mean`). Both predictions are refuted.
#
# </details>
#
# ## Play
#
# **Question:** an attacker accepts a false-alarm rate of 1 %. How much noise does one release need
# if at most 2 % of the members are to be caught? How much noise does each of ten releases need?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Question
#
# An attacker accepts a false-alarm rate of 1 %. **How much noise does one release need if at most
# 2 % of the members are to be caught? How much noise does each of ten releases need?**

# %% tags=["hide-input"]
from scipy.stats import norm

from pplab.plots import COLOURS


def draw(axes, noise, releases):
    mu = np.sqrt(releases) / noise
    alarms = np.logspace(-4, 0, 200)
    caught = norm.cdf(norm.ppf(0.01) + mu)
    axes.loglog(alarms, norm.cdf(norm.ppf(alarms) + mu), color=COLOURS["blue"])
    axes.loglog(alarms, alarms, "k:", alarms, np.full(200, 0.02), "k--")
    axes.plot(0.01, caught, "o", color=COLOURS["red"])
    axes.set(ylabel="members caught, at most", ylim=(1e-4, 1.5))
    axes.set_xlabel("false alarms\n(dashed 2 %, dotted guessing)", fontsize=9)
    axes.set_title(f"σ = {noise:g}, releases: {releases}\n{caught:.1%} caught", fontsize=9)
    return {"noise": noise, "releases": releases, "caught": caught}


# %% tags=["widget", "nbval-ignore-output", "hide-input"]
from pplab.widgets import Control, explore, twin

noises = (0.5, 1, 2, 3, 4, 6, 8, 12)
sentence = "σ = {noise:g}, releases: {releases}; at 1 % of false alarms, {caught:.1%} are caught."
explore(
    draw,
    say=sentence.format_map,
    width=4.2,
    height=3.4,
    noise=Control("noise multiplier σ", noises, 1, "less private", "more private"),
    releases=Control("releases", (1, 2, 5, 10, 20), 1, "more private", "less private"),
)


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output", "hide-input"]
def message(states):
    low, high = states["caught"].min(), states["caught"].max()
    return f"Eight curves: at 1 % of false alarms, {low:.1%} to {high:.1%} of members are caught."


states = twin(draw, alt=message, releases=(1, 10), noise=(1, 3, 4, 12))
enough = 1 / (norm.ppf(0.02) - norm.ppf(0.01))
folded = (
    f"One release needs σ = {enough:.1f}. Each of ten needs √10 times this, {enough * 10**0.5:.1f}."
)
say(f"<details><summary>The answer</summary>\n\n{folded}\n\n</details>")

# %% [markdown]
# ## Exercises
#
# Exercises C, P and B are above. In exercise O, the check only tests the format of your answer, and
# prints three lines that help you to judge its content.
#
# - **D (design).** Once a year, for three years, a service publishes the likes and the ratings.
#   These are six releases with Gaussian noise of the same multiplier σ. All six releases together
#   must have $\mu = 1$. Give `{"noise": ..., "epsilon": ...}`: the smallest σ that each release may
#   have, and the exact ε of all six releases together at δ = $10^{-5}$, both rounded to three
#   digits.
# - **O (open).** Attack a person of your choice, in a release of your choice. Report the numbers of
#   hits, members, false alarms and others, and a lower bound on ε. *First step:* attack the release
#   about one person and one item. `1 + rng.standard_normal(1000)` are releases with the person
#   (members), and `rng.standard_normal(1000)` are releases without the person (others). Fix a
#   threshold, say "in" for each release above the threshold, and count hits and false alarms.
#   `binomial_lower(hits, members, alpha=0.025)` is $h_{low}$, and `binomial_upper(false_alarms,
#   others, alpha=0.025)` is $a_{high}$. *Then* attack a person from the data.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: {"noise": ..., "epsilon": ...}
answer = {"noise": 6**0.5, "epsilon": gaussian_level(1, delta=delta)}
check("16-D", answer)

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: {"hits": ..., "members": ..., "false_alarms": ..., "others": ..., "lower_bound": ...}
from pplab.attacks.person import audit_person

few, rng = likes[:300, :60], np.random.default_rng(5)
person = int(few.sum(axis=1).argmax())
row, inside = clipped(few[[person]], 1.0)[0], rng.random(400) < 0.5
leaning = []
for taken in inside:
    half = few * (rng.random(300) < 0.5)[:, None]
    half[person] = few[person] * taken
    leaning.append(row @ item_covariance(half, 0.5, rng) @ row)
result = audit_person(leaning, inside, delta=delta, alpha=0.05)
answer = {name: getattr(result, name) for name in ("hits", "members", "false_alarms", "others")}
answer["lower_bound"] = result.lower_bound
check("16-O", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Quiz
#
# 1. A membership attack finds nothing. Is the guarantee proved?
#    <details><summary>Answer</summary>No: an attack only bounds ε from below, and a better attack
#    may prove a larger bound.</details>
# 2. Why must a row be clipped as a whole, and not cell by cell?
#    <details><summary>Answer</summary>The unit is the whole row. If cells were clipped one by one,
#    a row with many ratings could change the sum by more than the length of the clip.</details>
#
# ## What to remember
#
# - A user-level guarantee covers all ratings of a person: clip the whole row, then add noise.
# - Everything computed from data costs privacy, even means, counts and settings.
# - An attack bounds ε from below, and a proof bounds ε from above. Report which bound you have.
#
# ## References
#
# - McSherry and Mironov 2009, *Differentially private recommender systems*,
#   [doi 10.1145/1557019.1557090](https://doi.org/10.1145/1557019.1557090).
# - Balle and Wang 2018, *Improving the Gaussian mechanism for differential privacy*,
#   [arXiv 1805.06530](https://arxiv.org/abs/1805.06530).
# - Carlini and others 2022, *Membership inference attacks from first principles*,
#   [arXiv 2112.03570](https://arxiv.org/abs/2112.03570).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ask the room
#
# Why must a row be clipped as a whole, and not cell by cell?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - A user-level guarantee covers all ratings of a person: clip the whole row, then add noise.
# - Everything computed from data costs privacy, even means, counts and settings.
# - An attack bounds ε from below, and a proof bounds ε from above.
