"""A recommender with a promise for a person: use by level, the audit, and membership inference.

The rules, written before the first run on real data. People and items: the whole public frame. For
likes a fifth is held out, and recommended from the published model by the user's own device: recall
at 20 on MovieLens (likes from four stars), at 10 on Jester (jokes rated 5 or better). For ratings a
fifth is held out and predicted: root mean square error. Each number is the mean over ten seeds with
its 95 % interval. Each row is a release of its own: likes and ratings together cost more.

Level: all ratings of one user replaced by none, delta = 1e-5, exact by dp-accounting. Clip, rank,
rate and ridge were chosen on the stand-ins, whose data are nobody's. Randomized response gets the
level of a person by group privacy: epsilon over the number of items for each cell of a row.

With a cap (rule of its own, with fresh seeds, written before its run; two caps had been tried on
one seed of these data before): each user keeps at most c likes drawn at random, and each cell is
flipped at epsilon / c, so that a row against none has level epsilon. The cap is made of epsilon and
the public number of items alone (`cap_for`). Items are ranked by the sums of the columns, one list
for all. The rival that decides counts the same kept likes with central Laplace noise of scale
c / epsilon. Popularity without protection, flips without a cap and the noisy covariance at
epsilon = 1 see the same splits. What other caps would have given is stored apart, and no rule
reads it: choosing among them would be a look at the data.

Worst pair: one clipped user, all else nothing; the claimed curve is tested on 20,000 releases, with
noise at a share of the stated scale. Membership: eight people, fixed by their place in the frame,
each in or out by a coin with everybody else; intervals for each of them, all of them right in 95 %
of runs, level by level.
"""

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from pplab.attacks.person import audit_person
from pplab.compiled import new_key
from pplab.datasets.catalog import Dataset
from pplab.recommenders import private
from pplab.recommenders.private import NoisyCovariance, gaussian_level, noise_for
from pplab.recommenders.top_items import laplace_rows
from pplab.response.levels import epsilon_to_flip
from pplab.response.noise_graph import bipartite_noise_graph
from pplab_papers.yardstick.compare import Row, interval

LEVELS, ATTACKED, DELTA = (math.inf, 8.0, 3.0, 1.0), (math.inf, 8.0, 1.0), 1e-5
COVARIANCE, FACTORISATION, NOISE = "noisy covariance", "noisy factorisation", "noise graph"
FLIPS, COUNTS, POPULARITY = "capped flips", "capped counts", "popularity"
OTHER_CAPS = (1, 2, 5, 10, 20)
Measured = tuple[str, str, str, int | None]  # quantity, family, level and cap
HELD_OUT = 0.2
SETTINGS: dict[str, dict[str, Any]] = {
    "movielens-100k": {"range": (1, 5), "like": 4, "top": 20, "sampling": 0.2},
    "jester": {"range": (-10, 10), "like": 5, "top": 10, "sampling": 0.02},
}
STEPS = 100
LIKES: dict[str, Any] = {"rank": 10, "ridge": 1e-6}  # of the covariance
RATINGS: dict[str, Any] = {"rank": 5, "ridge": 30.0}
WALKS: dict[bool, dict[str, Any]] = {  # of the factorisation: for likes, for ratings
    True: {"rank": 5, "rate": 30.0, "clip": 1.0, "ridge": 10.0},
    False: {"rank": 2, "rate": 1.0, "clip": 1.0, "ridge": 10.0},
}
SCALES = (1.0, 0.99, 0.98, 0.97, 0.96, 0.95, 0.94, 0.93, 0.92, 0.9, 0.85, 0.8, 0.5)
PERSONS, LEAST = 8, 20  # attacked, and the likes that each has
_UNCLIPPED = 1e6


def person(people: Dataset, *, rng: int, seeds: int = 10) -> pd.DataFrame:
    """Measure recall and error at each level, with randomized response and unprotected rivals."""
    table = sparse.csr_array(people.ratings, dtype=np.float64)
    return pd.DataFrame(_uses(people.name, table, np.random.default_rng(rng), seeds))


def audit(
    movielens: Dataset, *, rng: int, runs: int = 10, samples: int = 20_000, draws: int = 200
) -> pd.DataFrame:
    """Give levels by each accountant, the audit on the worst pair, and membership inference."""
    one, other = np.random.default_rng(rng).spawn(2)
    likes = _likes(sparse.csr_array(movielens.ratings, dtype=np.float64), 4)
    rows = [*_levels(), *_worst_pair(one, runs, samples), *_membership(likes, other, draws)]
    return pd.DataFrame(rows)


def _name(level: float) -> str:
    return "inf" if math.isinf(level) else f"{level:g}"


