"""Theorem 5.5 is false as printed: merging clusters in an unlucky order leaves nothing.

`merging_counterexample` has a copy with similarity 20/21, of which nothing is left.
Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Section 5,
arXiv 2207.06358.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy import sparse

from pplab.papers.part import Finding
from pplab.papers.smooth.theorem_5_4 import FAR, LI, A, alg2_factor
from pplab.smooth.algorithms import ALG2_STEPS, alg2_steps
from pplab.smooth.optimum import majority_jaccard

MERGE_STEP = "merge clusters below k"


@dataclass(frozen=True)
class MergingInstance:
    """Three groups of three pairs of users, on which merging decides between 0.952 and 0.

    Attributes
    ----------
    biadjacency : csr_array, shape (18, 69)
        20 items that all of a group have, and one that only a pair has.
    k : int
        6.
    a : Fraction
        0.004: no cluster is below a k, so that step 4 of Alg2 has nothing to remove.
    pairs, groups, crossed : int64 arrays, shape (18,)
        Clusters of 2 as facility location makes them, one group per cluster, and clusters of one
        pair of each group: the last two are both merges of the first, to size k.
    """

    biadjacency: sparse.csr_array
    k: int
    a: Fraction
    pairs: np.ndarray
    groups: np.ndarray
    crossed: np.ndarray

    @property
    def grouped_jaccard(self) -> Fraction:
        """Similarity when pairs of one group are merged."""
        return majority_jaccard(self.biadjacency, self.groups)

    @property
    def crossed_jaccard(self) -> Fraction:
        """Similarity when one pair of each group is merged: no item has a majority."""
        return majority_jaccard(self.biadjacency, self.crossed)

    def opening_costs(self) -> np.ndarray:
        """Give the cost of a facility at each user, ``2a/(1-a)`` x distances to the k nearest.

        The user counts as the nearest of them, at distance 0, as in step 2 of Alg2.
        """
        table = self.biadjacency.toarray().astype(np.int64)
        away = np.sort((table[:, None, :] != table[None, :, :]).sum(axis=2), axis=1)
        return float(2 * self.a / (1 - self.a)) * away[:, : self.k].sum(axis=1)


def merging_counterexample() -> MergingInstance:
    """Build the instance on which Alg2 as printed can end with nothing.

    Two users of a pair are equal, and a pair lies at distance 2 from the others of its group, at
    42 from everybody else. A facility costs 8 * 2a/(1-a) = 0.064, less than the 4
    that a pair would pay for going elsewhere: facility location, solved exactly, opens one
    facility for each of the nine pairs. Step 5 may merge them in any order. If it takes one pair
    of each group, each item is had by at most a third of the cluster and the majority row is
    empty. Definition 3.5 allows no other row there, so no other choice of centres would help. The
    proof takes the majority row for the best centre in the sense of Jaccard; it is the best one
    in Hamming distance only. With more than 20 items shared by a group the best similarity is as
    near 1 as one likes, and the worst one still 0.

    Returns
    -------
    MergingInstance

    Examples
    --------
    >>> found = merging_counterexample()
    >>> found.grouped_jaccard, found.crossed_jaccard
    (Fraction(20, 21), Fraction(0, 1))
    """
    common = 20  # items that a group shares
    users = np.arange(18)
    pairs, groups = users // 2, users // 6
    table = np.zeros((18, 3 * common + 9), dtype=np.int8)
    for user in users:
        table[user, groups[user] * common + np.arange(common)] = 1
        table[user, 3 * common + pairs[user]] = 1
    return MergingInstance(
        biadjacency=sparse.csr_array(table),
        k=6,
        a=Fraction("0.004"),
        pairs=pairs,
        groups=groups,
        crossed=pairs % 3,
    )


def theorem_5_5() -> Finding:
    """Whatever order of merging step 5 takes, the promised similarity is reached."""
    made = merging_counterexample()
    steps = alg2_steps(made.biadjacency, made.k, a=made.a, merging="near", facility="exact")
    allowed = (
        np.array_equal(steps.thinned, made.pairs)  # steps 1 to 4 leave the pairs
        and (np.bincount(made.crossed) == made.k).all()  # each cluster reaches size k, no more
        and made.grouped_jaccard >= FAR
    )
    factor = alg2_factor(made.grouped_jaccard, a=A, approximation=LI)
    return not allowed or made.crossed_jaccard >= factor, (
        f"Steps 1 to 4, exact, leave nine pairs; merged by groups they have a similarity of "
        f"{float(made.grouped_jaccard):.3f}, merged across groups {float(made.crossed_jaccard):g}, "
        f"where more than {float(factor):.1e} is promised."
    )


def merging_is_line_3() -> Finding:
    """The step of Alg2 that merges is the third."""
    step = ALG2_STEPS.index(MERGE_STEP) + 1
    return step == 3, f"Step 3 is to {ALG2_STEPS[2]}; to {MERGE_STEP} is step {step}."
