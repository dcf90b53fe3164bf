"""Notebook 19: shares by hand, frames that entries decide, and the made-up file."""

from fractions import Fraction
from itertools import combinations

import pandas as pd

import pplab
from pplab_course.nb19_your_own_data import FILMS, MEMBERS, _neighbours, film_evenings

NAMES = {"user": "userId", "item": "movieId", "value": "rating"}
KNOWN = {"Ada": "CE", "Ben": "ABC", "Cleo": "BCD", "Dev": "ABDE", "Eva": "BC"}
PAIRS = {name: [set(pair) for pair in combinations(liked, 2)] for name, liked in KNOWN.items()}


def alone(pair):
    return sum(pair <= set(liked) for liked in KNOWN.values()) == 1


SINGLE = {name: [alone(pair) for pair in pairs] for name, pairs in PAIRS.items()}
SHARE = sum(Fraction(sum(each), len(each)) for each in SINGLE.values()) / len(KNOWN)
POOLED = [one for each in SINGLE.values() for one in each]
DIFFERENT = {frozenset(pair): alone(pair) for pairs in PAIRS.values() for pair in pairs}


def kept(lines, least=4, **lists):
    """The likes of the table that these lists make."""
    return pplab.table(lines, **NAMES, **lists).keep(at_least=least).matrix


def framed(lines, users, items):
    return kept(lines, users=users, items=items)


def filtered_first(lines, users, items):
    liked = lines[lines["rating"] >= 4].drop(columns="rating")
    return pplab.table(liked, user="userId", item="movieId", users=users, items=items).matrix


def by_pandas(lines, users, items):
    liked = lines[lines["rating"] >= 4]
    counts = pd.crosstab(liked["userId"], liked["movieId"])
    return counts.reindex(index=users, columns=items, fill_value=0).to_numpy()


def found_by_pandas(lines, _users, _items):
    liked = lines[lines["rating"] >= 4]
    return pd.crosstab(liked["userId"], liked["movieId"]).to_numpy()


def test_a_neighbour_lacks_the_only_entry_of_a_person_or_of_a_film():
    for whole, *less in zip(*[iter(_neighbours())] * 3, strict=True):
        sizes = [
            (each["userId"].nunique(), each["movieId"].nunique()) for each, *_ in (whole, *less)
        ]
        (users, items), no_person, no_film = sizes
        assert [len(whole[0]) - len(each) for each, *_ in less] == [1, 1]
        assert (no_person, no_film) == ((users - 1, items), (users, items - 1))
        assert users < len(whole[1])
        assert items < len(whole[2])


def test_the_file_of_the_notebook_lies_in_its_public_lists():
    lines = film_evenings()
    assert set(lines["userId"]) < set(MEMBERS)
    assert set(lines["movieId"]) <= set(FILMS)
    assert not lines.duplicated(["userId", "movieId"]).any()
    assert set(lines["rating"] * 2) <= set(range(1, 11))
    assert (lines["userId"].value_counts() == 1).sum() == 1
