"""How much a search has gained after so many proposals: the states of an effort slider."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pplab.checks import as_rng, check_integer, check_k
from pplab.checks.binary import check_ones
from pplab.graphs import GraphLike, as_matrix

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["similarity_after"]

_PRICE = 0.5  # of the first groups, as the greedy method builds them


def similarity_after(
    biadjacency: GraphLike,
    k: int,
    *,
    proposals: Sequence[int],
    rng: int | np.random.Generator | None = None,
) -> pd.Series:
    """Anonymize a table by the greedy method with several budgets, the same on every machine.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    k : int
        Smallest size of a group, from 2 to the number of rows.
    proposals : sequence of int
        Budgets: changes of groups that are tried for each row, from 0 (the first groups alone).
        Each budget is a search of its own, so more is no promise of better.
    rng : int, Generator or None
        Seed or generator; every budget starts from the same groups with the same seed.

    Returns
    -------
    Series of float
        Jaccard similarity of the copy for each budget.

    Raises
    ------
    TypeError, ValueError
        If k or a budget leaves its interval, or the table stores anything but ones.

    Examples
    --------
    >>> table = [[1, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1]]
    >>> similarity_after(table, 2, proposals=[0, 8], rng=1).round(4).to_dict()
    {0: 0.875, 8: 0.875}
    """
    import pandas as pd

    from pplab.anonymity.kinds import kinds_of_rows
    from pplab.anonymity.search.few import place_few
    from pplab.anonymity.search.improve import Budget, improve, without_gaps
    from pplab.anonymity.search.pool import copies_first, fill_from_pool
    from pplab.anonymity.search.worth import publishable
    from pplab.anonymity.votes import publish_votes

    table = as_matrix(biadjacency, name="biadjacency")
    check_ones("biadjacency", table)
    k = check_k(k, table.shape[0])
    budgets = [check_integer("proposals", each, minimum=0) for each in proposals]
    seed = int(as_rng(rng).integers(2**63))
    part = publishable(table, k, keep="half")
    grown = fill_from_pool(part, copies_first(part, k), k, keep="half", price=_PRICE, quiet=True)
    first = place_few(kinds_of_rows(part), without_gaps(grown), k, keep="half", price=_PRICE)
    settings: dict[str, Any] = {"entries": table.nnz, "keep": "half", "seed": seed, "quiet": True}
    found = {}
    for each in budgets:
        labels = improve(part, first, k, budget=Budget(each * table.shape[0]), **settings)
        published = publish_votes(table, _with_pool(labels), keep="half")
        union = table.nnz + published.created
        found[each] = published.kept / union if union else 1.0
    return pd.Series(found)


def _with_pool(labels: np.ndarray) -> np.ndarray:
    """Make the pool a group like any other."""
    from pplab.anonymity.search.improve import without_gaps
    from pplab.anonymity.search.state import POOL

    return without_gaps(np.where(labels == POOL, labels.max() + 1, labels))
