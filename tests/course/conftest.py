"""Every test of an exercise begins as a new student would."""

import pytest

from pplab.course.check import check as core


@pytest.fixture(autouse=True)
def _forget_tries() -> None:
    core._wrong_tries.clear()
