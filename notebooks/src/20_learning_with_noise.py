# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 20 Learning with noise
#
# **With and without a trusted curator.**

# %% [markdown] slideshow={"slide_type": "notes"}
# # 20 Learning with noise
#
# *Edition 2, part 6 of 6: a person. Core track.*
#
# ## What you will be able to do
#
# - give each user a guarantee without a trusted curator, and put a cap on each user's likes;
# - state a theorem on the privacy that a shuffler adds, and say when it does not apply;
# - train a matrix factorisation with clipped, noisy gradients;
# - say which kind of batches a privacy *accountant* assumes, and what can be proved for other
#   batches.
#
# ## What you need
#
# You need notebooks [16](16_a_recommender_for_a_person.ipynb) (a person as the unit, (ε, δ),
# clipping) and [02](02_noise_graphs.ipynb) (randomized response). You also need gradient descent.
#
# **Minutes (estimates):** about 40 to read, about 35 for the exercises.
#
# ## Break something: predict, then run
#
# In notebook 16, a person's ε = 8 was divided among all films of MovieLens, so each flip was nearly
# a fair coin toss. But if a user likes only *one* film, the user's row differs from an empty row in
# one cell. If the whole ε = 8 is used for this cell, each cell is flipped with probability $1/(1 +
# e^8)$.
#
# **At home, a user with one like flips the cell of each film with this probability. On average, how
# many false likes does the published row contain?** Write your number down, then run.

# %%
my_prediction = 100  # your own number here, from 0 to 1682

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## One like, flipped at home
#
# The row of a user with one like differs from an empty row in one cell, so the whole ε = 8 can be
# used for this cell. **On average, how many false likes does the published row contain?**

# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
import numpy as np
import pandas as pd
from IPython.display import display

import pplab
from pplab_course import say
from pplab_papers.collection import read_result

