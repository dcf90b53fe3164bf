"""Greedy groups of rows that publish as much as possible: grown around seeds, then annealed.

A copy that keeps K of N entries and creates C has the Jaccard similarity K / (N + C). For a ratio
J, `objective_table` turns this into a sum over groups and items, which the search maximises while J
follows the similarity reached so far (Dinkelbach 1967, doi 10.1287/mnsc.13.7.492). First equal rows
are grouped (`copies_first`); groups then grow around the most promising seeds (`fill_from_pool`);
rows that no group wants wait in a *pool*, one large group that publishes nothing; the groups are
annealed (`improve`). The compiled steps are in `_greedy.py`.
"""

import time
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.checks import as_rng
from pplab.smooth.rows import Array, DistinctRows, distinct_rows
from pplab.smooth.vote import least_kept, publishable
from smoothbound._greedy import (
    POOL,
    Search,
    State,
    anneal,
    best_groups,
    grow_all,
    make_state,
    new_growth,
    similar_rows,
    total_objective,
)

_RATIO = 0.5  # before anything is known
# Proposals for each row, at least and at most; and the entries of a row above which the search is
# hotter in proportion, since a change moves more of them then. A fast one could not cool down.
_SEARCHES = {
    "fast": (50, 50_000, 1_600_000, np.inf),
    "thorough": (2_500, 200_000, 40_000_000, 15),
}


def greedy_labels(
    table: sparse.csr_array,
    k: int,
    *,
    keep: str,
    effort: str = "fast",
    seconds: float | None = None,
    rng: int | np.random.Generator | None = None,
    quiet: bool = False,
) -> Array:
    """Group the rows of a binary table.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items)
    k : int
        Smallest size of a group, from 2 to the number of rows.
    keep : {"half", "more-than-half", "all"}
        Which items a group publishes, see `publish_votes`.
    effort : {"fast", "thorough"}
        How many changes are proposed, see `smooth_k_anonymize`.
    seconds : float or None
        Search for so long instead.
    rng : int, Generator or None
        Seed or generator.
    quiet : bool
        No bars.

    Returns
    -------
    int64 array, shape (rows,)
        Group of each row, 0 to groups - 1.

    Examples
    --------
    >>> table = sparse.csr_array([[1, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1]])
    >>> greedy_labels(table, 2, keep="half", rng=1)
    array([0, 1, 0, 1])
    """
    each, least, most, few = _SEARCHES[effort]
    budget = Budget(min(max(each * table.shape[0], least), most), seconds)
    part = publishable(table, k, keep=keep)
    first = fill_from_pool(part, copies_first(part, k), k, keep=keep, ratio=_RATIO, quiet=quiet)
    first = place_few(distinct_rows(part), without_gaps(first), k, keep=keep, ratio=_RATIO)
    entries, seed = table.nnz, int(as_rng(rng).integers(2**63))
    heat = max(1.0, entries / table.shape[0] / few)
    labels = improve(
        part, first, k, entries=entries, keep=keep, budget=budget, seed=seed, heat=heat, quiet=quiet
    )
    labels[labels == POOL] = labels.max() + 1
    return without_gaps(labels)


# The objective.


def objective_table(largest: int, *, keep: str, ratio: float) -> Array:
    """Objective of an item that c of s rows have: (1 + J) c - J s if it is published, else 0.

    A copy that keeps K of N entries and creates C has K / (N + C) >= J exactly if the objectives of
    its groups sum to at least J N, since a published item keeps c entries and creates s - c
    (Dinkelbach 1967, doi 10.1287/mnsc.13.7.492).

    Returns
    -------
    float array, shape (largest + 1, largest + 1), at [s, c]

    Examples
    --------
    >>> objective_table(2, keep="half", ratio=0.5)[2]
    array([0. , 0.5, 2. ])
    """
    return np.array([_of_size(size, largest, keep, ratio) for size in range(largest + 1)])


def _of_size(size: int, largest: int, keep: str, ratio: float) -> Array:
    """Row of `objective_table` for groups of one size, shape (largest + 1,)."""
    counts = np.arange(largest + 1)
    published = (counts >= least_kept(np.array(size), keep)) & (counts <= size) & (counts > 0)
    return np.where(published, (1 + ratio) * counts - ratio * size, 0.0)


