"""Stand-ins for Adult and the Play Store: tables of categories with the published level counts.

A mixture: each row belongs to one of many kinds, a kind has a favourite level of each attribute,
and a row takes it or, now and then, any level. How often a level occurs follows a power law made up
here: of the real tables only sizes are in it, how alike the rows are (catalog.toml), and how well
a logistic regression learns the income from the eight attributes (0.836 right on the test part).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from pplab.datasets import adult, playstore
from pplab.datasets.catalog import entry
from pplab.datasets.dataset import Dataset

__all__ = ["make_adult", "make_playstore"]

_SEED = 1996  # the year of Adult; any other would do
_INCOME = 0.88  # correlation of income with the kind: calibrated to how well it can be learned


@dataclass(frozen=True)
class _Recipe:
    """What was found by hand, so that rows are as alike as in the real data."""

    kinds: int
    kind_power: float  # the r-th kind by size has a share of about r to the minus this
    level_power: float  # likewise of the levels
    bond: float  # how often a row takes the favourite level of its kind
    twice: float = 0.0  # share of the rows that are another row, listed again


_ADULT = _Recipe(400, 0.8, 1.5, 0.88)
_PLAYSTORE = _Recipe(300, 0.8, 1.5, 0.47, 0.08)


@lru_cache(maxsize=2)
def make_adult(name: str, split: str | None) -> Dataset:
    """Make the stand-in of Adult or of its test part, always the same one."""
    facts, rng = entry(name).statistics, np.random.default_rng(_SEED)
    rows, tests = facts["rows"], facts["test_rows"]
    levels = _level_names(facts["levels"])
    places, kinds = draw_table(rows, tests, facts["levels"], _ADULT, rng)
    merit = rng.standard_normal(_ADULT.kinds)[kinds]
    score = _INCOME * merit + (1 - _INCOME**2) ** 0.5 * rng.standard_normal(rows + tests)
    poor = score <= np.quantile(score, 1 - facts["rich_share"])
    part = slice(rows, None) if split == adult.TEST else slice(rows)
    income = np.where(poor, "<=50K", ">50K")[part]
    table = _table(places[part], levels)
    return adult.dataset(name, "standin", table, levels, places[part], income.tolist(), split)


@lru_cache(maxsize=1)
def make_playstore(name: str, _split: str | None) -> Dataset:
    """Make the stand-in of the Play Store, always the same one."""
    facts, rng = entry(name).statistics, np.random.default_rng(_SEED)
    levels = _level_names(facts["levels"])
    places, _ = draw_table(facts["sound_rows"], 0, facts["levels"], _PLAYSTORE, rng)
    return playstore.dataset(name, "standin", _table(places, levels), levels, places)


def draw_table(
    rows: int, more: int, sizes: Mapping[str, int], recipe: _Recipe, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw rows + more rows of a table; every level occurs in the first `rows` of them.

    Returns
    -------
    int arrays: the level of each row and attribute, shape (rows + more, attributes), and the kind
    of each row
    """
    total = rows + more
    kinds = rng.choice(recipe.kinds, size=total, p=_shares(recipe.kinds, recipe.kind_power))
    again, original = rng.choice(rows, size=(2, round(recipe.twice * rows)), replace=False)
    columns = []
    for levels in sizes.values():
        shares = rng.permutation(_shares(levels, recipe.level_power))
        favourite = rng.choice(levels, size=recipe.kinds, p=shares)
        column = np.where(
            rng.random(total) < recipe.bond,
            favourite[kinds],
            rng.choice(levels, size=total, p=shares),
        )
        column[again] = column[original]
        while len(absent := np.setdiff1d(np.arange(levels), column[:rows])):
            column[rng.choice(rows, size=len(absent), replace=False)] = absent
        columns.append(column)
    return np.column_stack(columns), kinds


def _shares(count: int, power: float) -> np.ndarray:
    shares = np.arange(1.0, count + 1) ** -power
    return shares / shares.sum()


def _level_names(sizes: Mapping[str, int]) -> dict[str, list[str]]:
    return {
        name: [f"{name} {place}" for place in range(1, size + 1)] for name, size in sizes.items()
    }


def _table(places: np.ndarray, levels: Mapping[str, list[str]]) -> pd.DataFrame:
    columns = zip(levels.items(), places.T, strict=True)
    return pd.DataFrame({name: np.array(names)[column] for (name, names), column in columns})
