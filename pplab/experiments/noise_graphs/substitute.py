"""Table 4, Figure 3 and the k half of Table 5, by a substitute for the k-anonymity used there.

The paper compares with HAKR, which it does not describe. Here groups of users (by MDAV on who rated
what, by number of ratings, at random) share the union of their films with the group's mean ratings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.experiments.noise_graphs.figure2 import figure2
from pplab.graphs import as_biadjacency
from pplab.metrics.risk import k_achieved, sensitive_attribute_imprecision
from pplab.microaggregation.mdav import mdav
from pplab.smooth.groups import degree_groups, pool_groups, random_groups

__all__ = ["mean_risks", "substitute"]

Rows = list[dict[str, Any]]
GROUP_SIZES = (2, 3, 4, 5, 6)


def substitute(
    train: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    runs: int = 5,
    group_sizes: Sequence[int] = GROUP_SIZES,
) -> pd.DataFrame:
    """Edges, risk and imprecision of a k-anonymous release, under three ways to make groups.

    Parameters
    ----------
    train : Dataset
        Ratings from 1 to 5.
    rng : int, Generator or None
        Seed or generator, for random groups and for the noise that is compared with.
    runs : int, default 5
        Random groupings and noise graphs drawn, at least 2.
    group_sizes : sequence of int
        The k of the tables; 4 must be among them.

    Returns
    -------
    DataFrame
        Columns quantity ("noise_edges", "published_edges", "mean_risk", "imprecision",
        "k_achieved"), k, reading ("MDAV", "degree", "random"), value, se and sd (0 where nothing
        is drawn). Two more quantities, "p=0.1 equals k=4" and "risk falls with k", hold 1 or 0
        for the MDAV groups, with the numbers as witness.
    """
    check_integer("runs", runs, minimum=2)
    generator = as_rng(rng)
    rows: Rows = []
    for k in tqdm(group_sizes, desc="group sizes"):
        for reading, groupings in _groupings(train.ratings, k, runs, generator):
            rows += _summary(train.ratings, k, reading, groupings)
    table = pd.DataFrame(rows)
    risks = mean_risks(table)
    noise = figure2(train, rng=generator, runs=runs, flip_probabilities=[0.1])
    drawn = noise[noise["reading"] == "drawn noise edges"]["value"].item()
    return pd.concat([table, _statements(risks, drawn)], ignore_index=True)


def mean_risks(table: pd.DataFrame) -> dict[int, float]:
    """Mean SA_R of the MDAV groups by k, smallest k first."""
    rows = table[(table["quantity"] == "mean_risk") & (table["reading"] == "MDAV")]
    return dict(sorted(zip(rows["k"], rows["value"], strict=True)))


def _groupings(
    ratings: sparse.csr_array, k: int, runs: int, rng: np.random.Generator
) -> Iterator[tuple[str, list[np.ndarray]]]:
    yield "MDAV", [mdav(as_biadjacency(ratings), k, leftover="group")]
    yield "degree", [degree_groups(ratings, k)]
    yield "random", [random_groups(ratings, k, rng=child) for child in rng.spawn(runs)]


def _summary(ratings: sparse.csr_array, k: int, reading: str, groupings: list[np.ndarray]) -> Rows:
    """Mean and spread of each quantity over the groupings."""
    measured = pd.DataFrame([_measure(ratings, labels) for labels in groupings])
    rows = []
    for quantity, values in measured.items():
        sd = float(values.std(ddof=1)) if len(values) > 1 else 0.0
        row = {"quantity": quantity, "k": int(k), "reading": reading, "value": values.mean()}
        rows.append(row | {"se": sd / np.sqrt(len(values)), "sd": sd})
    return rows


def _measure(ratings: sparse.csr_array, labels: np.ndarray) -> dict[str, float]:
    published = pool_groups(ratings, labels)
    true, all_edges = np.diff(ratings.indptr), np.diff(published.indptr)
    return {
        "noise_edges": float(published.nnz - ratings.nnz),
        "published_edges": float(published.nnz),
        "mean_risk": float((true / all_edges).mean()),  # g of Definition 11: the edges added
        "imprecision": sensitive_attribute_imprecision(ratings, published),
        "k_achieved": float(k_achieved(published)),
    }


def _statements(risks: dict[int, float], drawn: float) -> pd.DataFrame:
    sizes, values = list(risks), np.array(list(risks.values()))
    listed = ", ".join(f"{k}: {value:.4f}" for k, value in risks.items())
    equal = round(risks[4], 2) == round(drawn, 2)
    rows = [
        {
            "quantity": "p=0.1 equals k=4",
            "k": 4,
            "reading": "",
            "value": float(equal),
            "witness": f"mean SA_R {risks[4]:.4f} at k = 4, {drawn:.4f} at p = 0.1",
        },
        {
            "quantity": "risk falls with k",
            "k": sizes[-1],
            "reading": "",
            "value": float((np.diff(values) < 0).all()),
            "witness": f"mean SA_R by k: {listed}",
        },
    ]
    return pd.DataFrame(rows)
