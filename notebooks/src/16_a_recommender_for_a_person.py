# %% [markdown]
# # 16 A recommender for a person, attacked
#
# *Edition 2, part 6 of 6: a person. Core track.*
#
# ## What you will be able to do
#
# - guarantee something to a *person*: the unit is all that a user ever rated;
# - publish an item covariance, and train a factorisation, with clipped users and Gaussian noise;
# - say what δ is, and turn noise into (ε, δ) by three conversions;
# - say which batches an *accountant* (a program that adds levels up) assumes, and what others cost;
# - attack a release by membership inference, and report what you found as a lower bound.
#
# ## What you need
#
# Notebooks [01](01_privacy_by_counting.ipynb) and [02](02_noise_graphs.ipynb): ε, units, group
# privacy; [09](09_counts_of_a_graph.ipynb): δ. Also: matrix products, the
# singular value decomposition, the normal distribution, and
# a gradient step.
#
# **Minutes (estimates):** about 55 to read, about 75 for the exercises.
#
# ## Break something: predict, then run
#
# MovieLens: 943 people, and nearly twice as many films. A like is a film with four stars or five.
# So far a recommender guaranteed something for one like. Now a *person* asks: "whether I took part
# at all must not show by more than $e^8$ in the odds." Randomized response can do that by group
# privacy: each cell of a row, rated or not, gets its share of the 8. (Nobody's row is clipped
# here.)
#
# **With what probability is a cell flipped then?** Write your number down, then run.

# %%
my_prediction = 0.1  # your own number here, between 0 and 1/2

# %% tags=["real-data", "nbval-check-output"]
import numpy as np
import pandas as pd
from IPython.display import Markdown, display

import pplab
from pplab_papers.collection import read_result


def say(text):  # a sentence with numbers from the run
    display(Markdown(text))


films = pplab.load_dataset("movielens-100k")
likes = (films.ratings.toarray() >= 4).astype(float)
users, items = likes.shape
flip = pplab.epsilon_to_flip(8 / items)
say(f"A cell is flipped with p = **{flip:.4f}**; you said {my_prediction}.")

# %% tags=["real-data", "nbval-check-output"]
parts = ("person-movielens", "person-jester")
use = pd.concat(read_result("yardstick", part).frame for part in parts)
audit = read_result("yardstick", "person-audit").frame
recall = use[use["quantity"] == "recall"].set_index(["data", "family", "epsilon"])["value"]
flipped = recall["movielens-100k", "noise graph", "8"]
popular = recall["movielens-100k", "popularity", ""]
say(f"Recall at 20 from those flips is {flipped:.3f}. The popular films alone reach {popular:.3f}.")

# %% [markdown]
# Every cell is nearly a fair coin: without a cap, a flipped table is of no use. Is that a fair
# contest? The methods below clip each person, these flips do not. So keep c random likes of each
# user: only c cells differ from an empty row, and each gets ε/c. The items are ranked by the sums
# of the columns, the same list for all (but for what a user has seen), and nobody is trusted. The
# rival is a trusted server that *counts* the same likes and adds Laplace noise of scale c/ε.


# %% tags=["real-data", "nbval-check-output"]
def with_cap(likes, shown_items, cap, level, rng):  # recall: by flips, by noisy counts
    hidden = likes * (rng.random(likes.shape) < 0.2)
    seen = likes - hidden
    lots = seen * rng.random(likes.shape)
    kept = seen * (lots >= np.sort(lots, axis=1)[:, [-cap]])
    flips = rng.random(likes.shape) < 1 / (1 + np.exp(level / cap))
    counts = kept.sum(axis=0) + rng.laplace(0, cap / level, likes.shape[1])
    recalls = []
    for scores in (np.abs(kept - flips).sum(axis=0), counts):
        ranked = np.argsort(-np.where(seen > 0, -np.inf, scores), axis=1)[:, :shown_items]
        hits = np.take_along_axis(hidden, ranked, axis=1).sum(axis=1)
        wanted = np.minimum(hidden.sum(axis=1), shown_items)
        recalls.append((hits[wanted > 0] / wanted[wanted > 0]).mean())
    return recalls


