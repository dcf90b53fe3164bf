"""Recommenders with a promise for a person: the unit is all that one user ever rated.

Two mechanisms publish a model of the items. A user's own device holds it against the user's own
row, so predictions need nothing more. Neighbours are two tables of one public frame (users and
items) of which the second has all ratings of one user replaced by none. The level is one of
(epsilon, delta), computed by the package dp-accounting (extra ``lab``).
"""

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from numbers import Real
from typing import Any

import numpy as np
import scipy.linalg
from scipy import sparse
from threadpoolctl import threadpool_limits

from pplab import checks
from pplab.graphs import GraphLike, rows_of_entries
from pplab.labelled import Labelled
from pplab.response.mechanism import OnUsersAndItems
from pplab.tables import DENSE_LIMIT
from pplab.tradeoff import gaussian_curve, gaussian_epsilon, pure_curve

# Levels: what Gaussian noise promises to one person.

_GRID, _COARSE = 1e-4, 1e-3  # of the loss distribution, which rounds up; coarse in a search
_LEAST_NOISE, _MOST_NOISE = 0.05, 2.0**14
_MOST_SAMPLED = 10_000_000  # steps: minutes of computing


def gaussian_level(
    noise: float,
    *,
    delta: float,
    steps: int = 1,
    sampling: float = 1.0,
    conversion: str = "exact",
    neighbours: str = "none",
) -> float:
    """Epsilon of this many noisy steps, each on a sum to which a user adds at most length 1.

    Parameters
    ----------
    noise : float
        Standard deviation of the Gaussian noise on each coordinate, from 0, in units of the largest
        length that one user can add (the noise multiplier).
    delta : float
        In (0, 1).
    steps : int
        At least 1. Each may depend on what the steps before it published.
    sampling : float
        Probability in (0, 1] with which each user takes part in a step, independently of the
        others and anew in each step (Poisson sampling). Batches of a fixed size, or cut from a
        shuffled list, are *not* that, and this level does not hold for them.
    conversion : {"exact", "renyi", "mironov"}
        How the loss becomes (epsilon, delta): by its whole distribution (of sampled steps by
        dp-accounting, rounded up on a grid of 1e-4, so from above, or by its Rényi divergences
        where that is less: the grid leaves out about 1e-15); by its Rényi divergences with
        the conversion of dp-accounting; by Mironov's Proposition 3 of 2017, optimised over all
        orders, without sampling.
    neighbours : {"none", "another"}
        Whether a user's ratings are replaced by none or by any others. "another" is a stronger
        promise, costs more, and is known for "exact" alone.

    Returns
    -------
    float
        Infinity without noise.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or a conversion cannot do what is asked.
    ModuleNotFoundError
        Without dp-accounting, where steps are sampled or the conversion is "renyi".

    Notes
    -----
    With ``neighbours="none"`` a user without ratings is sampled like all others and adds nothing:
    dp-accounting's relation REPLACE_SPECIAL. Without sampling the steps are one Gaussian mechanism
    of noise ``noise / sqrt(steps)``.

    References
    ----------
    Mironov 2017, Rényi differential privacy, Proposition 3 and Corollary 3, doi
    10.1109/CSF.2017.11; Balle and Wang 2018, Improving the Gaussian mechanism for differential
    privacy, Theorem 8, arXiv 1805.06530; Abadi and others 2016, Deep learning with differential
    privacy, doi 10.1145/2976749.2978318.

    Examples
    --------
    >>> ways = ("mironov", "renyi", "exact")
    >>> [round(gaussian_level(1, delta=1e-5, conversion=way), 2) for way in ways]
    [5.3, 4.73, 4.38]
    """
    sigma = checks.check_not_negative("noise", noise)
    checks.check_privacy_delta(delta)
    count, share = _check_steps(steps, sampling)
    checks.check_choice("conversion", conversion, ("exact", "renyi", "mironov"))
    checks.check_choice("neighbours", neighbours, ("none", "another"))
    if conversion == "mironov" and share < 1:
        raise ValueError(
            f"conversion 'mironov' must come with sampling=1, got {share:g}; take 'exact'"
        )
    if neighbours == "another" and conversion != "exact":
        raise ValueError(
            "neighbours 'another' must come with conversion 'exact', got "
            f"{conversion!r}; a Rényi accountant knows it for no sampled step"
        )
    if not sigma:
        return math.inf
    mu = math.sqrt(count) / sigma * (1 if neighbours == "none" else 2)
    mu = min(mu, 1e300)  # of noise that is hardly there; the level is infinite long before
    if conversion == "mironov":
        return mu * mu / 2 + mu * math.sqrt(2 * math.log(1 / delta))
    if conversion == "exact" and share == 1:
        return gaussian_epsilon(delta, mu=mu)
    if conversion == "exact":
        return _sampled_level(sigma, delta, count, share, neighbours)
    return float(_accountant(sigma, count, share, conversion, neighbours).get_epsilon(delta))


