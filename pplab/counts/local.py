"""Triangles in the local model: nobody but a person sees that person's friends."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import as_rng, check_integer, check_positive
from pplab.graphs import GraphLike, as_adjacency, by_value, check_public_frame, rows_of_entries
from pplab.response.levels import epsilon_to_flip
from pplab.response.noise_graph import NoiseGraph


@dataclass(frozen=True, kw_only=True)
class LocalTriangles:
    """The number of triangles from two rounds of answers, without a trusted curator.

    Round 1: each person i publishes flipped answers about the pairs with persons j < i. Round 2:
    each person counts, among pairs of the own friends j < k < i, those that look joined in what is
    published, subtracts what flips are expected to give, and publishes that with Laplace noise.

    Parameters
    ----------
    epsilon_lists, epsilon_counts : float
        Levels of the two rounds, in (0, inf).
    theta : int
        From 2: how many friends j < i a person counts with, the first ones in the public order.

    Attributes
    ----------
    unit : str
        ``"edge"``.
    epsilon : float
        Sum of the two levels.
    delta : float
        0.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval; when sampling, if the data are no graph.

    Notes
    -----
    The edge between j < i is answered about by person i only, once in each round, so the levels
    add up (the second round may look at the first). *Second round:* let K be the friends that
    count, N the published graph, p the flip. The count is the sum over pairs j, k in K of
    ``N[j, k] - p``. One friend more adds at most theta - 1 terms, each between -p and 1 - p. Where
    K was full, another one leaves: terms ``N[j, k] - N[l, k]`` for theta - 1 others k, each between
    -1 and 1. Sensitivity: **theta - 1**.

    Each term has mean ``(1 - 2p)`` times the truth, so the sum over all persons divided by
    ``1 - 2p`` is unbiased where nobody has more than theta such friends.

    References
    ----------
    Imola, Murakami and Chaudhuri 2021, Locally Differentially Private Analysis of Graph
    Statistics, 30th USENIX Security Symposium, arXiv 2010.08688.

    Examples
    --------
    >>> complete = np.ones((9, 9)) - np.eye(9)
    >>> loud = LocalTriangles(epsilon_lists=20, epsilon_counts=1e6, theta=8)
    >>> round(loud.sample(complete, rng=1), 2)
    84.0
    """

    epsilon_lists: float
    epsilon_counts: float
    theta: int
    unit: str = field(default="edge", init=False)
    delta: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        check_positive("epsilon_lists", self.epsilon_lists)
        check_positive("epsilon_counts", self.epsilon_counts)
        check_integer("theta", self.theta, minimum=2)

    @property
    def epsilon(self) -> float:
        """Level of one edge."""
        return float(self.epsilon_lists) + float(self.epsilon_counts)

    def sample(self, data: GraphLike, *, rng: int | np.random.Generator | None = None) -> float:
        """Draw one estimate of the number of triangles."""
        check_public_frame("adjacency", data)
        graph = as_adjacency(by_value(data, bipartite=False, name="adjacency"))
        lists, counts = as_rng(rng).spawn(2)
        flip = epsilon_to_flip(self.epsilon_lists)
        published = NoiseGraph(flip).sample(graph, rng=lists)
        answers = self.answers(graph, published, flip=flip)
        scale = (self.theta - 1) / float(self.epsilon_counts)
        return float((answers + counts.laplace(0.0, scale, len(answers))).sum() / (1 - 2 * flip))

    def answers(self, graph: Any, published: Any, *, flip: float) -> np.ndarray:
        """Give what each person would publish in round 2 without noise."""
        kept = sparse.csr_array(sparse.tril(graph, k=-1, format="csr"))
        place = np.arange(kept.nnz) - np.repeat(kept.indptr[:-1], np.diff(kept.indptr))
        rows = rows_of_entries(kept)[place < self.theta]
        columns = kept.indices[place < self.theta]
        ones = np.ones(len(rows), dtype=np.int64)
        kept = sparse.csr_array((ones, (rows, columns)), shape=graph.shape)
        seen = kept.multiply(kept @ published.astype(np.int64)).sum(axis=1) / 2
        friends = kept.sum(axis=1)
        return np.asarray(seen - flip * friends * (friends - 1) / 2)
