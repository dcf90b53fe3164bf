"""Figures 1 and 2: NDCG against the level, for two networks, and what is said of them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np
import pandas as pd

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, listed, statement_rows
from pplab.experiments.runs import mean_of_runs
from pplab.experiments.social import paper
from pplab.experiments.social.curves import ndcg_by_level
from pplab.experiments.social.graphs import Graphs, graphs_of
from pplab.recommenders.communities import communities

__all__ = ["figure_1", "figure_2", "partitions", "summary"]

LOWEST = 0.01  # the level of the number that the paper prints for the larger network
READINGS = {"without self-similarity": False, "with self-similarity": True}


def figure_1(
    lastfm: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    repetitions: int = paper.REPETITIONS,
) -> pd.DataFrame:
    """NDCG of the cluster framework on Last.fm.

    Parameters
    ----------
    lastfm : Dataset
    rng : int, Generator or None
        Seed or generator.
    repetitions : int, default 10
        Partitions and draws of noise, at least 2.

    Returns
    -------
    DataFrame
        Printed quantities (quantity, epsilon, reading, value, se, sd), statements (statement,
        value, witness) and every mean (measure, epsilon, top_n, reading, value, se, sd).
    """
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(lastfm)
    streams = as_rng(rng).spawn(2)
    labels = partitions(graphs, repetitions, streams[0])
    seed = int(streams[1].integers(2**31))
    draws = {
        reading: ndcg_by_level(graphs, labels, self_similarity=own, rng=seed)
        for reading, own in READINGS.items()
    }
    tables = {reading: summary(table) for reading, table in draws.items()}
    plain = tables["without self-similarity"]
    found: dict[str, Finding] = {}
    for measure in paper.MEASURES:
        found |= _about_one_measure(plain, draws["without self-similarity"], measure)
    found["figure-1:N-strongest-at-small-epsilon"] = _list_length_matters_most(plain)
    printed = [
        row | {"reading": reading}
        for reading, table in tables.items()
        for row in _printed_rows(table)
    ]
    every = [table.reset_index().assign(reading=reading) for reading, table in tables.items()]
    return pd.concat([statement_rows(found), pd.DataFrame(printed), *every], ignore_index=True)


def figure_2(
    flixster: Dataset,
    lastfm: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    repetitions: int = paper.REPETITIONS,
) -> pd.DataFrame:
    """NDCG of the cluster framework on the larger network, for a sample of its users.

    Parameters
    ----------
    flixster, lastfm : Dataset
        The larger network, and the smaller one for comparison.
    rng : int, Generator or None
        Seed or generator.
    repetitions : int, default 10
        Draws of noise, at least 2; one partition serves them all.

    Returns
    -------
    DataFrame
        As for Figure 1.
    """
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(flixster)
    streams = as_rng(rng).spawn(4)
    partition = communities(graphs.social, backend="leiden", rng=streams[0])
    everyone = graphs.social.shape[0]
    count = min(paper.SAMPLED_USERS, everyone)
    users = np.sort(streams[1].choice(everyone, size=count, replace=False))
    seed = int(streams[2].integers(2**31))
    common: dict[str, Any] = {"users": users, "rng": seed}
    plain = summary(ndcg_by_level(graphs, [partition] * repetitions, **common))
    # the other reading asks for the level and the length of the one printed number only
    own = ndcg_by_level(
        graphs,
        [partition] * repetitions,
        epsilons=(LOWEST,),
        lists=(paper.TOP,),
        self_similarity=True,
        **common,
    )
    tables = dict(zip(READINGS, (plain, summary(own)), strict=True))
    small = graphs_of(lastfm)
    lesser = summary(
        ndcg_by_level(
            small, partitions(small, 2, streams[3]), epsilons=(0.1,), lists=(paper.TOP,), rng=seed
        )
    )
    printed = [
        _extreme(table, LOWEST, "lowest NDCG", lowest=True) | {"reading": reading}
        for reading, table in tables.items()
    ]
    every = [table.reset_index().assign(reading=reading) for reading, table in tables.items()]
    found = _about_the_larger_network(plain, lesser)
    return pd.concat([statement_rows(found), pd.DataFrame(printed), *every], ignore_index=True)


def partitions(graphs: Graphs, count: int, rng: np.random.Generator) -> list[np.ndarray]:
    """As many partitions, each the best of ten node orders."""
    return [communities(graphs.social, rng=stream) for stream in rng.spawn(count)]


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Mean over repetitions with its standard error and the spread of one repetition."""
    keys = ["measure", "epsilon", "top_n"]
    rows = {key: mean_of_runs(group["ndcg"]) for key, group in table.groupby(keys, sort=False)}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(keys).sort_index()


def _at(table: pd.DataFrame, measure: str, epsilon: float, top_n: int = paper.TOP) -> pd.Series:
    return table.loc[(measure, epsilon, top_n)]


def _printed_rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    loss = [
        _extreme(table, inf, "smallest loss", lowest=False),
        _extreme(table, inf, "largest loss", lowest=True),
    ]
    for row in loss:
        row["value"] = 1 - row["value"]
    return [
        *loss,
        _extreme(table, 0.1, "lowest NDCG", lowest=True),
        _extreme(table, 0.1, "highest NDCG", lowest=False),
    ]


def _extreme(table: pd.DataFrame, epsilon: float, quantity: str, *, lowest: bool) -> dict[str, Any]:
    rows = [_at(table, measure, epsilon) for measure in paper.MEASURES]
    row = (min if lowest else max)(rows, key=lambda row: row["value"])
    return {"quantity": quantity, "epsilon": epsilon} | row.to_dict()


