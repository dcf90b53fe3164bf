"""What the printed tables say of themselves: no data are needed to check it."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd

from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.smooth import paper
from pplab.theory.jaccard_law import epsilon_for_jaccard

__all__ = ["identities"]

_HALF = 0.05  # half a unit of the last printed digit, in per cent


def identities() -> pd.DataFrame:
    """Check the printed tables against each other and against what follows from their columns.

    Returns
    -------
    DataFrame
        Columns statement, value and witness.
    """
    found = {
        f"table-3:identity:{data}:{method}": _identity(*row)
        for (data, method), row in paper.TABLE_3.items()
    }
    for data in sorted({data for data, _ in paper.TABLE_1}):
        found[f"table-1:same-as-table-3:{data}"] = _same(data)
    for data, (rows, columns, entries, printed) in paper.TABLE_2.items():
        name = f"table-2:density-is-entries-over-cells:{data}"
        found[name] = _density(entries / (rows * columns), printed)
        found[f"figure-6:table-3-level:{data}"] = _level(data, float(printed))
    found["table-3:non-smooth-beats-mondrian:playstore"] = _beats("non-smooth", "mondrian")
    found["section-6:densities"] = _densities()
    return statement_rows(found)


def _identity(jaccard: float, suppressed: float, created: float) -> Finding:
    """(1 - suppressed) / (1 + created), with each number anywhere in its rounding."""
    most = (100 - suppressed + _HALF) / (100 + max(created - _HALF, 0))
    least = (100 - suppressed - _HALF) / (100 + (created + _HALF if created else 0))
    fits = 100 * least <= jaccard + _HALF and jaccard - _HALF <= 100 * most
    return fits, f"Between {100 * least:.2f} and {100 * most:.2f} %, printed {jaccard} %."


def _same(data: str) -> Finding:
    first = {key: row for key, row in paper.TABLE_1.items() if key[0] == data}
    second = {key: row for key, row in paper.TABLE_3.items() if key[0] == data}
    return first == second, f"{3 * len(first)} numbers of Table 1 held against Table 3."


def _density(measured: float, printed: str) -> Finding:
    unit = float(Decimal(1).scaleb(int(Decimal(printed).as_tuple().exponent)))
    fits = abs(measured - float(printed)) <= unit / 2 * (1 + 1e-12)
    return fits, f"Entries over cells: {measured:.3g}, printed {printed}."


def _level(data: str, density: float) -> Finding:
    jaccard = paper.TABLE_3[data, "smooth"][0] / 100
    epsilon = epsilon_for_jaccard(jaccard, density=density)
    return epsilon < paper.EPSILON_OF_K_16, (
        f"A similarity of {jaccard:.3f} at density {density:g} is that of epsilon {epsilon:.1f}."
    )


def _beats(better: str, worse: str) -> Finding:
    first, second = (paper.TABLE_3["playstore", name][0] for name in (better, worse))
    return first > second, f"Printed: {better} {first} %, {worse} {second} %."


def _densities() -> Finding:
    printed = [float(row[3]) for row in paper.TABLE_2.values()]
    least = min(*printed, paper.DENSITY_OF_USER_LISTS)
    inside = min(printed) >= 1e-5 and max(printed) <= 0.1
    # user-lists is printed as strictly below its limit, which is the end of the range itself
    return inside and least > paper.DENSITY_OF_USER_LISTS, (
        f"Printed densities from {min(printed):.3g} to {max(printed):.3g}, and one that is "
        f"below {paper.DENSITY_OF_USER_LISTS:g}."
    )
