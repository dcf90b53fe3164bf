"""The search against the paper's recipe, on generated tables."""

import numpy as np
import pytest

from pplab.datasets.blocks import block_model
from pplab.smooth.anonymize import smooth_k_anonymize, suppress_k_anonymize


def tables():
    blocks = block_model(block_size=16, blocks=16, inside=0.8, outside=0.02, rng=0).biadjacency
    sparse = (np.random.default_rng(1).random((256, 256)) < 0.02).astype(np.int8)
    return {"blocks": blocks, "sparse": sparse}


@pytest.mark.parametrize("name", ["blocks", "sparse"])
@pytest.mark.parametrize("k", [2, 8, 64])
def test_never_below_the_recipe(name, k):
    table = tables()[name]
    ours = smooth_k_anonymize(table, k, rng=1).jaccard
    recipes = [
        smooth_k_anonymize(table, k, method="paper", assignment=assignment, rng=seed).jaccard
        for assignment in ["arrival", "nearest"]
        for seed in range(2)
    ]
    assert ours >= max(recipes)


@pytest.mark.parametrize("k", [2, 32])
def test_never_below_the_recipe_for_suppression(k):
    for table in tables().values():
        ours = suppress_k_anonymize(table, k, rng=1).jaccard
        theirs = suppress_k_anonymize(table, k, method="clusters", rng=1)
        assert ours >= theirs.jaccard
