"""Cells of rules: what a paper prints, as a number, with its own spread or as a bound."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from math import isinf

_DIGITS = r"(?:(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?"
_CELL = re.compile(
    rf"(?P<bound><=|>=|<|>)? ?(?P<number>[+-]?{_DIGITS})(?: ?%)?"
    rf"(?:\((?P<last>\d+)\)| ?(?:±|\+/-|\+-) ?(?P<spread>{_DIGITS}))?(?: ?%)?",
    re.ASCII,
)
_ALIKE = str.maketrans({"\N{MINUS SIGN}": "-", "≤": "<=", "≥": ">="})
FORMS = "1.65, 1,234, -1.65, 95.0 %, 1.2e-5, 6.13(6), 0.352 ± 0.028, < 0.001 or > 1.6"


@dataclass(frozen=True)
class Cell:
    """A printed number: its ``spread`` as printed after ±, its ``bound`` as ``<`` before it."""

    number: Decimal
    last_digit: Decimal  # one unit of it
    spread: float
    bound: str
    percent: bool


def read_cell(text: str) -> Cell:
    """Read a number as papers print it; a decimal comma is asked about, never guessed.

    Raises
    ------
    ValueError
        If it is none; what was got, and what to do.

    Examples
    --------
    >>> cell = read_cell("6.13(6) %")
    >>> str(cell.number), cell.spread, cell.percent
    ('6.13', 0.06, True)
    >>> read_cell("1,65")
    Traceback (most recent call last):
    ...
    ValueError: got '1,65'; write 1.65 if the comma is a decimal one, or 165 if it is none
    """
    plain = " ".join(text.translate(_ALIKE).split())
    match = _CELL.fullmatch(plain)
    if match is None or (match["bound"] and (match["last"] or match["spread"])):
        both = plain.replace(".", "").replace(",", "."), plain.replace(",", "")
        if "," in plain and all(_CELL.fullmatch(reading) for reading in both):
            raise ValueError(
                f"got {text[:40]!r}; write {both[0]} if the comma is a decimal one, or {both[1]} "
                "if it is none"
            )
        raise ValueError(f"got {text[:40]!r}; write it as one of {FORMS}")
    number, spread = (Decimal((match[i] or "0").replace(",", "")) for i in ("number", "spread"))
    if isinf(float(number)):
        raise ValueError(f"got {text[:40]!r}, which is beyond all numbers; write another unit")
    digit = Decimal(1).scaleb(int(number.as_tuple().exponent))
    if match["last"]:
        spread = int(match["last"]) * digit
    return Cell(number, digit, float(spread), match["bound"] or "", "%" in plain)
