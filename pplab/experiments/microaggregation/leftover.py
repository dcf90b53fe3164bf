"""Does the changed rule for the last records always do better? Counted over every k."""

from __future__ import annotations

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.microaggregation import paper
from pplab.metrics.error import within_group_sse
from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import complete, standardise

__all__ = ["leftover_gains", "leftover_jester", "leftover_movielens"]

TIE = 1e-9  # of the error: what counts as neither better nor worse


def leftover_movielens(movielens: Dataset, *, largest: int = 150) -> pd.DataFrame:
    """Compare the two leftover rules on MovieLens at every k.

    Parameters
    ----------
    movielens : Dataset
        All ratings.
    largest : int, default 150
        Last k.

    Returns
    -------
    DataFrame
        Two statements (statement, value, witness) and a row per k (k, gain: relative error saved
        by the changed rule on the rating scale).
    """
    table = complete(movielens.ratings, impute="midpoint", rating_range=paper.MOVIELENS_SCALE)
    return _judged(leftover_gains(table, largest=largest), "movielens")


def leftover_jester(jester: Dataset, *, largest: int = 150) -> pd.DataFrame:
    """Compare the two leftover rules on Jester at every k.

    Parameters
    ----------
    jester : Dataset
        As many parts of the data as there are.
    largest : int, default 150
        Last k.

    Returns
    -------
    DataFrame
        As for MovieLens.
    """
    table = complete(jester.ratings, impute="midpoint", rating_range=paper.JESTER_SCALE)
    return _judged(leftover_gains(table, largest=largest), "jester")


def leftover_gains(table: np.ndarray, *, largest: int = 150) -> pd.DataFrame:
    """Relative error that the changed rule saves, (classic - changed) / classic, at each k.

    Parameters
    ----------
    table : array, shape (users, items)
        Complete ratings; groups are made on z-scores, errors taken on the rating scale.
    largest : int, default 150
        Last k; the first is 2.

    Returns
    -------
    DataFrame
        Columns k, classic, changed (sums of squares) and gain.
    """
    scores = standardise(table).scores
    rows = []
    for k in tqdm(range(2, largest + 1), desc="leftover rules"):
        classic, changed = (
            within_group_sse(table, mdav(scores, k, leftover=rule)) for rule in ("group", "closest")
        )
        gain = (classic - changed) / classic
        rows.append({"k": k, "classic": classic, "changed": changed, "gain": gain})
    return pd.DataFrame(rows)


def _judged(gains: pd.DataFrame, data: str) -> pd.DataFrame:
    found = {
        f"section-4:leftover:{data}": _always_better(gains),
        f"section-4:leftover:large-k:{data}": _most_for_large(gains),
    }
    return pd.concat([statement_rows(found), gains], ignore_index=True)


def _always_better(gains: pd.DataFrame) -> Finding:
    wins, losses = (gains["gain"] > TIE).sum(), (gains["gain"] < -TIE).sum()
    ties = len(gains) - wins - losses
    best, worst = (gains.loc[where] for where in (gains["gain"].idxmax(), gains["gain"].idxmin()))
    return bool(wins == len(gains)), (
        f"Of {len(gains)} values of k the changed rule wins {wins}, loses {losses} and ties "
        f"{ties}; best {best['gain']:+.3%} of the error at k = {best['k']:g}, "
        f"worst {worst['gain']:+.3%} at k = {worst['k']:g}."
    )


def _most_for_large(gains: pd.DataFrame) -> Finding:
    small = gains.loc[gains["k"] <= 50, "gain"].mean()
    large = gains.loc[gains["k"] > 100, "gain"].mean()
    return bool(large > max(small, 0)), (
        f"Mean relative gain {small:+.4%} over k up to 50 and {large:+.4%} over k above 100."
    )
