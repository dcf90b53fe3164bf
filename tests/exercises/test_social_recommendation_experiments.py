"""Notebook 05: hidden lists, labels and a town that tell mistakes apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pplab.course.check import check
from pplab.course.nb05_social_recommendation_experiments import (
    FEW,
    GAIN,
    LISTS,
    circles,
    low_degree_quality,
    town,
)
from pplab.graphs import as_adjacency
from pplab.recommenders.communities import communities, modularity
from tests.exercises.examples_social_recommendation_experiments import larger, mixed_up, quality


def test_the_hidden_lists_have_ties_zeros_and_both_ends() -> None:
    values = [quality(*row) for row in LISTS]
    assert min(values) == 0
    assert max(values) == pytest.approx(1)
    assert all(utilities.any() for utilities, _ in LISTS)
    assert sum(len(set(utilities)) < len(utilities) for utilities, _ in LISTS) > 20
    assert any(not utilities[ranked].any() for utilities, ranked in LISTS)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_hidden_circles_are_communities_and_mixing_breaks_them(seed: int) -> None:
    social, labels = circles(seed)
    as_adjacency(social)
    assert modularity(social, labels) > 0.4
    assert modularity(social, mixed_up(labels)) < 0.15


def test_the_town_is_social_and_has_newcomers() -> None:
    social, likes = town().social, town().preferences
    as_adjacency(social)
    assert social.shape[0] == likes.shape[0]
    assert np.diff(social.indptr).min() >= 1
    assert 50 < (np.diff(social.indptr) <= FEW).sum() < 100


def test_larger_clusters_help_newcomers_whatever_the_seed_of_the_search() -> None:
    before = [
        low_degree_quality(town(), communities(town().social, runs=3, rng=seed))
        for seed in range(3)
    ]
    after = [
        low_degree_quality(town(), communities(town().social, runs=3, resolution=0.4, rng=seed))
        for seed in range(3)
    ]
    assert min(after) > max(before) + GAIN


def test_a_student_may_change_what_it_is_given() -> None:
    def careless(social: Any) -> Any:
        labels = larger(social)
        social.data[:] = 0
        return labels

    assert check("05-D", careless)
    assert check("05-D", careless)
