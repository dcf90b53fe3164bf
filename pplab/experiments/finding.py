"""What checks of statements have in common, whatever the paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

__all__ = ["Finding", "listed", "statement_rows"]

Finding = tuple[bool, str]  # whether the statement is true, and one sentence with the numbers


def listed(words: Iterable[str]) -> str:
    """Write words as a list in a sentence.

    Examples
    --------
    >>> listed(["age", "gender", "politics"])
    'age, gender and politics'
    """
    *first, last = [*words] or ["none"]
    return f"{', '.join(first)} and {last}" if first else last


def statement_rows(found: Mapping[str, Finding]) -> pd.DataFrame:
    """Give findings as rows: statement, value (1.0 true, 0.0 false) and witness.

    Examples
    --------
    >>> print(statement_rows({"one": (True, "1 = 1.")}).to_string(index=False))
    statement  value witness
          one    1.0  1 = 1.
    """
    rows = [(name, float(true), witness) for name, (true, witness) in found.items()]
    return pd.DataFrame(rows, columns=["statement", "value", "witness"])
