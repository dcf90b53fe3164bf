# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# # 13 Microaggregation
#
# **Groups, and the best groups.**

# %% [markdown] slideshow={"slide_type": "notes"}
# # 13 Microaggregation: groups, and the best groups
#
# *Edition 2, part 5 of 6: crowds. Papers’ track.*
#
# ## What you will be able to do
#
# - publish the means of groups, and compute their cost;
# - divide numbers on a line into groups so that the error is as small as possible, and prove that
#   no other grouping has a smaller error;
# - run MDAV by hand, first on a line, then in the plane;
# - compare the errors of two rules for leftover points with the smallest possible error.
#
# ## What you need
#
# You need means and squared distances. A table is k-anonymous (notebook
# [00](00_find_somebody.ipynb)) when every row equals at least k − 1 other rows.
#
# **Minutes (estimates):** about 35 to read, about 75 for the exercises.

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Break something: predict, then run
#
# Six people each gave a number: 0, 1, 2, 10, 11, 13. The people form groups of **two or more**, and
# each group publishes its mean, so no row is unique. A popular method, MDAV, begins with the
# extreme numbers. It takes the number r that is farthest from the mean of all numbers, and puts r
# in a group with the number nearest to r. Then it takes the number s that is farthest from r, and
# puts s in a group with the number nearest to s. The remaining numbers form the last group.
#
# **Which two numbers are in MDAV's last group?** Write them down, then run. (The first run also
# compiles code, for up to two minutes.)

# %%
my_prediction = {1, 2}  # your own two numbers here

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Six numbers, groups of two or more
#
# The numbers are 0, 1, 2, 10, 11, 13. MDAV begins with the extreme numbers. It puts r, the number
# farthest from the mean, in a group with the number nearest to r. Then it puts s, the number
# farthest from r, in a group with the number nearest to s.
#
# **Which two numbers are in MDAV's last group?**

# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
from pplab.microaggregation import mdav
from pplab_course import say

