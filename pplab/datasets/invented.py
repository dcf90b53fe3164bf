"""What stand-ins are invented from: numbers fitted by hand, ids, titles and names of artists.

The numbers, and the words of titles and names, stand in ``standins.toml``. Nobody made these films,
and nobody bears these names; each stands once, and always in the same place. Their chance is their
own, so that words may change here and no number with them.
"""

import tomllib
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd

_SEED = 1895  # the year of the first public film show; any other would do


def numbers_of(name: str) -> SimpleNamespace:
    """Give the parameters of a stand-in that were not measured on the real data.

    Examples
    --------
    >>> numbers_of("flixster").circle_size
    30
    """
    return SimpleNamespace(**_NUMBERS[name])


def ids_from_one(count: int, name: str) -> pd.DataFrame:
    """Give a table without columns whose index, of this name, is 1 to count.

    Examples
    --------
    >>> ids_from_one(3, "user").index.tolist()
    [1, 2, 3]
    """
    return pd.DataFrame(index=pd.RangeIndex(1, count + 1, name=name))


_NUMBERS = tomllib.loads(Path(__file__).with_name("standins.toml").read_text(encoding="utf-8"))
_WORDS = numbers_of("invented")


def titles(years: Sequence[int]) -> list[str]:
    """Give a film of each of these years a title, at most 2,304 of them.

    Examples
    --------
    >>> len(set(titles([1994] * 1682)))
    1682
    """
    words = _combinations(len(years), _WORDS.looks, _WORDS.things)
    return [f"The {' '.join(each)} ({year})" for each, year in zip(words, years, strict=True)]


def artists(count: int) -> list[str]:
    """Give so many artists a name, at most 27,648 of them.

    Examples
    --------
    >>> len(set(artists(17_632)))
    17632
    """
    words = _combinations(count, _WORDS.names, _WORDS.looks, _WORDS.things)
    return [f"{name} and the {look} {thing}s" for name, look, thing in words]


def _combinations(count: int, *lists: str) -> list[tuple[str, ...]]:
    """Different combinations, a word of each list, in an order drawn from the seed."""
    every = list(product(*map(str.split, lists)))
    return [every[place] for place in np.random.default_rng(_SEED).permutation(len(every))[:count]]
