"""What k-anonymous ratings of MovieLens give away all the same."""

from __future__ import annotations

import pandas as pd
from tqdm.auto import tqdm

from pplab.attacks.homogeneity import homogeneous_cells, revealed_by_mean
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, listed, statement_rows
from pplab.experiments.microaggregation import paper
from pplab.microaggregation.microaggregate import microaggregate
from pplab.tables import as_table

__all__ = ["homogeneity"]


def homogeneity(movielens: Dataset) -> pd.DataFrame:
    """Count the ratings that group means give away, and check k on the published table.

    Parameters
    ----------
    movielens : Dataset
        All ratings.

    Returns
    -------
    DataFrame
        Two statements (statement, value, witness) and a row per k: k_achieved, revealed (true
        ratings that a mean at an end of the scale gives away), homogeneous (per cent of the
        ratings whose group's raters all agree).
    """
    scale = paper.MOVIELENS_SCALE
    truth = as_table(movielens.ratings, rating_range=scale)
    rows = []
    for k in tqdm(paper.K_LABELS, desc="homogeneity"):
        release = microaggregate(movielens.ratings, k, rating_range=scale)
        shown = revealed_by_mean(release.protected, rating_range=scale).revealed
        alike = homogeneous_cells(movielens.ratings, labels=release.labels, rating_range=scale)
        rows.append(
            {
                "k": k,
                "k_achieved": release.k_achieved,
                "revealed": int((shown == truth).sum()),
                "homogeneous": 100 * alike.share,
            }
        )
    table = pd.DataFrame(rows)
    found = {
        "section-4:attribute-disclosure:movielens": _nothing_revealed(table),
        "section-5:k-anonymous:movielens": _anonymous(table),
    }
    return pd.concat([statement_rows(found), table], ignore_index=True)


def _nothing_revealed(table: pd.DataFrame) -> Finding:
    told = listed(f"{row.revealed:,} at k = {row.k}" for row in table.itertuples())
    return bool((table["revealed"] == 0).all()), f"Ratings given away by a mean: {told}."


def _anonymous(table: pd.DataFrame) -> Finding:
    short = table[table["k_achieved"] < table["k"]]
    slack = (table["k_achieved"] - table["k"]).max()
    if len(short):
        return False, f"Fewer than k rows are equal at k = {listed(str(k) for k in short['k'])}."
    return True, f"The smallest class of equal rows has k to k + {slack} members at every k."