numbers = [0, 1, 2, 10, 11, 13]
points = [[number] for number in numbers]  # one coordinate for each point
labels = mdav(points, 2, leftover="group")  # "group": what is left makes a group
last = [number for number, label in zip(numbers, labels, strict=True) if label == max(labels)]
say(f"The group of each number: {labels.tolist()}. The last group holds **{last}**.")
say(f"You said {sorted(my_prediction)}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# The last group contains 2 and 10, and publishes 6 for both numbers, although 6 is far from 2 and
# far from 10. To say which groups are better, we need a cost.
#
# ## Define: groups, means, and what they cost
#
# **Microaggregation** puts the rows of a table into groups $C_1, C_2, \dots$ of k or more rows, and
# publishes for each row the mean $\bar x_C$ of its group. The published table is k-anonymous, since
# all members of a group have the same published row. The cost is the **sum of squared errors**
#
# $$\mathrm{SSE} = \sum_{C} \sum_{x \in C} \|x - \bar x_C\|^2 .$$
#
# In words: square the distance between each row and its published row, and add up these squares
# over all rows. In code:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What groups cost
#
# Each group publishes its mean. The cost is the **sum of squared errors**
#
# $$\mathrm{SSE} = \sum_{C} \sum_{x \in C} \|x - \bar x_C\|^2$$

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
import numpy as np
import pandas as pd

from pplab.plots import groups, new_figure, show


def sse(points, labels):
    error = 0.0
    for group in np.unique(labels):
        members = points[labels == group]
        error += ((members - members.mean(axis=0)) ** 2).sum()
    return error


line = np.array(points, dtype=float)
by_mdav = labels
by_eye = np.array([0, 0, 0, 1, 1, 1])
say(f"SSE of MDAV's groups: {sse(line, by_mdav):.2f}; of groups by eye: {sse(line, by_eye):.2f}.")

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## MDAV's groups, and groups by eye

# %% slideshow={"slide_type": "-"} tags=["hide-input"]
figure, axes = new_figure(height=1.9)
for height, found in ((1, by_mdav), (0, by_eye)):
    groups(axes, np.column_stack([line, np.full(6, height)]), found, markersize=8)
names = [f"MDAV: SSE {sse(line, by_mdav):.2f}", f"by eye: SSE {sse(line, by_eye):.2f}"]
axes.set_yticks((1, 0), names)
axes.set(xlabel="value", ylim=(-0.6, 1.6), title="MDAV pairs 2 with 10")
text = "The numbers 0, 1, 2, 10, 11 and 13 on a line, twice. Above, in the groups of MDAV, 2 is "
text += "with 10. Below, 0, 1, 2 are one group and 10, 11, 13 the other. "
show(
    figure, alt=text + f"The SSE is {sse(line, by_mdav):.2f} above, {sse(line, by_eye):.2f} below."
)

# %% [markdown] slideshow={"slide_type": "notes"}
# MDAV's groups cost about five times as much as the groups that we chose by eye. MDAV is a
# *heuristic*: a quick and sensible method that does not guarantee a good result.
#
# ## The yardstick: the best groups on a line
#
# Are there better groups than the groups that we chose by eye? To be sure, we would have to try all
# groupings. But two observations show that we only have to try a few groupings.
#
# 1. **It is enough to try runs.** Suppose that two groups overlap on the line. Keep the sizes of
#    the groups, and give the smallest values to the group with the smaller mean. Then the two means
#    move apart. The SSE is the sum of all squared values minus $\sum_C |C|\,\bar x_C^2$. The first
#    term stays the same, and the second term grows when the two means move apart, so the SSE falls.
#    So some best grouping consists of runs of neighbouring numbers.
# 2. **A run has at most 2k − 1 numbers.** A run of 2k or more numbers can be cut into two runs of
#    at least k numbers. In each part, the sum of the squared distances to the mean of the part is
#    at most the sum of the squared distances to the mean of the whole run. So the cut does not
#    raise the SSE, and we do not have to try longer runs.
#
# Now begin at the end of the sorted numbers and ask: how long is the last run? It has k, k + 1, …
# or 2k − 1 numbers. The numbers before the last run form a shorter list, and this list must also be
# grouped in the best way. We solve the problem for all shorter lists first. In this form, the
# search is a shortest-path problem (Hansen and Mukherjee 2003):

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The best groups on a line
#
# - **It is enough to try runs:** if two groups overlap, the SSE falls when the group with the
#   smaller mean gets the smallest values.
# - **A run has at most 2k − 1 numbers:** a longer run can be cut in two without raising the SSE.
#
# To find the shortest path, we try every run of k to 2k − 1 numbers as the last group:


# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
def best_on_a_line(values, k):
    values = sorted(values)
    best = {0: (0.0, [])}  # a number of points -> (smallest SSE, its runs)
    for end in range(k, len(values) + 1):
        for size in range(k, 2 * k):
            start = end - size
            if start in best:
                cost, runs = best[start]
                run = values[start:end]
                option = (cost + size * np.var(run), [*runs, run])
                if end not in best or option < best[end]:
                    best[end] = option
    return best[len(values)]


error, runs = best_on_a_line(numbers, 2)
say(f"The best groups of our six numbers: {runs}, SSE {error:.2f}.")

# %% [markdown] slideshow={"slide_type": "notes"}
# The groups that we chose by eye are the best groups. The search proves this, because it tried
# every allowed last run together with the best grouping of the numbers before that run. The
# function `optimal_microaggregation_1d` of `pplab` uses the same method for long lists.

# %% tags=["nbval-check-output"]
from pplab.microaggregation import optimal_microaggregation_1d

for values, k in ((numbers, 2), ([0, 1, 2, 6, 12, 13], 2), ([5, 1, 9, 2, 8, 8, 3], 3)):
    error, runs = best_on_a_line(values, k)
    best_groups = optimal_microaggregation_1d(values, k)
    same = np.isclose(error, sse(np.array(values)[:, None], best_groups))
    print(f"k = {k}: SSE {error:5.2f}  {runs}  pplab finds the same error: {same}")

# %% [markdown]
# **Exercise 13-R (recall).** Let k = 5. For any numbers on the line, there is a best grouping in
# which no group has more than m members. What is the smallest m for which this is true?

# %% tags=["solution", "nbval-check-output"]
from pplab_course import check

# YOUR CODE: a whole number
answer = 2 * 5 - 1
check("13-R", answer)

# %% [markdown]
# **Exercise 13-C (compute).** What is the smallest SSE of the numbers 1, 2, 3, 10, 11, 12, 20 with
# k = 3? There are only two ways to cut the list. Give three significant digits or more.

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a number
answer, runs = best_on_a_line([1, 2, 3, 10, 11, 12, 20], 3)
check("13-C", answer)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## MDAV, step by step
#
# On a line, we can compute the optimum. Points in the plane have no order, so there is no shortest
# path. For k = 3 or more, finding the best groups of points with many coordinates is NP-hard
# (Oganian and Domingo-Ferrer 2001), so no fast exact method is known. The paper *microaggregation*
# (Casino and others 2015) uses the heuristic **MDAV**, *maximum distance to average vector*
# (Domingo-Ferrer and Torra 2005):
#
# 1. If 3k or more points are left, let **r** be the point farthest from the mean of the remaining
#    points. Then r and the k − 1 points nearest to r form a group. Let **s** be the remaining point
#    farthest from r. Then s and the k − 1 points nearest to s form a group. Repeat step 1.
# 2. If 2k to 3k − 1 points are left, form one more group around a point r, which is chosen as in
#    step 1.
# 3. Now k to 2k − 1 points remain. These points are the **leftovers**, and they form the last
#    group.
#
# Let us run MDAV by hand:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## MDAV, step by step
#
# For k = 3 or more, finding the best groups in many dimensions is NP-hard.
#
# 1. While 3k or more points are left, form a group of **r**, the point farthest from the mean, and
#    its k − 1 nearest points. Form another group of **s**, the point farthest from r, and its k − 1
#    nearest points.
# 2. If 2k to 3k − 1 points are left, form one more group around a point r.
# 3. The remaining points (**leftovers**) form the last group.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## By hand


# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
def take_group(points, left, place, k):
    """The point farthest from a place, and its group with the k - 1 nearest; then the rest."""
    far = left[((points[left] - place) ** 2).sum(axis=1).argmax()]
    distances = ((points[left] - points[far]) ** 2).sum(axis=1)
    group = left[distances.argsort(kind="stable")[:k]]
    return far, group, np.setdiff1d(left, group)


left = np.arange(6)  # the rows that have no group yet
mean = line[left].mean(axis=0)
r, group, left = take_group(line, left, mean, 2)
print(f"mean {mean[0]:.2f}, so r = {line[r][0]:g}; its group {line[group].ravel()}")
s, group, left = take_group(line, left, line[r], 2)
print(f"farthest from r is s = {line[s][0]:g}; its group {line[group].ravel()}")
print(f"left over: {line[left].ravel()}")

# %% [markdown] slideshow={"slide_type": "notes"}
# The numbers 2 and 10 form a group because they were the only points left. No step checked whether
# these numbers are similar. Here are the three steps as a loop, compared with the library:


# %% tags=["nbval-check-output"]
def by_hand(points, k):
    labels, left = np.full(len(points), -1), np.arange(len(points))  # -1: no group yet
    while len(left) >= 2 * k:
        enough_for_two = len(left) >= 3 * k
        r, group, left = take_group(points, left, points[left].mean(axis=0), k)
        labels[group] = labels.max() + 1
        if enough_for_two:
            _, group, left = take_group(points, left, points[r], k)
            labels[group] = labels.max() + 1
    labels[left] = labels.max() + 1
    return labels


cloud = np.random.default_rng(1).normal(size=(40, 2))
print("line, k = 2, both:", by_hand(line, 2), mdav(line, 2, leftover="group"))
print("plane, k = 3, the two agree:", (by_hand(cloud, 3) == mdav(cloud, 3, leftover="group")).all())

# %% [markdown]
# Both functions agree. The two functions can differ when two distances are **equal**. Then
# `by_hand` takes the row that comes first in the table. `pplab` compares the coordinates of the
# points instead, so that the order of the rows does not matter.
#
# **Exercise 13-P (prove by code).** Write `protect(points, k)`. It returns the table in which each
# point is replaced by the mean of its MDAV group. The check uses points that you have not seen.
# `protect` must form groups of k to 2k − 1 points, and keep the mean of all points. **If the rows
# are given in a different order**, each point must still get the same mean. Use `by_hand`, but
# first sort the rows by all coordinates, so that ties do not matter; then put the means back into
# the old order.


# %% tags=["solution", "nbval-check-output"]
def protect(points, k):
    # YOUR CODE: a table as large as points
    order = np.lexsort(points.T)  # an order that depends on the values alone
    labels, means = by_hand(points[order], k), np.empty(points.shape)
    for group in set(labels):
        members = order[labels == group]
        means[members] = points[members].mean(axis=0)
    return means


check("13-P", protect)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## The leftover rule
#
# The paper changes step 3. Compute the mean of the leftovers. If more than half of the leftovers
# are nearer to this mean than to the mean of any group, all leftovers stay together, as in the
# classic rule. Otherwise, **each leftover joins the group whose mean is nearest**. Here are the
# errors of both rules, and the smallest possible error, on two sets of six numbers:

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## The leftover rule
#
# The paper sends each leftover to the group whose mean is nearest, unless most leftovers are nearer
# to the mean of the leftovers than to the mean of any group. **Is this rule always better?**


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output"]
def errors(values, k):
    points = np.array(values, dtype=float)[:, None]
    classic = sse(points, mdav(points, k, leftover="group"))
    changed = sse(points, mdav(points, k, leftover="closest"))
    return classic, changed, best_on_a_line(values, k)[0]


for values in ([0, 1, 2, 10, 11, 13], [0, 1, 2, 6, 12, 13]):
    classic, changed, best = errors(values, 2)
    print(f"{values}: classic {classic:.2f}, changed {changed:.2f}, best {best:.2f}")

# %% [markdown] slideshow={"slide_type": "notes"}
# On the first set, the changed rule finds the optimum. On the second set, the classic rule finds
# the optimum. The changed rule puts 6 into the group of 0 and 1, and this more than doubles the
# error. A point that joins a group moves the mean of the group, and the rule ignores this cost.
#
# How often does each rule win? We count wins on 200 sets of twenty random numbers. For each k, the
# table shows how often the changed rule has a smaller error than the classic rule, and how often it
# has a larger error. The last two columns describe the classic rule. These columns show the share
# of sets on which this rule misses the optimum, and the median of the ratio of its error to the
# smallest possible error.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Count wins on sets of twenty random numbers

# %% slideshow={"slide_type": "-"} tags=["nbval-check-output"]
sets = [np.random.default_rng(seed).normal(size=20).tolist() for seed in range(200)]
columns = ["changed: less error", "changed: more error", "classic: not best", "median: × best"]
comparison = pd.DataFrame(columns=columns)
for k in (2, 3, 4, 5):
    classic, changed, best = np.array([errors(values, k) for values in sets]).T
    less = np.sum(changed < classic - 1e-9)
    more = np.sum(changed > classic + 1e-9)
    missed = np.mean(classic > best + 1e-9)
    median = np.median(classic / best)
    comparison.loc[k] = less, more, f"{missed:.0%}", f"{median:.2f}"
comparison.rename_axis("k")

# %% [markdown] slideshow={"slide_type": "notes"}
# On most sets, both rules give the same groups. With k = 2, the changed rule had the larger error
# on every set on which the two rules gave different groups. With larger k, we cannot call either
# rule the winner, because the two counts are small or close to each other. The last columns show
# that MDAV rarely finds the best groups with k = 2 or 3, but usually finds them with larger k.
#
# <details><summary>In the ledger</summary>
#
# The authors write that the changed rule was always better in their tests. They also write that
# this rule cannot be proved to be always better. The second statement is correct, as the second set
# of six numbers shows (`microaggregation:section-3:leftover-always-better`). Notebook
# [15](15_microaggregation_experiments.ipynb) counts wins on the real data. The paper writes the SSE
# in two ways (`microaggregation:section-3:equations-1-and-2`); both are equal to the sum above.
#
# </details>
#
# **Exercise 13-B (break).** On some numbers, the changed rule is much worse than the classic rule.
# Find six to eight whole numbers from 0 to 100 such that, with k = 2, the error of the changed rule
# is at least **two and a half times** the error of the classic rule. Hand in the list. (`errors`
# computes both errors; a random search is allowed. Hint: which leftover number joins a group, and
# which group does this number join?)

# %% tags=["solution", "nbval-check-output"]
# YOUR CODE: a list of six to eight whole numbers
answer = [0, 0, 50, 56, 59, 59]
classic, changed, _ = errors(answer, 2)
print(f"classic {classic:.2f}, changed {changed:.2f}, {changed / classic:.2f} times as much")
check("13-B", answer)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## A point that joins a group moves its mean
#
# The changed rule ignores this shift of the mean:
#
# $$\bar x_{C \cup \{y\}} = \bar x_C + \frac{y - \bar x_C}{|C| + 1}$$

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Play
#
# Twenty-six points lie in four villages, and k = 4. **Question:** which points are left over at the
# end, and where do they go? Press *next* (or focus the slider and use the arrow keys). Each group
# has a marker and an outline. Open circles are free points. The sign × marks the points that the
# step considers. The sign + marks the published mean of a group. Then choose the other leftover
# rule, and compare the last steps.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Question
#
# Twenty-six points lie in four villages; each group has four points or more. **Which points are
# left over at the end, and where do they go?**

# %%
from pplab.microaggregation import mdav_steps

centres = np.array([[2, 8], [8, 8], [3, 2], [8, 3]])
home = np.repeat([0, 1, 2, 3], [9, 7, 5, 5])  # the village of each point
villages = (centres[home] + np.random.default_rng(3).normal(scale=0.9, size=(26, 2))).round(1)


# %% tags=["hide-input"]
def draw(axes, step, leftover="closest"):
    now = mdav_steps(villages, 4, leftover=leftover)[step]
    groups(axes, villages, now.labels, means=True, markersize=5)
    for name, place in now.marks.items():
        axes.plot(*place, "x", color="black", markersize=11, markeredgewidth=2)
        axes.annotate(name, place, (8, -12), textcoords="offset points")
    error = ((villages - now.published) ** 2).sum()
    axes.set(title=f"step {step}: {now.move}", xlabel=f"SSE {error:.1f}", aspect="equal")
    for number, place in enumerate(((3.4, 9.2), (7.6, 10), (5.2, 0.9), (9, 4.7))):
        axes.text(*place, f"village {number}", fontsize=9, ha="center")
    axes.set(xticks=(0, 5, 10), yticks=(0, 5, 10), xlim=(0, 10.6), ylim=(0, 11.6))
    free = int((now.labels < 0).sum())
    return {"step": step, "rule": leftover, "text": now.text, "free": free, "SSE": error}


# %% tags=["widget", "nbval-ignore-output", "hide-input"]
from pplab.widgets import Control, explore, twin

explore(
    draw,
    say="Step {step}: {text} {free} points are free, SSE {SSE:.1f}.".format_map,
    width=4.2,
    height=4.2,
    step=Control("step", range(13), 0, "start", "all in groups", buttons=True),
    leftover=Control("leftover rule", ("closest", "group"), "closest", "", "", show=str),
)


# %% slideshow={"slide_type": "fragment"} tags=["nbval-check-output", "hide-input"]
def message(states):
    summary = "Twenty-six points in four villages at six moments of MDAV with k = 4. "
    for _, state in states.iterrows():
        summary += f"Step {state['step']}: {state['free']} free, SSE {state['SSE']:.1f}. "
    return summary.strip()


states = twin(draw, alt=message, height=3.1, step=(1, 2, 3, 4, 11, 12))
rest = mdav_steps(villages, 4)[11].labels < 0
folded = f"At step 11, the {rest.sum()} points left are from villages {np.unique(home[rest])}. "
forced = sse(villages, mdav(villages, 4, leftover="group"))
folded += f"Forced into one group, they would raise the SSE to {forced:.1f}."
say(f"<details><summary>The answer</summary>\n\n{folded}\n\n</details>")

# %% [markdown] slideshow={"slide_type": "notes"}
# <details><summary>What to see</summary>
#
# The points that are left at step 11 come from more than one village. The changed rule sends each
# of these points back to its village. The classic rule forces these points into one group, and so
# raises the SSE to the value given in the answer above. One group spans two villages, because no
# nearer point was free when MDAV formed this group. MDAV never revises a group.
#
# </details>
#
# ## Exercises
#
# **Exercise 13-D (design).** Improve the groups. Write `improve(points, labels, k)`. It takes
# points and the labels of their groups, and returns labels with a *smaller* SSE; each group must
# still have k or more members. The check uses hidden points in the plane, and starts from MDAV's
# groups. Your function must never increase the error, and it must reduce the total error by at
# least 7 %. (Two kinds of move help: you can put a point into a different group, or you can
# exchange two points of different groups.)

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Your turn
#
# Write `improve(points, labels, k)`. It returns labels with a *lower* SSE, and each group still has
# k or more members. **Which moves help?**


# %% tags=["solution", "nbval-check-output"]
def improve(points, labels, k):
    # YOUR CODE: labels with less error
    labels, error, better = np.array(labels), sse(points, labels), True
    while better:
        better = False
        for row in range(len(points)):
            for group in np.unique(labels):
                trial = labels.copy()
                trial[row] = group
                enough = (trial == labels[row]).sum() >= k
                if enough and sse(points, trial) < error - 1e-9:
                    labels, error, better = trial, sse(points, trial), True
    return labels


check("13-D", improve)

# %% [markdown]
# **Exercise 13-O (open).** How far from the optimum is MDAV in the plane? Write `best(points, k)`.
# It returns the groups with the smallest SSE as a list of labels; the check uses sets of 8 points.
# Then write down the largest number of points for which your search is feasible.

# %% tags=["solution", "nbval-check-output"]
from itertools import combinations


def best(points, k):
    # YOUR CODE: the group of each point; combinations lists all sets of partners
    def groupings(rows):  # the first row is in some group: try all its partners
        if not rows:
            yield []
        for size in range(k, 2 * k) if rows else ():
            for partners in combinations(rows[1:], size - 1):
                rest = [row for row in rows[1:] if row not in partners]
                yield from ([[rows[0], *partners], *others] for others in groupings(rest))

    def cost(grouping):
        return sum(sse(points[group], np.zeros(len(group))) for group in grouping)

    result = min(groupings([*range(len(points))]), key=cost)
    return [[row in group for group in result].index(True) for row in range(len(points))]


check("13-O", best)

# %% [markdown] slideshow={"slide_type": "notes"}
# ## Quiz
#
# 1. What is the largest group size that you have to try when you look for a best grouping on a
#    line? <details><summary>Answer</summary>2k − 1: a group of 2k or more values can be cut into
#    two groups without raising the SSE.</details>
# 2. Why do runs of neighbours not give the optimum in the plane?
#    <details><summary>Answer</summary>Runs need an order, and points in the plane cannot be ordered
#    so that near points are always neighbours in the order.</details>
# 3. Is the changed rule always at least as good as the classic rule?
#    <details><summary>Answer</summary>No. On 0, 1, 2, 6, 12, 13 with k = 2, the classic rule finds
#    the optimum, and the changed rule does not.</details>
#
# ## What to remember
#
# - Microaggregation publishes the means of groups of at least k rows. The cost is the SSE.
# - On a line, the best groups are runs of k to 2k − 1 neighbours. A search for a shortest path
#   finds these groups.
# - MDAV forms groups from the outside in, and never revises a group. Compare a heuristic with the
#   optimum.
#
# Notebook [14](14_microaggregation_what_means_give_away.ipynb) shows what the means reveal.
#
# ## References
#
# - Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, *A k-anonymous approach to privacy
#   preserving collaborative filtering*,
#   [doi 10.1016/j.jcss.2014.12.013](https://doi.org/10.1016/j.jcss.2014.12.013).
# - Domingo-Ferrer and Torra 2005, *Ordinal, continuous and heterogeneous k-anonymity through
#   microaggregation*, [doi 10.1007/s10618-005-0007-5](https://doi.org/10.1007/s10618-005-0007-5).
# - Hansen and Mukherjee 2003, *A polynomial algorithm for optimal univariate microaggregation*,
#   [doi 10.1109/TKDE.2003.1209020](https://doi.org/10.1109/TKDE.2003.1209020).
# - Oganian and Domingo-Ferrer 2001, *On the complexity of optimal microaggregation for statistical
#   disclosure control*, Statistical Journal of the UNECE 18.

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## Ask the room
#
# Why do runs of neighbours not give the optimum in the plane?

# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]
# ## What to remember
#
# - Microaggregation publishes the means of groups of at least k rows. Its cost is the SSE.
# - On a line the best groups are runs of k to 2k − 1 neighbours.
# - MDAV never revises a group. Compare a heuristic with the optimum.
