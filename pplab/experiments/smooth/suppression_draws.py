"""Theorem 4.4 on draws of the block model, exact where all groupings can be searched."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
from scipy import stats

from pplab.datasets.blocks import block_model
from pplab.experiments.finding import Finding
from pplab.theory.largest_subgraph import best_suppression, largest_k_anonymous_subgraph
from pplab.theory.separation import least_k, suppression_bound

__all__ = ["ALLOWED", "Tried", "no_draw_exceeds"]

# blocks, block size and q, with p = 0; k is the least that the theorem allows, but 2 at least
EXACT = ((1, 8, 0.05), (1, 8, 0.12), (2, 4, 0.12), (1, 8, 0.35), (1, 6, 0.1), (2, 3, 0.3))
SEARCHED = ((1, 64, 0.3), (1, 64, 0.5), (2, 64, 0.5), (1, 128, 0.5), (1, 256, 0.7))
STARTS = 2
ALLOWED, SURE = 0.01, 1e-3  # share of draws that may exceed the bound; chance of a false alarm


@dataclass(frozen=True)
class Tried:
    """Draws of one setting against the bound."""

    edges: list[int]
    bound: float
    nodes: int

    @property
    def exceeded(self) -> int:
        return sum(edges > self.bound for edges in self.edges)

    @property
    def refutes(self) -> bool:
        test = stats.binomtest(self.exceeded, len(self.edges), ALLOWED, alternative="greater")
        return bool(test.pvalue < SURE)


def _tried(
    setting: tuple[int, int, float], generator: np.random.Generator, draws: int, *, exact: bool
) -> Tried:
    """Edges of the largest k-anonymous subgraph of each draw, or of the largest one found."""
    blocks, size, inside = setting
    nodes = blocks * size
    k = max(2, ceil(least_k(nodes=nodes, inside=inside)))
    edges = []
    for _ in range(draws):
        draw = block_model(
            block_size=size, blocks=blocks, inside=inside, outside=0.0, rng=generator
        )
        graph = draw.biadjacency
        if exact:
            kept = largest_k_anonymous_subgraph(graph, k)
        else:
            kept = best_suppression(graph, k, labels=draw.labels, starts=STARTS, rng=generator)
        edges.append(kept.edges)
    bound = suppression_bound(nodes=nodes, inside=inside)
    return Tried(edges, bound, nodes)


def no_draw_exceeds(generator: np.random.Generator, draws: int) -> Finding:
    """Whether in no setting significantly more draws than the theorem allows exceed its bound."""
    tried = [_tried(setting, generator, draws, exact=True) for setting in EXACT]
    tried += [_tried(setting, generator, draws, exact=False) for setting in SEARCHED]
    refuted = any(one.refutes for one in tried)
    telling = sum(one.bound < one.nodes**2 for one in tried)
    exceeded = sum(one.exceeded for one in tried)
    most = max(max(one.edges) / one.bound for one in tried)
    return not refuted, (
        f"{exceeded} draws exceed it, of {draws} of each of {len(EXACT)} settings with n up to 8, "
        f"searched exactly, and of {len(SEARCHED)} with n from 64 to 256, by the best suppression "
        f"found; at most {most:.2f} of the bound is kept. The bound is below all cells in "
        f"{telling} settings."
    )
