"""Every public function, and what each of its arguments may be.

A row is a call and the kinds of its arguments; a function with methods that take different
arguments has several rows. ``ELSEWHERE`` has the names without a row, and the reason.
"""

from __future__ import annotations

import ast
import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from pplab import *  # noqa: F403
from pplab.attacks import *  # noqa: F403
from pplab.datasets import *  # noqa: F403
from pplab.metrics import *  # noqa: F403
from pplab.microaggregation import *  # noqa: F403
from pplab.recommenders import *  # noqa: F403
from pplab.response import *  # noqa: F403
from pplab.smooth import *  # noqa: F403
from pplab.theory import *  # noqa: F403
from tests.generated.inputs import *  # noqa: F403

TOPICS = "response recommenders smooth microaggregation metrics theory attacks datasets".split()
ELSEWHERE = {
    "Dataset": "a result",
    "DataFileError": "an exception",
    "smooth_k_anonymize_parquet": "files: tests/smooth/test_parquet.py",
}


@dataclass(frozen=True)
class Kind:
    """What an argument is: valid texts, and whether a value is one that may be answered."""

    make: Callable[[random.Random, int, int], str]  # of so many users and items
    legal: Callable[[Any], bool]
    shape: str = ""  # a container, in one of the FORMS of this shape
    without: Callable[[Any], bool] = lambda x: False  # odd values that are fine and take long


@dataclass(frozen=True)
class Row:
    call: str
    kinds: dict[str, Kind]


# Single values.


def one_of(*texts):
    return lambda draw, users, items: draw.choice(texts)


def is_real(x):
    return isinstance(x, Real) and not isinstance(x, (bool, np.bool_)) and x == x


def real(low, high, *texts, but=()):
    """A number in [low, high] but for some of them."""
    return Kind(one_of(*texts), lambda x: is_real(x) and low <= x <= high and x not in but)


def whole(low, high, *texts):
    return Kind(one_of(*texts), lambda x: count(x) and low <= x <= high)


def choice(*names):
    return Kind(one_of(*map(repr, names)), lambda x: isinstance(x, str) and x in names)


def optional(kind):
    make = lambda *sizes: "None" if sizes[0].random() < 0.5 else kind.make(*sizes)  # noqa: E731
    return replace(kind, make=make, legal=lambda x: x is None or kind.legal(x))


def fixed(text, legal):
    return Kind(one_of(text), legal)


def is_list(x):
    return isinstance(x, (list, tuple, np.ndarray, range, pd.Series)) and not np.ma.is_masked(x)


def reals(legal=is_real, least=1):
    return lambda x: is_list(x) and np.ndim(x) == 1 and len(x) >= least and all(map(legal, x))


def is_finite(x):
    return is_real(x) and -INF < x < INF


def count(x):
    return is_real(x) and isinstance(x, Integral) and x >= 0


