"""Parts that can be rerun: each is one experiment with its data, its seed and its options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any, TypeAlias

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Part:
    """One experiment as it is rerun for the ledger.

    Parameters
    ----------
    paper, name : str
        Together the address of the part, as in ``pplab reproduce PAPER --part NAME``.
    experiment : callable
        Takes the data sets by name, then ``rng`` and the options; gives a tidy DataFrame whose
        rows hold a ``value``, perhaps its ``se`` (standard error of our value), the ``sd`` of a
        single printed draw, how many ``runs`` are behind it, and a column for each choice of the
        paper on which it depends, with the option.
    datasets : mapping of argument to (data set, split)
        What to load for it; empty when the experiment needs no data.
    seed : int
        Seed handed on as ``rng``.
    options : mapping
        Further keyword arguments; they are stored with the result.
    full_options : mapping
        What ``--full`` changes in the options.
    fixed : mapping
        Keyword arguments that say which experiment this is, as the name of its data; not stored.
    standins : tuple of str
        Arguments that get the stand-in whatever data are there, where the full data set cannot be
        had.
    substitute : bool
        Whether another method or another data set stands in the place of the paper's, because it
        is not described or cannot be had.
    """

    paper: str
    name: str
    experiment: Callable[..., pd.DataFrame]
    datasets: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)
    seed: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    full_options: Mapping[str, Any] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    standins: tuple[str, ...] = ()
    substitute: bool = False


Rng: TypeAlias = int | np.random.Generator | None  # a seed, a generator, or what comes


# Common to the checks of statements, whatever the paper.


# Whether the statement is true, one sentence with the numbers, and what the same check says of the
# wrong thing that the rule names as null.
Finding = tuple[bool, str] | tuple[bool, str, bool]


def listed(words: Iterable[str]) -> str:
    """Write words as a list in a sentence.

    Examples
    --------
    >>> listed(["age", "gender", "politics"])
    'age, gender and politics'
    """
    *first, last = [*words] or ["none"]
    return f"{', '.join(first)} and {last}" if first else last


def with_null(check: Callable[[Any], tuple[bool, str]], right: Any, wrong: Any) -> Finding:
    """Check the right thing, and the wrong one, of which the check must not be true."""
    return *check(right), check(wrong)[0]


def statement_rows(results: Mapping[str, Finding]) -> pd.DataFrame:
    """Give findings as rows: statement, value (1.0 true, 0.0 false), witness and null.

    Examples
    --------
    >>> print(statement_rows({"one": (True, "1 = 1.", False)}).to_string(index=False))
    statement  value witness  null
          one    1.0  1 = 1.   0.0
    """
    columns = ("statement", "value", "witness", "null")
    return pd.DataFrame(
        dict(zip(columns, (name, float(true), told, *map(float, null)), strict=False))
        for name, (true, told, *null) in results.items()
    )


def decided(*checks: Callable[[], Finding]) -> pd.DataFrame:
    """Ask each function that decides a statement; its name is the statement's."""
    return statement_rows({check.__name__: check() for check in checks})


# Several runs of one measurement in one row: mean, its standard error, spread of a run.


def mean_of_runs(draws: Sequence[float] | np.ndarray) -> dict[str, float]:
    """Mean over runs (value), its standard error (se), the spread of a single run (sd), and runs.

    A single run has no spread: NaN.

    Examples
    --------
    >>> mean_of_runs([1.0, 3.0])
    {'value': 2.0, 'se': 1.0, 'sd': 1.4142135623730951, 'runs': 2}
    """
    values = np.asarray(draws, dtype=float)
    spread = float(values.std(ddof=1)) if len(values) > 1 else nan
    error = spread / len(values) ** 0.5
    return {"value": float(values.mean()), "se": error, "sd": spread, "runs": len(values)}


def mean_of_any_runs(draws: Sequence[float] | np.ndarray) -> dict[str, float]:
    """As `mean_of_runs`, where a single run has no chance in it: its value alone."""
    return mean_of_runs(draws) if len(draws) > 1 else {"value": float(np.mean(draws))}
