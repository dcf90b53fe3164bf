"""Statements of the paper that need no data: decided on small tables, by code that could say no.

Casino et al. 2015, doi 10.1016/j.jcss.2014.12.013.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd

from claimbook.part import Finding, against, statement_rows
from pplab.attacks.homogeneity import revealed_by_mean
from pplab.metrics.error import sum_of_squared_errors, within_group_sse
from pplab.metrics.risk import disclosure_risk, k_achieved
from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import group_means, microaggregate

SEED = 41
TABLES = 2_000
EQUATION_TABLES = 500


def statements() -> pd.DataFrame:
    """Decide the formal statements on random small tables and examples.

    Examples
    --------
    >>> _leftover_can_lose()[0]  # the changed rule for the last records, as one of the statements
    True
    """
    return statement_rows(
        {
            "section-3:k-anonymous": _k_anonymous(),
            "section-3:equations-1-and-2": _equations_agree(),
            "section-3:dr-bound:protected-to-original": _bounded("protected-to-original"),
            "section-3:dr-bound:original-to-protected": _bounded("original-to-protected"),
            "section-3:leftover-always-better": _leftover_can_lose(),
            "section-3:most-homogeneous": _most_homogeneous(),
            "section-2.2:group-sizes": _group_sizes(),
            "section-3:attribute-disclosure": _attributes_covered(),
        }
    )


def _tables(count: int) -> Iterator[tuple[np.ndarray, int]]:
    """Small tables of few different whole numbers, so that ties and equal rows are common."""
    rng = np.random.default_rng(SEED)
    for _ in range(count):
        rows, columns = rng.integers(2, 13), rng.integers(1, 4)
        table = rng.integers(0, rng.integers(2, 6), size=(rows, columns)).astype(float)
        yield table, int(rng.integers(2, rows + 1))


def _k_anonymous() -> Finding:
    def check(more: int) -> tuple[bool, str]:
        for table, k in _tables(TABLES):
            for rule in ("group", "closest"):
                labels = mdav(table, k, leftover=rule)
                sizes = int(np.bincount(labels).min()), k_achieved(group_means(table, labels))
                if min(sizes) < k + more:
                    return False, f"k = {k} on {table.tolist()} gives a class of {min(sizes)}."
        return True, f"On {TABLES:,} tables, under both leftover rules, k rows or more are equal."

    return against(check, 0, 1)


def _equations_agree() -> Finding:
    def check(representative: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> tuple[bool, str]:
        worst = 0.0
        for table, k in _tables(EQUATION_TABLES):
            labels = mdav(table, k)
            within = within_group_sse(table, labels)
            between = sum_of_squared_errors(table, representative(table, labels))
            worst = max(worst, abs(within - between) / max(within, 1.0))
        return worst <= 1e-9, (
            f"On {EQUATION_TABLES} tables they differ by at most {worst:.1g} of their size."
        )

    def first(table: np.ndarray, labels: np.ndarray) -> np.ndarray:
        return table[np.unique(labels, return_index=True)[1][labels]]

    return against(check, group_means, first)


def _bounded(direction: str) -> Finding:
    def check(more: int) -> tuple[bool, str]:
        largest = Fraction(0)
        for table, k in _tables(TABLES):
            protected = group_means(table, mdav(table, k))
            risk = float(disclosure_risk(table, protected, direction=direction).mean())
            if risk > 1 / (k + more) + 1e-12:
                return False, f"Risk {risk:.4g} exceeds 1/{k + more} on {table.tolist()}."
            largest = max(largest, Fraction(risk * k).limit_denominator(1000))
        return True, f"On {TABLES:,} tables the risk is at most {float(largest):.3g} times 1/k."

    return against(check, 0, 1)


def _group_sizes() -> Finding:
    def check(times: int) -> tuple[bool, str]:
        for table, k in _tables(TABLES):
            *others, last = np.bincount(mdav(table, k, leftover="group"))
            if set(others) - {k} or not k <= last <= max(k, times * k - 1):
                return False, f"k = {k} on {table.tolist()} gives groups of {[*others, last]}."
        return True, f"On {TABLES:,} tables all groups have k records, the last one k to 2k - 1."

    return against(check, 2, 1)


def _leftover_can_lose() -> Finding:
    points = np.array([[0.0], [1.0], [2.0], [6.0], [12.0], [13.0]])

    def check(rule: str) -> tuple[bool, str]:
        classic, changed = (
            within_group_sse(points, mdav(points, 2, leftover=each)) for each in ("group", rule)
        )
        return changed > classic, (
            f"On the points 0, 1, 2, 6, 12, 13 with k = 2 the changed rule ends at {changed:g}, "
            f"the classic one at {classic:g}."
        )

    return against(check, "closest", "group")


def _most_homogeneous() -> Finding:
    points = np.array([[2.0, 3], [3, 6], [1, 3], [0, 2], [6, 4], [2, 6]])
    seed, k = 4, 3  # MDAV starts its first group from the point that is farthest from the mean
    labels = mdav(points, k)

    def error(group: Sequence[int] | np.ndarray) -> float:
        return within_group_sse(points[[*group]], np.zeros(len(group), dtype=int))

    triples = list(combinations(range(len(points)), k))
    ours, first = within_group_sse(points, labels), error(np.flatnonzero(labels == labels[seed]))
    best = min(error(one) + error(sorted({*range(2 * k)} - {*one})) for one in triples)
    local = min(error(one) for one in triples if seed in one)
    return ours <= best + 1e-9 or first <= local + 1e-9, (
        f"Six points, k = 3: the groups of MDAV end at an error of {ours:.4g}, the best at "
        f"{best:.4g}; its group of (6, 4), from which it starts, has {first:.4g}, the best three "
        f"with this point {local:.4g}."
    )


def _attributes_covered() -> Finding:
    ratings = [[5, 3, 1], [5, 4, 2], [5, 2, 1], [1, 1, 5], [2, 1, 4], [1, 1, 5]]
    release = microaggregate(ratings, 3, rating_range=(1, 5))
    shown = revealed_by_mean(release.protected, rating_range=(1, 5)).revealed
    given_away = int((shown == np.array(ratings)).sum())
    return given_away == 0, (
        f"Six users in groups of {release.k_achieved}: {given_away} of 18 ratings can be read off "
        "the means, since all members gave the lowest or the highest value."
    )