INF = math.inf
NONE = Kind(one_of("None"), lambda x: x is None)
FLAG = Kind(one_of("True", "False", "np.True_"), lambda x: isinstance(x, (bool, np.bool_)))
SEED = Kind(
    one_of("0", "7", "np.int64(3)", "np.uint8(200)"),
    lambda x: x is None or count(x) or isinstance(x, np.random.Generator),
)
P = real(0, 0.5, "0.25", "0", "0.5", "Fraction(1, 3)", "np.float32(0.125)", "1e-3")
P_BELOW = real(0, 0.5, "0.25", "0", "Fraction(1, 3)", "np.float32(0.125)", but=(0.5,))
SHARE = real(0, 1, "0.5", "0.4", "np.float32(0.5)", "Fraction(1, 3)", but=(0, 1))
EPSILON = real(0, INF, "1.0", "2", "0.5", "np.float32(0.5)", "Fraction(1, 3)", but=(0, INF))
NOISELESS = real(0, INF, "1.0", "2", "math.inf", "np.float32(0.5)", "Fraction(1, 3)", but=(0,))
LEVEL = real(0, INF, "0", "1.0", "2", "np.float64(0.5)", "Fraction(1, 3)", but=(INF,))
ODDS = real(1, INF, "1", "3", "2.5", "Fraction(3, 2)", but=(INF,))
INFINITE = real(INF, INF, "math.inf")
CHANCE = real(0, 1, "0.5", "0", "1", "Fraction(1, 3)", "np.float32(0.25)")
HALF = real(0, 1, "0.5", "Fraction(1, 2)", "np.float32(0.5)")
DENSITY = real(0, 1, "0.5", "1", "Fraction(1, 3)", "np.float32(0.25)", but=(0,))
RESOLUTION = real(0, INF, "1.0", "1", "0.5", "np.float32(2)", but=(0, INF))
FIVE = real(0, INF, "5", "5.0", "np.int64(6)", but=(0, INF))
POSITIVE = real(0, INF, "1", "5", "2.5", "np.float32(0.5)", but=(0, INF))
K = whole(2, 2**62, "2", "3", "np.int64(2)", "np.uint8(3)")
FEW = whole(1, INF, "1", "2", "np.int64(1)")
COUNT, TRIALS = whole(0, INF, "1", "2", "np.int64(0)"), whole(1, INF, "9", "np.int64(9)")
TOP = whole(1, 2**62, "1", "2", "np.int64(2)")
CELLS = whole(1, 10**15, "100", "1000", "np.int64(50)")
SECONDS = Kind(one_of("None"), lambda x: x is None or is_real(x) and 0 < x < INF,
    without=lambda x: is_real(x) and 0.1 < x < INF)
UNIT = choice("edge")
NORM = choice("min-max", "product", "lukasiewicz", "hamacher")
MEASURE = choice("cn", "gd", "aa", "katz", "jaccard", "resource-allocation")
IMPUTE = choice("midpoint", "item-mean", "item-median", "user-mean", "global-mean")
LEFTOVER, EFFORT = choice("closest", "group"), choice("fast", "thorough")
KEEP = choice("half", "more-than-half", "all")
TIES = choice("half", "more-than-half")
BACKEND = choice("python-louvain", "igraph", "leiden", "scikit-network")
ASSIGNMENT, CELLS_USED = choice("arrival", "nearest"), choice("all", "rated")
DIRECTION = choice("original-to-protected", "protected-to-original")
FORM = choice("printed", "corrected", "line", "chernoff", "exact")
RANGE = Kind(
    one_of("(1, 5)", "[1, 5]", "np.array([1, 5])", "(np.float32(1), 5)"),
    lambda x: reals(least=2)(x) and len(x) == 2 and -INF < x[0] < x[1] < INF,
)
LEVELS = Kind(
    one_of("5", "[1, 2, 3, 4, 5]", "np.arange(1, 6)", "(5, 4, 3, 2, 1)", "np.int64(5)"),
    lambda x: (
        (count(x) and x > 0)
        or (reals(lambda level: is_real(level) and abs(level) < INF)(list(x) if is_list(x) else x))
        or isinstance(x, (set, dict))
    ),
)
WEIGHTS = Kind(
    one_of("'empirical'", "'uniform'", "[1, 2]", "np.array([1.0, 3.0])"),
    lambda x: x in ("empirical", "uniform") if isinstance(x, str) else reals()(x),
)


def some(kind):
    """A number, or an array of such."""
    line = lambda x: isinstance(x, (list, tuple, np.ndarray, pd.Series)) and all(  # noqa: E731
        map(kind.legal, np.ravel(np.array(x, dtype=object)))
    )
    return replace(kind, legal=lambda x: not np.ma.is_masked(x) and (kind.legal(x) or line(x)))


# Tables, and lists that belong to their rows.


