"""Notebook 12: mutated copies, orders and hidden chunks that tell mistakes apart."""

from decimal import Decimal

import numpy as np
from scipy import sparse

from pplab.metrics.anonymity import is_smooth_k_anonymous
from pplab_course.nb12_smooth_anonymity_experiments import both_similarities, of_authors


def judged(allowed, size=True):
    """Judge a copy class by class: large enough, and published as these counts of votes allow."""

    def is_smooth(original, published, k):
        for row in np.unique(published, axis=0):
            group = (published == row).all(axis=1)
            votes, members = original[group].sum(axis=0), group.sum()
            if (size and members < k) or not allowed(row, votes, members).all():
                return False
        return True

    return is_smooth


by_classes = judged(lambda row, votes, members: 2 * votes >= members * row)
vote_only = judged(lambda row, votes, members: 2 * votes >= members * row, size=False)
size_only = judged(lambda *_: np.array(True))
more_than_half = judged(lambda row, votes, members: (2 * votes > members) | (row == 0))
exactly_the_majority = judged(lambda row, votes, members: (2 * votes >= members) == (row > 0))


def no_empty_rows(original, published, k):
    return by_classes(original, published, k) and bool(published.any(axis=1).all())


def without_empty_rows(original, published, k):
    full = published.any(axis=1)
    return not full.any() or by_classes(original[full], published[full], k)


def vote_of_all(original, published, k):
    won = 2 * original.sum(axis=0) >= len(original)
    return size_only(original, published, k) and not published[:, ~won].any()


def by_unique_rows(original, published, k):
    _, classes, sizes = np.unique(published, axis=0, return_inverse=True, return_counts=True)
    had = np.array([original[classes.ravel() == c].mean(axis=0) for c in range(len(sizes))])
    return bool(sizes.min() >= k and (had[classes.ravel()] >= published / 2).all())


def repeated(size):
    rng = np.random.default_rng(567)
    rows = np.repeat(rng.random((17, 15)) < 0.3, size, axis=0)
    return (rows ^ (rng.random(rows.shape) < 0.005)).astype(int)


def both(table, k):
    return {seed: both_similarities(table, k, seed) for seed in range(10)}


TABLE, AT = repeated(11), 6
WON = (np.random.default_rng(1).random((24, 10)) < 0.3).astype(int)
TEN = both(TABLE, AT)
LUCKY = {seed: (b + (0.01 if seed < 5 else -0.1), b) for seed, (_, b) in TEN.items()}
SWAPPED = {seed: (recipe, ours) for seed, (ours, recipe) in both(WON, 4).items()}


def numbered(order, size):
    number = np.empty(len(order), dtype=int)
    number[order] = np.arange(len(order)) // size
    return number


def by_hashes(table, size, *, count=8):
    rng = np.random.default_rng(1)
    shuffled = (table[:, rng.permutation(table.shape[1])] for _ in range(count))
    number = numbered(np.lexsort([rows.argmax(axis=1) for rows in shuffled]), size)
    table[:] = 0  # a student may change what it is given
    return number


def at_random(table, size):
    return numbered(np.random.default_rng(1).permutation(len(table)), size)


ESSAY = (
    "Authors with few neighbours carry most of the sum of the certificate, so most of what must "
    "change is theirs; but J is far below the certificate, and this gap it does not explain. Our "
    "graph is also not the one of the printed number."
)
BOUND, RECIPE = of_authors("certificate", "nearest"), of_authors("jaccard", "recipe")
RIGHT = {
    "12-R": ["shape-only", " Shape only. ", "`SHAPE_ONLY`"],
    "12-C": [(1 - 0.177) / 0.681 - 1, 0.2085, 0.209],
    "12-P": [by_classes, is_smooth_k_anonymous, by_unique_rows],
    "12-B": [
        (TABLE, AT, TEN),
        [TABLE.tolist(), AT, [(s, (round(a, 3), round(b, 3))) for s, (a, b) in TEN.items()]],
        (sparse.csr_array(TABLE), AT, {s: np.array(pair) for s, pair in TEN.items()}),
    ],
    "12-D": [
        by_hashes,
        lambda table, size: numbered(np.lexsort(table.T), size),
        lambda table, size: numbered(np.argsort([row.tobytes() for row in table]), size).tolist(),
    ],
    "12-O": [
        (4, BOUND, RECIPE, ESSAY),
        [np.int64(4), 0.71, Decimal(RECIPE), ESSAY],
        (4.0, 0.7124, round(RECIPE, 3), ESSAY.upper()),  # the certificate of the stand-in
    ],
}

