"""Table 2 and Figure 1: what noise costs those who guess traits from a published graph.

Traits are guessed from the leading singular vectors of the published graph by regression, with
cross-validation. Salas and Torra 2020, Section 4.1, doi 10.5220/0009833804150422.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from scipy import sparse
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from claimbook.part import Rng, mean_of_any_runs
from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.graphs import as_biadjacency
from pplab.response.noise_graph import BipartiteNoiseGraph
from pplab_papers.noise_graphs import paper

COMPONENTS = 50  # the paper does not say how many
FOLDS = 10
# Multiplications by the matrix and its transpose, each adding to the space searched. With 4 the
# weak vectors at p = 0.3 are not found yet; with 10 accuracies are within 0.004 of those with 12.
_DEPTH = 10
_BLOCK_CELLS = 2**23  # cells held dense at a time

Folds = list[tuple[np.ndarray, np.ndarray]]


def user_scores(
    graph: sparse.csr_array, *, rng: np.random.Generator, components: int = COMPONENTS
) -> np.ndarray:
    """Leading left singular vectors of a published graph, held dense by blocks of rows only.

    Parameters
    ----------
    graph : csr_array of ones, shape (users, items)
    rng : Generator
        Draws the vectors from which the search starts.
    components : int
        Singular vectors wanted, at most the smaller side of the graph.

    Returns
    -------
    float32 array, shape (users, components)

    References
    ----------
    Musco and Musco 2015, Randomized block Krylov methods for stronger and faster approximate
    singular value decomposition, arXiv 1504.05477.
    """
    users, items = graph.shape
    check_integer("components", components, minimum=1, maximum=min(users, items))
    space, dimensions = np.empty((items, 0), dtype=np.float32), (_DEPTH + 1) * (components + 1)
    seen = np.empty((users, 0), dtype=np.float32)  # the graph times the space
    added: np.ndarray = rng.standard_normal((items, components + 1), dtype=np.float32)
    added[:, 0] = 1  # near the first vector, of how many users like each item
    while True:
        for _ in range(3):  # off the space found so far; a rest that is all rounding needs repeats
            added = np.linalg.qr(added - space @ (space.T @ added))[0]
        added = added[:, : items - space.shape[1]]
        image, columns = np.zeros_like(added.T), np.empty((users, added.shape[1]), dtype=np.float32)
        for rows, block in _dense_blocks(graph):
            columns[rows] = block @ added
            image += columns[rows].T @ block
        space, seen = np.hstack([space, added]), np.hstack([seen, columns])
        if space.shape[1] >= min(items, dimensions):
            return _leading(seen, components)
        added = image.T


def make_folds(users: int, *, rng: np.random.Generator) -> Folds:
    """Ten folds of users, to be fixed before any noise is drawn."""
    from sklearn.model_selection import KFold

    splitter = KFold(FOLDS, shuffle=True, random_state=int(rng.integers(2**31)))
    return list(splitter.split(np.empty(users)))


def accuracies(scores: np.ndarray, traits: pd.DataFrame, folds: Folds) -> dict[str, float]:
    """Accuracy of the guesses of each trait, on average over the folds.

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
    design = np.column_stack([np.ones(len(spread)), spread])
    numbers = traits.select_dtypes("number")
    results = dict(zip(numbers, _correlations(design, numbers.to_numpy(float), folds), strict=True))
    for trait, column in traits.drop(columns=numbers.columns).items():
        words = sorted(set(column))
        flags = [(column == word).to_numpy() for word in (words[1:] if len(words) == 2 else words)]
        results[trait] = float(
            np.mean([_area(spread, flag, *fold) for flag in flags for fold in folds])
        )
    return {str(trait): results[trait] for trait in traits}