# %% tags=["real-data", "nbval-check-output"]
import contextlib
import sys

with contextlib.redirect_stderr(sys.stdout):  # its notice says which part of Jester this is
    jester = pplab.load_dataset("jester")
jokes = (jester.ratings.toarray() >= 5).astype(float)
capped = {}
for data, table, shown_items in (("MovieLens", likes, 20), ("Jester", jokes, 10)):
    for cap in (2, 10):
        for level in (8, 3, 1):
            pair = with_cap(table, shown_items, cap, level, np.random.default_rng(cap))
            capped[data, cap, level] = dict(zip(("flips", "counts"), pair, strict=True))
pd.DataFrame(capped).T.rename_axis(["data", "c", "ε"]).round(3)

# %% [markdown]
# With a cap flips are of use where there is a **crowd**: Jester has 250 people for each joke. On
# MovieLens they stay far behind the counts, which lose little down to ε = 3. (Both caps were tried
# on these data: for learning, not for publishing.)
#
# But must the *table* be published? A recommender needs sums over many people, and one person is
# little in a sum.
#
# ## Define: neighbours, and a guarantee with δ
#
# The **frame** is public: which users and which items there are. Two tables are **neighbours** when
# all ratings of one user are replaced by *none*. The user stays in the frame, with an empty row.
# (In notebooks 01 and 09 a row may change at will: that costs up to twice as much.)
#
# A mechanism M is **(ε, δ)-private** when for all neighbours D and D′, both ways, and all sets S of
# outputs
#
# $$\Pr[M(D) \in S] \;\le\; e^{\varepsilon}\,\Pr[M(D') \in S] + \delta .$$
#
# Whatever S you name: its probability under D is at most $e^\varepsilon$ times that under D′, and δ
# more. Choose δ far below one over the number of people, because with a δ of one over that number a
# release may print one person's whole row. We take $10^{-5}$.
#
# **The Gaussian mechanism.** A user adds a vector of length at most Δ to a sum. Add normal noise of
# standard deviation σΔ to each coordinate. σ is the **noise multiplier**. Between the worst
# neighbours only one direction matters: there the output is normal around 0 or around Δ. So the
# whole guarantee is that of two normal distributions at distance $\mu = 1/\sigma$ (in standard
# deviations). A test with false alarms α misses at least
#
# $$f(\alpha) \;=\; \Phi\big(\Phi^{-1}(1-\alpha) - \mu\big), \qquad
# \delta(\varepsilon) \;=\; \Phi\!\left(\tfrac{\mu}{2}-\tfrac{\varepsilon}{\mu}\right)
# - e^{\varepsilon}\,\Phi\!\left(-\tfrac{\mu}{2}-\tfrac{\varepsilon}{\mu}\right).$$
#
# f is the **trade-off curve**. The second formula is exact (Balle and Wang 2018). Proof: the log
# of the ratio of the two densities is normal, with mean $\pm\mu^2/2$ and standard deviation μ; and
# the set S for which most is missing holds the outputs whose log ratio exceeds ε. (Φ is the
# distribution function of the standard normal.) ∎
#
# ## Code: an item covariance for clipped users
#
# McSherry and Mironov (2009) publish which items go together. Each row is **clipped** as a whole to
# length 1. A row y then adds the products $y y^\top$, whose length (the root of the sum of all
# squared entries) is $|y|^2 \le 1$. So 1 is the sensitivity. The noise must be symmetric as the
# products are: average noise with its transpose.


# %% tags=["real-data", "nbval-check-output"]
def clipped(rows, clip):  # each row shortened as a whole, short ones left alone
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.maximum(lengths / clip, 1)


