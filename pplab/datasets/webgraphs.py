"""Large graphs as lists of arcs: two of co-authors, two of web pages, each with its stand-in.

The matrix has a row per node that has an arc out of it and a column per node that has an arc into
it: rows and columns without an entry are left out, as the paper does. Self-loops are entries like
any other. ``users`` and ``items`` hold the owner's node numbers. The sizes of the stand-ins are
exact; how alike their rows are is held to ``catalog.toml``.
"""

import gzip
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.random import Generator

from pplab.datasets.catalog import Dataset, csr_of_cells, degrees_from_quantiles, distinct, entry
from pplab.datasets.files import read_numbers
from pplab.datasets.invented import numbers_of
from pplab.datasets.store import DataFileError, fresh_copy, unpacking
from pplab.graphs import Array

# The reader of all four: one pair of node numbers per line, packed or not.

_UNDIRECTED = ("com-dblp",)  # each line stands for both directions; dblp-2010 lists both


def read_graph(name: str, paths: Sequence[Path], _split: str | None) -> Dataset:
    """Put arcs into a matrix; an arc that is listed again counts once.

    The file is packed; lines that begin with ``#`` may stand above the arcs: two whole numbers per
    line, a tab between them.

    Raises
    ------
    DataFileError
        One sentence that names the file and, where there is one, the line: a damaged archive, a
        line cut short, another number of columns, something but digits. If the file has another
        number of arcs, or the matrix another size, than the catalogue says: where the owner's
        checksum is not known, this is how a wrong file is noticed.
    """
    [path], start, comments = paths, 0, 0
    with unpacking(path):
        raw = gzip.decompress(path.read_bytes())
    while raw[start : start + 1] == b"#":
        end = raw.find(b"\n", start)
        start, comments = (len(raw) if end < 0 else end + 1), comments + 1
    text, columns = raw[start:].replace(b"\r\n", b"\n"), ("source", "target")
    arcs = read_numbers(path, text, names=columns, sep="\t", above=comments)
    source, target = arcs["source"].to_numpy(), arcs["target"].to_numpy()
    if name in _UNDIRECTED:
        source, target = np.concatenate([source, target]), np.concatenate([target, source])
    data = _dataset_of_cells(name, "real", source, target)
    facts, (rows, width) = entry(name).statistics, data.biadjacency.shape
    result = {"rows": rows, "columns": width, "entries": data.biadjacency.nnz}
    result |= {"lines of arcs": len(arcs)}
    lines = facts.get("edges" if name in _UNDIRECTED else "arcs", len(arcs))
    known = {"lines of arcs": lines, **facts.get("biadjacency", result)}
    if result != known:
        sizes = ", ".join(f"{count:,} {noun}" for noun, count in result.items())
        expected = ", ".join(f"{known[noun]:,} {noun}" for noun in result)
        raise DataFileError(
            f"{path} is not the graph that its owner published: it has {sizes}, "
            f"expected {expected}; move it away and {fresh_copy(name)}"
        )
    return data


def _dataset_of_cells(name: str, kind: str, source: Array, target: Array) -> Dataset:
    """Give the matrix of the cells (source, target); those without an entry have no row, no column.

    Examples
    --------
    >>> _dataset_of_cells("web", "generated", np.array([7, 7, 3]), np.array([1, 1, 7]))
    <web (generated): 2 users x 2 items, 2 edges>
    """
    sources, rows = np.unique(source, return_inverse=True)
    targets, columns = np.unique(target, return_inverse=True)
    codes = distinct(rows * np.int64(len(targets)) + columns)
    rows, columns = np.divmod(codes, len(targets))
    ones = np.ones(len(codes), dtype=np.int32)
    cells = csr_of_cells(rows, columns, ones, (len(sources), len(targets)))
    sides = (pd.Index(nodes, name="node") for nodes in (sources, targets))
    users, items = (pd.DataFrame(index=side) for side in sides)
    return Dataset(name, kind, users, items, biadjacency=cells)


# Stand-ins of the co-authorship graphs: papers as overlapping cliques, nobody's papers.
#
# Authors work in groups. A paper has a first author, the busier the more often, and co-authors
# mostly from her group; every two authors of a paper are linked. First every team has a paper, so
# that nobody is without one, then come papers until the published number of links is reached.

_PAPERS = numbers_of("coauthors")
_COAUTHORS_SEED = 2010  # the year of the real graph; any other would do

_CHUNK = 50_000  # papers drawn at a time


