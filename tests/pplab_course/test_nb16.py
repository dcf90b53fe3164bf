"""Notebook 16: clipped sums, exact means that tell, six releases, an attack on one person."""

import numpy as np


def clipped(rows, clip):
    return sum(row * min(1, clip / (np.linalg.norm(row) or clip)) for row in rows)


def clipped_at_once(rows, clip):
    lengths = np.maximum(np.linalg.norm(rows, axis=1), clip)
    return (clip / lengths) @ rows


TELLS = ([[5, 1], [3, 3], [3, 3]], [[0, 0], [3, 3], [3, 3]])
BUDGET = {"noise": 2.449, "epsilon": 4.38}
ATTACK = {"hits": 90, "members": 100, "false_alarms": 5, "others": 100, "lower_bound": 1.9}

RIGHT = {
    "16-C": [6, 6.0, 1.5 * 4],
    "16-P": [clipped, lambda rows, clip: list(clipped(rows, clip)), clipped_at_once],
    "16-B": [TELLS, np.array(TELLS), ([[1, 0], [2, 2], [0, 3]], [[1, 0], [0, 0], [0, 3]])],
    "16-D": [BUDGET, {"noise": 6**0.5, "epsilon": 4.377}, {"noise": 2.45, "epsilon": 4.38}],
    "16-O": [ATTACK, ATTACK | {"lower_bound": 0}],
}

WRONG = {
    "16-C": [3, 1.5, 6 / 2**0.5, 12],
    "16-P": [
        (lambda rows, clip: rows.sum(axis=0) + 0 * clip, "Nothing was shortened"),
        (lambda rows, clip: clipped(1e9 * rows, clip), "Short rows were made longer"),
        (lambda rows, clip: np.clip(rows, -clip, clip).sum(axis=0), "You clipped cells"),
        (lambda rows, clip: clipped([rows.sum(axis=0)], clip), "You shortened the sum"),
        (
            lambda rows, clip: sum(r * min(1, clip / (np.abs(r).sum() or clip)) for r in rows),
            "the sum of sizes",
        ),
        (lambda rows, clip: clipped(rows, clip)[:2], "one number for each of the 4 columns"),
        (lambda rows, _: rows, "one number for each of the 4 columns"),
        (lambda rows, clip: clipped(rows, clip).round(2), "but for rounding"),
    ],
    "16-B": [
        (([[3, 3], [3, 3], [3, 3]], [[0, 0], [3, 3], [3, 3]]), "reveals nothing"),
        (([[5, 1], [3, 3], [3, 3]], [[0, 0], [3, 3], [3, 4]]), "yours differ in 2"),
        (([[5, 1], [3, 3], [3, 3]], [[0, 1], [3, 3], [3, 3]]), "its row is 0 and 0"),
        (([[5, 1], [0, 3], [0, 3]], [[0, 0], [0, 3], [0, 3]]), "needs a rating"),
        (([[7, 1], [3, 3], [3, 3]], [[0, 0], [3, 3], [3, 3]]), "1 to 5"),
        ([[5, 1], [3, 3]], "two tables, please"),
    ],
    "16-D": [
        (BUDGET | {"noise": 6}, "the squares of 1/σ add up"),
        (BUDGET | {"noise": 1.732}, "two releases a year"),
        (BUDGET | {"noise": 1}, "here are six"),
        (BUDGET | {"noise": 0.4082}, "one over it"),
        (BUDGET | {"noise": 3.3}, "do not have μ"),
        (BUDGET | {"epsilon": 5.30}, "Mironov's line"),
        (BUDGET | {"epsilon": 4.73}, "the Rényi accountant"),
        (BUDGET | {"epsilon": 1}, "what is its exact ε"),
        (BUDGET | {"epsilon": 4.4}, "but for rounding"),
        (BUDGET | {"noise": 2.4}, "but for rounding"),
        (BUDGET | {"noise": 2.44}, "but for rounding"),
        (2.449, "a dict, please"),
    ],
    "16-O": [
        ("1.9", "a dict, please"),
        ([1.9], "a dict, please"),
        (ATTACK | {"hits": 0.8}, "whole numbers"),
        (ATTACK | {"false_alarms": 10.5}, "whole numbers"),
        ({"hits": 90}, "Say also: members"),
        (ATTACK | {"hits": 120}, "counted among members"),
        (ATTACK | {"lower_bound": -1}, "below 0 is 0"),
        (ATTACK | {"lower_bound": 3.5}, "shares mislead"),
    ],
}

SECRETS = {"16-C": "6", "16-D": "2.449"}
