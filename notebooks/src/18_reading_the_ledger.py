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
# - write the rule of a claim before its run, and see how a later change is caught;
# - choose between readings of a text by one joint test of all numbers that depend on the reading;
# - rerun a claim, dispute a claim, and check a paper of your own.
#
# ## What you need
#
# You need notebook [00](00_find_somebody.ipynb), the standard deviation, pandas and, for one table,
# the noise graph of notebook [02](02_noise_graphs.ipynb). This notebook is also the brief of the
# **student project**: its last section says what to hand in.
#
# **Minutes (estimates):** about 45 to read, about 75 for the exercises.
#
# ## Break something: predict, then run
#
# A paper prints a number, and the text about it is not quite clear. You see five ways to read the
# text, and four tolerances look fair to you. That makes twenty tries. Suppose that your code is
# unrelated to the paper's, and that each try "reproduces" the number by luck with probability 1/10.
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
say(f"You said {my_prediction:.0%}. By luck alone, **{found_something:.0%}** of 100,000 readers")
say("report a reproduction.")

# %% [markdown] slideshow={"slide_type": "notes"}
# If the twenty tries are independent, they all miss with probability $0.9^{20}$. So the chance that
# **something** fits is
#
# $$1 - (1 - q)^{t},$$
#
# where $q$ is the probability that one try fits, and $t$ is the number of tries. (Tries on the same
# data often fit together; then the chance is smaller. It is always between $q$ and $tq$.)

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
# Even if each try fits with probability 1 %, a reportable fit is fairly likely. Nobody in this
# story cheats: each reader reports one fit, and forgets the tries that missed. Honesty alone does
# not help, but a fixed **order** does: first the rule, then the run.
#
# ### Exercise C (compute)
#
# A reader tries three readings, two tolerances and four subsets of the data, in every combination.
# Each try fits by luck with probability 5 %, independently. What is the probability that something
# fits, to three significant digits?

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
# - A **verdict** is computed, never typed.

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
#   rule has a **criterion**, an expression over measured numbers that is true or false, and a
#   **null**: a change of these numbers under which the criterion must fail.
# - A **choice** is a detail of the authors' program that the text leaves open. Each of its options
#   is one reading of the words; the **plain** option comes first. A **world** picks one option for
#   every choice.
# - A **verdict** is computed from the rule and the measurement, and never typed.
#
# For a printed number the usual rule is *rounded*. If $u$ is one unit of the last printed digit,
# this rule requires
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
# Each number or statement that a paper prints is a row of the **claims ledger**. The table shows
# how many of the papers' rows have each verdict today. (Rows that repeat others, test our program,
# or state our own claims do not count.)

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
# | `undecided` | the runs show a sentence neither true nor false |
# | `open` | the claim was not run under its present rule |

# %% [markdown] slideshow={"slide_type": "notes"}
# Four verdicts are easily misunderstood. `differs` is about a number and is not an accusation: data
# or details may differ. `refuted` is about a sentence, and needs one case in which the sentence is
# false. `undecided` means that the runs show a sentence neither true nor false. `open` is not a
# verdict on the paper: the claim was not run under its present rule.
#
# ### Exercise R (recall)
#
# Match the eight cases below with the eight verdicts; each letter is used once.

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
# **text** exactly as in the paper, such as `"0.40"` or `"1,024"`; `measured` is a float. The check
# tries numbers that you do not see. Some are exactly half a unit away, as `10.5` is from 10; floats
# hold these halves exactly.


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
# Our smallest paper is the made-up report of a reading club. In its runs, *real* data means the
# club's own file. The command `pplab ledger new` writes a folder with the report's claims, the
# club's data and two experiments. Here we run commands from Python, in a new empty folder; you can
# also type them in a terminal.

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
# If the criterion of a sentence is false, the rule `holds` makes the sentence refuted, and
# `holds-or-misprint` makes it a misprint. In the data, `came` is 1 if the member came in that
# month, and `books` is the number of books that the member read.
#
# **Attendance** in Table 1 is the share of members who came. We compute this share for the whole
# year, with all members of the list and with only those who came at least once, and try four
# tolerances.

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
# If you choose the column after seeing the numbers, you can get any verdict you like. The rule
# removes this freedom: the printed value has two decimals, so *rounded* allows half a hundredth.
# The two *rows* are options of a real choice, since the report does not say whether a member who
# never came counts. So both options are in `choices.csv`, the plain option first, with the ids of
# the claims that depend on them.
#
# **Your turn, before the run.** Write down a verdict for each of the six claims; the tables of
# claims and of verdicts are above.

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
# Two numbers agree. One number agrees only in a world other than the plain world: it is reproduced
# under a reading. One formula is inverted in the text, but right in the report's own table: a
# misprint. Attendance did *not* rise from each month to the next; it already fell in the first step
# measured. The last number is about data that nobody has: it is neither right nor wrong, but still
# counts as a claim.
#
# ## One row, from left to right

