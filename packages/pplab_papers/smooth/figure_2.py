"""Figure 2 and the words on it, and Corollary 4.2: the level that a similarity takes.

Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Section 4,
arXiv 2207.06358.
"""

from collections.abc import Callable
from itertools import product

import numpy as np
import scipy

from claimbook.part import Finding, against, listed
from pplab.theory.jaccard_bound import jaccard_bound
from pplab.theory.jaccard_law import epsilon_for_jaccard, expected_jaccard, jaccard_of_log_density

CLOSE = 1e-3  # how near the exact mean must be to the similarity asked for
FIGURE_2 = {"similarities": np.arange(1, 10) / 10, "densities": 10.0 ** np.arange(-6, 0)}
MANY_CELLS = 10**10
DENSITY, DELTA = 1e-4, 0.05  # where the text on Figure 2 reads it
EXACT = "exact quantile, 10^10 cells, delta = 0.05"
LOG_COLUMNS = (2_500.0, 1e4, 1e5, 1e6)  # ln m
Level = Callable[[float, float], float]  # similarity and density -> epsilon


def _epsilon(similarity: float, density: float) -> float:
    return epsilon_for_jaccard(similarity, density=density)


def sparser_needs_more() -> Finding:
    """At each similarity the level grows as the density falls."""

    def grows(level: Level) -> tuple[bool, str]:
        return _grows("densities", level)

    return against(grows, right=_epsilon, wrong=lambda j, _: _epsilon(j, 0.01))


def larger_similarity_needs_more() -> Finding:
    """At each density the level grows with the similarity."""
    return _grows("similarities", _epsilon)


def _grows(with_: str, level: Level) -> tuple[bool, str]:
    """Levels over similarities (rows) and densities; each is held against the exact mean."""
    similarities, densities = FIGURE_2["similarities"], FIGURE_2["densities"]
    levels = np.array([[level(float(j), float(d)) for d in densities] for j in similarities])
    means = np.array(
        [
            [
                expected_jaccard(density=float(d), cells=MANY_CELLS, epsilon=float(epsilon))
                for d, epsilon in zip(densities, row, strict=True)
            ]
            for row in levels
        ]
    )
    gap = float(np.abs(means - similarities[:, None]).max())
    steps = np.diff(levels, axis=0) if with_ == "similarities" else -np.diff(levels, axis=1)
    return bool(steps.min() > 0 and gap < CLOSE), (
        f"Levels from {levels.min():.2f} to {levels.max():.2f}, smallest step {steps.min():.2f}; "
        f"the exact mean on 10^10 cells is within {gap:.2g} of the similarity."
    )


def corollary_4_2() -> Finding:
    """The similarity falls at every step and ends below 0.01."""
    logs = np.array(LOG_COLUMNS)

    def vanishes(power: float) -> tuple[bool, str]:
        values = jaccard_of_log_density(-0.01 * logs, epsilon=logs**power)
        falls = bool((np.diff(values) < 0).all() and values[-1] < 0.01)
        text = listed(f"{value:.3g}" for value in values)
        return falls, f"{text} at ln m = {listed(f'{log:,.0f}' for log in logs)}."

    return against(vanishes, right=0.5, wrong=1)


def constant_similarity_needs_log() -> Finding:
    """With epsilon = 0.009 ln m the similarity stays below 1/2, for both degrees."""
    logs = np.array((1_000.0, *LOG_COLUMNS))
    degrees = {"m^0.99": -0.01 * logs, "log(m)^2": 2 * np.log(logs) - logs}

    def stays_below(share: float) -> tuple[bool, str]:
        reached = {
            name: float(jaccard_of_log_density(density, epsilon=share * logs).max())
            for name, density in degrees.items()
        }
        text = listed(f"{value:.3g} for a degree of {name}" for name, value in reached.items())
        return max(reached.values()) < 0.5, f"With epsilon = {share:g} ln m it is at most {text}."

    return against(stays_below, right=0.009, wrong=1)


def closed_form() -> Finding:
    """The closed form inverts the mean."""
    grid = [(float(j), float(d)) for j, d in product(*FIGURE_2.values())]

    def inverts(level: Level) -> tuple[bool, str]:
        worst = 0.0
        for similarity, density in grid:
            flip = 1 / (1 + np.exp(level(similarity, density)))
            printed = (1 - flip) / (1 + flip * (1 - density) / density)
            worst = max(worst, abs(float(printed) - similarity))
        return worst < 1e-9, f"Off by at most {worst:.1g}, at {len(grid)} points of Figure 2."

    return against(inverts, right=_epsilon, wrong=lambda j, density: float(np.log(j / density)))


def _quantile_passes_half() -> float:
    """Level at which the similarity exceeds 1/2 with probability delta."""

    def above(epsilon: float) -> float:
        setting = {"density": DENSITY, "epsilon": epsilon, "delta": DELTA}
        return jaccard_bound(**setting, cells=MANY_CELLS, form="exact") - 0.5

    return float(scipy.optimize.brentq(above, 8.0, 11.0, xtol=1e-6))


def level_rows() -> list[dict[str, object]]:
    """Level at which the similarity is 1/2, at the density that the text names."""
    mean = epsilon_for_jaccard(0.5, density=DENSITY)
    values = {"mean": mean, EXACT: _quantile_passes_half()}
    common = {"quantity": "epsilon", "density": DENSITY}
    return [common | {"of": of, "value": value} for of, value in values.items()]


STATEMENTS = (
    *(sparser_needs_more, larger_similarity_needs_more, corollary_4_2),
    *(constant_similarity_needs_log, closed_form),
)
