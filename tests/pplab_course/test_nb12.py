"""Notebook 12: mutated copies, orders and hidden chunks that tell mistakes apart."""

from functools import cache

import numpy as np

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


@cache
def ten():
    return both(TABLE, AT)


def both(table, k):
    """How much our groups and the recipe's keep, by ten seeds."""
    return {seed: both_similarities(table, k, seed) for seed in range(10)}


TABLE, AT = repeated(11), 6
WON = (np.random.default_rng(1).random((24, 10)) < 0.3).astype(int)


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
