"""Sliders and their static twins."""

import ipywidgets
import matplotlib.pyplot as plt
import pandas as pd
import pytest

from pplab.widgets import Control, explore, twin

P = Control("flip probability p", (0.1, 0.2, 0.4), 0.2, "more accurate", "more private")
DENSITY = Control("density", (0.01, 0.5), 0.5, "sparse", "dense")


def draw(axes, p, density=0.5):
    axes.bar(["kept", "flipped"], [1 - p, p])
    return {"p": p, "density": density, "kept": 1 - p}


SENTENCE = "At p = {p:g} a share of {kept:g} is kept.".format_map


@pytest.fixture
def shown(monkeypatch):
    """Alternative texts of the figures shown, in order."""
    plt.switch_backend("agg")
    texts = []

    def show(figure, *, alt, folded=None):
        texts.append(alt)
        texts.extend(["folded"] * (folded is not None))
        panels = [str(axes.get_visible()) for axes in figure.axes]
        texts.extend(["a panel is empty"] * panels.count("False"))
        plt.close(figure)

    monkeypatch.setattr("pplab.widgets.show", show)
    return texts


def parts(box, kind):
    if isinstance(box, kind):
        return [box]
    return [part for child in getattr(box, "children", ()) for part in parts(child, kind)]


def sliders(box):
    return parts(box, ipywidgets.SelectionSlider)


def test_moving_a_slider_draws_again_and_a_screen_reader_says_so(shown):
    box = explore(draw, say=SENTENCE, p=P)
    [slider], [text] = sliders(box), parts(box, ipywidgets.HTML)
    assert shown == ["At p = 0.2 a share of 0.8 is kept."]
    assert (slider.description, slider.value) == ("flip probability p", 0.2)
    slider.index += 1  # what an arrow key does
    assert shown[1:] == ["At p = 0.4 a share of 0.6 is kept."]
    assert text.value == f'<p role="status" aria-live="polite">{shown[-1]}</p>'


def test_names_make_a_menu_and_numbers_a_slider(shown):
    def named(axes, kind, p):
        return draw(axes, p) | {"kept": len(kind)}

    box = explore(named, say=SENTENCE, kind=Control("kind", ("flip", "none"), "flip"), p=P)
    [menu] = parts(box, ipywidgets.Dropdown)
    assert (menu.options, len(sliders(box))) == (("flip", "none"), 1)
    assert len(parts(box, ipywidgets.Label)) == 2  # the ends of the slider alone
    menu.value = "none"
    assert len(shown) == 2


@pytest.mark.usefixtures("shown")
def test_the_ends_of_sliders_are_named():
    box = explore(draw, say=SENTENCE, density=DENSITY, p=P)
    assert [slider.description for slider in sliders(box)] == ["density", "flip probability p"]
    labels = [label.value for label in parts(box, ipywidgets.Label)]
    assert labels == ["← sparse", "dense →", "← more accurate", "more private →"]
    assert [type(part).__name__ for part in box.children[-2:]] == ["Output", "HTML"]


def test_buttons_go_one_step_and_stop_at_the_ends(shown):
    steps = Control("step", (0.1, 0.2, 0.4), 0.2, "start", "end", buttons=True)
    box = explore(draw, say=SENTENCE, p=steps)
    previous, following = parts(box, ipywidgets.Button)
    assert (previous.description, following.description) == ("← previous", "next →")
    [slider] = sliders(box)
    for button, value in ((following, 0.4), (following, 0.4), (previous, 0.2), (previous, 0.1)):
        button.click()
        assert slider.value == value
    previous.click()
    assert slider.value == 0.1
    assert [text.split()[3] for text in shown] == ["0.2", "0.4", "0.2", "0.1"]
    assert parts(explore(draw, say=SENTENCE, p=P), ipywidgets.Button) == []


def test_a_twin_draws_every_state_with_the_same_function_in_a_grid(shown):
    table = twin(draw, alt="The share kept falls from 0.9 to 0.6.", p=(0.1, 0.4))
    expected = pd.DataFrame({"p": [0.1, 0.4], "density": 0.5, "kept": [0.9, 0.6]})
    pd.testing.assert_frame_equal(table, expected)
    assert len(twin(draw, alt="Five panels.", p=(0.1, 0.2, 0.3, 0.4, 0.5))) == 5
    drawn = []

    def record(axes, density, p):
        drawn.append((axes.get_subplotspec().rowspan.start, axes.get_subplotspec().colspan.start))
        return draw(axes, p, density)

    table = twin(record, alt=lambda rows: f"{len(rows)} panels", density=(0.01, 0.5), p=(0.1, 0.4))
    assert drawn == [(0, 0), (0, 1), (1, 0), (1, 1)]
    states = [[0.01, 0.1], [0.01, 0.4], [0.5, 0.1], [0.5, 0.4]]
    assert table[["density", "p"]].to_numpy().tolist() == states
    five = ["Five panels.", "folded", "a panel is empty"]
    one, four = ["The share kept falls from 0.9 to 0.6.", "folded"], ["4 panels", "folded"]
    assert shown == [*one, *five, *four]
