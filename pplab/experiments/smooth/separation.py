"""Theorem 4.4: where it bites, its proof, and what clustering by blocks keeps."""

from __future__ import annotations

from itertools import combinations
from math import ceil, log
from typing import Any

import numpy as np
import pandas as pd

from pplab.datasets.blocks import block_model
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.runs import mean_of_runs
from pplab.experiments.smooth import paper
from pplab.experiments.smooth.suppression_draws import ALLOWED, no_draw_exceeds
from pplab.smooth.optimum import majority_counts
from pplab.theory.block_votes import block_clustering
from pplab.theory.separation import least_biting_block, least_k
from pplab.theory.separation import separation as held_against_blocks
from pplab.theory.separation_proof import proof_factors

__all__ = ["separation"]

NODES, SIZE = 1_024, 64
OWN: dict[str, Any] = {"nodes": NODES, "block_size": SIZE, "inside": 0.8, "outside": 0.01}
WITHOUT_MAJORITY: dict[str, Any] = {"nodes": NODES, "block_size": SIZE, "inside": 0.4}
BITING: dict[str, Any] = {"nodes": NODES, "block_size": 256, "inside": 0.8}


def separation(
    *,
    rng: int | np.random.Generator | None,
    draws: int = 200,
    block_draws: int = 20,
) -> pd.DataFrame:
    """Decide Theorem 4.4, where it bites, and what clustering by blocks keeps.

    Parameters
    ----------
    rng : int, Generator or None
    draws : int
        Draws of each setting, small (all groupings searched) or larger (searched without proof).
    block_draws : int
        Draws of the paper's block model that are clustered by blocks.

    Returns
    -------
    DataFrame
        Statements with value and witness, and the average degree.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.4 and Appendix B.3, arXiv 2207.06358.
    """
    generator = np.random.default_rng(rng)
    found = {"theorem-4.4:statement": no_draw_exceeds(generator, draws)}
    found |= {**_own_instance(), **_proof(), **_blocks(generator, block_draws)}
    found |= {
        "theorem-4.4:bites": _bites(),
        "theorem-4.4:separation-any-q": _any_q(generator),
        "section-4:separation": _separation(),
    }
    degree = held_against_blocks(**OWN, k=paper.K_TABLE).degree
    rows = [{"quantity": "average degree", "value": degree}]
    return pd.concat([statement_rows(found), pd.DataFrame(rows)], ignore_index=True)


def _own_instance() -> dict[str, Finding]:
    found = held_against_blocks(**OWN, k=paper.K_TABLE)
    bound = found.bound / NODES
    words = f"The bound allows {bound:.1f} edges per node, the data have {found.degree:.1f}"
    return {
        "theorem-4.4:own-instance": (
            found.says_something,
            f"{words}; and it needs k >= {found.least_k:.1f}.",
        ),
        "theorem-4.4:own-instance-any-k": (bound < found.degree, f"{words}."),
    }


def _bites() -> Finding:
    least = least_biting_block(nodes=NODES, inside=0.8)
    if least is None:
        return False, f"At no block size up to {NODES:,}."
    k = ceil(least_k(nodes=NODES, inside=0.8))
    one, below = (
        held_against_blocks(nodes=NODES, block_size=size, inside=0.8, k=k)
        for size in (least, least - 1)
    )
    return True, (
        f"From s = {least} on, with k = {k}: bound {one.bound / NODES:.1f} edges per node, kept "
        f"{one.kept / NODES:.1f}; at s = {least - 1} {below.kept / NODES:.1f} are kept."
    )


def _any_q(generator: np.random.Generator) -> Finding:
    printed = block_clustering(**WITHOUT_MAJORITY, form="printed").kept / NODES
    exact = block_clustering(**WITHOUT_MAJORITY).kept / NODES
    draw = block_model(
        block_size=SIZE,
        blocks=NODES // SIZE,
        inside=WITHOUT_MAJORITY["inside"],
        outside=0.0,
        rng=generator,
    )
    kept = _voted(draw)[0] / NODES
    return kept > 0.9 * printed, (
        f"With q = 0.4 one draw keeps {kept:.1f} edges per node, {exact:.1f} are expected and "
        f"{printed:.1f} are claimed: an item has rarely a majority."
    )


def _voted(draw: Dataset) -> tuple[int, int]:
    """Edges that the blocks' majorities keep and create."""
    assert draw.labels is not None
    return majority_counts(draw.biadjacency, draw.labels)


def _proof() -> dict[str, Finding]:
    factors = proof_factors(nodes=NODES, k=paper.K_TABLE)
    few = proof_factors(nodes=10, k=3)
    sets = len(list(combinations(range(10), 3)))
    return {
        "theorem-4.4:proof-exp": (
            factors.printed_log < log(ALLOWED),
            f"At k = {paper.K_TABLE}, exp(5k) is e^{factors.printed_log:g}; exp(-5k) is meant.",
        ),
        "theorem-4.4:proof-binomial": (
            few.printed_sets == sets,
            f"For n = 10 and k = 3 it gives {few.printed_sets}; there are {sets} sets, "
            f"and C(n, k) gives {few.meant_sets}.",
        ),
    }


def _blocks(generator: np.random.Generator, draws: int) -> dict[str, Finding]:
    """Edges kept, created and removed per draw of the paper's model, clustered by blocks."""
    measured = []
    for _ in range(draws):
        draw = block_model(**paper.BLOCK_MODEL, rng=generator)
        kept, created = _voted(draw)
        measured.append((kept, created, draw.biadjacency.nnz - kept))
    printed = block_clustering(**OWN, form="printed")
    found = {}
    for place, name in enumerate(("kept", "created", "removed")):
        mean = mean_of_runs([counts[place] for counts in measured])
        wanted = float(getattr(printed, name))
        found[f"theorem-4.4:blocks:{name}"] = (
            abs(mean["value"] - wanted) <= 3 * mean["se"],
            f"{mean['value']:,.0f} on average over {draws} draws (standard error "
            f"{mean['se']:.0f}), {wanted:,.0f} by the formula.",
        )
    return found


def _separation() -> Finding:
    k = ceil(least_k(nodes=NODES, inside=BITING["inside"]))
    found = held_against_blocks(**BITING, k=k)
    return found.bites_in_jaccard, (
        f"With k = {k} blocks have a similarity of {found.jaccard:.3f}, suppression of at most "
        f"{found.suppression_jaccard:.3f} with probability 0.99."
    )
