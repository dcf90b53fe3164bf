"""Sensitivity of the utilities and rank of the workload on Last.fm."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, listed, statement_rows
from pplab.experiments.social import paper
from pplab.experiments.social.graphs import graphs_of
from pplab.recommenders.clusters import error_parts
from pplab.recommenders.similarity import similarity

__all__ = ["lastfm_sensitivity", "workload_rank"]

NEAR = 0.1


def lastfm_sensitivity(lastfm: Dataset) -> pd.DataFrame:
    """Say who attains the sensitivity, and how loose the printed error of NOE is.

    Parameters
    ----------
    lastfm : Dataset

    Returns
    -------
    DataFrame
        Statements (statement, value, witness) and a row per measure (measure, sensitivity,
        degree of the user who attains it).
    """
    graphs = graphs_of(lastfm)
    social = graphs.social
    degrees = np.diff(social.indptr)
    rows = []
    for measure in paper.MEASURES:
        sums = np.asarray(similarity(social, measure=measure).sum(axis=0)).ravel()
        rows.append(
            {
                "measure": measure,
                "sensitivity": float(sums.max()),
                "degree": int(degrees[sums.argmax()]),
                "at_highest_degree": float(sums[degrees.argmax()]),
            }
        )
    table = pd.DataFrame(rows)
    together = np.zeros(len(degrees), dtype=np.int64)  # noise on edges knows no clusters
    parts = error_parts(social, graphs.preferences, together, measure="cn", epsilon=1.0)
    ratio = parts.edges_printed[parts.edges > 0] / parts.edges[parts.edges > 0]
    found = {
        "section-5:nou-highest-degree": _highest(table, int(degrees.max())),
        "section-5:noe-printed-loose": (
            bool(abs(np.median(ratio) - 1) <= NEAR),
            f"The printed error is {np.median(ratio):.1f} times the true one for the median user.",
        ),
    }
    return pd.concat([statement_rows(found), table], ignore_index=True)


def workload_rank(lastfm: Dataset) -> pd.DataFrame:
    """Rank of the similarity matrices, with and without their diagonals.

    Parameters
    ----------
    lastfm : Dataset

    Returns
    -------
    DataFrame
        Columns quantity ("rank" with a measure, or "mean rank"), reading and value.
    """
    social = graphs_of(lastfm).social
    ranks = {
        (measure, own): int(
            np.linalg.matrix_rank(
                similarity(social, measure=measure, self_similarity=own).toarray(), hermitian=True
            )
        )
        for measure in paper.MEASURES
        for own in (False, True)
    }
    rows = [
        {"quantity": "rank", "measure": measure, "own": own, "value": rank}
        for (measure, own), rank in ranks.items()
    ]
    readings = {
        "without self-similarity": dict.fromkeys(paper.MEASURES, False),
        "with self-similarity": dict.fromkeys(paper.MEASURES, True),
        "with self-similarity except KZ": {m: m != "katz" for m in paper.MEASURES},
    }
    for reading, own in readings.items():
        mean = np.mean([ranks[item] for item in own.items()])
        rows.append({"quantity": "mean rank", "reading": reading, "value": float(mean)})
    return pd.DataFrame(rows)


def _highest(table: pd.DataFrame, highest: int) -> Finding:
    told = listed(
        f"{row.measure} at degree {row.degree} ({row.sensitivity:.4g}; {row.at_highest_degree:.4g} "
        f"at the highest)"
        for row in table.itertuples()
    )
    return bool((table["sensitivity"] <= table["at_highest_degree"]).all()), (
        f"The highest degree is {highest}; the largest column sums stand with {told}."
    )
