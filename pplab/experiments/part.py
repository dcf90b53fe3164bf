"""What can be rerun: a part is one experiment with its data, its seed and its options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

__all__ = ["Part"]


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