shared = 1681 * pplab.epsilon_to_flip(8 / 1682)
alone = 1681 * pplab.epsilon_to_flip(8)
say(f"**{alone:.1f}** false likes, or {shared:.0f} if all films share ε.")
say(f"You predicted {my_prediction}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Define: the local model, with a cap
#
# In the **local model**, there is no trusted curator: each user randomizes their own row at home,
# and everything that leaves the device is protected. Each user keeps at most c likes, which are
# drawn at random; c is the **cap**. Then the user flips each cell at level ε/c:
#
# $$p = \frac{1}{1 + e^{\varepsilon/c}} .$$
#
# A row with at most c likes differs from an empty row in at most c cells, so the odds of any output
# differ by a factor of at most $e^{c \cdot \varepsilon/c} = e^\varepsilon$. The neighbours are the
# same as in notebook 16: a row and an empty row (*none*). **Any two rows** with c likes may differ
# in 2c cells, so the level between any two rows is 2ε. The local model is usually stated for any
# two rows, so a label must say which neighbours it means.
#
# **Which cap?** If we tried several caps on the data and kept the best cap, this choice would use
# the private data. So public numbers decide. Let there be n users and m items. If all items have
# equal shares of the kept likes, each item has nc/m of these likes. Because the kept likes are
# drawn at random, this count has a variance of about nc/m. The flips add a variance of $n
# p(1-p)/(1-2p)^2 = n/(4\sinh^2\frac{\varepsilon}{2c})$. If we divide the total variance by the
# square of the count and multiply the result by n, we get
#
# $$\frac{m}{c} + \left(\frac{m}{2c\,\sinh(\varepsilon/2c)}\right)^2 .$$
#
# We choose the c that minimizes this expression, which does not depend on n.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The local model, with a cap
#
# Each user keeps at most c likes, drawn at random, and flips each cell at level ε/c:
#
# $$p = \frac{1}{1 + e^{\varepsilon/c}}$$
#
# The level is ε between a row and an *empty row*, and 2ε between **any two rows**.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Which cap?
#
# Public numbers decide. We choose the c that minimizes
#
# $$\frac{m}{c} + \left(\frac{m}{2c\,\sinh(\varepsilon/2c)}\right)^2$$


# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
def cap_for(epsilon, items):
    caps = np.arange(1, items + 1)
    from_flips = (items / (2 * caps * np.sinh(epsilon / (2 * caps)))) ** 2
    return caps[np.argmin(items / caps + from_flips)]


chosen = pd.DataFrame(index=pd.Index([8, 3, 1], name="ε"))
chosen["MovieLens, 1682 films"] = [cap_for(level, 1682) for level in chosen.index]
chosen["Jester, 100 jokes"] = [cap_for(level, 100) for level in chosen.index]
chosen

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Does it recommend?
#
# We rank items by the sums of the published columns. All users get the same list, without the items
# that they have already rated. A fair rival is a trusted curator who *counts* the same kept likes.
# The curator adds Laplace noise of scale c/ε to each count, because one person changes the counts
# by at most c in total. The ten stored runs used the real data; rules and caps were fixed before
# the runs (`pplab reproduce yardstick`). The covariance of notebook 16 is in the table, too. (Its
# values at ε = 8 and ε = 3 come from runs with different splits.)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Does it recommend?
#
# A fair rival is a trusted curator who *counts* the same kept likes. The table shows the recall:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
parts = ("capped-movielens", "capped-jester", "person-movielens", "person-jester")
runs = pd.concat(read_result("yardstick", part).frame for part in parts)
recall = runs[runs["quantity"] == "recall"]
curves = recall.groupby(["data", "family", "epsilon"])["value"].first()
table = curves.drop(["no protection", "noisy factorisation"], level="family").reset_index()
table = table.pivot_table(index=["data", "family"], columns="epsilon", values="value")
table = table.rename(columns={"": "no protection", "8": "ε = 8", "3": "ε = 3", "1": "ε = 1"})
table = table[["no protection", "ε = 8", "ε = 3", "ε = 1"]]
table = table.rename(index={"noise graph": "flips, no cap"})
table.round(3).astype(object).fillna("-")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Flips work better in a large crowd

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output", "hide-input"]
from pplab.plots import COLOURS, new_figure, show

tried = runs[runs["quantity"] == "recall by cap"].set_index(["data", "family", "epsilon"])
looks = {("capped flips", "8"): ("green", "^-"), ("capped flips", "1"): ("green", "^:")}
looks |= {("capped counts", "8"): ("grey", "d-"), ("capped counts", "1"): ("blue", "D:")}
(figure, panels), ends = new_figure(1, 2, width=9, height=3.4), []
for axes, data in zip(panels, ("movielens-100k", "jester"), strict=True):
    for (family, level), (colour, mark) in looks.items():
        line = tried.loc[data, family, level]
        name = f"{family}, ε = {level}"
        first, *_, last = line["value"]
        ends.append(f"{data}, {name}: {first:.3f} and {last:.3f}")
        axes.semilogx(line["cap"], line["value"], mark, color=COLOURS[colour], label=name)
    axes.set(xlabel="cap c", ylabel="recall", title=data, ylim=(0, 0.45))
    axes.set_xticks([1, 2, 5, 10, 20], labels=["1", "2", "5", "10", "20"])
panels[0].legend(frameon=False, fontsize=8)
show(figure, alt=f"Recall at caps of 1 to 20; here at 1 and at 20. {'; '.join(ends)}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# **Flips work better in a large crowd.** Jester part 1 has about 250 times as many people as jokes.
# On Jester, at ε = 8 and ε = 3, the recall of capped flips is close to the recall of unprotected
# popularity, and well above the recall of the covariance. MovieLens has fewer people than films. On
# MovieLens, at ε = 8, flips with cap 1 are as good as *counts* with cap 1, because hardly any cell
# is flipped. At ε = 3 and below, these flips are useless. The counts lose little recall when ε
# falls from 8 to 1. In the figure, counts with caps of 2 to 10 have a better recall than counts
# with cap 1. (Do not choose a cap from this figure, because the choice would use the data.)
#
# <details><summary>In the ledger: what we had expected</summary>
#
# The ledger once said that, with a person as the unit, flips at ε = 8 recommend worse than the
# covariance at ε = 1. Those flips had no cap, although their rivals were clipped. With a cap, this
# sentence is refuted (`yardstick:person:flips-fall-behind`). Without a cap, the sentence holds
# (`:uncapped-flips`). Two more sentences are refuted: that the counts always beat flips with the
# same cap (`:counts-beat-flips`), and that at ε = 1 the counts beat the covariance on both data
# sets (`:counts-beat-covariance`). One more sentence holds: compared with popularity, capped flips
# lose less recall on Jester than on MovieLens (`:crowd-helps-flips`).
#
# </details>
#
# **Exercise C (compute).** On Jester (100 jokes), each user keeps c = 2 likes, and flips each cell
# at level ε/c with ε = 4. On average, how many false likes does the published row of a user with
# two likes contain?

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: a number
answer = (100 - 2) / (1 + np.exp(4 / 2))
check("20-C", answer)

# %% [markdown]
# **Exercise B (break).** A team uses the cap c = 1, flips 3 cells with ε = 2, and makes a claim:
# between *any two* rows, the odds of any output differ by a factor of at most $e^2$. Refute this
# claim. Give two rows with at most one like each, and an output, as `(one, other, output)`; each of
# these three is a list of three bits.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: three lists of three bits
answer = ([1, 0, 0], [0, 1, 0], [1, 0, 0])
check("20-B", answer)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## A shuffler in between
#
# n users apply the same randomizer, which is $\varepsilon_0$-private for any two inputs. If
# $\varepsilon_0 \le \log\frac{n}{16\log(2/\delta)}$,
#
# $$\varepsilon \;\le\; \log\left(1 + \frac{e^{\varepsilon_0} - 1} {e^{\varepsilon_0} + 1}
# \left(\frac{8 \sqrt{e^{\varepsilon_0} \log(4/\delta)}} {\sqrt{n}}
# + \frac{8 e^{\varepsilon_0}} {n}\right)\right)$$

# %% [markdown] slideshow={"slide_type": "notes"}
# ## A shuffler in between
#
# Put a **shuffler** between the users and the server: it removes the names and permutes the rows.
# The server no longer knows which row belongs to which user. **Theorem** (Feldman, McMillan and
# Talwar 2021): suppose that n users each apply the same randomizer once, independently of each
# other, and that this randomizer is $\varepsilon_0$-private for *any two* inputs. If $\varepsilon_0
# \le \log\frac{n}{16\log(2/\delta)}$, the shuffled outputs are (ε, δ)-private when one user's row
# changes arbitrarily, with
#
# $$\varepsilon \;\le\; \log\left(1 + \frac{e^{\varepsilon_0} - 1} {e^{\varepsilon_0} + 1}
# \left(\frac{8 \sqrt{e^{\varepsilon_0} \log(4/\delta)}} {\sqrt{n}}
# + \frac{8 e^{\varepsilon_0}} {n}\right)\right) .$$
#
# For capped flips, $\varepsilon_0 = 2\varepsilon$, as shown above.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Where its condition fails, the theorem says nothing
#
# The table shows the level after the shuffler, for three crowds:


# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
def shuffled_level(local, people, delta=1e-5):
    if local > np.log(people / (16 * np.log(2 / delta))):
        return local  # the theorem proves nothing better
    odds = np.exp(local)
    first = 8 * np.sqrt(odds * np.log(4 / delta) / people)
    second = 8 * odds / people
    bound = np.log(1 + (odds - 1) / (odds + 1) * (first + second))
    return min(local, bound)


levels = pd.DataFrame(index=pd.Index([1, 2, 4, 6, 8], name="level at home, any two rows"))
for people in (943, 24_983, 1_000_000):
    levels[f"{people:,} people"] = [shuffled_level(local, people) for local in levels.index]
levels.round(2)

# %% [markdown] slideshow={"slide_type": "notes"}
# The table lists the level that the theorem *proves*. If the theorem proves nothing better, the
# table shows the local level, but the true level may be far lower. So this theorem helps most where
# help is needed least: in a large crowd with a modest ε.
#
# The theorem has three limits. Only users who follow the protocol count towards n. The shuffler
# must be trusted not to collude with the server. If the same user sends a second report, this is a
# second release, so the levels of both reports add up.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Factorisation by clipped noisy gradients
#
# 1. Each user is drawn with probability q, independently of all other users.
# 2. Each drawn user computes the gradient of their own error, and clips this gradient as a whole to
#    length c.
# 3. The sum of the gradients gets noise of standard deviation σc, and is divided by the *expected*
#    number of users, qn.

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Code: factorisation by clipped noisy gradients
#
# We return to the trusted curator. The curator's recommender now *learns* a vector for each item.
# In each step,
#
# 1. each user tosses a coin of their own, and is drawn with probability q (**Poisson sampling**);
# 2. each drawn user fits their own coefficients to the current vectors, computes the gradient of
#    their own error, and clips this gradient as a whole to length c;
# 3. the curator adds noise of standard deviation σc to the sum of the gradients, and divides the
#    result by the *expected* number of drawn users, qn.
#
# Here is the code for likes:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The code for likes


# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
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


# %% [markdown] slideshow={"slide_type": "notes"}
# The gradient of a user is a matrix, the *outer product* of the errors and the coefficients. The
# norm of this matrix is the product of the lengths of the two vectors, so the code can clip without
# building the matrix. **Why the expected number?** The number of users who are drawn depends on who
# is in the data, but the expected number is public. Without noise and clipping, gradient descent
# must find the same directions as the singular value decomposition:

# %% tags=["nbval-check-output"]
from scipy.linalg import subspace_angles

small = (np.random.default_rng(3).random((60, 12)) < np.linspace(0.2, 0.8, 12)).astype(float)
plain = {"q": 1, "clip": 1e9, "noise": 0, "rate": 4, "ridge": 1e-6, "rng": np.random.default_rng(1)}
learned = factorise(small, rank=1, steps=2000, **plain)
right = np.linalg.svd(small)[2][:1].T
angle = np.degrees(subspace_angles(learned, right)[0])
say(f"The angle between the two directions is below {np.ceil(angle + 1e-9):.0f} degree.")

# %% [markdown] slideshow={"slide_type": "notes"}
# ## The accountant, and the batches it assumes
#
# How large is ε for one Gaussian step with σ = 1 and δ = $10^{-5}$? The answer depends on the
# *accountant*, that is, on the proof that bounds the total level:
#
# - **Mironov 2017** uses the *Rényi divergence* of order $a$, which comes from the mean of the
#   $a$-th power of the odds factor. Here the divergence is $a\mu^2/2$. The best order gives
#   $\mu^2/2 + \mu\sqrt{2\log(1/\delta)}$.
# - **Rényi, sharper** uses the same divergences, but a better conversion, as in the library
#   dp-accounting.
# - **exact** uses the whole distribution of the *loss* (the log of the ratio of the densities), as
#   in notebook 16.
#
# The noise is the same for all three accountants. So a smaller bound means a better proof, but not
# more privacy.
#
# **What sampling gains.** An attacker who sees the result of a step does not know whether you were
# drawn. So a step has a smaller level with sampling than without sampling. This has been proved for
# Poisson sampling. Most programs shuffle the list of users and cut it into batches. For these
# batches, the proof fails, and we count each pass through the list as one whole step. (This shuffle
# is not the shuffler above.)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The accountant, and the batches it assumes
#
# All levels in the table are valid. When the noise is the same, the privacy is the same. A smaller
# level then means only that the proof is better:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from pplab.recommenders.private import NoisyFactorisation

audit = read_result("yardstick", "person-audit").frame
stored = audit[audit["quantity"] == "level"]
stored = stored.set_index(["setting", "conversion"])[["value"]]
display(stored.rename(columns={"value": "ε at δ = 1e-5"}).round(2).reset_index().fillna("exact"))
options = {"noise": 1, "delta": 1e-5, "steps": 100, "sampling": 0.05, "rank": 5, "clip": 1}
try:
    NoisyFactorisation(**options, rate=1, ridge=1, batches="shuffled", accounting="poisson")
except ValueError as refusal:
    print(refusal)

# %% [markdown] slideshow={"slide_type": "notes"}
# All rows of the table have σ = 1. Each of the hundred steps uses 5 % of the users. If the list is
# shuffled, these steps are five passes through the list, so μ = √5. (*None* and *another* are the
# two kinds of neighbours.)
#
# **Exercise R (recall).** In every step, each user tosses a coin of their own, so the batches
# differ in size. What is this sampling called: `"poisson"`, `"shuffled"` or `"fixed"`?

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: one of the three, in quotes
answer = "poisson"
check("20-R", answer)

# %% tags=["nbval-check-output"]
trained = curves.xs("noisy factorisation", level="family").reset_index()
trained = trained.pivot_table(index="data", columns="epsilon", values="value")
trained.rename(columns={"inf": "clip only"})[["clip only", "8", "3", "1"]].round(3)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Learning pays where tastes differ

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output", "hide-input"]
styles = {"noisy covariance": ("blue", "o-"), "noisy factorisation": ("red", "s--")}
styles |= {"capped flips": ("green", "^-."), "capped counts": ("grey", "d:")}
figure, panels = new_figure(1, 2, width=9, height=3.4)
for axes, data in zip(panels, ("movielens-100k", "jester"), strict=True):
    for family, (colour, mark) in styles.items():
        line = curves[data, family][["1", "3", "8"]]
        axes.plot(range(3), line, mark, color=COLOURS[colour], label=family)
    axes.axhline(curves[data, "popularity", ""], color="black", linewidth=0.8, label="popularity")
    axes.set(xticks=range(3), xticklabels="138", xlabel="ε of a person", ylim=(0, 0.45))
    axes.set_title(f"recall, {data}")
panels[1].legend(frameon=False, fontsize=8)
show(figure, alt=f"Recall of four methods, {curves.min():.2f} to {curves.max():.2f}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# Covariance and factorisation give each user an individual list, and have δ = $10^{-5}$. Flips and
# counts give one list for all users, and have no δ. Learning is useful where tastes differ: on
# MovieLens, the recall of the covariance is better than the recall of the counts at every ε shown,
# and better than unprotected popularity at ε = 8 and ε = 3. On MovieLens, the recall of the
# factorisation is below the recall of popularity even without noise: a hundred clipped steps are
# too few to learn its vectors. Where tastes are similar, as on Jester, a noisy count beats the
# covariance, comes close to the factorisation, and is far simpler. **Compare every private model
# with a noisy count.**
#
# ## Play
#
# **Question:** users flip their cells at home, and the level between any two rows is 4. How many
# people are needed for a level of at most one half after the shuffler? If the level at home is 8,
# how many people are needed for the theorem to apply at all?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Question
#
# Users flip their cells at home, and the level between any two rows is 4. **How many people are
# needed for a level of at most one half (dashed) after the shuffler?**


# %% tags=["hide-input"]
def draw(axes, local, people):
    crowd = np.logspace(2, 8, 200)
    shuffled = [shuffled_level(local, each) for each in crowd]
    here = shuffled_level(local, people)
    axes.loglog(crowd, shuffled, color=COLOURS["blue"])
    axes.axhline(0.5, color="black", linestyle="--")
    axes.plot(people, here, "o", color=COLOURS["red"])
    axes.set(xlabel="people n (dashed: ε = 0.5)", ylabel="ε after the shuffler", ylim=(1e-3, 12))
    axes.set_title(f"ε = {local:g} at home, {people:,} people:\nε = {here:.2g}", fontsize=9)
    return {"local": local, "people": people, "shuffled": here}


# %% tags=["widget", "nbval-ignore-output", "hide-input"]
from pplab.widgets import Control, explore, twin

crowds = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000)
sentence = "{local:g} at home, {people:,} people: a level of {shuffled:.2g} after the shuffler."
explore(
    draw,
    say=sentence.format_map,
    width=4.4,
    height=3.4,
    local=Control("level at home", (1, 2, 3, 4, 6, 8), 4, "more private", "less private"),
    people=Control("people n", crowds, 10_000, "less private", "more private", show="{:,}".format),
)


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output", "hide-input"]
def message(rows):
    low, high = rows["shuffled"].min(), rows["shuffled"].max()
    return f"Six curves of the level after a shuffler; at the dots it is {low:.2g} to {high:.2g}."


states = twin(draw, alt=message, people=(10_000, 1_000_000), local=(1, 4, 8))
sizes = np.logspace(2, 7, 2001)
half = next(size for size in sizes if shuffled_level(4, size) <= 0.5)
begins = 16 * np.log(2 / 1e-5) * np.exp(8)
folded = f"At level 4, about {half:,.0f} people; at level 8, at least {begins:,.0f} people."
say(f"<details><summary>The answer</summary>\n\n{folded}\n\n</details>")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Your turn
#
# Each of a million users keeps one like and trusts a shuffler. The level after the shuffler must be
# at most 1. **How large may the local level be, if it compares a row with an empty row?**

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Exercises
#
# Exercises C, B and R are above.
#
# - **D (design).** A service has a million users. Each user keeps a single like, and trusts a
#   shuffler. The theorem must prove a level of at most 1 after the shuffler, at δ = $10^{-5}$. How
#   large may the level ε of the capped flips at home be, **between a row and an empty row**? Give
#   three significant digits, rounded *down*. (The first argument of `shuffled_level` is the level
#   between any two rows.)

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a number
from scipy.optimize import brentq

any_two = brentq(lambda local: shuffled_level(local, 1_000_000) - 1, 1, 8.5)
answer = np.floor(100 * any_two / 2) / 100
check("20-D", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Quiz
#
# 1. The noise stays the same, but another accountant proves a smaller ε. Are people better
#    protected? <details><summary>Answer</summary>No: the proof is better, but the release is the
#    same.</details>
# 2. A team tries three caps on the data and uses the best cap. What is missing from the label?
#    <details><summary>Answer</summary>The cost of the choice, because the choice depends on the
#    data.</details>
# 3. Who must be trusted after a shuffler is added? <details><summary>Answer</summary>Nobody for the
#    local level. For the smaller level, the shuffler must be trusted, and enough other users must
#    be trusted to follow the protocol.</details>
#
# ## What to remember
#
# - Do not call a method useless before it has the same cap as its rivals.
# - In the local model, state the neighbours: if the level against an empty row is ε, the level
#   between any two rows is 2ε.
# - The accountant must assume the same sampling that the program uses.
# - Compare every private model with a noisy count.
#
# ## References
#
# - Feldman, McMillan and Talwar 2021, *Hiding among the clones: a simple and nearly optimal
#   analysis of privacy amplification by shuffling*, [arXiv
#   2012.12803](https://arxiv.org/abs/2012.12803).
# - Abadi and others 2016, *Deep learning with differential privacy*,
#   [doi 10.1145/2976749.2978318](https://doi.org/10.1145/2976749.2978318).
# - Mironov 2017, *Rényi differential privacy*,
#   [doi 10.1109/CSF.2017.11](https://doi.org/10.1109/CSF.2017.11).
# - Chua and others 2024, *How private are DP-SGD implementations?*,
#   [arXiv 2403.17673](https://arxiv.org/abs/2403.17673).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ask the room
#
# The noise stays the same, but another accountant proves a smaller ε. Are people better protected?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - Do not call a method useless before it has the same cap as its rivals.
# - In the local model, state the neighbours: if the level against an empty row is ε, the level
#   between any two rows is 2ε.
# - The accountant must assume the sampling that the program uses.
# - Compare every private model with a noisy count.
