"""Numbers and levels as they are read, and how a value is shown (doors: tests/generated)."""

import numpy as np

from pplab.checks import check_integer, check_levels, check_positive, shown


def test_a_list_of_levels_is_sorted():
    assert check_levels((3, 1.0, 2.5)) == (1, 2.5, 3)
    assert check_levels(np.array([2, 1])) == (1, 2)


def test_a_number_of_numpy_is_a_number():
    assert check_integer("k", np.int8(3), minimum=2) == 3
    assert type(check_integer("k", np.int8(3), minimum=2)) is int
    assert check_positive("gain", np.float32(0.5)) == 0.5


def test_what_cannot_be_shown_is_named():
    class Silent:
        def __repr__(self):
            raise RuntimeError("no words")

    assert shown(np.float64(0.5)) == "0.5"
    assert shown("a\nb" * 1000).count("\n") == 0
    assert "Silent" in shown(Silent())
    for value in (10**5000, [10**5000], [[0] * 10**6], {"a": "b" * 10**6}, np.zeros(10**6)):
        assert len(shown(value)) <= 80
