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
