"""Notebook 00: a member found, shares and simulations."""

from fractions import Fraction

import numpy as np

from pplab_course.nb00_find_somebody import ASKED, HEARD, MIA, film_club


def drawn(density, flip, size, seed):
    """Edges, and the cells that flip."""
    rng = np.random.default_rng(seed)
    return rng.random(size) < density, rng.random(size) < flip


def share(part, whole):
    return (part & whole).sum() / whole.sum()


def simulated(*setting):
    edges, flips = drawn(*setting)
    return share(edges, edges ^ flips)


def kept(*setting):
    edges, flips = drawn(*setting)
    return share(~flips, edges)


def deleted_only(*setting):
    edges, flips = drawn(*setting)
    return share(edges, edges & ~flips)


def in_tables(density, flip, size, seed):
    rng = np.random.default_rng(seed)
    table = rng.choice([0, 1], size=(size // 100, 100), p=[1 - density, density])
    flipped = rng.choice([0, 1], size=table.shape, p=[1 - flip, flip])
    published = (table + flipped) % 2
    return Fraction(int((table * published).sum()), int(published.sum()))


def from_one_stream(density, flip, size, seed):
    first, second = (np.random.default_rng(seed).random(size) for _ in range(2))
    return share(first < density, (first < density) ^ (second < flip))


def formula_with_noise(density, flip, _size, seed):
    odds = density / (1 - density) * (1 - flip) / flip
    return odds / (1 + odds) + np.random.default_rng(seed).normal(0, 1e-3)


def by_counts(density, flip, size, seed):
    rng = np.random.default_rng(seed)
    edges = rng.binomial(size, density)
    kept, invented = rng.binomial(edges, 1 - flip), rng.binomial(size - edges, flip)
    return float(kept / (kept + invented))


CLUB = film_club()
SEEN = CLUB.groupby("member")["film"].agg(set)
TWINS = [member for member in SEEN.index if SEEN[member] >= set(HEARD) and member != MIA]
STRANGER = next(member for member in SEEN.index if not SEEN[member] >= set(HEARD))
STARS = CLUB.set_index(["member", "film"])["stars"][MIA, ASKED].item()


def test_three_films_fit_several_members_and_three_weeks_one():
    listened = CLUB[CLUB["film"].isin(HEARD)]
    near = listened[(listened["week"] - listened["film"].map(HEARD)).abs() <= 1]
    fits = near["member"].value_counts()
    assert len(TWINS) >= 5
    assert fits.index[fits == 3].tolist() == [MIA]
    assert (fits == 2).any()