def _levels() -> Iterator[Row]:
    """One Gaussian step by three conversions, and a hundred sampled steps."""
    for conversion in ("mironov", "renyi", "exact"):
        value = gaussian_level(1.0, delta=DELTA, conversion=conversion)
        yield {"quantity": "level", "setting": "one step", "conversion": conversion, "value": value}
    sampled: dict[str, Any] = {"delta": DELTA, "steps": 100, "sampling": 0.05}
    for neighbours in ("none", "another"):
        value = gaussian_level(1.0, neighbours=neighbours, **sampled)
        yield {"quantity": "level", "setting": f"100 sampled steps, {neighbours}", "value": value}
    value = gaussian_level(1.0, delta=DELTA, steps=5)
    yield {"quantity": "level", "setting": "100 shuffled steps", "value": value}


# Use: recall of held-out likes, error of held-out ratings.


def _likes(table: sparse.csr_array, least: float) -> sparse.csr_array:
    cells = table.tocoo()
    kept = cells.data >= least
    ones = np.ones(int(kept.sum()))
    return sparse.csr_array((ones, (cells.row[kept], cells.col[kept])), shape=table.shape)


def _split(
    table: sparse.csr_array, rng: np.random.Generator
) -> tuple[sparse.csr_array, sparse.csr_array]:
    cells, hidden = table.tocoo(), rng.random(table.nnz) < HELD_OUT
    parts = []
    for kept in (~hidden, hidden):
        stored = cells.data[kept], (cells.row[kept], cells.col[kept])
        parts.append(sparse.csr_array(stored, shape=table.shape))
    return parts[0], parts[1]


def _recall(
    scores: np.ndarray, known_likes: sparse.csr_array, hidden: sparse.csr_array, top: int
) -> float:
    scores = np.array(scores)
    scores[known_likes.tocoo().coords] = -np.inf
    best = np.argpartition(-scores, top, axis=1)[:, :top]
    liked = np.zeros(scores.shape, dtype=bool)
    liked[hidden.tocoo().coords] = True
    count = liked.sum(axis=1)
    hits = np.take_along_axis(liked, best, axis=1).sum(axis=1)
    return float(np.mean(hits[count > 0] / np.minimum(count[count > 0], top)))


def _error(scores: np.ndarray, hidden: sparse.csr_array) -> float:
    cells = hidden.tocoo()
    return float(np.sqrt(np.mean((scores[cells.coords] - cells.data) ** 2)))


def _uses(
    name: str, table: sparse.csr_array, rng: np.random.Generator, seeds: int
) -> Iterator[Row]:
    setting = SETTINGS[name]
    sampling = setting["sampling"]
    noises = {
        level: (
            noise_for(level, delta=DELTA),
            noise_for(level, delta=DELTA, steps=STEPS, sampling=sampling),
        )
        for level in LEVELS
    }
    measured: dict[tuple[str, str, str], list[float]] = {}
    for stream in rng.spawn(seeds):
        likes, ratings = _split(_likes(table, setting["like"]), stream), _split(table, stream)

        def use(family: str, level: str, scores: np.ndarray, likes: Any = likes) -> None:
            recall = _recall(scores, likes[0], likes[1], setting["top"])
            measured.setdefault(("recall", family, level), []).append(recall)

        def fit(family: str, level: str, scores: np.ndarray, hidden: Any = ratings[1]) -> None:
            measured.setdefault(("rmse", family, level), []).append(_error(scores, hidden))

        _baselines(likes[0], ratings[0], use, fit, setting["range"], stream)
        for level, (whole, step) in noises.items():
            for of_likes in (True, False):
                known_ratings = likes[0] if of_likes else ratings[0]
                scale = None if of_likes else setting["range"]
                covariance = NoisyCovariance(noise=whole, delta=DELTA, rating_range=scale)
                walk = private.NoisyFactorisation(
                    noise=step, delta=DELTA, steps=STEPS, sampling=sampling, rating_range=scale,
                    batches="poisson", accounting="poisson", **WALKS[of_likes],
                )  # fmt: skip
                options = LIKES if of_likes else RATINGS
                models = {
                    COVARIANCE: covariance.sample(known_ratings, rng=stream).model(**options),
                    FACTORISATION: walk.sample(known_ratings, rng=stream),
                }
                for family, model in models.items():
                    (use if of_likes else fit)(family, _name(level), model.scores(known_ratings))
            if math.isfinite(level):
                use(NOISE, _name(level), _flip_likes(likes[0], level, stream).scores(likes[0]))
    for (quantity, family, named), values in measured.items():
        row = {"quantity": quantity, "data": name, "family": family, "epsilon": named}
        yield row | interval(values)
    for level, pair in noises.items():
        for family, noise in zip((COVARIANCE, FACTORISATION), pair, strict=True):
            row = {"quantity": "noise", "data": name, "family": family, "epsilon": _name(level)}
            yield row | {"value": noise}


