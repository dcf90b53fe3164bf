"""Exercises of notebook 04: beliefs in which cells go together, units, groups that agree."""

from functools import cache
from typing import Any

import numpy as np

from pplab.attacks.posterior import posterior_odds
from pplab.datasets.load import load_dataset
from pplab_course.answers import Refusal, array, call, fields, number, numbers, text, without
from pplab_course.exercises import close, enter, exactly, hidden

# 04-P: the largest factor over all releases


def _beliefs() -> list[tuple[np.ndarray, float]]:
    """Beliefs on 1 to 4 cells with flip probabilities; some cells go together or exclude others."""
    rng = np.random.default_rng(hidden(4))
    made = [(rng.integers(1, 9, (2,) * cells) / 8, 0.1 + cells / 20) for cells in (1, 2, 3, 4)]
    joint = np.zeros((2, 2, 2))
    joint[0, 0, 0], joint[1, 1, 1] = 0.7, 0.3
    return [*made, (joint, 0.25), (np.array([[0.2, 0.5], [0.3, 0.0]]), 0.25)]


@enter("04-P")
def _largest(answer: Any) -> str | None:
    by_hand, answers, results = without(posterior_odds, answer), [], []
    for joint, p in _beliefs():
        answers.append(number(call(by_hand, joint, p)))
        odds, quarter = (posterior_odds(joint, flip_probability=q) for q in (p, 1 / 4))
        most, least = odds.factors.max(), odds.factors.min()
        ones, after = odds.factors[(1,) * joint.ndim], odds.prior * most
        results.append((most, quarter.factors.max(), odds.cap, 1 / p - 1, after, ones, least))
    hints = (
        "Your number is for p = 1/4, whatever the argument p says: use the argument.",
        "Your number is what group privacy allows; for most beliefs the factor is smaller.",
        "Your number is the factor of one published cell: other cells also reveal the first cell.",
        "Your number gives the odds after a release; divide them by the odds before it.",
        "For some beliefs a release other than all ones raises the odds most: try all releases.",
        "You found the release that lowers the odds most; look for the one that raises them most.",
    )
    expected, *wrong = zip(*results, strict=True)
    return exactly(answers, expected, zip(wrong, hints, strict=True))


# 04-B: a belief that defeats a level


@enter("04-B")
def _defeat(answer: Any) -> str | None:
    belief = array(answer, "an array of numbers of shape (2, 2, 2), please: belief[x1, x2, x3].")
    if belief.shape != (2, 2, 2):
        raise Refusal(f"an array of shape (2, 2, 2), please, got shape {belief.shape}.")
    if not (np.isfinite(belief) & (belief >= 0)).all():
        return "Probabilities are at least 0."
    if abs(belief.sum() - 1) > 1e-6:
        return f"The eight probabilities must sum to 1, not to {belief.sum():.4g}."
    alone = [float(belief.sum(axis=others)[1]) for others in ((1, 2), (0, 2), (0, 1))]
    if any(abs(share - 0.01) > 1e-6 for share in alone):
        listed = ", ".join(f"{share:.4g}" for share in alone)
        return f"Each cell must be 1 with probability 1/100; yours are 1 with probability {listed}."
    result = posterior_odds(belief, flip_probability=0.1)
    top = float(result.posterior.max())
    if top > 0.5:
        return ""
    if close(float(result.factors.max()), 9, within=1e-6):
        return "Your first cell is independent of the other cells, as the publisher assumes."
    return f"The belief in the first cell reaches at most {top:.3g}: let more cells support it."


# 04-D: units of four and six cells, each at odds of 9

SIZES, ODDS = {"fans": 4, "fashion": 6}, 9


