"""Ratings: MovieLens-100K and Jester, each with its reader and its stand-in.

A reader takes the owner's files and refuses what is damaged in one sentence. A stand-in has the
size and the shape of the real set, held to the summaries in ``catalog.toml``, and nobody's ratings.
Both come as a users x items CSR array of ratings; a stored zero is a rating.
"""

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import Generator
from pandas import DataFrame
from scipy import sparse

from pplab.checks import shown
from pplab.datasets.catalog import Dataset, csr_of_cells, degrees_from_quantiles, entry
from pplab.datasets.files import read_numbers, read_published, refuse_unknown, refuse_where
from pplab.datasets.invented import ids_from_one, numbers_of, titles
from pplab.datasets.store import DataFileError, unpacking
from pplab.graphs import Array, rows_of_entries

# MovieLens-100K as its owner publishes it: u.data, u.user, u.item and the five splits.

MOVIELENS_SPLITS = tuple(f"u{fold}.{part}" for fold in range(1, 6) for part in ("base", "test"))
_GENRES = [
    *("unknown", "Action", "Adventure", "Animation", "Children's", "Comedy", "Crime"),
    *("Documentary", "Drama", "Fantasy", "Film-Noir", "Horror", "Musical", "Mystery"),
    *("Romance", "Sci-Fi", "Thriller", "War", "Western"),
]
_DATE = r"^(?P<day>\d+)-(?P<month>\w+)-(?P<year>(?:19|20)\d\d)$"
Facts = dict[str, Any]  # what the catalogue has measured
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def movielens_files(split: str | None) -> Sequence[str]:
    """Names of the files that a split is read from."""
    return (split or "u.data", "u.user", "u.item")


def read_movielens(name: str, paths: Sequence[Path], split: str | None) -> Dataset:
    """Put ratings into a matrix whose rows and columns follow the ids.

    In the whole every listed user and film has a place, in a split only those that occur. Of most
    splits no checksum is known, so ratings are read strictly.

    Raises
    ------
    DataFileError
        One sentence that names the file and, for ratings, the line: a line cut short, another
        number of columns, an id that is not a number or not listed, a rating outside 1..5, a
        pair that occurred before.
    """
    path, user, item = paths
    users, items, table = _read_users(user), _read_items(item), _read_ratings(path)
    listed = table["user"].isin(users.index) & table["item"].isin(items.index)
    refuse_where(path, table, ~listed, "user {user} or item {item} is not in its list")
    return _movielens(name, "real", table, users, items, split)


def _movielens(
    name: str, source: str, table: DataFrame, users: DataFrame, items: DataFrame, split: str | None
) -> Dataset:
    """Give ratings (user, item, rating, time) as matrices; a split has those who occur in it."""
    if split is not None:
        users = users[users.index.isin(table["user"])]
        items = items[items.index.isin(table["item"])]
    cells = users.index.get_indexer(table["user"]), items.index.get_indexer(table["item"])
    values, shape = (table[x].to_numpy() for x in ("rating", "time")), (len(users), len(items))
    ratings, times = (csr_of_cells(*cells, each, shape) for each in values)
    return Dataset(name, source, users, items, ratings=ratings, times=times, split=split)


def _read_ratings(path: Path) -> DataFrame:
    columns = ("user", "item", "rating", "time")
    table = read_numbers(path, path.read_bytes(), names=columns, sep="\t")
    wrong, again = ~table["rating"].between(1, 5), table.duplicated(["user", "item"])
    refuse_where(path, table, wrong, "the rating must be 1, 2, 3, 4 or 5, got {rating}")
    refuse_where(path, table, again, "user {user} rates item {item} a second time")
    return table


def _read_bars(path: Path, columns: list[str], whole: Sequence[str]) -> DataFrame:
    """A table with bars between its columns and no header."""
    layout: Any = {"sep": "|", "encoding": "latin-1", "names": columns}
    return read_published(path, columns=columns, whole=whole, once=1, **layout)


def _read_users(path: Path) -> DataFrame:
    """Age, gender, occupation and zip by user id."""
    columns = ["user", "age", "gender", "occupation", "zip"]
    table = _read_bars(path, columns, whole=("user", "age"))
    refuse_unknown(path, table["gender"], "M|F")
    return table.set_index("user").sort_index()