# %% tags=["nbval-check-output"]
from pplab_papers.collection import judged_claims

row = ledger.loc["table-1:attendance"]
names = ["place", "published", "rule", "tolerance", "part", "source", "measured", "verdict"]
for name in [*names, "reading"]:
    print(f"{name + ':':<11} {row[name]}")


def refusals(judgement):  # each world, and how many numbers refuse it
    (joint,) = judgement.joints
    worlds = [dict(world) | {"refused by": len(by)} for world, by in joint.refused.items()]
    print(f"of {joint.count} number(s):")
    display(pd.DataFrame(worlds))


(judged,) = judged_claims(club, only=["reading-club:table-1:attendance"])
refusals(judged.judgement)

# %% [markdown]
# The row gives the place, the printed value, the rule with its tolerance, the experiment (*part*),
# the data, our number, the verdict, and under *reading* the world in which the claim is judged,
# written as choice, colon, option. The table below the row shows a test of each world, explained
# later. `pplab claims reading-club:table-1:attendance --paper reading-club --full` also prints the
# seed, versions, the data's checksum, commits of rules and code, and the command that repeats the
# run.
#
# ## Play: change a rule after its run
#
# **Question:** what happens to a verdict whose rule is changed later? Suppose that you mistyped the
# mean number of books. The next cell changes the printed value in `rules.csv`, runs nothing, and
# asks the ledger again.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Change a rule after its run
#
# Change the printed mean number of books in the rules, and run nothing. **What happens to the
# verdict?**

# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
committed = (club / "rules.csv").read_text(encoding="utf-8")
assert "1.65" in committed
(club / "rules.csv").write_text(committed.replace("1.65", "1.8"), encoding="utf-8")
columns = ["published", "measured", "verdict", "first_verdict", "note"]
verdicts().loc[["section-1:books"], columns]

# %% [markdown] slideshow={"slide_type": "notes"}
# The verdict is gone. Every stored result carries a **hash** of the rule under which it was run: a
# short number that changes when the claim, the rule, its rows, its choices or the criterion change.
# The hashes in the result and in `rules.csv` now differ, so this rule counts as not yet run. We now
# run it, and look at the history.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What the history keeps
#
# The changed rule was run, and then the change was undone:

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
# The verdict is now `differs`, and the row says that it was `reproduced` first. Once the change is
# undone, the verdict is `reproduced` again, and the history keeps all three lines. A rule *may*
# change, but everyone sees the change. Also commit the rules before you run them (`git add
# rules.csv choices.csv`, then `git commit`): each result names the commit of its rules.
#
# ## Which world? One test for all numbers of a world
#
# For a single number, some world nearly always fits, which proves little. The authors ran *one
# program*, so all numbers that depend on a choice must be tested together. Table 1 of the paper
# *noise-graphs* gives twelve counts of edges after noise. The text says that the graph has `19,724`
# users. We suspect two swapped digits: `19,742`. This choice has two options, so there are two
# worlds.
#
# For each number let $|z|$ be the misfit beyond rounding, in standard deviations. The **joint
# test** refuses a world if the *largest* $|z|$ of its $m$ numbers exceeds a limit $c$, chosen such
# that in a right world $\Pr[\,|z| > c\,] \le 0.001/m$ for each number. Then
#
# $$\Pr[\text{a right world is refused}] \le \sum_{i=1}^{m} \Pr[\,|z_i| > c\,] \le 0.001 .$$
#
# This holds *however the numbers depend on each other* (the **union bound**, as for $tq$ above);
# here the two counts for each p come from one draw. A world that passes is **admitted**. Only if no
# world passes is the worst tenth of the numbers left out, as possible misprints. *All* numbers are
# judged in the first admitted world or, if no world is admitted, in the plain world.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## One test for all numbers of a world
#
# The test compares the largest |z| of m numbers with a limit c:
#
# $$\Pr[\text{a right world is refused}] \le \sum_{i=1}^{m} \Pr[\,|z_i| > c\,] \le 0.001$$
#
# This holds however the numbers depend on each other.

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
# Twelve counts of one table, with the number of users as printed and with two digits swapped:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
claim = "noise-graphs:table-1:p=0.1:noise-edges"
(edges,) = judged_claims("noise-graphs", only=[claim])
refusals(edges.judgement)
power = edges.judgement.joints[0].power
say(f"A world whose count is {power:.2%} off the printed count is refused in nine of ten draws.")

