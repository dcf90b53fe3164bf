"""Checks of facility location: costs, sizes that an exact search can serve, shares."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from pplab.checks.numbers import _listed, _real

__all__ = ["check_costs", "check_few_rows", "check_own_facilities", "check_share", "check_solved"]

_MOST_ROWS = 200


def check_costs(costs: Any, opening_costs: Any) -> tuple[np.ndarray, np.ndarray]:
    """Bring the costs of a facility location instance into float64; refuse what is none.

    Examples
    --------
    >>> check_costs([[0, 2]], [1, 1])
    (array([[0., 2.]]), array([1., 1.]))
    """
    table, prices = _listed(costs), _listed(opening_costs)
    if table.ndim != 2 or not table.size or prices.shape != (table.shape[1],):
        raise ValueError(
            "costs must be a table of clients x facilities with one opening cost for each "
            f"facility, got shapes {table.shape} and {prices.shape}; pass at least one of each"
        )
    for name, values in (("costs", table), ("opening_costs", prices)):
        if values.dtype.kind not in "biuf" or np.ma.is_masked(values):
            raise TypeError(f"{name} must be numbers in [0, inf), got {values.dtype}; pass floats")
        finite = np.isfinite(values) & (values >= 0)
        if not finite.all():
            wrong = values.ravel()[int(np.argmin(finite))]
            raise ValueError(
                f"{name} must be finite and not negative, got {wrong}; a connection that is not "
                "allowed may cost more than all others together"
            )
    check_few_rows(max(table.shape), what="clients or facilities")
    return np.array(table, dtype=np.float64), np.array(prices, dtype=np.float64)


def check_few_rows(rows: int, *, what: str = "rows") -> None:
    """Refuse more rows than tables of all pairs and linear programmes on them can serve."""
    if rows > _MOST_ROWS:
        raise ValueError(
            f"this serves at most {_MOST_ROWS} {what}, got {rows}; take a part of the rows, or "
            "smooth_k_anonymize with a method for large data such as 'paper'"
        )


def check_own_facilities(shape: tuple[int, ...]) -> None:
    """Refuse a table where not each client has a facility of the same number."""
    if shape[0] != shape[1]:
        raise ValueError(
            "rule 'own' needs a facility at each client, in the same order, got costs of shape "
            f"{shape}; pass rule='classes'"
        )


def check_share(name: str, share: Any) -> Fraction:
    """Refuse a share outside (0, 1); a float is read as the decimal number that it prints.

    Examples
    --------
    >>> check_share("a", 0.1) * 30
    Fraction(3, 1)
    """
    _real(name, share, "(0, 1)")
    if not 0 < share < 1:
        raise ValueError(f"{name} must lie in (0, 1), got {share!r}; pass for example 0.5")
    return Fraction(share) if isinstance(share, (int, Fraction)) else Fraction(repr(float(share)))


def check_solved(result: Any, *, seconds: float) -> None:
    """Refuse to go on with an integer programme that was not solved to the end."""
    if result.status not in (0, 1):
        raise RuntimeError(
            f"the integer programme was not solved ({result.message}); round the costs, so that "
            "they differ by no more than nine digits"
        )
    if result.status == 1:
        raise TimeoutError(
            f"the search for the best solution did not end within {seconds:g} seconds "
            f"(it has {result.fun} and knows that none is below {result.mip_dual_bound}); allow "
            "more seconds or a gap, or pass fewer rows"
        )
