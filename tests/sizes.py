"""Degenerate but legal sizes: whatever promises privacy or k-anonymity keeps it on all of them."""

import numpy as np

# Shapes (users, items) of tables that have few cells.
SHAPES = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1)]

# Tables of users x items for a publication in groups of k, from 2 to all users.
TABLES = {
    "two users, one item": [[1], [0]],
    "two equal users": [[1, 0, 1], [1, 0, 1]],
    "one item": [[1], [0], [1], [1], [0]],
    "nobody has anything": np.zeros((4, 3)),
    "everybody has all": np.ones((5, 3)),
    "an empty row": [[1, 1, 0], [0, 0, 0], [1, 0, 1], [1, 1, 1]],
    "an empty column": [[1, 0, 0], [1, 0, 1], [0, 0, 1], [1, 0, 1], [0, 0, 0]],
    "one full row": [[0, 0], [0, 0], [0, 0], [1, 1], [0, 0]],
    "equal rows": np.tile([0, 1, 1, 0], (7, 1)),
    "kinds of four, two and three": np.repeat(np.kron(np.eye(3), np.ones(6)), (4, 2, 3), axis=0),
    "three kinds of two": np.repeat(np.eye(3), 2, axis=0),
    "nobody like another": np.eye(6),
    "all rows of two items": [[0, 0], [0, 1], [1, 0], [1, 1]],
}

# Friendships, and every way to cut so many users into clusters that has one of one user or all.
SOCIAL = {
    "one user": np.zeros((1, 1)),
    "two strangers": np.zeros((2, 2)),
    "two friends": 1 - np.eye(2),
    "two friends and a stranger": np.pad(1 - np.eye(2), (0, 1)),
    "a star": np.pad(np.ones((1, 3)), ((0, 3), (1, 0))) + np.pad(np.ones((3, 1)), ((1, 0), (0, 3))),
    "all friends": 1 - np.eye(4),
}


def partitions(users):
    """Everybody alone, all together, one apart from the others (the first, the last)."""
    one = np.arange(users)
    return {tuple(ways) for ways in (one, 0 * one, np.minimum(one, 1), one // max(users - 1, 1))}