def _read_items(path: Path) -> DataFrame:
    """Title, release date and a yes or no per genre by item id."""
    columns = ["item", "title", "release_date", "video_date", "address", *_GENRES]
    table = _read_bars(path, columns, whole=("item", *_GENRES))
    dates = table["release_date"].str.extract(_DATE)
    numbers = dates["month"].map({name: month for month, name in enumerate(_MONTHS, 1)})
    released = pd.to_datetime(dates.assign(month=numbers), errors="coerce")
    refuse_unknown(path, table["release_date"].where(released.isna(), ""), "")
    table["release_date"] = released.astype("datetime64[ns]")
    table = table.drop(columns=["video_date", "address"]).astype(dict.fromkeys(_GENRES, bool))
    return table.set_index("item").sort_index()


# The stand-in of MovieLens-100K: its size and shape, and nobody's ratings.
#
# Users and films have a place in a space of a few tastes. The places decide, on top of how active
# a user and how popular a film is, who rates what and how high; they also lean towards age,
# gender, occupation and genre, so that recommenders find structure and traits can be guessed, a
# little, from ratings.

_MOVIELENS_SEED = 1998  # the year the real set was released; any other would do
_TIMES_SEED, _DAY = 1997, 86_400
_FILMS = numbers_of("movielens")


def make_movielens(name: str, split: str | None) -> Dataset:
    """Make the stand-in (None) or one of its parts ("u1.base"), always the same one.

    The five test parts are a partition of the ratings into fifths. A part has the users and films
    that occur in it.
    """
    table, users, items = _whole_movielens(name)
    if split is not None:
        table = table[(table["fold"] == int(split[1])) == split.endswith("test")]
    return _movielens(name, "standin", table, users, items, split)


@lru_cache(maxsize=1)
def _whole_movielens(name: str) -> tuple[DataFrame, DataFrame, DataFrame]:
    """Ratings with their times and folds, users and items."""
    measured = entry(name).measured
    rng = np.random.default_rng(_MOVIELENS_SEED)
    tastes = len(_FILMS.presence)
    people = rng.standard_normal((measured["users"], tastes))
    films = rng.standard_normal((measured["films"], tastes))
    ratings = _make_ratings(measured, people, films, rng)
    users, items = _make_users(measured, people, rng), _make_items(measured, films, rng)
    ids = {"user": rows_of_entries(ratings) + 1, "item": ratings.indices + 1}
    times, folds = _make_times(ratings, measured), _folds(ratings, rng)
    return DataFrame(ids | {"rating": ratings.data, "time": times, "fold": folds}), users, items


def _make_ratings(measured: Facts, people: Array, films: Array, rng: Generator) -> sparse.csr_array:
    total = sum(measured["histogram"])
    row_degrees, column_degrees = (
        rng.permutation(degrees_from_quantiles(measured[side], count=len(places), total=total))
        for side, places in (("user_degrees", people), ("item_degrees", films))
    )
    affinity = _product(people * _FILMS.presence, films)
    present = draw_presence(affinity, rows=row_degrees, columns=column_degrees, rng=rng)
    rows, columns = np.nonzero(present)
    fame = np.log(column_degrees)
    fame = _FILMS.popularity * (fame - fame.mean())
    quality = fame + _FILMS.item_spread * rng.standard_normal(len(films))
    liking = (
        (_FILMS.user_spread * rng.standard_normal(len(people)))[rows]
        + quality[columns]
        + _product(people * _FILMS.liking, films)[rows, columns]
        + _FILMS.liking_noise * rng.standard_normal(total)
    )
    values = np.empty(total, dtype=np.int64)
    values[np.argsort(liking, kind="stable")] = np.repeat(np.arange(1, 6), measured["histogram"])
    return csr_of_cells(rows, columns, values, present.shape)


def _make_times(ratings: sparse.csr_array, measured: Facts) -> Array:
    """Seconds since 1970: a user rates in one sitting, or most in one and fewer in others."""
    rng, times = np.random.default_rng(_TIMES_SEED), []
    days, largest = measured["first_days"], measured["largest_sitting"]
    for count in np.diff(ratings.indptr):
        places = rng.random(rng.geometric(measured["one_sitting"])) * (len(days) - 1)
        sittings = _FILMS.opened + _DAY * np.interp(places, np.arange(len(days)), days)
        chosen = np.minimum(rng.geometric(largest, count), len(sittings)) - 1
        times.append(sittings[chosen].astype(np.int64) + rng.integers(0, 3600, count))
    return np.concatenate(times)


