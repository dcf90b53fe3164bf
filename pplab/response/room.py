"""Room for a release whose size is random: its mean, and eight standard deviations more."""

from __future__ import annotations

import math

import numpy as np

__all__ = ["empty_release", "with_room"]


def empty_release(cells: int, edges: int, flip_probability: float) -> np.ndarray:
    """Allocate the column numbers of a release."""
    p = flip_probability
    mean = edges + p * max(cells - 2 * edges, 0)
    return np.empty(int(mean + 8 * math.sqrt(cells * p * (1 - p))) + 1, dtype=np.int32)


def with_room(release: np.ndarray, used: int, needed: int) -> np.ndarray:
    """Give the release, or a longer copy of it where chance asks for more."""
    if needed <= len(release):
        return release
    longer = np.empty(2 * needed, dtype=release.dtype)
    longer[:used] = release[:used]
    return longer
