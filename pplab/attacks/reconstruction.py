"""Likes of a user, recovered from repeated noisy releases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse, stats

from pplab.attacks.posterior import posterior_of_looks
from pplab.cells import from_cell_keys
from pplab.checks import (
    check_flip_probability,
    check_integer,
    check_probability,
    check_same_shape,
)
from pplab.graphs import GraphLike, as_biadjacency

__all__ = ["Reconstruction", "reconstruct_likes", "reconstruction_error"]


@dataclass(frozen=True)
class Reconstruction:
    """Likes as an attacker guesses them.

    Attributes
    ----------
    likes : csr_array
        Cells guessed to be likes: those with a posterior above 1/2.
    posterior : csr_array
        Posterior probability of each cell that came up in at least one release.
    unseen : float
        Posterior probability of a cell that never came up.
    threshold : int
        Releases in which a cell must come up to be called a like.
    expected_error : float
        Share of cells guessed wrongly on average, if the prior is right.

    References
    ----------
    Warner 1965, doi 10.1080/01621459.1965.10480775.

    Examples
    --------
    >>> looks = [[[1, 0, 0]], [[1, 1, 0]], [[1, 0, 0]]]
    >>> reconstruct_likes(looks, flip_probability=0.25, prior=0.5).threshold
    2
    """

    likes: sparse.csr_array
    posterior: sparse.csr_array
    unseen: float
    threshold: int
    expected_error: float


def reconstruct_likes(
    releases: Sequence[GraphLike], *, flip_probability: float, prior: float
) -> Reconstruction:
    """Guess likes from releases of the same graph with fresh noise: each look multiplies the odds.

    With an even prior this is the majority of the looks; a prior below 1/2 asks for more.

    Parameters
    ----------
    releases : sequence of csr_array, each of shape (users, items)
        Independent releases of one graph; a single user is a matrix with one row.
    flip_probability : float
        p of each release, in [0, 1/2).
    prior : float
        Probability in [0, 1] that a cell is a like, such as the density.

    Returns
    -------
    Reconstruction
        ``.likes``, ``.posterior``, ``.unseen``, ``.threshold``, ``.expected_error``.

    Raises
    ------
    TypeError, ValueError
        If p or the prior leaves its interval, there is no release, the shapes differ, or the
        prior is so large that even a cell that never came up counts as a like.

    References
    ----------
    Warner 1965, doi 10.1080/01621459.1965.10480775; Dinur and Nissim 2003,
    doi 10.1145/773153.773173: many noisy answers give the data away.

    Examples
    --------
    >>> looks = [[[1, 0, 0]], [[1, 1, 0]], [[1, 0, 0]]]
    >>> found = reconstruct_likes(looks, flip_probability=0.25, prior=0.5)
    >>> found.likes.toarray()
    array([[1, 0, 0]], dtype=int8)
    >>> found.posterior.toarray()  # odds of 27 to 1, and of 1 to 3
    array([[0.96428571, 0.25      , 0.        ]])
    """
    p = float(check_flip_probability(flip_probability, below_half=True))
    check_probability("prior", prior)
    looks = len(releases)
    check_integer("number of releases", looks, minimum=1)
    counts = as_biadjacency(releases[0], name="releases[0]").astype(np.int32)
    for number, release in enumerate(releases[1:], start=1):
        other = as_biadjacency(release, name=f"releases[{number}]")
        check_same_shape(counts, other)
        counts = sparse.csr_array(counts + other)
    threshold = _threshold(looks, p, prior)
    if threshold == 0:
        raise ValueError(
            f"prior must leave something to learn, got {prior!r}: with it a cell that none of the "
            f"{looks} releases shows is still a like; lower the prior or add releases"
        )
    posterior = counts.astype(float)
    posterior.data = posterior_of_looks(prior, counts.data, looks, flip_probability=p)
    rows, columns = counts.nonzero()
    keys = (rows * np.int64(counts.shape[1]) + columns)[counts.data >= threshold]
    return Reconstruction(
        likes=from_cell_keys(keys, np.ones(len(keys), dtype=np.int8), counts.shape),
        posterior=posterior,
        unseen=float(posterior_of_looks(prior, 0, looks, flip_probability=p)),
        threshold=threshold,
        expected_error=reconstruction_error(looks, flip_probability=p, prior=prior),
    )


def reconstruction_error(releases: Any, *, flip_probability: float, prior: float) -> Any:
    """Exact share of cells that ``reconstruct_likes`` gets wrong, from the binomial distribution.

    ``prior * P(Bin(t, 1-p) < c) + (1 - prior) * P(Bin(t, p) >= c)`` for t releases, where c is the
    smallest count whose posterior is above 1/2; a tie counts as no like.

    Parameters
    ----------
    releases : int or sequence of int
        Number of releases, 1 at least.
    flip_probability : float
        p of each release, in [0, 1/2).
    prior : float
        Share of cells that are likes, in [0, 1].

    Returns
    -------
    float or ndarray

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Warner 1965, doi 10.1080/01621459.1965.10480775.

    Examples
    --------
    >>> errors = reconstruction_error([1, 9], flip_probability=0.25, prior=0.5)
    >>> errors.round(3)  # one look errs like the coin, the majority of nine much less
    array([0.25 , 0.049])
    """
    if not np.isscalar(releases):
        return np.array(
            [
                reconstruction_error(int(t), flip_probability=flip_probability, prior=prior)
                for t in releases
            ]
        )
    p = float(check_flip_probability(flip_probability, below_half=True))
    check_probability("prior", prior)
    looks = check_integer("number of releases", releases, minimum=1)
    threshold = _threshold(looks, p, prior)
    missed = stats.binom.cdf(threshold - 1, looks, 1 - p)
    invented = stats.binom.sf(threshold - 1, looks, p)
    return float(prior * missed + (1 - prior) * invented)


def _threshold(looks: int, p: float, prior: float) -> int:
    """Smallest count whose posterior is above 1/2; one more than the looks when there is none."""
    posterior = posterior_of_looks(prior, np.arange(looks + 1), looks, flip_probability=p)
    likely = posterior > 0.5 + 1e-12  # a tie stays a tie when it is rounded
    return int(np.argmax(likely)) if likely.any() else looks + 1
