"""Composition: releases of the same data, of disjoint rows, and functions of a release.

Each class is a mechanism whose distribution is built by enumeration, so that the theorem behind its
level can be checked against the exact one.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from pplab.checks import as_rng, check_choice, check_integer, shown
from pplab.graphs import GraphLike, as_matrix, check_public_frame
from pplab.response.mechanism import independent
from pplab.theory.exact import as_rows

_Law = dict[Any, Fraction]


def compose(epsilons: Iterable[float], *, how: str) -> float:
    """Level of several releases together, by the composition theorems.

    Parameters
    ----------
    epsilons : iterable of float
        Levels of the releases, each at least 0.
    how : {"sequential", "parallel"}
        Whether all of them look at the same data (levels add up) or each at a part of its own
        (the largest level holds).

    Returns
    -------
    float
        Rounded up.

    Raises
    ------
    ValueError
        If how is unknown.

    References
    ----------
    Dwork and Roth 2014, Theorem 3.14, doi 10.1561/0400000042; McSherry 2009, Theorem 4,
    doi 10.1145/1559845.1559850.

    Examples
    --------
    >>> compose([0.5, 0.25], how="sequential"), compose([0.5, 0.25], how="parallel")
    (0.75, 0.5)
    """
    levels = list(epsilons)
    if check_choice("how", how, ("sequential", "parallel")) == "parallel":
        return max(levels)
    if math.inf in levels:
        return math.inf
    total = math.fsum(levels)
    below = Fraction(total) < sum(map(Fraction, levels))
    return math.nextafter(total, math.inf) if below else total


@dataclass(frozen=True)
class _Composed:
    """Several mechanisms of one unit, put together."""

    mechanisms: Sequence[Any]
    how: ClassVar[str] = "sequential"

    def __post_init__(self) -> None:
        if not isinstance(self.mechanisms, (list, tuple)):
            raise TypeError(f"mechanisms must be a list of them, got {shown(self.mechanisms)}")
        units = sorted({str(getattr(part, "unit", "missing")) for part in self.mechanisms})
        if len(units) != 1 or "missing" in units:
            raise ValueError(
                f"mechanisms must be at least one and share one unit, got {len(self.mechanisms)} "
                f"with units {units}; compose their levels for one unit"
            )
        object.__setattr__(self, "mechanisms", tuple(self.mechanisms))

    @property
    def unit(self) -> str:
        """Unit of the parts."""
        return self.mechanisms[0].unit

    @property
    def epsilon(self) -> float:
        """Level of the parts together: their sum, or the largest where each row has its own."""
        return compose((part.epsilon for part in self.mechanisms), how=self.how)

    @property
    def delta(self) -> float:
        """Delta of the parts together, in the same way."""
        return min(compose((part.delta for part in self.mechanisms), how=self.how), 1.0)

    @property
    def levels(self) -> tuple | None:
        """Rating levels of the parts, None when they answer 0 and 1."""
        return getattr(self.mechanisms[0], "levels", None)

    def sample(self, data: GraphLike, *, rng: int | np.random.Generator | None = None) -> tuple:
        """Draw each part's release, with a stream of its own."""
        pairs = zip(self._parts(data), as_rng(rng).spawn(len(self.mechanisms)), strict=True)
        return tuple(part.sample(seen, rng=child) for (part, seen), child in pairs)

    def distribution(self, data: GraphLike) -> _Law:
        """Exact probabilities of all tuples of releases."""
        return independent(part.distribution(seen) for part, seen in self._parts(data))

    def _parts(self, data: GraphLike) -> list[tuple[Any, Any]]:
        """Each mechanism with the data that it sees."""
        return [(part, data) for part in self.mechanisms]


class Sequential(_Composed):
    """Independent releases of the same data by several mechanisms: levels add up.

    Parameters
    ----------
    mechanisms : sequence of mechanisms
        All of one unit.

    Examples
    --------
    >>> from pplab.response import BipartiteNoiseGraph
    >>> twice = Sequential([BipartiteNoiseGraph(Fraction(1, 4))] * 2)
    >>> twice.distribution([[1]])[((1,),), ((1,),)]
    Fraction(9, 16)
    """


class Repeated(Sequential):
    """Independent releases of the same data by one mechanism.

    Parameters
    ----------
    mechanism : mechanism
    times : int
        Number of releases, at least 1.

    Examples
    --------
    >>> from pplab.response import BipartiteNoiseGraph
    >>> round(Repeated(BipartiteNoiseGraph(0.25), times=2).epsilon, 4)  # ln 9
    2.1972
    """

    def __init__(self, mechanism: Any, *, times: int) -> None:
        if not (hasattr(mechanism, "unit") and hasattr(mechanism, "sample")):
            raise TypeError(
                f"mechanism must have a unit and a method sample, got {shown(mechanism)}"
            )
        super().__init__([mechanism] * check_integer("times", times, minimum=1, maximum=10**6))


class DisjointRows(_Composed):
    """Each user's row is released by its own mechanism; the level of an edge is the largest of
    them.

    Parameters
    ----------
    mechanisms : sequence of mechanisms
        One for each row.

    Examples
    --------
    >>> from pplab.response import BipartiteNoiseGraph
    >>> two = DisjointRows([BipartiteNoiseGraph(Fraction(1, n)) for n in (4, 3)])
    >>> two.distribution([[1], [1]])[((1,),), ((1,),)]
    Fraction(1, 2)
    """

    how = "parallel"

    def _parts(self, data: GraphLike) -> list[tuple[Any, Any]]:
        check_public_frame("data", data)
        table = as_matrix(data, name="data")
        count = len(self.mechanisms)
        check_integer("the number of rows of data", table.shape[0], minimum=count, maximum=count)
        rows = [table[[row], :] for row in range(table.shape[0])]
        return list(zip(self.mechanisms, rows, strict=True))


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

    def __post_init__(self) -> None:
        if not (hasattr(self.mechanism, "distribution") and callable(self.function)):
            raise TypeError(
                "mechanism and function must be a mechanism and a function of its releases, got "
                f"{shown(self.mechanism)} and {shown(self.function)}"
            )

    @property
    def unit(self) -> str:
        """Unit of the mechanism."""
        return self.mechanism.unit

    @property
    def epsilon(self) -> float:
        """Level of the mechanism; the exact one may be smaller."""
        return self.mechanism.epsilon

    @property
    def delta(self) -> float:
        """Probability by which the mechanism may exceed that level."""
        return self.mechanism.delta

    @property
    def levels(self) -> tuple | None:
        """Rating levels of the mechanism."""
        return getattr(self.mechanism, "levels", None)

    def sample(self, data: GraphLike, *, rng: int | np.random.Generator | None = None) -> Any:
        """Draw a release and show the function of it."""
        release = self.mechanism.sample(data, rng=rng)
        return self.function(as_rows(release, absent=0 if self.levels is None else None))

    def distribution(self, data: GraphLike) -> _Law:
        """Exact probabilities of what is shown."""
        law: _Law = {}
        for output, share in self.mechanism.distribution(data).items():
            image = self.function(output)
            law[image] = law.get(image, Fraction(0)) + share
        return law