WRONG = {
    "12-R": ["differs", "refuted", "reproduced"],
    "12-C": [0.142, 0.1725, 1.2085, 20.85, 0.21],
    "12-P": [
        (size_only, "check the vote"),
        (vote_only, "too small"),
        (more_than_half, "half is enough"),
        (exactly_the_majority, "may still be left out"),
        (no_empty_rows, "like any other"),
        (without_empty_rows, "class of one"),
        (vote_of_all, "rows in the class"),
        (lambda *_: True, "too small"),
        (lambda *_: False, "copy is refused"),
        (lambda *_: 1, "True or False"),
    ],
    "12-B": [
        ((TABLE, AT, {0: TEN[0]}), "One seed"),
        ((TABLE, AT, {seed: TEN[seed] for seed in range(4)}), "ten different"),
        ((TABLE, AT, {s: (100 * a, 100 * b) for s, (a, b) in TEN.items()}), "not per cent"),
        ((TABLE, AT, {s: (a - 0.1, b) for s, (a, b) in TEN.items()}), "other numbers"),
        ((TABLE, AT, {s: (b, a) for s, (a, b) in TEN.items()}), "as much or more"),
        ((TABLE, AT, {s: (b - 0.002, b) for s, (_, b) in TEN.items()}), "less than 0.003"),
        ((TABLE, AT, LUCKY), "For 5 of ten seeds"),
        ((WON, 4, SWAPPED), "Swap them"),
        (TEN, "with ten seeds"),
        ((TABLE, 188, TEN), "between 2 and the 187 rows"),
        ((2 * TABLE, 4, TEN), "zeros and ones"),
        ((np.zeros((4, 3)), 2, TEN), "at least one entry"),
        ((np.ones((201, 3)), 2, TEN), "2 to 200 rows"),
        ((TABLE, 4, {0.5: (0.1, 0.2)}), "whole numbers"),
        ((TABLE, 4, [1, 2]), "takes a dict"),
    ],
    "12-D": [
        (at_random, "similar rows are separated"),
        (lambda table, size: np.lexsort(table.T) // size, "row order[i], not to row i"),
        (lambda table, size: by_hashes(table, size, count=1), "% of J"),
        (lambda table, _: np.zeros(len(table), dtype=int), "more than size"),
        (lambda table, _: numbered(np.lexsort(table.T), 4), "too few"),
        (lambda *_: [0, 1], "group of each"),
        (np.zeros(3), "takes a function"),
    ],
    "12-O": [
        ("It is a bad algorithm.", "Give the numbers with your words"),
        ((BOUND, RECIPE, ESSAY), "takes (degree"),
        (({1: 0.2, 2: 0.3}, BOUND, RECIPE, ESSAY), "takes a number"),
        ((4, 71, 17.7, ESSAY), "not per cent"),
        ((8, BOUND, RECIPE, ESSAY), "line by line"),
        ((2, BOUND, RECIPE, ESSAY), "line by line"),
        ((4, 0.49, RECIPE, ESSAY), "another certificate"),
        ((4, 0.699, RECIPE, ESSAY), "another certificate"),
        ((4, BOUND, 0.07, ESSAY), "not the print"),
        ((4, BOUND, 0.111, ESSAY), "not another table's"),
        ((4, BOUND, 0.6, ESSAY), "not the print"),
        ((4, BOUND, RECIPE, "bla " * 30), "20 different words"),
        ((4, BOUND, RECIPE, "Rows are sparse."), "whole argument"),
    ],
}

SECRETS = {"12-R": "shape-only", "12-C": "0.2085"}
