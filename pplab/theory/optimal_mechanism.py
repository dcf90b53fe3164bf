"""The best edge-private mechanism for a small graph, by linear programming.

Theorem 4.3 of *Smooth Anonymity for Sparse Graphs* (arXiv 2207.06358) bounds what any mechanism can
keep; here the best one is computed, on up to 6 cells.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
import scipy
from scipy import sparse

from pplab.checks import as_array, check_integer, check_level_from_zero, shown


def optimal_jaccard(cells: int, epsilon: float, *, edges: Iterable[int] | None = None) -> float:
    """Largest worst-case mean Jaccard similarity of any epsilon-edge-private mechanism.

    Parameters
    ----------
    cells : int
        Q, from 1 to 6.
    epsilon : float
        Level of one edge, in [0, inf).
    edges : iterable of int, optional
        The worst case is taken over graphs of these numbers of edges; all graphs where none is
        given. The mechanism is private on all graphs either way.

    Returns
    -------
    float
        In (0, 1], good to about 1e-7. Two empty graphs have similarity 1.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.
    RuntimeError
        If the solver gives up.

    Notes
    -----
    A mechanism is a table of probabilities P(M | G). Privacy is linear in it,
    P(M | G) <= e^epsilon P(M | G') for neighbours, and so is each graph's mean similarity. Nothing
    is lost by symmetry: the average of a mechanism over all permutations of the cells, each
    applied to the input and undone on the output, is as private, and its mean similarity on any
    graph is an average over graphs of as many edges, so that the worst case does not fall. What
    is left depends on the edges of G and M and on how many they share.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.3, arXiv 2207.06358, whose bound this is held against.

    Examples
    --------
    >>> round(optimal_jaccard(3, math.log(3)), 4)
    0.5
    """
    return optimal_mechanism(cells, epsilon, edges=edges).jaccard


def optimal_mechanism(
    cells: int, epsilon: float, *, edges: Iterable[int] | None = None
) -> "OptimalMechanism":
    """Find a mechanism that reaches ``optimal_jaccard``; there may be several.

    Parameters
    ----------
    cells, epsilon, edges
        As for ``optimal_jaccard``.

    Returns
    -------
    OptimalMechanism
        Private at epsilon up to about 1e-7, the solver's tolerance; above a level of about 100 the
        smallest probabilities are no floats any more and count as 0.

    Raises
    ------
    TypeError, ValueError, RuntimeError
        As ``optimal_jaccard``.

    Examples
    --------
    >>> optimal_mechanism(1, 0.0).probabilities.round(3)  # level 0: the input must not matter
    array([[0.5, 0.5], [0.5, 0.5]])
    """
    cells = check_integer("cells", cells, minimum=1, maximum=6)
    level = check_level_from_zero(epsilon)
    columns = _edge_numbers(edges, cells)
    classes = orbits(cells)
    masses = _solve(classes, level, columns)
    probabilities = _made_private((masses / classes.outputs)[classes.places], cells, level)
    return OptimalMechanism(worst_case_jaccard(probabilities, edges=columns), probabilities)


@dataclass(frozen=True)
class OptimalMechanism:
    """A mechanism with the largest worst-case mean Jaccard similarity at a level.

    Attributes
    ----------
    jaccard : float
        Its mean similarity in the worst of the graphs asked for.
    probabilities : float64 array, shape (2^cells, 2^cells)
        Row: input graph, column: published graph, both as numbers whose bits are the cells.
    """

    jaccard: float
    probabilities: np.ndarray


def _solve(classes: "Orbits", epsilon: float, columns: set[int]) -> np.ndarray:
    """Probability of each class given its input; the last variable is the worst mean."""
    number, graphs = len(classes.inputs), int(classes.inputs.max()) + 1
    one, other = np.concatenate([classes.neighbours, classes.neighbours[:, ::-1]]).T
    rows = np.arange(len(one))
    # e^-epsilon P(one) <= P(other): no large level overflows, and masses keep the rows near 1
    scale = classes.outputs[other] / classes.outputs[one] * math.exp(-epsilon)
    shape = (len(one), number + 1)
    scaled = sparse.csr_array((scale, (rows, one)), shape=shape)
    private = scaled - sparse.csr_array((np.ones(len(one)), (rows, other)), shape=shape)
    places = (classes.inputs, np.arange(number))
    totals = sparse.csr_array((np.ones(number), places), shape=(graphs, number + 1))
    chosen = np.unique(classes.inputs[np.isin(classes.edges, list(columns))])
    means = sparse.csr_array(totals[chosen] * -np.append(classes.similarity, 0.0))
    worst = sparse.csr_array(np.append(np.zeros(number), 1.0)[None, :])
    means = means + sparse.vstack([worst] * len(chosen), format="csr")
    answer = scipy.optimize.linprog(
        -worst.toarray()[0],
        A_ub=sparse.vstack([private, means], format="csr"),
        b_ub=np.zeros(len(one) + len(chosen)),
        A_eq=totals,
        b_eq=np.ones(graphs),
        bounds=(0, 1),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if answer.status != 0:
        raise RuntimeError(f"the linear programme was not solved: {answer.message}")
    return np.maximum(answer.x[:-1], 0.0)


def _made_private(table: np.ndarray, cells: int, epsilon: float) -> np.ndarray:
    """Raise what the solver took for 0 to the least that privacy allows, and divide by the sums.

    The maximum over G' of e^(-epsilon distance(G, G')) P(M | G') changes by a factor of at most
    e^epsilon from one graph to its neighbour; the sums exceed 1 by no more than the tolerance.
    """
    epsilon = min(epsilon, 750.0)  # e^-750 is 0 already, and no product overflows
    graphs = np.arange(2**cells)
    raised = np.zeros_like(table)
    for other in graphs:
        factor = np.exp(-epsilon * np.bitwise_count(graphs ^ other).astype(float))
        np.maximum(raised, factor[:, None] * table[other], out=raised)
    return raised / raised.sum(axis=1, keepdims=True)


# The variables of the linear programme: pairs of graphs, by symmetry.


@dataclass(frozen=True)
class Orbits:
    """Classes of pairs (input graph, output graph) that share one probability.

    Attributes
    ----------
    inputs : int64 array
        For each class, the number of its input (here its number of edges).
    edges : int64 array
        Edges of the inputs in each class.
    similarity : float64 array
        Jaccard similarity of input and output.
    outputs : float64 array
        Outputs that one input has in the class.
    neighbours : int64 array, shape (pairs, 2)
        Classes of one output under two inputs that differ in one cell.
    places : int64 array, shape (2^cells, 2^cells)
        Class of every pair of graphs, written as bits of their cells.
    """

    inputs: np.ndarray
    edges: np.ndarray
    similarity: np.ndarray
    outputs: np.ndarray
    neighbours: np.ndarray
    places: np.ndarray


def orbits(cells: int) -> Orbits:
    """Pairs of graphs up to the order of the cells: edges of input and output, and shared ones."""
    keys = [
        (given, output, shared)
        for given in range(cells + 1)
        for output in range(cells + 1)
        for shared in range(max(0, given + output - cells), min(given, output) + 1)
    ]
    given, output, shared = np.array(keys).T
    number = np.full((cells + 2,) * 3, -1)  # where there is no such pair
    number[given, output, shared] = np.arange(len(keys))
    # One more edge in the input, at a cell outside it: inside the output or outside it.
    inside, outside = number[given + 1, output, shared + 1], number[given + 1, output, shared]
    after = np.stack([inside, outside], axis=1)
    places, which = np.nonzero(after >= 0)
    edges, both, _ = similarities(cells)
    return Orbits(
        inputs=given,
        edges=given,
        similarity=np.array([s / (g + t - s) if g + t else 1.0 for g, t, s in keys]),
        outputs=np.array([float(comb(g, s) * comb(cells - g, t - s)) for g, t, s in keys]),
        neighbours=np.stack([places, after[places, which]], axis=1),
        places=number[edges[:, None], edges, both],
    )


def similarities(cells: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges of all graphs on so many cells, shared edges and similarities of all their pairs."""
    graphs = np.arange(2**cells)
    edges = np.bitwise_count(graphs).astype(np.int64)
    shared = np.bitwise_count(graphs[:, None] & graphs).astype(np.int64)
    union = edges[:, None] + edges - shared
    return edges, shared, np.where(union == 0, 1.0, shared / np.maximum(union, 1))


# Mechanisms on a few cells as tables of probabilities: their worst mean and their level.


def worst_case_jaccard(probabilities: Any, *, edges: Iterable[int] | None = None) -> float:
    """Mean Jaccard similarity of a mechanism in the worst graph.

    Parameters
    ----------
    probabilities : array, shape (2^cells, 2^cells)
        Row: input graph, column: published graph, both as numbers whose bits are the cells.
    edges : iterable of int, optional
        Only graphs of these numbers of edges count.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If the table is no table of probabilities, or no graph is left.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.3, arXiv 2207.06358.

    Examples
    --------
    >>> round(worst_case_jaccard(response_probabilities(3, math.log(3))), 2)
    0.42
    """
    table, cells = check_mechanism(probabilities)
    counts, _, similarity = similarities(cells)
    means = (table * similarity).sum(axis=1)
    return float(means[np.isin(counts, list(_edge_numbers(edges, cells)))].min())


def _edge_numbers(edges: Any, cells: int) -> set[int]:
    """Numbers of edges that count; all where none are named."""
    try:
        counted = set(range(cells + 1) if edges is None else edges)
    except TypeError:
        counted = set()
    if not counted or sparse.issparse(edges):
        raise ValueError(
            f"edges must list numbers of edges from 0 to {cells}, got {shown(edges)}; leave it out"
        )
    return {check_integer("edges", count, minimum=0, maximum=cells) for count in counted}


def edge_level(probabilities: Any) -> float:
    """Exact level of a mechanism: the largest log ratio under two graphs that differ in a cell.

    Parameters
    ----------
    probabilities : array, shape (2^cells, 2^cells)
        As for ``worst_case_jaccard``.

    Returns
    -------
    float
        Infinity where an output excludes a graph.

    Raises
    ------
    TypeError, ValueError
        If the table is no table of probabilities.

    Examples
    --------
    >>> round(edge_level(response_probabilities(2, 1.5)), 6)
    1.5
    """
    table, cells = check_mechanism(probabilities)
    worst, some = 0.0, table > 0
    for cell in range(cells):
        other = table[np.arange(len(table)) ^ (1 << cell)]
        if (some & (other == 0)).any():
            return math.inf
        worst = max(worst, float((np.log(table[some]) - np.log(other[some])).max()))
    return worst


def response_probabilities(cells: int, epsilon: float) -> np.ndarray:
    """Table of randomized response on so many cells.

    Parameters
    ----------
    cells : int
        From 1 to 6.
    epsilon : float
        Level of one edge, in [0, inf).

    Returns
    -------
    float64 array, shape (2^cells, 2^cells)
        As for ``worst_case_jaccard``.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Algorithm 1, arXiv 2207.06358.

    Examples
    --------
    >>> response_probabilities(1, math.log(3)).round(2)
    array([[0.75, 0.25], [0.25, 0.75]])
    """
    cells = check_integer("cells", cells, minimum=1, maximum=6)
    level = check_level_from_zero(epsilon)
    graphs = np.arange(2**cells)
    flips = np.bitwise_count(graphs[:, None] ^ graphs).astype(float)
    stay, leave = scipy.special.expit(level), scipy.special.expit(-level)
    return stay ** (cells - flips) * leave**flips


def check_mechanism(probabilities: Any) -> tuple[np.ndarray, int]:
    """Table of probabilities over the graphs on some cells, and the number of cells."""
    table = as_array("probabilities", probabilities)
    cells = int(table.shape[0]).bit_length() - 1 if table.ndim == 2 else 0
    if cells < 1 or table.shape != (2**cells, 2**cells) or table.dtype.kind not in "biuf":
        raise ValueError(
            f"probabilities must have shape (2^cells, 2^cells), got {table.shape} of "
            f"{table.dtype}; pass a row for each graph and a column for each output"
        )
    if not ((table >= 0).all() and (np.abs(table.sum(axis=1) - 1) < 1e-6).all()):
        raise ValueError(
            "probabilities must be at least 0 and sum to 1 in each row, got a row that does not; "
            "divide each row by its sum"
        )
    return table, cells