def _baselines(
    likes: sparse.csr_array, ratings: sparse.csr_array, use: Any, fit: Any, scale: Any, rng: Any
) -> None:
    """Estimates without noise, and those of a device alone."""
    plain = NoisyCovariance(noise=0, delta=DELTA, clip=_UNCLIPPED)
    use("no protection", "", plain.sample(likes, rng=rng).model(**LIKES).scores(likes))
    popular = np.asarray(likes.sum(axis=0))[None]
    use(POPULARITY, "", np.repeat(popular, likes.shape[0], axis=0))
    count = np.maximum(np.diff(ratings.indptr), 1)
    user_means = np.asarray(ratings.sum(axis=1)) / count
    user_means[np.diff(ratings.indptr) == 0] = sum(scale) / 2
    fit("own mean", "", np.repeat(user_means[:, None], ratings.shape[1], axis=1))
    plain = NoisyCovariance(noise=0, delta=DELTA, clip=_UNCLIPPED, rating_range=scale)
    model = plain.sample(ratings, rng=rng).model(**RATINGS)
    fit("no protection", "", model.scores(ratings))


def _flip_likes(likes: sparse.csr_array, level: float, rng: np.random.Generator) -> Any:
    """Item model from randomized response at the level of a person: every cell of a row counts."""
    users, items = likes.shape
    flip = float(epsilon_to_flip(level / items))
    noisy = bipartite_noise_graph(likes.astype(np.int8), flip_probability=flip, rng=rng)
    cells = (noisy.toarray() - flip) / (1 - 2 * flip)
    spread = flip * (1 - flip) / (1 - 2 * flip) ** 2
    covariance = cells.T @ cells - users * spread * np.eye(items)
    edge = spread * (items + 2 * math.sqrt(users * items))  # largest eigenvalue of noise alone
    sums = cells.sum(axis=0)[None]
    return private.ItemCovariance(sums, np.zeros(items), covariance, edge, None).model(**LIKES)


# Randomized response with a cap, and the counts that it is to be held against.


def capped(people: Dataset, *, rng: int, seeds: int = 10) -> pd.DataFrame:
    """Measure the recall of flips with a cap, of central counts, and of what they compete with."""
    setting = SETTINGS[people.name]
    likes = _likes(sparse.csr_array(people.ratings, dtype=np.float64), setting["like"])
    levels = [level for level in LEVELS if math.isfinite(level)]
    caps = {level: cap_for(level, likes.shape[1]) for level in levels}
    covariance = NoisyCovariance(noise=noise_for(1.0, delta=DELTA), delta=DELTA)
    measured: dict[Measured, list[float]] = {}
    for stream in np.random.default_rng(rng).spawn(seeds):
        shown, hidden = _split(likes, stream)
        model = covariance.sample(shown, rng=stream).model(**LIKES)
        scores: dict[Measured, np.ndarray] = {
            ("recall", POPULARITY, "", None): np.asarray(shown.sum(axis=0)),
            ("recall", COVARIANCE, _name(1.0), None): model.scores(shown),
        }
        for level, cap in caps.items():
            without = _flip_likes(shown, level, stream).scores(shown)
            scores["recall", NOISE, _name(level), None] = without
            tried = [("recall", cap), *(("recall by cap", other) for other in OTHER_CAPS)]
            ways = ((FLIPS, flipped_sums), (COUNTS, noisy_counts))
            for (quantity, limit), (family, sums) in product(tried, ways):
                named = (quantity, family, _name(level), limit)
                scores[named] = sums(shown, limit, level, stream)
        for named, each in scores.items():  # a list for each user, or one for all
            result = _recall(np.broadcast_to(each, shown.shape), shown, hidden, setting["top"])
            measured.setdefault(named, []).append(result)
    rows = []
    for (quantity, family, released, kept), values in measured.items():
        row: Row = {"quantity": quantity, "data": people.name, "family": family}
        rows.append(row | {"epsilon": released, "cap": kept} | interval(values))
    return pd.DataFrame(rows)


def cap_for(level: float, items: int) -> int:
    """Cap on the likes of a user, from what is public: the one that estimates a count best.

    With cap c an item of equal share has n c / m kept likes of n users, which chance draws, and the
    flips at level / c add n / (4 sinh(level / 2c)^2) to the variance of the estimate. The square of
    the relative error is 1 / n times what is minimised here; the number of users plays no part.
    """
    caps = np.arange(1, items + 1)
    of_flips = (items / (2 * caps * np.sinh(level / (2 * caps)))) ** 2
    return int(caps[np.argmin(items / caps + of_flips)])


