"""Groups of rows that publish as much as possible: built greedily, then annealed."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse
from tqdm.auto import tqdm

from pplab.checks import as_rng
from pplab.smooth._greedy import (
    POOL,
    Search,
    State,
    alike_kinds,
    anneal,
    best_groups,
    copies_first,
    fill_from_pool,
    make_state,
    publishable,
    total_objective,
    worth_table,
)
from pplab.smooth._rows import Kinds, kinds_of_rows
from pplab.smooth.groups import least_kept
from pplab.smooth.pairing import better_pairs, matching_library

# What becomes of a pool of few rows.


def place_few(kinds: Kinds, labels: np.ndarray, k: int, *, keep: str, price: float) -> np.ndarray:
    """Leave no pool of fewer than 3k rows: row by row it could not get rid of its last k.

    They become a group of their own if they are k or more and that is worth at least as much; else
    each joins the group where it alone adds most or costs least. A larger pool stays.

    Parameters
    ----------
    kinds : Kinds
    labels : int64 array, shape (rows,)
        Group of each row, numbered without gaps, or POOL.
    k : int
    keep : {"half", "more-than-half", "all"}
    price : float
        Of `worth_table`.
    """
    pool = np.flatnonzero(labels == POOL)
    if not 0 < len(pool) < 3 * k:
        return labels
    groups = int(labels.max()) + 1
    together = np.where(labels == POOL, groups, labels)
    if groups == 0:
        return together
    largest = int(np.bincount(labels[labels >= 0]).max()) + len(pool)
    worth = worth_table(largest, keep=keep, price=price)
    apart = labels.copy()
    apart[pool] = best_groups(make_state(kinds, labels, largest=largest), worth, groups, pool)
    if len(pool) < k:
        return apart
    states = (make_state(kinds, found, largest=largest) for found in (together, apart))
    own, joined = (total_objective(state, worth) for state in states)
    return together if own >= joined else apart


# Groups improved by annealing, with the price of the ratio set anew all along.


_ALIKE = 16  # kinds from which company is proposed
_HOT, _COLD = 0.3, 0.02  # temperatures, in entries
_STEPS = 64  # of the temperature, at least
_LONGEST = 1_000_000  # proposals in a step with light rows: about a second, then one may interrupt
_REBUILD = 8  # steps until the tables of counts are laid out anew
_REGROUP = 32  # steps until groups are looked for in the pool


@dataclass
class Budget:
    """How long to search: a number of proposals, or seconds since the search began.

    Attributes
    ----------
    proposals : int
        The same result on every machine.
    seconds : float or None
        If given, instead of the proposals.
    stopped : bool
        Whether somebody interrupted the search: then all of it is used up.
    """

    proposals: int
    seconds: float | None = None
    began: float = field(default_factory=time.monotonic)
    stopped: bool = False

    def share(self, done: int) -> float:
        """What is used up of it, from 0 to 1 and beyond."""
        if self.seconds is not None:
            return (time.monotonic() - self.began) / self.seconds
        return done / self.proposals if self.proposals else 1.0


def improve(
    table: sparse.csr_array,
    labels: np.ndarray,
    k: int,
    *,
    entries: int,
    keep: str,
    budget: Budget,
    seed: int,
    quiet: bool = False,
) -> np.ndarray:
    """Anneal groups until the budget is used up, or somebody interrupts; the best so far stays.

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
    quiet : bool
        No bar.
    """
    best, steps, used = labels, 0, budget.share(0)
    seeds = np.array([seed], dtype=np.uint64)
    length = _length(table, k, budget)
    with tqdm(total=100, desc="groups", unit="%", delay=5, leave=False, disable=quiet) as bar:
        try:
            kinds = kinds_of_rows(table)
            run = _Run(table, kinds, k, keep, entries, labels)
            alike = alike_kinds(kinds, _ALIKE, quiet=quiet)
            while used < 1:
                if steps % _REBUILD == 0:
                    run.lay_out(regroup=steps % _REGROUP == 0 and steps > 0)
                search = Search(alike, run.worth(), k)
                temperature = _HOT * (_COLD / _HOT) ** used
                anneal(run.state, search, seeds, temperature=temperature, proposals=length)
                run.remember()
                best = run.labels
                steps += 1
                used = budget.share(steps * length)
                bar.set_postfix_str(f"similarity {run.best:.4f}", refresh=False)
                bar.update(min(100, int(100 * used)) - bar.n)
        except KeyboardInterrupt:
            budget.stopped = True
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
        self,
        table: sparse.csr_array,
        kinds: Kinds,
        k: int,
        keep: str,
        entries: int,
        labels: np.ndarray,
    ) -> None:
        self.table, self.kinds, self.k, self.keep, self.entries = table, kinds, k, keep, entries
        self.labels = labels
        self._lay_out(labels)
        self.price = self.best = similarity_of(self.state, entries, keep)

    def _lay_out(self, labels: np.ndarray) -> None:
        largest = int(np.bincount(labels[labels >= 0], minlength=1).max()) + self.k
        largest = min(max(largest, 3 * self.k), len(labels))
        self.state: State = make_state(self.kinds, labels, largest=largest)

    def lay_out(self, *, regroup: bool) -> None:
        """Lay out the tables of counts anew; make groups of the pool if asked to."""
        labels = without_gaps(self.state.group_of)
        if regroup:
            labels = fill_from_pool(
                self.table, labels, self.k, keep=self.keep, price=self.price, quiet=True
            )
        labels = place_few(self.kinds, labels, self.k, keep=self.keep, price=self.price)
        self._lay_out(labels)
        self.remember()

    def worth(self) -> np.ndarray:
        return worth_table(self.state.members.shape[1], keep=self.keep, price=self.price)

    def remember(self) -> None:
        """Set the price to the similarity; keep the groups if none were better."""
        self.price = similarity_of(self.state, self.entries, self.keep)
        if self.price > self.best:
            self.best, self.labels = self.price, without_gaps(self.state.group_of)


def similarity_of(state: State, entries: int, keep: str) -> float:
    """Jaccard similarity of the copy, as if the pool published nothing."""
    sizes, counts = state.sizes[:, None], np.arange(state.histograms.shape[1])
    published = (counts >= least_kept(sizes, keep)) & (counts > 0)
    items = np.where(published, state.histograms, 0)
    kept, created = int((items * counts).sum()), int((items * (sizes - counts)).sum())
    return kept / (entries + created) if entries else 1.0


def without_gaps(labels: np.ndarray) -> np.ndarray:
    """Number groups by their first row; POOL stays."""
    grouped = np.flatnonzero(labels != POOL)
    found = np.full(len(labels), POOL, dtype=np.int64)
    _, first, number = np.unique(labels[grouped], return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    found[grouped] = rank[number]
    return found


EFFORTS = ("fast", "thorough")
_PRICE = 0.5  # before anything is known
_NEAREST = 10  # possible partners of each row where pairs are matched
# Proposals for each row, at least and at most.
_PROPOSALS = {"fast": (50, 50_000, 1_600_000), "thorough": (2_500, 200_000, 40_000_000)}


def greedy_labels(
    table: sparse.csr_array,
    k: int,
    *,
    keep: str,
    effort: str = "fast",
    seconds: float | None = None,
    rng: int | np.random.Generator | None = None,
    quiet: bool = False,
) -> np.ndarray:
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
    drawing = as_rng(rng)
    each, least, most = _PROPOSALS[effort]
    pairing = k == 2 and effort == "thorough"
    if pairing:
        matching_library()  # refused now, and not after minutes of search
    proposals = min(max(each * table.shape[0], least), most)
    budget = Budget(proposals // (4 if pairing else 1), seconds)
    if seconds is not None and pairing:
        budget.seconds = seconds / 2
    part = publishable(table, k, keep=keep)
    labels = improve(
        part,
        _built(part, k, keep, quiet),
        k,
        entries=table.nnz,
        keep=keep,
        budget=budget,
        seed=int(drawing.integers(2**63)),
        quiet=quiet,
    )
    labels[labels == POOL] = labels.max() + 1
    if pairing and not budget.stopped:
        until = None if seconds is None else lambda: budget.share(0) >= 2
        labels = better_pairs(part, labels, rng=drawing, keep=keep, nearest=_NEAREST, until=until)
    return without_gaps(labels)


def _built(table: sparse.csr_array, k: int, keep: str, quiet: bool) -> np.ndarray:
    """Copies first, then groups around seeds; few rows without a group join others."""
    first = copies_first(table, k)
    labels = fill_from_pool(table, first, k, keep=keep, price=_PRICE, quiet=quiet)
    return place_few(kinds_of_rows(table), without_gaps(labels), k, keep=keep, price=_PRICE)
