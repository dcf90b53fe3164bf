"""Guess traits of users from what they like: singular vectors, regression, cross-validation.

The graph is decomposed as it was published, and with its noise taken off on average: the expected
noise is p in every cell, a matrix of rank one, so that both decompositions are found in one space
and nothing but blocks of rows is ever held dense.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold

from pplab.checks import check_flip_probability, check_integer

__all__ = ["COMPONENTS", "Folds", "accuracies", "make_folds", "user_scores"]

COMPONENTS = 50  # the paper does not say how many
FOLDS = 10
# Multiplications by the matrix and its transpose, each adding to the space searched. With 4 the
# weak vectors at p = 0.3 are not found yet; with 10 accuracies are within 0.004 of those with 12.
_DEPTH = 10
_BLOCK_CELLS = 2**23  # cells held dense at a time

Folds = list[tuple[np.ndarray, np.ndarray]]


def user_scores(
    graph: sparse.csr_array,
    *,
    flip_probability: float,
    rng: np.random.Generator,
    components: int = COMPONENTS,
) -> dict[bool, np.ndarray]:
    """Leading left singular vectors of a published graph, as it is and debiased.

    Parameters
    ----------
    graph : csr_array of ones, shape (users, items)
        Published with ``flip_probability``.
    flip_probability : float
        The p of the release, in [0, 1/2): debiasing puts ``(x - p) / (1 - 2p)`` for x.
    rng : Generator
        Draws the vectors from which the search starts.
    components : int
        Singular vectors wanted, at most the smaller side of the graph.

    Returns
    -------
    dict of bool to float array, shape (users, components)
        By whether the graph was debiased.

    References
    ----------
    Musco and Musco 2015, Randomized block Krylov methods for stronger and faster approximate
    singular value decomposition, arXiv 1504.05477.
    """
    p = float(check_flip_probability(flip_probability, below_half=True))
    users, items = graph.shape
    check_integer("components", components, minimum=1, maximum=min(users, items))
    start = rng.standard_normal((items, components + 1), dtype=np.float32)
    start[:, 0] = 1  # the direction that debiasing takes off
    basis = [np.linalg.qr(start)[0]]
    for _ in range(_DEPTH):
        image = np.zeros_like(basis[0])
        for _, block in _dense_blocks(graph):
            image += block.T @ (block @ basis[-1])
        basis.append(np.linalg.qr(image)[0])
    space = np.linalg.qr(np.hstack(basis))[0]
    seen = np.empty((users, space.shape[1]), dtype=np.float32)
    for rows, block in _dense_blocks(graph):
        seen[rows] = block @ space
    # what the debiased matrix, up to its factor 1 / (1 - 2p), makes of the same space
    return {False: _leading(seen, components), True: _leading(seen - p * space.sum(0), components)}


def make_folds(users: int, *, rng: np.random.Generator) -> Folds:
    """Ten folds of users, to be fixed before any noise is drawn."""
    splitter = KFold(FOLDS, shuffle=True, random_state=int(rng.integers(2**31)))
    return list(splitter.split(np.empty(users)))


def accuracies(scores: np.ndarray, traits: pd.DataFrame, folds: Folds) -> dict[str, float]:
    """How well each trait is guessed, on average over the folds.

    Parameters
    ----------
    scores : float array, shape (users, components)
    traits : DataFrame, one row per user
        Numbers are guessed by linear regression and judged by Pearson's correlation. Words are
        guessed by logistic regression and judged by the area under the ROC curve: of the second
        of two words, or on average over each of several words against the rest.
    folds : list of (training rows, test rows)

    Returns
    -------
    dict of str to float
    """
    scale = scores.std(axis=0)
    spread = (scores - scores.mean(axis=0)) / np.where(scale > 0, scale, 1)
    found = {}
    for trait, column in traits.items():
        if pd.api.types.is_numeric_dtype(column):
            judged = [_correlation(spread, column.to_numpy(float), *fold) for fold in folds]
        else:
            words = sorted(set(column))
            flags = [
                (column == word).to_numpy() for word in (words[1:] if len(words) == 2 else words)
            ]
            judged = [_area(spread, flag, *fold) for flag in flags for fold in folds]
        found[str(trait)] = float(np.mean(judged))
    return found


def _dense_blocks(graph: sparse.csr_array) -> Iterator[tuple[slice, np.ndarray]]:
    rows = max(1, _BLOCK_CELLS // graph.shape[1])
    for start in range(0, graph.shape[0], rows):
        here = slice(start, min(start + rows, graph.shape[0]))
        yield here, graph[here].toarray().astype(np.float32)


def _leading(seen: np.ndarray, components: int) -> np.ndarray:
    return np.linalg.svd(seen, full_matrices=False)[0][:, :components]


def _correlation(
    scores: np.ndarray, trait: np.ndarray, train: np.ndarray, test: np.ndarray
) -> float:
    design = np.column_stack([np.ones(len(scores)), scores])
    weights = np.linalg.lstsq(design[train], trait[train], rcond=None)[0]
    return float(np.corrcoef(design[test] @ weights, trait[test])[0, 1])


def _area(scores: np.ndarray, flag: np.ndarray, train: np.ndarray, test: np.ndarray) -> float:
    model = LogisticRegression(solver="newton-cholesky").fit(scores[train], flag[train])
    return float(roc_auc_score(flag[test], model.decision_function(scores[test])))
