"""Theorem 5.5 is false as printed: merging clusters in an unlucky order leaves nothing.

`merging_counterexample` has a copy with similarity 20/21, of which nothing is left, at the a of
the proof; `crowds_counterexample` does the same at a = 1/2.
Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Section 5,
arXiv 2207.06358.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
from scipy import sparse

from claimbook.part import Finding
from pplab.smooth.algorithms import ALG2_STEPS, alg2_steps, merge_near
from pplab.smooth.optimum import majority_jaccard
from pplab_papers.smooth.theorem_5_4 import FAR, LI, A, alg2_factor

MERGE_STEP = "merge clusters below k"


@dataclass(frozen=True)
class MergingInstance:
    """Groups of smaller clusters of users, on which merging decides between nearly 1 and 0.

    Attributes
    ----------
    biadjacency : csr_array, shape (users, items)
        Items that a group shares, and items of one cluster.
    k : int
        No cluster has so many users.
    a : Fraction
        No cluster is below a k, so that step 4 of Alg2 has nothing to remove.
    clusters, groups, crossed : int64 arrays, shape (users,)
        Clusters as facility location makes them, one group per cluster, and one cluster of each
        group: the last two are both merges of the first, to at least k users and below 2k.
    """

    biadjacency: sparse.csr_array
    k: int
    a: Fraction
    clusters: np.ndarray
    groups: np.ndarray
    crossed: np.ndarray

    @property
    def grouped_jaccard(self) -> Fraction:
        """Similarity when clusters of one group are merged."""
        return majority_jaccard(self.biadjacency, self.groups)

    @property
    def crossed_jaccard(self) -> Fraction:
        """Similarity when one cluster of each group is merged: no item has a majority."""
        return majority_jaccard(self.biadjacency, self.crossed)

    def opening_costs(self) -> np.ndarray:
        """Give the cost of a facility at each user, ``2a/(1-a)`` x distances to the k nearest.

        The user counts as the nearest of them, at distance 0, as in step 2 of Alg2.
        """
        table = self.biadjacency.toarray().astype(np.int64)
        away = np.sort((table[:, None, :] != table[None, :, :]).sum(axis=2), axis=1)
        return float(2 * self.a / (1 - self.a)) * away[:, : self.k].sum(axis=1)


def merging_counterexample() -> MergingInstance:
    """Build the instance on which Alg2 as printed can end with nothing, at the a of the proof.

    Three groups of three pairs. Two users of a pair are equal, and a pair lies at distance 2 from
    the others of its group, at 42 from everybody else. A facility costs 8 * 2a/(1-a) = 0.064, less
    than the 4 that a pair would pay for going elsewhere: facility location, solved exactly, opens
    one facility for each of the nine pairs. Step 5 may merge them in any order. If it takes one
    pair of each group, each item is had by at most a third of the cluster and the majority row is
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
        clusters=pairs,
        groups=groups,
        crossed=pairs % 3,
    )


def crowds_counterexample() -> MergingInstance:
    """Build an instance for a = 1/2: two groups of two crowds of 24.

    A group shares 24 items and a crowd has six of its own; each user lacks one of either. Where
    crowds of two groups are merged, fewer than half have any item.

    Returns
    -------
    MergingInstance

    Examples
    --------
    >>> found = crowds_counterexample()
    >>> found.k, found.grouped_jaccard, found.crossed_jaccard
    (25, Fraction(23, 29), Fraction(0, 1))
    """
    common, private = 24, 6
    users = np.arange(4 * common)
    crowds, groups = users // common, users // (2 * common)
    table = np.zeros((len(users), 2 * common + 4 * private), dtype=np.int8)
    for user in users:
        shared, own = groups[user] * common, 2 * common + crowds[user] * private
        table[user, shared + np.arange(common)] = table[user, own + np.arange(private)] = 1
        table[user, [shared + user % common, own + user % private]] = 0
    return MergingInstance(
        biadjacency=sparse.csr_array(table),
        k=common + 1,
        a=Fraction(1, 2),
        clusters=crowds,
        groups=groups,
        crossed=crowds % 2,
    )


def theorem_5_5() -> Finding:
    """Whatever order of merging step 5 takes, a constant share of the best similarity is kept."""
    ends, reached = [], []
    for made in (merging_counterexample(), crowds_counterexample()):
        steps = alg2_steps(made.biadjacency, made.k, a=made.a, merging="near", facility="exact")
        sizes = np.bincount(made.crossed)
        allowed = (
            np.array_equal(steps.thinned, made.clusters)  # steps 1 to 4 leave the clusters
            and (np.bincount(made.clusters) < made.k).all()  # so each has to be merged
            and (made.k <= sizes).all()
            and (sizes < 2 * made.k).all()
            and made.grouped_jaccard >= FAR
        )
        reached.append(not allowed or made.crossed_jaccard > 0)
        ends.append(
            f"At a = {float(made.a):g} steps 1 to 4, exact, leave {len(set(made.clusters))} "
            f"clusters; merged by groups they have a similarity of "
            f"{float(made.grouped_jaccard):.3f}, across groups {float(made.crossed_jaccard):g}."
        )
    least = alg2_factor(merging_counterexample().grouped_jaccard, a=A, approximation=LI)
    told = f"The first is promised more than {float(least):.1e}, any a of O(1) more than 0."
    return any(reached), " ".join([*ends, told])


def polynomial_time() -> Finding:
    """Each merge of step 5 leaves a small cluster less, so that it ends after n of them at most.

    Proof for n rows and m columns. Distances take O(n^2 m); prices sort each row of them, O(n^2
    log n). Step 3 of Alg2 and the clusters of Alg1 are algorithms of other papers, polynomial as
    cited. Each round of step 4 closes a facility and opens none: at most n rounds of O(n^2). Each
    merge of step 5 makes one cluster of two, or two of at least k (footnote 3), of which one was
    below k: at most n merges, each of O(n^2). Large clusters are cut, and the vote counts, in
    O(nm).

    Checked: the merge, with our code, for all sizes of two clusters up to 3k, with all k up to 8.
    """
    fewer = cases = wrong = 0
    for k in range(2, 9):
        for small, other, a in product(range(1, k), range(1, 3 * k + 1), (A, Fraction(1, 2))):
            users = np.arange(small + other)
            parts, away = np.split(users, [small]), np.zeros((len(users), len(users)), dtype=int)
            after = [len(cluster) for cluster in merge_near(parts, k, a=a, away=away)]
            before = 1 + (other < k)
            cases += 1
            fewer += sum(size < k for size in after) < before and sum(after) == len(users)
            half = (len(users) + 1) // 2  # cut in two whatever k is
            wrong += sum(size < k for size in (half, len(users) - half)) < before
    told = f"In {fewer} of {cases} cases fewer clusters are below k; cut in two halves, in {wrong}."
    return fewer == cases, told, wrong == cases


def merging_is_line_3() -> Finding:
    """The step of Alg2 that merges is the third."""
    step = ALG2_STEPS.index(MERGE_STEP) + 1
    return step == 3, f"Step 3 is to {ALG2_STEPS[2]}; to {MERGE_STEP} is step {step}."