def _ever_sampled(steps: int, share: float) -> float:
    """Probability that a user is in one of the samples at all."""
    return -math.expm1(steps * math.log1p(-share))


def _sampled_level(
    sigma: float, delta: float, steps: int, share: float, neighbours: str, grid: float = _GRID
) -> float:
    """The smaller of two levels that hold: by the whole loss, and by its Rényi divergences.

    The loss distribution of dp-accounting takes about 1e-15 of the mass for an infinite loss, so
    at a delta of that size it is far from exact, and below infinite.
    """
    if _ever_sampled(steps, share) <= delta:  # the releases differ with no larger probability
        return 0.0
    accountants = [_accountant(sigma, steps, share, "exact", neighbours, grid)]
    if neighbours == "none":
        accountants.append(_accountant(sigma, steps, share, "renyi", neighbours))
    return min(float(accountant.get_epsilon(delta)) for accountant in accountants)


def _check_sampling(sampling: Any) -> float:
    if isinstance(sampling, Real) and sampling == 1:
        return 1.0
    return checks.check_open("sampling", sampling, meaning="or exactly 1")


def _check_steps(steps: Any, sampling: Any) -> tuple[int, float]:
    """Bring steps and sampling into numbers; sampled steps are added up one by one."""
    share = _check_sampling(sampling)
    most = math.inf if share == 1 else _MOST_SAMPLED
    return checks.check_integer("steps", steps, minimum=1, maximum=most), share


@lru_cache(maxsize=32)
def _accountant(
    sigma: float, steps: int, share: float, conversion: str, neighbours: str, grid: float = _GRID
) -> Any:
    """Accountant of dp-accounting that has been told of all the steps."""
    dp: Any = checks.check_installed("dp-accounting", module="dp_accounting", extra="lab")
    relation = dp.NeighboringRelation
    chosen = relation.REPLACE_SPECIAL if neighbours == "none" else relation.REPLACE_ONE
    if conversion == "renyi":
        accountant = dp.rdp.RdpAccountant(neighboring_relation=chosen)
    else:
        pld: Any = checks.check_installed("dp-accounting", module="dp_accounting.pld", extra="lab")
        accountant = pld.PLDAccountant(chosen, value_discretization_interval=grid)
    step = dp.GaussianDpEvent(sigma)
    if share < 1:
        step = dp.PoissonSampledDpEvent(share, step)
    return accountant.compose(step, steps)


def noise_for(epsilon: float, *, delta: float, steps: int = 1, sampling: float = 1.0) -> float:
    """Nearly the smallest noise multiplier whose level does not exceed epsilon.

    Sampled steps are counted on a grid of 1e-3 that rounds up in each: that costs less than a
    thousandth for 100 steps, and a tenth and more for 1,000 and a small epsilon.

    Parameters
    ----------
    epsilon : float
        In (0, inf].
    delta, steps, sampling
        As in `gaussian_level`.

    Returns
    -------
    float
        0 where epsilon is infinite.

    Raises
    ------
    TypeError, ValueError, ModuleNotFoundError
        As in `gaussian_level`; if the noise would have to exceed 16,384, or delta is not below the
        probability of being sampled at all.

    References
    ----------
    As for `gaussian_level`.

    Examples
    --------
    >>> sigma = noise_for(1, delta=1e-5)
    >>> round(sigma, 2), gaussian_level(sigma, delta=1e-5) <= 1
    (3.73, True)
    """
    if checks.check_epsilon(epsilon, allow_infinity=True) == math.inf:
        return 0.0

    checks.check_privacy_delta(delta)
    count, share = _check_steps(steps, sampling)

    if share < 1 and _ever_sampled(count, share) <= delta:
        raise ValueError(
            "delta must be below the probability of being sampled at all, got "
            f"{delta:g} for {_ever_sampled(count, share):.3g}; it asks for no noise, and "
            "publishes each person sampled"
        )

    def fits(sigma: float) -> bool:
        if share == 1:
            return gaussian_level(sigma, delta=delta, steps=count) <= epsilon
        return _sampled_level(sigma, delta, count, share, "none", _COARSE) <= epsilon

    high = 1.0
    while not fits(high):
        high *= 2
        if high > _MOST_NOISE:
            raise ValueError(
                f"epsilon must be reached by noise of at most {_MOST_NOISE:g}, got {epsilon:g}; "
                "take fewer steps or a larger epsilon"
            )
    while high > _LEAST_NOISE and fits(high / 2):
        high /= 2
    low = high / 2
    while high > 1.001 * low:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if fits(middle) else (middle, high)
    # what is stated is counted on the finer grid, which may be a hair above the coarse one
    while gaussian_level(high, delta=delta, steps=count, sampling=share) > epsilon:
        high *= 1.001
    return high


