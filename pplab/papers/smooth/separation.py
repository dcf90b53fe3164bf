"""Theorem 4.4: what suppression loses on a block model, what blocks keep, and where it bites.

`separation_of_blocks` puts the theorem's bound on k-anonymity by suppression beside what a majority
vote inside the blocks keeps; `largest_k_anonymous_subgraph` and `best_suppression` find the most
edges that suppression can keep, exactly on small graphs and by search on larger ones; `separation`
decides the theorem and the sentences around it. Esfandiari, Epasto, Mirrokni and Munoz Medina,
*Smooth Anonymity for Sparse Graphs*, Section 4 and Appendix B.3, arXiv 2207.06358.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import scipy
from scipy import sparse

from pplab.checks import (
    as_rng,
    check_choice,
    check_integer,
    check_k,
    check_partition,
    check_probability,
)
from pplab.datasets.blocks import block_model
from pplab.datasets.catalog import Dataset
from pplab.graphs import GraphLike, as_biadjacency
from pplab.papers.part import Finding, mean_of_runs, statement_rows
from pplab.papers.smooth import paper
from pplab.smooth.optimum import best_grouping, majority_counts, small_rows

# What a majority vote inside the blocks of a block model keeps, creates and removes.


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

    Parameters
    ----------
    nodes, block_size : int
        n and s, with 1 <= s <= n.
    inside, outside : float
        q and p, in [0, 1].
    form : {"exact", "printed"}, default "exact"

    Returns
    -------
    BlockVotes

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Section 4,
    the paragraph after Theorem 4.4, arXiv 2207.06358.

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
    n = check_integer("nodes", nodes, minimum=1)
    s = check_integer("block_size", block_size, minimum=1, maximum=n)
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

    Parameters
    ----------
    nodes : int
        n, users and as many items, at least 1.
    inside : float
        q, the larger of the two probabilities of an edge, in [0, 1].

    Returns
    -------
    float
        Infinite at q = 1.

    Raises
    ------
    TypeError, ValueError
        If n or q leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.4, arXiv 2207.06358.

    Examples
    --------
    >>> round(least_k(nodes=1024, inside=0.8), 1)
    62.1
    """
    return _over_log(2 * math.log(check_integer("nodes", nodes, minimum=1)), inside)


def suppression_bound(*, nodes: int, inside: float) -> float:
    """Most edges of any k-anonymous subgraph by Theorem 4.4: ``n (2 ln n + 10) / ln(1/q)``.

    It holds in 99 % of the draws, for k from `least_k` on. Above n * n it says nothing at all.

    Parameters
    ----------
    nodes : int
        n, users and as many items, at least 1.
    inside : float
        q, the larger of the two probabilities of an edge, in [0, 1].

    Returns
    -------
    float
        Infinite at q = 1.

    Raises
    ------
    TypeError, ValueError
        If n or q leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.4, arXiv 2207.06358.

    Examples
    --------
    >>> round(suppression_bound(nodes=1024, inside=0.8) / 1024)
    107
    """
    n = check_integer("nodes", nodes, minimum=1)
    return n * _over_log(2 * math.log(n) + 10, inside)


def _over_log(numerator: float, inside: float) -> float:
    check_probability("inside", inside)
    if inside == 0:
        return 0.0
    return numerator / -math.log(inside) if inside < 1 else math.inf


@dataclass(frozen=True)
class Separation:
    """Theorem 4.4 held against clustering by blocks, for one block model and one k.

    Attributes
    ----------
    least_k, bound : float
        As in `least_k` and `suppression_bound` (edges, not edges per row).
    degree : float
        Mean degree of the graph, ``q s + p (n - s)``.
    kept, jaccard : float
        Edges that clustering by blocks keeps on average, and its Jaccard similarity.
    suppression_jaccard : float
        Largest similarity of a k-anonymous subgraph that the bound leaves open, at most 1.
    says_something : bool
        Whether k is large enough and the bound is below the edges that the graph has.
    bites : bool
        Whether k is large enough, blocks have at least k users, and the bound is below the
        edges that clustering by blocks keeps: the theorem then separates the two notions.
    bites_in_jaccard : bool
        The same, with suppression_jaccard below jaccard in place of the counts of edges. It asks
        for more, since clustering by blocks pays for the edges that it creates.
    """

    least_k: float
    bound: float
    degree: float
    kept: float
    jaccard: float
    suppression_jaccard: float
    says_something: bool
    bites: bool
    bites_in_jaccard: bool


