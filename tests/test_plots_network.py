"""Networks: every user and friendship is drawn once, and roles differ by shape and by word."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from pplab.plots import network, new_figure

PLACES = np.array([[0.0, 0], [1, 0], [2, 0.5], [2, -0.5]])
FRIENDS = [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize("clusters", [None, [0, 0, 1, 1]])
def test_users_lines_and_roles(clusters: list[int] | None) -> None:
    figure, axes = new_figure()
    roles = {0: "fake", 1: "victim", 3: "fake"}
    network(axes, PLACES, FRIENDS, dashed=[(0, 3)], roles=roles, clusters=clusters)
    lines = [line for line in axes.lines if line.get_marker() == ""]
    ends = [{tuple(point) for point in np.column_stack(line.get_data())} for line in lines]
    wanted = [{tuple(PLACES[one]), tuple(PLACES[other])} for one, other in [*FRIENDS, (0, 3)]]
    assert ends == wanted
    assert [line.is_dashed() for line in lines] == [False, False, False, True]
    nodes = [line for line in axes.lines if line.get_markeredgecolor() == "black"]
    shapes = [line.get_marker() for line in nodes if line not in lines]
    assert len(shapes) == len(PLACES)
    assert shapes[0] == shapes[3]
    assert len({shapes[0], shapes[1], shapes[2]}) == 3
    words = [text.get_text() for text in axes.texts]
    assert sorted(words) == sorted(["0", "1", "2", "3", "fake", "fake", "victim"])
    assert len(axes.patches) == (0 if clusters is None else 2)
    figure.canvas.draw()
    plt.close(figure)


def test_without_roles_all_users_are_circles() -> None:
    figure, axes = new_figure()
    network(axes, PLACES, [])
    assert {line.get_marker() for line in axes.lines} == {"o"}
    plt.close(figure)
