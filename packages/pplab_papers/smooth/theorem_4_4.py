"""Theorem 4.4: what suppression loses on a block model, what blocks keep, and where it bites.

`separation_of_blocks` puts the theorem's bound on k-anonymity by suppression beside what a majority
vote inside the blocks keeps; `largest_k_anonymous_subgraph` finds the most edges that suppression
can keep on small graphs; `separation` decides the theorem and measures the blocks. Esfandiari,
Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Section 4 and Appendix B.3,
arXiv 2207.06358.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np
import pandas as pd
import scipy

from claimbook.part import Finding, Rng, against, decided, mean_of_runs
from pplab.checks import check_choice, check_integer, check_probability
from pplab.datasets.blocks import block_model
from pplab.graphs import GraphLike
from pplab.smooth.optimum import best_grouping, majority_counts, small_rows
from pplab_papers.smooth import paper
from pplab_papers.smooth.cases import Checked, checked

# Edges that a majority vote inside the blocks of a block model keeps, creates and removes.


@dataclass(frozen=True)
class BlockVotes:
    """Edges of a block model clustered by its blocks, on average over draws.

    Attributes
    ----------
    edges, kept, created, removed : float
        Means; ``edges = kept + removed``.
    """

    edges: float
    kept: float
    created: float
    removed: float

    @property
    def jaccard(self) -> float:
        """Similarity of the mean counts, kept / (edges + created); of a draw for large graphs."""
        return self.kept / (self.edges + self.created) if self.edges else 1.0


def block_clustering(
    *, nodes: int, block_size: int, inside: float, outside: float = 0.0, form: str = "exact"
) -> BlockVotes:
    """Give the mean counts of clustering by blocks.

    As printed: ``alpha n = q s n`` edges stay, ``(s - alpha) n`` are created and
    ``beta n = p (n - s) n`` go. That supposes that every item inside has a majority and none
    outside has, thus q > 1/2 and p < 1/2 and large blocks. Exactly, an item has
    Binomial(s, q) of the s users of its block, and Binomial(s, p) of those of another: it is
    published where these are at least half.

    Section 4, the paragraph after Theorem 4.4.

    Examples
    --------
    >>> found = block_clustering(nodes=1024, block_size=64, inside=0.8, outside=0.01)
    >>> [round(100 * part / found.edges, 1) for part in (found.removed, found.created)]
    [15.8, 21.1]
    >>> options = {"nodes": 1024, "block_size": 64, "inside": 0.4}
    >>> round(block_clustering(**options, form="printed").kept / 1024, 1)
    25.6
    >>> round(block_clustering(**options).kept / 1024, 1)  # no majority
    2.2
    """
    n, s = nodes, check_integer("block_size", block_size, minimum=1, maximum=nodes)
    q, p = check_probability("inside", inside), check_probability("outside", outside)
    if check_choice("form", form, ("exact", "printed")) == "printed":
        kept, created, removed = q * s, s - q * s, p * (n - s)
        return BlockVotes(n * (kept + removed), n * kept, n * created, n * removed)
    near, far = _per_cell(s, float(q)), _per_cell(s, float(p))
    kept, created = (n * (s * a + (n - s) * b) for a, b in zip(near, far, strict=True))
    edges = float(n * (q * s + p * (n - s)))
    return BlockVotes(edges, float(kept), float(created), max(0.0, edges - float(kept)))


def _per_cell(size: int, probability: float) -> tuple[float, float]:
    """Mean kept and created edges per cell of a block where ones have this probability."""
    least = (size + 1) // 2  # at least half
    have = np.arange(least, size + 1)
    law = scipy.stats.binom.pmf(have, size, probability)
    return float((law * have).sum() / size), float((law * (size - have)).sum() / size)


def least_k(*, nodes: int, inside: float) -> float:
    """Least k for which Theorem 4.4 says anything: ``2 ln n / ln(1/q)``.

    Examples
    --------
    >>> round(least_k(nodes=1024, inside=0.8), 1)
    62.1
    """
    return _over_log(2 * math.log(nodes), inside)


def suppression_bound(*, nodes: int, inside: float) -> float:
    """Most edges of any k-anonymous subgraph by Theorem 4.4: ``n (2 ln n + 10) / ln(1/q)``.

    It holds in 99 % of the draws, for k from `least_k` on. Above n * n it says nothing at all.

    Examples
    --------
    >>> round(suppression_bound(nodes=1024, inside=0.8) / 1024)
    107
    """
    return nodes * _over_log(2 * math.log(nodes) + 10, inside)


def _over_log(numerator: float, inside: float) -> float:
    if inside == 0:
        return 0.0
    return numerator / -math.log(inside) if inside < 1 else math.inf


@dataclass(frozen=True)
class Separation:
    """Theorem 4.4 held against clustering by blocks, for one block model.

    Attributes
    ----------
    least_k, bound : float
        As in `least_k` and `suppression_bound` (edges, not edges per row).
    degree : float
        Mean degree of the graph, ``q s + p (n - s)``.
    jaccard : float
        Jaccard similarity of clustering by blocks.
    suppression_jaccard : float
        Largest similarity of a k-anonymous subgraph that the bound leaves open, at most 1.
    """

    least_k: float
    bound: float
    degree: float
    jaccard: float
    suppression_jaccard: float


def separation_of_blocks(
    *, nodes: int, block_size: int, inside: float, outside: float = 0.0
) -> Separation:
    """Hold the bound of Theorem 4.4 against clustering by blocks.

    The theorem needs edges to be no likelier outside the blocks than inside; the larger
    probability is used for the bound, so that it holds for any two. Averages are exact for the
    block size given, whether or not it divides n (where not, they are those of a row in a
    block of this size).

    Theorem 4.4 and the paragraph after it.

    Parameters
    ----------
    nodes, block_size : int
        n and s, with 1 <= s <= n.
    inside, outside : float
        q and p, in [0, 1].

    Returns
    -------
    Separation

    Examples
    --------
    >>> found = separation_of_blocks(nodes=1024, block_size=256, inside=0.8)
    >>> round(found.jaccard, 3), round(found.suppression_jaccard, 3)
    (0.8, 0.522)
    """
    blocks = block_clustering(nodes=nodes, block_size=block_size, inside=inside, outside=outside)
    likelier = max(inside, outside)
    bound = suppression_bound(nodes=nodes, inside=likelier)
    return Separation(
        least_k=least_k(nodes=nodes, inside=likelier),
        bound=bound,
        degree=blocks.edges / nodes,
        jaccard=blocks.jaccard,
        suppression_jaccard=min(1.0, bound / blocks.edges) if blocks.edges else 1.0,
    )


# The most edges that k-anonymity by suppression can keep, on small graphs.


def largest_k_anonymous_subgraph(biadjacency: GraphLike, k: int) -> int:
    """Most edges of a k-anonymous subgraph, over all groupings.

    In a subgraph the users with equal rows form classes of at least k, and each class can keep
    no more than the intersection of its rows: the largest subgraph is the partition with the
    largest sum of (members of a group) x (items they share), found by dynamic programming over
    subsets. The empty subgraph counts too: all users in one group that shares nothing.

    Definition 3.4 and Theorem 4.4.

    Examples
    --------
    >>> largest_k_anonymous_subgraph([[1, 1, 0], [0, 1, 1], [1, 1, 0], [0, 0, 1]], 2)
    6
    """
    table = small_rows(biadjacency, k)
    rows = len(table)
    shared = np.ones((1 << rows, table.shape[1]), dtype=bool)
    for group in range(1, 1 << rows):
        shared[group] = shared[group & (group - 1)] & table[(group & -group).bit_length() - 1]
    sizes = np.array([group.bit_count() for group in range(1 << rows)])
    return best_grouping((sizes * shared.sum(axis=1)).tolist(), rows, k)[0]


# Theorem 4.4 by the union bound of its proof, and what clustering by blocks keeps.


SIZES = (8, 64, 1_024, 10_000, 1_000_000)  # n
INSIDE = (0.05, 0.2, 0.5, 0.8, 0.95, 0.99)  # q
TIMES = (1, 2, 10)  # k as a multiple of the least one
ALLOWED = 0.01
NODES = 1_024
OWN: dict[str, Any] = {"nodes": NODES, "block_size": 64, "inside": 0.8, "outside": 0.01}
WITHOUT_MAJORITY: dict[str, Any] = {"nodes": NODES, "block_size": 64, "inside": 0.4}
BITING: dict[str, Any] = {"nodes": NODES, "block_size": 256, "inside": 0.8}


def separation(*, rng: Rng, draws: int = 200) -> pd.DataFrame:
    """Decide Theorem 4.4 and measure what clustering by blocks keeps.

    Theorem 4.4 and Appendix B.3.
    """
    apart = separation_of_blocks(**BITING)
    rows = [
        *_blocks(np.random.default_rng(rng), draws),
        *(
            {"q": 0.4, "form": form, "value": block_clustering(**WITHOUT_MAJORITY, form=form).kept}
            for form in ("exact", "printed")
        ),
        *_instances(),
        *_growing(),
        {"s": 256, "copies": "blocks", "value": apart.jaccard},
        {"s": 256, "copies": "suppression", "value": apart.suppression_jaccard},
    ]
    statements = decided(theorem_4_4, sets_counted)
    return pd.concat([statements, pd.DataFrame(rows)], ignore_index=True)


def theorem_4_4() -> Finding:
    """The chance of k users who share more items than the bound allows is at most 0.01.

    Proof, for all n, q and k >= 2 ln n / L with L = ln(1/q). A k-anonymous subgraph of more than
    n (2 ln n + 10) / L edges has a user with t > (2 ln n + 10) / L items; the k users of its class
    share them. Edges are independent and no likelier than q each, so there are such k users and t
    items with probability at most C(n, k) C(n, t) q^(kt) <= exp(k ln n + t ln n - k t L). Half of
    k t L is at least t ln n, as k L >= 2 ln n; the other half is more than k ln n + 5k. What is
    left is less than e^(-5k) < 0.007.

    Checked: the first step on all graphs of 4 x 3 cells, up to the order of their rows; the second
    in exact binomials.
    """
    kept = _reduction()

    def rare(share: float) -> tuple[bool, str]:
        chances = []
        for n, q, times in product(SIZES, INSIDE, TIMES):
            k = max(2, math.ceil(times * least_k(nodes=n, inside=q)))
            shared = math.floor(share * suppression_bound(nodes=n, inside=q) / n) + 1
            if k <= n and shared <= n:  # else there are no such sets
                chances.append(_log_sets(n, k) + _log_sets(n, shared) + k * shared * math.log(q))
        return kept.holds and max(chances) <= math.log(ALLOWED), (
            f"At most e^{max(chances):.1f} in {len(chances)} settings of n, q and k; in "
            f"{len(SIZES) * len(INSIDE) * len(TIMES) - len(chances)} more there are no such sets. "
            f"In {kept.cases} small cases no k-anonymous subgraph has more edges than items that k "
            f"users share, times the users; {kept.tight} have as many."
        )

    return against(rare, right=1, wrong=0.1)


def _reduction() -> Checked:
    """Edges of the largest k-anonymous subgraph; users, times the items that some k of them share.

    All graphs of 4 x 3 cells, up to the order of their rows, and each k.
    """
    users, items = 4, 3
    rows = product((0, 1), repeat=items)
    cases = product(combinations_with_replacement(rows, users), range(2, users + 1))

    def shared(graph: Sequence[Sequence[int]], k: int) -> int:
        return max(sum(map(all, zip(*some, strict=True))) for some in combinations(graph, k))

    return checked(
        ((graph, k), largest_k_anonymous_subgraph(graph, k), users * shared(graph, k))
        for graph, k in cases
    )


def _log_sets(n: int, size: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(size + 1) - math.lgamma(n - size + 1)


def sets_counted() -> Finding:
    """C(k, n) counts the sets of k = 3 of n = 10."""
    n, k = 10, 3
    sets = len(list(combinations(range(n), k)))
    return math.comb(k, n) == sets, (
        f"It gives {math.comb(k, n)}; there are {sets} sets, and C(n, k) gives {math.comb(n, k)}."
    )


def _instances() -> Iterator[dict[str, object]]:
    """Least k, bound and degree (per row) of some block models; where blocks keep more."""
    some = {"own": OWN, "biting": BITING, "thin": OWN | {"inside": 0.1}}
    for name, model in some.items():
        apart = separation_of_blocks(**model)
        values = {"least k": apart.least_k, "bound": apart.bound / NODES, "degree": apart.degree}
        for quantity, value in values.items():
            yield {"quantity": quantity, "instance": name, "value": value}
    for size in (133, 134):
        bound = suppression_bound(nodes=NODES, inside=OWN["inside"]) / NODES
        gap = OWN["inside"] * size - bound
        yield {"quantity": "kept less bound", "instance": f"blocks of {size}", "value": gap}


def _growing() -> Iterator[dict[str, object]]:
    """The bound as n grows: over n log n, and over the edges inside blocks that grow or do not."""
    for n in (10**4, 10**6, 10**8, 10**10, 10**12):
        bound = suppression_bound(nodes=n, inside=OWN["inside"]) / n
        yield {"quantity": "bound over n log n", "n": n, "value": bound / math.log(n)}
        for alpha, size in (("growing", n**0.5), ("constant", OWN["block_size"])):
            row = {"quantity": "fraction left", "alpha": alpha, "n": n}
            yield row | {"value": bound / (OWN["inside"] * size)}


def _blocks(generator: np.random.Generator, draws: int) -> list[dict[str, object]]:
    """Edges kept, created and removed per draw of the paper's model, clustered by blocks."""
    measured = []
    for _ in range(draws):
        draw = block_model(**paper.BLOCK_MODEL, rng=generator)
        kept, created = majority_counts(draw.biadjacency, np.asarray(draw.labels))
        measured.append((kept, created, draw.biadjacency.nnz - kept))
    names = ("kept", "created", "removed")
    return [
        {"counts": name, **mean_of_runs(counts)}
        for name, counts in zip(names, zip(*measured, strict=True), strict=True)
    ]