# %% [markdown] slideshow={"slide_type": "notes"}
# With the printed number of users, some counts fit and others miss by many standard deviations;
# with two digits swapped, all twelve counts fit. So the number of users is a suspected misprint. If
# each number could choose its own world, every table would look better than it is. A number that
# fits only in a world that the other numbers refuse gets the verdict `differs`.
#
# The last line gives the **power** of the test. If the test refuses only worlds that are more than
# a tenth off, admission means little, and a fit gets at most `compatible`.
#
# A **statement** is tested in *every* admitted world (in all worlds, if no number depends on the
# choices). It `holds` if it is true in all of them, is `refuted` if it is false in all, and
# `holds-under-reading` if it is true in only some. Otherwise it is `undecided`. A statement about
# printed numbers alone is `consistent` or `inconsistent`.
#
# ### Exercise B (break)
#
# Break a verdict without changing a rule. In the club's `year`, change as few cells of `came` as
# possible such that the verdict on `table-1:attendance` becomes `reproduced` in the plain world,
# which counts all members of the list. Hand in the changed table. (A run would refuse this table,
# because `data.toml` contains the checksum of the true table.)

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: the changed table
answer = year.copy()
absent = answer.index[answer["came"] == 0]
answer.loc[absent[:9], "came"] = 1
check("18-B", answer)

# %% [markdown]
# ## Run a claim of the four papers again
#
# With `--check` the experiment of a claim runs in a scratch folder, and its numbers are compared
# with the stored ones; nothing is written. The output also counts the rows that no run can confirm.

# %% tags=["nbval-check-output"]
terminal(f"pplab reproduce noise-graphs {claim} --check")
unheard = papers[papers["verdict"].isin(["shape-only", "not-testable"])]
display(unheard.groupby(["verdict", "kind"]).size().to_frame("rows of noise-graphs"))
reasons = unheard.loc[unheard["verdict"] == "not-testable", "note"].drop_duplicates()
for reason in reasons.head(3):
    say(f"- {reason}")

