"""Notebook 04: a largest factor by hand, beliefs that defeat a level, units' levels."""

import numpy as np

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