def separation_of_blocks(
    *, nodes: int, block_size: int, inside: float, k: int, outside: float = 0.0
) -> Separation:
    """Hold the bound of Theorem 4.4 against clustering by blocks.

    The theorem needs edges to be no likelier outside the blocks than inside; the larger
    probability is used for the bound, so that it holds for any two. Averages are exact for the
    block size given, whether or not it divides n (where not, they are those of a row in a
    block of this size).

    Parameters
    ----------
    nodes, block_size : int
        n and s, with 1 <= s <= n.
    inside, outside : float
        q and p, in [0, 1].
    k : int
        At least 2.

    Returns
    -------
    Separation

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.4 and the paragraph after it, arXiv 2207.06358.

    Examples
    --------
    >>> found = separation_of_blocks(nodes=1024, block_size=64, inside=0.8, outside=0.01, k=8)
    >>> found.says_something, round(found.degree, 1), round(found.jaccard, 3)
    (False, 60.8, 0.696)
    >>> separation_of_blocks(nodes=1024, block_size=256, inside=0.8, k=64).bites
    True
    """
    blocks = block_clustering(nodes=nodes, block_size=block_size, inside=inside, outside=outside)
    check_integer("k", k, minimum=2)
    likelier = max(inside, outside)
    least = least_k(nodes=nodes, inside=likelier)
    bound = suppression_bound(nodes=nodes, inside=likelier)
    applies = block_size >= k >= least
    share = min(1.0, bound / blocks.edges) if blocks.edges else 1.0
    return Separation(
        least_k=least,
        bound=bound,
        degree=blocks.edges / nodes,
        kept=blocks.kept,
        jaccard=blocks.jaccard,
        suppression_jaccard=share,
        says_something=bool(k >= least and bound < blocks.edges),
        bites=bool(applies and bound < blocks.kept),
        bites_in_jaccard=bool(applies and share < blocks.jaccard),
    )


def least_biting_block(*, nodes: int, inside: float) -> int | None:
    """Least block size at which Theorem 4.4 bites for some k, or None.

    Parameters are those of `separation_of_blocks`, with no edges outside the blocks; the least k
    that the theorem allows is taken.

    Examples
    --------
    >>> least_biting_block(nodes=1024, inside=0.8)
    134
    """
    k = least_k(nodes=nodes, inside=inside)
    if not k <= nodes:
        return None
    crowd = max(2, math.ceil(k))
    sizes = range(1, nodes + 1)
    tried = (
        separation_of_blocks(nodes=nodes, block_size=s, inside=inside, k=crowd).bites for s in sizes
    )
    return next((size for size, bites in zip(sizes, tried, strict=True) if bites), None)


# Two factors of the proof of Theorem 4.4, as printed and as meant.


@dataclass(frozen=True)
class ProofFactors:
    """Factors of the proof as printed and as meant.

    Attributes
    ----------
    printed_log, meant_log : float
        Logarithms of exp(5k) and exp(-5k), which the proof wants at most 0.01.
    printed_sets, meant_sets : int
        C(k, n), which is 0 for k < n, and C(n, k): the sets of k users of n.
    """

    printed_log: float
    meant_log: float
    printed_sets: int
    meant_sets: int


def proof_factors(*, nodes: int, k: int) -> ProofFactors:
    """Give the two factors that the proof of Theorem 4.4 prints upside down.

    Parameters
    ----------
    nodes, k : int
        2 <= k <= n.

    Returns
    -------
    ProofFactors

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Appendix B.3, arXiv 2207.06358.

    Examples
    --------
    >>> proof_factors(nodes=10, k=3)
    ProofFactors(printed_log=15.0, meant_log=-15.0, printed_sets=0, meant_sets=120)
    """
    n = check_integer("nodes", nodes, minimum=2)
    size = check_k(k, n)
    return ProofFactors(5.0 * size, -5.0 * size, math.comb(size, n), math.comb(n, size))


# The most edges that k-anonymity by suppression can keep: exact when small, searched when not.


