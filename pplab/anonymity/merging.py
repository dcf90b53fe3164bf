"""Step 5 of Alg2: small clusters grow to k, in any order or with what is near."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

__all__ = ["merge_anyhow", "merge_near"]

Cluster = np.ndarray  # numbers of its users


def merge_anyhow(
    clusters: list[Cluster], k: int, *, a: Fraction, rng: np.random.Generator
) -> list[Cluster]:
    """Merge clusters below k in random order until each union has k, as printed.

    Unions of clusters below k have at most 2k - 2 users. If the last union stays below k, a
    cluster drawn at random helps: it takes the union in where both together have at most 2k, and
    gives it a random piece of itself where they have more (footnote 3).

    Parameters
    ----------
    clusters : list of int arrays
        Users of each cluster; together at least k.
    k : int
        Least size.
    a : Fraction
        Pieces have at least a k users, or k less the union where only that leaves k behind.
    rng : Generator

    Returns
    -------
    list of int arrays
        Clusters of at least k; of at most 2k, or as large as one that was given.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Algorithm 2, line 5 and footnote 3, arXiv 2207.06358.
    """
    done = [cluster for cluster in clusters if len(cluster) >= k]
    small = [cluster for cluster in clusters if len(cluster) < k]
    union = np.empty(0, dtype=np.int64)
    for place in rng.permutation(len(small)):
        union = np.concatenate([union, small[place]])
        if len(union) >= k:
            done.append(union)
            union = np.empty(0, dtype=np.int64)
    if len(union):
        helper = done.pop(int(rng.integers(len(done))))
        done += _helped(union, rng.permutation(helper), k, a)
    return done


def merge_near(clusters: list[Cluster], k: int, *, a: Fraction, away: np.ndarray) -> list[Cluster]:
    """Merge each cluster below k with what is nearest, small or not: our rule.

    As long as a cluster is below k, of all pairs with a member below k the one with the least mean
    distance between its two clusters is next. Both become one if they have at most 2k users
    together; otherwise the small one gets the users of the large one that are nearest to it on
    average, as in footnote 3. Each pair handled leaves at least one small cluster less. Of equal
    pairs the first in the order of the clusters is taken.

    Parameters
    ----------
    clusters : list of int arrays
        Users of each cluster; together at least k.
    k : int
        Least size.
    a : Fraction
        Pieces have at least a k users, or k less the small cluster where only that leaves k behind.
    away : int array, shape (users, users)
        Distances.

    Returns
    -------
    list of int arrays
        Clusters of at least k; of at most 2k, or as large as one that was given.
    """
    left = list(clusters)
    totals = _totals(left, left, away)
    while len(left) > 1 and min(map(len, left)) < k:
        sizes = np.array([len(cluster) for cluster in left])
        mean = totals / np.outer(sizes, sizes)
        np.fill_diagonal(mean, np.inf)
        mean[sizes >= k] = np.inf  # the first of a pair is small
        first, second = divmod(int(mean.argmin()), len(left))
        small, other = left[first], left[second]
        nearest = np.argsort(away[np.ix_(small, other)].mean(axis=0), kind="stable")
        fresh = _helped(small, other[nearest], k, a)
        stay = [place for place in range(len(left)) if place not in (first, second)]
        left = [left[place] for place in stay] + fresh
        new = _totals(fresh, left, away)
        totals = np.block([[totals[np.ix_(stay, stay)], new[:, : len(stay)].T], [new]])
    return left


def _totals(rows: list[Cluster], columns: list[Cluster], away: np.ndarray) -> np.ndarray:
    """Sum of the distances between two clusters, for each pair of them."""
    from_rows = np.array([away[cluster].sum(axis=0) for cluster in rows])
    return np.stack([from_rows[:, cluster].sum(axis=1) for cluster in columns], axis=1)


def _helped(small: Cluster, helper: Cluster, k: int, a: Fraction) -> list[Cluster]:
    """Join two clusters if they have at most 2k users; else move the first users of the helper.

    At most 2k: always so when both are below k. With more, the helper keeps at least k after
    giving what the small one lacks, so both sizes can be met; a piece of a k is preferred.
    """
    if len(small) + len(helper) <= 2 * k:
        return [np.concatenate([small, helper])]
    lacking = k - len(small)
    piece = max(lacking, -int(-a * k // 1))
    if len(helper) - piece < k:
        piece = lacking
    return [np.concatenate([small, helper[:piece]]), helper[piece:]]
