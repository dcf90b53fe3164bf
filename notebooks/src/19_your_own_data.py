# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 19 Your own data
#
# **Names in, names out:** publish a file of your own in three ways.

# %% [markdown] slideshow={"slide_type": "notes"}
# # 19 Your own data
#
# *Edition 2, for a project of your own. Core track.*
#
# ## What you will be able to do
#
# - read a file of ratings by naming its columns, and keep its labels;
# - publish the file as a k-anonymous copy, as a table with noise on each entry, or as means of
#   groups;
# - measure how many people can be singled out by a few known entries, before and after publication;
# - say why a mechanism with an ε needs public lists of people and items;
# - do all of these steps with one command.
#
# ## What you need
#
# You need notebooks [00](00_find_somebody.ipynb), [01](01_privacy_by_counting.ipynb) and
# [02](02_noise_graphs.ipynb), and a little pandas. Notebooks [10](10_a_vote_that_decides.ipynb),
# [14](14_microaggregation_what_means_give_away.ipynb) and [17](17_one_yardstick.ipynb) show how
# well these copies protect against attackers.
#
# **Minutes (estimates):** about 35 to read, about 15 for the exercises.
#
# ## Break something: predict, then run
#
# A film club keeps a file of ratings. Each line gives a member, a film, and a rating from half a
# star to five stars. A *like* is a rating of four stars or more. The file has no names, only member
# numbers. You have the file, and a member mentions three films that she likes.
#
# **Choose a random member with at least three likes. With what probability do three random likes of
# this member single the member out?** (A member is singled out if no other member has all three
# likes.) Write your number down, then run.

# %%
my_prediction = 0.9  # your own number here, between 0 and 1

# %% tags=["nbval-check-output"]
import pandas as pd
from IPython.display import display

import pplab
from pplab_course import film_evenings, say

film_evenings().to_csv("made-up-ratings.csv", index=False)
pd.read_csv("made-up-ratings.csv").head(4)

# %% [markdown]
# The people and their ratings are made up. To use a file of your own, **change the next cell**: put
# your file into the folder of this notebook, write the name of the file and the names of its
# columns into the cell, and run all cells again. If you have no public lists of people and items,
# write `frame = {"listed": "public"}`.

# %%
file = "made-up-ratings.csv"
columns = {"user": "userId", "item": "movieId", "value": "rating"}
frame = {"users": range(101, 161), "items": range(11, 41)}  # all members, all films
liked, scale, k, epsilon = 4, (0.5, 5), 4, 2

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Three likes at lunch
#
# A film club keeps a file without names. A member mentions three films that she likes.
#
# **Choose a random member with at least three likes. With what probability do three random likes of
# this member single the member out?**

# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
from pplab.protect import singled_out

