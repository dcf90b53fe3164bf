"""What the calls of calls.txt are made of: small tables, and which parts of a result are kept."""

import hashlib
from operator import attrgetter
from typing import Any

import networkx as nx
import numpy as np
from scipy import sparse

import pplab
from pplab.labelled import Labelled

RATINGS = np.random.default_rng(1).integers(0, 6, size=(24, 10))
GAPS = np.where(RATINGS > 0, RATINGS, np.nan)
LIKES = (RATINGS > 3).astype(int)
FULL = np.random.default_rng(2).integers(1, 6, size=(24, 10)).astype(float)
POINTS = np.random.default_rng(3).normal(size=(30, 3))
FRIENDS = nx.to_numpy_array(nx.karate_club_graph(), weight=None).astype(int)
TASTES = np.random.default_rng(4).integers(0, 2, size=(34, 12))
CLUBS = np.arange(34) % 3

csr = sparse.csr_array
copied = attrgetter("biadjacency", "labels", "jaccard")
means = attrgetter("protected", "labels", "sse", "k_achieved")
level = attrgetter("odds.numerator", "odds.denominator", "epsilon")


def recommended(**settings: Any) -> Any:
    usual = {"epsilon": 1.0, "measure": "cn", "top_n": 4, "rng": 7}
    return pplab.recommend(FRIENDS, TASTES, **usual | settings).items


def digest(result: Any) -> str:
    """Hash shapes and values, whatever their types; floats to twelve significant digits."""
    known = hashlib.sha256()
    for part in result if isinstance(result, (tuple, list)) else [result]:
        part = part.matrix if isinstance(part, Labelled) else part
        dense = part.toarray() if sparse.issparse(part) else np.asarray(part)
        stored = part.nnz if sparse.issparse(part) else dense.size
        values = [f"{float(value):.12g}" for value in dense.astype(float).ravel() + 0.0]
        known.update(repr((dense.shape, stored, values)).encode())
    return known.hexdigest()[:16]
