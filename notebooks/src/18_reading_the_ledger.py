# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 18 Reading the ledger
#
# **First the rule, then the run.**

# %% [markdown] slideshow={"slide_type": "notes"}
# # 18 Reading the ledger
#
# *Edition 2, part 6 of 6: a person. Papers’ track.*
#
# ## What you will be able to do
#
# - read one row of the ledger: the printed claim, the rule that judges it, and the data;
# - write the rule of a claim before the run, and see how the ledger detects a later change of the
#   rule;
# - choose between two readings of a text by one joint test of all numbers that depend on the
#   reading;
# - run a claim again, dispute a claim, and check a paper of your own.
#
# ## What you need
#
# You need notebook [00](00_find_somebody.ipynb), the standard deviation, pandas and, for one table,
# the noise graph of notebook [02](02_noise_graphs.ipynb).
#
# **Minutes (estimates):** about 50 to read, about 75 for the exercises.
#
# ## Break something: predict, then run
#
# A paper prints a number, and the text about this number is not quite clear. The text can be read
# in five ways, and four tolerances seem fair. So you can try twenty combinations. Suppose that each
# try "reproduces" the number by luck with probability 1/10.
#
# **What is the chance that at least one of your twenty tries reproduces the number?**

# %%
my_prediction = 0.1  # your own number here, between 0 and 1

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Twenty tries
#
# There are five ways to read a text, and four tolerances. Each try "reproduces" the printed number
# by luck with probability 1/10. **What is the chance that at least one try reproduces the number?**

# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
import numpy as np
from IPython.display import display

from pplab_course import say

