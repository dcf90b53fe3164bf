"""Community labels that no longer belong to their users: does a student's audit notice?"""

from __future__ import annotations

from functools import cache
from typing import Any

import networkx as nx
import numpy as np
from scipy import sparse

from pplab.exercises.answers import call, number
from pplab.exercises.core import Refusal
from pplab.exercises.hidden_points import as_labels
from pplab.recommenders.communities import modularity

__all__ = ["circles", "not_out_of_step"]

NEAR = 1e-6
SHARE = 0.5  # a smuggled partition has less than this share of the reported modularity


@cache
def circles(seed: int) -> tuple[sparse.csr_array, np.ndarray]:
    """Circles of friends of unequal sizes, few friends between them; numbered at random."""
    rng = np.random.default_rng(seed)
    sizes = [int(size) for size in rng.integers(6, 16, size=5)]
    inside = np.full((5, 5), 0.03) + 0.57 * np.eye(5)
    graph = nx.stochastic_block_model(sizes, inside.tolist(), seed=seed)
    order = rng.permutation(sum(sizes))
    dense = nx.to_numpy_array(graph, dtype=np.int8)[np.ix_(order, order)]
    return sparse.csr_array(dense), np.repeat(np.arange(5), sizes)[order]


def not_out_of_step(answer: Any) -> str | None:
    """Try a function of (social, labels); "" when labels are mixed up and the audit says so."""
    for seed in (1, 2, 3):
        social, labels = circles(seed)
        given = call(answer, social.copy(), labels.copy())
        if not isinstance(given, (list, tuple)) or len(given) != 3:
            raise Refusal("give back three things: the mixed labels, reported, recomputed.")
        if hint := _one(social, labels, given):
            return hint
    return ""


def _one(social: sparse.csr_array, labels: np.ndarray, given: Any) -> str | None:
    mixed = as_labels(given[0], len(labels))
    reported, recomputed = number(given[1]), number(given[2])
    before = modularity(social, labels)
    if np.array_equal(np.equal.outer(mixed, mixed), np.equal.outer(labels, labels)):
        return (
            "The groups are the same people as before, so nothing is broken: other names for the "
            "clusters do no harm. Move the labels to other users."
        )
    if not np.array_equal(np.sort(np.bincount(mixed)), np.sort(np.bincount(labels))):
        return "The sizes of the clusters changed, so a look at a table of sizes would notice."
    after = modularity(social, mixed)
    if abs(recomputed - before) < NEAR:
        return "You kept the reported value: recompute the modularity of the mixed labels on G."
    if abs(reported - before) > NEAR:
        return "The reported modularity is that of the labels as they came: compute it first."
    if abs(recomputed - after) > NEAR:
        return "The third number is not the modularity of your mixed labels on the graph."
    if after > SHARE * before:
        return "Your labels are hardly out of step; mix all users."
    return ""