@lru_cache(maxsize=2)
def make_coauthors(name: str, _split: str | None) -> Dataset:
    """Make the stand-in of a co-authorship graph in its full size, always the same one."""
    facts, rng = entry(name).statistics["biadjacency"], np.random.default_rng(_COAUTHORS_SEED)
    low, high = _draw_papers(facts["rows"], facts["entries"] // 2, _PAPERS.group[name], rng)
    names = rng.permutation(facts["rows"])  # so that a number says nothing about the group
    ends = names[np.stack([low, high])]
    return _dataset_of_cells(name, "standin", ends.ravel(), ends[::-1].ravel())


def _draw_papers(authors: int, links: int, group: int, rng: Generator) -> tuple[Array, Array]:
    """Draw papers until there are `links` distinct pairs of authors, everybody in one at least."""
    team, bounds = _teams_and_groups(authors, group, rng)
    weights = np.cumsum(np.minimum(rng.pareto(_PAPERS.busy, size=authors) + 0.1, _PAPERS.busiest))
    codes = _first_papers(team, team[rng.random(authors) < _PAPERS.pupils])
    alone = rng.permutation(np.setdiff1d(np.arange(authors), [codes // authors, codes % authors]))
    pupils = _papers(alone, 2 + 0 * alone, bounds, weights, 0.0, rng)
    codes = pd.unique(np.concatenate([codes, pupils]))
    while len(codes) < links:
        first = np.searchsorted(weights, rng.random(_CHUNK) * weights[-1])
        size = np.minimum(1 + rng.geometric(1 - _PAPERS.team, size=_CHUNK), _PAPERS.most_authors)
        fresh = _papers(first, size, bounds, weights, _PAPERS.guests, rng)
        codes = pd.unique(np.concatenate([codes, fresh]))
    chosen = codes[:links]
    return chosen // authors, chosen % authors


def _teams_and_groups(authors: int, group: int, rng: Generator) -> tuple[Array, Array]:
    """Give each author's first team, and start and end of her group, some teams in a row."""
    sizes = 1 + rng.geometric(1 - _PAPERS.team, size=authors)  # more teams than needed
    ends = np.cumsum(sizes)
    ends = np.append(ends[ends < authors - 1], authors)  # no last team of a single author
    team = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
    last = rng.random(len(ends)) < authors / len(ends) / group  # of its group
    last[-1] = True
    lengths = np.diff(ends[last], prepend=0)
    return team, np.repeat([ends[last] - lengths, ends[last]], lengths, axis=1)


def _first_papers(team: Array, without: Array) -> Array:
    """Link everybody within a team, but for the teams `without` such a paper."""
    authors, gap, result = np.arange(len(team)), 1, []
    closed = ~np.isin(team, without)
    while (same := team[:-gap] == team[gap:]).any():
        low = authors[:-gap][same & closed[:-gap]]
        result.append(low * np.int64(len(team)) + low + gap)
        gap += 1
    return np.concatenate(result)


def _papers(
    first: Array, size: Array, bounds: Array, weights: Array, guest: float, rng: Generator
) -> Array:
    """Give the pairs of authors of each paper as low * authors + high, in the papers' order."""
    start, end = bounds[:, first]
    total, widest = len(weights), int(size.max())
    below = np.concatenate([[0.0], weights])
    low, high = below[start][:, None], below[end][:, None]
    points = low + rng.random((len(first), widest)) * (high - low)
    people = np.searchsorted(weights, points, side="right")
    people = np.clip(people, start[:, None], end[:, None] - 1)  # what rounding may have moved
    away = rng.random(people.shape) < guest
    people[away] = rng.integers(total, size=int(away.sum()))
    # a first author who meets herself works with her neighbour in the group
    neighbours = np.where(first + 1 < end, first + 1, first - 1)
    people[:, 1] = np.where(people[:, 1] == first, neighbours, people[:, 1])
    people[:, 0] = first
    papers, codes = [], []
    for one, two in combinations(range(widest), 2):
        both = np.flatnonzero((size > two) & (people[:, one] != people[:, two]))
        pair = np.sort(people[both][:, [one, two]], axis=1)
        papers.append(both)
        codes.append(pair[:, 0] * np.int64(total) + pair[:, 1])
    return pd.unique(np.concatenate(codes)[np.argsort(np.concatenate(papers), kind="stable")])


# Stand-ins of the web graphs: sites whose pages copy the links of their site, nobody's pages.
#
# A site has a list of links, some to pages that everybody links to, most to its own. A page takes
# the head of this list and adds links of its own, many of them to pages that nothing else links
# to.

_WEB = numbers_of("web")
_WEB_SEED = 2000  # the year of the real graph; any other would do


@lru_cache(maxsize=2)
def make_web(name: str, _split: str | None) -> Dataset:
    """Make the stand-in of a web graph in its full size, always the same one."""
    known, rng = entry(name), np.random.default_rng(_WEB_SEED)
    facts = known.statistics["biadjacency"]
    rows, columns, entries = (facts[word] for word in ("rows", "columns", "entries"))
    quantiles = known.measured.get("row_degrees", _WEB.links)
    codes = draw_links(degrees_from_quantiles(quantiles, count=rows, total=entries), columns, rng)
    # numbers are dealt by site, as a crawl does: pages of a site follow each other
    return _dataset_of_cells(name, "standin", codes // columns, codes % columns)


def draw_links(degrees: Array, columns: int, rng: Generator) -> Array:
    """Draw page * columns + target of each link: sum(degrees) of them, every column in one.

    Parameters
    ----------
    degrees : int array, ascending
        Links of each page; met but for a few, where a link was drawn twice.
    columns : int
    rng : numpy.random.Generator
    """
    pages, total = len(degrees), int(degrees.sum())
    site, degrees = _sites(degrees, rng)
    longest = np.maximum.reduceat(degrees, np.flatnonzero(np.diff(site, prepend=-1)))
    lists = _site_lists(longest, columns, rng)
    own_links = np.where(rng.random(pages) < _WEB.whole, 0, 1 + rng.binomial(degrees - 1, _WEB.own))
    page = np.repeat(np.arange(pages), degrees)
    place = np.arange(total) - np.repeat(np.cumsum(degrees) - degrees, degrees)
    from_site = place < np.repeat(degrees - own_links, degrees)
    list_start = np.cumsum(longest) - longest
    target = np.empty(total, dtype=np.int64)
    target[from_site] = lists[(np.repeat(list_start[site], degrees) + place)[from_site]]
    target[~from_site] = _own_links(page[~from_site], target[from_site], columns, pages, rng)
    return _exact(page * np.int64(columns) + target, columns, total, rng)


def _sites(degrees: Array, rng: Generator) -> tuple[Array, Array]:
    """Give the site of each page, ascending, and the pages' numbers of links, alike in a site."""
    noisy = np.log(degrees) + 0.1 * rng.standard_normal(len(degrees))
    sorted_degrees = degrees[np.argsort(noisy, kind="stable")]
    sizes = np.ceil(rng.pareto(_WEB.site, size=len(degrees)) + 0.01).astype(np.int64)
    sizes = np.minimum(sizes, len(degrees) // 50)
    ends = np.cumsum(sizes)
    ends = np.append(ends[ends < len(degrees)], len(degrees))
    lengths = np.diff(ends, prepend=0)
    permutation = rng.permutation(len(ends))  # a place in the order says nothing about the size
    order = np.argsort(np.repeat(permutation, lengths), kind="stable")
    return np.repeat(np.arange(len(ends)), lengths[np.argsort(permutation)]), sorted_degrees[order]


def _site_lists(longest: Array, columns: int, rng: Generator) -> Array:
    """Give the links of each site, one list behind the other."""
    total = int(longest.sum())
    near = np.repeat(rng.integers(columns, size=len(longest)), longest)
    place = np.arange(total) - np.repeat(np.cumsum(longest) - longest, longest)
    popular = np.minimum(_WEB.head * rng.pareto(_WEB.popular, size=total), columns - 1)
    shared = rng.random(total) < _WEB.shared
    return np.where(shared, popular.astype(np.int64), near + place) % columns


def _own_links(page: Array, linked: Array, columns: int, pages: int, rng: Generator) -> Array:
    """Give targets of own links: first, in order, what no site links to; the rest lies near by."""
    unlinked = np.flatnonzero(np.bincount(linked, minlength=columns) == 0)
    if len(unlinked) > len(page):
        raise ValueError(f"{len(page):,} own links cannot reach {len(unlinked):,} pages")
    target = (page * columns // pages + rng.geometric(1 / _WEB.near, size=len(page))) % columns
    target[np.sort(rng.choice(len(page), size=len(unlinked), replace=False))] = unlinked
    return target


def _exact(codes: Array, columns: int, total: int, rng: Generator) -> Array:
    """Make up for links that were drawn twice by links of the same pages to anywhere."""
    codes = distinct(codes)
    while len(codes) < total:
        pages = codes[rng.integers(len(codes), size=total - len(codes))] // columns
        anywhere = rng.integers(columns, size=len(pages))
        codes = distinct(np.concatenate([codes, pages * columns + anywhere]))
    return codes
