"""The outcome of an audit, and how it is told."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pplab.attacks.scores import Event

__all__ = ["DIRECTIONS", "Audit"]

DIRECTIONS = ("first over second", "second over first")


@dataclass(frozen=True, repr=False)
class Audit:
    """What an audit found.

    Attributes
    ----------
    lower_bound : float
        Lower confidence bound on epsilon (natural log), 0 at least: above the true level in at
        most ``alpha`` of all audits.
    claimed : float
        The level that was put to the test.
    alpha : float
        Greatest rate of false alarms.
    samples : int
        Releases drawn of each input; half of them chose the events.
    judged : int
        Releases of each input on which the event was judged.
    event : Event
        The set of outputs behind the bound: ``.description`` and ``.predicate(output)``.
    direction : str
        Which input makes the event likelier: "first over second" or "second over first".
    counts : tuple of int
        How often the event came up among the judged releases of the first and of the second input.

    References
    ----------
    Clopper and Pearson 1934, doi 10.1093/biomet/26.4.404.

    Examples
    --------
    >>> found = Audit(1.4, 1.0, 0.05, 2000, 1000, Event("it is 1", bool), DIRECTIONS[0], (900, 90))
    >>> found.violated
    True
    """

    lower_bound: float
    claimed: float
    alpha: float
    samples: int
    judged: int
    event: Event
    direction: str
    counts: tuple[int, int]

    @property
    def violated(self) -> bool:
        """Whether the claimed level is refuted."""
        return self.lower_bound > self.claimed

    def __str__(self) -> str:
        seen = (
            f"'{self.event}' came up in {self.counts[0]:,} releases of the first input and "
            f"{self.counts[1]:,} of the second, of {self.judged:,} each: epsilon is at least "
            f"{self.lower_bound:.3g} (odds {math.exp(self.lower_bound):.3g} : 1), "
            f"wrong in at most {self.alpha:g} of audits"
        )
        if self.violated:
            return f"The audit refutes epsilon = {self.claimed:.4g}. {seen}."
        return (
            f"The audit did not refute epsilon = {self.claimed:.4g}. {seen}. "
            "More samples, another pair or another event may still refute it."
        )

    __repr__ = __str__