@dataclass(frozen=True)
class KeptSubgraph:
    """A k-anonymous subgraph: in each group everybody keeps the items that all of it have.

    Attributes
    ----------
    edges : int
        Edges that are left.
    labels : int64 array, shape (users,)
        Group of each user. Two groups may publish equal rows; together they are one class.
    biadjacency : csr_array, shape (users, items)
        The subgraph.
    """

    edges: int
    labels: np.ndarray
    biadjacency: sparse.csr_array


def largest_k_anonymous_subgraph(biadjacency: GraphLike, k: int) -> KeptSubgraph:
    """Find the k-anonymous subgraph with the most edges, over all groupings.

    In a subgraph the users with equal rows form classes of at least k, and each class can keep
    no more than the intersection of its rows: the largest subgraph is the partition with the
    largest sum of (members of a group) x (items they share), found by dynamic programming over
    subsets. The empty subgraph counts too: all users in one group that shares nothing.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
        2 to 12 users.
    k : int
        From 2 to the number of users.

    Returns
    -------
    KeptSubgraph
        No k-anonymous subgraph has more edges.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval or there are too many users.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.4 and Theorem 4.4, arXiv 2207.06358.

    Examples
    --------
    >>> found = largest_k_anonymous_subgraph([[1, 1, 0], [0, 1, 1], [1, 1, 0], [0, 0, 1]], 2)
    >>> found.edges, found.labels
    (6, array([0, 1, 0, 1]))
    """
    table = small_rows(biadjacency, k)
    rows = len(table)
    shared = np.ones((1 << rows, table.shape[1]), dtype=bool)
    for group in range(1, 1 << rows):
        shared[group] = shared[group & (group - 1)] & table[(group & -group).bit_length() - 1]
    sizes = np.array([group.bit_count() for group in range(1 << rows)])
    _, labels = best_grouping((sizes * shared.sum(axis=1)).tolist(), rows, k)
    return _kept(table, labels)


def best_suppression(
    biadjacency: GraphLike,
    k: int,
    *,
    labels: np.ndarray | None = None,
    starts: int = 8,
    rng: int | np.random.Generator | None,
) -> KeptSubgraph:
    """Search a k-anonymous subgraph with many edges where all groupings are too many.

    A group grows from one row by the row that shares most with what the group has in common,
    past k for as long as that keeps more edges. Rows that hold a group's whole intersection join
    it for nothing; the last few join where they cost least. The best of several random orders is
    given, of the groups passed as `labels`, and of the empty subgraph. A search proves nothing
    about subgraphs it did not see: it can refute an upper bound, never confirm one.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
        The table is filled: users x items bytes.
    k : int
        From 2 to the number of users.
    labels : int array, shape (users,), optional
        Groups to try as well, such as the blocks of a block model; left aside when one of them
        has fewer than k users.
    starts : int, default 8
        Random orders, at least 1.
    rng : int, Generator or None

    Returns
    -------
    KeptSubgraph

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval or the labels do not fit.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.4, arXiv 2207.06358.

    Examples
    --------
    >>> best_suppression([[1, 1, 0], [0, 1, 1], [1, 1, 0], [0, 0, 1]], 2, rng=1).edges
    6
    """
    matrix = as_biadjacency(biadjacency)
    rows, generator = matrix.shape[0], as_rng(rng)
    check_integer("starts", starts, minimum=1)
    check_k(k, rows)
    table = matrix.toarray().astype(np.int8)
    tried = [np.zeros(rows, dtype=np.int64)]
    if labels is not None:
        given = check_partition(labels, rows)
        tried += [given] if np.bincount(given).min() >= k else []
    tried += [_grown(table, k, generator.permutation(rows)) for _ in range(starts)]
    return max((_kept(table, own) for own in tried), key=lambda found: found.edges)


def _grown(table: np.ndarray, k: int, order: np.ndarray) -> np.ndarray:
    """Groups that grow one after the other, in the order of their first rows."""
    labels = np.full(len(table), -1, dtype=np.int64)
    commons: list[np.ndarray] = []
    for first in order:
        free = np.flatnonzero(labels < 0)
        if len(free) < k:
            break
        if labels[first] < 0:
            members, common = _grow(table, k, int(first), free)
            labels[members] = len(commons)
            commons.append(common)
    for row in np.flatnonzero(labels < 0):  # fewer than k are left
        sizes = np.bincount(labels[labels >= 0], minlength=len(commons))
        both = [common & table[row] for common in commons]
        gains = [
            (n + 1) * b.sum() - n * c.sum() for n, b, c in zip(sizes, both, commons, strict=True)
        ]
        best = int(np.argmax(gains))
        labels[row], commons[best] = best, both[best]
    return labels