def cells(x, *, gaps=False):
    """The numbers of a table, or None if it is none; tables with labels are odd here."""
    if sparse.issparse(x):
        stored = x.tocoo()
        distinct = set(zip(*(part.tolist() for part in stored.coords), strict=True))
        sound = x.ndim == 2 and min(x.shape) > 0 and len(distinct) == stored.nnz
        if not sound or stored.data.dtype.kind not in "biuf" or max(x.shape) >= 2**31:
            return None
        table = x if math.prod(x.shape) > 10**6 else x.toarray()
        return table if np.isfinite(stored.data.astype(float)).all() else None
    if not isinstance(x, (np.ndarray, list, tuple)) or np.ma.is_masked(x):
        return None
    try:
        table = np.asarray(x)
        if table.dtype.kind not in "biufO" or table.ndim != 2 or not table.size:
            return None
        if not all(isinstance(cell, Real) for cell in table.flat):
            return None
        table = table.astype(float)
    except (ValueError, OverflowError):
        return None
    return table if (np.isnan(table) & gaps | np.isfinite(table)).all() else None


def table(make, shape, legal=lambda numbers: True, *, gaps=False, frames=False):
    def accepted(x):
        numbers = cells(x.to_numpy() if frames and isinstance(x, pd.DataFrame) else x, gaps=gaps)
        return numbers is not None and bool(sparse.issparse(numbers) or legal(numbers))

    return Kind(make, accepted, shape)


def filled(low, high, share=1.0):
    """A number in each cell, or 0; some tables have empty rows or columns."""

    def make(draw, users, items):
        cell = lambda: draw.randint(low, high) if draw.random() < share else 0  # noqa: E731
        made = [[cell() for _ in range(items)] for _ in range(users)]
        made[0][:2] = [high, high]  # never empty
        return str(made)

    return make


def square(draw, users, items):
    made = np.zeros((users, users), dtype=int)
    made[0, 1] = made[1, 0] = 1
    for one in range(users):
        for other in range(one):
            made[one, other] = made[other, one] = made[one, other] or draw.random() < 0.4
    return str(made.tolist())


def groups(least):
    """Groups from 0 of at least so many users, none empty."""

    def make(draw, users, items):
        labels = [user % int(users / least) for user in range(users)]
        draw.shuffle(labels)
        return str(labels)

    return make


def is_social(numbers):
    square = numbers.shape[0] == numbers.shape[1] and not numbers.diagonal().any()
    return square and (numbers == numbers.T).all()


def within(low, high):
    return lambda numbers: ((numbers >= low) & (numbers <= high)).all()


whole_numbers = reals(count)
RATINGS = table(filled(1, 5, 0.7), "matrix", lambda x: (within(1, 5)(x[x == x]) or 0 in x), gaps=True)
STORED_RATINGS = table(filled(1, 5, 0.7), "matrix", within(-INF, INF))
FULL = table(filled(1, 5), "matrix", gaps=True)
COMPLETE = table(filled(1, 5), "dense")
GAPPY = table(filled(1, 5, 0.7), "sparse", gaps=True)
BIADJACENCY = table(filled(1, 1, 0.5), "matrix")
ONES = table(filled(1, 1, 0.5), "matrix", within(0, 1))
TINY = table(lambda draw, *_: filled(1, 1, 0.5)(draw, 2, 2), "matrix")
ADJACENCY = table(square, "square", is_social)
SOCIAL = table(square, "square", lambda x: is_social(x) and within(0, 1)(x))
PREFERENCES = ONES
UTILITIES = table(filled(0, 9), "matrix", within(0, INF))
POINTS = table(filled(0, 9), "points", frames=True)
FEW_POINTS = table(lambda draw, *_: filled(0, 9)(draw, 5, 2), "points", frames=True)
MATRIX, SPARSE_MATRIX = table(filled(0, 9), "dense"), table(filled(0, 9, 0.6), "sparse")
SUMS = table(lambda draw, users, items: filled(0, 9)(draw, users, 3), "dense")
SPARSE_SUMS = replace(SUMS, shape="sparse")
SUMS_TURNED = table(lambda draw, users, items: filled(0, 9)(draw, 3, items), "dense")
COSTS = table(filled(0, 9), "dense", within(0, INF))
CHANCES = table(one_of("[[0.75, 0.25], [0.25, 0.75]]", "np.eye(4).tolist()"), "", within(0, 1))
KNOWN = table(lambda draw, users, items: filled(1, 5)(draw, 2, items), "", gaps=True)
NOBODY = table(lambda draw, users, items: str([[0] * items]), "", within(0, 1))
RANKED = table(
    lambda draw, users, items: str([draw.sample(range(items), 2) for _ in range(users)]),
    "ranks",
    within(0, 2**31),
)


