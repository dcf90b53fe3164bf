"""Groups improved by annealing, with the price of the ratio set anew all along."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse
from tqdm.auto import tqdm

from pplab.anonymity.kinds import Kinds, kinds_of_rows
from pplab.anonymity.search.alike import alike_kinds
from pplab.anonymity.search.anneal import Search, anneal
from pplab.anonymity.search.few import place_few
from pplab.anonymity.search.pool import fill_from_pool
from pplab.anonymity.search.state import POOL, State, make_state
from pplab.anonymity.search.worth import worth_table
from pplab.anonymity.votes import least_kept

__all__ = ["Budget", "improve", "similarity_of", "without_gaps"]

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