_LOSSES = np.linspace(0, 12, 241)  # levels whose lines together bound a trade-off curve


# The release of both mechanisms, and the use that a device of one user makes of it.


@dataclass(frozen=True, eq=False)
class ItemModel:
    """Published model of the items, with which each user's own device scores the user's own row.

    What it computes from both is free as long as its owner alone sees it: `scores` of many users,
    published, would need noise of their own.

    Attributes
    ----------
    means : array, shape (items,)
        Where a prediction starts, on the scale of `values`: 0 for likes.
    factors : array, shape (items, rank)
    ridge : float
        How strongly a user's own coefficients are drawn to 0.
    rating_range : pair of float, or None
        Lowest and highest rating; None for likes.
    """

    means: np.ndarray
    factors: np.ndarray
    ridge: float
    rating_range: tuple[float, float] | None

    def scores(self, ratings: sparse.csr_array) -> np.ndarray:
        """Predict all cells of some users from these users' own rows.

        Parameters
        ----------
        ratings : csr_array, shape (users, items)
            On the scale of the data; no row looks at another.

        Returns
        -------
        array, shape (users, items)
            Ratings within the range, or scores of likes, of which only the order counts.
        """
        coefficients, design = _coefficients(_scale_ratings(ratings, self.rating_range), self)
        if self.rating_range is None:
            return coefficients @ design.T
        low, high = self.rating_range
        estimates = self.means + coefficients @ design.T
        return np.asarray(np.clip((low + high) / 2 + estimates * (high - low) / 2, low, high))


def _scale_ratings(ratings: sparse.csr_array, rating_range: tuple[float, float] | None) -> Any:
    """Stored ratings as numbers in [-1, 1] by the public range, likes as ones."""
    if rating_range is None:
        return ratings.astype(np.float64)
    low, high = rating_range
    middle, half = (low + high) / 2, (high - low) / 2
    return _with_data(ratings, (ratings.data.astype(np.float64) - middle) / half)


def _with_data(table: sparse.csr_array, data: np.ndarray) -> sparse.csr_array:
    """The same cells with other numbers in them."""
    return sparse.csr_array((data, table.indices, table.indptr), shape=table.shape)


_OWN = 1.0  # ratings at the mean of all that a user's own mean counts besides


def _coefficients(table: sparse.csr_array, model: ItemModel) -> tuple[np.ndarray, np.ndarray]:
    """Ridge regression of each user's own row on the design of the items: users x columns.

    A like that is not stored is a 0; a rating that is not stored is not known. Ratings get a
    column of ones besides, for users who rate high or low.
    """
    factors, ridge = model.factors, model.ridge
    if model.rating_range is None:
        gram = factors.T @ factors + ridge * np.eye(factors.shape[1])
        return np.linalg.solve(gram, (table @ factors).T).T, factors
    design = np.column_stack([np.ones(len(factors)), factors])
    size, known = design.shape[1], _with_data(table, np.ones(table.nnz))
    products = (design[:, :, None] * design[:, None, :]).reshape(len(design), -1)
    penalty = np.diag([_OWN] + [ridge] * (size - 1))
    grams = (known @ products).reshape(-1, size, size) + penalty
    rest = _with_data(table, table.data - model.means[table.indices])
    return np.linalg.solve(grams, (rest @ design)[:, :, None])[:, :, 0], design