def item_covariance(rows, noise, rng):
    rows = clipped(rows, 1.0)
    drawn = noise * rng.standard_normal((rows.shape[1], rows.shape[1]))
    return rows.T @ rows + (drawn + drawn.T) / 2


exact = item_covariance(likes, 0.0, np.random.default_rng(1))
moved = exact - item_covariance(likes[1:], 0.0, np.random.default_rng(1))
say(f"Without its first user the covariance moves by a length of {np.linalg.norm(moved):.3f}.")
top = np.linalg.eigvalsh(exact)[-1]
noise = np.linalg.eigvalsh(item_covariance(0 * likes, 1.0, np.random.default_rng(1)))[-1]
say(f"Largest eigenvalue: {top:.1f} of the people, {noise:.1f} of noise with σ = 1 alone.")

# %% [markdown]
# Why the mean of the drawn noise and its transpose? An entry off the diagonal appears twice in the
# matrix and counts twice in the length. Its noise has standard deviation $\sigma/\sqrt2$, and that
# is enough.
#
# The leading eigenvectors of the covariance, the few directions in which rows are longest (likes
# are not centred: the first direction is popularity), are those of the truncated singular value
# decomposition: with noise *and clip* off, this is the known recommender. Directions that noise
# alone could make are left out. Only σ is needed for that, and σ is public (the noise itself stays
# secret), so that costs nothing. A user's own device puts the user's own row into those directions,
# and ranks the items. The device needs no guarantee from itself, as long as it shows the list to
# nobody else.
#
# The library's `NoisyCovariance` publishes noisy sums of the rows, too. For ratings it subtracts
# the item means first. **Those means are made of the noisy sums, never of the data:** an exact mean
# would disclose something about a person. Both steps together cost $\mu^2 = \mu_1^2 + \mu_2^2$.
#
# **Exercise C (compute).** Rows are clipped to length 2, and σ is 3/2. What is the standard
# deviation of the noise on a *diagonal* entry of the covariance?

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: a number
answer = 3 / 2 * 2**2
check("16-C", answer)

# %% [markdown]
# **Exercise P (prove by code).** Write `clipped_sum(rows, clip)`: the sum of all rows, each
# shortened as a whole to length at most `clip`. It is tried on rows that are long, short and empty.


# %% tags=["solution", "nbval-check-output"]
def clipped_sum(rows, clip):
    # YOUR CODE: shorten each row that is too long, then add
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.maximum(lengths / clip, 1)).sum(axis=0)


check("16-P", clipped_sum)

# %% [markdown]
# ## Levels: one noise, three numbers
#
# How large is ε for σ = 1 and δ = $10^{-5}$? It depends on who counts:
#
# - **Mironov 2017**: the *Rényi divergence* of order a, made of the mean of the a-th power of the
#   odds factor, is $a\mu^2/2$, and $\varepsilon = a\mu^2/2 +
#   \log(1/\delta)/(a-1)$. The best a gives $\mu^2/2 + \mu\sqrt{2\log(1/\delta)}$, one line.
# - **dp-accounting, Rényi**: the same divergences, a sharper conversion.
# - **exact**: the whole distribution of the *loss*, the log of the ratio of the densities.
#
# All three are true; the noise is the same. A smaller number is a better proof, not more privacy.

# %% tags=["nbval-check-output"]
from pplab.recommenders.private import gaussian_level

delta = 1e-5
by_hand = 1 / 2 + np.sqrt(2 * np.log(1 / delta))
summary = audit[audit["setting"] == "one step"].set_index("conversion")["value"].to_dict()
try:
    found = {way: gaussian_level(1, delta=delta, conversion=way) for way in summary}
except ModuleNotFoundError as missing:
    print(f"Stored numbers, since {missing}")
    found = summary
print({way: f"{level:.2f}" for way, level in found.items()}, f"by hand: {by_hand:.2f}")

