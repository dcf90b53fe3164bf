"""Smooth k-anonymity: groups of k or more rows publish what at least half of them have."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import as_rng, check_choice, check_k, check_positive, shown
from pplab.graphs import GraphLike, as_ones, by_value, labels_of, with_labels
from pplab.labelled import Labelled, Table, Told, in_stated_order, relabelled
from pplab.smooth.algorithms import alg1_labels, alg2_steps
from pplab.smooth.mondrian import mondrian
from pplab.smooth.recipe import ASSIGNMENTS, paper_recipe
from pplab.smooth.vote import Published, publish_votes

TIES = ("half", "more-than-half")
EFFORTS = ("fast", "thorough")
_MOST_SECONDS = 30 * 24 * 3600


@dataclass(frozen=True, eq=False, repr=False)
class SmoothAnonymized(Told):
    """A published table, its groups and what became of the entries.

    Attributes
    ----------
    biadjacency : csr_array of int32 ones, shape (rows, items)
        What is published; rows of a group are equal.
    labels : int64 array, shape (rows,)
        Group of each row, 0 to groups - 1. Two groups may publish the same.
    jaccard : float
        Similarity with the original, (1 - suppressed) / (1 + created); 1 if nothing was there.
    suppressed, created : float
        Entries lost and entries added, as shares of the entries of the original.
    empty_rows : float
        Share of rows that are published without any entry.
    users, items : list or range
        Labels of the rows and columns, in their order; of a matrix their numbers.
    table : Table or None
        What is published, with its labels, where a Table came in.
    """

    biadjacency: sparse.csr_array
    labels: np.ndarray
    jaccard: float
    suppressed: float
    created: float
    empty_rows: float
    users: Sequence[Any]
    items: Sequence[Any]
    table: Table | None = None


@dataclass(frozen=True)
class GroupMethod:
    """A way to form groups.

    Attributes
    ----------
    groups : callable
        Labels of the rows of a table, by k, which items a group will publish (``keep``), a seed or
        generator (``rng``), and its own settings.
    settings : tuple of str
        Names of settings that are its own.
    any_size : bool
        Whether tables of any size can be grouped, so also chunk by chunk.
    """

    groups: Callable[..., np.ndarray]
    settings: tuple[str, ...] = ()
    any_size: bool = False


def _recipe(table: Any, k: int, *, keep: str, rng: Any, **settings: Any) -> np.ndarray:
    del keep
    return paper_recipe(table, k, rng=rng, **settings)


def _greedy(table: Any, k: int, **settings: Any) -> np.ndarray:
    from pplab._above import greedy_labels

    return greedy_labels(table, k, **settings)


METHODS = {
    "greedy": GroupMethod(_greedy, ("effort", "seconds", "quiet"), any_size=True),
    "paper": GroupMethod(_recipe, ("assignment",), any_size=True),
    "alg1": GroupMethod(lambda table, k, **_: alg1_labels(table, k)),
    "alg2": GroupMethod(lambda table, k, *, rng, **_: alg2_steps(table, k, rng=rng).merged),
}
SUPPRESSION_METHODS = {
    "greedy": METHODS["greedy"],
    "clusters": GroupMethod(_recipe),
    "mondrian": GroupMethod(lambda table, k, **_: mondrian(table, k)),
}


def smooth_k_anonymize(
    biadjacency: GraphLike,
    k: int,
    *,
    method: str = "greedy",
    effort: str = "fast",
    seconds: float | None = None,
    ties: str = "half",
    rng: int | np.random.Generator | None = None,
    assignment: str | None = None,
) -> SmoothAnonymized:
    """Publish a smooth k-anonymous copy of a binary table.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
        Rows and columns may be empty; an empty row is a row like any other.
    k : int
        Smallest size of a group, from 2 to the number of rows.
    method : {"greedy", "paper", "alg1", "alg2"}, default "greedy"
        Who forms the groups: ours, grown around seeds and then annealed; the paper's recipe as
        run, also for tables of any size; or its two algorithms as written, for up to about 200
        rows.
    effort : {"fast", "thorough"}, default "fast"
        Setting of the method "greedy": how many changes of groups are tried. Fast takes seconds
        for a table of 300,000 rows; thorough takes minutes and keeps a little more. The same seed
        gives the same copy, as long as the libraries are the same.
    seconds : float, optional
        Setting of the method "greedy": search until so many seconds have passed, in place of a
        number of changes; the first groups are finished in any case. The copy then depends on the
        machine as well.
    ties : {"half", "more-than-half"}
        What becomes of an item that exactly half of a group has: kept, as in the definition, or
        dropped. To keep it never lowers the similarity, see `publish_votes`.
    rng : int, Generator or None
        Seed or generator.
    assignment : {"arrival", "nearest"}, optional
        Setting of the method "paper", by default "arrival": see `paper_recipe`.

    Returns
    -------
    SmoothAnonymized

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or the table is empty, lists an entry twice or stores
        anything but ones.
    TimeoutError
        If "alg1", an integer programme, is not solved within a minute.

    Notes
    -----
    *Greedy.* A copy that keeps K of N entries and creates C has K / (N + C) >= J exactly if the
    objectives of its groups sum to at least J N: an item that c of s rows have adds
    (1 + J) c - J s where it is published (`objective_table`). Equal rows are grouped first; then
    groups grow around the most promising seeds (`grow_groups`); rows that no group wants stay
    together in a *pool* that publishes next to nothing. Annealing moves and swaps rows, joins,
    splits and dissolves groups, with the exact change of the objective and J set to what is reached
    so far (`improve`). How much more any method could keep at most, `jaccard_certificate` tells.

    An interruption of "greedy" returns the best groups found until then, once the first ones are
    built (seconds on large tables); before that, and with the other methods, it comes through
    between jobs of a few seconds and changes nothing.

    Memory grows with the entries and, beyond a few thousand, with the square of k.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.5, Section 5 and Appendix D, arXiv 2207.06358; Dinkelbach 1967, On nonlinear
    fractional programming, doi 10.1287/mnsc.13.7.492, and Kirkpatrick, Gelatt and Vecchi 1983,
    Optimization by simulated annealing, doi 10.1126/science.220.4598.671, for "greedy".

    Examples
    --------
    >>> rows = [[1, 1, 1, 0], *[[1, 1, 0, 0]] * 3, *[[0, 0, 0, 1]] * 4]
    >>> result = smooth_k_anonymize(rows, 3, rng=1)
    >>> result.biadjacency.toarray()[::4]
    array([[1, 1, 0, 0],
           [0, 0, 0, 1]], dtype=int32)
    >>> result.suppressed * 13, result.created, round(result.jaccard, 4)
    (1.0, 0.0, 0.9231)
    """
    settings = _settings_of(method, METHODS, effort, seconds=seconds, assignment=assignment)
    if seconds is not None and not check_positive("seconds", seconds) <= _MOST_SECONDS:
        raise ValueError(
            f"seconds must be at most {_MOST_SECONDS:,} (30 days), got {shown(seconds)}; search "
            "for less time"
        )
    check_choice("ties", ties, TIES)
    if assignment is not None:
        check_choice("assignment", assignment, ASSIGNMENTS)
    return _copy(biadjacency, k, METHODS[method], keep=ties, rng=rng, **settings)


def _copy(
    data: GraphLike, k: int, way: GroupMethod, *, keep: str, rng: Any, **settings: Any
) -> SmoothAnonymized:
    """Group the rows, and publish what enough of each group have."""
    as_rng(rng)  # also where the method draws nothing
    table = as_ones(by_value(data, bipartite=True, name="biadjacency"))
    k = check_k(k, table.shape[0])
    labels = way.groups(table, k, keep=keep, rng=rng, **settings)
    return anonymized(publish_votes(table, labels, keep=keep), labels, of=data)


def anonymized(published: Published, labels: np.ndarray, *, of: GraphLike) -> SmoothAnonymized:
    """Put counts into shares, with the labels of the table that was given."""
    entries = published.kept + published.suppressed
    union = entries + published.created
    of = with_labels(of, bipartite=True)
    table = relabelled(of, published.biadjacency) if isinstance(of, Labelled) else None
    return SmoothAnonymized(
        published.biadjacency if table is None else table.matrix,
        in_stated_order(of, labels),
        published.kept / union if union else 1.0,
        published.suppressed / entries if entries else 0.0,
        published.created / entries if entries else 0.0,
        float((np.diff(published.biadjacency.indptr) == 0).mean()),
        *labels_of(of),
        table,
    )


# k-anonymity by suppression: groups of k or more rows publish what all of them have.


def suppress_k_anonymize(
    biadjacency: GraphLike,
    k: int,
    *,
    method: str = "greedy",
    effort: str = "fast",
    rng: int | np.random.Generator | None = None,
) -> SmoothAnonymized:
    """Publish a k-anonymous copy of a binary table that only suppresses entries.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    k : int
        Smallest size of a group, from 2 to the number of rows.
    method : {"greedy", "clusters", "mondrian"}, default "greedy"
        "greedy": groups grown and annealed to have much in common. "clusters": the groups that
        `smooth_k_anonymize` makes with method "paper" from the same seed (the paper's baseline
        "non-smooth"). "mondrian": strict Mondrian on the columns.
    effort : {"fast", "thorough"}, default "fast"
        Setting of the method "greedy": see `smooth_k_anonymize`.
    rng : int, Generator or None
        Seed or generator; Mondrian draws nothing.

    Returns
    -------
    SmoothAnonymized
        `created` is 0 always.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or the table is empty, lists an entry twice or stores
        anything but ones.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.4 and Appendix D, arXiv 2207.06358; LeFevre, DeWitt and Ramakrishnan 2006,
    Mondrian multidimensional k-anonymity, doi 10.1109/ICDE.2006.101.

    Examples
    --------
    >>> rows = [[1, 1, 1, 0], *[[1, 1, 0, 0]] * 3, *[[0, 0, 0, 1]] * 4]
    >>> suppress_k_anonymize(rows, 2, rng=1).biadjacency.toarray()[::4]
    array([[1, 1, 0, 0],
           [0, 0, 0, 1]], dtype=int32)
    """
    settings = _settings_of(method, SUPPRESSION_METHODS, effort)
    return _copy(biadjacency, k, SUPPRESSION_METHODS[method], keep="all", rng=rng, **settings)


def _settings_of(
    method: str, methods: dict[str, GroupMethod], effort: str, **others: Any
) -> dict[str, Any]:
    """The settings that are given; refuse those of another method than the one asked for."""
    check_choice("method", method, methods)
    check_choice("effort", effort, EFFORTS)
    values = {"effort": None if effort == EFFORTS[0] else effort, **others}
    options = {name: value for name, value in values.items() if value is not None}
    for name in options:
        if name not in methods[method].settings:
            [owner] = [other for other, entry in methods.items() if name in entry.settings]
            raise ValueError(
                f"{name} is a setting of the method {owner!r}, got it with {method!r}; leave it "
                f"out or pass method={owner!r}"
            )
    return options