class _ForAPerson(OnUsersAndItems):
    """The part that both mechanisms share: the unit, and how ratings are read."""

    unit, reads = "user", "ratings"
    noise: float
    delta: float
    rating_range: Any

    def __post_init__(self) -> None:
        checks.check_not_negative("noise", self.noise)
        checks.check_privacy_delta(self.delta)
        if self.rating_range is not None:
            object.__setattr__(self, "rating_range", checks.check_rating_range(self.rating_range))

    @property
    def epsilon(self) -> float:
        """The level for a person whose ratings are replaced by none; infinity without noise."""
        steps, sampling = self._counted()
        return gaussian_level(self.noise, delta=self.delta, steps=steps, sampling=sampling)

    def trade_off(self, false_alarms: Any) -> np.ndarray:
        """Bound from below the misses of any test for one person, at these shares of false alarms.

        That test may see all that was published on the way, step by step.
        """
        alarms, noise = np.asarray(false_alarms, dtype=float), float(self.noise)
        steps, sampling = self._counted()
        if not noise:
            return np.zeros_like(alarms)
        if sampling == 1:
            return gaussian_curve(alarms, mu=math.sqrt(steps) / noise)
        # of sampled steps by (epsilon, delta) lines
        accountant = _accountant(noise, steps, sampling, "exact", "none")
        lines = [pure_curve(alarms, epsilon=x, delta=accountant.get_delta(x)) for x in _LOSSES]
        return np.asarray(np.max(lines, axis=0))

    def _told(self, people: Any, release: Any) -> Any:  # noqa: ARG002  # a model numbers the items
        return release

    def _counted(self) -> tuple[int, float]:
        """Steps, and the sampling that is counted in each."""
        return 1, 1.0

    def _read(self, data: GraphLike) -> sparse.csr_array:
        low, high = self.rating_range or (1, 1)
        if low <= 0 <= high and not (sparse.issparse(data) or isinstance(data, Labelled)):
            checks.check_no_zero(self.reads, data)
        table = self._table(data)
        good = (table.data >= low) & (table.data <= high)
        if not good.all():
            legal = "likes, stored as 1" if self.rating_range is None else f"in [{low:g}, {high:g}]"
            strange = table.data[~good][0]
            raise ValueError(
                f"ratings must be {legal}, got {strange}; state rating_range=(low, high)"
            )
        return table


def _clip_factors(lengths: np.ndarray, clip: float) -> np.ndarray:
    """Factors that bring vectors of these lengths to at most the clip; empty ones stay empty."""
    return np.asarray(clip / np.maximum(lengths, clip))


def _row_sums(table: sparse.csr_array, values: np.ndarray) -> np.ndarray:
    return np.bincount(rows_of_entries(table), weights=values, minlength=table.shape[0])


# Noisy item covariance (McSherry and Mironov 2009).


@dataclass(frozen=True, eq=False)
class ItemCovariance:
    """Noisy sums of clipped users.

    Attributes
    ----------
    sums : array, shape (1, items) for likes, (2, items) for ratings
        Sums of the clipped rows; for ratings the second row counts who rated, clipped alike.
    means : array, shape (items,)
        Made of the sums: mean ratings on a scale from -1 to 1, or zeros for likes.
    covariance : array, shape (items, items)
        Sum over users of the products of a clipped row with itself.
    edge : float
        Largest eigenvalue that the noise alone would have on that many items (semicircle law).
    rating_range : pair of float, or None
    """

    sums: np.ndarray
    means: np.ndarray
    covariance: np.ndarray
    edge: float
    rating_range: tuple[float, float] | None

    def model(self, *, rank: int, ridge: float) -> ItemModel:
        """Keep at most ``rank`` leading directions, those that noise alone seldom makes.

        For likes the noisy sums are one direction more.
        """
        most = checks.check_integer("rank", rank, minimum=1, maximum=len(self.covariance))
        strength = checks.check_positive("ridge", ridge)
        size = len(self.covariance)
        ends = (size - most, size - 1)
        with threadpool_limits(limits=1, user_api="blas"):
            values, vectors = scipy.linalg.eigh(self.covariance, subset_by_index=ends)
        real = values > max(self.edge, 1e-9 * abs(values[-1]))
        kept = vectors[:, real] * np.sqrt(size * values[real] / max(values[-1], 1e-300))
        if len(self.sums) < 2:
            kept = np.linalg.qr(np.column_stack([kept, self.sums[0]]))[0] * math.sqrt(size)
        return ItemModel(self.means, kept, strength, self.rating_range)


_PRIOR, _SPREAD = 2.0, 0.25  # ratings, clipped, at the mean of all; spread of means on [-1, 1]


