"""The two parts of the error, against the sums written out."""

import math
import sys

import numpy as np
import pytest

from pplab.recommenders.clusters import cluster_averages, error_parts
from pplab.recommenders.similarity import similarity
from tests.helpers import mirrored


def random_case(seed, users=12, items=5, clusters=3):
    rng = np.random.default_rng(seed)
    social = mirrored(rng.random((users, users)) < 0.35).astype(np.int8)
    likes = (rng.random((users, items)) < 0.4).astype(float)
    labels = np.append(np.arange(clusters), rng.integers(clusters, size=users - clusters))
    return social, likes, labels


def test_averages_without_noise_are_those_of_the_members():
    _, likes, labels = random_case(5)
    expected = [likes[labels == cluster].mean(axis=0) for cluster in range(3)]
    assert np.allclose(cluster_averages(likes, labels, epsilon=math.inf), expected)


def written_out(similar, likes, labels, epsilon):
    """Equations 5 to 7, cluster by cluster: bias, the printed sum and the true deviation."""
    bias, linear, squares = np.zeros(likes.shape), 0, 0
    for cluster in set(labels.tolist()):
        members = labels == cluster
        weights, liked = similar[:, members], likes[members]
        deviation = math.sqrt(2) / epsilon * weights.sum(axis=1) / members.sum()
        linear, squares = linear + deviation, squares + deviation**2
        bias += weights @ (liked.mean(axis=0) - liked)
    return bias, linear, np.sqrt(squares)


@pytest.mark.parametrize("measure", ["cn", "aa", "gd", "katz"])
@pytest.mark.parametrize("clusters", [1, 3, 12])
def test_against_the_sums_written_out(measure, clusters):
    social, likes, labels = random_case(clusters, clusters=clusters)
    similar = similarity(social, measure=measure).toarray()
    parts = error_parts(social, likes, labels, measure=measure, epsilon=0.5)
    bias, linear, root = written_out(similar, likes, labels, 0.5)
    assert np.allclose(parts.approximation, np.abs(bias).mean(axis=1), atol=1e-12)
    assert np.allclose(parts.approximation_rms**2, (bias**2).mean(axis=1), atol=1e-12)
    assert np.allclose(parts.perturbation_printed, linear)
    assert np.allclose(parts.perturbation, root)  # variances of independent noises add up
    assert np.allclose(parts.rms, np.sqrt((bias**2).mean(axis=1) + root**2))
    assert np.allclose(parts.edges_printed, math.sqrt(2) / 0.5 * similar.sum(axis=1))
    assert np.allclose(parts.edges, math.sqrt(2) / 0.5 * np.sqrt((similar**2).sum(axis=1)))
    assert parts.utilities == pytest.approx(math.sqrt(2) / 0.5 * similar.sum(axis=0).max())


def test_blocks_and_no_noise(monkeypatch):
    social, likes, labels = random_case(4)
    whole = error_parts(social, likes, labels, measure="katz", epsilon=math.inf)
    assert (whole.perturbation == 0).all()
    assert whole.utilities == 0
    monkeypatch.setattr(sys.modules["pplab.recommenders.clusters"], "_CELLS", 25)
    cut = error_parts(social, likes, labels, measure="katz", epsilon=math.inf)
    for name in ("approximation", "approximation_rms", "edges"):
        assert np.allclose(getattr(cut, name), getattr(whole, name))
