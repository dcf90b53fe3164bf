"""Exercises of notebook 12: substitutes, identity, definition, families, chunks, why 0.07."""

from collections.abc import Iterator
from functools import cache
from numbers import Integral
from typing import Any

import numpy as np

from pplab.metrics.anonymity import is_smooth_k_anonymous
from pplab.metrics.error import jaccard_similarity
from pplab.smooth.anonymize import smooth_k_anonymize
from pplab_course import answers as read
from pplab_course.answers import Refusal, call, number
from pplab_course.exercises import enter, hidden, judged_words

# 12-P: is a copy smooth? Small tables with copies, honest and mutated

# k, a table and its copy -> what a test overlooks that fails on it
COPIES: dict[str, str] = judged_words()["12-P"]["cases"]


def _copies() -> Iterator[tuple[np.ndarray, np.ndarray, int, str]]:
    for copy, hint in COPIES.items():
        k, _, tables = copy.partition(": ")
        rows = np.array([[int(bit) for bit in row] for row in tables.split() if row != "->"])
        yield rows[: len(rows) // 2], rows[len(rows) // 2 :], int(k), hint
    random = np.random.default_rng(hidden(2043))
    for _ in range(60):
        original = (random.random((6, 3)) < 0.5).astype(np.int64)
        published = (random.random((2, 3)) < 0.5).astype(np.int64)[random.integers(0, 2, 6)]
        yield original, published, 2, "Your function judges a copy of six rows wrongly."


@enter("12-P")
def _smoothness(answer: Any) -> str | None:
    """Try is_smooth(original, published, k) on all copies; "" when it decides each rightly."""
    for original, published, k, hint in _copies():
        answers = read.truth(call(answer, original, published, k))
        if answers != is_smooth_k_anonymous(original, published, k):
            return hint
    return ""


# 12-B: a table on which the default of `smooth_k_anonymize` loses to the paper's recipe

GAP, AHEAD, MOST, SEEDS = 0.003, 8, 200, 10
_NEAR = 1e-3  # J may come rounded to three digits


@enter("12-B")
def _losing(answer: Any) -> str | None:
    """Run both again; "" when the default loses on average and for most seeds."""
    form = "this exercise takes (table, k, {seed: (J, J), ...}), with ten seeds."
    table, k, runs = read.parts(answer, 3, form)
    table, k, runs = _table(table), int(number(k)), read.pairs(runs)
    if not 2 <= k <= len(table):
        raise Refusal(f"k must lie between 2 and the {len(table)} rows of your table, got {k}.")
    for seed in runs:
        if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
            raise Refusal(f"seeds are whole numbers from 0, got {seed!r}.")
    if len(runs) == 1:
        return "One seed says nothing: both methods draw at random. Show ten seeds."
    if len(runs) != SEEDS:
        return f"Show ten different seeds, not {len(runs)}: fewer may be cherry-picked."
    results = {int(seed): read.numbers(values, 2) for seed, values in runs.items()}
    means = np.mean(list(results.values()), axis=0)
    if means.max() > 1:
        return "J is a share between 0 and 1, not a percentage."
    if means[1] <= means[0]:
        return "On this table the default keeps as much or more. Which groups does it not look for?"
    if means[1] - means[0] < GAP:
        return f"It loses by less than {GAP:g} there. Make families more similar, or add more."
    if (ahead := sum(recipe > ours for ours, recipe in results.values())) < AHEAD:
        return f"For {SEEDS - ahead} of ten seeds the recipe is not ahead: that may be chance."
    for seed, (ours, recipe) in results.items():
        again = both_similarities(table, k, seed)
        if max(abs(again[0] - ours), abs(again[1] - recipe)) <= _NEAR:
            continue
        if max(abs(again[0] - recipe), abs(again[1] - ours)) <= _NEAR:
            return "Swap each pair: the default comes first, then the recipe."
        return f"Seed {seed} gives other numbers here. Run both methods on this very table."
    return ""


def both_similarities(table: np.ndarray, k: int, seed: int) -> tuple[float, float]:
    """Similarity by the default, and by the recipe with each row at its nearest open facility."""
    ours = smooth_k_anonymize(table, k, rng=seed)
    recipe = smooth_k_anonymize(table, k, method="paper", assignment="nearest", rng=seed)
    return ours.jaccard, recipe.jaccard


def _table(answer: Any) -> np.ndarray:
    size = f"the table must have 2 to {MOST} rows and up to {MOST} columns."
    if max(getattr(answer, "shape", None) or (0,)) > MOST:
        raise Refusal(size)
    form = "the table must be an array of zeros and ones, with at least one entry."
    table = read.bits(answer, form, most=MOST)
    if not table.any() or len(table) < 2:
        raise Refusal(size if table.any() else form)
    return table


# 12-D: chunks of a table that the notebook does not show. What does anonymity lose?

K, SIZE, LOSS = 6, 560, 0.02
_FAMILIES, _MEMBERS, _ITEMS, _KEPT = 160, 14, 90, 10


@enter("12-D")
def _chunks(answer: Any) -> str | None:
    """Try chunks(table, size) on the hidden table; "" when little is lost."""
    table = families()
    chunk_of = read.as_labels(call(answer, table, SIZE), len(table))
    sizes = np.unique(chunk_of, return_counts=True)[1]
    if sizes.max() > SIZE:
        return f"A chunk has {sizes.max()} rows, more than size = {SIZE}: number the rows in order."
    if sizes.min() < K:
        return f"A chunk has {sizes.min()} rows, too few for a group of k = {K}."
    share = 1 - jaccard_in_chunks(table, chunk_of) / _whole()
    if share <= LOSS:
        return ""
    if share > 0.1:
        return (
            f"These chunks lose {share:.0%}: they separate similar rows. Did you sort by hashes? "
            "Then place i belongs to row order[i], not to row i."
        )
    return f"These chunks lose {share:.1%} of J. Are similar rows next to each other?"


@cache
def families() -> np.ndarray:
    """Families of nearly equal rows, in an order that reveals nothing."""
    rng = np.random.default_rng(hidden(2044))
    firsts = np.array([rng.permutation(_ITEMS) < _KEPT for _ in range(_FAMILIES)])
    flips = rng.random((_FAMILIES * _MEMBERS, _ITEMS)) < 1 / (60 * _ITEMS)
    rows = np.repeat(firsts, _MEMBERS, axis=0) ^ flips
    table: np.ndarray = rows[rng.permutation(len(rows))].astype(np.int8)
    return table


def jaccard_in_chunks(table: np.ndarray, chunk_of: np.ndarray) -> float:
    """Similarity when each chunk is anonymized alone."""
    published = np.empty_like(table)
    for chunk in np.unique(chunk_of):
        rows = chunk_of == chunk
        copy = smooth_k_anonymize(table[rows], K, method="paper", rng=1)
        published[rows] = copy.biadjacency.toarray()
    return jaccard_similarity(table, published)


@cache
def _whole() -> float:
    return smooth_k_anonymize(families(), K, method="paper", rng=1).jaccard


# 12-O: why the copy of com-dblp keeps so little

_LARGEST = 4  # degree up to which rows have more of the sum than of the entries


@enter("12-O")
def _why(answer: Any) -> str | None:
    if isinstance(answer, str):
        return "Give the numbers with your words: (degree, certificate, J, words)."
    form = "this exercise takes (degree, row certificate, J that was reached, argument)."
    *values, argument = read.parts(answer, 4, form)
    degree, bound, reached = map(number, values)
    words = read.different_words(argument)
    if not (0 < bound < 1 and 0 < reached < 1):
        return "Certificate and J lie between 0 and 1: no percentages."
    if degree != _LARGEST:
        return "Compare the two columns line by line: up to what degree is the first column larger?"
    if abs(bound - of_authors("certificate", "nearest")) > 0.01:
        return "You gave another certificate: the row certificate is in the output's last line."
    if abs(reached - of_authors("jaccard", "recipe")) > _NEAR:
        return (
            "Give the recipe's J on dblp-2010 at k = 8 in table `room`: not ours, "
            "not the printed one, and not that of another table."
        )
    if words < 20:
        return "Write the whole argument in two or three sentences: at least 20 different words."
    return ""


def of_authors(quantity: str, method: str) -> float:
    """A share of dblp-2010 at k = 8 in the stored runs, in the world that keeps most."""
    rows = read.stored("smooth", "beyond_dblp", missing="dblp-2010 was not run")
    rows = rows.query(f"quantity == {quantity!r} and k == 8 and method == {method!r}")
    return float(rows["value"].max() / 100)