def _folds(ratings: sparse.csr_array, rng: Generator) -> Array:
    """Fold 1 to 5 of each stored rating, all of one size.

    Fold 1 takes the only rating of 32 films and otherwise leaves every user and film one rating
    at least, so that u1.base lacks exactly these 32 films and no user.
    """
    rows = rows_of_entries(ratings)
    single = (np.bincount(ratings.indices, minlength=ratings.shape[1]) == 1)[ratings.indices]
    order = rng.permutation(np.flatnonzero(~single))
    kept = np.zeros(ratings.nnz, dtype=bool)
    for ends in (rows, ratings.indices):
        kept[order[np.unique(ends[order], return_index=True)[1]]] = True
    size = ratings.nnz // _FILMS.folds
    only = rng.choice(np.flatnonzero(single), _FILMS.only_in_test, replace=False)
    others = rng.choice(np.flatnonzero(~kept & ~single), size - _FILMS.only_in_test, replace=False)
    folds = np.zeros(ratings.nnz, dtype=np.int8)
    folds[only] = folds[others] = 1
    folds[folds == 0] = rng.permutation(np.repeat(np.arange(2, _FILMS.folds + 1), size))
    return folds


def _product(left: Array, right: Array) -> Array:
    """left @ right.T without BLAS, whose last digit may depend on the number of threads."""
    return np.einsum("uk,ik->ui", left, right, optimize=False)


# The cells that are rated, with the number of ratings of every user and every film given.
#
# First the odds of each cell are fitted so that the expected margins are right (iterative scaling
# of a logistic model), then each user takes the cells that come out highest, and at last single
# ratings are swapped between films until the films' margins are exact as well.

_SWEEPS = 12  # of the iterative scaling; the margins are within a few per cent after that


def draw_presence(affinity: Array, *, rows: Array, columns: Array, rng: Generator) -> Array:
    """Draw a 0/1 matrix with exact margins in which a cell's log odds follow its affinity.

    Parameters
    ----------
    affinity : float array, shape (n, m)
        The part of each cell's log odds that is not explained by its row and its column.
    rows, columns : int arrays of length n and m
        Ones wanted per row and column; both add up to the same number.
    rng : numpy.random.Generator

    Returns
    -------
    bool array, shape (n, m)
    """
    score = _fit_log_odds(affinity.astype(np.float32), rows, columns)
    uniform = np.clip(rng.random(score.shape, dtype=np.float32), 1e-7, 1 - 1e-7)
    score += np.log(uniform / (1 - uniform))  # logistic noise: above 0 with the fitted probability
    return _swap_to_margins(_mark_highest(score, rows).T.copy(), score.T.copy(), columns, rng).T


def _fit_log_odds(affinity: Array, rows: Array, columns: Array) -> Array:
    """Add a number per row and per column until the expected margins fit."""
    odds = np.exp(affinity)
    row_factor = np.ones(len(rows), dtype=np.float32)
    column_factor = (columns / rows.sum()).astype(np.float32)
    for _ in range(_SWEEPS):
        scaled = row_factor[:, None] * (odds * column_factor)
        row_factor *= rows / (scaled / (1 + scaled)).sum(1)
        scaled = odds * row_factor[:, None]
        column_factor *= columns / (column_factor * scaled / (1 + column_factor * scaled)).sum(0)
    return affinity + np.log(row_factor)[:, None] + np.log(column_factor)


def _swap_to_margins(present: Array, score: Array, degrees: Array, rng: Generator) -> Array:
    """Move ratings between items (here the rows), always within one user, to exact degrees."""
    while (surplus := present.sum(axis=1) - degrees).any():
        givers = rng.permutation(np.repeat(np.arange(len(degrees)), np.maximum(surplus, 0)))
        takers = rng.permutation(np.repeat(np.arange(len(degrees)), np.maximum(-surplus, 0)))
        for giver, taker in zip(givers, takers, strict=True):
            if not _swap(present, score, giver, taker):  # all who have one have the other:
                third = int(rng.integers(len(degrees)))  # go by way of a third
                _swap(present, score, giver, third)
    return present


