"""What a noisy graph tells about one edge: Bayes' rule for a prior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse, special

from pplab.cells import cell_keys, from_cell_keys
from pplab.checks import check_flip_probability, check_probability, check_same_shape
from pplab.graphs import GraphLike, as_biadjacency, as_matrix

__all__ = ["EdgePosterior", "edge_posterior", "posterior_of_looks"]


def posterior_of_looks(prior: Any, seen: Any, looks: int, *, flip_probability: float) -> Any:
    """Probability of an edge that came up in ``seen`` of ``looks`` independent releases.

    Parameters
    ----------
    prior : float or ndarray
        Probability of the edge before, in [0, 1].
    seen : int or ndarray
        Releases in which the edge is stored.
    looks : int
        Releases in all.
    flip_probability : float
        p of each release, in [0, 1/2]. At p = 0 the majority of the looks has the last word, also
        against the prior.

    Returns
    -------
    float or ndarray

    References
    ----------
    Warner 1965, doi 10.1080/01621459.1965.10480775.

    Examples
    --------
    >>> round(float(posterior_of_looks(0.5, 1, 1, flip_probability=0.25)), 2)
    0.75
    """
    prior, margin = np.asarray(prior, dtype=float), 2 * np.asarray(seen, dtype=float) - looks
    p = float(flip_probability)
    if p == 0:
        return np.where(margin == 0, prior, (margin > 0).astype(float))
    # in logarithms: many looks take the odds beyond all floats
    return special.expit(special.logit(prior) + margin * (np.log1p(-p) - np.log(p)))


@dataclass(frozen=True)
class EdgePosterior:
    """Posterior probability of every edge, kept apart for cells with and without a published edge.

    Attributes
    ----------
    stored : float or csr_array
        For cells that are stored in the release; one number when the prior is one.
    absent : float or csr_array
        For cells that are not. With a matrix as prior only cells with a positive prior are stored.
    published : csr_array
        The release.

    References
    ----------
    Warner 1965, doi 10.1080/01621459.1965.10480775.

    Examples
    --------
    >>> found = edge_posterior([[1, 0]], flip_probability=0.25, prior=0.5)
    >>> found.at([0, 0], [0, 1])
    array([0.75, 0.25])
    """

    stored: Any
    absent: Any
    published: sparse.csr_array

    def at(self, rows: Any, columns: Any) -> np.ndarray:
        """Posterior of the cells (row, column), one or many."""
        keys = np.asarray(rows) * np.int64(self.published.shape[1]) + np.asarray(columns)
        if sparse.issparse(self.stored):
            return _look_up(self.stored, keys) + _look_up(self.absent, keys)
        return np.where(_look_up(self.published, keys) > 0, self.stored, self.absent)


def edge_posterior(published: GraphLike, *, flip_probability: float, prior: Any) -> EdgePosterior:
    """Probability of each edge given a noisy graph and a prior.

    Odds after = odds before times (1 - p) / p where an edge is published, divided by it where none
    is. Since cells flip independently, no other cell matters to somebody with such a prior.

    Parameters
    ----------
    published : csr_array, shape (users, items) or (n, n), or anything that stands for it
        A release of ``bipartite_noise_graph`` or ``noise_graph``.
    flip_probability : float
        p of the release, in [0, 1/2].
    prior : float, or matrix of the same shape
        Probability of each edge before the release, in [0, 1]. In a sparse matrix a cell that is
        not stored has prior 0.

    Returns
    -------
    EdgePosterior
        ``.stored`` and ``.absent``: two numbers for a number as prior, else two csr_arrays;
        ``.at(rows, columns)`` for chosen cells. Nothing of users x items size is made.

    Raises
    ------
    TypeError, ValueError
        If p or a prior leaves its interval, or the shapes differ.

    References
    ----------
    Warner 1965, doi 10.1080/01621459.1965.10480775; Salas and Torra 2020, Definition 7,
    doi 10.5220/0009833804150422.

    Examples
    --------
    >>> release = [[1, 0, 0], [1, 1, 0]]
    >>> found = edge_posterior(release, flip_probability=0.05, prior=0.05)
    >>> round(found.stored, 4), round(found.absent, 4)  # a coin toss, and next to nothing
    (0.5, 0.0028)
    """
    graph = as_biadjacency(published, name="published")
    p = float(check_flip_probability(flip_probability))
    if np.isscalar(prior):
        before = float(check_probability("prior", prior))
        stored, absent = (posterior_of_looks(before, s, 1, flip_probability=p) for s in (1, 0))
        return EdgePosterior(float(stored), float(absent), graph)
    matrix = as_matrix(prior, name="prior")
    check_same_shape(matrix, graph)
    for extreme in (matrix.data.min(initial=0.0), matrix.data.max(initial=0.0)):
        check_probability("prior", float(extreme))
    keys, before = cell_keys(matrix), matrix.data.astype(float)
    seen = np.isin(keys, cell_keys(graph), assume_unique=True)
    after = posterior_of_looks(before, seen, 1, flip_probability=p)
    stored, absent = (
        from_cell_keys(keys[where], after[where], graph.shape) for where in (seen, ~seen)
    )
    return EdgePosterior(stored, absent, graph)


def _look_up(matrix: sparse.csr_array, keys: np.ndarray) -> np.ndarray:
    """Stored values at cells, 0 where nothing is stored."""
    known = cell_keys(matrix)
    if not len(known):
        return np.zeros(np.shape(keys))
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[place] == keys, matrix.data[place], 0.0)
