"""Parts that can be rerun: each is one experiment with its data, its seed and its options."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan, nan
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

Loaded: TypeAlias = tuple[str, str | None]  # a data set and its split


@dataclass(frozen=True)
class Part:
    """One experiment as it is rerun for the ledger.

    Parameters
    ----------
    paper, name : str
        Together the address of the part, as in ``pplab reproduce PAPER --part NAME``.
    experiment : callable
        A function, or a `Command` (``claimbook.command``). Takes the data sets by name, then
        ``rng`` and the options; gives a tidy DataFrame whose rows hold a ``value``, perhaps its
        ``se`` (standard error of our value), the ``sd`` of a single printed draw, the ``runs``
        behind it, and the option of each choice of the paper on which it depends. Where the print
        lost a label, ``low`` and ``high`` over what may be meant: the number then chooses no world.
    datasets : mapping of argument to (data set, split)
        What to load for it; empty when the experiment needs no data.
    instead : mapping of argument to (data set, split)
        What is loaded in the place of one of these where its files are not at hand.
    seed : int
        Seed handed on as ``rng``.
    options : mapping
        Further keyword arguments; they are stored with the result.
    full_options : mapping
        What ``--full`` changes in the options.
    fixed : mapping
        Keyword arguments that say which experiment this is, as the name of its data; not stored.
    standins : tuple of str
        Arguments that get the stand-in whatever data are there, where nobody can have the full
        data set.
    substitute : bool
        Whether another method stands in the place of the paper's, because it is not described.
    """

    paper: str
    name: str
    experiment: Callable[..., pd.DataFrame]
    datasets: Mapping[str, Loaded] = field(default_factory=dict)
    seed: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    full_options: Mapping[str, Any] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    standins: tuple[str, ...] = ()
    substitute: bool = False
    instead: Mapping[str, Loaded] = field(default_factory=dict)


Rng: TypeAlias = int | np.random.Generator | None  # a seed, a generator, or what comes


# Common to the checks of statements, whatever the paper.


# Whether the statement is true, one sentence with the numbers, and the answer where it must fail.
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


def statement_rows(results: Mapping[str, Finding]) -> pd.DataFrame:
    """Give findings as rows: statement, value (1.0 true, 0.0 false), witness and null.

    Examples
    --------
    >>> print(statement_rows({"one": (True, "1 = 1.", False)}).to_string(index=False))
    statement  value witness  null
          one    1.0  1 = 1.   0.0
    """
    rows = []
    for name, (true, witness, *null) in results.items():
        row = {"statement": name, "value": float(true), "witness": witness}
        rows.append(row | ({"null": float(null[0])} if null else {}))
    return pd.DataFrame(rows)


Check: TypeAlias = Callable[..., tuple[bool, str]]


def against(check: Check, right: Any, wrong: Any) -> Finding:
    """Run a check on the claim, then on something wrong, where it must fail.

    Examples
    --------
    >>> against(lambda most: (2 + 2 <= most, "4"), right=4, wrong=3)
    (True, '4', False)
    """
    true, witness = check(right)
    return true, witness, check(wrong)[0]


def decided(*checks: Callable[[], Finding]) -> pd.DataFrame:
    """Call each function that decides the statement of its name."""
    return statement_rows({check.__name__: check() for check in checks})


# Several runs of one measurement in one row: mean, its standard error, spread of a run.


def mean_of_runs(draws: Sequence[float] | np.ndarray) -> dict[str, float]:
    """Mean over runs (value), its standard error (se), the spread of a run (sd), and the runs.

    A single run has no spread: NaN.

    Examples
    --------
    >>> mean_of_runs([1.0, 3.0])
    {'value': 2.0, 'se': 1.0, 'sd': 1.4142135623730951, 'runs': 2}
    """
    values = np.asarray(draws, dtype=float)
    spread = float(values.std(ddof=1)) if len(values) > 1 else nan
    count = len(values)
    return {"value": float(values.mean()), "se": spread / count**0.5, "sd": spread, "runs": count}


def mean_of_any_runs(draws: Sequence[float] | np.ndarray) -> dict[str, float]:
    """As `mean_of_runs`, also for a single run without randomness."""
    row = mean_of_runs(draws)
    return {"value": row["value"], "se": 0.0, "sd": 0.0} if isnan(row["sd"]) else row