# %% [markdown]
# ## Code: factorisation by clipped noisy gradients
#
# The second recommender learns a vector for each item. In each step
#
# 1. each user is drawn with probability q, by a coin of their own (**Poisson sampling**);
# 2. a drawn user fits their own coefficients to the vectors published so far, and takes the
#    gradient of their own error, clipped as a whole to length c;
# 3. the sum gets noise of standard deviation σc, and is divided by the *expected* number qn.
#
# For likes, in lines that you can read:


# %% tags=["nbval-check-output"]
def factorise(rows, *, rank, steps, q, clip, noise, rate, ridge, rng):
    users, items = rows.shape
    factors = np.random.default_rng(0).standard_normal((items, rank))  # public start
    for _ in range(steps):
        drawn = rows[rng.random(users) < q]
        gram = factors.T @ factors + ridge * np.eye(rank)
        own = np.linalg.solve(gram, factors.T @ drawn.T).T  # stays on the device
        errors = own @ factors.T - drawn
        lengths = np.linalg.norm(errors, axis=1) * np.linalg.norm(own, axis=1)
        own = own / np.maximum(lengths / clip, 1)[:, None]
        total = errors.T @ own + noise * clip * rng.standard_normal(factors.shape)
        factors = factors - rate * total / (q * users)
    return factors


# %% [markdown]
# One user's gradient is errors times coefficients, an *outer product*, whose length is the product
# of both lengths: nobody has to write it out. **Why the expected number?** The users drawn must
# stay hidden, and so must the number drawn. The expected number reveals nothing. An empty batch is
# a step with noise alone.
#
# With noise and clip off, the descent must find what the singular value decomposition finds:

# %% tags=["nbval-check-output"]
from scipy.linalg import subspace_angles

small = (np.random.default_rng(3).random((60, 12)) < np.linspace(0.2, 0.8, 12)).astype(float)
plain = {"q": 1, "clip": 1e9, "noise": 0, "rate": 4, "ridge": 1e-6, "rng": np.random.default_rng(1)}
learned = factorise(small, rank=1, steps=2000, **plain)
right = np.linalg.svd(small)[2][:1].T
angle = np.degrees(subspace_angles(learned, right)[0])
say(f"The angle between both directions is below {np.ceil(angle + 1e-9):.0f} degree.")

# %% [markdown]
# **What sampling buys.** An attacker who sees a step does not know whether you were drawn. A
# hundred steps with q = 1/20 and σ = 1 cost far less than a hundred whole steps: ε is below 4 in
# the first line below, whole steps have μ = 10, an ε of about 92 (`gaussian_delta(92, mu=10)` of
# notebook 09 gives the δ). It holds for Poisson sampling. Shuffle the list and cut it into batches,
# as most programs do, and the proof is gone: then each time through the list counts as one whole
# step. The class takes the accounting with the batches, and refuses a pair that does not fit.

# %% tags=["nbval-check-output"]
from pplab.recommenders.private import NoisyFactorisation

names = ["100 sampled steps, none", "100 sampled steps, another", "100 shuffled steps"]
words = ["all ratings replaced by none", "replaced by any others", "shuffled, five times through"]
stored = audit.dropna(subset="setting").set_index("setting")["value"]
for name, word in zip(names, words, strict=True):
    print(f"{word:30} ε = {stored[name]:.2f}")
options = {"noise": 1, "delta": delta, "steps": 100, "sampling": 0.05, "rank": 5, "clip": 1}
try:
    NoisyFactorisation(**options, rate=1, ridge=1, batches="shuffled", accounting="poisson")
except ValueError as refusal:
    print(refusal)

# %% [markdown]
# **Exercise R (recall).** In every step each user throws a coin of their own, so that batches
# differ in size. What is this sampling called: `"poisson"`, `"shuffled"` or `"fixed"`?

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: one of the three, in quotes
answer = "poisson"
check("16-R", answer)

