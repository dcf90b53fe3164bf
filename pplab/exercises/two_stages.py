"""The two-stage response of exercise 02-D: presence first, then the rating, all in fractions."""

from __future__ import annotations

from fractions import Fraction

__all__ = ["two_stage_table", "worst_odds"]


def two_stage_table(flip: Fraction, second: Fraction, levels: int) -> list[list[Fraction]]:
    """Probability of each answer (columns) for each truth (rows): no edge, then the ratings.

    Examples
    --------
    >>> table = two_stage_table(Fraction(1, 4), Fraction(3), 2)
    >>> [sum(row) for row in table] == [1, 1, 1], worst_odds(table)
    (True, Fraction(9, 2))
    """
    keep, swap = second / (second + levels - 1), 1 / (second + levels - 1)
    table = [[1 - flip] + [flip / levels] * levels]
    for truth in range(levels):
        row = [(1 - flip) * (keep if truth == other else swap) for other in range(levels)]
        table.append([flip, *row])
    return table


def worst_odds(table: list[list[Fraction]]) -> Fraction:
    """Largest ratio of one output's probabilities under two inputs."""
    return max(max(column) / min(column) for column in zip(*table, strict=True))