def _swap(present: Array, score: Array, giver: int, taker: int) -> bool:
    """Let the user to whom it matters least rate `taker` in place of `giver`; say if one could."""
    loss = score[giver] - score[taker]
    loss[~present[giver] | present[taker]] = np.inf
    user = int(np.argmin(loss))
    if not np.isfinite(loss[user]):
        return False
    present[giver, user], present[taker, user] = False, True
    return True


# Ages, genders, occupations, titles and genres of the stand-in's people and films.
#
# Each trait is a noisy reading of the place in the space of tastes, ranked, and then given out so
# that the counts (or the quantiles of age) are those of the summaries.


def _make_users(measured: Facts, people: Array, rng: Generator) -> DataFrame:
    """Give each person age, gender, occupation and the zip code 00000."""
    count = len(people)
    ages = np.linspace(0, 1, count)
    ages = np.interp(ages, np.linspace(0, 1, len(measured["ages"])), measured["ages"])
    age = np.empty(count, dtype=np.int64)
    age[_ranking(people, _FILMS.age, _FILMS.age_noise, rng)] = np.rint(ages)
    gender = np.full(count, "M", dtype=object)
    gender[_ranking(people, _FILMS.gender, _FILMS.gender_noise, rng)[-measured["women"] :]] = "F"
    occupation = _occupations(measured["occupations"], age, people, rng)
    table = ids_from_one(count, "user").assign(age=age, gender=gender, occupation=occupation)
    return table.assign(zip="00000").astype({"gender": str, "occupation": str, "zip": str})


def _make_items(measured: Facts, films: Array, rng: Generator) -> DataFrame:
    """Give each film an invented title, a first of January and its genres."""
    places, quantiles = rng.random(len(films)), measured["release_years"]
    years = np.interp(places, np.linspace(0, 1, len(quantiles)), quantiles).astype(np.int64)
    dates = (years - 1970).astype("datetime64[Y]").astype("datetime64[ns]")
    table = ids_from_one(len(films), "item").assign(title=titles(years.tolist()))
    table = table.assign(release_date=dates)
    genres = DataFrame(_genres(measured["genres"], films, rng), table.index, measured["genres"])
    return pd.concat([table, genres], axis="columns")


def _ranking(places: Array, direction: Array, noise: float, rng: Generator) -> Array:
    """Order of the places along a direction, blurred; the lowest first."""
    score = np.einsum("uk,k->u", places, direction)
    return np.argsort(score + noise * rng.standard_normal(len(places)), kind="stable")


def _occupations(jobs: dict[str, Any], age: Array, people: Array, rng: Generator) -> Array:
    """Give out the occupations so that together they suit the people best."""
    from scipy.optimize import linear_sum_assignment

    facts = DataFrame(jobs).T
    directions = rng.standard_normal((len(facts), people.shape[1])) / np.sqrt(people.shape[1])
    suits = _FILMS.job_taste * np.einsum("uk,jk->uj", people, directions)
    suits -= _FILMS.job_age * np.abs(np.log(age[:, None] / facts["mean_age"].to_numpy()))
    suits += rng.gumbel(size=suits.shape)
    places = np.repeat(np.arange(len(facts)), facts["people"].astype(int))
    _, chosen = linear_sum_assignment(suits[:, places], maximize=True)
    return facts.index.to_numpy()[places[chosen]]


def _genres(counts: dict[str, int], films: Array, rng: Generator) -> Array:
    """Flags films x genres with these column sums and a genre for every film."""
    directions = rng.standard_normal((len(counts), films.shape[1])) / np.sqrt(films.shape[1])
    score = np.einsum("ik,gk->ig", films, directions)
    score += _FILMS.genre_noise * rng.standard_normal(score.shape)
    flags = _mark_highest(score.T, np.array(list(counts.values()))).T
    for film in np.flatnonzero(~flags.any(axis=1)):
        # its best genre, taken from the weakest film of that genre that has another one
        for genre in np.argsort(-score[film], kind="stable"):
            givers = np.flatnonzero(flags[:, genre] & (flags.sum(axis=1) > 1))
            if len(givers):
                flags[givers[np.argmin(score[givers, genre])], genre] = False
                flags[film, genre] = True
                break
    return flags


# Jester as its owner publishes it, in three parts: each a csv, zipped, one row per user.
#
# A row holds the number of jokes that the user rated and then one value per joke, 99 where the
# user did not rate it. A rating of exactly 0 is a rating and is stored.

_JOKES = 100
JESTER_PARTS = ("part-1", "part-2", "part-3")
_NOT_RATED = 99.0
_LOW, _HIGH = -10.0, 10.0