def _grow(table: np.ndarray, k: int, first: int, free: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Members of a group around a first row, and the items that all of them have."""
    members, common = [first], table[first].copy()
    free = free[free != first]
    while len(free):
        items = np.flatnonzero(common)
        shares = table[np.ix_(free, items)].sum(axis=1)
        best = int(np.argmax(shares))
        if len(members) >= k and (len(members) + 1) * shares[best] <= len(members) * len(items):
            break
        members.append(int(free[best]))
        common &= table[free[best]]
        free = np.delete(free, best)
    return np.array(members), common


def _kept(table: np.ndarray, labels: np.ndarray) -> KeptSubgraph:
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(labels.max() + 1))
    common = np.bitwise_and.reduceat(table.astype(np.int8)[order], starts)
    published = sparse.csr_array(common[labels])
    return KeptSubgraph(int(published.nnz), labels, published)


# Theorem 4.4 on draws of the block model, exact where all groupings can be searched.


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
        test = scipy.stats.binomtest(self.exceeded, len(self.edges), ALLOWED, alternative="greater")
        return bool(test.pvalue < SURE)


def _tried(
    setting: tuple[int, int, float], generator: np.random.Generator, draws: int, *, exact: bool
) -> Tried:
    """Edges of the largest k-anonymous subgraph of each draw, or of the largest one found."""
    blocks, size, inside = setting
    nodes = blocks * size
    k = max(2, math.ceil(least_k(nodes=nodes, inside=inside)))
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
    return Tried(edges, suppression_bound(nodes=nodes, inside=inside), nodes)


def _no_draw_exceeds(generator: np.random.Generator, draws: int) -> Finding:
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


# Theorem 4.4: where it bites, its proof, and what clustering by blocks keeps.


NODES, SIZE = 1_024, 64
OWN: dict[str, Any] = {"nodes": NODES, "block_size": SIZE, "inside": 0.8, "outside": 0.01}
WITHOUT_MAJORITY: dict[str, Any] = {"nodes": NODES, "block_size": SIZE, "inside": 0.4}
BITING: dict[str, Any] = {"nodes": NODES, "block_size": 256, "inside": 0.8}


def separation(
    *, rng: int | np.random.Generator | None, draws: int = 200, block_draws: int = 20
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
    found = {"theorem-4.4:statement": _no_draw_exceeds(generator, draws)}
    found |= {**_own_instance(), **_proof(), **_blocks(generator, block_draws)}
    found |= {
        "theorem-4.4:bites": _bites(),
        "theorem-4.4:separation-any-q": _any_q(generator),
        "section-4:separation": _separation(),
    }
    degree = separation_of_blocks(**OWN, k=paper.K_TABLE).degree
    rows = [{"quantity": "average degree", "value": degree}]
    return pd.concat([statement_rows(found), pd.DataFrame(rows)], ignore_index=True)


def _own_instance() -> dict[str, Finding]:
    found = separation_of_blocks(**OWN, k=paper.K_TABLE)
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
    k = math.ceil(least_k(nodes=NODES, inside=0.8))
    one, below = (
        separation_of_blocks(nodes=NODES, block_size=size, inside=0.8, k=k)
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
    return majority_counts(draw.biadjacency, np.asarray(draw.labels))


def _proof() -> dict[str, Finding]:
    factors = proof_factors(nodes=NODES, k=paper.K_TABLE)
    few = proof_factors(nodes=10, k=3)
    sets = len(list(combinations(range(10), 3)))
    return {
        "theorem-4.4:proof-exp": (
            factors.printed_log < math.log(ALLOWED),
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
    k = math.ceil(least_k(nodes=NODES, inside=BITING["inside"]))
    found = separation_of_blocks(**BITING, k=k)
    return found.bites_in_jaccard, (
        f"With k = {k} blocks have a similarity of {found.jaccard:.3f}, suppression of at most "
        f"{found.suppression_jaccard:.3f} with probability 0.99."
    )