# %% [markdown]
# **Exercise B (break).** A team publishes, alongside its noisy covariance, the *exact* mean rating
# of each item, over those who rated it. Refute "(ε, δ) for a person": give two neighbours, `(one,
# other)`, each with 3 users (rows) and 2 items, ratings from 1 to 5 and 0 for no rating, whose
# exact means differ. In the second all ratings of one user are gone. Each item keeps a rating in
# both tables.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: two lists of three rows
answer = ([[5, 1], [3, 3], [3, 3]], [[0, 0], [3, 3], [3, 3]])
check("16-B", answer)

# %% [markdown]
# ## How well do they recommend?
#
# A fifth of the likes is held out and recommended, a fifth of the ratings held out and predicted.
# Ten seeds, each a training of its own. They ran on the real data and are stored, while your own
# table may be made up; `pplab reproduce yardstick` repeats them. *Recall* is the share of the likes
# held out of a row that are among the films shown: 20 films on MovieLens, 10 of the 100 jokes on
# Jester part 1. Clip, number of directions and step were chosen on made-up data (stand-ins):
# choosing them on the people would cost privacy, too.

# %% tags=["real-data", "nbval-check-output"]
order = ["no protection", "popularity", "own mean", "noisy covariance"]
order += ["noisy factorisation", "noise graph"]
for quantity in ("recall", "rmse"):
    rows = use[use["quantity"] == quantity]
    table = rows.pivot_table(index=["data", "family"], columns="epsilon", values="value")
    table = table.rename(columns={"": "no noise, no clip", "inf": "clip only"})
    table = table[["no noise, no clip", "clip only", "8", "3", "1"]]
    table = table.reindex([(d, f) for d in ("movielens-100k", "jester") for f in order]).dropna(
        how="all"
    )
    display(table.rename_axis(columns=quantity).round(3).astype(object).fillna("-"))

# %% tags=["nbval-check-output", "hide-input"]
from pplab.plots import COLOURS, new_figure, show

figure, panels = new_figure(1, 2, width=9, height=3.2)
lines = use[use["quantity"] == "recall"].set_index(["data", "family", "epsilon"]).sort_index()
looks = {"noisy covariance": ("blue", "o-"), "noisy factorisation": ("red", "s--")}
for axes, data in zip(panels, ("movielens-100k", "jester"), strict=True):
    for family, (colour, mark) in looks.items():
        line = lines.loc[data, family].loc[["1", "3", "8", "inf"]]
        axes.fill_between(range(4), line["low"], line["high"], color=COLOURS[colour], alpha=0.2)
        axes.plot(range(4), line["value"], mark, color=COLOURS[colour], label=family)
    axes.axhline(recall[data, "popularity", ""], color="black", linestyle=":", label="popular")
    axes.set(xticks=range(4), xticklabels="138∞", xlabel="ε of a person", title=f"recall, {data}")
    axes.set_ylim(0, 0.45)
panels[1].legend(frameon=False, fontsize=9)
ends = f"{lines['low'].min():.2f} to {lines['high'].max():.2f}"
show(figure, alt=f"Recall, {ends}: it rises with ε on MovieLens, and is flat on Jester.")

