"""Notebook 03: designs that mix things up, estimates that are off, widths held against results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pplab.course.check import check
from pplab.course.nb03_noise_graphs_experiments import TABLE_5
from pplab.ledger.results import read_result
from tests.course.examples import complaints

Counts = dict[float, int]


def least_squares(counts: Counts) -> float:
    return sum(p * x for p, x in counts.items()) / sum(p * p for p in counts)


def weighted(counts: Counts) -> float:
    return sum(x / (1 - p) for p, x in counts.items()) / sum(p / (1 - p) for p in counts)


def fair(make_folds: Any, add_noise: Any, accuracy: Any, seeds: list[int]) -> list[float]:
    folds = make_folds()
    return [accuracy(add_noise(seed), folds) for seed in seeds]


def folds_late(make_folds: Any, add_noise: Any, accuracy: Any, seeds: list[int]) -> list[float]:
    published, folds = [add_noise(seed) for seed in seeds], make_folds()
    return [accuracy(graph, folds) for graph in published]


def folds_anew(make_folds: Any, add_noise: Any, accuracy: Any, seeds: list[int]) -> list[float]:
    return [accuracy(add_noise(seed), folds) for seed in seeds if (folds := make_folds())]


def swapped(make_folds: Any, add_noise: Any, accuracy: Any, seeds: list[int]) -> list[float]:
    return fair(make_folds, add_noise, lambda graph, folds: accuracy(folds, graph), seeds)


ESSAY = (
    "Singular vectors add up hundreds of cells of a user, and the noise in them cancels. If that "
    "is the reason, shuffling the published rows against the users must bring the accuracy down "
    "to chance, with as many false edges as before."
)

RIGHT: list[tuple[str, Any]] = [
    ("03-R", "shape-only"),
    ("03-C", 0.25),
    ("03-P", least_squares),
    ("03-P", weighted),
    ("03-B", (0.001, 0.1)),
    ("03-B", [0.5, 0.0005]),
    ("03-D", fair),
    ("03-D", lambda *given: np.array(fair(*given))),
    ("03-O", ESSAY),
]

WRONG: list[tuple[str, Any, str]] = [
    ("03-R", "reproduced", "Whose data"),
    ("03-R", "differs", "cannot disagree"),
    ("03-R", "not-testable", "something about it"),
    ("03-C", 14.96, "removes it"),
    ("03-C", 15, "removes it"),
    ("03-C", -5.38, "1,682"),
    ("03-C", -0.25, "other way round"),
    ("03-C", 66.5, "divide"),
    ("03-P", lambda _: 943 * 1682, "catalogue"),
    ("03-P", lambda _: 943 * 1650, "same number"),
    ("03-P", lambda counts: sum((x / p for p, x in counts.items())) / len(counts), "smallest p"),
    ("03-B", (0.1, 0.2), "'reproduced'"),
    ("03-B", (0.001, 0.002), "'differs'"),
    ("03-D", lambda *given: max(fair(*given)), "best seed"),
    ("03-D", lambda *laboratory: float(np.mean(fair(*laboratory))), "hides the spread"),
    ("03-D", folds_late, "after the noise"),
    ("03-D", folds_anew, "draw the folds once"),
    ("03-D", lambda *given: fair(*given[:3], given[3][:3]), "not used"),
    ("03-D", lambda *_: [0.6] * 5, "No folds"),
    ("03-O", "The noise is small, so the prediction stays.", "Count the false edges"),
    ("03-O", "Because sums survive and cells do not.", "Where is the test"),
    ("03-O", "Shuffle rows.", "two or three sentences"),
    ("03-B", (0, 0.1), "above 0"),
    ("03-B", (-1, 1), "above 0"),
]

SECRETS = [("03-R", "shape-only"), ("03-C", "0.25"), ("03-P", "1,555,950"), ("03-P", "1555950")]


def test_answers_are_judged() -> None:
    assert complaints("03", RIGHT, WRONG, SECRETS) == []


def test_near_misses_do_not_pass() -> None:
    for factor in (0.99, 1.01):
        assert not check("03-P", lambda counts, by=factor: by * least_squares(counts))
    assert not check("03-D", swapped)
    assert not check("03-D", lambda *given: sorted(fair(*given)))


def test_widths_are_held_against_the_stored_measurement(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stored = read_result("noise-graphs", "table5")
    assert stored is not None
    p, printed, reading = TABLE_5
    rows = stored.frame[(stored.frame["p"] == p) & (stored.frame["reading"] == reading)]
    misfit = abs(rows["value"].item() - printed)
    assert check("03-B", (0.99 * misfit, 1.01 * misfit))
    monkeypatch.setenv("PPLAB_RESULTS", str(tmp_path))
    assert "pplab reproduce" in check("03-B", (0.1, 0.2)).message