def jester_files(split: str | None) -> Sequence[str]:
    """Names of the files that a split is read from.

    Examples
    --------
    >>> jester_files("part-2")
    ['jester-data-2.zip']
    """
    return [f"jester-data-{part[-1]}.zip" for part in JESTER_PARTS if split in (None, part)]


def read_jester(name: str, paths: Sequence[Path], split: str | None) -> Dataset:
    """Read the parts that are there; see `read_jester_part` and `_stack_parts`."""
    sizes = _part_sizes(name)
    part_of = {path: f"part-{path.stem[-1]}" for path in paths}
    parts = {part: read_jester_part(path, users=sizes[part]) for path, part in part_of.items()}
    return _stack_parts(name, parts, split, source="real")


def read_jester_part(path: Path, *, users: int | None = None) -> sparse.csr_array:
    """Read one part.

    Parameters
    ----------
    path : Path
        A zip archive with one csv file: 101 numbers per line, no header.
    users : int, optional
        How many rows the complete part has; needed to notice that whole rows are missing.

    Returns
    -------
    csr_array of float64, shape (users, 100)
        Stored values are ratings in [-10, 10], zeros among them.

    Raises
    ------
    DataFileError
        One sentence that names the file and, where there is one, the line: a damaged archive, a
        row cut short, another number of columns, a value that is not a number or outside
        -10..10 and not 99, a count that is not the number of ratings in its row, missing rows.
    """
    inside, raw = _unzip(path)
    names = [f"column {column}" for column in range(1, _JOKES + 2)]
    table = read_numbers(inside, raw, names=names, sep=",", floats=True).to_numpy()
    counts, values = table[:, 0], table[:, 1:]
    if users is not None and len(table) != users:
        fault = "the file ends here, cut short" if len(table) < users else "the file is too long"
        raise DataFileError(
            f"{inside}, line {len(table):,}: {fault}, expected {users:,} lines; get a fresh copy"
        )
    rated = values != _NOT_RATED
    wrong = rated & ~((values >= _LOW) & (values <= _HIGH))
    degrees, joke = rated.sum(axis=1), wrong.argmax(axis=1)
    got = values[np.arange(len(values)), joke]
    lines = DataFrame({"count": counts, "rated": degrees, "joke": joke + 1, "got": got})
    off = "ratings must lie in -10..10, or be 99 where there is none, got {got:g} for joke {joke}"
    refuse_where(inside, lines, wrong.any(axis=1), off)
    miscounted = "the first column says {count:g} ratings, the row has {rated}"
    refuse_where(inside, lines, counts != degrees, miscounted)
    rows, columns = np.nonzero(rated)
    return csr_of_cells(rows, columns, values[rated], (len(table), _JOKES))


def numbers_sha256(path: Path) -> str:
    """Checksum of the ratings of one part, independent of csv format and compression.

    Of all cells in hundredths, row after row, 16 bits each, lowest byte first, 99 in the gaps.
    """
    ratings = read_jester_part(path)
    table = np.full(ratings.shape, round(100 * _NOT_RATED), dtype="<i2")
    entries = ratings.tocoo()
    table[entries.row, entries.col] = np.rint(100 * entries.data)
    return hashlib.sha256(table.tobytes()).hexdigest()


def _stack_parts(
    name: str, parts: Mapping[str, sparse.csr_array], split: str | None, *, source: str
) -> Dataset:
    """Stack the parts, or take the one that `split` names.

    Users are numbered through all three parts, so that a user has the same number in each split
    whichever parts are there; the column ``part`` tells where the row came from.
    """
    starts = dict(zip(JESTER_PARTS, np.cumsum([1, *_part_sizes(name).values()]), strict=False))
    selected = [part for part in JESTER_PARTS if part in parts and split in (None, part)]
    numbers = [starts[part] + np.arange(parts[part].shape[0]) for part in selected]
    labels = np.repeat([int(part[-1]) for part in selected], [len(part) for part in numbers])
    users = DataFrame({"part": labels}, index=pd.Index(np.concatenate(numbers), name="user"))
    ratings = sparse.csr_array(sparse.vstack([parts[part] for part in selected], format="csr"))
    which, word = " and ".join(part[-1] for part in selected), "s" * (len(selected) > 1)
    portion = f"part{word} {which} of 3" if len(selected) < len(JESTER_PARTS) else ""
    jokes = ids_from_one(_JOKES, "item")
    return Dataset(name, source, users, jokes, ratings, split=split, portion=portion)