# %% [markdown]
# | family (the last two come in 10 and 14) | level of a person |
# |---|---|
# | noise graph | by group privacy over all cells of a row, no cap: the table above |
# | cluster averages | needs friends, which these data lack; else by group privacy as well |
# | smooth k-anonymity | no such level |
# | microaggregation | no such level |
#
# Read the two data sets against each other. MovieLens has fewer people than items, Jester part 1
# has 250 people for each joke. Noise is added once for each pair of *items*; signal grows with the
# *people*. Noise costs more accuracy in a small population than in a large one; the clip costs the
# covariance in both. The popular items alone, here without noise, beat the covariance on Jester at
# every ε and the factorisation on MovieLens even without noise; at ε = 1 they beat both there. On
# Jester they beat the recommender without protection, too: there, taste differs little. So compare
# with the counts of the first table as well: on Jester the covariance falls behind them, and behind
# flips with a cap of ten at ε = 8 and 3. What the ledger says of flips holds without a cap only. A
# service that publishes likes and ratings pays for both.
#
# In the rows of errors (Jester's scale goes from −10 to 10) look at *own mean*: a prediction from
# the user's own ratings alone, which needs nobody else. A private model that does worse should not
# be published at all.
#
# ## The attack: was this person in?
#
# **Membership inference** asks for one bit. The attacker knows the person's row y and much else,
# and sees a release. How strongly does the release correlate with y? The statistic is $y^\top C\,y$
# (and the sums along y). Its size says little: some rows resemble many others. So draw many
# releases of random halves of the users, *with* and *without* the person; fit a normal law to each;
# the score is the log of the **likelihood ratio** (Carlini and others 2022). One half of the draws
# teaches the laws and where to cut. The other half is judged, with exact intervals. Hits h and
# false alarms a give
#
# $$\varepsilon \;\ge\; \log\frac{h_{\text{low}} - \delta}{a_{\text{high}}} \quad\text{and}\quad
# \varepsilon \;\ge\; \log\frac{1 - a_{\text{high}} - \delta}{1 - h_{\text{low}}} .$$
#
# The larger one counts, and 0 if both are below.
#
# First where the truth is known: one person, one item, all else nothing; $2 \cdot 10^4$ releases
# in each of ten runs. The claim is the trade-off curve of σ = 1; the true noise is a share of that.

# %% tags=["nbval-check-output"]
seen = audit[audit["quantity"] == "refuted"].set_index("scale")["value"]
display((seen * 10).round().astype(int).to_frame("runs of ten that refute"))
least = 1 - seen[seen >= 0.9].index.max()
summary = f"Noise at half the stated scale is refuted in {seen[0.5] * 10:.0f} runs of ten."
say(f"{summary} The smallest shortfall, of those tried, seen in nine of ten is **{least:.0%}**.")

# %% [markdown]
# So the audit has teeth: where the pair is the worst one. Now the real release: the first
# eight people of MovieLens with 20 likes or more, all in the same 200 draws. At each level the
# intervals hold for all eight at once in 95 % of runs.

# %% tags=["real-data", "nbval-check-output"]
from pplab.intervals import binomial_lower, binomial_upper

summary = audit[audit["quantity"] == "membership"]
table = summary.pivot_table(index="person", columns="epsilon", values="value")[["inf", "8", "1"]]
display(table.round(2).rename_axis("lower bound on ε, person"))
hits = summary.groupby("epsilon")[["hits", "members", "false_alarms", "others"]].sum()
for name in ("inf", "8", "1"):
    h, m, a, o = hits.loc[name]
    print(f"ε = {name}: says 'in' of {h / m:.0%} who are in, and of {a / o:.0%} who are not")
h, m, a, o = hits.loc["inf"].astype(int)
low, high = binomial_lower(h, m, alpha=0.025), binomial_upper(a, o, alpha=0.025)
pooled = max(np.log((low - delta) / high), np.log((1 - high - delta) / (1 - low)))
print(f"without noise, all eight pooled: ε of at least {pooled:.1f}")

# %% [markdown]
# **Why so little, even without noise?** For two reasons. Each person has some forty judged draws as
# a member, and the intervals must hold for all eight people at once: that alone makes zeros. The
# last line pools the people, as if all draws were independent. And to an attacker who does not know
# the other people, they are noise. (At ε = 1 the attack says "in" nearly as often of those who are
# not. The cut was chosen for the best bound, not to say "in" rarely.) An attacker who knows all the
# others subtracts them, and what is left is the worst pair again: a row of length 1, and nothing
# else. Every person with a like is then as exposed as the one above. We had expected the *outsider*
# to prove ε > 1 for at least one person; the last row below is refuted, and the one on *own mean*
# is, too:

