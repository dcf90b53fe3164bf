"""Notebook 04: a largest factor by hand, beliefs that defeat a level, units' levels."""

from fractions import Fraction

import numpy as np

from pplab.attacks.posterior import posterior_odds
from pplab.datasets import load_dataset

P = 0.1


def factors(joint, p):
    """Two sums for each release, as the notebook's formula has them."""
    result, truths = np.empty(joint.shape), [*np.ndindex(joint.shape)]
    for output in truths:
        odds = [0.0, 0.0]
        for truth in truths:
            flips = sum(a != b for a, b in zip(output, truth, strict=True))
            odds[truth[0]] += joint[truth] * p**flips * (1 - p) ** (joint.ndim - flips)
        result[output] = odds[1] / odds[0] * joint[0].sum() / joint[1].sum()
    return result


def belief(**cells):
    """Probabilities by the three cells in their name; the rest is none of them."""
    made = np.zeros((2, 2, 2))
    for name, share in cells.items():
        made[tuple(map(int, name[1:]))] = share
    made[0, 0, 0] = 1 - made.sum()
    return made


EQUAL, PAIR = belief(c111=0.01), np.zeros((2, 2, 2))
PAIR[0, 0], PAIR[1, 1] = 0.99 * np.array([0.99, 0.01]), 0.01 * np.array([0.99, 0.01])
ALONE = np.einsum("i,j,k->ijk", *[np.array([0.99, 0.01])] * 3)
UNITS = {"fans": (4, 1 / (1 + 9**0.25)), "fashion": (6, 1 / (1 + 9 ** (1 / 6)))}
TITLES = load_dataset("movielens-100k", source="standin").items["title"]
FILM = {"film": TITLES[960], "factor": 443.9, "interval": (292, 1110)}

RIGHT = {
    "04-R": ["item", "film", "the item"],
    "04-C": [729, 9**3, Fraction(729)],
    "04-P": [
        lambda joint, p: factors(joint, p).max(),
        lambda joint, p: np.max(factors(joint, p)).tolist(),
        lambda joint, p: float(factors(joint / joint.sum(), p).max()),
    ],
    "04-B": [EQUAL, EQUAL.tolist(), belief(c111=0.0095, c100=0.0005, c010=0.0005, c001=0.0005)],
    "04-D": [UNITS, UNITS | {"fans": [4, 0.366026]}, UNITS | {"fans": (4.0, UNITS["fans"][1])}],
    "04-O": [
        FILM,
        FILM | {"interval": [400, 600]},
        FILM | {"film": TITLES[1142], "factor": 355},  # where more people must have rated
    ],
}

WRONG = {
    "04-R": ["user", "edge", "group"],
    "04-C": [9, 27, 1000, 81],
    "04-P": [
        (lambda joint, p: (1 / p - 1) ** joint.ndim, "what group privacy allows"),
        (lambda joint, p: factors(np.ones(2), p).max() * bool(joint.ndim), "factor of a lone cell"),
        (
            lambda joint, p: factors(joint, p).max() * joint[1].sum() / joint[0].sum(),
            "divide them by the odds before",
        ),
        (lambda joint, p: factors(joint, p)[(1,) * joint.ndim], "try all releases"),
        (lambda joint, p: factors(joint, p).min(), "lowers the odds most"),
        (lambda joint, p: round(factors(joint, p).max(), 2), "but for rounding"),
        (lambda _: 1, "your function stopped"),
        (
            lambda joint, p: posterior_odds(joint, flip_probability=p).factors.max(),
            "posterior_odds is what your function is compared with",
        ),
    ],
    "04-B": [
        (ALONE, "independent of the others, as the publisher"),
        (PAIR, "at most 0.45"),
        (EQUAL * 2, "must sum to 1"),
        (belief(c111=0.02), "are 1 with 0.02, 0.02, 0.02"),
        (belief(c111=-0.1), "from 0 on"),
        ([[0.5, 0.5]], "got shape (1, 2)"),
        ("equal", "an array of numbers"),
    ],
    "04-D": [
        (UNITS | {"fans": (4, P)}, "9 to one cell"),
        (UNITS | {"fans": (4, 1 / 3.25)}, "a root of 9"),
        (UNITS | {"fans": (6, 0.366)}, "a row has one for each film"),
        (UNITS | {"fashion": (4, 0.41)}, "a column one for each user"),
        (UNITS | {"fans": (4, 1 / 3)}, "move the odds by 16"),
        (UNITS | {"fans": (4, 0.366)}, "Round p up"),
        (UNITS | {"fans": (4, 0.45)}, "a smaller p will do"),
        (UNITS | {"fans": (4, 0.6)}, "a flip probability"),
        ({"fans": (4, 0.37)}, "a dict, please"),
    ],
    "04-O": [
        ("Khan", "a dict, please"),
        (["Khan", 494], "a dict, please"),
        ({"film": "Khan"}, "factor, interval"),
        (FILM | {"interval": (600, 700)}, "around the factor"),
        (FILM | {"factor": 1e6, "interval": (1e5, 1e7)}, "moves the odds by this much"),
        (FILM | {"factor": 2, "interval": (1, 4)}, "a single cell moves the odds"),
        (FILM | {"film": "Khan"}, "word for word"),
        (FILM | {"factor": 500}, "another factor"),
        (FILM | {"factor": 5986, "interval": (5e3, 6e3)}, "half that you searched"),
        (FILM | {"film": TITLES[66], "factor": 518}, "another film moves more"),
    ],
}

SECRETS = {"04-C": "729", "04-R": "item"}