def line(make, legal, shape="line"):
    return Kind(lambda draw, users, items: str(make(draw, users, items)), reals(legal), shape)


def numbers(draw, least, most, size):
    return [draw.randint(least, most) for _ in range(size)]


LABELS, PARTITION = (Kind(groups(least), whole_numbers, "labels") for least in (2, 1.5))
LINE = line(lambda draw, users, items: numbers(draw, 0, 9, users), is_finite)
MEANS = line(lambda draw, users, items: numbers(draw, 2, 4, items), is_real, "")
OPENING = line(lambda draw, users, items: numbers(draw, 0, 9, items), lambda x: 0 <= x < INF)
BITS = line(lambda draw, users, items: [0] * items, lambda x: x in (0, 1), "labels")
USERS = optional(line(lambda draw, users, items: draw.sample(range(users), 2), count, "labels"))
EDGES = optional(Kind(one_of("[0, 1]", "(1,)", "range(2)"), whole_numbers))
ASCENDING = Kind(one_of("(1, 2)", "[1, 4]", "[2]"), whole_numbers)
FILLING = optional(Kind(one_of("3", "3.0"), lambda x: is_finite(x) or reals()(x)))
MECHANISM = fixed("BipartiteNoiseGraph(Fraction(1, 4))", lambda x: hasattr(x, "distribution"))
TO_SAMPLE = fixed("BipartiteNoiseGraph(0.25)", lambda x: hasattr(x, "sample"))
PAIR = fixed("([[1, 0]], [[0, 0]])", lambda x: is_list(x) and len(x) == 2)
SHAPE = Kind(one_of("(2, 2)", "[1, 2]"), lambda x: count(x) or whole_numbers(x))
DATASET = fixed(
    "rated()",
    lambda x: isinstance(x, Dataset),  # noqa: F405
)
FOLDER = Kind(one_of("None"), lambda x: x is None, without=lambda x: x is None)
ANYTHING = fixed("1", lambda x: True)


def all_of(function):
    """The function, with what it yields in a list."""
    return wraps(function)(lambda *args, **named: list(function(*args, **named)))


def rated():
    """A small data set with ratings."""
    made = block_model(block_size=2, blocks=2, inside=0.9, outside=0.1, rng=1)  # noqa: F405
    return replace(made, ratings=made.biadjacency)


