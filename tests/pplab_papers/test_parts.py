"""All parts of all papers: what a run refuses, whatever it measures."""

import inspect

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab.datasets.catalog import Dataset
from pplab_papers import PARTS

COUNTS = ("runs", "repetitions", "seeds")  # behind each mean
EACH_RUN = ("beyond_", "chunks_")  # their claims are about each run by itself
PEOPLE = pd.DataFrame({"gender": ["F", "M"], "age": [20, 30], "occupation": "artist"})
TWO = sparse.csr_array(np.ones((2, 2)))
NOBODY = Dataset("x", "generated", PEOPLE, PEOPLE, TWO, TWO, TWO, TWO)


def test_a_mean_without_a_spread_is_refused():
    """One run tells nothing of chance; it is refused before anything is computed."""
    asked = 0
    for (_, name), part in PARTS.items():
        takes = inspect.signature(part.experiment).parameters
        for count in set(COUNTS) & set(takes) - set(part.fixed):
            if name.startswith(EACH_RUN) and count == "repetitions":
                continue
            data, asked = dict.fromkeys(part.datasets, NOBODY), asked + 1
            with pytest.raises(ValueError, match=f"{count} must be an integer at least 2, got 1"):
                part.experiment(**data, rng=1, **part.fixed, **{count: 1})
    assert asked > 30
