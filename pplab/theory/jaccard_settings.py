"""Theorem 4.1 over a grid of settings: how often each form of the bound is exceeded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from pplab.checks import check_choice
from pplab.theory.jaccard_bound import FORMS, is_covered, jaccard_bound, violation_probability

__all__ = ["BoundSetting", "bound_settings", "worst_violation"]


@dataclass(frozen=True)
class BoundSetting:
    """One setting of Theorem 4.1 and the exact probability that a form is exceeded there.

    Attributes
    ----------
    density : float
    cells : int
    epsilon, delta : float
    form : str
    bound : float
        The form's value, capped at 1.
    probability : float
        Exact probability that the similarity exceeds it.
    """

    density: float
    cells: int
    epsilon: float
    delta: float
    form: str
    bound: float
    probability: float

    @property
    def violated(self) -> bool:
        """Whether the form is exceeded more often than delta."""
        return self.probability > self.delta


def bound_settings(
    *,
    densities: Iterable[float],
    cells: Iterable[int],
    epsilons: Iterable[float],
    deltas: Iterable[float],
    form: str,
) -> Iterator[BoundSetting]:
    """Every setting of a grid that meets the theorem's condition and holds at least one edge.

    Parameters
    ----------
    densities : iterable of float
        In (0, 1].
    cells : iterable of int
        From 1 to 10^15; up to 10^11 at every level.
    epsilons : iterable of float
        In [0, inf).
    deltas : iterable of float
        In (0, 1).
    form : {"printed", "corrected", "line", "chernoff", "exact"}

    Yields
    ------
    BoundSetting
        In the order of the grid, the last list fastest.

    Raises
    ------
    TypeError, ValueError
        If the form is not known or a value leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.1, arXiv 2207.06358.

    Examples
    --------
    >>> grid = {"densities": [1e-3], "cells": [10**6], "epsilons": [5.8, 9], "deltas": [0.05]}
    >>> [round(setting.probability, 2) for setting in bound_settings(**grid, form="printed")]
    [0.22]
    """
    check_choice("form", form, FORMS)
    for density, number, epsilon, delta in product(densities, cells, epsilons, deltas):
        if not is_covered(cells=number, epsilon=epsilon, delta=delta):
            continue
        if 0 < density <= 1 and round(density * number) == 0:  # no edge
            continue
        setting: dict[str, Any] = {
            "density": density,
            "cells": number,
            "epsilon": epsilon,
            "delta": delta,
        }
        yield BoundSetting(
            **setting,
            form=form,
            bound=jaccard_bound(**setting, form=form),
            probability=violation_probability(**setting, form=form),
        )


def worst_violation(settings: Iterable[BoundSetting]) -> BoundSetting | None:
    """Setting with the largest excess of the probability over delta, as their ratio.

    Parameters
    ----------
    settings : iterable of BoundSetting

    Returns
    -------
    BoundSetting or None
        None if no setting is violated.

    Examples
    --------
    >>> grid = {"densities": [0.5], "cells": [10**4], "epsilons": [1.0], "deltas": [0.05]}
    >>> worst_violation(bound_settings(**grid, form="printed")) is None
    True
    """
    violated = (setting for setting in settings if setting.violated)
    return max(violated, key=lambda setting: setting.probability / setting.delta, default=None)
