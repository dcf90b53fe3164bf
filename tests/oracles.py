"""What the tests hold the package against, written as slowly and as plainly as possible."""

from itertools import product

import numpy as np


def cells_in_all_worlds(published, known, size):
    """The others' cells that are the same in every world that publishes this row: 1, 0 or -1.

    A world is a row for each of the members who are no insiders; an item is published when at
    least half of the group have it.
    """
    row, insiders = np.asarray(published), np.reshape(known, (-1, len(published)))
    shape = (size - len(insiders), len(row))
    worlds = [np.reshape(bits, shape) for bits in product((0, 1), repeat=shape[0] * shape[1])]
    fitting = [
        world
        for world in worlds
        if ((2 * (insiders.sum(axis=0) + world.sum(axis=0)) >= size) == row).all()
    ]
    same = np.min(fitting, axis=0) == np.max(fitting, axis=0)
    return np.where(same, fitting[0], -1)
