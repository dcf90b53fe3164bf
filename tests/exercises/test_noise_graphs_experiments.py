"""Notebook 03: designs that mix things up, estimates that are off, widths held against results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pplab.course.check import check
from pplab.course.nb03_noise_graphs_experiments import TABLE_5
from pplab.ledger.results import read_result
from tests.exercises.examples_noise_graphs_experiments import least_squares, sorted_away, swapped


@pytest.mark.parametrize("design", [sorted_away, swapped])
def test_designs_that_mix_things_up_do_not_pass(design: Callable[..., Any]) -> None:
    assert not check("03-D", design)


@pytest.mark.parametrize("factor", [0.99, 1.01])
def test_least_squares_off_by_one_per_cent_is_caught(factor: float) -> None:
    assert not check("03-P", lambda counts: factor * least_squares(counts))


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
