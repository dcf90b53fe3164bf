"""Ages, genders, occupations, titles and genres for the people and films of a stand-in.

Each trait is a noisy reading of the place in the space of tastes, ranked, and then given out so
that the counts (or the quantiles of age) are those of the summaries.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

__all__ = ["make_items", "make_users"]

# Which tastes a trait leans to (strongest tastes first), and how much noise covers them.
_AGE, _AGE_NOISE = np.array([0.6, -0.5, 0.3, 0.2, 0.3, 0, 0, 0]), 1.0
_GENDER, _GENDER_NOISE = np.array([-0.2, 0.6, 0.5, 0, 0, 0.4, 0, 0]), 1.15
# What speaks for an occupation: the distance from its mean age (in logarithms, so that students
# are tied to it most), a taste of its own, and chance.
_JOB_AGE, _JOB_TASTE = 6.0, 1.0
_GENRE_NOISE = 0.8


def make_users(
    measured: dict[str, Any], people: np.ndarray, rng: np.random.Generator
) -> pd.DataFrame:
    """Give each person age, gender, occupation and the zip code 00000."""
    count = len(people)
    ages = np.linspace(0, 1, count)
    ages = np.interp(ages, np.linspace(0, 1, len(measured["ages"])), measured["ages"])
    age = np.empty(count, dtype=np.int64)
    age[_ranking(people, _AGE, _AGE_NOISE, rng)] = np.rint(ages)
    gender = np.full(count, "M", dtype=object)
    gender[_ranking(people, _GENDER, _GENDER_NOISE, rng)[-measured["women"] :]] = "F"
    occupation = _occupations(measured["occupations"], age, people, rng)
    table = pd.DataFrame(
        {"age": age, "gender": gender, "occupation": occupation, "zip": "00000"},
        index=pd.RangeIndex(1, count + 1, name="user"),
    )
    return table.astype({"gender": str, "occupation": str, "zip": str})


def make_items(
    measured: dict[str, Any], films: np.ndarray, rng: np.random.Generator
) -> pd.DataFrame:
    """Give each film a title that says what it is, a first of January and its genres."""
    count = len(films)
    years = np.interp(
        rng.random(count),
        np.linspace(0, 1, len(measured["release_years"])),
        measured["release_years"],
    )
    dates = np.floor(years).astype(np.int64) - 1970
    table = pd.DataFrame(
        {
            "title": [f"Film {number} (stand-in)" for number in range(1, count + 1)],
            "release_date": dates.astype("datetime64[Y]").astype("datetime64[ns]"),
        },
        index=pd.RangeIndex(1, count + 1, name="item"),
    )
    genres = pd.DataFrame(_genres(measured["genres"], films, rng), table.index, measured["genres"])
    return pd.concat([table, genres], axis="columns")


def _ranking(
    places: np.ndarray, direction: np.ndarray, noise: float, rng: np.random.Generator
) -> np.ndarray:
    """Order of the places along a direction, blurred; the lowest first."""
    score = np.einsum("uk,k->u", places, direction)
    return np.argsort(score + noise * rng.standard_normal(len(places)), kind="stable")


def _occupations(
    jobs: dict[str, dict[str, float]], age: np.ndarray, people: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Give out the occupations so that together they suit the people best."""
    from scipy.optimize import linear_sum_assignment

    facts = pd.DataFrame(jobs).T
    directions = rng.standard_normal((len(facts), people.shape[1])) / np.sqrt(people.shape[1])
    suits = _JOB_TASTE * np.einsum("uk,jk->uj", people, directions)
    suits -= _JOB_AGE * np.abs(np.log(age[:, None] / facts["mean_age"].to_numpy()))
    suits += rng.gumbel(size=suits.shape)
    places = np.repeat(np.arange(len(facts)), facts["people"].astype(int))
    _, chosen = linear_sum_assignment(suits[:, places], maximize=True)
    return facts.index.to_numpy()[places[chosen]]


def _genres(counts: dict[str, int], films: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Flags films x genres with these column sums and a genre for every film."""
    directions = rng.standard_normal((len(counts), films.shape[1])) / np.sqrt(films.shape[1])
    score = np.einsum("ik,gk->ig", films, directions)
    score += _GENRE_NOISE * rng.standard_normal(score.shape)
    flags = np.zeros(score.shape, dtype=bool)
    for genre, wanted in enumerate(counts.values()):
        flags[np.argsort(-score[:, genre], kind="stable")[:wanted], genre] = True
    for film in np.flatnonzero(~flags.any(axis=1)):
        # its best genre, taken from the weakest film of that genre that has another one
        for genre in np.argsort(-score[film], kind="stable"):
            givers = np.flatnonzero(flags[:, genre] & (flags.sum(axis=1) > 1))
            if len(givers):
                flags[givers[np.argmin(score[givers, genre])], genre] = False
                flags[film, genre] = True
                break
    return flags
