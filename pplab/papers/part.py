"""Parts that can be rerun: each is one experiment with its data, its seed and its options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan, nan
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
        single printed draw, and the ``reading`` under which it was measured.
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


def statement_rows(results: Mapping[str, Finding]) -> pd.DataFrame:
    """Give findings as rows: statement, value (1.0 true, 0.0 false) and witness.

    Examples
    --------
    >>> print(statement_rows({"one": (True, "1 = 1.")}).to_string(index=False))
    statement  value witness
          one    1.0  1 = 1.
    """
    rows = [(name, float(true), witness) for name, (true, witness) in results.items()]
    return pd.DataFrame(rows, columns=["statement", "value", "witness"])


def decided(*checks: Callable[[], Finding]) -> pd.DataFrame:
    """Ask each function that decides a statement; its name is the statement's."""
    return statement_rows({check.__name__: check() for check in checks})


# Several runs of one measurement in one row: mean, its standard error, spread of a run.


def mean_of_runs(draws: Sequence[float] | np.ndarray) -> dict[str, float]:
    """Mean over runs (value), its standard error (se) and the spread of a single run (sd).

    A single run has no spread: NaN.

    Examples
    --------
    >>> mean_of_runs([1.0, 3.0])
    {'value': 2.0, 'se': 1.0, 'sd': 1.4142135623730951}
    """
    values = np.asarray(draws, dtype=float)
    spread = float(values.std(ddof=1)) if len(values) > 1 else nan
    return {"value": float(values.mean()), "se": spread / len(values) ** 0.5, "sd": spread}


def mean_of_any_runs(draws: Sequence[float] | np.ndarray) -> dict[str, float]:
    """As `mean_of_runs`, where a single run has no chance in it: its spread is 0."""
    return {name: 0.0 if isnan(value) else value for name, value in mean_of_runs(draws).items()}
