"""Stand-ins for the web graphs: sites whose pages copy the links of their site, nobody's pages.

A site has a list of links, some to pages that everybody links to, most to its own. A page takes the
head of this list and adds links of its own, many of them to pages that nothing else links to. The
sizes are exact; how alike the pages are is held to catalog.toml.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pplab.datasets.arcs import dataset_of_cells
from pplab.datasets.catalog import entry
from pplab.datasets.dataset import Dataset
from pplab.datasets.margins import degrees_from_quantiles
from pplab.datasets.social_tables import distinct

__all__ = ["make_web"]

_SEED = 2000  # the year of the real graph; any other would do


@dataclass(frozen=True)
class _Recipe:
    """What was found by hand, so that the result lies near the summaries of the real data."""

    site: float  # power of the law of the sites' sizes
    whole: float  # share of the pages that have the site's links alone
    own: float  # mean share of own links on the other pages, beside one that each has
    shared: float  # share of a site's links that go to pages which everybody links to
    popular: float  # power of the law of how often these are linked to


_WEB = _Recipe(site=0.9, whole=0.35, own=0.15, shared=0.3, popular=0.8)
_HEAD = 40  # about so many pages are linked to from everywhere
_NEAR = 50  # how far away, on average, a page is that an own link leads to
# Made up for the graph of which no more than its size is known here: 21 quantiles of links.
_LINKS = [1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 5, 6, 8, 9, 11, 13, 16, 20, 27, 255]


@lru_cache(maxsize=2)
def make_web(name: str, _split: str | None) -> Dataset:
    """Make the stand-in of a web graph in its full size, always the same one."""
    known, rng = entry(name), np.random.default_rng(_SEED)
    facts = known.statistics["biadjacency"]
    rows, columns, entries = (facts[word] for word in ("rows", "columns", "entries"))
    quantiles = known.measured.get("row_degrees", _LINKS)
    degrees = degrees_from_quantiles(quantiles, count=rows, total=entries)
    codes = draw_links(degrees, columns, _WEB, rng)
    page, target = codes // columns, codes % columns
    # numbers are dealt by site, as a crawl does: pages of a site follow each other
    return dataset_of_cells(name, "standin", page, target)


def draw_links(
    degrees: np.ndarray, columns: int, recipe: _Recipe, rng: np.random.Generator
) -> np.ndarray:
    """Draw page * columns + target of each link: sum(degrees) of them, every column in one.

    Parameters
    ----------
    degrees : int array, ascending
        Links of each page; met but for a few, where a link was drawn twice.
    columns : int
    recipe : _Recipe
    rng : numpy.random.Generator
    """
    pages, total = len(degrees), int(degrees.sum())
    site, degrees = _sites(degrees, recipe, rng)
    starts = np.flatnonzero(np.diff(site, prepend=-1))
    longest = np.maximum.reduceat(degrees, starts)
    lists = _site_lists(longest, columns, recipe, rng)
    whole = rng.random(pages) < recipe.whole
    own = np.where(whole, 0, 1 + rng.binomial(degrees - 1, recipe.own))
    page = np.repeat(np.arange(pages), degrees)
    place = np.arange(total) - np.repeat(np.cumsum(degrees) - degrees, degrees)
    from_site = place < np.repeat(degrees - own, degrees)
    list_start = np.cumsum(longest) - longest
    target = np.empty(total, dtype=np.int64)
    target[from_site] = lists[(np.repeat(list_start[site], degrees) + place)[from_site]]
    target[~from_site] = _own_links(page[~from_site], target[from_site], columns, pages, rng)
    return _exact(page * np.int64(columns) + target, columns, total, rng)


def _sites(
    degrees: np.ndarray, recipe: _Recipe, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Give the site of each page, ascending, and the pages' numbers of links, alike in a site."""
    noisy = np.log(degrees) + 0.1 * rng.standard_normal(len(degrees))
    alike = degrees[np.argsort(noisy, kind="stable")]
    sizes = np.ceil(rng.pareto(recipe.site, size=len(degrees)) + 0.01).astype(np.int64)
    sizes = np.minimum(sizes, len(degrees) // 50)
    ends = np.cumsum(sizes)
    ends = np.append(ends[ends < len(degrees)], len(degrees))
    lengths = np.diff(ends, prepend=0)
    dealt = rng.permutation(len(ends))  # a place in the order says nothing about the size
    order = np.argsort(np.repeat(dealt, lengths), kind="stable")
    return np.repeat(np.arange(len(ends)), lengths[np.argsort(dealt)]), alike[order]


def _site_lists(
    longest: np.ndarray, columns: int, recipe: _Recipe, rng: np.random.Generator
) -> np.ndarray:
    """Give the links of each site, one list behind the other."""
    total = int(longest.sum())
    near = np.repeat(rng.integers(columns, size=len(longest)), longest)
    place = np.arange(total) - np.repeat(np.cumsum(longest) - longest, longest)
    popular = np.minimum(_HEAD * rng.pareto(recipe.popular, size=total), columns - 1)
    return (
        np.where(rng.random(total) < recipe.shared, popular.astype(np.int64), near + place)
        % columns
    )


def _own_links(
    page: np.ndarray, linked: np.ndarray, columns: int, pages: int, rng: np.random.Generator
) -> np.ndarray:
    """Give targets of own links: first, in order, what no site links to; the rest lies near by."""
    unlinked = np.flatnonzero(np.bincount(linked, minlength=columns) == 0)
    if len(unlinked) > len(page):
        raise ValueError(f"{len(page):,} own links cannot reach {len(unlinked):,} pages")
    target = (page * columns // pages + rng.geometric(1 / _NEAR, size=len(page))) % columns
    target[np.sort(rng.choice(len(page), size=len(unlinked), replace=False))] = unlinked
    return target


def _exact(codes: np.ndarray, columns: int, total: int, rng: np.random.Generator) -> np.ndarray:
    """Make up for links that were drawn twice by links of the same pages to anywhere."""
    codes = distinct(codes)
    while len(codes) < total:
        pages = codes[rng.integers(len(codes), size=total - len(codes))] // columns
        anywhere = rng.integers(columns, size=len(pages))
        codes = distinct(np.concatenate([codes, pages * columns + anywhere]))
    return codes
