"""Every test of an exercise begins as a new student would."""

import pytest

from pplab_course.exercises import _wrong_tries


@pytest.fixture(autouse=True)
def _forget_tries():
    _wrong_tries.clear()