def _part_sizes(name: str) -> dict[str, int]:
    """Users of each part."""
    sizes = entry(name).statistics
    return {part: sizes[part.replace("-", "_")]["users"] for part in JESTER_PARTS}


def _unzip(path: Path) -> tuple[Path, bytes]:
    """Give the one csv file of the archive, with a path to name it by."""
    packed = io.BytesIO(path.read_bytes())
    with unpacking(path), zipfile.ZipFile(packed) as bundle:
        inside = bundle.namelist()
        tables = [name for name in inside if name.lower().endswith(".csv")]
        raw = bundle.read(tables[0]) if len(tables) == 1 else b""
    if len(tables) != 1:
        raise DataFileError(
            f"{path} must hold one csv file, got {shown(inside)}; "
            "`pplab data fetch jester` says how it is made"
        )
    return path / tables[0], raw.replace(b"\r\n", b"\n")  # spreadsheets end their lines so


# The stand-in of the whole of Jester: 73,421 users, 100 jokes, and nobody's ratings.
#
# Ratings come about as on the real site: everybody starts with the same ten jokes (the
# gauge set), goes on through the other early jokes in an order of their own in which some jokes
# tend to come first, meets one or two of the thirty late jokes on the way, and reaches the rest of
# those only at the end. How high follows a few tastes, a mean and a spread per user and a mean per
# joke.

_JESTER_SEED = 2001  # the year of the paper that describes the real data; any other would do
_JESTER = numbers_of("jester")
_GAUGE = np.array(_JESTER.gauge) - 1
_TASTES, _PATHS = (np.array(x, dtype=np.float32) for x in (_JESTER.tastes, _JESTER.paths))
_LATE = np.arange(70, _JOKES)  # jokes 71 to 100
_STEPS = 40  # of that fit
_FEW = list(range(15, 36))  # 21 quantiles of part 3, whose users rated 15 to 35 jokes


def make_jester(name: str, split: str | None) -> Dataset:
    """Make the stand-in (None) or one of its three parts, always the same one."""
    return _stack_parts(name, _jester_parts(name), split, source="standin")


@lru_cache(maxsize=1)
def _jester_parts(name: str) -> dict[str, sparse.csr_array]:
    measured, rng = entry(name).measured, np.random.default_rng(_JESTER_SEED)
    counts = _part_sizes(name)
    drawn = [_jester_degrees(measured, part, count, rng) for part, count in counts.items()]
    degrees = np.concatenate(drawn)
    loadings = rng.standard_normal((_JOKES, len(_TASTES)))
    loadings[:, 0] = np.isin(np.arange(_JOKES), _LATE)
    loadings = _orthogonalise(loadings).astype(np.float32)
    people = _TASTES * rng.standard_normal((len(degrees), len(_TASTES)), dtype=np.float32)
    # no BLAS: its last digit may depend on the number of threads
    liking = np.einsum("uk,ik->ui", people, loadings, optimize=False)
    quality = _JESTER.item_mean * rng.permutation(_normal_scores(_JOKES))
    present = _rated_jokes(liking + quality, degrees, measured["item_densities"], rng)
    liking += quality.astype(np.float32)
    values = _jester_values(liking, present, measured["histogram"], rng)
    rows, columns = np.nonzero(present)
    whole = csr_of_cells(rows, columns, values, (len(degrees), _JOKES))
    ends = np.cumsum([0, *counts.values()])
    return {part: whole[ends[place] : ends[place + 1]] for place, part in enumerate(JESTER_PARTS)}


def _jester_degrees(measured: Facts, part: str, count: int, rng: Generator) -> Array:
    """Jokes rated by each user of a part, in no order, with exactly the part's sum."""
    quantiles = _FEW if part == "part-3" else measured["user_degrees"]
    places = np.linspace(0, len(quantiles) - 1, count)
    result = np.rint(np.interp(places, np.arange(len(quantiles)), quantiles)).astype(np.int64)
    missing = _JESTER.totals[part] - int(result.sum())
    step = int(np.sign(missing))
    free = np.flatnonzero((result + step >= quantiles[0]) & (result + step <= quantiles[-1]))
    free = free[result[free] < quantiles[-1]]  # who rated all jokes stays
    result[rng.choice(free, abs(missing), replace=False)] += step
    return rng.permutation(result)


