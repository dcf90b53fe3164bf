"""Social networks with preferences: Last.fm, Ciao and Flixster, with two stand-ins.

Each data set is a symmetric graph of friends and a users x items table of preferences. Last.fm and
Flixster have a stand-in in full size, drawn from one model: people live in circles and communities,
and like what is popular, what their community and what their circle likes. Sizes are exact;
degrees, components, modularity and what friends have in common are held to ``catalog.toml``.
Nobody's friendships or preferences are in it. What the paper leaves out, the experiment leaves
out; here everything is read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
from numpy.random import Generator
from scipy import sparse

from pplab.datasets.catalog import Dataset, csr_of_cells, degrees_from_quantiles, distinct, entry
from pplab.datasets.files import read_numbers, read_published, refuse_where
from pplab.datasets.invented import artists, ids_from_one, numbers_of
from pplab.graphs import Array

_SEED = 2014  # the year of the paper; any other would do
Pairs = tuple[Array, Array]  # the first and the second of each


# Last.fm of HetRec 2011: friends, listening counts and artists, and the stand-in.
#
# Three files with a header, tabs between the columns; every friendship is listed from both sides.
# A listening count of 1 is read like any other.

_LASTFM = numbers_of("lastfm")


def read_lastfm(name: str, paths: Sequence[Path], _split: str | None) -> Dataset:
    """Put the three files together; users are all who occur, items all artists of the owner."""
    sides, friend = ("userID", "artistID", "weight"), ("userID", "friendID")
    texts = ("id", "name", "url", "pictureURL")
    counts = read_published(paths[0], columns=sides, whole=sides, once=2, sep="\t")
    friends = read_published(paths[1], columns=friend, whole=friend, sep="\t")
    artists = read_published(paths[2], columns=texts, whole=("id",), once=1, sep="\t")
    artists = artists.rename(columns={"id": "artist", "pictureURL": "picture"})
    artists = artists.set_index("artist").sort_index()
    counts = counts.set_axis(["user", "item", "rating"], axis="columns")
    unlisted = ~counts["item"].isin(artists.index)
    refuse_where(paths[0], counts, unlisted, "artist {item} is not in artists.dat", above=1)
    return _real_dataset(name, counts, friends, artists)


@lru_cache(maxsize=1)
def make_lastfm(name: str, _split: str | None) -> Dataset:
    """Make the stand-in of Last.fm, always the same one."""
    known, rng = entry(name), np.random.default_rng(_SEED)
    facts, measured = known.statistics, known.measured
    users, links, pairs = (facts[word] for word in ("users", "social_edges", "listening_counts"))
    circles = _circles(_LASTFM, users, measured["components"][1:], rng)
    degrees = degrees_from_quantiles(measured["degrees"], count=users, total=2 * links)
    items = facts["items"]
    popularity = _listeners(measured["item_degrees"], measured["item_tops"], items, total=pairs)
    counts = _listening_numbers(measured["most_counts"], measured["fewer_counts"], users, pairs)
    people = _place_people(circles, degrees, rng)
    friends = _planted_links(circles, degrees[people], links=links, rng=rng)
    counts, popularity = rng.permutation(counts), rng.permutation(popularity)
    likes = _draw_preferences(circles, counts, popularity, rng)
    ones = pairs - facts["preference_edges"]
    listening = _play_counts(likes[0], users, measured["listening"], ones, rng)
    made = _standin_dataset(name, friends, likes, listening, (users, items), rng)
    return replace(made, items=made.items.assign(name=artists(items)))


def _listening_numbers(most: int, fewer: int, users: int, total: int) -> Array:
    """Numbers that are `most`, but for `fewer` of them, spread evenly below, with this sum."""
    rest = total - most * (users - fewer)
    below = np.linspace(1, 2 * rest / fewer - 1, fewer).astype(np.int64)
    missing = rest - int(below.sum())  # rounding down took less than one from each
    below[fewer - missing :] += 1
    return np.concatenate([below, np.full(users - fewer, most)])


def _listeners(quantiles: list[int], tops: list[int], items: int, *, total: int) -> Array:
    """Users per item with these 21 quantiles, these numbers at ranks 1, 2, 4, ..., and this sum."""
    ranks = 2 ** np.arange(len(tops))[::-1]
    places = np.concatenate([np.linspace(0, 0.95, 20), 1 - (ranks - 1) / (items - 1)])
    logs = np.log([*quantiles[:-1], *reversed(tops)])
    result = np.rint(np.exp(np.interp(np.linspace(0, 1, items), places, logs))).astype(np.int64)
    missing = total - int(result.sum())  # the quantiles leave a little open: spread it
    shared = np.flatnonzero(result > quantiles[15])[:-1]
    result[shared] += missing // len(shared)
    result[shared[: missing % len(shared)]] += 1
    return result


def _play_counts(rows: Array, users: int, quantiles: list[int], ones: int, rng: Generator) -> Array:
    """Listening counts: some people listen more, exactly so many counts are 1."""
    loud = 1.377 * rng.standard_normal(users)
    ranks = _ranks(loud[rows] + 0.826 * rng.standard_normal(len(rows)))
    places = ranks / (len(rows) - 1) * (len(quantiles) - 1)
    counts = np.exp(np.interp(places, np.arange(len(quantiles)), np.log(quantiles)))
    return np.where(ranks < ones, 1, np.maximum(np.rint(counts), 2)).astype(np.int64)


# Ciao: who trusts whom, and ratings of products.
#
# Two files without a header, blanks between the numbers, no line end after the last line.


def read_ciao(name: str, paths: Sequence[Path], _split: str | None) -> Dataset:
    """Put the two files together.

    Two users are friends when either trusts the other; trust in oneself counts for nothing.
    Where a user rated an item more than once, the highest of the ratings is taken: the files
    give no times, and the 0 among them stands for a review without a rating. A rating of 0 that
    is the only one is stored as 0.

    Raises
    ------
    DataFileError
        One sentence that names file and line: a line cut short, another number of columns,
        something but digits, a rating above 5, a trust that is not 1, a link listed before.
    """
    ratings = _read_ciao_numbers(paths[0], ("user", "item", "rating"))
    wrong = "the rating must be 0, 1, 2, 3, 4 or 5, got {rating}"
    refuse_where(paths[0], ratings, ratings["rating"] > 5, wrong)
    trust = _read_ciao_numbers(paths[1], ("user", "trusted", "trust"))
    refuse_where(paths[1], trust, trust["trust"] != 1, "the last number must be 1, got {trust}")
    again = trust.duplicated(["user", "trusted"])
    refuse_where(paths[1], trust, again, "user {user} trusts {trusted} a second time")
    return _real_dataset(name, ratings, trust)


def _read_ciao_numbers(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    raw = path.read_bytes()
    raw += b"\n" if raw and not raw.endswith(b"\n") else b""
    return read_numbers(path, raw, names=columns, sep=" ")


# Flixster: its authors' links.txt and ratings.txt, and the stand-in.
#
# Tabs between the numbers, no header. The files are not at hand here: this form is the usual one,
# tested on made files, and what the real ones hold beside it is not known. So the reader is mild
# where a careful owner may have been careless (links listed once, twice or to oneself, an item
# rated again), and strict where a number would be misread.

_LARGEST_ID = 2.0**53  # up to here every whole number is a decimal number as well
_FLIXSTER = numbers_of("flixster")


def read_flixster(name: str, paths: Sequence[Path], _split: str | None) -> Dataset:
    """Put the two files together; users are all who occur in one of them.

    A friendship counts once however often and from whichever side it is listed; of several
    ratings of a film by one user the highest is taken. Nobody is left out here: the paper's cut
    (users with a rating, main component, ratings of 2 and more) belongs to the experiment.

    Raises
    ------
    DataFileError
        One sentence that names file and line: a line cut short, another number of columns,
        something but numbers, an id with decimals, a rating that is not 0.5, 1, 1.5, ... or 5.
    """
    ratings, links = paths
    friends = read_numbers(links, links.read_bytes(), names=("user", "friend"), sep="\t")
    return _real_dataset(name, _flixster_ratings(ratings), friends)


def _flixster_ratings(path: Path) -> pd.DataFrame:
    columns = ("user", "item", "rating")
    table = read_numbers(path, path.read_bytes(), names=columns, sep="\t", floats=True)
    ids, rating = table[["user", "item"]], table["rating"]
    whole = ((ids >= 0) & (ids < _LARGEST_ID) & (ids == np.floor(ids))).all(axis=1)
    numbers = "user and film must be whole numbers, got {user:g} and {item:g}"
    refuse_where(path, table, ~whole, numbers)
    halves = (rating >= 0.5) & (rating <= 5) & (2 * rating == np.floor(2 * rating))
    refuse_where(path, table, ~halves, "the rating must be 0.5, 1, 1.5, ... or 5, got {rating:g}")
    return table.astype({"user": np.int64, "item": np.int64})


@lru_cache(maxsize=1)
def make_flixster(name: str, _split: str | None) -> Dataset:
    """Make the stand-in of Flixster in its full size, always the same one."""
    facts, rng = entry(name).statistics, np.random.default_rng(_SEED)
    users, links, pairs = (facts[word] for word in ("users", "social_edges", "preference_edges"))
    items = facts["items"]
    circles = _circles(_FLIXSTER, users, [], rng)
    spread, likes_spread = facts["degree_std"], facts["preference_std"]
    degrees = lognormal_counts(users, total=2 * links, deviation=spread, least=1, most=users // 20)
    counts = lognormal_counts(users, total=pairs, deviation=likes_spread, least=1, most=items // 2)
    popularity = lognormal_counts(items, total=pairs, deviation=550, least=1, most=users // 4)
    people = _place_people(circles, degrees, rng)
    same, other = _FLIXSTER.active, np.sqrt(1 - _FLIXSTER.active**2)
    active = same * _normal_scores(people) + other * rng.standard_normal(users)
    friends = _planted_links(circles, degrees[people], links=links, rng=rng)
    user_counts, popularity = counts[_ranks(active)], rng.permutation(popularity)
    likes = _draw_preferences(circles, user_counts, popularity, rng)
    stars = rng.choice(_FLIXSTER.stars, len(likes[0]), p=_FLIXSTER.star_shares)
    return _standin_dataset(name, friends, likes, stars, (users, items), rng)


def _normal_scores(ranks: Array) -> Array:
    """Normal scores of ranks."""
    from scipy.special import ndtri

    return np.asarray(ndtri((ranks + 0.5) / len(ranks)))


# From people's ids to the two matrices.


def _real_dataset(
    name: str, ratings: pd.DataFrame, links: pd.DataFrame, items: pd.DataFrame | None = None
) -> Dataset:
    """Put ratings (user, item, rating) and links (two users) together, in either direction.

    Users are all who occur, items those given, else likewise; the highest rating counts.
    """
    sides = [links.iloc[:, side].to_numpy() for side in (0, 1)]
    users = _plain_table(ratings["user"].to_numpy(), *sides, name="user")
    if items is None:
        items = _plain_table(ratings["item"].to_numpy(), name="item")
    # the order of the lines means nothing, so the result must not depend on it
    highest = ratings.groupby(["user", "item"], as_index=False)["rating"].max()
    rows = users.index.get_indexer(highest["user"])
    columns = items.index.get_indexer(highest["item"])
    shape, values = (len(users), len(items)), highest["rating"].to_numpy()
    social = _friendships(*map(users.index.get_indexer, sides), users=len(users))
    preferences = csr_of_cells(rows, columns, values, shape)
    return Dataset(name, "real", users, items, social=social, preferences=preferences)


def _friendships(first: Array, second: Array, *, users: int) -> sparse.csr_array:
    """Give the undirected graph of links listed in either direction, once or often.

    Parameters
    ----------
    first, second : int arrays
        Rows of the two people of each link, from 0; somebody's link to herself is left out.
    users : int
        Rows of the result; who has no link keeps an empty row.

    Returns
    -------
    csr_array of int32 ones, symmetric, shape (users, users)

    Examples
    --------
    >>> _friendships(np.array([0, 1, 2]), np.array([1, 0, 2]), users=3).toarray()
    array([[0, 1, 0],
           [1, 0, 0],
           [0, 0, 0]], dtype=int32)
    """
    low, high = np.minimum(first, second), np.maximum(first, second)
    codes = distinct((low * np.int64(users) + high)[low < high])
    low, high = codes // users, codes % users
    rows, columns = np.concatenate([low, high]), np.concatenate([high, low])
    return csr_of_cells(rows, columns, np.ones(len(rows), dtype=np.int32), (users, users))


def _plain_table(*ids: Array, name: str) -> pd.DataFrame:
    """Give a table without columns whose index is all ids that occur, ascending."""
    return pd.DataFrame(index=pd.Index(np.unique(np.concatenate(ids)), name=name))


def _standin_dataset(
    name: str, friends: Pairs, likes: Pairs, values: Array, shape: tuple[int, int], rng: Generator
) -> Dataset:
    """Number people at random, so that numbers tell nothing of circles."""
    number = rng.permutation(shape[0])
    users, items = ids_from_one(shape[0], "user"), ids_from_one(shape[1], "item")
    social = _friendships(number[friends[0]], number[friends[1]], users=shape[0])
    preferences = csr_of_cells(number[likes[0]], likes[1], values, shape)
    return Dataset(name, "standin", users, items, social=social, preferences=preferences)


# Made friendships: people in circles, circles in communities, and degrees given beforehand.
#
# People are numbered so that a circle, and a community, is a stretch of neighbouring numbers. First
# every component gets a tree, so that it hangs together; then links are drawn between people who
# still lack some, most of them within a circle or a community, until the number is exact.

_MIXED_ROUNDS = 12  # after these, links that find no room near by go anywhere
_WEIGHTED_ROUNDS = 24  # after these, anybody may get one more


@dataclass(frozen=True)
class _Circles:
    """Circles in which people live.

    Parameters
    ----------
    circle, community : int arrays, shape (users,)
        Of each person, ascending.
    main : int
        How many people, the first ones, hang together; communities behind them stand alone.
    recipe : SimpleNamespace
        Numbers of the stand-in, see ``standins.toml``.
    """

    circle: Array
    community: Array
    main: int
    recipe: SimpleNamespace

    def bounds(self, level: int) -> Pairs:
        """First and last number (the latter not included) of everybody's circle (0),
        community (1) or of all who hang together (2)."""
        if level == 2:
            inside = np.arange(len(self.circle)) < self.main
            return np.zeros(len(inside), dtype=np.int64), np.where(inside, self.main, 0)
        group = (self.circle, self.community)[level]
        ends = np.cumsum(np.bincount(group))
        return np.concatenate([[0], ends])[group], ends[group]


def _circles(recipe: SimpleNamespace, users: int, alone: list[int], rng: Generator) -> _Circles:
    """Divide communities into circles; `alone` are sizes of small components."""
    count, deviation, largest = recipe.community_sizes
    main, most = users - sum(alone), round(largest * users)
    sizes = lognormal_counts(count, total=main, deviation=deviation, least=3, most=most)
    circles: list[int] = []
    communities: list[int] = []
    for number, size in enumerate(rng.permutation(sizes)):
        parts = max(1, round(size / recipe.circle_size))
        circles.extend(1 + rng.multinomial(size - parts, rng.dirichlet(np.full(parts, 3.0))))
        communities.extend([number] * parts)
    circles.extend(alone)
    communities.extend(range(len(sizes), len(sizes) + len(alone)))
    circle = np.repeat(np.arange(len(circles)), circles)
    return _Circles(circle, np.repeat(communities, circles), main, recipe)


def _place_people(circles: _Circles, degrees: Array, rng: Generator) -> Array:
    """Place of each person among the ascending degrees; the lowest lie outside the main part."""
    isolated = len(degrees) - circles.main
    people = np.concatenate([isolated + rng.permutation(circles.main), np.arange(isolated)])
    return people[np.lexsort((-people, circles.circle))]  # descending within each circle


def _planted_links(circles: _Circles, degrees: Array, *, links: int, rng: Generator) -> Pairs:
    """Draw exactly this many friendships.

    Parameters
    ----------
    circles : _Circles
    degrees : int array, shape (users,)
        Friends wanted, descending within each circle; met closely, not exactly.
    links : int
        Friendships in all.
    rng : numpy.random.Generator

    Returns
    -------
    (int array, int array)
        Lower and higher number of the two people of each link, sorted.
    """
    users = len(degrees)
    codes = np.sort(_tree(circles, rng))
    bounds = [circles.bounds(level) for level in (0, 1, 2)]
    turn = 0
    while (missing := links - len(codes)) > 0:
        ends = np.concatenate([codes // users, codes % users])
        lacking = np.maximum(degrees - np.bincount(ends, minlength=users), 0).astype(float)
        lacking[circles.main :] = 0  # small components are trees
        if turn >= _WEIGHTED_ROUNDS or not lacking.any():
            lacking[: circles.main] = 1
        shares = circles.recipe.mix if turn < _MIXED_ROUNDS else (0.0, 0.0)
        level = np.searchsorted(np.cumsum(shares), rng.random(missing), side="right")
        low, high = _pairs(lacking, bounds, level, rng)
        fresh = distinct(low * np.int64(users) + high)
        fresh = fresh[~_is_among(fresh, codes)]
        both = within(np.concatenate([fresh // users, fresh % users]), lacking, rng)
        fresh = fresh[both[: len(fresh)] & both[len(fresh) :]]
        codes = np.sort(np.concatenate([codes, fresh]), kind="stable")  # two sorted stretches
        turn += 1
    return codes // users, codes % users


def _tree(circles: _Circles, rng: Generator) -> Array:
    """Links, as codes, that tie everybody to somebody before her in the circle, and on."""
    users = len(circles.circle)
    people = np.arange(users)
    start = circles.bounds(0)[0]
    place = people - start
    # the square prefers those who want many friends, they come first in their circle
    parent = start + (place * rng.random(users) ** 2).astype(np.int64)
    heads = np.flatnonzero(place == 0)
    community = circles.community[heads]
    first = np.searchsorted(community, community)  # among the heads
    place = np.arange(len(heads)) - first
    parent[heads] = heads[first + (place * rng.random(len(heads))).astype(np.int64)]
    tops = heads[(place == 0) & (heads < circles.main)]
    parent[tops] = tops[(np.arange(len(tops)) * rng.random(len(tops))).astype(np.int64)]
    child = people[parent < people]
    return parent[child] * np.int64(users) + child


def _pairs(lacking: Array, bounds: list[Pairs], level: Array, rng: Generator) -> Pairs:
    """Draw pairs of people by what they lack, the second from around the first."""
    sums = np.concatenate([[0.0], np.cumsum(lacking)])  # whole numbers: exact
    first = np.searchsorted(sums, rng.random(len(level)) * sums[-1], side="right") - 1
    low = np.choose(level, [start[first] for start, _ in bounds])
    high = np.choose(level, [end[first] for _, end in bounds])
    reach = sums[low] + rng.random(len(level)) * (sums[high] - sums[low])
    second = np.minimum(np.searchsorted(sums, reach, side="right") - 1, len(lacking) - 1)
    kept = first != second
    first, second = first[kept], second[kept]
    return np.minimum(first, second), np.maximum(first, second)


# Made preferences: who likes what, with popular items, tastes of communities and of circles.

_SHELF_ROUNDS = 6  # after these nobody looks at the shelf again
_TASTE_ROUNDS = 10  # after these, items are taken by popularity alone
_POPULAR_ROUNDS = 14  # after these, any item does


def _draw_preferences(circles: _Circles, counts: Array, popularity: Array, rng: Generator) -> Pairs:
    """Draw who likes what: exact numbers per user, items about as popular as wanted.

    Parameters
    ----------
    circles : _Circles
    counts : int array, shape (users,)
        Preferences of each user, at most as many as there are items.
    popularity : int array, shape (items,)
        Users wanted for each item, 1 or more; its sum is that of `counts`.
    rng : numpy.random.Generator

    Returns
    -------
    (int array, int array)
        User and item of each preference, sorted.
    """
    items = len(popularity)
    slots = np.repeat(np.arange(len(counts)), counts)
    owner = slots[rng.choice(len(slots), items, replace=False)]  # everything has somebody
    codes = np.sort(owner * np.int64(items) + np.arange(items))
    likings = _likings(circles, items, rng)
    lacking = counts - np.bincount(owner, minlength=len(counts))
    left = popularity - 1.0
    turn = 0
    while len(codes) < len(slots):
        if turn >= _POPULAR_ROUNDS or not left.any():
            left = np.full(items, float(lacking.sum()))
        users = np.repeat(np.arange(len(counts)), lacking)
        result = _wishes(circles, users, left, likings, turn, rng)
        fresh = distinct(users * np.int64(items) + result)
        fresh = fresh[~_is_among(fresh, codes)]
        fresh = fresh[within(fresh % items, left, rng)]
        lacking -= np.bincount(fresh // items, minlength=len(counts))
        left -= np.bincount(fresh % items, minlength=items)
        codes = np.sort(np.concatenate([codes, fresh]), kind="stable")  # two sorted stretches
        turn += 1
    return codes // items, codes % items


def _wishes(
    circles: _Circles, users: Array, left: Array, likings: Array, turn: int, rng: Generator
) -> Array:
    """Draw one item for each entry of `users`, from where she looks in this turn."""
    recipe = circles.recipe
    # 0 the shelf, 1 the community, 2 anywhere
    circle = recipe.from_circle if turn < _SHELF_ROUNDS else 0.0
    more = recipe.from_community + recipe.from_circle - circle if turn < _TASTE_ROUNDS else 0.0
    kind = np.searchsorted(np.cumsum([circle, more]), rng.random(len(users)), side="right")
    result = np.empty(len(users), dtype=np.int64)
    shelf, near, wide = (np.flatnonzero(kind == number) for number in range(3))
    if len(shelf):  # a new shelf each turn, of what is left: the old one is used up
        shelves = _shelves(circles, left, likings, rng)
        place = (recipe.shelf * rng.random(len(shelf)) ** 2).astype(np.int64)
        result[shelf] = shelves[circles.circle[users[shelf]], place]
    result[near] = _by_community(left, likings, circles.community[users[near]], rng)
    result[wide] = _by_weight(left, rng.random(len(wide)))
    return result


def _likings(circles: _Circles, items: int, rng: Generator) -> Array:
    """Preference of each community for each item, relative to all people."""
    people = np.bincount(circles.community)
    normal = rng.standard_normal((len(people), items), dtype=np.float32)
    liking = np.exp(circles.recipe.spread * normal)
    # on the whole as popular as wanted; einsum, as BLAS may sum otherwise with more threads
    return liking * (len(circles.community) / np.einsum("c,ci->i", people, liking))


def _shelves(circles: _Circles, weights: Array, likings: Array, rng: Generator) -> Array:
    """The items of each circle, taken from what its community likes."""
    size, first = circles.recipe.shelf, np.unique(circles.circle, return_index=True)[1]
    community = np.repeat(circles.community[first], size)
    return _by_community(weights, likings, community, rng).reshape(-1, size)


def _by_community(weights: Array, likings: Array, community: Array, rng: Generator) -> Array:
    """Draw one item for each entry of `community`, by popularity times liking."""
    uniform = rng.random(len(community))
    order = np.argsort(community, kind="stable")
    ends = np.searchsorted(community[order], np.arange(len(likings) + 1))
    result = np.empty(len(community), dtype=np.int64)
    for number, liking in enumerate(likings):
        members = order[ends[number] : ends[number + 1]]
        if len(members):
            result[members] = _by_weight(weights * liking, uniform[members])
    return result


def _by_weight(weights: Array, uniform: Array) -> Array:
    sums = np.cumsum(weights)
    return np.minimum(np.searchsorted(sums, uniform * sums[-1], side="right"), len(weights) - 1)


# Numbers with a given sum and spread, ranks, and entries picked at random.


def lognormal_counts(count: int, *, total: int, deviation: float, least: int, most: int) -> Array:
    """Give whole numbers, ascending, with this sum and standard deviation, as a lognormal has.

    Examples
    --------
    >>> result = lognormal_counts(16, total=1843, deviation=164, least=3, most=1843)
    >>> int(result.sum()), round(float(result.std()))
    (1843, 164)
    """
    draws = np.random.default_rng(0).standard_normal((200, min(count, 20_000)))
    scores = np.sort(draws, axis=1).mean(axis=0)  # the same in every stand-in
    scores = np.interp(np.linspace(0, 1, count), np.linspace(0, 1, len(scores)), scores)

    def numbers(spread: float) -> Array:
        low, high = -50.0, 50.0
        for _ in range(40):
            middle = (low + high) / 2
            result = np.clip(np.exp(np.minimum(middle + spread * scores, 50.0)), least, most)
            low, high = (low, middle) if result.sum() > total else (middle, high)
        return np.floor(np.clip(np.exp(low + spread * scores), least, most)).astype(np.int64)

    low, high = 0.0, 8.0
    for _ in range(25):
        middle = (low + high) / 2
        low, high = (low, middle) if numbers(middle).std() > deviation else (middle, high)
    result = numbers(low)
    missing = total - int(result.sum())  # rounding down took less than one from each
    free = np.flatnonzero(result < most)
    result[free[np.linspace(0, len(free) - 1, missing).astype(np.int64)]] += 1
    return np.sort(result)


def _ranks(values: Array) -> Array:
    return np.argsort(np.argsort(values, kind="stable"))


def within(ids: Array, capacity: Array, rng: Generator) -> Array:
    """Mark random entries of each id, at most as many as its capacity.

    Examples
    --------
    >>> marked = within(np.array([0, 1, 0, 0]), np.array([2, 0]), np.random.default_rng(1))
    >>> int(marked[[0, 2, 3]].sum()), bool(marked[1])
    (2, False)
    """
    order = rng.permutation(len(ids))
    order = order[np.argsort(ids[order], kind="stable")]
    counts = np.bincount(ids, minlength=len(capacity))
    rank = np.arange(len(ids)) - np.repeat(np.cumsum(counts) - counts, counts)
    marked = np.empty(len(ids), dtype=bool)
    marked[order] = rank < capacity[ids[order]]
    return marked


def _is_among(codes: Array, known: Array) -> Array:
    """Mark the codes that are among the known ones, which are sorted."""
    return np.asarray(known[np.minimum(np.searchsorted(known, codes), len(known) - 1)] == codes)