def kept_likes(likes: sparse.csr_array, cap: int, rng: np.random.Generator) -> sparse.csr_array:
    """At most ``cap`` likes of each user, drawn at random."""
    cells = likes.tocoo()
    order = np.lexsort((rng.random(cells.nnz), cells.row))
    row, col = cells.row[order], cells.col[order]
    kept = np.arange(len(row)) - likes.indptr[row] < cap
    return sparse.csr_array((np.ones(int(kept.sum())), (row[kept], col[kept])), shape=likes.shape)


def flipped_sums(
    likes: sparse.csr_array, cap: int, level: float, rng: np.random.Generator
) -> np.ndarray:
    """Sums of the columns after randomized response on the kept likes, without trusting anybody."""
    kept = kept_likes(likes, cap, rng).astype(np.int8)
    flip = float(epsilon_to_flip(level / cap))
    noisy = bipartite_noise_graph(kept, flip_probability=flip, rng=rng)
    return np.asarray(noisy.sum(axis=0), dtype=np.float64)


def noisy_counts(
    likes: sparse.csr_array, cap: int, level: float, rng: np.random.Generator
) -> np.ndarray:
    """Counts of the kept likes with Laplace noise of scale cap / level: a server is trusted."""
    counts = np.asarray(kept_likes(likes, cap, rng).sum(axis=0))
    return counts + cap / level * laplace_rows(new_key(rng), [0], likes.shape[1])[0]


# The audit on the worst pair.


def _worst_pair(rng: np.random.Generator, runs: int, samples: int) -> Iterator[Row]:
    """Share of runs in which noise at a share of the stated scale is refuted.

    What the audit looks at is a signal plus noise, so that noise at a share of the scale is the
    noise at the stated scale times that share.
    """
    stated = NoisyCovariance(noise=1.0, delta=DELTA)
    refuted = dict.fromkeys(SCALES, 0)
    for stream in rng.spawn(runs):
        leaning, member = canary(stated, samples, stream)
        for scale in SCALES:
            seen = member + scale * (leaning - member)
            audit = audit_person(seen, member, delta=DELTA, alpha=0.05, trade_off=stated.trade_off)
            refuted[scale] += audit.refuted
    for scale, count in refuted.items():
        row = {"quantity": "refuted", "scale": scale, "samples": samples}
        yield row | {"value": count / runs, "runs": runs}


def canary(
    mechanism: NoisyCovariance, draws: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw releases with or without one clipped user, by a coin, and correlate each with it."""
    member = rng.random(draws) < 0.5
    leaning, share = np.empty(draws), mechanism.share
    for side, data in ((True, sparse.csr_array([[1.0]])), (False, sparse.csr_array((1, 1)))):
        releases = mechanism.sample_many(data, int(np.sum(member == side)), rng=rng)
        cells = np.array([(each.sums[0, 0], each.covariance[0, 0]) for each in releases]).reshape(
            -1, 2
        )
        leaning[member == side] = share * cells[:, 0] + (1 - share) * cells[:, 1]
    return leaning, member


# Membership inference.


def _membership(likes: sparse.csr_array, rng: np.random.Generator, draws: int) -> Iterator[Row]:
    """Lower bounds on epsilon, person by person, from releases of random halves of the users."""
    chosen = np.flatnonzero(np.diff(likes.indptr) >= LEAST)[:PERSONS]
    rows = likes[chosen].toarray()
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    mechanisms = [NoisyCovariance(noise=noise_for(e, delta=DELTA), delta=DELTA) for e in ATTACKED]
    share = mechanisms[0].share
    inside = np.empty((draws, len(chosen)), dtype=bool)
    leaning = np.empty((len(ATTACKED), draws, len(chosen)))
    for draw in range(draws):
        members = rng.random(likes.shape[0]) < 0.5
        inside[draw] = members[chosen]
        half = sparse.csr_array(sparse.diags_array(members.astype(float)) @ likes)
        half.eliminate_zeros()
        for place, mechanism in enumerate(mechanisms):
            release = mechanism.sample(half, rng=rng)
            products = np.einsum("pi,ij,pj->p", rows, release.covariance, rows, optimize=True)
            leaning[place, draw] = share * rows @ release.sums[0] + (1 - share) * products
    head: Row = {"quantity": "membership", "data": "movielens-100k", "family": COVARIANCE}
    counts = ("hits", "members", "false_alarms", "others")
    limits: Row = {"delta": DELTA, "alpha": 0.05 / len(chosen)}
    for place, level in enumerate(ATTACKED):
        for number in range(len(chosen)):
            audit = audit_person(leaning[place, :, number], inside[:, number], **limits)
            row = head | {"epsilon": _name(level), "person": number, "value": audit.lower_bound}
            row |= {name: getattr(audit, name) for name in counts}
            row |= dict(zip(("hit_low", "hit_high"), audit.hit_rate, strict=True))
            yield row | dict(zip(("alarm_low", "alarm_high"), audit.alarm_rate, strict=True))
