"""Figure 4: the cluster framework against noise on utilities and edges, LRM, GS and chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.runs import mean_of_runs
from pplab.experiments.social import paper
from pplab.experiments.social.degrees import ndcg_per_user
from pplab.experiments.social.graphs import Graphs, graphs_of
from pplab.metrics.ranking import ndcg
from pplab.recommenders.communities import communities
from pplab.recommenders.group_smooth import best_group_size, group_smooth_utilities
from pplab.recommenders.low_rank import Decomposition, decompose, low_rank_utilities
from pplab.recommenders.recommend import recommend
from pplab.recommenders.similarity import similarity
from pplab.recommenders.top_items import top_items
from pplab.recommenders.utilities import utilities

__all__ = ["figure_4", "rival_ndcg"]

LEVELS = (1.0, 0.1)
METHODS = ("random", "nou", "noe", "lrm", "gs", "cluster")
GAMMA = {"cn": 10.0, "aa": 10.0, "gd": 10.0, "katz": 1.0}
QUERIES = (473, 946, 1892)  # a quarter, a half and all of the users


def figure_4(
    lastfm: Dataset, *, rng: int | np.random.Generator | None = None, runs: int = 2
) -> pd.DataFrame:
    """NDCG@50 of all methods on Last.fm, and the error of LRM as the queries grow.

    Parameters
    ----------
    lastfm : Dataset
    rng : int, Generator or None
        Seed or generator.
    runs : int, default 2
        Draws of noise behind each mean, at least 2; the paper has 10.

    Returns
    -------
    DataFrame
        Statements (statement, value, witness), means (measure, method, epsilon, value, se, sd)
        and the error of LRM (queries, value: mean squared error per answer at epsilon 1).
    """
    check_integer("runs", runs, minimum=2)
    graphs = graphs_of(lastfm)
    streams = as_rng(rng).spawn(3)
    labels = communities(graphs.social, rng=streams[0])
    table = rival_ndcg(graphs, labels, METHODS, rng=streams[1], runs=runs)
    errors = _errors_of_lrm(graphs)
    start = _lrm_from_svd(graphs, rng=streams[2], runs=runs)
    found = _findings(table, start) | {"figure-4:lrm-worsens": _worsens(errors)}
    return pd.concat([statement_rows(found), table, start, errors], ignore_index=True)


def rival_ndcg(
    graphs: Graphs,
    labels: np.ndarray,
    methods: tuple[str, ...],
    *,
    rng: int | np.random.Generator | None = None,
    runs: int = 2,
    users: int | None = None,
) -> pd.DataFrame:
    """Mean NDCG@50 of each method and measure.

    Parameters
    ----------
    graphs : Graphs
    labels : int array, shape (users,)
        Partition for the cluster framework.
    methods : tuple of str
        Of METHODS.
    rng : int, Generator or None
        Seed or generator.
    runs : int, default 2
        Draws of noise, at least 2.
    users : int, optional
        How many users get lists, drawn at random; everybody when left out.

    Returns
    -------
    DataFrame
        Columns measure, method, epsilon, value, se, sd.
    """
    generator = as_rng(rng)
    seeds = generator.integers(2**31, size=(len(LEVELS), runs))
    everyone = graphs.social.shape[0]
    asked = np.arange(everyone)
    if users is not None and users < everyone:
        asked = np.sort(generator.choice(everyone, size=users, replace=False))
    choice = int(generator.integers(2**31))
    rows: list[dict[str, Any]] = []
    bar = tqdm(total=len(paper.MEASURES) * len(methods) * seeds.size, desc="methods")
    for measure in paper.MEASURES:
        truth = utilities(graphs.social, graphs.preferences, measure=measure, users=asked)
        work = _Workload(graphs, measure, asked, "lrm" in methods, choice)
        for method in methods:
            for epsilon, mine in zip(LEVELS, seeds, strict=True):
                drawn = []
                for seed in mine.tolist():
                    if method == "cluster":
                        values = ndcg_per_user(
                            graphs,
                            labels,
                            measure=measure,
                            epsilon=epsilon,
                            users=asked,
                            rng=seed,
                        )
                    else:
                        items = work.items(method, epsilon, seed)
                        values = ndcg(truth, items, top_n=paper.TOP)
                    drawn.append(float(np.nanmean(values)))
                    bar.update()
                row = {"measure": measure, "method": method, "epsilon": epsilon}
                rows.append(row | mean_of_runs(drawn))
    bar.close()
    return pd.DataFrame(rows)


class _Workload:
    """One measure: what is public is computed once."""

    def __init__(
        self, graphs: Graphs, measure: str, users: np.ndarray, low_rank: bool, choice: int
    ) -> None:
        self.graphs, self.measure, self.users = graphs, measure, users
        self.parts: Decomposition | None = None
        self.group_sizes: dict[float, int] = {}
        self.choice = choice
        if low_rank:  # LRM and GS answer for everybody
            self.similarity = similarity(graphs.social, measure=measure)
            self.parts = decompose(self.similarity, gamma=GAMMA[measure])

    def items(self, method: str, epsilon: float, seed: int) -> np.ndarray:
        likes = self.graphs.preferences
        if method == "lrm":
            assert self.parts is not None
            estimated = low_rank_utilities(self.parts, likes, epsilon=epsilon, rng=seed)
            return top_items(estimated, paper.TOP)[0]
        if method == "gs":  # the paper's choice of the group size, which is not private
            if epsilon not in self.group_sizes:  # chosen once, with noise that no run has
                self.group_sizes[epsilon], _ = best_group_size(
                    self.similarity, likes, epsilon=epsilon, top_n=paper.TOP, rng=self.choice
                )
            size = self.group_sizes[epsilon]
            estimated = group_smooth_utilities(
                self.similarity, likes, epsilon=epsilon, group_size=size, rng=seed
            )
            return top_items(estimated, paper.TOP)[0]
        return recommend(
            self.graphs.social,
            likes,
            epsilon=epsilon,
            measure=self.measure,
            top_n=paper.TOP,
            method=method,
            users=self.users,
            rng=seed,
        ).items


def _lrm_from_svd(graphs: Graphs, *, rng: np.random.Generator, runs: int) -> pd.DataFrame:
    """LRM for CN at epsilon 1 when its search starts where its authors start it."""
    workload = similarity(graphs.social, measure="cn")
    truth = utilities(graphs.social, graphs.preferences, measure="cn")
    parts = decompose(workload, gamma=GAMMA["cn"], start="svd")
    drawn = []
    for seed in rng.integers(2**31, size=runs).tolist():
        estimated = low_rank_utilities(parts, graphs.preferences, epsilon=1.0, rng=seed)
        values = ndcg(truth, top_items(estimated, paper.TOP)[0], top_n=paper.TOP)
        drawn.append(float(np.nanmean(values)))
    row = {"measure": "cn", "method": "lrm, start by svd", "epsilon": 1.0}
    return pd.DataFrame([row | mean_of_runs(drawn)])


def _errors_of_lrm(graphs: Graphs) -> pd.DataFrame:
    """Expected squared error per answer at epsilon 1 for more and more queries."""
    workload = similarity(graphs.social, measure="cn")
    rows = []
    for queries in QUERIES:
        parts = decompose(workload[:queries], gamma=GAMMA["cn"])
        noise = 2 * parts.sensitivity**2 * float(np.square(parts.left).sum())
        rows.append({"queries": queries, "quantity": "lrm error", "value": noise / queries})
    return pd.DataFrame(rows)


def _worsens(errors: pd.DataFrame) -> Finding:
    value = errors["value"].to_numpy()
    told = ", ".join(f"{v:.4g} with {q:,}" for q, v in zip(errors["queries"], value, strict=True))
    return bool((np.diff(value) > 0).all()), f"Mean squared noise per answer: {told} queries."


def _findings(table: pd.DataFrame, start: pd.DataFrame) -> dict[str, Finding]:
    value = table.set_index(["measure", "method", "epsilon"])["value"].to_dict()

    def gaps(better: str, worse: str, epsilon: float) -> dict[str, float]:
        return {m: value[m, better, epsilon] - value[m, worse, epsilon] for m in paper.MEASURES}

    def told(epsilon: float) -> str:
        rows = (
            f"{m}: {', '.join(f'{name} {value[m, name, epsilon]:.3f}' for name in METHODS)}"
            for m in paper.MEASURES
        )
        return f"NDCG@{paper.TOP} at epsilon {epsilon:g}. {'; '.join(rows)}."

    found: dict[str, Finding] = {}
    for name, epsilon in (("1", 1.0), ("0.1", 0.1)):
        close = all(gap <= 0.02 for gap in gaps("nou", "random", epsilon).values())
        found[f"figure-4:nou-random:eps={name}"] = (close, told(epsilon))
    for measure, gap in gaps("noe", "nou", 1.0).items():
        found[f"figure-4:noe-better:eps=1:{measure}"] = (gap >= 0.1, told(1.0))
    poor = all(gap <= 0.05 for gap in gaps("noe", "nou", 0.1).values())
    found["figure-4:noe-poor:eps=0.1"] = (poor, told(0.1))
    for method in ("lrm", "gs"):
        above = all(gap > 0 for gap in gaps(method, "nou", 1.0).values())
        below = all(gap > 0 for gap in gaps("noe", method, 1.0).values())
        found[f"figure-4:{method}-between:eps=1"] = (above and below, told(1.0))
    words = (
        "The search for LRM's factors starts at the columns of the workload; started at its "
        f"singular vectors it reaches {start['value'].iloc[0]:.3f} for cn."
    )
    lrm, witness = found["figure-4:lrm-between:eps=1"]
    found["figure-4:lrm-between:eps=1"] = (lrm, f"{witness} {words}")
    best = all(
        gap > 0
        for epsilon in LEVELS
        for method in METHODS[1:-1]
        for gap in gaps("cluster", method, epsilon).values()
    )
    found["figure-4:cluster-best"] = (best, f"{told(1.0)} {told(0.1)}")
    return found
