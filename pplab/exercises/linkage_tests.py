"""Small releases, and printed risks that fit one direction of linkage: which one is it?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pplab.exercises.answers import call, number
from pplab.exercises.core import Refusal
from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import group_means

__all__ = ["DIRECTIONS", "judged_directions"]

DIRECTIONS = ("original-to-protected", "protected-to-original")
NEAR = 1e-6
SEEDS = (2, 19, 22, 28)


def judged_directions(answer: Callable[..., Any]) -> str | None:
    """Run a test of directions on hidden releases; "" when both misfits are right every time."""
    found, releases = [], _releases()
    for release in releases:
        given = call(answer, release.original.copy(), release.protected.copy(), release.printed)
        if isinstance(given, (str, float, int, np.number)) and not isinstance(given, bool):
            return "One direction alone proves nothing: show how the loser fares as well."
        if not isinstance(given, Mapping):
            raise Refusal(f"give a dict, direction to misfit, got {type(given).__name__}.")
        if len(given) == 1:
            return "One direction alone proves nothing: show how the loser fares as well."
        if set(given) != set(DIRECTIONS):
            raise Refusal(f"the names must be {DIRECTIONS[0]!r} and {DIRECTIONS[1]!r}.")
        found.append([number(given[name]) for name in DIRECTIONS])
    prints = np.array([[release.printed] for release in releases])
    risks = np.array([release.risks for release in releases])
    by_first = np.array([release.by_first for release in releases])
    return _recognised(np.array(found), risks - prints, by_first - prints, prints)


def _recognised(
    got: np.ndarray, want: np.ndarray, first: np.ndarray, prints: np.ndarray
) -> str | None:
    hints = (
        (want, ""),
        (-want, "The size is right; take measured minus printed, so that + means too high."),
        (np.abs(want), "Keep the sign: a misfit that changes its sign is another one."),
        (want[:, ::-1], "The two directions have changed places."),
        (want + prints, "Those are the two risks; subtract what is printed."),
        ((want + prints) / 100 - prints, "Risks are shares, the print is in per cent: times 100."),
        (np.round(want, 2), "Keep all digits: round when you print, not before."),
        (want / 100, "The misfits should be in percentage points: times 100."),
        (first, "Rows tie in a release of means; leave ties to chance, ties='expected'."),
    )
    same = (hint for wrong, hint in hints if np.allclose(got, wrong, rtol=0, atol=NEAR))
    return next(same, None)


@dataclass(frozen=True, eq=False)
class Release:
    """Eight users, their group means, and a risk as it would be printed: digits cut."""

    original: np.ndarray
    protected: np.ndarray
    risks: list[float]
    by_first: list[float]
    fitting: int

    @property
    def printed(self) -> float:
        """The risk of the fitting direction in per cent, cut after two decimals."""
        return math.floor(100 * self.risks[self.fitting]) / 100


@cache
def _releases() -> tuple[Release, ...]:
    """Releases whose two directions, and whose two rules for ties, are told apart."""
    return tuple(_release(seed, place % 2) for place, seed in enumerate(SEEDS))


def _release(seed: int, fitting: int) -> Release:
    random = np.random.default_rng(seed)
    original = random.integers(1, 6, size=(8, 3)).astype(float)
    protected = group_means(original, mdav(original, 2 + seed % 2))
    risks, by_first = (
        [
            100 * float(disclosure_risk(original, protected, direction=way, ties=ties).mean())
            for way in DIRECTIONS
        ]
        for ties in ("expected", "first")
    )
    return Release(original, protected, risks, by_first, fitting)