def soft_objective(k: int, *, keep: str, ratio: float) -> Array:
    """Objective in a growing group of k rows: rises with the square of c up to the first published.

    Without it the first rows of a group would all have the same score: no item is published yet.

    Examples
    --------
    >>> soft_objective(4, keep="half", ratio=0.5)
    array([0. , 0.25, 1.  , 2.5 , 4.  ])
    """
    objective = _of_size(k, k, keep, ratio)
    least = int(least_kept(np.array(k), keep))
    objective[:least] = objective[least] * (np.arange(least) / least) ** 2
    return objective


def similarity_of(state: State, entries: int, keep: str) -> float:
    """Jaccard similarity of the copy, as if the pool published nothing."""
    sizes, counts = state.sizes[:, None], np.arange(state.histograms.shape[1])
    published = (counts >= least_kept(sizes, keep)) & (counts > 0)
    items = np.where(published, state.histograms, 0)
    kept, created = int((items * counts).sum()), int((items * (sizes - counts)).sum())
    return kept / (entries + created) if entries else 1.0


# The first groups: copies, groups grown around seeds, pairs of half groups, and the last few rows.


_CANDIDATES = 32  # candidates listed for each row from which groups grow
_ROUNDS = 8  # of growing at most; each lists the candidates anew among the rows that are left
_LEAST_GROUPED = 0.02  # of the rows that are left must find a group for another round