def _means(sums: np.ndarray, scale: float) -> np.ndarray:
    """Item means, nearer to that of all the fewer ratings and the more noise there is."""
    total, count = sums.sum(axis=1)
    everywhere = float(np.clip(total / max(count, 1.0), -1, 1))
    counted = np.maximum(sums[1], 0)
    weight = counted / np.maximum(counted**2 + _PRIOR * counted + (scale / _SPREAD) ** 2, 1e-12)
    return np.asarray(np.clip(everywhere + weight * (sums[0] - everywhere * sums[1]), -1, 1))


@dataclass(frozen=True, kw_only=True)
class NoisyCovariance(_ForAPerson):
    """Sums and item covariance of clipped users, with Gaussian noise.

    First each user's row (for ratings with the row of who rated what beside it) is shortened to
    length ``clip``, and the rows are added up with noise. For ratings the noisy means that follow
    are taken off, and each user's own mean. Then each row y is shortened again, and the products
    y y' are added up with noise.

    Parameters
    ----------
    noise : float
        Noise multiplier of the whole release, from 0; see `gaussian_level`.
    delta : float
        In (0, 1).
    rating_range : pair of float, optional
        Lowest and highest rating, public. Without it the data are likes, stored as 1.
    clip : float
        Largest length of a user's row, for ratings in halves of the rating range.
    share : float
        What the sums get of the budget, in (0, 1): their noise multiplier is noise / sqrt(share),
        that of the covariance noise / sqrt(1 - share).

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or the data are not what ``rating_range`` says.

    Notes
    -----
    A user's sums have length at most c = ``clip``, and without ratings 0: so c is the sensitivity.
    The covariance is symmetric and is noised in the coordinates in which its Euclidean length is
    the Frobenius norm: those of y y' are |y|^2 <= c^2. That is (E + E') / 2 for a matrix E of
    independent noise. Both steps are Gaussian mechanisms, the second of which may look at what the
    first published; together they are as private as one with 1/noise^2 = share/noise^2 +
    (1 - share)/noise^2 (Dong, Roth and Su 2022, Corollary 2). Where ratings could be replaced by
    *any* others, sums would move by sqrt(2) c and the covariance by sqrt(2) c^2, since no two of
    these vectors point away from each other: as noise / sqrt(2) does. ``neighbours="another"`` of
    `gaussian_level` is for vectors that may, and states more than is needed here.

    References
    ----------
    McSherry and Mironov 2009, Differentially private recommender systems, doi
    10.1145/1557019.1557090; Dong, Roth and Su 2022, Gaussian differential privacy, doi
    10.1111/rssb.12454.

    Examples
    --------
    >>> exact = NoisyCovariance(noise=0, delta=1e-5, clip=1.0)
    >>> release = exact.sample([[1, 1], [1, 0]])
    >>> release.covariance.round(2)
    array([[1.5, 0.5],
           [0.5, 0.5]])
    >>> exact.epsilon
    inf
    """

    noise: float
    delta: float = field()
    rating_range: Any = None
    clip: float = 1.0
    share: float = 0.2

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.check_positive("clip", self.clip)
        checks.check_open("share", self.share, meaning="it is the share of the budget for the sums")

    def _draw(self, checked: sparse.csr_array, rng: np.random.Generator) -> Any:
        shape = checked.shape[1], checked.shape[1]
        checks.check_dense_room("the covariance of items x items", shape, limit=DENSE_LIMIT)
        table, clip = _scale_ratings(checked, self.rating_range), float(self.clip)
        squares = table.data**2 + (self.rating_range is not None)
        weights = _clip_factors(np.sqrt(_row_sums(table, squares)), clip)
        sums = [weights @ table]
        if self.rating_range is not None:
            sums.append(weights @ _with_data(table, np.ones(table.nnz)))
        scale = float(self.noise) * clip / math.sqrt(self.share)
        noisy = np.array(sums) + scale * rng.standard_normal((len(sums), table.shape[1]))
        means = np.zeros(table.shape[1])
        if self.rating_range is not None:
            means = _means(noisy, scale)
            table.data -= means[table.indices]
            user_means = _row_sums(table, table.data) / np.maximum(np.diff(table.indptr), 1)
            table.data -= np.repeat(user_means, np.diff(table.indptr))
        factors = _clip_factors(np.sqrt(_row_sums(table, table.data**2)), clip)
        shortened = table.data * np.repeat(factors, np.diff(table.indptr))
        covariance = _gram(_with_data(table, shortened))
        scale = float(self.noise) * clip**2 / math.sqrt(1 - self.share)
        if scale:
            noise = rng.standard_normal(covariance.shape)
            covariance += (scale / 2) * (noise + noise.T)
        edge = scale * math.sqrt(2 * table.shape[1])
        return ItemCovariance(noisy, means, covariance, edge, self.rating_range)