# %% [markdown] slideshow={"slide_type": "notes"}
# *same* means that each number is within a billionth of the stored number. *same verdict* would
# mean that only later digits changed, as they may with another library. *changed* would mean a
# different verdict, that is, an error.
#
# `shape-only` rows were measured on other data, or with a substitute for a method that the paper
# does not describe, or depend on a threshold that we chose. Such runs can show a similar trend, but
# cannot confirm or contradict the claim. Each `not-testable` row gives a reason.
#
# ## Dispute a row
#
# The ledger can be wrong, and its choices can be unfair. A **dispute** turns another reading of the
# same words into a rule and runs it. Take the refuted sentence: *attendance rose from each month to
# the next*. A friend of the club says: "They only meant that attendance rose over the year." We
# write this reading as a criterion, and a second reading: "the second half of the year was better
# than the first". The language of criteria is small:
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
# Turn another reading of the same words into a criterion, and run it. **Does a milder reading save
# the sentence?**

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
# Each line ends with the comparison that decided it. The two milder readings do not save the
# sentence, so the dispute is lost, but still shown. It would be wrong to keep only a reading that
# saves the sentence, and to forget the others. The words say "from each month to the next", so the
# first reading is plain; other readings need a reason in the text, not only a result.
#
# **Chance.** Where chance plays a part, a measured value is an *interval*: the value plus or minus
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
# A criterion that is *not seen* refutes nothing. (A verdict needs at least five runs, and a number
# in a joint test needs at least twenty.) Under its null, a criterion must fail in more than half of
# the shuffles. "January was the best month" fails in nearly all shuffles. "The best month was
# better than the worst month" never fails: as a claim it would be `undecided`. Other nulls multiply
# the values (`times 1.1`), add a constant (`plus 2`), set all values to their mean (`flat`), or
# exchange two labels (`swap quantity=came|members`).
#
# ## Exercises
#
# Exercises C, R, P and B are above. Two exercises remain.
#
# - **D (design).** The club's next report will say: *usually, seven or more members came to a
#   meeting*. Write its rule now, before there is a report: a dict with the keys `rule`, `part`,
#   `criterion` and `null`, as in `rules.csv`. The part *months* measures, for each month, the
#   quantities `members` (the length of the list, which may change), `came` and `attendance`. Read
#   *usually* as a share of the months: more than half, or any higher threshold up to four fifths.
#   The check tries your rule on several years that you do not see. The criterion must hold in some
#   years and fail in others; under the null it must fail in every year. `mean(where(..., 1, 0))` is
#   the share of numbers for which the condition is true.
# - **O (open).** Dispute one printed **number** of the report. Hand in `(id, reading, run)`: the id
#   of the number's row, your reading as a sentence, and a function that takes the table `year` and
#   returns the number under your reading. Your reading need not win the dispute, but it must give a
#   number that the row does not have yet.

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
# 1. Run `pplab ledger new my-paper`. Put title, authors, year and address of the paper into
#    `paper.toml`.
# 2. **Rule.** Write one row in `rules.csv`: the number as printed, or the sentence in your own
#    words with every hedge ("usually", "in our tests"), its criterion and its null. Choices that
#    the text leaves open go into `choices.csv`, with the plain option first. If no result would
#    make the number differ or refute the sentence, the claim is too vague.
# 3. **Commit** the rules before any run.
# 4. **Part.** Write one function in `parts.py` that returns a table with the measured `value`;
#    where chance plays a part, also with its standard error `se` and the number of `runs`, at least
#    five. Name owner, terms and checksum of the data in `data.toml`.
# 5. **Verdict.** Run `pplab reproduce my-paper`, then commit `results/` and `history.csv`
#    unchanged.
#
# Hand in the folder with its history of commits, and one page: the claim and its place, the choices
# and why the plain option is plain, the verdict, and what would have changed it. `differs`,
# `not-testable` or a lost dispute earn as much as `reproduced`. What counts is that the commits are
# in order, every world tried is shown, and someone else can repeat the run.
#
# ## Quiz
#
# 1. When may a tolerance be chosen? <details><summary>Answer</summary>Before the run. A later
#    change makes a new rule, and the first verdict stays visible.</details>
# 2. What refutes a sentence that begins with "for every"?
#    <details><summary>Answer</summary>One case in which the sentence is false, and which anybody
#    can run.</details>
# 3. A claim was never computed. What is its verdict? <details><summary>Answer</summary>None: the
#    claim is open.</details>
# 4. A number fits in a world that eleven other numbers refuse. What is its verdict?
#    <details><summary>Answer</summary>`differs`: all numbers of a program are judged in one
#    world.</details>
# 5. Five runs show a gain, and its interval contains 0. Is the sentence "there is a gain" refuted?
#    <details><summary>Answer</summary>No: it is undecided.</details>
#
# ## What to remember
#
# - If each try fits with probability 1/10, twenty tries find a fit almost 9 times in 10. Fix the
#   rule first.
# - A verdict belongs to a claim, a rule, a world and a data set. Name all four.
# - All numbers of a program are judged in one world, which one test admits.
# - A criterion must be able to fail, and an effect that was not seen refutes nothing.
# - A lost dispute and a number that differs are results.
#
# ## References
#
# - Simmons, Nelson and Simonsohn 2011, *False-positive psychology*, on choices made after the data,
#   [doi 10.1177/0956797611417632](https://doi.org/10.1177/0956797611417632).
# - Gelman and Loken 2014, *The statistical crisis in science*, on forking paths,
#   [doi 10.1511/2014.111.460](https://doi.org/10.1511/2014.111.460).
# - Nosek, Ebersole, DeHaven and Mellor 2018, *The preregistration revolution*,
#   [doi 10.1073/pnas.1708274114](https://doi.org/10.1073/pnas.1708274114).
# - Nüst and Eglen 2021, *CODECHECK*, on rerunning the code of papers,
#   [doi 10.12688/f1000research.51738.2](https://doi.org/10.12688/f1000research.51738.2).
# - Salas and Torra 2020, *Differentially private graph publishing and randomized response for
#   collaborative filtering*, for Table 1,
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
# Five runs show a gain, and its interval contains 0. Is "there is a gain" refuted?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - If each try fits with probability 1/10, twenty tries find a fit almost 9 times in 10.
# - A verdict belongs to a claim, a rule, a world and a data set.
# - An effect that was not seen refutes nothing.
# - A lost dispute and a number that differs are results.