def copies_first(table: sparse.csr_array, k: int) -> Array:
    """Put k or more equal rows into groups of k to 2k - 1 of their own, and others into the pool.

    Groups above k can spare a row for others later on.

    Returns
    -------
    int64 array, shape (rows,)

    Examples
    --------
    >>> copies_first(sparse.csr_array([[1, 0]] * 5 + [[1, 1]]), 2)
    array([ 0,  0,  1,  1,  1, -1])
    """
    distinct = distinct_rows(table)
    labels = np.full(table.shape[0], POOL)
    groups = 0
    for pattern in np.flatnonzero((distinct.multiplicities >= k) & (distinct.degrees > 0)):
        rows = distinct.members[slice(*distinct.member_starts[pattern : pattern + 2])]
        pieces = len(rows) // k
        labels[rows] = groups + np.minimum(np.arange(len(rows)) // k, pieces - 1)
        groups += pieces
    return labels


def fill_from_pool(
    table: sparse.csr_array, labels: Array, k: int, *, keep: str, ratio: float, quiet: bool = False
) -> Array:
    """Make groups of rows in the pool, as far as their objective is positive.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items)
    labels : int64 array, shape (rows,)
        Group of each row, or POOL.
    k : int
    keep : {"half", "more-than-half", "all"}
    ratio : float
        Of `objective_table`.

    Notes
    -----
    Two groups of h = ceil(k / 2) rows that agree make one of 2 h rows, whatever the two have in
    common: half of it has each item, so that each publishes its own at the ratio of as many
    created entries. Ties make this legal; with other rules nothing is gained.
    """
    labels, kinds = labels.copy(), [(k, 1, keep)]
    if keep == "half":
        kinds.append(((k + 1) // 2, 2, "all"))
    for size, batch, rule in kinds:  # groups of a size, so many put together as they come
        for _ in range(_ROUNDS):
            left = np.flatnonzero(labels == POOL)
            if len(left) < size * batch:
                break
            distinct = distinct_rows(publishable(sparse.csr_array(table[left]), size, keep=rule))
            if size == 1:
                grown = np.sort(distinct.pattern_of)[:, None]
            else:
                grown = grow_groups(distinct, size, keep=rule, ratio=ratio, quiet=quiet)
            whole = grown[: len(grown) // batch * batch].reshape(-1, size * batch)
            rows = left[_rows_of(distinct, whole)]
            labels[rows] = labels.max() + 1 + np.arange(len(whole))[:, None]
            if rows.size < max(_LEAST_GROUPED * len(left), 1):
                break
    return labels


def grow_groups(
    distinct: DistinctRows, k: int, *, keep: str, ratio: float, quiet: bool = False
) -> Array:
    """Grow groups of k rows.

    A seed takes k - 1 times the free row that adds most to the soft objective, less what its
    entries would be worth elsewhere, among the distinct rows similar to those that it has. A seed
    whose group is by then worth less for each entry than another seed promises is put back.

    Parameters
    ----------
    distinct : DistinctRows
    k : int
    keep : {"half", "more-than-half", "all"}
    ratio : float
        Of `objective_table`. A row's entries count half of it each: at the ratio itself, which is
        what an entry is worth on average, too few groups would pay.
    quiet : bool
        No bar.

    Returns
    -------
    int32 array, shape (groups, k)
        Patterns of the rows of each group.
    """
    similar = similar_rows(distinct, _CANDIDATES, quiet=quiet)
    soft = soft_objective(k, keep=keep, ratio=ratio)
    return grow_all(new_growth(distinct, similar, soft, _of_size(k, k, keep, ratio), ratio / 2))


def _rows_of(distinct: DistinctRows, groups: Array) -> Array:
    """Turn patterns into rows, each row once."""
    flat = groups.ravel()
    order = np.argsort(flat, kind="stable")
    ordered = flat[order]
    first = np.searchsorted(ordered, ordered)  # where its pattern begins
    rows = np.empty(len(flat), dtype=np.int64)
    rows[order] = distinct.members[distinct.member_starts[ordered] + np.arange(len(flat)) - first]
    return rows.reshape(groups.shape)


def place_few(distinct: DistinctRows, labels: Array, k: int, *, keep: str, ratio: float) -> Array:
    """Leave no pool of fewer than 3k rows, which could not be emptied row by row.

    They become a group of their own if they are k or more and that is worth at least as much; else
    each joins the group where it alone adds most or costs least. A larger pool stays.

    Parameters
    ----------
    distinct : DistinctRows
    labels : int64 array, shape (rows,)
        Group of each row, numbered without gaps, or POOL.
    k : int
    keep : {"half", "more-than-half", "all"}
    ratio : float
        Of `objective_table`.
    """
    pool = np.flatnonzero(labels == POOL)
    if not 0 < len(pool) < 3 * k:
        return labels
    groups = int(labels.max()) + 1
    placed_together = np.where(labels == POOL, groups, labels)
    if groups == 0:
        return placed_together
    largest = int(np.bincount(labels[labels >= 0]).max()) + len(pool)
    objective = objective_table(largest, keep=keep, ratio=ratio)
    placed_apart = labels.copy()
    state = make_state(distinct, labels, largest=largest)
    placed_apart[pool] = best_groups(state, objective, groups, pool)
    if len(pool) < k:
        return placed_apart
    both = placed_together, placed_apart
    states = (make_state(distinct, labels, largest=largest) for labels in both)
    objective_before, joined = (total_objective(state, objective) for state in states)
    return placed_together if objective_before >= joined else placed_apart


def without_gaps(labels: Array) -> Array:
    """Number groups by their first row; POOL stays."""
    grouped = np.flatnonzero(labels != POOL)
    result = np.full(len(labels), POOL, dtype=np.int64)
    result[grouped] = pd.factorize(labels[grouped])[0]
    return result


# Annealing, with the ratio set anew all along.


_SIMILAR = 16  # similar rows of each row from which proposals are drawn
_HOT, _COLD = 0.3, 0.02  # temperatures, in entries
_MILD = 0.1  # the last temperature, at most
_STEPS = 64  # of the temperature, at least
_LONGEST = 1_000_000  # proposals in a step with light rows: about a second, then one may interrupt
_REBUILD = 8  # steps until the tables of counts are laid out anew
_REGROUP = 32  # steps until groups are looked for in the pool


@dataclass
class Budget:
    """Length of a search, as a number of proposals or in seconds.

    Attributes
    ----------
    proposals : int
        The same result on every machine.
    seconds : float or None
        If given, instead of the proposals.
    """

    proposals: int
    seconds: float | None = None
    began: float = field(default_factory=time.monotonic)

    def share(self, done: int) -> float:
        """The share of it that is used up, from 0 to 1 and beyond."""
        if self.seconds is not None:
            return (time.monotonic() - self.began) / self.seconds
        return done / self.proposals if self.proposals else 1.0


def improve(
    table: sparse.csr_array,
    labels: Array,
    k: int,
    *,
    entries: int,
    keep: str,
    budget: Budget,
    seed: int,
    heat: float = 1.0,
    quiet: bool = False,
) -> Array:
    """Anneal groups until the budget is used up or the user interrupts; keep the best so far.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items)
        Entries that could be published, see `publishable`.
    labels : int64 array, shape (rows,)
        Groups of at least k rows, numbered without gaps, or POOL for none or at least k.
    k : int
    entries : int
        Of the original.
    keep : {"half", "more-than-half", "all"}
    budget : Budget
    seed : int
        From 0 to 2**64 - 1.
    heat : float
        How much higher the temperatures are.
    quiet : bool
        No bar.
    """
    best, steps, used = labels, 0, budget.share(0)
    seeds = np.array([seed], dtype=np.uint64)
    length = _length(table, k, budget)
    hot, cold = heat * _HOT, min(heat * _COLD, _MILD)
    # no time that is left: the first step compiles, and its pace says nothing of the others
    shape = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}{postfix}"
    with tqdm(
        total=100, desc="groups", bar_format=shape, delay=5, leave=False, disable=quiet
    ) as bar:
        try:
            run = _Run(table, k, keep, entries, labels)
            similar = similar_rows(run.distinct, _SIMILAR, quiet=quiet)
            while used < 1:
                if steps % _REBUILD == 0:
                    run.lay_out(regroup=steps % _REGROUP == 0 and steps > 0)
                temperature = hot * (cold / hot) ** used
                search = Search(similar, run.objective(), k, temperature, seeds)
                anneal(run.state, search, length)
                run.remember()
                best = run.labels
                steps += 1
                used = budget.share(steps * length)
                bar.set_postfix_str(f"similarity {run.best:.4f}", refresh=False)
                bar.update(min(100, int(100 * used)) - bar.n)
        except KeyboardInterrupt:
            tqdm.write(f"interrupted after {used:.0%}: the best groups so far are returned")
    return best


def _length(table: sparse.csr_array, k: int, budget: Budget) -> int:
    """Proposals in a step: what one costs grows with the entries of a row, and with k."""
    rows = table.shape[0]
    longest = min(int(_LONGEST / (1 + (table.nnz / rows + k) / 50)), 100 * rows)
    if budget.seconds is None:
        longest = min(longest, budget.proposals // _STEPS)
    return max(longest, 1)


class _Run:
    """Groups as they are, and the best of them so far."""

    def __init__(
        self, table: sparse.csr_array, k: int, keep: str, entries: int, labels: Array
    ) -> None:
        self.table, self.distinct, self.k = table, distinct_rows(table), k
        self.keep, self.entries, self.labels = keep, entries, labels
        self._lay_out(labels)
        self.ratio = self.best = similarity_of(self.state, entries, keep)

    def _lay_out(self, labels: Array) -> None:
        largest = int(np.bincount(labels[labels >= 0], minlength=1).max()) + self.k
        largest = min(max(largest, 3 * self.k), len(labels))
        self.state: State = make_state(self.distinct, labels, largest=largest)

    def lay_out(self, *, regroup: bool) -> None:
        """Lay out the tables of counts anew; make groups of the pool if asked to."""
        labels = without_gaps(self.state.group_of)
        if regroup:
            labels = fill_from_pool(
                self.table, labels, self.k, keep=self.keep, ratio=self.ratio, quiet=True
            )
        labels = place_few(self.distinct, labels, self.k, keep=self.keep, ratio=self.ratio)
        self._lay_out(labels)
        self.remember()

    def objective(self) -> Array:
        return objective_table(self.state.members.shape[1], keep=self.keep, ratio=self.ratio)

    def remember(self) -> None:
        """Set the ratio to the similarity; keep the groups if none were better."""
        self.ratio = similarity_of(self.state, self.entries, self.keep)
        if self.ratio > self.best:
            self.best, self.labels = self.ratio, without_gaps(self.state.group_of)
