"""The Jaccard similarity that randomized response leaves: its mean, its law, and every copy.

Algorithm 1 and Theorem 4.1 of *Smooth Anonymity for Sparse Graphs* (arXiv 2207.06358): of Q cells,
each flips with probability ``f = 1 / (1 + e^epsilon)``, so that J = kept / (edges + invented) with
two independent binomial counts. The closed formula of the mean comes first, then the exact law for
up to 10^15 cells, then the law of small graphs in fractions, copy by copy.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import scipy

from pplab import checks

# The mean, and the level it takes: the first term of Theorem 4.1.


def jaccard_first_term(*, density: float, epsilon: float) -> float:
    """First term of Theorem 4.1: the mean Jaccard similarity of a copy of a large graph.

    Parameters
    ----------
    density : float
        Edges over cells, in (0, 1].
    epsilon : float
        Level of one edge, in [0, inf).

    Returns
    -------
    float
        ``(1 - f) / (1 + f (1 - density) / density)`` with ``f = 1 / (1 + e^epsilon)``; its odds
        J / (1 - J) are ``density * e^epsilon``, which no large level overflows.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.1, arXiv 2207.06358.

    Examples
    --------
    >>> round(jaccard_first_term(density=1e-4, epsilon=5), 3)
    0.015
    """
    log_density = math.log(checks.check_density(density))
    return float(scipy.special.expit(log_density + checks.check_level_from_zero(epsilon)))


def jaccard_of_log_density(log_density: Any, *, epsilon: Any) -> np.ndarray:
    """First term of Theorem 4.1 for densities that no float can hold.

    Parameters
    ----------
    log_density : float or array
        Natural logarithms of densities, at most 0.
    epsilon : float or array
        Levels of one edge, in [0, inf), broadcast against the densities.

    Returns
    -------
    float64 array

    Raises
    ------
    ValueError
        If a logarithm is above 0 or a level below 0, or one is no finite number.

    Notes
    -----
    Corollary 4.2 at average degree m^0.99 and epsilon = sqrt(ln m): the odds of J are
    ``exp(sqrt(ln m) - 0.01 ln m)``. They rise up to ln m = 2,500 and tend to 0 beyond; J is 1/2
    again at ln m = 10,000.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Corollary 4.2, arXiv 2207.06358.

    Examples
    --------
    >>> jaccard_of_log_density([-100, -160], epsilon=[100, 126.5]).round(3)
    array([0.5, 0. ])
    """
    logs, levels = np.asarray(log_density, dtype=float), np.asarray(epsilon, dtype=float)
    if not ((logs <= 0) & np.isfinite(logs)).all():
        raise ValueError("log_density must be finite and at most 0; pass logarithms of densities")
    if not ((levels >= 0) & np.isfinite(levels)).all():
        raise ValueError("epsilon must lie in [0, inf); pass levels that are finite")
    return np.asarray(scipy.special.expit(logs + levels))


def epsilon_for_jaccard(jaccard: float, *, density: float) -> float:
    """Level at which randomized response keeps a given Jaccard similarity on average.

    Parameters
    ----------
    jaccard : float
        Target J in (0, 1).
    density : float
        Edges over cells, in (0, 1].

    Returns
    -------
    float
        ``ln(J / ((1 - J) density))``, or 0 where even fair coins keep J.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.1's first term solved for epsilon; Figure 2, arXiv 2207.06358.

    Examples
    --------
    >>> round(epsilon_for_jaccard(0.5, density=3.14e-5), 2)
    10.37
    """
    target = checks.check_open("jaccard", jaccard, meaning="pass a number between")
    return max(0.0, float(scipy.special.logit(target)) - math.log(checks.check_density(density)))


def expected_jaccard(*, density: float, cells: int, epsilon: float) -> float:
    """Exact mean of the Jaccard similarity of a graph and its randomized response.

    Parameters
    ----------
    density : float
        Edges over cells, in (0, 1]; density x cells is rounded to whole edges, at least 1.
    cells : int
        Q = users x items, from 1 to 10^15.
    epsilon : float
        Level of one edge, in [0, inf).

    Returns
    -------
    float
        In (0, 1].

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval or no edge is left.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.1, arXiv 2207.06358, whose first term this is up to terms that vanish with Q.

    Examples
    --------
    >>> expected_jaccard(density=0.5, cells=2, epsilon=0.0)  # J is 1, 1/2 with 1/4 each, else 0
    0.375
    """
    return jaccard_distribution(density=density, cells=cells, epsilon=epsilon).mean


# The law, from two binomial counts.

_SAME = 1 + 4e-16  # similarities closer than this are one: float64 cannot tell them apart
_CLOSE = 1e-13  # relative width at which a bracket counts as one similarity


def jaccard_distribution(*, density: float, cells: int, epsilon: float) -> "JaccardDistribution":
    """Exact law of the Jaccard similarity between a graph and its randomized response.

    Parameters
    ----------
    density : float
        Edges over cells, in (0, 1]; density x cells is rounded to whole edges, at least 1.
    cells : int
        Q = users x items, from 1 to 10^15.
    epsilon : float
        Level of one edge, in [0, inf), in natural-log units.

    Returns
    -------
    JaccardDistribution
        With ``.mean``, ``.above(similarity)`` and ``.quantile(delta)``.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, no edge is left, or a sum would be longer than
        2 * 10^7 counts (that is beyond 10^11 cells at every level).

    Notes
    -----
    Counts of total probability below 4 e^-60 are left out. The sum runs over the counts of the
    narrower binomial and looks up the distribution function of the other. Probabilities are good
    to about 1e-10 of their size; a quantile is good to 1e-13 of its size, and is an attained value
    of J where these lie further apart.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Algorithm 1 and Theorem 4.1, arXiv 2207.06358.

    Examples
    --------
    >>> coin = jaccard_distribution(density=0.5, cells=2, epsilon=0.0)  # one edge, one empty cell
    >>> coin.above(0.5), coin.quantile(0.25), coin.mean  # J is 1, 1/2, 0 with 1/4, 1/4, 1/2
    (0.25, 0.5, 0.375)
    """
    edges, cells = checks.check_edges(density, cells)
    return JaccardDistribution(edges, cells, checks.check_level_from_zero(epsilon))


def sample_jaccard(
    *,
    density: float,
    cells: int,
    epsilon: float,
    size: int,
    rng: int | np.random.Generator | None = None,
) -> np.ndarray:
    """Draw Jaccard similarities of independent copies from the two binomials.

    Parameters
    ----------
    density, cells, epsilon
        As for ``jaccard_distribution``.
    size : int
        Number of copies, at least 1.
    rng : int, Generator or None
        Seed or source of random numbers.

    Returns
    -------
    float64 array, shape (size,)
        In [0, 1].

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
    >>> sample_jaccard(density=1e-4, cells=10**10, epsilon=9.2, size=2, rng=1).round(2)
    array([0.5, 0.5])
    """
    edges, cells = checks.check_edges(density, cells)
    flip = float(scipy.special.expit(-checks.check_level_from_zero(epsilon)))
    size = checks.check_integer("size", size, minimum=1, maximum=10**8)
    source = checks.as_rng(rng)
    # lost edges, not kept ones: 1 - f would round to 1 at large levels
    kept = edges - source.binomial(edges, flip, size=size)
    return kept / (edges + source.binomial(cells - edges, flip, size=size))


@dataclass(frozen=True)
class JaccardDistribution:
    """Law of J = kept / (edges + invented), kept ~ Bin(edges, 1 - f), invented ~ Bin(rest, f).

    Every cell of the graph flips with probability ``f = 1 / (1 + e^epsilon)``, on its own, so that
    the two counts are independent.

    Attributes
    ----------
    edges, cells : int
        Edges of the graph, at least 1, and all its cells.
    epsilon : float
        Level of one edge, in [0, inf).
    exponent : float
        Counts of total probability below 4 e^-exponent are left out.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Algorithm 1 and Theorem 4.1, arXiv 2207.06358.
    """

    edges: int
    cells: int
    epsilon: float
    exponent: float = 60.0

    @cached_property
    def _kept(self) -> tuple[int, np.ndarray]:
        """First number of kept edges and the probabilities from there on."""
        lost, shares = binomial_window(self.edges, log_odds=-self.epsilon, exponent=self.exponent)
        return self.edges - lost - len(shares) + 1, shares[::-1]

    @cached_property
    def _invented(self) -> tuple[int, np.ndarray]:
        rest = self.cells - self.edges
        return binomial_window(rest, log_odds=-self.epsilon, exponent=self.exponent)

    @cached_property
    def _more_kept(self) -> np.ndarray:
        """Entry j: probability that first + j or more are kept, summed from the small end."""
        return np.append(np.cumsum(self._kept[1][::-1])[::-1], 0.0)

    @cached_property
    def _fewer_invented(self) -> np.ndarray:
        """Entry j: probability that fewer than first + j are invented."""
        return np.append(0.0, np.cumsum(self._invented[1]))

    @property
    def mean(self) -> float:
        """Exact mean: the mean of kept times the mean of 1 / (edges + invented)."""
        first, shares = self._invented
        unions = self.edges + first + np.arange(len(shares), dtype=np.float64)
        mean = self.edges * scipy.special.expit(self.epsilon) * (shares / unions).sum()
        return min(float(mean), 1.0)

    def above(self, similarity: float) -> float:
        """Probability that J exceeds a similarity (values within 4e-16 of it do not)."""
        if not similarity >= 0:
            return 1.0
        if similarity >= 1:
            return 0.0
        if similarity < 0.5 / self.cells:  # J is 0 or at least 1 / cells
            return float(self._more_kept[min(max(1 - self._kept[0], 0), len(self._kept[1]))])
        if len(self._kept[1]) < len(self._invented[1]):
            return self._above_by_kept(similarity)
        return self._above_by_invented(similarity)

    def _above_by_invented(self, similarity: float) -> float:
        (least, kept), (first, invented) = self._kept, self._invented
        unions = self.edges + first + np.arange(len(invented), dtype=np.float64)
        needed = np.floor(unions * (similarity * _SAME)) + 1  # kept edges that exceed it
        places = np.clip(needed - least, 0, len(kept)).astype(np.int64)
        return min(float(invented @ self._more_kept[places]), 1.0)

    def _above_by_kept(self, similarity: float) -> float:
        (least, kept), (first, invented) = self._kept, self._invented
        counts = least + np.arange(len(kept), dtype=np.float64)
        allowed = np.ceil(counts / (similarity * _SAME)) - self.edges  # fewer than so many invented
        places = np.clip(allowed - first, 0, len(invented)).astype(np.int64)
        return min(float(kept @ self._fewer_invented[places]), 1.0)

    def quantile(self, delta: float) -> float:
        """Smallest similarity that J exceeds with probability at most delta, in (0, 1)."""
        return _quantile(self, checks.check_delta(delta))

    def attained_below(self, similarity: float) -> float:
        """Largest value of J up to a similarity, 0 if there is none."""
        (least, kept), (first, invented) = self._kept, self._invented
        unions = self.edges + first + np.arange(len(invented), dtype=np.float64)
        counts = np.minimum(np.floor(unions * (similarity * _SAME)), least + len(kept) - 1)
        return min(float(np.where(counts >= least, counts / unions, 0.0).max()), similarity)


def _quantile(law: JaccardDistribution, delta: float) -> float:
    """Smallest similarity that is exceeded with probability at most delta.

    On the safe side, good to 1e-13 of its size, and an attained similarity where these lie further
    apart.
    """
    if law.above(0.0) <= delta:
        return 0.0
    aim = float(scipy.special.ndtri(delta))

    def gap(similarity: float) -> float:
        # On this scale the law is almost a straight line, so that few steps are enough.
        return float(scipy.special.ndtri(np.clip(law.above(similarity), 1e-320, 1 - 1e-16)) - aim)

    low, high = _guess(law, delta, aim)
    if gap(low) > 0 > gap(high):
        root = float(scipy.optimize.brentq(gap, low, high, xtol=1e-300, rtol=1e-14, maxiter=500))
        low, high = _bracket(law, root, delta)
    while high - low > _CLOSE * high:
        middle = (low + high) / 2
        low, high = (low, middle) if law.above(middle) <= delta else (middle, high)
    attained = law.attained_below(high)
    return attained if low < attained and law.above(attained) <= delta else high


def _guess(law: JaccardDistribution, delta: float, aim: float) -> tuple[float, float]:
    """A bracket about the quantile of the normal law with the same spread."""
    mean, rest = law.mean, law.cells - law.edges
    stay, leave = float(scipy.special.expit(law.epsilon)), float(scipy.special.expit(-law.epsilon))
    spread = float(np.sqrt(stay * leave * (law.edges + mean**2 * rest))) / (law.edges / mean * stay)
    step, centre = spread / 64, mean - aim * spread
    while step < 1:
        low, high = max(centre - step, 0.0), min(centre + step, 1.0)
        if law.above(high) <= delta < law.above(low):
            return low, high
        step = max(step * 8, 1e-12)
    return 0.0, 1.0


def _bracket(law: JaccardDistribution, root: float, delta: float) -> tuple[float, float]:
    """A narrow bracket about a root."""
    step = 2e-14
    while step < 1:
        low, high = root * (1 - step), min(root * (1 + step), 1.0)
        if law.above(high) <= delta < law.above(low):
            return low, high
        step *= 8
    return 0.0, 1.0


# A binomial law on the counts that matter, for up to 10^15 trials.

_NO_ODDS = -1000.0  # e^-1000 times 10^15 trials is 0 in float64
_MOST_COUNTS = 2 * 10**7


def binomial_window(trials: int, *, log_odds: float, exponent: float) -> tuple[int, np.ndarray]:
    """Probabilities of the counts around the mean; outside lies less than 2 e^-exponent.

    Parameters
    ----------
    trials : int
        n, from 0 to 10^15.
    log_odds : float
        ``ln(p / (1 - p))``; below -1000 the probability counts as e^-1000.
    exponent : float
        L > 0.

    Returns
    -------
    first : int
        First count.
    shares : float64 array
        Probabilities of first, first + 1, ...; they sum to 1.

    Raises
    ------
    ValueError
        If more than 2 * 10^7 counts matter.

    Notes
    -----
    The width is Bernstein's: with variance v, a binomial count lies x or more to one side of its
    mean with probability at most ``exp(-x^2 / (2 (v + x / 3)))``; setting this to e^-L gives x.
    Neighbouring probabilities have the ratio ``(n - k) / (k + 1) * odds``; sums of its logarithms
    keep a relative error near 1e-11 where differences of log-factorials of 10^11 would lose five
    digits of every probability.

    Examples
    --------
    >>> first, shares = binomial_window(2, log_odds=0.0, exponent=60.0)
    >>> first, shares.round(3).tolist()
    (0, [0.25, 0.5, 0.25])
    """
    log_odds = max(log_odds, _NO_ODDS)
    chance = float(scipy.special.expit(log_odds))
    spread = trials * chance * float(scipy.special.expit(-log_odds))
    reach = exponent / 3 + math.sqrt(exponent**2 / 9 + 2 * exponent * spread)
    first = max(0, math.floor(trials * chance - reach))
    last = min(trials, math.ceil(trials * chance + reach))
    if last - first >= _MOST_COUNTS:
        raise ValueError(
            f"the exact law needs a sum over {last - first + 1} counts, at most {_MOST_COUNTS} are "
            "allowed; use form='chernoff' or fewer cells"
        )
    counts = np.arange(first, last, dtype=np.float64)
    logs = np.zeros(last - first + 1)
    np.cumsum(np.log((trials - counts) / (counts + 1)) + log_odds, out=logs[1:])
    shares = np.exp(logs - logs.max())
    return first, shares / shares.sum()


# The similarity of every copy of a small graph, one by one, in fractions.

_MOST_CELLS = 12


def jaccard_by_enumeration(
    *, edges: int, cells: int, flip_probability: Any
) -> dict[Fraction, Fraction]:
    """Law of the Jaccard similarity by enumeration of all copies.

    Parameters
    ----------
    edges, cells : int
        Edges of the graph, from 0, and its cells, from 1 to 12.
    flip_probability : Fraction or float
        f in [0, 1], on each cell.

    Returns
    -------
    dict of Fraction to Fraction
        Probability of each similarity that has any; two empty graphs have similarity 1.

    Raises
    ------
    TypeError, ValueError
        If a number leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.6 and Algorithm 1, arXiv 2207.06358.

    Examples
    --------
    >>> law = jaccard_by_enumeration(edges=1, cells=2, flip_probability=Fraction(1, 2))
    >>> {str(similarity): str(share) for similarity, share in sorted(law.items())}
    {'0': '1/2', '1/2': '1/4', '1': '1/4'}
    """
    checks.check_integer("cells", cells, minimum=1, maximum=_MOST_CELLS)
    checks.check_integer("edges", edges, minimum=0, maximum=cells)
    flip = checks.as_fraction(checks.check_probability("flip_probability", flip_probability))
    graph = (1,) * edges + (0,) * (cells - edges)
    law: dict[Fraction, Fraction] = {}
    for copy in product((0, 1), repeat=cells):
        flips = sum(one != other for one, other in zip(graph, copy, strict=True))
        both = sum(one and other for one, other in zip(graph, copy, strict=True))
        union = _union(graph, copy)
        similarity = Fraction(both, union) if union else Fraction(1)
        share = flip**flips * (1 - flip) ** (cells - flips)
        law[similarity] = law.get(similarity, Fraction(0)) + share
    return {similarity: share for similarity, share in law.items() if share}


def union_is_edges_and_created(cells: int) -> bool:
    """True if |E or E'| = |E| + number of created edges, for all pairs of graphs on so many cells.

    Parameters
    ----------
    cells : int
        From 1 to 8.

    Returns
    -------
    bool

    Raises
    ------
    TypeError, ValueError
        If cells leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Appendix B, proof of Theorem 4.1, arXiv 2207.06358.

    Examples
    --------
    >>> union_is_edges_and_created(6)  # a table of 2 x 3
    True
    """
    checks.check_integer("cells", cells, minimum=1, maximum=8)
    graphs = list(product((0, 1), repeat=cells))
    return all(
        _union(graph, copy)
        == sum(graph) + sum(new > old for old, new in zip(graph, copy, strict=True))
        for graph in graphs
        for copy in graphs
    )


def _union(graph: tuple[int, ...], copy: tuple[int, ...]) -> int:
    return sum(one or other for one, other in zip(graph, copy, strict=True))
