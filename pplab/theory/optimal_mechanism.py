"""The best edge-private mechanism for a small graph, by linear programming."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy import optimize, sparse

from pplab.checks import check_integer, check_level_from_zero
from pplab.theory.mechanism_orbits import Orbits, orbits
from pplab.theory.mechanism_tables import worst_case_jaccard

__all__ = [
    "OptimalMechanism",
    "optimal_jaccard",
    "optimal_mechanism",
]


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
) -> OptimalMechanism:
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
    counted = range(cells + 1) if edges is None else edges
    asked = {check_integer("edges", count, minimum=0, maximum=cells) for count in counted}
    if not asked:
        raise ValueError("edges must name at least one number of edges, got none; leave it out")
    classes = orbits(cells)
    masses = _solve(classes, level, asked)
    probabilities = _made_private((masses / classes.outputs)[classes.places], cells, level)
    return OptimalMechanism(worst_case_jaccard(probabilities, edges=asked), probabilities)


def _solve(classes: Orbits, epsilon: float, asked: set[int]) -> np.ndarray:
    """Probability of each class given its input; the last variable is the worst mean."""
    number, graphs = len(classes.inputs), int(classes.inputs.max()) + 1
    one, other = np.concatenate([classes.neighbours, classes.neighbours[:, ::-1]]).T
    rows = np.arange(len(one))
    # e^-epsilon P(one) <= P(other): no large level overflows, and masses keep the rows near 1
    scale = classes.outputs[other] / classes.outputs[one] * math.exp(-epsilon)
    shape = (len(one), number + 1)
    private = sparse.csr_array((scale, (rows, one)), shape=shape) - sparse.csr_array(
        (np.ones(len(one)), (rows, other)), shape=shape
    )
    given = sparse.csr_array(
        (np.ones(number), (classes.inputs, np.arange(number))), shape=(graphs, number + 1)
    )
    chosen = np.unique(classes.inputs[np.isin(classes.edges, list(asked))])
    means = sparse.csr_array(given[chosen] * -np.append(classes.similarity, 0.0))
    worst = sparse.csr_array(np.append(np.zeros(number), 1.0)[None, :])
    means = means + sparse.vstack([worst] * len(chosen), format="csr")
    answer = optimize.linprog(
        -worst.toarray()[0],
        A_ub=sparse.vstack([private, means], format="csr"),
        b_ub=np.zeros(len(one) + len(chosen)),
        A_eq=given,
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
    graphs = np.arange(2**cells)
    raised = np.zeros_like(table)
    for other in graphs:
        factor = np.exp(-epsilon * np.bitwise_count(graphs ^ other).astype(float))
        np.maximum(raised, factor[:, None] * table[other], out=raised)
    return raised / raised.sum(axis=1, keepdims=True)