def _rated_jokes(liking: Array, degrees: Array, densities: list[float], rng: Generator) -> Array:
    """Say who rates what: as many jokes as the degrees, early jokes before late ones."""
    early = np.setdiff1d(np.arange(_JOKES), _LATE)
    met = rng.poisson(_JESTER.late_on_the_way, len(degrees))
    late_count = np.clip(met, np.maximum(degrees - len(early), 0), len(_LATE))
    ways = _PATHS * rng.standard_normal((len(degrees), len(_PATHS)), dtype=np.float32)
    steps = _orthogonalise(rng.standard_normal((_JOKES, len(_PATHS)))).astype(np.float32)
    score = np.einsum("uk,ik->ui", ways, steps, optimize=False)
    score += _JESTER.picky * liking + rng.logistic(size=liking.shape).astype(np.float32)
    # ascending: late jokes, early jokes, gauge set
    density = np.interp(np.linspace(0, 20, _JOKES), np.arange(21), densities)
    order = np.concatenate([_LATE, rng.permutation(np.setdiff1d(early, _GAUGE)), _GAUGE])
    shares = np.empty(_JOKES)
    shares[order] = density
    first = slice(0, _JESTER.fitted)  # all of part 1, on which the densities were measured
    early_count = degrees - late_count
    score[:, early] += _order_of_jokes(score[first, early], early_count[first], shares[early])
    score[:, _GAUGE] += 100.0  # before all others
    present = np.empty(liking.shape, dtype=bool)
    present[:, early] = _mark_highest(score[:, early], early_count)
    present[:, _LATE] = _mark_highest(score[:, _LATE], late_count)
    return present


def _order_of_jokes(score: Array, counts: Array, shares: Array) -> Array:
    """Shift by which each joke has to come earlier to be rated by its share of users."""
    ahead = np.zeros(len(shares), dtype=np.float32)
    shares = np.clip(shares, 0.01, 0.999)
    for _ in range(_STEPS):
        result = np.clip(_mark_highest(score + ahead, counts).mean(axis=0), 0.01, 0.999)
        ahead += np.log(shares / (1 - shares)) - np.log(result / (1 - result))
    return ahead


def _mark_highest(score: Array, counts: Array) -> Array:
    """Mark the highest scores of each row, as many as its count."""
    falling = np.sort(score, axis=1)[:, ::-1]
    # with a column for a count of zero, at which nothing is high enough
    falling = np.concatenate([np.full((len(score), 1), np.inf, score.dtype), falling], axis=1)
    return score >= falling[np.arange(len(score)), counts][:, None]


def _jester_values(liking: Array, present: Array, histogram: list[int], rng: Generator) -> Array:
    """Ratings of the present cells, row after row, with the measured histogram."""
    users = len(liking)
    mean = _JESTER.user_mean * rng.standard_normal((users, 1), dtype=np.float32)
    spread = np.exp(_JESTER.spread * rng.standard_normal((users, 1), dtype=np.float32))
    felt = liking + _JESTER.noise * rng.standard_normal(liking.shape, dtype=np.float32)
    cells = (felt * spread + mean)[present]
    ranks = (np.argsort(np.argsort(cells, kind="stable")) + 0.5) / len(cells)
    shares = np.concatenate([[0], np.cumsum(histogram)]) / sum(histogram)
    values = np.interp(ranks, shares, np.linspace(-10, 10, len(shares)))
    return np.where(np.abs(values) < _JESTER.near_zero, 0.0, np.round(values, 2))


def _orthogonalise(loadings: Array) -> Array:
    """Centre the columns and take out of each what the ones before it hold; unit variance.

    A hundred jokes are few: without this the eigenvalues would depend on the luck of the draw.
    """
    columns: list[Array] = []
    for column in loadings.T:
        rest = column - column.mean()
        for earlier in columns:
            rest = rest - (rest * earlier).mean() * earlier
        columns.append(rest / rest.std())
    return np.stack(columns, axis=1)


def _normal_scores(count: int) -> Array:
    """Evenly spread values of a standard normal, so that a hundred jokes have its spread."""
    draws = np.sort(np.random.default_rng(0).standard_normal((1000, count)), axis=1).mean(axis=0)
    return draws / draws.std()