ratings = pplab.read_table(file, **columns)
likes = ratings.keep(at_least=liked)
print(ratings, likes, sep="\n")
before = {known: share for known, (share, _) in singled_out(likes, likes).items()}
say(f"Three known likes single out **{before[3]:.0%}** of members. You said {my_prediction:.0%}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# For each person with enough likes, `singled_out` draws a given number of likes, and checks whether
# any other row has all of these likes.
#
# ## Define: a table that keeps its labels
#
# - A **Table** is a matrix of users × items, with the labels of the users and of the items.
#   `read_table` makes a Table from a file, and `table` makes a Table from a DataFrame. `graph`
#   makes a **Graph** of people × people.
# - **Columns are named, never guessed.** If you do not name a column of values, but the file has
#   another numeric column, the file is refused.
# - **Labels go in, and labels come out.** `.frame()` returns a result with your own column names.
#   If there is one value for each person, the result is a Series whose index contains the people.
# - **The order of the rows is fixed.** If you give a list `users=`, the rows have the order of this
#   list; otherwise, the rows are sorted by label. The order of lines in the file does not matter.
#
# What happens if you forget a column, or pass ratings to a function that needs likes?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## A table that keeps its labels
#
# - **Columns are named, never guessed.**
# - **Labels go in, and labels come out.**
# - **The order of the rows is fixed:** the order of lines in the file does not matter.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## An error message shows the right call

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
for call in (
    lambda: pplab.read_table(file, user=columns["user"], item=columns["item"]),
    lambda: pplab.smooth_k_anonymize(ratings, k),
):
    try:
        call()
    except ValueError as refusal:
        print(f"- {refusal}")

# %% [markdown] slideshow={"slide_type": "notes"}
# Above, `keep(at_least=4)` decided which ratings are likes. The table keeps a row for each member,
# even for members who like nothing.
#
# **Why not use positions?** A row number is not a member number. In the next cell, a colleague
# counts the likes in each row. The colleague then matches these counts to the members, in the order
# in which the members appear in a list sorted by film.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Why not use positions?
#
# A colleague counts the likes in each row. The colleague then matches these counts to the members,
# in the order in which the members appear in a list sorted by film:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
lines = ratings.frame().sort_values(columns["item"], kind="stable")  # film by film
number = likes.matrix.sum(axis=1)  # likes in each row
by_position = dict(zip(lines[columns["user"]].unique(), number, strict=True))
by_label = dict(zip(likes.users, number, strict=True))
wrong = sum(by_position[person] != by_label[person] for person in likes.users)
say(f"The count is wrong for **{wrong} of {len(likes.users)}** people, and no error was raised.")

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Code: a k-anonymous copy
#
# A table is **k-anonymous** when each row equals at least k − 1 other rows. `suppress_k_anonymize`
# removes entries until the table is k-anonymous. `smooth_k_anonymize` also adds entries: a group of
# k or more people publishes each item that at least half of its members have. The **Jaccard
# similarity** measures how similar the published edges $\tilde E$ are to the original edges E:
#
# $$J = \frac{|E \cap \tilde E|}{|E \cup \tilde E|} .$$

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## A copy for crowds of k
#
# A group of k or more people publishes each item that at least half of its members have.
#
# $$J = \frac{|E \cap \tilde E|}{|E \cup \tilde E|}$$

# %% tags=["nbval-check-output"]
smooth = pplab.smooth_k_anonymize(likes, k, rng=1).table
fewer = pplab.suppress_k_anonymize(likes, k, rng=1).table
for name, copy in {"smooth": smooth, "suppressed": fewer}.items():
    same, similar = pplab.is_k_anonymous(copy, k), pplab.jaccard_similarity(likes, copy)
    print(f"{name + ':':11} k-anonymous {same}, J = {similar:.2f}")
smooth.frame().head(3)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Its labels are published, too
#
# Anyone who knows a member's number can look up the member's row. Replace these numbers with random
# numbers, and keep the key secret.

# %% [markdown] slideshow={"slide_type": "notes"}
# **The labels of the release are published, too.** Anyone who knows a member's number can look up
# the member's row. If other people know the member numbers, replace these numbers with random
# numbers, and keep the key secret.
#
# For each person, let t be the number of entries in the original, and let c be the number of
# changed entries. The **sensitive attribute risk** is t/(t + c). A high value means a high risk.

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
risk = pplab.sensitive_attribute_risk(likes, smooth).sort_values()
risk.iloc[[0, 1, -2, -1]].round(2).to_frame("risk")

# %% [markdown]
# ### Exercise C (compute)
#
# Five people like some of the films A to E. Ada likes C and E. Ben likes A, B and C. Cleo likes B,
# C and D. Dev likes A, B, D and E. Eva likes B and C. An attacker knows **two likes of one
# person**; every pair of this person's likes is equally likely. A person is singled out if nobody
# else likes both items. What share of the five people is singled out, on average? Give three
# significant digits.

# %% tags=["solution", "nbval-check-output"]
from itertools import combinations

from pplab_course import check

people = {"Ada": "CE", "Ben": "ABC", "Cleo": "BCD", "Dev": "ABDE", "Eva": "BC"}
# YOUR CODE: a share between 0 and 1
shares = []
for liking in people.values():
    pairs = [set(pair) for pair in combinations(liking, 2)]
    alone = [sum(pair <= set(other) for other in people.values()) == 1 for pair in pairs]
    shares.append(sum(alone) / len(pairs))
answer = sum(shares) / len(people)
check("19-C", answer)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Noise on each entry
#
# $$\varepsilon = \ln\frac{1-p}{p}$$
#
# The level concerns a pair of **neighbours**, that is, two tables that differ in one entry. Both
# tables must have the same rows and columns: the **frame**.

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Noise on each entry, and the frame
#
# `bipartite_noise_graph` flips each cell with probability p, and states a level for **one entry**:
# $\varepsilon = \ln\frac{1-p}{p}$. The level concerns a pair of **neighbours**, that is, two tables
# that differ in one entry. A cell can flip only if it exists, so both tables must have the same
# rows and columns: the **frame**. But a file lists only people who have entries. What happens if a
# person has a single entry, and this entry is removed?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What if a person's only entry is removed?
#
# If the frame is *taken from the entries*, the number of rows alone reveals this entry, for every
# p. If the frame is *named* by public lists, the shape of the table stays the same.
#
# | frame | rows without this person's entry |
# |---|---|
# | taken from the entries | one fewer than before |
# | named from public lists | as many as before |

# %% tags=["nbval-check-output"]
entries = lines[columns["user"]].value_counts()
least = entries.idxmin()
neighbour = lines[lines[columns["user"]] != least]
say(f"Member {least} has the fewest entries: {entries[least]}. Shapes with and without them:")
for name, lists in {"taken from the entries": {}, "named": frame}.items():
    shapes = [pplab.table(each, **columns, **lists).shape for each in (lines, neighbour)]
    print(f"frame {name}: {shapes[0]}, {shapes[1]}")

# %% [markdown] slideshow={"slide_type": "notes"}
# If the frame is *taken from the entries*, the number of rows alone reveals a person's only entry,
# whatever p is, so no finite ε is possible. If the frame is *named* by public lists (here, all
# members and films of the club), the shape stays the same. So a mechanism with an ε refuses a frame
# that was taken from the entries. Do not make the lists from the private entries, because the frame
# would again be taken from these entries. `listed="public"` states that the list of people in the
# file is public.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## With a public frame

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
flip = pplab.epsilon_to_flip(epsilon)
try:
    pplab.bipartite_noise_graph(likes, flip_probability=flip, rng=1)
except ValueError as refusal:
    print(refusal)
framed = pplab.read_table(file, **columns, **frame).keep(at_least=liked)
noisy = pplab.bipartite_noise_graph(framed, flip_probability=flip, rng=1)
similar = pplab.jaccard_similarity(framed, noisy)
say(f"p = {flip:.2f}: {framed.matrix.nnz} entries became {noisy.matrix.nnz}, J = {similar:.2f}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# k-anonymous copies and metrics state no ε, so they accept either frame.
#
# ### Exercise P (prove by code)
#
# Write `likes_of(lines, users, items)`. Its arguments are the lines of a file (with the columns
# `userId`, `movieId`, `rating`) and the public lists of all users and items. It returns the
# **matrix** of likes (four stars or more). The rows are in the order of `users`, and the columns
# are in the order of `items`. The check uses hidden files. It also uses neighbours of these files,
# in which the only entry of a person or of a film is missing.


# %% tags=["solution", "nbval-check-output"]
def likes_of(lines, users, items):
    # YOUR CODE: the .matrix of a Table with ones, in the public frame
    names = {"user": "userId", "item": "movieId", "value": "rating"}
    table = pplab.table(lines, **names, users=users, items=items)
    return table.keep(at_least=4).matrix


check("19-P", likes_of)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Who is singled out, before and after publication
#
# The attacker knows up to five likes of a person, and looks for rows that contain all of these
# likes.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Who is singled out, before and after publication

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output", "hide-input"]
from pplab.plots import marks, new_figure, show

releases = {f"smooth copy, k = {k}": smooth, f"noise, ε = {epsilon}": noisy}
alone_by = pd.DataFrame({"original": before})
for name, release in releases.items():
    original = likes if release is smooth else framed
    after = {known: pair[1] for known, pair in singled_out(original, release).items()}
    alone_by[name] = pd.Series(after)
figure, axes = new_figure(height=3)
marks(axes, 100 * alone_by, legend="release")
axes.set(xlabel="likes that the attacker knows", ylabel="people singled out (%)", ylim=(-5, 105))
axes.set_title("A smooth copy singles out nobody; noise on entries singles out many")
ends = [f"{name} {share:.0%}" for name, share in alone_by.iloc[-1].items()]
show(figure, alt=f"People singled out by {len(alone_by)} known likes: {', '.join(ends)}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# In the smooth copy, each row appears at least k times, so no row is unique. But a single like is
# not protected, because the group publishes what the majority likes. With noise, the reverse is
# true: each like is protected at level ε, but five likes of one person together are protected only
# at level 5ε.
#
# ## Means of the ratings
#
# If you want to publish stars, not only likes, use `microaggregate`. It fills the gaps, and gives
# each person the mean of a group of k or more people.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Means of the ratings

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
means = pplab.microaggregate(ratings, k, rating_range=scale)
display(means.table.frame().head(2))
linked = pplab.disclosure_risk(
    ratings, means.table, direction="original-to-protected", cells="rated"
)
summary = "If you know a person's ratings, the nearest row is the right row with probability"
say(f"Each row appears at least {means.k_achieved} times. {summary} **{linked.mean():.0%}**.")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Each release needs its label
#
# | | smooth copy | noise | means |
# |---|---|---|---|
# | unit | a person's row | one entry, present or not | a person's row |
# | guarantee | k equal rows | ε for the entry | k equal rows |
# | trusted | the club | the club, or nobody if flipped at home | the club |
# | an insider | reads deciding votes | learns nothing more | subtracts the known rows |
# | a second release | may undo the grouping | adds its ε | may undo the grouping |

# %% [markdown] slideshow={"slide_type": "notes"}
# Each of the three releases needs its **label**:
#
# | | smooth copy | noise | means |
# |---|---|---|---|
# | unit | a person's row | one entry, present or not | a person's row |
# | guarantee | k equal rows | ε for the entry | k equal rows |
# | trusted | the club | the club, or nobody if flipped at home | the club |
# | an insider | reads deciding votes | learns nothing more | subtracts the known rows |
# | a second release | may undo the grouping | adds its ε | may undo the grouping |
#
# ## A friendship graph
#
# Each line of a file of friendships is an undirected edge of a Graph. If the list of people is
# public, you can publish noisy counts, or the graph with noise on each pair of people. Both
# releases have a guarantee for **one friendship**.

# %% tags=["nbval-check-output"]
from pplab.counts import NoisyCount

pairs_of_friends = ["101 104", "101 107", "104 107", "107 111", "107 115", "111 115", "118 121"]
friends = pd.DataFrame([pair.split() for pair in pairs_of_friends], columns=["a", "b"]).astype(int)
circle = pplab.graph(friends, source="a", target="b", nodes=range(101, 161))
flipped = pplab.noise_graph(circle, flip_probability=pplab.epsilon_to_flip(4), rng=1)
edges = NoisyCount(count="edges", noise="geometric", epsilon=1, unit="edge").sample(circle, rng=1)
print(circle, flipped, sep="\n")
say(f"The number of edges, with noise at ε = 1: {edges}. The graph with noise has ε = 4.")

# %% [markdown] slideshow={"slide_type": "notes"}
# **We do not make a k-anonymous friendship graph.** `circle.rows()` turns the graph into a table,
# in which each row lists the friends of one person. But each friendship is in two rows, and a
# k-anonymous copy may keep the friendship in one row and drop it in the other row:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## A friendship is in two rows
#
# A k-anonymous copy of the rows may keep a friendship in one row and drop it in the other row:

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
rows = pplab.suppress_k_anonymize(circle.rows(), 2, rng=1).table
one_way = (rows.matrix != rows.matrix.T).nnz
say(f"**{one_way // 2}** of {rows.matrix.nnz} published entries lack their counterpart.")
rows.frame()

# %% [markdown] slideshow={"slide_type": "notes"}
# The result is not a friendship graph. If we add or drop entries to repair the graph, the rows of a
# group are no longer equal.
#
# ## To a file and back
#
# `.to_csv` writes the columns that were read. The file has no line for a person without an entry.
# So read a release with `like=`, which takes the frame, the columns and the type of the labels from
# the original.

# %% tags=["nbval-check-output"]
fewer.to_csv("release.csv")
again = pplab.read_table("release.csv", like=likes)
bare = pplab.read_table("release.csv", user=columns["user"], item=columns["item"])
print(f"written {fewer.shape}, read like the original {again.shape}, read alone {bare.shape}")
print(f"the same as before: {pplab.jaccard_similarity(fewer, again) == 1}")

# %% [markdown]
# ## All of this in one command
#
# The cell below runs one terminal command. (A release with noise also needs `--users FILE --items
# FILE`, or `--frame-is-public`.)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## All of this in one command
#
# Do not publish `report.html`; you may publish `release-label.html` with the release.

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
import subprocess
import sys
import tempfile
from pathlib import Path

desk = Path(tempfile.mkdtemp())  # an existing folder is never overwritten
words = ["pplab", "protect", str(Path(file).resolve())]
words += [f"--{name}={column}" for name, column in columns.items()]
words += [f"--keep={liked}", "--method=smooth", f"--k={k}", "--seed=1", "--out=release"]
done = subprocess.run([sys.executable, "-m", *words], cwd=desk, capture_output=True, text=True)
print(done.stdout + done.stderr)

# %% tags=["nbval-check-output"]
import html
import re


def lines_of(page):  # names and values of a page's table
    text = (desk / "release" / page).read_text(encoding="utf-8")
    result = re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td>', text)
    return {name: html.unescape(value) for name, value in result}


label, report = lines_of("release-label.html"), lines_of("report.html")
print("for all:", *[f"  {name}: {value}" for name, value in label.items()], sep="\n")
summary_names = [
    name for name in report if name.startswith(("k ", "Jaccard", "no such", "people with"))
]
print("for you:", *[f"  {name}: {report[name]}" for name in summary_names], sep="\n")

# %% [markdown] slideshow={"slide_type": "notes"}
# Do not publish `report.html`, because it is computed from the original. You may publish
# `release-label.html` with `release.csv`, because the label does not depend on any entry.
#
# ## Play: what does a larger crowd cost?
#
# **Question:** at what k does the J of the suppressed copy fall below 1/5, and what is the J of the
# smooth copy at this k? Predict, then run.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Question
#
# **At what k does J of the suppressed copy fall below 1/5, and what is J of the smooth copy at this
# k?**

# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
kept = {}
for size in (2, 4, 6, 8, 12):
    ways = (pplab.smooth_k_anonymize, pplab.suppress_k_anonymize)
    copies = [way(likes, size, rng=1).table for way in ways]
    kept[size] = [pplab.jaccard_similarity(likes, each) for each in copies]
names = ["smooth", "suppressed"]
pd.DataFrame(kept, index=names).T.rename_axis("k").round(2)

# %% [markdown] slideshow={"slide_type": "notes"}
# The report has a line that begins with *no such copy is above*. This line gives a proved upper
# bound on the J of every smooth copy with this k ([certificates](../docs/certificates.md)).
#
# ## Exercises
#
# Exercises C and P are above. If you use a file of your own, write the label of your release before
# you look at the report, and name the attacker ([which release for which
# threat](../docs/which-release.md)).
#
# ## Quiz
#
# 1. Your frame was taken from the entries. May you publish a k-anonymous copy? May you publish a
#    noise graph? <details><summary>Answer</summary>You may publish the copy, because it states no
#    ε. You may not publish the noise graph, because its shape reveals who has an entry.</details>
# 2. Is it safe to pass `users=sorted(set(lines.userId))` as the public list?
#    <details><summary>Answer</summary>No. This list, too, is taken from the entries, so it changes
#    when the entries change.</details>
# 3. In a smooth copy nobody is singled out. Is each of your likes protected?
#    <details><summary>Answer</summary>No, because the copy publishes each item that at least half
#    of your group like.</details>
# 4. Which of the two pages may be published? <details><summary>Answer</summary>The label, which
#    does not depend on any entry. The report is computed from the original.</details>
#
# ## What to remember
#
# - Name the columns, keep the labels, and never match labels to rows by position.
# - In a file without names, a few known entries are enough to single people out. Count the people
#   who are singled out, before and after publication.
# - An ε needs a frame that does not depend on the entries: public lists of users and items.
# - k protects rows, and ε protects entries. Publish the label with the release, and keep the report
#   private.
#
# The page [Your own data](../docs/your-data.md) is a summary, and also covers wide tables, other
# separators and networkx.
#
# ## References
#
# - Narayanan and Shmatikov 2008, *Robust de-anonymization of large sparse datasets*,
#   [doi 10.1109/SP.2008.33](https://doi.org/10.1109/SP.2008.33).
# - Dwork and Roth 2014, *The algorithmic foundations of differential privacy*, section 2.3,
#   [doi 10.1561/0400000042](https://doi.org/10.1561/0400000042).
# - Esfandiari, Epasto, Mirrokni and Munoz Medina 2022, *Smooth anonymity for sparse graphs*,
#   [arXiv 2207.06358](https://arxiv.org/abs/2207.06358).
# - Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, *A k-anonymous approach to privacy
#   preserving collaborative filtering*,
#   [doi 10.1016/j.jcss.2014.12.013](https://doi.org/10.1016/j.jcss.2014.12.013).
# - Salas and Torra 2020, *Differentially private graph publishing and randomized response for
#   collaborative filtering*,
#   [doi 10.5220/0009833804150422](https://doi.org/10.5220/0009833804150422).

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - Name the columns, keep the labels, and never match labels to rows by position.
# - A few known entries are enough to single people out. Count the people who are singled out,
#   before and after publication.
# - An ε needs a frame that does not depend on the entries.
# - k protects rows, and ε protects entries.
