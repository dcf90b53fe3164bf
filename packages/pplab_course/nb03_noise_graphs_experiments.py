"""Exercises of notebook 03: verdicts, z-scores, least squares, tolerances, a fair design."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from pplab.checks import shown
from pplab_course import answers as read
from pplab_course.answers import Refusal, call, number
from pplab_course.exercises import close, enter, exactly, hidden, recognised
from pplab_papers.collection import published_claims

ALL_CELLS = 943 * 1682  # of all films; 1,650 occur in the training part


# 03-P: how many cells does a table have? Counts of noise edges, printed and hidden, to estimate it


@enter("03-P")
def _estimate(answer: Any) -> str | None:
    """Run an estimator on the printed counts and on hidden ones; "" when all are the minimum."""
    printed = _printed_counts()
    random = np.random.default_rng(hidden(2029))
    tables = [printed]
    for cells in (4_000, 70_000) * 10:
        others = np.sort(random.choice(np.arange(1, 45), size=5, replace=False)) / 100
        tables.append({float(p): int(random.binomial(cells, p)) for p in (0.004, *others)})
    estimates = [number(call(answer, dict(table))) for table in tables]
    if close(estimates[0], ALL_CELLS, within=1e-3):
        return "You counted every film of the catalogue, also films without training ratings."
    if len(set(estimates)) == 1:
        return "Every table gave the same number; use the counts that the function is given."
    results = []
    for table in tables:
        p, x = np.array(list(table)), np.array(list(table.values()))
        weighted = (x / (1 - p)).sum() / (p / (1 - p)).sum()
        means = np.mean(x / p), x.sum() / p.sum()
        results.append((p @ x / (p @ p), *means, np.polyfit(p, x, 1)[0], weighted))
    hints = (
        "",
        "The mean of count/p weights all ratios equally, even the noisiest ratio.",
        "You took the ratio of the sums; least squares multiplies each count by its p first.",
        "A line with an intercept is the wrong model: without noise there are no noise edges.",
        "You weighted the squares by their variance; here, minimise the plain sum of squares.",
    )
    known = [*zip(zip(*results, strict=True), hints, strict=True)]
    if (hint := recognised(estimates, known, within=0.51)) is not None:
        return hint
    near = np.allclose(estimates, known[0][0], rtol=0.01)
    return "Your Q is near the minimum, but a Q next to it has a smaller sum." if near else None


def _printed_counts() -> dict[float, int]:
    """Noise edges of Table 3 as printed, by flip probability."""
    claims = {claim.id: claim for claim in published_claims()}
    ids = (re.fullmatch("noise-graphs:table-3:p=(.*):noise-edges", name) for name in claims)
    return {float(match[1]): int(claims[match[0]].number) for match in ids if match}


# 03-B: one measurement, two verdicts

# p, printed value, world
TABLE_5 = (0.05, 1.732, "films == '1,650' and addition == 'union, weights over 5'")


@enter("03-B")
def _two_verdicts(answer: Any) -> str | None:
    narrow_and_wide = read.numbers(answer, 2)
    if min(narrow_and_wide) <= 0:
        raise Refusal(f"a margin is a number above 0, got {min(narrow_and_wide):g}.")
    if narrow_and_wide != sorted(narrow_and_wide):
        return "The narrow margin comes first: (narrow, wide)."
    frame = read.stored("noise-graphs", "table5", missing="Table 5 was not measured yet")
    p, printed, world = TABLE_5
    misfit = abs(frame.query(f"p == {p} and {world}")["value"].item() - printed)
    narrow, wide = (margin >= misfit for margin in narrow_and_wide)
    if narrow == wide:
        word = "reproduced" if wide else "differs"
        return f"Both margins say {word!r}. Give margins in units of SA_I, like the misfit."
    return ""


# 03-D: a fair design, run on doubles that write down in which order they were called

SEEDS = (11, 5, 83, 29, 47)


@enter("03-D")
def _design(answer: Any) -> str | None:
    """Run a design on doubles; "" when it is fair, else what a reader would object to."""
    laboratory = _Laboratory()

    def run(*tools: Any) -> Any:
        made = read.function(answer)(*tools)
        return list(islice(made, 100)) if isinstance(made, Iterator) else made

    answers = call(run, laboratory.make_folds, laboratory.add_noise, laboratory.accuracy, [*SEEDS])
    expected = [laboratory.of(seed) for seed in SEEDS]
    single = isinstance(answers, (int, float, np.number)) and not isinstance(answers, bool)
    drawn = {seed for seed, _ in laboratory.used}
    if not laboratory.folds:
        return "No folds were made: call make_folds(), and use these folds for every release."
    if laboratory.folds > 1 or len({folds for _, folds in laboratory.used}) > 1:
        return "New folds for each release mix two sources of chance: draw the folds once."
    if single and abs(float(answers) - max(expected)) < 1e-9:
        return "You report only the best seed. A reader needs all seeds, including bad ones."
    if drawn - set(SEEDS):
        return "You drew noise with other seeds, too: a second try is a choice."
    if drawn != set(SEEDS):
        return "Some seeds were not used: take one release and one accuracy for every seed."
    if single:
        return "One number hides the spread: the task asks for one accuracy per seed, as a list."
    return exactly(read.numbers(answers, len(SEEDS)), expected, within=1e-9)


class _Laboratory:
    """Folds, noise and accuracy that only write down which of them is asked, and for what."""

    def __init__(self) -> None:
        self.folds = 0
        self.used: list[tuple[int, int]] = []  # the seed of the noise, and which folds

    def make_folds(self) -> tuple[str, int]:
        self.folds += 1
        return ("folds", self.folds)

    def add_noise(self, seed: int) -> tuple[str, int]:
        return ("published", seed)

    def accuracy(self, published: Any, folds: Any) -> float:
        if not isinstance(folds, tuple) or folds[:1] != ("folds",):
            raise Refusal("in accuracy(published, folds) the folds of make_folds() come second.")
        if not isinstance(published, tuple) or published[:1] != ("published",):
            raise Refusal("in accuracy(published, folds) the table of add_noise() comes first.")
        self.used.append((published[1], folds[1]))
        return self.of(published[1])

    @staticmethod
    def of(seed: int) -> float:
        return 0.6 + (37 * seed % 101) / 1000


# 03-O: a test of one's own code, with the expectation written down before

_WORDS = 12
WIDEST = 0.2  # an interval for an AUC in which a fault could hide


@enter("03-O")
def _own_test(answer: Any) -> str | None:
    form = 'a dict with "change", "expected": (low, high), "measured" and "why", please, got '
    names = ("change", "expected", "measured", "why")
    answer = read.fields(answer, names, f"{form}{shown(answer)[:40]}.")
    low, high = read.numbers(answer["expected"], 2)
    measured, words = number(answer["measured"]), read.different_words(answer["why"])
    if not 0 <= low < high <= 1 or not 0 <= measured <= 1:
        raise Refusal("an AUC lies between 0 and 1; give the expected interval as (low, high).")
    if high - low > WIDEST:
        return "Nearly any code passes with such an interval: it has no power. Narrow it."
    if not low <= measured <= high:
        return (
            "The measured value is outside the interval: is the code wrong, or the expectation? "
            "Find out which, correct it, and say in your reason what you found."
        )
    if measured in (low, high):
        return "The interval ends exactly at the measured value: did you fix it before the run?"
    if round(measured, 2) == measured:
        return "Give the measured value as the run printed it: three digits or more."
    if words < _WORDS:
        return (
            "The value lies where you expected it. Now give your change and reason in a sentence "
            f"or two, with at least {_WORDS} different words."
        )
    table, women = _made_up()
    guess = _guess(table, women, answer["change"])
    if measured >= 0.65 and guess < 0.56:
        return "You measured that the guess survives; on made-up people your change destroys it."
    if measured <= 0.55 and guess > 0.9:
        return "You measured that the guess is lost, but on made-up people it survives your change."
    return ""


def _made_up() -> tuple[np.ndarray, np.ndarray]:
    """A published table of MovieLens's size, in which tastes tell women from men; who is one."""
    rng = np.random.default_rng(hidden(31))
    women, tilts = rng.random(943) < 0.5, rng.choice([-0.07, *[0] * 14, 0.07], 1682)
    tastes = np.where(women[:, None], tilts, -tilts)
    return (rng.random(tastes.shape) < 0.15 + tastes).astype(np.int8), women


def _guess(table: np.ndarray, women: np.ndarray, change: Any) -> float:
    """AUC of a guess by the means of one half of the people, on the other half, after a change."""
    form = "change(table) must return a table with one row for each of the same people."
    changed = read.array(call(change, table), form)
    if changed.ndim != 2 or len(changed) != len(women):
        raise Refusal(form)
    if np.array_equal(changed, table):
        raise Refusal("this change leaves every cell as it is: such a test cannot fail.")
    half = np.arange(len(women)) % 2 == 1
    weights = changed[half & women].mean(axis=0) - changed[half & ~women].mean(axis=0)
    scores = changed @ weights
    return float((scores[~half & women][:, None] > scores[~half & ~women]).mean())