def _about_one_measure(
    table: pd.DataFrame, draws: pd.DataFrame, measure: str
) -> dict[str, Finding]:
    value = {epsilon: _at(table, measure, epsilon)["value"] for epsilon in paper.EPSILONS}
    told = ", ".join(f"{v:.3f} at {epsilon:g}" for epsilon, v in value.items())
    witness = f"NDCG@{paper.TOP}: {told}."
    poor = value[0.1] - value[0.05] >= 0.1 and value[0.01] < 0.4
    runs = draws[draws["measure"] == measure].pivot_table(
        index="repetition", columns=["epsilon", "top_n"], values="ndcg"
    )
    falls = _never_rises([runs[epsilon, paper.TOP] for epsilon in paper.EPSILONS])
    with_length = {
        epsilon: _never_rises([runs[epsilon, top_n] for top_n in paper.LISTS])
        for epsilon in paper.EPSILONS
    }
    told = "; ".join(
        f"{', '.join(f'{runs[epsilon, n].mean():.3f}' for n in paper.LISTS)} at {epsilon:g}"
        f"{'' if fits else ', where it rises'}"
        for epsilon, fits in with_length.items()
    )
    return {
        f"figure-1:little-effect:{measure}": (value[inf] - value[0.6] <= 0.05, witness),
        f"figure-1:poor-below:{measure}": (poor, witness),
        f"figure-1:falls-with-epsilon:{measure}": (falls, witness),
        f"figure-1:falls-with-N:{measure}": (
            all(with_length.values()),
            f"For N = {listed(str(n) for n in paper.LISTS)}: {told}.",
        ),
    }


def _never_rises(columns: Sequence[pd.Series]) -> bool:
    """No value is above the one before it by more than three standard errors of their difference.

    All columns share partitions and noise, so that differences are taken within a repetition.
    """
    gaps = [mean_of_runs(after - before) for before, after in itertools.pairwise(columns)]
    return all(gap["value"] <= 3 * gap["se"] for gap in gaps)


def _gap(table: pd.DataFrame, measure: str, epsilon: float) -> float:
    first, last = (
        _at(table, measure, epsilon, n)["value"] for n in (min(paper.LISTS), max(paper.LISTS))
    )
    return float(first - last)


def _list_length_matters_most(table: pd.DataFrame) -> Finding:
    gaps = {m: (_gap(table, m, 0.1), _gap(table, m, inf)) for m in paper.MEASURES}
    told = ", ".join(f"{m}: {small:.3f} and {none:.3f}" for m, (small, none) in gaps.items())
    return all(small > none for small, none in gaps.values()), (
        f"NDCG@10 minus NDCG@100 at epsilon 0.1 and without noise: {told}."
    )


def _about_the_larger_network(table: pd.DataFrame, lesser: pd.DataFrame) -> dict[str, Finding]:
    value = {
        measure: {epsilon: _at(table, measure, epsilon)["value"] for epsilon in paper.EPSILONS}
        for measure in paper.MEASURES
    }
    found: dict[str, Finding] = {}
    for measure, at in value.items():
        told = ", ".join(f"{v:.3f} at {epsilon:g}" for epsilon, v in at.items())
        witness = f"NDCG@{paper.TOP}: {told}."
        found |= {
            f"figure-2:loss-at-inf:{measure}": (1 - at[inf] < 0.1, witness),
            f"figure-2:little-change:{measure}": (at[inf] - at[0.05] <= 0.05, witness),
            f"figure-2:at-least-0.79:{measure}": (at[0.01] >= 0.79, witness),
        }
    gaps = {(m, e): _gap(table, m, e) for m in paper.MEASURES for e in paper.EPSILONS}
    told = "NDCG@10 minus NDCG@100: " + "; ".join(
        f"{m} {', '.join(f'{gaps[m, e]:+.3f} at {e:g}' for e in paper.EPSILONS)}"
        for m in paper.MEASURES
    )
    quiet = [e for e in paper.EPSILONS if e >= 0.05]
    hurts = all(gaps[m, e] <= 0.01 for m in paper.MEASURES for e in quiet)
    found["figure-2:larger-N-does-not-hurt"] = (
        hurts and all(gaps[m, 0.01] > 0 for m in paper.MEASURES),
        f"{told}.",
    )
    found["figure-2:larger-N-helps"] = (
        all(gaps[m, e] < 0 for m in paper.MEASURES for e in (inf, 1.0, 0.6)),
        f"{told}.",
    )
    falls = {m: (at[0.05] - at[0.01], at[inf] - at[0.05]) for m, at in value.items()}
    told = ", ".join(f"{m}: {late:.3f} and {early:.3f}" for m, (late, early) in falls.items())
    found["figure-2:sharp-fall"] = (
        all(late > early for late, early in falls.values()),
        f"Falls from 0.05 to 0.01 and from no noise to 0.05: {told}.",
    )
    losses = {m: (1 - value[m][0.1], 1 - _at(lesser, m, 0.1)["value"]) for m in paper.MEASURES}
    told = ", ".join(f"{m}: {large:.3f} and {small:.3f}" for m, (large, small) in losses.items())
    found["figure-2:better-than-lastfm"] = (
        all(large < small for large, small in losses.values()),
        f"Losses at epsilon 0.1, here and on Last.fm: {told}.",
    )
    return found
