"""Notebook 12: right and wrong answers, the label held against the stored comparison."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab_course.nb12_one_yardstick import MOST, _insiders, _mislabelled

WORDS = {
    "unit": "the row of one person",
    "trusted": "whoever counts the votes",
    "insiders": "a bit that their votes leave open",
    "second release": "no promise: levels do not add up here",
}


ROWS = _insiders()
KEPT = ROWS[ROWS["high"] <= MOST]


def label(row: Any, **changed: str) -> dict[str, Any]:
    return {"family": row[0], "strength": row[1]} | WORDS | changed


BEST = KEPT["recall"].idxmax()


def simulated(yes: float, false: float) -> Any:
    """So many times the true alarms and so many times the false ones, added."""

    def run(flip: float, trials: int, seed: int) -> float:
        random = np.random.default_rng(seed)
        coin = random.random(trials) < 0.5
        published = coin ^ (random.random(trials) < flip)
        return float(yes * published[coin].mean() + false * published[~coin].mean())

    return run


RIGHT: dict[str, list[Any]] = {
    "12-R": ["epsilon", "ε", "differential privacy"],
    "12-C": [0.28, 0.2800, 0.27999],
    "12-P": [simulated(1, -1), lambda flip, *_: 1 - 2 * flip, lambda flip, *_: [1 - 2 * flip][0]],
    "12-B": [[1, 0, 0, 1], (0, 1, 0, 0), np.array([0, 0, 1, 1])],
    "12-D": [
        label(BEST),
        label(BEST, unit="a user, with all likes", trusted="the curator"),
        label((BEST[0].upper(), int(BEST[1])), **{"second release": "can be intersected"}),
    ],
    "12-O": [
        lambda table, users, items: table[users, items],
        lambda table, users, items: (table[users, items] > table.mean(axis=0)[items]).tolist(),
        lambda table, users, _: np.clip(table[users].mean(axis=1), 0, 1),
    ],
}

WRONG: dict[str, list[Any]] = {
    "12-R": ["k", "both", "neither"],
    "12-C": [0.369, 0.389, 0.881, 28.0],
    "12-P": [
        (simulated(1, 0), "subtract false alarms"),
        (simulated(0, 1), "how often it is wrong"),
        (simulated(-1, 1), "sign is turned"),
        (simulated(0.5, -0.5), "Half of it"),
    ],
    "12-B": [
        ([0, 0, 0, 1], "drops the item"),
        ([1, 1, 1, 0], "outvote"),
        ([1, 1, 0, 0], "likely is not certain"),
    ],
    "12-D": [
        ({"family": BEST[0], "strength": BEST[1]}, "label is not complete"),
        (label(ROWS["recall"].idxmax()), "usefulness alone"),
        (label(KEPT["recall"].idxmin()), "recommends better"),
        (label(("noise graph", 0.77)), "of a row of the table"),
        (label(BEST, unit="One like"), "the unit of this family"),
        (label(BEST, trusted="Nobody, users flip at home"), "saw the whole table"),
        (label(BEST, **{"second release": "levels add up: 2ε"}), "Which level is to add up"),
    ],
    "12-O": [
        (lambda *_: 0.5, "as many answers"),
        (lambda table, users, items: 2 + table[users, items], "between 0 and 1"),
        (lambda _, users, __: np.full(len(users), 0.5), "that is the prior"),
    ],
}

SECRETS = {"12-R": "epsilon", "12-C": "0.28"}


def test_a_family_with_a_level_has_a_label_of_its_own() -> None:
    words = {"unit": "one like", "trusted": "nobody", "insiders": "ε", "second release": "2ε"}
    assert _mislabelled("noise graph", **words) == ""
    assert "saw the whole table" in _mislabelled("cluster averages", **words)
    assert "unit of this family" in _mislabelled("noise graph", **words | {"unit": "a row"})
    told = _mislabelled("noise graph", **words | {"second release": "no promise"})
    assert "what do two releases cost" in told
