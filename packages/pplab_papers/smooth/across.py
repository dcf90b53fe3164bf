"""Figure 3(c): similarity of copies by randomized response, from the counts that Table 2 prints.

`edge_dp` needs no data: the law of the similarity depends on entries and cells alone.
`edge_dp_copies` checks that law against full copies of adult. Esfandiari et al., Section 6 and
Appendix D, arXiv 2207.06358.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import scipy
from tqdm.auto import tqdm

from claimbook.part import Rng, mean_of_runs
from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.metrics.error import jaccard_similarity
from pplab.response.levels import epsilon_to_flip
from pplab.response.noise_graph import bipartite_noise_graph
from pplab.theory.jaccard_law import jaccard_first_term, sample_jaccard
from pplab_papers.smooth import paper
from pplab_papers.smooth.copies import errors_of_sd

EDGE_EPSILONS = tuple(np.arange(0.5, 12.01, 0.5).tolist())
COPIED = (1.0, 4.0, 8.0)  # where full copies are made, too


def edge_dp(*, rng: Rng = None, draws: int = 10_000) -> pd.DataFrame:
    """Similarities against epsilon for data sets of the sizes that Table 2 prints."""
    shapes = {name: (row[2], row[0] * row[1]) for name, row in paper.TABLE_2.items()}
    rows: list[dict[str, Any]] = []
    for name, (entries, cells) in shapes.items():
        density = entries / cells
        for epsilon in EDGE_EPSILONS:
            value = jaccard_first_term(density=density, epsilon=epsilon)
            row = {"quantity": "mean similarity", "data": name, "epsilon": epsilon}
            rows.append(row | {"value": value})
        # Algorithm 1 gives each cell of a row its share of the row's epsilon
        for level, cells_of_one in (("node level", paper.TABLE_2[name][1]), ("edge level", 1)):
            kept = jaccard_first_term(density=density, epsilon=paper.NODE_EPSILON / cells_of_one)
            more = kept - density / (1 + density)  # than fair coins
            rows.append({"quantity": level, "data": name, "value": more})
    return pd.DataFrame([*spreads(shapes, rng=rng, draws=draws), *rows])


def edge_dp_copies(adult: Dataset, *, rng: Rng = None, copies: int = 50) -> pd.DataFrame:
    """Kolmogorov-Smirnov test of drawn similarities against those of published copies."""
    generator, original = as_rng(rng), adult.biadjacency
    cells = int(original.shape[0]) * int(original.shape[1])
    rows = []
    for epsilon in tqdm(COPIED, desc="copies of adult"):
        flip = epsilon_to_flip(epsilon)
        made = [
            jaccard_similarity(
                original, bipartite_noise_graph(original, flip_probability=flip, rng=generator)
            )
            for _ in range(copies)
        ]
        sample = sample_jaccard(
            density=original.nnz / cells, cells=cells, epsilon=epsilon, size=copies, rng=generator
        )
        pvalue = float(scipy.stats.ks_2samp(made, sample).pvalue)
        rows.append({"quantity": "p-value", "epsilon": epsilon, "value": pvalue})
    return pd.DataFrame(rows)


def spreads(shapes: Mapping[str, tuple[int, int]], *, rng: Rng, draws: int) -> list[dict[str, Any]]:
    """Largest spread of a copy over the levels in per cent, and what it may be off by.

    Shapes are entries and cells by name. Its errors are of our draws, and of ten runs.
    """
    check_integer("draws", draws, minimum=10)
    generator = as_rng(rng)
    rows: list[dict[str, Any]] = []
    for name, (entries, cells) in shapes.items():
        known: dict[str, Any] = {"density": entries / cells, "cells": cells, "size": draws}
        copies = (sample_jaccard(**known, epsilon=e, rng=generator) for e in EDGE_EPSILONS)
        largest = 100 * max(mean_of_runs(sample)["sd"] for sample in copies)
        row = {"quantity": "largest sd", "data": name, "value": largest}
        rows.append(row | errors_of_sd(largest, draws))
    return rows