@enter("04-D")
def _units(answer: Any) -> str | None:
    answer = fields(answer, SIZES, 'a dict, please: {"fans": (cells, p), "fashion": (cells, p)}.')
    for name, cells in SIZES.items():
        count, flip = numbers(answer[name], 2)
        if not 0 < flip <= 0.5:
            raise Refusal(f"{name}: a flip probability in (0, 1/2], please, got {flip:g}.")
        if count != cells:
            return f"{name}: a row has one cell per film, a column one cell per user; count them."
        if close(flip, 1 / (1 + ODDS), within=1e-3):
            return f"{name}: that p gives odds of 9 to one cell, but the unit has {cells} cells."
        if close(flip, 1 / (1 + ODDS / cells), within=1e-3):
            return f"{name}: factors multiply, so each cell gets a root of 9, not a fraction of 9."
        reached = (1 / flip - 1) ** cells
        if reached > ODDS * (1 + 1e-9):
            near = " Round p up." * (reached < 1.02 * ODDS)
            return f"{name}: {cells} cells at that p change the odds {reached:.4g}-fold.{near}"
        if reached < 0.98 * ODDS:
            return f"{name}: the factor is only {reached:.3g}; a smaller p is enough."
    return ""


# 04-O: the film whose odds move most

LEVEL, CELLS = 3, 11


@enter("04-O")
def _film(answer: Any) -> str | None:
    form = 'a dict, please: {"film": ..., "factor": ..., "interval": ...}.'
    answer = fields(answer, ("film", "factor", "interval"), form)
    factor = number(answer["factor"])
    low, high = numbers(answer["interval"], 2)
    if factor > float(LEVEL) ** CELLS:
        return f"At {LEVEL} : 1 no belief on eleven cells moves the odds by this much."
    if factor <= LEVEL:
        return f"At {LEVEL} : 1 one cell moves the odds this much: which film has a larger factor?"
    title = text(answer["film"])
    source = "standin" if title in _films("standin")[0] else "auto"  # marking has no real data
    films = [film for film, name in enumerate(_films(source)[0]) if name == title]
    if not films:
        return "No film of the table has this title, word for word."
    film = min(films, key=lambda other: abs(_eleven(source, other, False) - factor))
    if not close(factor, _eleven(source, film, False)):
        if close(factor, _eleven(source, film, True)):
            return "Your factor is from the half that you searched; measure it in the other half."
        return "In the other half, with the ten near films of the first half, the factor differs."
    if not low <= factor <= high or low == high:
        return "The interval must contain the factor: give (low, high), low first."
    if high < 1.4 * low:
        return "Half of the people cannot give so narrow an interval: resample these people for it."
    if low <= 0 or high > 1_000 * low:
        return "That interval contains nearly every factor: what do the people of one half show?"
    if not _moves_most(source, film):
        return "In the half that you searched, a film with as many raters has a larger factor."
    return ""


@cache
def _films(source: str) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Titles, who rated what, the half that is searched, and how alike films are there."""
    films = load_dataset("movielens-100k", source=source)
    rated = (films.ratings.toarray() > 0).astype(int)
    first = np.random.default_rng(2).permutation(len(rated))[: len(rated) // 2]
    centred = rated[first] - rated[first].mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=0), 1e-9)
    searched = np.isin(np.arange(len(rated)), first)
    return films.items["title"].tolist(), rated, searched, (centred.T @ centred).round(9)


@cache
def _eleven(source: str, film: int, searched: bool) -> float:
    """Factor of eleven ones, of a film and the ten nearest, for the people of one half."""
    _, rated, half, likeness = _films(source)
    near = np.argsort(-likeness[film], kind="stable")
    codes = rated[:, [film, *near[near != film][: CELLS - 1]]] @ 2 ** np.arange(CELLS)[::-1]
    joint = np.bincount(codes[half == searched], minlength=2**CELLS).reshape((2,) * CELLS)
    return float(posterior_odds(joint, flip_probability=1 / (1 + LEVEL)).factors[(1,) * CELLS])


def _moves_most(source: str, film: int) -> bool:
    """True if no film rated by as many moves more; the rule may count one half, or everybody."""
    _, rated, half, _ = _films(source)
    known, top = rated[half].sum(axis=0), _eleven(source, film, True) * (1 + 1e-6)
    for counts in (known, rated.sum(axis=0)):
        rivals = np.flatnonzero((counts >= counts[film]) & (known > 0)).tolist()
        if all(_eleven(source, rival, True) <= top for rival in rivals):
            return True
    return False