SLOW_TO_ANSWER = ("claims", "load_dataset")  # only what they refuse is tried
# A call for each public function, with the kinds of its arguments in place of the arguments.
TABLE = """
BipartiteNoiseGraph(flip_probability=P, unit=UNIT)
BipartiteNoiseGraph(0.25).sample(data=BIADJACENCY, rng=SEED)
BipartiteNoiseGraph(Fraction(1, 4)).distribution(data=TINY)
NoiseGraph(flip_probability=P, unit=UNIT)
NoiseGraph(0.25).sample(data=ADJACENCY, rng=SEED)
FairCoin(replacement_probability=CHANCE, unit=UNIT)
DesignMatrix(p00=HALF, p01=HALF, p10=HALF, p11=HALF, unit=UNIT)
CategoricalResponse(levels=LEVELS, odds=ODDS, epsilon=NONE, unit=UNIT)
CategoricalResponse(levels=LEVELS, odds=NONE, epsilon=EPSILON, unit=UNIT)
CategoricalResponse(levels=5, odds=3).sample(data=STORED_RATINGS, rng=SEED)
TwoStageResponse(levels=LEVELS, flip_probability=P, rating_odds=ODDS, unit=UNIT)
TwoStageResponse(levels=5, flip_probability=0.25, rating_odds=3).sample(data=STORED_RATINGS, rng=SEED)
WeightedNoiseGraph(flip_probability=P, top_rating=FIVE, norm=NORM, noise_weights=WEIGHTS,
    unit=UNIT, epsilon=INFINITE)
WeightedNoiseGraph(0.25, 5).sample(data=STORED_RATINGS, rng=SEED)
bipartite_noise_graph(biadjacency=BIADJACENCY, flip_probability=P, rng=SEED)
noise_graph(adjacency=ADJACENCY, flip_probability=P, rng=SEED)
categorical_response(ratings=STORED_RATINGS, levels=LEVELS, epsilon=EPSILON, rng=SEED)
weighted_noise_graph(ratings=STORED_RATINGS, flip_probability=P, top_rating=FIVE, norm=NORM,
    noise_weights=WEIGHTS, rng=SEED)
epsilon_to_flip(epsilon=some(EPSILON))
flip_to_epsilon(flip_probability=some(P))
estimate_edges(noisy=BIADJACENCY, flip_probability=P_BELOW)
fuzzy_xor(x=some(CHANCE), y=some(CHANCE), norm=NORM, top=POSITIVE)

cluster_averages(preferences=PREFERENCES, labels=PARTITION, epsilon=NOISELESS, rng=SEED)
cluster_top_items(sums=SUMS, averages=SUMS_TURNED, top_n=TOP)
cluster_top_items(sums=SPARSE_SUMS, averages=SUMS_TURNED, top_n=TOP)
communities(social=SOCIAL, runs=FEW, backend=BACKEND, refine=FLAG, resolution=RESOLUTION, rng=SEED)
error_parts(social=SOCIAL, preferences=PREFERENCES, labels=PARTITION, measure=MEASURE,
    epsilon=NOISELESS)
holdout_cells(ratings=FULL, share=SHARE, rng=SEED)
holdout_users(n_users=whole(2, INF, "4", "np.int64(9)"), share=SHARE, rng=SEED)
indicator(labels=PARTITION)
modularity(social=SOCIAL, labels=PARTITION)
predict_from_nearest(protected=COMPLETE, queries=GAPPY, cells=choice("rated"))
predict_from_nearest(protected=COMPLETE, queries=COMPLETE, cells=CELLS_USED)
recommend(social=SOCIAL, preferences=PREFERENCES, epsilon=NOISELESS, measure=MEASURE, top_n=TOP,
    method=choice("exact", "nou", "noe", "lrm", "random"), clusters=NONE, users=USERS,
    return_utilities=FLAG, group_size=NONE, rng=SEED)
recommend(social=SOCIAL, preferences=PREFERENCES, epsilon=NOISELESS, measure=MEASURE, top_n=TOP,
    method=choice("cluster"), clusters=PARTITION, users=USERS, return_utilities=FLAG,
    group_size=NONE, rng=SEED)
recommend(social=SOCIAL, preferences=PREFERENCES, epsilon=NOISELESS, measure=MEASURE, top_n=TOP,
    method=choice("gs"), clusters=NONE, users=USERS, return_utilities=FLAG,
    group_size=FEW, rng=SEED)
similarity(social=SOCIAL, measure=MEASURE, self_similarity=FLAG, paths=choice("simple", "walks"))
similarity_times(social=SOCIAL, matrix=MATRIX, measure=MEASURE, self_similarity=FLAG,
    paths=choice("simple", "walks"), users=USERS)
similarity_times(social=SOCIAL, matrix=SPARSE_MATRIX, measure=MEASURE, self_similarity=FLAG,
    paths=choice("simple", "walks"), users=USERS)
top_items(utilities=MATRIX, top_n=TOP)
top_items(utilities=SPARSE_MATRIX, top_n=TOP)
utilities(social=SOCIAL, preferences=PREFERENCES, measure=MEASURE, users=USERS,
    self_similarity=FLAG)
utility_sensitivity(social=SOCIAL, measure=MEASURE)

alg2_steps(biadjacency=ONES, k=K, a=SHARE, merging=choice("near", "printed"),
    facility=choice("li", "exact", "greedy"), rng=SEED)
exact_facilities(costs=COSTS, opening_costs=OPENING)
all_of(groupings)(rows=whole(2, 12, "4", "5"), k=K)
jaccard_certificate(biadjacency=ONES, k=K)
nearest_rows(biadjacency=ONES, k=FEW)
paper_recipe(biadjacency=ONES, k=K, assignment=ASSIGNMENT, rng=SEED)
publish_votes(biadjacency=ONES, labels=LABELS, keep=KEEP)
smooth_k_anonymize(biadjacency=ONES, k=K, method=choice("greedy"), effort=EFFORT, seconds=SECONDS,
    ties=TIES, rng=SEED, assignment=NONE)
smooth_k_anonymize(biadjacency=ONES, k=K, method=choice("alg1", "alg2"), effort=choice("fast"),
    seconds=NONE, ties=TIES, rng=SEED, assignment=NONE)
smooth_k_anonymize(biadjacency=ONES, k=K, method=choice("paper"), effort=choice("fast"),
    seconds=NONE, ties=TIES, rng=SEED, assignment=optional(ASSIGNMENT))
smooth_optimum(biadjacency=ONES, k=K)
suppress_k_anonymize(biadjacency=ONES, k=K, method=choice("greedy"), effort=EFFORT, rng=SEED)
suppress_k_anonymize(biadjacency=ONES, k=K, method=choice("clusters", "mondrian"),
    effort=choice("fast"), rng=SEED)

complete(ratings=RATINGS, impute=IMPUTE, rating_range=RANGE)
gaussian_noise(ratings=RATINGS, sigma=LEVEL, rating_range=RANGE, impute=IMPUTE, truncate=FLAG,
    rounding=optional(choice("nearest", "down")), scale=choice("z-scores", "ratings"), rng=SEED)
microaggregate(ratings=RATINGS, k=K, impute=IMPUTE, rating_range=RANGE, leftover=LEFTOVER)
group_means(table=COMPLETE, labels=LABELS)
standardise(table=COMPLETE)
mdav(points=POINTS, k=K, leftover=LEFTOVER)
mdav_steps(points=POINTS, k=K, leftover=LEFTOVER)
v_mdav(points=POINTS, k=K, gain=LEVEL)
optimal_microaggregation(points=FEW_POINTS, k=whole(2, INF, "2"))
optimal_microaggregation_1d(values=LINE, k=K)

disclosure_risk(original=FULL, protected=FULL, direction=DIRECTION, ties=choice("expected", "first"),
    cells=CELLS_USED)
is_k_anonymous(biadjacency=BIADJACENCY, k=K)
is_smooth_k_anonymous(original=BIADJACENCY, protected=BIADJACENCY, k=K)
jaccard_similarity(original=BIADJACENCY, protected=BIADJACENCY)
k_achieved(matrix=STORED_RATINGS)
ndcg(utilities=UTILITIES, ranked_items=RANKED, top_n=TOP, undefined=choice("skip", "zero", "one"),
    ideal=NONE)
sensitive_attribute_imprecision(original=STORED_RATINGS, protected=STORED_RATINGS)
sensitive_attribute_risk(original=UTILITIES, protected=UTILITIES, weighted=FLAG,
    noise=optional(UTILITIES))
within_group_sse(points=COMPLETE, labels=LABELS)

DisjointRows(mechanisms=fixed("[BipartiteNoiseGraph(0.25)] * 2", is_list))
DisjointRows([BipartiteNoiseGraph(0.25)] * 2).sample(data=TINY, rng=SEED)
PostProcessed(mechanism=MECHANISM, function=fixed("str", callable))
Repeated(mechanism=MECHANISM, times=FEW)
Repeated(BipartiteNoiseGraph(0.25), times=2).distribution(data=TINY)
cells_of_unit(shape=SHAPE, unit=choice("edge", "user", "item"))
edge_level(probabilities=CHANCES)
worst_case_jaccard(probabilities=CHANCES, edges=EDGES)
epsilon_for_jaccard(jaccard=SHARE, density=DENSITY)
exact_epsilon(mechanism=MECHANISM, shape=SHAPE, unit=choice("edge", "user", "item"))
exact_group_epsilon(mechanism=MECHANISM, shape=SHAPE, unit=choice("edge", "user"), units=whole(1, INF, "1"))
expected_jaccard(density=DENSITY, cells=CELLS, epsilon=LEVEL)
is_covered(cells=CELLS, epsilon=LEVEL, delta=SHARE)
jaccard_bound(density=DENSITY, cells=CELLS, epsilon=LEVEL, delta=SHARE, form=FORM)
jaccard_by_enumeration(edges=whole(0, INF, "0", "2"), cells=whole(1, 12, "2", "4"),
    flip_probability=CHANCE)
jaccard_distribution(density=DENSITY, cells=CELLS, epsilon=LEVEL)
jaccard_first_term(density=DENSITY, epsilon=LEVEL)
optimal_jaccard(cells=whole(1, 6, "1", "2"), epsilon=LEVEL, edges=EDGES)
response_probabilities(cells=whole(1, 6, "1", "2"), epsilon=LEVEL)
sample_jaccard(density=DENSITY, cells=CELLS, epsilon=LEVEL, size=FEW, rng=SEED)
violation_probability(density=DENSITY, cells=CELLS, epsilon=LEVEL, delta=SHARE, form=FORM)

audit_epsilon(mechanism=TO_SAMPLE, pair=PAIR, claimed=EPSILON, samples=whole(8, INF, "20"),
    alpha=SHARE, rng=SEED)
compare_releases(before=FULL, after=FULL, rating_range=RANGE)
group_inference(ratings=RATINGS, protected=FULL, rating_range=RANGE, filling=FILLING)
homogeneous_cells(ratings=RATINGS, labels=LABELS, rating_range=RANGE)
insider_intervals(means=MEANS, known=KNOWN, size=whole(2, INF, "3"),
    decimals=whole(0, 12, "1", "0"), rating_range=RANGE)
last_member(means=MEANS, known=KNOWN, size=whole(2, INF, "3"))
log_ratio_bound(likely=some(COUNT), unlikely=some(COUNT), trials=some(TRIALS), alpha=SHARE)
pivotal_cells(published=BITS, known=NOBODY, size=K)
pivotal_counts(biadjacency=ONES, labels=PARTITION, insiders=COUNT)
reidentification_curve(ratings=RATINGS, protected=FULL, rating_range=RANGE, known=ASCENDING,
    users=optional(FEW), rng=SEED)
votes_needed(size=some(FEW), ties=TIES)

align(dataset=DATASET, like=DATASET, missing=choice("refuse", "drop"))
block_model(block_size=FEW, blocks=FEW, inside=CHANCE, outside=CHANCE, rng=SEED)
catalog()
load_dataset(name=choice("likes"), source=choice("auto", "standin"), split=NONE, root=NONE)

check(exercise_id=choice("00-B", "04-B"), answer=ANYTHING)
claims(folder=FOLDER)
"""


def _row(text: str) -> Row:
    call = ast.parse(text.strip(), mode="eval").body
    kinds = {k.arg: eval(ast.unparse(k.value), globals()) for k in call.keywords}
    return Row(ast.unparse(call.func), kinds)


ROWS = [_row(text) for text in re.split(r"\n(?=\S)", TABLE.strip())]
