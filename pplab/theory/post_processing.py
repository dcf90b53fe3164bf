"""Post-processing: what is shown is a function of a release, and tells no more than it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from pplab.graphs import GraphLike
from pplab.theory.inputs import as_rows

__all__ = ["PostProcessed"]


@dataclass(frozen=True)
class PostProcessed:
    """A release of which only a function is shown: never less private than the release.

    Parameters
    ----------
    mechanism : mechanism
    function : callable
        Takes an output as its distribution writes it, a tuple of rows; gives something hashable.

    Examples
    --------
    >>> from pplab.response import BipartiteNoiseGraph
    >>> degree = PostProcessed(BipartiteNoiseGraph(Fraction(1, 4)), lambda rows: sum(rows[0]))
    >>> degree.distribution([[1, 1]])
    {2: Fraction(9, 16), 1: Fraction(3, 8), 0: Fraction(1, 16)}
    """

    mechanism: Any
    function: Callable[[Any], Any]

    @property
    def unit(self) -> str:
        """Unit of the mechanism."""
        return self.mechanism.unit

    @property
    def epsilon(self) -> float:
        """Level of the mechanism; the exact one may be smaller."""
        return self.mechanism.epsilon

    @property
    def levels(self) -> tuple | None:
        """Rating levels of the mechanism."""
        return getattr(self.mechanism, "levels", None)

    def sample(self, data: GraphLike, *, rng: int | np.random.Generator | None = None) -> Any:
        """Draw a release and show the function of it."""
        release = self.mechanism.sample(data, rng=rng)
        return self.function(as_rows(release, absent=0 if self.levels is None else None))

    def distribution(self, data: GraphLike) -> dict[Any, Fraction]:
        """Exact probabilities of what is shown."""
        shown: dict[Any, Fraction] = {}
        for output, share in self.mechanism.distribution(data).items():
            image = self.function(output)
            shown[image] = shown.get(image, Fraction(0)) + share
        return shown
