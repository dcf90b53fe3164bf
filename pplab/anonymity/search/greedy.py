"""Groups of rows that publish as much as possible: built greedily, then annealed."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from pplab.anonymity.kinds import kinds_of_rows
from pplab.anonymity.search.few import place_few
from pplab.anonymity.search.improve import Budget, improve, without_gaps
from pplab.anonymity.search.pairing import better_pairs
from pplab.anonymity.search.pairing_exact import matching_library
from pplab.anonymity.search.pool import copies_first, fill_from_pool
from pplab.anonymity.search.state import POOL
from pplab.anonymity.search.worth import publishable
from pplab.checks import as_rng

__all__ = ["EFFORTS", "greedy_labels"]

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