# %% tags=["nbval-check-output"]
verdicts = pplab.claims(paper="yardstick").set_index("id")
for _, row in verdicts[verdicts.index.str.contains(":person:")].iterrows():
    print(f"{row['verdict']:10} {row['published']} ({row['setting'].split(',')[0]})")

# %% [markdown]
# **A lower bound, never more.** A small number may mean a good guarantee, a weak attacker or few
# draws: with a hundred judged releases even a perfect attacker could prove no more than about 2.
# The level is bounded from above by the proof alone. What the attack is good for: finding
# *mistakes*, as the noise at half the stated scale. Each rule was written before its run; a refuted
# one stays where it is.
#
# ## Play
#
# **Question:** an attacker allows 1 % of false alarms. How much noise does one release need so that
# at most 2 % of those who are in are caught? And for ten such releases? Tab reaches a slider, arrow
# keys move it.


# %% tags=["hide-input"]
from scipy.stats import norm


def draw(axes, noise, releases):
    mu, alarms = np.sqrt(releases) / noise, np.linspace(1e-4, 1, 400)
    caught = norm.cdf(norm.ppf(alarms) + mu)
    axes.plot(alarms, caught, color=COLOURS["blue"])
    axes.plot([0, 1], [0, 1], color="black", linestyle=":")
    at = norm.cdf(norm.ppf(0.01) + mu)
    axes.plot(0.01, at, "o", color=COLOURS["red"])
    axes.set(xlabel="false alarms", ylabel="caught, at most")
    axes.set_title(f"σ = {noise:g}, releases: {releases}; caught {at:.1%}", fontsize=9)
    return {"noise": noise, "releases": releases, "caught": at}


# %% tags=["widget", "nbval-ignore-output", "hide-input"]
from pplab.widgets import Control, explore, twin

noises = (0.5, 1, 2, 3, 4, 6, 8, 12)
sentence = "σ = {noise:g}, {releases} releases: at 1 % of false alarms {caught:.1%} are caught."
explore(
    draw,
    say=sentence.format_map,
    width=4.2,
    height=3.4,
    noise=Control("noise multiplier σ", noises, 1, "less private", "more private"),
    releases=Control("releases", (1, 2, 5, 10, 20), 1, "more private", "less private"),
)


# %% tags=["nbval-check-output", "hide-input"]
def message(states):
    low, high = states["caught"].min(), states["caught"].max()
    return f"Eight curves of what a test can catch; at 1 % of false alarms {low:.1%} to {high:.1%}."


states = twin(draw, alt=message, height=2.4, noise=(1, 3, 4, 12), releases=(1, 10))
enough = 1 / (norm.ppf(0.02) - norm.ppf(0.01))
folded = f"One release needs σ = {enough:.1f}, ten need {enough * 10**0.5:.1f}: a factor of √10."
say(f"<details><summary>The answer</summary>\n\n{folded}\n\n</details>")

# %% [markdown]
# ## A release every day
#
# People keep rating. If the sums are published every day with noise of their own, the $\mu^2$ add
# up: after T days σ has to be larger by $\sqrt{T}$. **Continual release** does better when a
# person's ratings come on one day. Put the days under a *binary tree* and publish the noisy sum of
# each node: two days, four days, eight days. A day counts in $1 + \log_2 T$ nodes, its own and all
# above it, so a person is in that number of sums, and each total up to a day is made of at most as
# many nodes (Dwork, Naor, Pitassi and Rothblum 2010; Chan, Shi and Song 2011). Noise then grows
# with the logarithm of T. A person who rates on many days is in many leaves: again the unit
# decides.
#
# ## Exercises
#
# C, P, R and B are above. Two remain; the check tests only the form of the last one, and you judge
# it by the three lines that it prints.
#
# - **D (design).** For three years a service publishes, once a year, the likes and the ratings:
#   six releases, each by Gaussian noise of one multiplier σ. Together they are to be worth
#   $\mu = 1$. Give `{"noise": ..., "epsilon": ...}`: the smallest σ of a release, and the exact ε
#   of all six at δ = $10^{-5}$, both rounded to three digits.
# - **O (open).** Attack a person of your choice, in a release of your choice. Report hits, members,
#   false alarms, others, and a lower bound on ε. *First step:* the one person of the section above.
#   `1 + rng.standard_normal(1000)` are releases with the person (members),
#   `rng.standard_normal(1000)` without (others). Say "in" above a cut that you fix first, and count
#   hits and false alarms. `binomial_lower(hits, members, alpha=0.025)` and
#   `binomial_upper(false_alarms, others, alpha=0.025)` from `pplab.intervals` are $h_{low}$ and
#   $a_{high}$. Then take a person of the data.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: {"noise": ..., "epsilon": ...}
answer = {"noise": 6**0.5, "epsilon": found["exact"]}
check("16-D", answer)

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: {"hits": ..., "members": ..., "false_alarms": ..., "others": ..., "lower_bound": ...}
from pplab.attacks.person import audit_person

