"""Notebook 18: right and wrong answers, and what they are made of."""

from decimal import Decimal

import numpy as np

from claimbook.verdicts import VERDICTS
from pplab_course.nb18_reading_the_ledger import MEANINGS, attendance

YEAR = attendance()


def with_visits(*places):
    """The club's table with ones in these rows of the column came."""
    table = YEAR.copy()
    table.loc[list(places), "came"] = 1
    return table


ABSENT = YEAR.index[YEAR["came"] == 0].tolist()
JON = YEAR.index[YEAR["member"] == "Jon"].tolist()
OTHERS = [row for row in ABSENT if row not in JON]


def decimals(plain):
    return len(plain.partition(".")[2])


def within(allowed):
    """A test with a tolerance that is made of the printed text."""

    def fits(printed, measured):
        plain = printed.replace(",", "")
        return abs(measured - float(plain)) <= allowed(plain)

    return fits


def units(share):
    """So many units of the last digit that is printed."""
    return within(lambda plain: share * 10 ** -decimals(plain))


half_a_unit = units(0.5)
less = within(lambda plain: np.nextafter(0.5 * 10 ** -decimals(plain), 0))  # < in place of <=


def rounded_alike(printed, measured):
    plain = printed.replace(",", "")
    return round(measured, decimals(plain)) == float(plain)


def as_text(printed, measured):
    plain = printed.replace(",", "")
    return f"{measured:.{decimals(plain)}f}" == plain


def exactly(printed, measured):
    plain = printed.replace(",", "")
    return abs(Decimal(measured) - Decimal(plain)) <= Decimal(5).scaleb(-decimals(plain) - 1)


def rule(criterion, **changed):
    row = {"rule": "holds", "part": "months", "criterion": criterion, "null": "times 0.5"}
    return row | changed


CAME = 'value(quantity="came")'
SHARE = f"mean(where({CAME} >= 7, 1, 0))"
BOOKS, TABLE_1 = "reading-club:section-1:books", "reading-club:table-1:attendance"
MEMBERS = "reading-club:section-1:members"
READ_SO = "Only months in which the member came are counted."
runs = iter(range(100))


def books(year):
    return year.loc[year["came"] == 1, "books"].mean()


def guests(year):
    return year["came"].sum() / (12 * year["member"].nunique() + 6)


def test_the_cases_are_of_the_ledger():
    assert set(MEANINGS) < set(VERDICTS) - {"open"}
