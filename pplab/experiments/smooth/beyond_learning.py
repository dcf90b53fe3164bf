"""Beyond the paper: whether the similarity that greedy copies add is worth anything to a learner.

The task of Figures 4 and 7: one hidden layer of ten units learns from anonymous features and is
tested on original ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer, check_k
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.runs import mean_of_runs
from pplab.experiments.smooth.learning import accuracy_of
from pplab.smooth.anonymize import SmoothAnonymized, smooth_k_anonymize

__all__ = ["K_LEARNING", "beyond_learning", "learning_findings"]

K_LEARNING = (8, 32, 128)
SURE = 3  # standard errors of a difference
Copy = Callable[[Any, int, int], SmoothAnonymized]  # features, k and a seed -> copy


def beyond_learning(
    adult: Dataset,
    adult_test: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    runs: int = 10,
    ks: Sequence[int] = K_LEARNING,
    effort: str = "fast",
    greedy: Copy | None = None,
) -> pd.DataFrame:
    """Learn from copies by the greedy method and by the paper's recipe, and from the original.

    Each run draws its own copy and its own weights; both methods get the same seeds.

    Parameters
    ----------
    adult, adult_test : Dataset
        Training and test part with the same columns.
    rng : int, Generator or None
        Seed or generator.
    runs : int, default 10
        Runs behind each mean, at least 2.
    ks : sequence of int
        Group sizes.
    effort : {"fast", "thorough"}
        Of the greedy method.
    greedy : callable, optional
        Takes features, k and a seed, gives the copy; `smooth_k_anonymize` when left out.

    Returns
    -------
    DataFrame
        Statements; rows of quantity "accuracy" and "jaccard" with columns method ("greedy",
        "recipe", "none"), k (none for the last) and value, se, sd in per cent.

    Raises
    ------
    TypeError, ValueError
        If runs or a k leaves its interval.
    """
    check_integer("runs", runs, minimum=2)
    for k in ks:
        check_k(k, adult.biadjacency.shape[0])

    def ours(features: Any, k: int, seed: int) -> SmoothAnonymized:
        return smooth_k_anonymize(features, k, method="greedy", effort=effort, rng=seed)

    methods = {"greedy": greedy or ours, "recipe": _recipe}
    generator = as_rng(rng)
    pairs = {k: generator.integers(2**31, size=(runs, 2)).tolist() for k in (None, *ks)}
    bar = tqdm(total=runs * (1 + len(methods) * len(ks)), desc="learning")
    plain = []
    for _, for_weights in pairs[None]:
        plain.append(accuracy_of(adult.biadjacency, adult, adult_test, for_weights))
        bar.update()
    rows: list[dict[str, Any]] = [
        {"quantity": "accuracy", "method": "none", "k": None} | mean_of_runs(plain)
    ]
    for k in ks:
        for method, make in methods.items():
            shares: dict[str, list[float]] = {"accuracy": [], "jaccard": []}
            for for_copy, for_weights in pairs[k]:
                copy = make(adult.biadjacency, k, for_copy)
                shares["jaccard"].append(100 * copy.jaccard)
                learned = accuracy_of(copy.biadjacency, adult, adult_test, for_weights)
                shares["accuracy"].append(learned)
                bar.update()
            for quantity, values in shares.items():
                row = {"quantity": quantity, "method": method, "k": k}
                rows.append(row | mean_of_runs(values))
    bar.close()
    table = pd.DataFrame(rows)
    return pd.concat([statement_rows(learning_findings(table)), table], ignore_index=True)


def _recipe(features: Any, k: int, seed: int) -> SmoothAnonymized:
    return smooth_k_anonymize(features, k, method="paper", rng=seed)


def learning_findings(table: pd.DataFrame) -> dict[str, Finding]:
    """Whether accuracy rises, and whether it at least does not fall, at each k.

    Parameters
    ----------
    table : DataFrame
        Columns quantity, method, k, value and se, in per cent.

    Returns
    -------
    dict of str to Finding
    """
    cells = table.set_index(["quantity", "method", "k"]).sort_index()
    found: dict[str, Finding] = {}
    for k in table["k"].dropna().astype(int).unique():
        ours, theirs = (cells.loc[("accuracy", method, k)] for method in ("greedy", "recipe"))
        kept = [cells.loc[("jaccard", method, k), "value"] for method in ("greedy", "recipe")]
        gap = float(ours["value"] - theirs["value"])
        reach = SURE * float(np.hypot(ours["se"], theirs["se"]))
        told = (
            f"Accuracy {ours['value']:.2f} % against {theirs['value']:.2f} % at similarities of "
            f"{kept[0]:.1f} and {kept[1]:.1f} %: a difference of {gap:+.2f} points, of which "
            f"{reach:.2f} may be chance."
        )
        found[f"beyond:learning-gains:k={k}"] = (gap > reach, told)
        found[f"beyond:learning-not-worse:k={k}"] = (gap >= -reach, told)
    return found
