"""Stand-ins for the co-authorship graphs: papers as overlapping cliques, nobody's papers.

Authors work in groups. A paper has a first author, the busier the more often, and co-authors
mostly from her group; every two authors of a paper are linked. First every team has a paper, so
that nobody is without one, then come papers until the published number of links is reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from pplab.datasets.arcs import dataset_of_cells
from pplab.datasets.catalog import entry
from pplab.datasets.dataset import Dataset

__all__ = ["make_coauthors"]

_SEED = 2010  # the year of the real graph; any other would do


@dataclass(frozen=True)
class _Recipe:
    """What was found by hand, so that the result lies near the summaries of the real data."""

    group: float  # mean number of authors of a group
    busy: float  # power of the law of how busy authors are: the smaller, the fewer do most
    most: float  # of the most busy ones, as a multiple of the usual
    team: float  # chance of one more author, once there are two
    pupils: float  # chance of each author that her team has no paper: all work with busy ones
    guest: float  # share of the co-authors who come from anywhere


_DBLP_2010 = _Recipe(group=20, busy=0.9, most=1000, team=0.65, pupils=0.06, guest=0.08)
_COM_DBLP = _Recipe(group=24, busy=0.9, most=1000, team=0.65, pupils=0.06, guest=0.08)
_MOST_AUTHORS = 20
_CHUNK = 50_000  # papers drawn at a time


@lru_cache(maxsize=2)
def make_coauthors(name: str, _split: str | None) -> Dataset:
    """Make the stand-in of a co-authorship graph in its full size, always the same one."""
    facts, rng = entry(name).statistics["biadjacency"], np.random.default_rng(_SEED)
    recipe = _COM_DBLP if name == "com-dblp" else _DBLP_2010
    low, high = draw_papers(facts["rows"], facts["entries"] // 2, recipe, rng)
    names = rng.permutation(facts["rows"])  # so that a number says nothing about the group
    first, second = names[low], names[high]
    return dataset_of_cells(
        name, "standin", np.concatenate([first, second]), np.concatenate([second, first])
    )


def draw_papers(
    authors: int, links: int, recipe: _Recipe, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw papers until there are `links` distinct pairs of authors, everybody in one at least."""
    team, start, end = _teams_and_groups(authors, recipe, rng)
    weights = np.cumsum(np.minimum(rng.pareto(recipe.busy, size=authors) + 0.1, recipe.most))
    codes = _first_papers(team, team[rng.random(authors) < recipe.pupils])
    alone = rng.permutation(np.setdiff1d(np.arange(authors), [codes // authors, codes % authors]))
    pupils = _papers(alone, 2 + 0 * alone, start[alone], end[alone], weights, 0.0, rng)
    codes = _in_order(np.concatenate([codes, pupils]))
    while len(codes) < links:
        first = np.searchsorted(weights, rng.random(_CHUNK) * weights[-1])
        size = np.minimum(1 + rng.geometric(1 - recipe.team, size=_CHUNK), _MOST_AUTHORS)
        fresh = _papers(first, size, start[first], end[first], weights, recipe.guest, rng)
        codes = _in_order(np.concatenate([codes, fresh]))
    chosen = codes[:links]
    return chosen // authors, chosen % authors


def _teams_and_groups(
    authors: int, recipe: _Recipe, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give each author's first team, and where her group, some teams in a row, starts and ends."""
    sizes = 1 + rng.geometric(1 - recipe.team, size=authors)  # more teams than needed
    ends = np.cumsum(sizes)
    ends = np.append(ends[ends < authors - 1], authors)  # no last team of a single author
    team = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
    last = rng.random(len(ends)) < authors / len(ends) / recipe.group  # of its group
    last[-1] = True
    lengths = np.diff(ends[last], prepend=0)
    return team, np.repeat(ends[last] - lengths, lengths), np.repeat(ends[last], lengths)


def _first_papers(team: np.ndarray, without: np.ndarray) -> np.ndarray:
    """Link everybody within a team, but for the teams `without` such a paper."""
    authors, gap, found = np.arange(len(team)), 1, []
    closed = ~np.isin(team, without)
    while (same := team[:-gap] == team[gap:]).any():
        low = authors[:-gap][same & closed[:-gap]]
        found.append(low * np.int64(len(team)) + low + gap)
        gap += 1
    return np.concatenate(found)


def _papers(
    first: np.ndarray,
    size: np.ndarray,
    start: np.ndarray,
    end: np.ndarray,
    weights: np.ndarray,
    guest: float,
    rng: np.random.Generator,
) -> np.ndarray:
    """Give the pairs of authors of each paper as low * authors + high, in the papers' order."""
    total, widest = len(weights), int(size.max())
    below = np.concatenate([[0.0], weights])
    low, high = below[start][:, None], below[end][:, None]
    drawn = low + rng.random((len(first), widest)) * (high - low)
    people = np.searchsorted(weights, drawn, side="right")
    people = np.clip(people, start[:, None], end[:, None] - 1)  # what rounding may have moved
    away = rng.random(people.shape) < guest
    people[away] = rng.integers(total, size=int(away.sum()))
    # a first author who meets herself works with her neighbour in the group
    beside = np.where(first + 1 < end, first + 1, first - 1)
    people[:, 1] = np.where(people[:, 1] == first, beside, people[:, 1])
    people[:, 0] = first
    papers, codes = [], []
    for one, two in combinations(range(widest), 2):
        both = np.flatnonzero((size > two) & (people[:, one] != people[:, two]))
        pair = np.sort(people[both][:, [one, two]], axis=1)
        papers.append(both)
        codes.append(pair[:, 0] * np.int64(total) + pair[:, 1])
    order = np.argsort(np.concatenate(papers), kind="stable")
    return _in_order(np.concatenate(codes)[order])


def _in_order(codes: np.ndarray) -> np.ndarray:
    """Give each code once, in the order in which they come first."""
    return codes[np.sort(np.unique(codes, return_index=True)[1])]