_ROWS_AT_ONCE = 512


def _gram(rows: sparse.csr_array) -> np.ndarray:
    """Products of columns, a block of users at a time: items x items."""
    total, rows = np.zeros((rows.shape[1], rows.shape[1])), rows[np.diff(rows.indptr) > 0]
    for first in range(0, rows.shape[0], _ROWS_AT_ONCE):
        block = rows[first : first + _ROWS_AT_ONCE].toarray()
        total += block.T @ block
    return total


# Factorisation by clipped noisy gradients.

_ACCOUNTINGS = {"poisson": "poisson", "epochs": "shuffled"}  # what each assumes of the batches


@dataclass(frozen=True, kw_only=True)
class NoisyFactorisation(_ForAPerson):
    """Item factors by gradient descent, each user's gradient clipped, their sum noised.

    A step draws users, solves each one's own ridge regression on the factors published so far, and
    takes the gradient of that user's squared error in the factors of all items. It is shortened to
    length ``clip``; their sum gets noise, and is divided by the *expected* number of users drawn,
    ``sampling`` times all users of the frame. An empty batch is a step with noise alone.

    Parameters
    ----------
    noise : float
        Noise multiplier of one step, from 0: noise per coordinate over ``clip``.
    delta : float
        In (0, 1).
    steps : int
    sampling : float
        Share of the users in a step, in (0, 1].
    rating_range : pair of float, optional
        Lowest and highest rating, public. Without it the data are likes, stored as 1.
    rank : int
        Factors of an item.
    clip, rate, ridge : float
        Largest length of a user's gradient; length of a step; strength of the user's regression.
    batches : {"poisson", "shuffled"}
        "poisson": each user takes part in a step with probability ``sampling``, independently.
        "shuffled": the users are shuffled, and cut into 1 / ``sampling`` parts, again and again.
    accounting : {"poisson", "epochs"}
        How the level is counted; it must fit the batches. "poisson" counts that an observer does
        not know who was drawn, step by step. "epochs" counts one step without sampling for each
        time that all users are gone through; less is not claimed for shuffled batches.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or the accounting assumes other batches.

    Notes
    -----
    A user without ratings is drawn like all others, and has gradient 0; so the gradient sum moves
    by at most ``clip`` where a drawn user's ratings are replaced by none. The user's own
    coefficients follow from the user's row and from what is published, and stay on the device.
    The gradient of one user is an outer product of the errors and the coefficients: its length is
    the product of both lengths. All factors on the way count as published.

    A shuffled batch has a fixed size, and who is in one batch is in no other of its epoch. Its
    level can be far above that of Poisson sampling (Chua and others 2024).

    References
    ----------
    Abadi and others 2016, Deep learning with differential privacy, Algorithm 1, doi
    10.1145/2976749.2978318; Chua and others 2024, How private are DP-SGD implementations?, arXiv
    2403.17673.

    Examples
    --------
    >>> made = dict(noise=0, delta=1e-5, steps=200, sampling=1, rank=1, clip=9, rate=2, ridge=0.01)
    >>> exact = NoisyFactorisation(batches="poisson", accounting="poisson", **made)
    >>> factor = exact.sample([[1, 1], [1, 0]], rng=1).factors[:, 0]
    >>> np.abs(factor / np.linalg.norm(factor)).round(2)
    array([0.85, 0.53])
    """

    noise: float
    delta: float = field()
    steps: int
    sampling: float
    rank: int
    clip: float
    rate: float
    ridge: float
    batches: str
    accounting: str
    rating_range: Any = None

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.check_integer("steps", self.steps, minimum=1)
        _check_sampling(self.sampling)
        checks.check_integer("rank", self.rank, minimum=1)
        for name in ("clip", "rate", "ridge"):
            checks.check_positive(name, getattr(self, name))
        checks.check_choice("batches", self.batches, _ACCOUNTINGS.values())
        checks.check_choice("accounting", self.accounting, _ACCOUNTINGS)
        if _ACCOUNTINGS[self.accounting] != self.batches:
            raise ValueError(
                f"accounting {self.accounting!r} must come with batches "
                f"{_ACCOUNTINGS[self.accounting]!r}, got {self.batches!r}: its level holds for no "
                "others; change one of the two"
            )

    def _counted(self) -> tuple[int, float]:
        if self.accounting == "poisson":
            return self.steps, float(self.sampling)
        return math.ceil(self.steps / _parts(self.sampling)), 1.0

    def _draw(self, checked: sparse.csr_array, rng: np.random.Generator) -> Any:
        return deque(self.walk(checked, rng), maxlen=1).pop()[0]

    def walk(
        self, checked: sparse.csr_array, rng: np.random.Generator
    ) -> Iterator[tuple[ItemModel, np.ndarray]]:
        """Yield the model after each step, and the noisy gradient sum of the step."""
        table = _scale_ratings(checked, self.rating_range)
        items, expected = table.shape[1], float(self.sampling) * table.shape[0]
        factors = np.random.default_rng(_START).standard_normal((items, self.rank))
        model = ItemModel(np.zeros(items), factors, self.ridge, self.rating_range)
        scale, most = float(self.noise) * float(self.clip), self._most(items)
        for batch in self._batches(table.shape[0], rng):
            total = self._gradient(table[batch], model)
            total += scale * rng.standard_normal(total.shape)
            step = float(self.rate) * total / expected
            split = total.shape[1] - self.rank  # one column of means, for ratings
            moved = model.means - step[:, :split].sum(axis=1)
            means = np.clip(moved, -_MOST_FACTOR, _MOST_FACTOR)
            factors = np.clip(model.factors - step[:, split:], -most, most)
            model = ItemModel(means, factors, self.ridge, self.rating_range)
            yield model, total

    def _most(self, items: int) -> float:
        """Size of factors up to which no regression on them is singular, whatever a user rated.

        The ridge is then far above the rounding of products: an error would tell of the data.
        """
        rounding = 64 * np.finfo(float).eps * items * self.rank
        if not self.ridge >= rounding * _LEAST_FACTOR**2:
            raise ValueError(
                f"ridge must be at least {rounding * _LEAST_FACTOR**2:.2g} for {items:,} items and "
                f"rank {self.rank}, got {self.ridge:g}; below, a user's regression may be singular"
            )
        return min(_MOST_FACTOR, math.sqrt(self.ridge / rounding))

    def _batches(self, users: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
        if self.batches == "poisson":
            for _ in range(self.steps):
                yield np.flatnonzero(rng.random(users) < self.sampling)
            return
        parts = _parts(self.sampling)
        for number in range(self.steps):
            if number % parts == 0:
                cut = np.array_split(rng.permutation(users), parts)
            yield np.sort(cut[number % parts])

    def _gradient(self, batch: sparse.csr_array, model: ItemModel) -> np.ndarray:
        """Sum of the clipped gradients of some users: items x columns (means first, if any)."""
        coefficients, design = _coefficients(batch, model)
        if self.rating_range is None:
            inner = np.sum(coefficients * (batch @ design), axis=1)
            gram = design.T @ design
            squares = np.einsum("ui,ij,uj->u", coefficients, gram, coefficients) - 2 * inner
            lengths = np.sqrt(np.maximum(squares + _row_sums(batch, batch.data**2), 0))
            lengths *= np.linalg.norm(coefficients, axis=1)
            weighted = coefficients * _clip_factors(lengths, self.clip)[:, None]
            return design @ (coefficients.T @ weighted) - batch.T @ weighted
        fitted = np.sum(coefficients[rows_of_entries(batch)] * design[batch.indices], axis=1)
        errors = _with_data(batch, model.means[batch.indices] + fitted - batch.data)
        # means have coefficient 1
        moved = np.column_stack([np.ones(len(coefficients)), coefficients[:, 1:]])
        lengths = np.sqrt(_row_sums(errors, errors.data**2)) * np.linalg.norm(moved, axis=1)
        return np.asarray(errors.T @ (moved * _clip_factors(lengths, self.clip)[:, None]))


_MOST_FACTOR, _LEAST_FACTOR = 1e6, 10.0  # below, the bound would cut the first factors
_START = 0  # seed of the first factors: public, and the same for all data


def _parts(sampling: float) -> int:
    return max(1, math.floor(1 / sampling + 1e-9))
