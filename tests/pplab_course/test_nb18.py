"""Notebook 18: right and wrong answers, and what they are made of."""

from decimal import Decimal

import numpy as np

from claimbook.verdicts import VERDICTS
from pplab_course.nb18_reading_the_ledger import LETTERS, MEANINGS, attendance

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


RIGHT = {
    "18-R": [
        LETTERS,
        list(LETTERS.items()),
        {name.replace("-", " ").upper(): letter.lower() for name, letter in LETTERS.items()},
    ],
    "18-C": [1 - 0.95**24, 0.708, 0.7080],
    "18-P": [half_a_unit, exactly, lambda *case: np.bool_(half_a_unit(*case))],
    "18-B": [with_visits(*ABSENT[:9]), with_visits(*JON[:9]), with_visits(*OTHERS[-9:])],
    "18-D": [
        rule(f"{SHARE} > 1 / 2"),
        rule(f"{SHARE} >= 3 / 4"),
        rule(f"sum(where({CAME} > 6, 1, 0)) > 6"),
        rule(f"median({CAME}) >= 7"),
        rule("median(value()) >= 7", select="quantity=came"),
        rule(f"sum(where({CAME} >= 7, 1, 0)) >= 9"),
        rule(f"for B in (0.5, 0.8): {SHARE} > B", null="swap quantity=came|attendance"),
    ],
    "18-O": [
        (BOOKS, READ_SO, books),
        ["table-1:attendance", "A guest counts as half a member.", guests],
        (BOOKS, "Read in each month, by all together.", lambda year: year["books"].sum() / 12),
    ],
}

WRONG = {
    "18-R": [
        (LETTERS | {"shape-only": LETTERS["reproduced"]}, "stand-in"),
        (LETTERS | {"refuted": LETTERS["differs"]}, "case that breaks it"),
        (LETTERS | {"refuted": LETTERS["undecided"]}, "may still exist"),
        (LETTERS | {"proof-fails": LETTERS["refuted"]}, "says less"),
        (LETTERS | {"reproduced-under-reading": LETTERS["reproduced"]}, "text is plain"),
        (LETTERS | {"compatible": LETTERS["differs"]}, "by more than chance"),
        ({"differs": "D"}, "missing: refuted"),
        (LETTERS | {"holds": "A"}, "not asked for: holds"),
    ],
    "18-C": [1.2, 0.95**24, 1 - 0.95**9, 1 - 0.9**24, 70.8],
    "18-P": [
        (within(lambda _: 0.005), "one tolerance for all"),
        (within(lambda plain: 0.01 * abs(float(plain))), "not for a share"),
        (within(lambda _: 0.0), "Equality is too strict"),
        (within(lambda plain: 0.5 * 10 ** -decimals(f"{float(plain):g}")), "promises two decimals"),
        (units(1), "twice too much"),
        (less, "yours says <"),
        (units(0.48), "measured 10.49: does it fit?"),
        (rounded_alike, "to the even digit"),
        (as_text, "to the even digit"),
        (lambda *_: True, "does it fit?"),
        (lambda *_: 1, "True or False"),
        (lambda printed, measured: float(printed) == measured, "could not convert"),
    ],
    "18-B": [
        (YEAR, "This is the original table"),
        (with_visits(*ABSENT[:10]), "Fewer will do"),
        (YEAR.assign(came=0.5), "0 or 1"),
        (with_visits(*OTHERS[:1]), "neither world"),
        (with_visits(*ABSENT[:20]), "neither world"),
        (with_visits(*ABSENT[:9]).assign(books=1), "Leave the books"),
        (YEAR.iloc[::-1], "Keep the rows"),
        (YEAR.head(3), "120 rows"),
        ("the rule", "the changed table alone"),
    ],
    "18-D": [
        (rule(f"{SHARE} > 1 / 2", rule="rounded"), "for a printed number"),
        (rule(f"{SHARE} > 1 / 2", rule="holds-or-misprint"), "which rule says so"),
        (rule(f"{SHARE} > 1 / 2", part="attendance"), "single months"),
        (rule("1 < 2"), "What would refute it"),
        (rule("2 < 1"), "What would make it hold"),
        (rule(f"all({CAME} >= 7)"), "'usually' is not 'always'"),
        (rule(f"mean({CAME}) >= 7"), "not a count"),
        (rule(f"mean(where({CAME} > 7, 1, 0)) > 1 / 2"), "already"),
        (rule('mean(where(value(quantity="attendance") >= 0.7, 1, 0)) >= 2 / 3'), "another number"),
        (rule(f"{SHARE} > 0.35"), "mind the border"),
        (rule(f"{SHARE} > 0.4"), "mind the border"),
        (rule(f"{SHARE} >= 0.5"), "mind the border"),
        (rule(f"{SHARE} > 0.9"), "above four fifths"),
        (rule(f"mean(where({CAME} >= 6, 1, 0)) > 1 / 2"), "at most six came"),
        (rule("value("), "no expression"),
        (rule(f"{SHARE} > 1 / 2", select="quantity=came", null="shuffle"), "it holds, too"),
        (rule(f"{SHARE} > 1 / 2", null="times 0.9"), "it holds, too"),
        (rule(f"{SHARE} > 1 / 2", null="flat"), "it holds, too"),
        (rule(f"{SHARE} > 1 / 2", null="twice"), "null must be shuffle, flat"),
        (rule(f"{SHARE} > 1 / 2", null=" "), "a text in quotes"),
        ("usually seven", "'criterion' and 'null'"),
    ],
    "18-O": [
        ("I do not believe it.", "An opinion"),
        (("reading-club:table-9", READ_SO, books), "No printed number"),
        (("noise-graphs:table-1:p=0.1:noise-edges", READ_SO, books), "No printed number"),
        (("reading-club:section-3:other-club", READ_SO, books), "are unavailable"),
        ((BOOKS, "otherwise", books), "whole sentence"),
        ((BOOKS, READ_SO, lambda _: next(runs)), "fix the seed"),
        ((BOOKS, READ_SO, lambda _: 1.736), "On another table"),
        ((BOOKS, READ_SO, lambda year: year["books"].mean()), "has this number already"),
        ((BOOKS, READ_SO, lambda year: year["books"].mean() + 1e-6), "has this number already"),
        ((BOOKS, READ_SO, lambda year: round(year["books"].mean(), 2)), "has this number already"),
        ((MEMBERS, READ_SO, lambda year: year["member"].nunique()), "has this number already"),
        ((BOOKS, READ_SO, lambda: 1.736), "your function stopped"),
        ((TABLE_1, READ_SO, lambda year: year["came"].sum() / 108), "has this number already"),
        ((BOOKS, READ_SO), "takes (id of a row"),
    ],
}

SECRETS = {"18-C": "0.708"}


def test_the_cases_are_of_the_ledger():
    assert set(MEANINGS) < set(VERDICTS) - {"open"}
