"""Small graphs whose best smooth k-anonymous copy is known, and Alg2 on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from pplab.experiments.smooth.constants import A
from pplab.smooth.algorithms import Alg2Steps, alg2_steps
from pplab.smooth.optimum import majority_jaccard, smooth_optimum

__all__ = ["Instance", "Run", "instances_with_optimum", "members_of", "runs_of_alg2"]

SHARES = (A, Fraction(1, 2))  # the theorem's a, and the one that Appendix D runs


@dataclass(frozen=True)
class Instance:
    """A small graph and the similarity of its best smooth k-anonymous copy."""

    graph: np.ndarray
    k: int
    best: Fraction


@dataclass(frozen=True)
class Run:
    """Alg2 on one instance."""

    instance: Instance
    a: Fraction
    steps: Alg2Steps

    @property
    def jaccard(self) -> Fraction:
        """Similarity after the vote."""
        return majority_jaccard(self.instance.graph, self.steps.merged)


def instances_with_optimum(generator: np.random.Generator, count: int) -> Iterator[Instance]:
    """Noisy copies of a few rows, so that some have a good copy; every fourth is noise alone."""
    made = 0
    while made < count:
        users, items = int(generator.integers(6, 10)), int(generator.integers(4, 11))
        k = int(generator.integers(2, 5))
        rows = generator.random((max(1, users // k), items)) < 0.5
        graph = rows[generator.integers(0, len(rows), users)]
        noise = 0.5 if made % 4 == 3 else float(generator.choice([0.03, 0.1, 0.2]))
        graph = (graph ^ (generator.random(graph.shape) < noise)).astype(np.int8)
        if graph.any():
            made += 1
            yield Instance(graph, k, smooth_optimum(graph, k).jaccard)


def runs_of_alg2(
    small: list[Instance], merging: str, facility: str, generator: np.random.Generator
) -> Iterator[Run]:
    """Run Alg2 on every instance, with each share."""
    for instance in small:
        for a in SHARES:
            steps = alg2_steps(
                instance.graph,
                instance.k,
                a=a,
                merging=merging,
                facility=facility,
                rng=generator,
            )
            yield Run(instance, a, steps)


def members_of(labels: np.ndarray) -> list[np.ndarray]:
    """Users of each group."""
    return [np.flatnonzero(labels == group) for group in range(int(labels.max()) + 1)]
