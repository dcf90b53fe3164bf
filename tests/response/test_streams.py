"""The same seed gives the same release in every version: stored results and notebooks need it."""

import zlib

import numpy as np

from pplab.response.categorical import CategoricalResponse, DesignMatrix, TwoStageResponse
from pplab.response.noise_graph import BipartiteNoiseGraph, FairCoin, NoiseGraph
from pplab.response.ratings import WeightedNoiseGraph

SUMS = {
    "bipartite": 652861655,
    "coin": 2604302227,
    "design": 3418837602,
    "weighted": 4048190869,
    "listed": 2663256321,
    "categorical": 162338019,
    "two-stage": 1878776640,
    "social": 891065157,
}


def test_releases_of_seed_one_are_those_of_the_stored_results():
    cells = np.arange(40 * 90).reshape(40, 90)
    ratings = (cells * 7 % 11 < 3) * (cells % 5 + 1)
    social = np.triu(cells[:, :40] * 13 % 17 < 3, k=1)
    mechanisms = {
        "bipartite": BipartiteNoiseGraph(0.3),
        "coin": FairCoin(replacement_probability=0.3),
        "design": DesignMatrix(p00=0.7, p01=0.3, p10=0.4, p11=0.6),
        "weighted": WeightedNoiseGraph(0.3, 5),
        "listed": WeightedNoiseGraph(0.3, 5, noise_weights=(4, 1)),
        "categorical": CategoricalResponse(levels=5, epsilon=1.0),
        "two-stage": TwoStageResponse(levels=5, flip_probability=0.3, rating_odds=3),
    }
    found = {name: each.sample(ratings, rng=1) for name, each in mechanisms.items()}
    found["social"] = NoiseGraph(0.3).sample(social | social.T, rng=1)
    sums = {name: zlib.crc32(table.toarray().astype("<f8")) for name, table in found.items()}
    assert sums == SUMS