rng = np.random.default_rng(13)
lucky = rng.random((100_000, 20)) < 0.1  # a row is one reader, with twenty tries
found_something = lucky.any(axis=1).mean()
lucky_ones = f"**{found_something:.0%}** of 100,000 readers report a reproduction"
say(f"You said {my_prediction:.0%}. By luck alone, {lucky_ones}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# If the twenty tries are independent, all of them miss with probability $0.9^{20}$. So the
# probability that **something** fits is
#
# $$1 - (1 - q)^{t},$$
#
# where $q$ is the probability that one try fits, and $t$ is the number of tries. (If the tries are
# not independent, this formula can be wrong, but the probability is always between $q$ and $tq$.)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Something fits
#
# $$1 - (1 - q)^{t}$$
#
# q is the chance that one try fits, and t is the number of tries:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output", "hide-input"]
import pandas as pd

from pplab.plots import curves, new_figure, show

tries = np.arange(1, 41)
rows = []
for chance in (0.01, 0.05, 0.1):
    some = 1 - (1 - chance) ** tries
    rows.append(pd.DataFrame({"tries": tries, "some": some, "chance": chance}))
table = pd.concat(rows)
figure, axes = new_figure()
curves(axes, table, x="tries", y="some", by="chance")
axes.set(xlabel="number of tries", ylabel="chance that something fits", ylim=(0, 1))
axes.set_title("Many tries find something (labels: the chance that one try fits)")
at_20 = table[table["tries"] == 20].set_index("chance")["some"]
summary = [f"{some:.0%} at {chance:.0%} for one try" for chance, some in at_20.items()]
show(figure, alt=f"Chance that at least one of twenty tries fits: {', '.join(summary)}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# Even if each try fits with probability 1 %, nearly one reader in five can report a fit after
# twenty tries. Nobody cheats: each reader reports one fit, and forgets the tries that missed. A
# fixed **order** helps: first the rule, then the run.
#
# ### Exercise C (compute)
#
# A reader tries three readings, two tolerances and four subsets of the data, in every combination.
# Each try fits by luck with probability 5 %, independently of the other tries. What is the
# probability that something fits, to three significant digits?

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: a probability
answer = 1 - 0.95 ** (3 * 2 * 4)
check("18-C", answer)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Claim, rule, choice, world, verdict
#
# - A **claim** is one printed number or sentence.
# - A **rule** says how the claim is judged, and is committed before the run.
# - A **choice** is a detail that the text leaves open; a **world** picks one option for every
#   choice.
# - A **verdict** is computed, never entered by hand.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The rule *rounded*
#
# If u is one unit of the last printed digit, a number is reproduced when
#
# $$|\,\text{measured} - \text{printed}\,| \le \frac{u}{2}$$
#
# A printed `0.5` means a value from `0.45` to `0.55`.

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Define: claim, rule, choice, world, verdict
#
# - A **claim** is one printed number, or one printed sentence that is true or false.
# - A **rule** says how the claim is judged, and is committed *before* the run. For a sentence, the
#   rule has a **criterion** and a **null**. The criterion is a condition on measured numbers; the
#   condition is true or false. The null says how to change these numbers so that the criterion must
#   fail.
# - A **choice** is a detail of the authors' program that the text leaves open. A choice has several
#   options, and each option is one reading of the words; the **plain** option comes first. A
#   **world** picks one option for every choice.
# - A **verdict** is computed from the rule and the measurement, and never entered by hand.
#
# For a printed number, the usual rule is called *rounded*. If $u$ is one unit of the last printed
# digit, this rule requires
#
# $$|\,\text{measured} - \text{printed}\,| \le \frac{u}{2} .$$
#
# So a printed `0.5` means a value from `0.45` to `0.55`, both ends included.
#
# This course reproduces four papers:
#
# | short name | paper | what the paper publishes |
# |---|---|---|
# | *noise-graphs* | Salas and Torra 2020 | a graph with flipped cells |
# | *social* | Jorgensen and Yu 2014 | noisy averages of communities |
# | *smooth* | Esfandiari, Epasto, Mirrokni and Munoz Medina 2022 | majorities of groups |
# | *microaggregation* | Casino and others 2015 | means of groups |
#
# Each number or statement that a paper prints is a row of the **claims ledger**. The table counts
# the rows with each verdict today. (Rows that repeat other rows, test our program, or state our own
# claims are not counted.)

# %% tags=["nbval-check-output"]
import pplab
from claimbook import VERDICTS

rows = pplab.claims()
counts = rows[rows["kind"].isin(["number", "statement"])]["verdict"].value_counts()
pd.set_option("display.max_colwidth", None)  # sentences in full
verdict_list = pd.DataFrame({"rows": counts, "meaning": pd.Series(VERDICTS)}).fillna({"rows": 0})
verdict_list.loc[list(VERDICTS)].astype({"rows": int})

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Four verdicts that are easily misunderstood
#
# | verdict | meaning |
# |---|---|
# | `differs` | a number does not fit; data or details may differ |
# | `refuted` | a sentence has a case in which it is false |
# | `undecided` | the runs cannot decide whether a sentence is true |
# | `open` | the claim was not run under its present rule |

# %% [markdown] slideshow={"slide_type": "notes"}
# Four verdicts are easily misunderstood. `differs` applies to a number. It is not an accusation,
# because data or details may differ. `refuted` applies to a sentence, and requires one case in
# which the sentence is false. `undecided` means that the runs do not show whether a sentence is
# true or false. `open` means that no run has tested the claim under its present rule.
#
# ### Exercise R (recall)
#
# Match the eight cases below with the eight verdicts. Each letter is used once.

# %%
from pplab_course import MEANINGS

for letter, case in zip("ABCDEFGH", MEANINGS.values(), strict=True):
    print(f"{letter}: {case}")

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a letter for each of "reproduced", "reproduced-under-reading", "compatible", "differs",
# "refuted", "proof-fails", "undecided" and "shape-only", such as {"reproduced": "A", ...}
answer = {"refuted": "A", "reproduced": "B", "shape-only": "C", "differs": "D"}
answer |= {"reproduced-under-reading": "E", "compatible": "F", "proof-fails": "G", "undecided": "H"}
check("18-R", answer)

# %% [markdown]
# ### Exercise P (prove by code)
#
# Write the rule *rounded* yourself: `fits(printed, measured)` returns True or False. `printed` is a
# **string**, exactly as in the paper, for example `"0.40"` or `"1,024"`; `measured` is a float. The
# check also tries numbers that differ from the printed number by exactly half a unit, for example
# `10.5` from 10. Floats represent these halves exactly.


# %% tags=["solution", "nbval-check-output"]
def fits(printed, measured):
    # YOUR CODE: True or False
    plain = printed.replace(",", "")
    decimals = len(plain.split(".")[1]) if "." in plain else 0
    unit = 10.0**-decimals
    return abs(measured - float(plain)) <= unit / 2


check("18-P", fits)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## A report to judge
#
# Our smallest paper is the made-up report of a reading club. The command `pplab ledger new` writes
# a folder with the claims of the report, the data of the club and two experiments.

# %% tags=["nbval-check-output"]
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

desk = Path(tempfile.mkdtemp()).resolve()


def terminal(command):  # run a command as a terminal would, and print its output
    words = [sys.executable, "-m", *shlex.split(command)]
    process = subprocess.run(words, cwd=desk, capture_output=True, text=True, check=False)
    print((process.stdout + process.stderr).replace(f"{desk}/", ""), end="")


terminal("pplab ledger new reading-club")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## A report to judge

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
club = desk / "reading-club"
rules = pd.read_csv(club / "rules.csv", dtype=str).fillna("")
display(rules.set_index("place")[["setting", "published", "rule"]])
year = pd.read_csv(club / "data/attendance.csv")
say(f"The data: {year.shape[0]} rows, one for each member in each month. The first two rows:")
year.head(2)

# %% [markdown] slideshow={"slide_type": "notes"}
# There are six claims: four numbers and two sentences. The rule `exact` requires the exact number.
# If the criterion of a sentence is false, the rule `holds` gives the verdict `refuted`, and the
# rule `holds-or-misprint` gives the verdict `misprint`. In the data, `came` is 1 if the member came
# in that month, and `books` is the number of books that the member read.
#
# **Attendance** in Table 1 is the share of members who came. We compute this share for the whole
# year under two readings, and try four tolerances. The first reading counts all members on the
# list. The second reading counts only members who came at least once.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## If you choose the tolerance afterwards
#
# The table shows the share of members who came, under two readings and four tolerances:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
printed = float(rules.set_index("setting").loc["attendance, whole year", "published"])
visits = year.groupby("member")["came"].sum()
measured = {"all members of the list": visits.mean() / 12}
measured["members who came at least once"] = visits[visits > 0].mean() / 12
found = pd.DataFrame(index=list(measured))
for tolerance in (0.001, 0.005, 0.05, 0.1):
    near = [abs(each - printed) <= tolerance for each in measured.values()]
    found[f"± {tolerance}"] = np.where(near, "fits", "misses")
found.insert(0, "measured", list(measured.values()))
print(f"printed: {printed}")
found.round(4)

# %% [markdown] slideshow={"slide_type": "notes"}
# If you choose the column after you have seen the numbers, you can get any verdict that you like.
# The rule removes this freedom: the printed value has two decimals, so *rounded* allows a
# difference of half a hundredth. The two *rows* are the two options of a choice, since the report
# does not say whether members who never came are counted. So both options are listed in
# `choices.csv`.
#
# **Your turn, before the run.** Write down a verdict for each of the six claims.

# %%
my_verdicts = ["?", "?", "?", "?", "?", "?"]  # your six words, in the order of the table

# %% tags=["nbval-ignore-output"]
terminal("pplab reproduce reading-club")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Six claims, six verdicts
#
# Write your six verdicts down before the run.

# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
from textwrap import shorten

import pplab


def verdicts():  # the club's ledger at this moment
    ledger = pplab.claims(paper=club)
    ledger["id"] = ledger["id"].str.removeprefix("reading-club:")
    return ledger.set_index("id")


ledger = verdicts()
shown = ledger[["measured", "verdict"]].assign(yours=my_verdicts)
shown["measured"] = [shorten(summary, 30, placeholder=" ...") for summary in shown["measured"]]
shown

# %% [markdown] slideshow={"slide_type": "notes"}
# Two numbers agree with our run. One number agrees only in a world other than the plain world, so
# the verdict is `reproduced-under-reading`. One formula is inverted in the text. This is a
# misprint, because the report's own table uses the right formula. Attendance did *not* rise from
# each month to the next: it already fell from the first month to the second. The last number is
# about data that nobody has.
#
# ## One row, from left to right

# %% tags=["nbval-check-output"]
from pplab_papers.collection import judged_claims

row = ledger.loc["table-1:attendance"]
names = ["place", "published", "rule", "tolerance", "part", "source", "measured", "verdict"]
for name in [*names, "reading"]:
    print(f"{name + ':':<11} {row[name]}")


def ruled_out(judgement):  # each world, and how many numbers rule it out
    (joint,) = judgement.joints
    worlds = [dict(world) | {"ruled out by": len(by)} for world, by in joint.refused.items()]
    print(f"of {joint.count} number(s):")
    display(pd.DataFrame(worlds))


(judged,) = judged_claims(club, only=["reading-club:table-1:attendance"])
ruled_out(judged.judgement)

# %% [markdown]
# The line *part* names the experiment. Under *reading*, the row names the world in which the claim
# is judged, in the form "choice: option". The table below the row shows a test of each world.
# `pplab claims reading-club:table-1:attendance --paper reading-club --full` also prints the seed,
# the versions, the commits, and the command that repeats the run.
#
# ## Play: change a rule after its run
#
# **Question:** what happens to a verdict if its rule is changed later? The next cell changes the
# printed mean number of books in `rules.csv`, runs nothing, and asks the ledger again.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Change a rule after its run
#
# In the rules, change one printed number (the mean number of books). Run nothing. **What happens to
# the verdict?**

# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
committed = (club / "rules.csv").read_text(encoding="utf-8")
assert "1.65" in committed
(club / "rules.csv").write_text(committed.replace("1.65", "1.8"), encoding="utf-8")
columns = ["published", "measured", "verdict", "first_verdict", "note"]
verdicts().loc[["section-1:books"], columns]

# %% [markdown] slideshow={"slide_type": "notes"}
# The verdict is gone. Every stored result carries a **hash** of its rule. The hash is a short
# number that changes when the claim or any part of the rule changes. Now the hash in the result
# differs from the hash of the changed rule, so the claim is `open`. We run the changed rule, and
# look at the history.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What the history keeps
#
# A run used the changed rule, and then the change was undone:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
from IPython.utils.capture import capture_output

with capture_output():  # what it says was shown above
    terminal("pplab reproduce reading-club")
display(verdicts().loc[["section-1:books"], columns[:4]])
(club / "rules.csv").write_text(committed, encoding="utf-8")  # back to what the report prints
with capture_output():
    terminal("pplab reproduce reading-club")
history = pd.read_csv(club / "history.csv").set_index("id")
history.loc["reading-club:section-1:books", ["verdict", "hash"]]

# %% [markdown] slideshow={"slide_type": "notes"}
# The verdict is now `differs`, and the row says that the verdict was `reproduced` at first. When
# the change is undone, the verdict is `reproduced` again, and the history keeps all three lines. A
# rule *may* change, but everyone can see the change. Also commit the rules before you run them
# (`git add rules.csv choices.csv`, then `git commit`), because each result names the commit of its
# rules.
#
# ## Which world? One test for all numbers of a world
#
# For a single number, there is nearly always a world that fits, so a fit proves little. But the
# authors ran *one program*, so all numbers that depend on a choice must be tested together. Table 1
# of the paper *noise-graphs* gives twelve counts of edges after noise. The text says that the graph
# has `19,724` users. We suspect that two digits are swapped (`19,742`). So there are two worlds.
#
# For each number, take the part of the misfit that rounding cannot explain, and let $|z|$ be this
# part in standard deviations. The **joint test** rejects a world if the *largest* $|z|$ of its $m$
# numbers exceeds a limit $c$. The limit is chosen such that, in a correct world, $\Pr[\,|z| > c\,]
# \le 0.001/m$ for each number. Then
#
# $$\Pr[\text{a correct world is rejected}] \le \sum_{i=1}^{m} \Pr[\,|z_i| > c\,] \le 0.001 .$$
#
# This is the **union bound**, which *does not require independent numbers*. A world that is not
# rejected is **admitted**. If every world is rejected, the test is repeated without the worst tenth
# of the numbers, which may be misprints. *All* numbers are judged in the first admitted world. If
# no world is admitted, the numbers are judged in the plain world.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## One test for all numbers of a world
#
# The test compares the largest |z| of m numbers with a limit c:
#
# $$\Pr[\text{a correct world is rejected}] \le \sum_{i=1}^{m} \Pr[\,|z_i| > c\,] \le 0.001$$
#
# This bound does not require independent numbers.

# %% tags=["nbval-check-output"]
from claimbook.chance import quantile
from pplab_papers.collection import read_result

measured = read_result("noise-graphs", "table1").frame.dropna(subset="likes_users")
papers = pplab.claims(paper="noise-graphs").set_index("id")
print_of = papers["published"].str.replace(",", "")
cells = "noise-graphs:table-1:p=" + measured["p"].map("{:g}".format)
cells += ":" + measured["quantity"].str.replace("_", "-")
misfit = (measured["value"] - cells.map(print_of).astype(float)).abs()
measured["z"] = (misfit - 1 / 2).clip(lower=0) / measured["sd"]  # counts are rounded to units
table = measured.pivot_table("z", ["quantity", "p"], "likes_users", sort=False)
display(table.round(1))
limit = quantile(np.inf, 0.001 / len(table))
for world, largest in table.max().items():
    print(f"{world} users: the largest |z| is {largest:.1f}; the limit is {limit:.2f}")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Which world?
#
# Twelve counts of one table, first with the printed number of users, then with two of its digits
# swapped:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
claim = "noise-graphs:table-1:p=0.1:noise-edges"
(edges,) = judged_claims("noise-graphs", only=[claim])
ruled_out(edges.judgement)
power = edges.judgement.joints[0].power
say(f"A world whose count is {power:.2%} off the printed count is rejected in nine of ten draws.")

# %% [markdown] slideshow={"slide_type": "notes"}
# With the printed number of users, some counts fit, and other counts miss by many standard
# deviations. With two digits swapped, all twelve counts fit. So the number of users is a suspected
# misprint. If each number could choose its own world, every table would look better than it is. So
# if a number fits in only one world, and other numbers rule this world out, the verdict on the
# number is `differs`.
#
# The last line gives the **power** of the test. If the test rejects only worlds that are more than
# a tenth off, admission means little, and a number that fits gets at most the verdict `compatible`.
#
# A **statement** is tested in *every* admitted world (in all worlds, if no number depends on the
# choices). Its verdict is `holds` if it is true in all of these worlds, `refuted` if it is false in
# all of them, and `holds-under-reading` if it is true in only some of them. In all other cases, for
# example if the runs leave the statement open, the verdict is `undecided`. A statement that is only
# about printed numbers is `consistent` or `inconsistent`.
#
# ### Exercise B (break)
#
# Break a verdict without changing a rule. In the plain world, which counts all members on the list,
# the verdict on `table-1:attendance` must become `reproduced`. Change as few cells of `came` as
# possible in the club's table `year`, and hand in the changed table.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: the changed table
answer = year.copy()
absent = answer.index[answer["came"] == 0]
answer.loc[absent[:9], "came"] = 1
check("18-B", answer)

# %% [markdown]
# ## Run a claim of the four papers again
#
# With `--check`, the experiment for a claim runs in a scratch folder. The new numbers are compared
# with the stored numbers, and the stored numbers stay unchanged. The output also counts the rows
# that no run can confirm.

# %% tags=["nbval-check-output"]
terminal(f"pplab reproduce noise-graphs {claim} --check")
unheard = papers[papers["verdict"].isin(["shape-only", "not-testable"])]
display(unheard.groupby(["verdict", "kind"]).size().to_frame("rows of noise-graphs"))
reasons = unheard.loc[unheard["verdict"] == "not-testable", "note"].drop_duplicates()
for reason in reasons.head(3):
    say(f"- {reason}")

# %% [markdown] slideshow={"slide_type": "notes"}
# *same* means that each number is within a billionth of the stored number. *same verdict* would
# mean that only later digits changed, for example because of a different version of a library.
# *changed* would mean a different verdict, that is, an error.
#
# A row is `shape-only` if it was measured on different data, if we used a substitute for a method
# that the paper does not describe, or if it depends on a threshold that we chose. Such runs can
# show a similar trend, but cannot confirm or contradict the claim.
#
# ## Dispute a row
#
# In a **dispute**, you read the same words differently, write your reading as a rule, and run it.
# Take the refuted sentence: *attendance rose from each month to the next*. A friend of the club
# says: "They only meant that attendance rose over the year." We write this reading as a criterion,
# and add a second reading: "the second half of the year was better than the first half". Criteria
# are written in a small language:
#
# | you write | you get |
# |---|---|
# | `value(quantity="came")` | the measured numbers of all rows that match, here twelve |
# | `value(quantity="came", month=3)` | the number for March; a list of months gives several |
# | `steps(...)` | the difference from each number to the next |
# | `where(... >= 7, 1, 0)` | 1 where the condition is true, 0 elsewhere; the `mean` is a share |
# | `mean(...)`, `sum(...)`, `min(...)`, `max(...)` | one number |
# | `all(...)`, `any(...)` | whether all conditions, or any of them, are true |

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Dispute a row
#
# Turn another reading of the same words into a criterion, and run it. **Is the sentence true under
# a milder reading?**

# %% tags=["nbval-check-output"]
from claimbook.criteria import decide

club_rows = read_result("reading-club", "months", club / "results").rows
attendance = 'value(quantity="attendance", month={})'
early, late = attendance.format([*range(1, 7)]), attendance.format([*range(7, 13)])
readings = {
    "each month above the last": f"all(steps({attendance.format([*range(1, 13)])}) > 0)",
    "December above January": f"{attendance.format(12)} > {attendance.format(1)}",
    "July to December above January to June": f"mean({late}) > mean({early})",
}
for reading, criterion in readings.items():
    [answer] = decide(criterion, club_rows, printed=lambda _: [])  # it needs no printed number
    print(f"{reading}: {answer.true}  ({answer.seen})")

# %% [markdown] slideshow={"slide_type": "notes"}
# The sentence fails under the two milder readings, too. The dispute is lost, but remains visible.
# It would be wrong to show only a reading under which the sentence is true. The words say "from
# each month to the next", so the first reading is the plain reading. Any other reading must be
# justified by the text, not only by its result.
#
# **Chance.** If a measured value depends on chance, we use an *interval*: the value plus or minus
# the standard error times a quantile of **Student's t**. Then a criterion is true, false or *not
# seen*. **The null.** Two sentences are true of the club: "January was the best month", and "the
# best month was better than the worst month". Shuffle the numbers of the twelve months. A sentence
# that is true in every shuffle says nothing about the months.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## A criterion must be able to fail
#
# "January was the best month" fails in nearly all shuffles of the twelve months.
#
# "The best month was better than the worst month" never fails, so it says nothing about the months.

# %% tags=["nbval-check-output"]
from claimbook.criteria import under_null

summary = {True: "shown", False: "shown false", None: "not seen"}
for runs in (2, 5, 20, 100):
    change = [{"value": -0.03, "se": 0.05 / runs**0.5, "runs": runs}]
    [answer] = decide("value() < 0", change, printed=lambda _: [])
    print(f"{runs:3} runs, quantile {quantile(runs):5.1f}: {answer.seen:27} {summary[answer.true]}")
months = [each for each in club_rows if each["quantity"] == "attendance"]
best = f"value(month=1) > max(value(month={[*range(2, 13)]}))"
for criterion in (best, "max(value()) > min(value())"):
    dealt = under_null("shuffle", criterion, months, lambda *_: [], printed=lambda _: [])
    true = sum(answers[0].true for answers in dealt)
    print(f"{criterion}: true in {true} of {len(dealt)} shuffles")

# %% [markdown] slideshow={"slide_type": "notes"}
# If a criterion is *not seen*, the sentence is not refuted. (A verdict needs at least five runs,
# and a number in a joint test needs at least twenty runs.) Under its null, a criterion must fail in
# more than half of the shuffles. "January was the best month" fails in nearly all shuffles. "The
# best month was better than the worst month" never fails, so the verdict on this sentence would be
# `undecided`. Other nulls multiply the values (`times 1.1`), add a constant (`plus 2`), set all
# values to their mean (`flat`), or exchange two labels (`swap quantity=came|members`).
#
# ## Exercises
#
# Exercises C, R, P and B are above.
#
# - **D (design).** The club's next report will say: *usually, seven or more members came to a
#   meeting*. Write a rule for this sentence now, before there is a report. The rule is a dict with
#   the keys `rule`, `part`, `criterion` and `null`, as in `rules.csv`. For each month, the part
#   *months* measures three quantities: `members` (the length of the list, which may change), `came`
#   and `attendance`. Let *usually* mean that the share of such months exceeds a threshold. The
#   threshold may be any number from one half to four fifths. The check tries your rule on several
#   years that you do not see. The criterion must hold in some years and fail in other years; under
#   the null, it must fail in every year.
# - **O (open).** Dispute one printed **number** of the report. Hand in `(id, reading, run)`: the id
#   of the number's row, your reading as a sentence, and a function that takes the table `year` and
#   returns the number under your reading. Your reading does not have to win the dispute, but it
#   must give a number that is not yet in the row.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: {"rule": ..., "part": ..., "criterion": ..., "null": ...}
answer = {
    "rule": "holds",
    "part": "months",
    "criterion": 'mean(where(value(quantity="came") >= 7, 1, 0)) > 1 / 2',
    "null": "times 0.5",
}
check("18-D", answer)


# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: (id of a row, your reading as a sentence, function that returns a number)
def books_of_those_who_came(table):
    return table.loc[table["came"] == 1, "books"].mean()


reading = "Books are counted only in months in which the member came to the meeting."
answer = ("reading-club:section-1:books", reading, books_of_those_who_came)
print(f"printed {ledger.loc['section-1:books', 'published']}, under this reading", end=" ")
print(round(books_of_those_who_came(year), 3))
check("18-O", answer)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The student project
#
# 1. Run `pplab ledger new my-paper`.
# 2. Write the **rule**, with a criterion and a null.
# 3. **Commit** the rules before any run.
# 4. Write the **part**: one function that returns a table.
# 5. Commit the **verdict** as it is.

# %% [markdown] slideshow={"slide_type": "notes"}
# ## The student project
#
# Choose one claim of a paper that is not in the ledger: a number in a table, or a sentence that can
# be false. [A paper of your own](../docs/your-paper.md) explains the steps.
#
# 1. Run `pplab ledger new my-paper`. Put the title, the authors, the year and the address of the
#    paper into `paper.toml`.
# 2. **Rule.** Write one row in `rules.csv`. If the claim is a number, give the number as printed.
#    If the claim is a sentence, use your own words, keep every hedge ("usually", "in our tests"),
#    and add a criterion and a null. Choices that the text leaves open go into `choices.csv`, with
#    the plain option first. If no result could contradict the number or refute the sentence, the
#    claim is too vague.
# 3. **Commit** the rules before any run.
# 4. **Part.** Write one function in `parts.py` that returns a table with the measured `value`. If
#    the value depends on chance, the table also gives its standard error `se` and the number of
#    `runs`, which must be at least five. Give the owner, the terms and the checksum of the data in
#    `data.toml`.
# 5. **Verdict.** Run `pplab reproduce my-paper`, then commit `results/` and `history.csv`
#    unchanged.
#
# Hand in the folder with its history of commits, and one page. The page states the claim and where
# the paper makes it, the choices, the reason for each plain option, the verdict, and what would
# have changed the verdict. You get as many points for `differs`, `not-testable` or a lost dispute
# as for `reproduced`. Three things count: the commits are in order, every world that you tried is
# shown, and someone else can repeat the run.
#
# ## Quiz
#
# 1. When may a tolerance be chosen? <details><summary>Answer</summary>Before the run. A later
#    change amounts to a new rule, and the first verdict stays visible.</details>
# 2. What refutes a sentence that begins with "for every"? <details><summary>Answer</summary>One
#    case in which the sentence is false, provided that others can run this case.</details>
# 3. A claim was never computed. What is its verdict? <details><summary>Answer</summary>None: the
#    claim is open.</details>
# 4. A number fits in a world, but eleven other numbers rule this world out. What is the verdict on
#    the number? <details><summary>Answer</summary>`differs`: all numbers of a program are judged in
#    one world.</details>
# 5. Five runs show a gain, but the interval of the gain contains 0. Is the sentence "there is a
#    gain" refuted? <details><summary>Answer</summary>No: it is undecided.</details>
#
# ## What to remember
#
# - Fix the rule first. If each try fits with probability 1/10, at least one of twenty tries fits
#   with probability almost 9/10.
# - A verdict belongs to a claim, a rule, a world and a data set. Name all four.
# - All numbers of a program are judged in one world, and one joint test decides which world.
# - A criterion must be able to fail. An effect that was not seen may still exist.
# - Lost disputes are results, and so are numbers that differ.
#
# ## References
#
# - Simmons, Nelson and Simonsohn 2011, *False-positive psychology*, on choices made after seeing
#   the data, [doi 10.1177/0956797611417632](https://doi.org/10.1177/0956797611417632).
# - Gelman and Loken 2014, *The statistical crisis in science*, on forking paths,
#   [doi 10.1511/2014.111.460](https://doi.org/10.1511/2014.111.460).
# - Nosek, Ebersole, DeHaven and Mellor 2018, *The preregistration revolution*,
#   [doi 10.1073/pnas.1708274114](https://doi.org/10.1073/pnas.1708274114).
# - Nüst and Eglen 2021, *CODECHECK*, on rerunning the code of papers,
#   [doi 10.12688/f1000research.51738.2](https://doi.org/10.12688/f1000research.51738.2).
# - Salas and Torra 2020, *Differentially private graph publishing and randomized response for
#   collaborative filtering* (for Table 1),
#   [doi 10.5220/0009833804150422](https://doi.org/10.5220/0009833804150422).
# - Jorgensen and Yu 2014, *A privacy-preserving framework for personalized, social
#   recommendations*, [doi 10.5441/002/edbt.2014.51](https://doi.org/10.5441/002/edbt.2014.51).
# - Esfandiari, Epasto, Mirrokni and Munoz Medina 2022, *Smooth anonymity for sparse graphs*,
#   [arXiv 2207.06358](https://arxiv.org/abs/2207.06358).
# - Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, *A k-anonymous approach to privacy
#   preserving collaborative filtering*,
#   [doi 10.1016/j.jcss.2014.12.013](https://doi.org/10.1016/j.jcss.2014.12.013).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ask the room
#
# Five runs show a gain, but the interval of the gain contains 0. Is the sentence "there is a gain"
# refuted?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - If each try fits with probability 1/10, at least one of twenty tries fits with probability
#   almost 9/10.
# - A verdict belongs to a claim, a rule, a world and a data set.
# - An effect that was not seen may still exist.
# - Lost disputes are results, and so are numbers that differ.
