"""Runs of the paper's recipe on one table, with all that does not change kept between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.experiments.smooth import paper
from pplab.smooth._rows import Kinds, kinds_of_rows
from pplab.smooth.groups import cut_to_size, publish_votes
from pplab.smooth.recipe import close_small, online_facilities, opening_costs
from pplab.theory.jaccard_law import epsilon_for_jaccard

__all__ = ["ASSIGNMENTS", "CUT", "KEEPS", "Recipe", "equal_epsilon", "runs_of"]

ASSIGNMENTS = {"assigned on arrival": "arrival", "nearest in the end": "nearest"}
CUT = "cut to k"
KEEPS = {"half kept": "half", "half dropped": "more-than-half"}


@dataclass(frozen=True, eq=False)
class Recipe:
    """A table that is anonymized many times.

    Attributes
    ----------
    table : csr_array of ones
    """

    table: sparse.csr_array

    @cached_property
    def kinds(self) -> Kinds:
        """Equal rows, found once."""
        return kinds_of_rows(self.table)

    def costs(self, k: int, spread: int = paper.SPREAD) -> np.ndarray:
        """Opening costs, which no random number enters."""
        return opening_costs(self.kinds, k, spread=spread)

    def labels(
        self, costs: np.ndarray, k: int, *, assignment: str, rng: int | np.random.Generator
    ) -> np.ndarray:
        """Groups of one run, as ``paper_recipe`` makes them."""
        arriving, closing = np.random.default_rng(rng).spawn(2)
        located = online_facilities(
            self.kinds, costs, orders=10, assignment=assignment, rng=arriving
        )
        return close_small(self.kinds, located, k, rng=closing)

    def shares(self, labels: np.ndarray, keep: str) -> dict[str, float]:
        """Similarity, suppressed and created entries of a published copy, in per cent."""
        published = publish_votes(self.table, labels, keep=keep)
        entries = self.table.nnz
        return {
            "jaccard": 100 * published.kept / (entries + published.created),
            "suppressed": 100 * published.suppressed / entries,
            "created": 100 * published.created / entries,
        }


def equal_epsilon(per_cent: float, density: float) -> float:
    """Epsilon at which randomized response has this mean similarity, by the closed form.

    0 where even fair coins keep more, infinite where nothing may change.
    """
    if per_cent <= 0:
        return 0.0
    return epsilon_for_jaccard(per_cent / 100, density=density) if per_cent < 100 else inf


def runs_of(
    recipe: Recipe,
    *,
    rng: np.random.Generator,
    repetitions: int,
    ks: Sequence[int] = paper.K,
    assignments: Sequence[str] = tuple(ASSIGNMENTS),
) -> pd.DataFrame:
    """Run the recipe at every k, each time for both votes and for suppression.

    The recipe has no step that cuts large groups; pieces of k rows are a reading of their own.

    Returns
    -------
    DataFrame
        Columns k, repetition, method (smooth, non-smooth), reading, jaccard, suppressed, created.
    """
    rows: list[dict[str, Any]] = []
    seeds = rng.integers(2**31, size=(len(ks), repetitions))
    bar = tqdm(total=seeds.size * len(assignments), desc="copies")
    for k, mine in zip(ks, seeds, strict=True):
        costs = recipe.costs(k)
        for repetition, seed in enumerate(mine.tolist()):
            for name in assignments:
                labels = recipe.labels(costs, k, assignment=ASSIGNMENTS[name], rng=seed)
                common = {"k": k, "repetition": repetition}
                for vote, keep in KEEPS.items():
                    row = {"method": "smooth", "reading": f"{name}, {vote}"}
                    rows.append(common | row | recipe.shares(labels, keep))
                row = {"method": "non-smooth", "reading": name}
                rows.append(common | row | recipe.shares(labels, "all"))
                pieces = cut_to_size(labels, k, rng=seed)
                row = {"method": "smooth", "reading": f"{name}, half kept, {CUT}"}
                rows.append(common | row | recipe.shares(pieces, "half"))
                row = {"method": "non-smooth", "reading": f"{name}, {CUT}"}
                rows.append(common | row | recipe.shares(pieces, "all"))
                bar.update()
    bar.close()
    return pd.DataFrame(rows)