few, rng = likes[:300, :60], np.random.default_rng(5)
person = int(few.sum(axis=1).argmax())
row, member = clipped(few[[person]], 1.0)[0], rng.random(400) < 0.5
leaning = []
for inside in member:
    half = few * (rng.random(300) < 0.5)[:, None]
    half[person] = few[person] * inside
    leaning.append(row @ item_covariance(half, 0.5, rng) @ row)
seen = audit_person(leaning, member, delta=delta, alpha=0.05)
answer = {name: getattr(seen, name) for name in ("hits", "members", "false_alarms", "others")}
answer["lower_bound"] = seen.lower_bound
check("16-O", answer)

# %% [markdown]
# ## Quiz
#
# 1. The noise stays, the accountant is changed, and ε falls. Are people better protected?
#    <details><summary>Answer</summary>No: the proof is better, the release is the
#    same.</details>
# 2. A membership attack finds nothing. Is the guarantee shown?
#    <details><summary>Answer</summary>No: an attack bounds the level from below; a better one may
#    find more.</details>
# 3. Why must a row be clipped as a whole, and not cell by cell?
#    <details><summary>Answer</summary>The unit is the whole row: a person with many ratings would
#    move the sum by more than the clip.</details>
#
# ## What to remember
#
# - A guarantee for a person covers all of their ratings: clip the whole row, then add noise.
# - Everything made of data costs: means, counts and settings, too.
# - The accountant's sampling must be the program's.
# - An attack bounds from below, a proof from above. Report which one you have.
#
# ## References
#
# - McSherry and Mironov 2009, *Differentially private recommender systems*,
#   [doi 10.1145/1557019.1557090](https://doi.org/10.1145/1557019.1557090).
# - Abadi and others 2016, *Deep learning with differential privacy*,
#   [doi 10.1145/2976749.2978318](https://doi.org/10.1145/2976749.2978318).
# - Mironov 2017, *Rényi differential privacy*,
#   [doi 10.1109/CSF.2017.11](https://doi.org/10.1109/CSF.2017.11).
# - Balle and Wang 2018, *Improving the Gaussian mechanism for differential privacy*,
#   [arXiv 1805.06530](https://arxiv.org/abs/1805.06530).
# - Carlini and others 2022, *Membership inference attacks from first principles*,
#   [arXiv 2112.03570](https://arxiv.org/abs/2112.03570).
# - Chua and others 2024, *How private are DP-SGD implementations?*,
#   [arXiv 2403.17673](https://arxiv.org/abs/2403.17673).
# - Dwork, Naor, Pitassi and Rothblum 2010, *Differential privacy under continual observation*,
#   [doi 10.1145/1806689.1806787](https://doi.org/10.1145/1806689.1806787).
# - Chan, Shi and Song 2011, *Private and continual release of statistics*,
#   [doi 10.1145/2043621.2043626](https://doi.org/10.1145/2043621.2043626).