def _dense_blocks(graph: sparse.csr_array) -> Iterator[tuple[slice, np.ndarray]]:
    rows = max(1, _BLOCK_CELLS // graph.shape[1])
    for start in range(0, graph.shape[0], rows):
        block = slice(start, min(start + rows, graph.shape[0]))
        yield block, graph[block].toarray().astype(np.float32)


def _leading(seen: np.ndarray, components: int) -> np.ndarray:
    """Leading left singular vectors of a tall table, zero beyond its rank, by its Gram matrix."""
    wide = seen.astype(float)
    squares, right = np.linalg.eigh(wide.T @ wide)
    lengths = np.sqrt(np.maximum(squares, 0))[::-1][:components]
    vectors = wide @ right[:, ::-1][:, :components]
    beyond = lengths <= np.finfo(np.float32).eps * lengths[0]
    return (vectors / np.where(beyond, np.inf, lengths)).astype(np.float32)


def _correlations(design: np.ndarray, targets: np.ndarray, folds: Folds) -> list[float]:
    """Mean over the folds of Pearson's r, for each column that is wanted."""
    by_fold = []
    for train, test in folds:
        guesses = design[test] @ np.linalg.lstsq(design[train], targets[train], rcond=None)[0]
        pairs = zip(guesses.T, targets[test].T, strict=True)
        by_fold.append([np.corrcoef(guess, truth)[0, 1] for guess, truth in pairs])
    return np.mean(by_fold, axis=0).tolist()


def _area(scores: np.ndarray, flag: np.ndarray, train: np.ndarray, test: np.ndarray) -> float:
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score

    model = LogisticRegression(solver="newton-cholesky").fit(scores[train], flag[train])
    return float(roc_auc_score(flag[test], model.decision_function(scores[test])))


OCCUPATION_GROUPS = {
    "student": ("student",),
    "technical": ("engineer", "programmer", "scientist", "technician"),
    "business": ("administrator", "executive", "lawyer", "marketing", "salesman"),
    "letters": ("artist", "educator", "entertainment", "librarian", "writer"),
    "rest": ("doctor", "healthcare", "homemaker", "none", "other", "retired"),
}
Accuracies = dict[str, float]


def table2(
    likes: Dataset,
    *,
    rng: Rng = None,
    runs: int = 3,
    flip_probabilities: Sequence[float] = paper.FLIP_PROBABILITIES,
) -> pd.DataFrame:
    """Accuracy of guessed traits by flip probability, and its relative loss in per cent.

    Fifty singular vectors of the user x Like matrix, then logistic regression (area under the ROC
    curve) or linear regression (Pearson's r), ten folds. The paper tells neither the number of
    vectors nor the regression for numbers.
    """
    return _losses(likes.biadjacency, likes.users, rng, runs, flip_probabilities)


def movielens_traits(
    complete: Dataset,
    *,
    rng: Rng = None,
    runs: int = 5,
    flip_probabilities: Sequence[float] = paper.FLIP_PROBABILITIES,
) -> pd.DataFrame:
    """Table 2 on other people: gender, age and occupation group from who rated what."""
    groups = {job: group for group, jobs in OCCUPATION_GROUPS.items() for job in jobs}
    traits = complete.users[["gender", "age"]].assign(
        occupation=complete.users["occupation"].map(groups)
    )
    return _losses(as_biadjacency(complete.ratings), traits, rng, runs, flip_probabilities)


def _losses(
    graph: sparse.csr_array,
    traits: pd.DataFrame,
    rng: Rng,
    runs: int,
    flip_probabilities: Sequence[float],
) -> pd.DataFrame:
    check_integer("runs", runs, minimum=2)
    generator = as_rng(rng)
    folds = make_folds(len(traits), rng=generator)  # before any noise
    (child,) = generator.spawn(1)
    clean = _release(graph, traits, folds, 0.0, child)
    rows = _summary(0.0, [clean], clean)
    for p in tqdm(flip_probabilities, desc="flip probabilities"):
        draws = [_release(graph, traits, folds, p, child) for child in generator.spawn(runs)]
        rows += _summary(p, draws, clean)
    return pd.DataFrame(rows)


def _release(
    graph: sparse.csr_array, traits: pd.DataFrame, folds: Folds, p: float, rng: np.random.Generator
) -> Accuracies:
    """Accuracy by trait on one published graph."""
    published = BipartiteNoiseGraph(p).sample(graph, rng=rng)
    components = min(COMPONENTS, *graph.shape)
    # one thread: the same digits on every machine, and threads that wait for each other on a busy
    # one cost ten times what they bring
    with threadpool_limits(1):
        return accuracies(user_scores(published, rng=rng, components=components), traits, folds)


def _summary(p: float, draws: list[Accuracies], clean: Accuracies) -> list[dict[str, object]]:
    """Accuracy and relative loss, each with mean and spread over the draws."""
    rows: list[dict[str, object]] = []
    for trait, without_noise in clean.items():
        values = np.array([draw[trait] for draw in draws])
        measured = {"accuracy": values, "imprecision": 100 * (1 - values / without_noise)}
        for quantity, sample in measured.items():
            row = {"quantity": quantity, "trait": trait, "p": p}
            rows.append(row | mean_of_any_runs(sample))
    return rows
