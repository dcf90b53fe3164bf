"""The testers are tested: they accept the right probability and reject a faulty one."""

import numpy as np
import pytest

from tests.helpers import count_fits, outcomes_fit


def test_right_probability_is_accepted():
    rng = np.random.default_rng(1)
    assert all(count_fits(rng.binomial(20_000, 0.1), 20_000, 0.1) for _ in range(200))


@pytest.mark.parametrize("fault", [1.2, 1 / 1.2])
def test_faulty_probability_is_rejected(fault):
    rng = np.random.default_rng(2)
    assert not any(count_fits(rng.binomial(20_000, 0.1 * fault), 20_000, 0.1) for _ in range(200))


def test_outcomes_accept_and_reject():
    rng = np.random.default_rng(3)
    right = [0.5, 0.3, 0.2]
    assert outcomes_fit(rng.multinomial(20_000, right), right)
    assert not outcomes_fit(rng.multinomial(20_000, [0.45, 0.35, 0.2]), right)
