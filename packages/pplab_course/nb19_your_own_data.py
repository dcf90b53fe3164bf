"""Exercises of notebook 19: whom two known entries single out, and a frame that is public."""

from typing import Any

import numpy as np
import pandas as pd

from pplab_course.answers import Refusal, array, call, dense
from pplab_course.exercises import enter, hidden

# The file of the notebook: a film club, made up

MEMBERS, FILMS, TASTES = range(101, 161), range(11, 41), 4


def film_evenings() -> pd.DataFrame:
    """Ratings of a made-up film club, from half a star to five, by the time of each.

    Member numbers go from 101 to 160, films from 11 to 40; not everybody has rated, and one member
    has rated one film.
    """
    rng = np.random.default_rng(19)
    rated = np.sort(rng.choice(MEMBERS, 48, replace=False)).tolist()
    tastes = rng.integers(0, TASTES, len(rated))
    kinds = rng.permutation(np.arange(len(FILMS)) % TASTES)
    rows = []
    for place, (member, taste) in enumerate(zip(rated, tastes, strict=True)):
        same_taste = kinds == taste
        seen = np.flatnonzero(rng.random(len(FILMS)) < np.where(same_taste, 0.75, 0.12))
        if place == 17:
            seen = np.flatnonzero(same_taste)[:1]
        for film in seen.tolist():
            stars = rng.normal(4.2 if same_taste[film] else 3.0, 0.8)
            when = 1_700_000_000 + int(rng.integers(200 * 86_400))
            rows.append((member, FILMS[film], float(np.clip(round(2 * stars) / 2, 0.5, 5)), when))
    lines = pd.DataFrame(rows, columns=["userId", "movieId", "rating", "timestamp"])
    return lines.sort_values("timestamp", ignore_index=True)


# 19-P: likes in a frame that no entry decides

_FORM = "your function must give back a matrix, the .matrix of a Table, got {}."
_MOST = 100  # rows or columns of a matrix that is looked at
_FOUND = (
    "If an entry is removed, your matrix is smaller, because its frame was taken from the entries. "
    'To call it public (listed="public") adds nobody; a list of who occurs is the same frame.'
)


@enter("19-P")
def _framed(answer: Any) -> str | None:
    """Run likes_of(lines, users, items) on hidden neighbours; "" when the shape never moves."""
    for lines, users, items in _neighbours():
        answers = _dense(call(answer, lines, users, items))
        table = lines.pivot_table(index="userId", columns="movieId", values="rating")
        stars = table.reindex(index=users, columns=items).fillna(0).to_numpy()
        if answers.shape == stars.shape[::-1]:
            return "Rows are users, and columns are films: yours are the other way round."
        if answers.shape != stars.shape:
            return _about_shape(answers.shape, lines)
        if np.array_equal(answers, stars >= 4):
            continue
        rows, columns = np.argsort(users), np.argsort(items)
        for wrong, hint in (
            (stars, "Your matrix holds stars. A like is a 1: use `.keep(at_least=4)`."),
            (stars > 0, "You kept every entry. A like has four stars or more."),
            (stars > 4, "Four stars are a like, too."),
            (
                (stars >= 4)[rows][:, columns],
                "The likes are right, but your rows are sorted. State the order: users=users.",
            ),
        ):
            if np.array_equal(answers, wrong):
                return hint
        return None
    return ""


def _neighbours() -> list[tuple[pd.DataFrame, list[Any], list[Any]]]:
    """Files with their public lists; then without the only entry of a person, and of a film."""
    neighbours = []
    for seed, prefix in ((0, ""), (1, "p")):
        rng = np.random.default_rng(hidden(1900 + seed))
        numbers = rng.permutation(90).tolist()
        users = [f"{prefix}{n + 10}" if prefix else n + 10 for n in numbers[:9]]
        items = [n + 200 for n in numbers[9:16]]
        cells = [(user, item) for user in users[2:8] for item in items[1:5] if rng.random() < 0.7]
        cells += [(user, items[0]) for user in users[2:5]]
        cells += [(users[1], items[0]), (users[2], items[5])]  # alone in a row, and in a column
        halves = [*rng.permutation([1, 2, 4, 5, 6, 7, 8, 9, 8, 10, *rng.integers(1, 11, 40)])]
        stars = [half / 2 for half in halves[: len(cells) - 2]] + [4.5, 4.0]
        frame = pd.DataFrame(cells, columns=["userId", "movieId"]).assign(rating=stars)
        frame = frame.iloc[rng.permutation(len(frame))].reset_index(drop=True)
        fewer = frame[frame["userId"] != users[1]], frame[frame["movieId"] != items[5]]
        neighbours += [(each.reset_index(drop=True), users, items) for each in (frame, *fewer)]
    return neighbours


def _dense(answer: Any) -> np.ndarray:
    table = array(dense(answer, _MOST), _FORM.format(type(answer).__name__))
    if table.ndim != 2:
        raise Refusal(_FORM.format(f"an array of shape {table.shape}"))
    return table


def _about_shape(shape: tuple[int, ...], lines: pd.DataFrame) -> str | None:
    """The hint for a matrix of a wrong shape, or None where it is a stranger's."""
    liked = lines[lines["rating"] >= 4]
    sizes = [(some["userId"].nunique(), some["movieId"].nunique()) for some in (lines, liked)]
    if shape in sizes:
        return _FOUND
    if shape[1] in [items for _, items in sizes]:
        return "Your people are public, but the films were taken from the entries: give both lists."
    if shape[0] in [users for users, _ in sizes]:
        return "Your films are public, but the people were taken from the entries: give both lists."
    return None
