"""Every public function, and what each of its arguments may be.

``functions.txt`` has a call of each function, with kinds in place of the arguments; one whose
methods take different arguments has several. ``ELSEWHERE`` has the names without a call.
"""

import ast
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction  # noqa: F401
from functools import wraps
from numbers import Integral, Real
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
from scipy import sparse

from pplab import *  # noqa: F403
from pplab.attacks import *  # noqa: F403
from pplab.attacks.votes import votes_needed  # noqa: F401
from pplab.counts import *  # noqa: F403
from pplab.datasets import *  # noqa: F403
from pplab.metrics import *  # noqa: F403
from pplab.microaggregation import *  # noqa: F403
from pplab.recommenders import *  # noqa: F403
from pplab.recommenders.clusters import cluster_top_items  # noqa: F401
from pplab.recommenders.recommend import METHODS as RECOMMENDERS  # noqa: F401
from pplab.recommenders.similarity import MEASURES
from pplab.recommenders.top_items import top_items  # noqa: F401
from pplab.response import *  # noqa: F403
from pplab.response.ratings import NORMS
from pplab.smooth import *  # noqa: F403
from pplab.smooth.anonymize import METHODS, SUPPRESSION_METHODS  # noqa: F401
from pplab.smooth.facility import exact_facilities  # noqa: F401
from pplab.theory import *  # noqa: F403
from pplab.theory.jaccard_law import jaccard_by_enumeration  # noqa: F401
from tests.generated.inputs import *  # noqa: F403
from tests.generated.inputs import read

TOPICS = (
    *("response", "recommenders", "smooth", "microaggregation", "counts"),
    *("metrics", "theory", "attacks", "datasets"),
)
ELSEWHERE = {
    **dict.fromkeys(("graph", "read_table", "table"), "frames: tests/test_own_data.py"),
    "smooth_k_anonymize_parquet": "files: tests/smoothbound/test_parquet.py",
    # of a million sampled steps the accountant computes for minutes
    "gaussian_level": "tests/recommenders/test_private.py",
    "noise_for": "tests/recommenders/test_private.py",
}
SLOW_TO_ANSWER = ("claims", "load_dataset")  # only what they refuse is tried


class Draw(random.Random):
    """Random choices for tables of so many users and items."""

    def __init__(self, seed):
        super().__init__(seed)
        self.users, self.items = self.choice((4, 5, 6, 7, 8, 12)), self.randint(2, 5)


def anything(_x):
    return True


@dataclass(frozen=True)
class Kind:
    """Kind of an argument: valid texts, and whether a value is one that may be answered."""

    make: Callable[[Draw], str]
    legal: Callable[[Any], bool]
    shape: str = ""  # a container, in one of the FORMS of this shape
    lasting: Callable[[Any], bool] | None = None  # fine, and takes long


@dataclass(frozen=True)
class Row:
    call: str
    kinds: dict[str, Kind]

    def valid(self, seed):
        draw = Draw(f"{self.call} {seed}")
        return {name: kind.make(draw) for name, kind in self.kinds.items()}


# Single values.


def one_of(*texts):
    return lambda draw: draw.choice(texts)


def is_real(x):
    strange = (bool, np.bool_, np.timedelta64)  # Python counts these as numbers
    return isinstance(x, Real) and not isinstance(x, strange) and x == x


def is_finite(x):
    return is_real(x) and -INF < x < INF


def count(x):
    return is_real(x) and isinstance(x, Integral) and x >= 0


LISTS = (list, tuple, np.ndarray, range, pd.Series, bytearray, memoryview)


def is_list(x):
    return isinstance(x, LISTS) and not np.ma.is_masked(x)


def is_iterator(x):
    """True if it yields values only once."""
    return isinstance(x, (set, dict, Iterator, nx.Graph))


def reals(legal, least=1):
    return lambda x: (
        is_list(x) and np.ndim(x) == 1 and all(map(legal, np.asarray(x))) and len(x) >= least
    )


def real(low, high, *texts, but=()):
    """A number in [low, high] but for some of them."""
    return Kind(one_of(*texts), lambda x: is_real(x) and low <= x <= high and x not in but)


def whole(low, high, *texts):
    return Kind(one_of(*texts), lambda x: count(x) and low <= x <= high)


def choice(*names):
    return Kind(one_of(*map(repr, names)), lambda x: isinstance(x, str) and x in names)


def bare(methods, own):
    """The methods whose record names no argument of their own."""
    return choice(*(name for name, each in methods.items() if not getattr(each, own)))


def optional(kind):
    make = one_of("None")
    both = lambda draw: draw.choice((make, kind.make))(draw)  # noqa: E731
    return replace(kind, make=both, legal=lambda x: x is None or kind.legal(x))


def some(kind):
    """A number, or an array of such."""

    def legal(x):
        listed = np.ravel(np.array(x)) if is_list(x) or is_frame(x) else [x]
        return all(kind.legal(float(y) if isinstance(y, Decimal) else y) for y in listed)

    return replace(kind, legal=legal)


INF = math.inf
NONE = Kind(one_of("None"), lambda x: x is None)
FLAG = Kind(one_of("True", "False", "np.True_"), lambda x: isinstance(x, (bool, np.bool_)))
SEED = Kind(
    one_of("0", "7", "np.int64(3)", "np.uint8(200)"),
    lambda x: x is None or count(x) or isinstance(x, np.random.Generator),
)
P = real(0, 0.5, "0.25", "0", "0.5", "Fraction(1, 3)", "np.float32(0.125)", "1e-3")
P_ABOVE = real(0, 0.5, "0.25", "0.5", "Fraction(1, 3)", "np.float32(0.125)", but=(0,))
CHANCE = real(0, 1, "0.5", "0", "1", "Fraction(1, 3)", "np.float32(0.25)")
HALF = real(0, 1, "0.5", "Fraction(1, 2)", "np.float32(0.5)")
SHARE = real(0, 1, "0.5", "0.4", "np.float32(0.5)", "Fraction(1, 3)", but=(0, 1))
DENSITY = real(0, 1, "0.5", "1", "Fraction(1, 3)", "np.float32(0.25)", but=(0,))
EPSILON = real(0, INF, "1.0", "2", "0.5", "np.float32(0.5)", "Fraction(1, 3)", but=(0, INF))
NOISELESS = real(0, INF, "1.0", "2", "math.inf", "np.float32(0.5)", "Fraction(1, 3)", but=(0,))
LEVEL = real(0, INF, "0", "1.0", "2", "np.float64(0.5)", "Fraction(1, 3)", but=(INF,))
ODDS = real(1, INF, "1", "3", "2.5", "Fraction(3, 2)", but=(INF,))
EPSILON_OR_NONE = replace(optional(EPSILON), make=EPSILON.make)  # beside the odds, one of the two
NONE_OR_ODDS = replace(optional(ODDS), make=NONE.make)
RESOLUTION = real(0, INF, "1.0", "1", "0.5", "np.float32(2)", but=(0, INF))
FIVE = real(0, INF, "5", "5.0", "np.int64(6)", but=(0, INF))
ZERO = real(0, 1, "0", "0.0", "np.float32(0)", but=(1,))
POSITIVE = real(0, INF, "1", "5", "2.5", "np.float32(0.5)", but=(0, INF))
SECONDS = replace(
    real(0, INF, "None", but=(0, INF)), lasting=lambda x: x is not None and is_real(x) and x > 0.1
)
SECONDS = replace(optional(SECONDS), make=one_of("None"))
K = whole(2, INF, "2", "3", "np.int64(2)", "np.uint8(3)")
FEW = whole(1, INF, "1", "2", "np.int64(1)")
TOP = whole(1, INF, "1", "2", "np.int64(2)")
COUNT, TRIALS = whole(0, INF, "1", "2", "np.int64(0)"), whole(0, INF, "9", "np.int64(9)")
COUNTS, MANY = (
    some(replace(kind, legal=lambda x: is_finite(x) and x >= 0)) for kind in (COUNT, TRIALS)
)
WEIGHT = some(real(0, INF, "0.5", "0", "1", "Fraction(1, 3)", "np.float32(0.25)", but=(INF,)))
CELLS = whole(1, 10**15, "100", "1000", "np.int64(50)")
NORM = choice(*NORMS)
MEASURE = choice(*MEASURES)
SAMPLER = choice("teaching")
PAPER = optional(choice("noise-graphs", "social"))
BACKEND = choice("python-louvain", "igraph", "leiden")
IMPUTE = choice("midpoint", "item-mean", "item-median", "user-mean", "global-mean")
LEFTOVER, EFFORT = choice("closest", "group"), choice("fast", "thorough")
KEEP, TIES = choice("half", "more-than-half", "all"), choice("half", "more-than-half")
ASSIGNMENT, CELLS_USED = choice("arrival", "nearest"), choice("all", "rated")
DIRECTION = choice("original-to-protected", "protected-to-original")
DIVERSITY = choice("distinct", "entropy")
FORM = choice("printed", "corrected", "line", "chernoff", "exact")
RANGE = Kind(
    one_of("(1, 5)", "[1, 5]", "np.array([1, 5])", "(np.float32(1), 5)"),
    lambda x: reals(is_finite)(x) and len(x) == 2 and x[0] < x[1],
)
LEVELS = Kind(
    one_of("5", "[1, 2, 3, 4, 5]", "np.arange(1, 6)", "(5, 4, 3, 2, 1)", "np.int64(5)"),
    lambda x: (count(x) and x > 0) or reals(is_finite)(x) or is_iterator(x),
)
WEIGHTS = Kind(
    one_of("'empirical'", "'uniform'", "[1, 2]", "np.array([1.0, 3.0])"),
    lambda x: x in ("empirical", "uniform") if isinstance(x, str) else reals(is_finite)(x),
)
MECHANISM = Kind(
    one_of("BipartiteNoiseGraph(Fraction(1, 4))"), lambda x: hasattr(x, "distribution")
)
MECHANISMS = Kind(one_of("[BipartiteNoiseGraph(0.25)] * 2"), reals(MECHANISM.legal))
TO_SAMPLE = Kind(one_of("BipartiteNoiseGraph(0.25)"), lambda x: hasattr(x, "sample"))
PAIR = Kind(one_of("([[1, 0]], [[0, 0]])"), lambda x: is_list(x) and len(x) == 2)
FUNCTION = Kind(one_of("str"), callable)
DATASET = Kind(one_of("rated()"), lambda x: isinstance(x, Dataset))  # noqa: F405
FOLDER = replace(NONE, lasting=lambda x: x is None or isinstance(x, str))
ANYTHING = Kind(one_of("1", "'x'"), anything)


# Tables, and lists that belong to their rows.


def cells(x, *, gaps=False):
    """The numbers of a table, or None if it is none; tables with labels are odd here."""
    if sparse.issparse(x):
        coo = x.tocoo()
        distinct = set(zip(*(part.tolist() for part in coo.coords), strict=True))
        sound = x.ndim == 2 and min(x.shape) > 0 and max(x.shape) < 2**31
        if not sound or len(distinct) < coo.nnz or coo.data.dtype.kind not in "biuf":
            return None
        x, gaps = (np.zeros((1, 1)) if math.prod(x.shape) > 10**6 else x.toarray()), False
    if not isinstance(x, (np.ndarray, list, tuple)) or np.ma.is_masked(x):
        return None
    table = np.asarray(x)  # what raises is no table either
    if table.ndim != 2 or not all(isinstance(cell, (Real, Decimal)) for cell in table.flat):
        return None
    table = table.astype(float)
    return table if table.size and (np.isfinite(table) | np.isnan(table) & gaps).all() else None


def table(make, shape, legal=anything, *, gaps=False, other=None):
    def accepted(x):
        numbers = cells(x, gaps=gaps)
        return bool(legal(numbers) if numbers is not None else other is not None and other(x))

    return Kind(make, accepted, shape)


def filled(low, high, share=1.0, users=None, items=None):
    """A number in each cell, or 0; some tables have empty rows or columns, none is empty."""

    def make(draw):
        made = [
            [draw.randint(low, high) * (draw.random() < share) for _ in range(items or draw.items)]
            for _ in range(users or draw.users)
        ]
        made[0][:2] = [high, high]
        return str(made)

    return make


def square(draw):
    made = np.zeros((draw.users, draw.users), dtype=int)
    for one in range(draw.users):
        for other in range(one):
            made[one, other] = made[other, one] = one + other == 1 or draw.random() < 0.4
    return str(made.tolist())


def groups(least):
    """Groups from 0 of at least so many users, none empty."""

    def make(draw):
        labels = [user % int(draw.users / least) for user in range(draw.users)]
        return str(draw.sample(labels, len(labels)))

    return make


def is_social(numbers):
    size = numbers.shape[0] == numbers.shape[1] and not numbers.diagonal().any()
    return size and (numbers == numbers.T).all()


def is_graph(x):
    return isinstance(x, nx.Graph) and len(x) > 0


def is_frame(x):
    return isinstance(x, pd.DataFrame) and cells(x.to_numpy()) is not None


def within(low, high):
    return lambda numbers: ((numbers >= low) & (numbers <= high)).all()


def rated_or_0(numbers):
    return within(1, 5)(numbers[(numbers == numbers) & (numbers != 0)])


def is_belief(x):
    """Weights of zeros and ones in so many cells, where the first may be either."""
    halves = x.ndim and set(x.shape) == {2} and all(is_finite(y) and y >= 0 for y in x.flat)
    return bool(halves and np.any(x[0]) and np.any(x[1]))  # fractions have no .any


def line(make, legal, shape="line"):
    as_number = reals(lambda x: legal(float(x) if isinstance(x, Decimal) else x))
    return Kind(lambda draw: str(make(draw)), as_number, shape)


BIADJACENCY = table(filled(1, 1, 0.5), "matrix")
ONES = PREFERENCES = table(filled(1, 1, 0.5), "matrix", within(0, 1))
TINY = table(filled(1, 1, 0.5, 2, 2), "matrix")
ADJACENCY = table(square, "square", lambda x: is_social(x != 0), other=is_graph)
SOCIAL = table(square, "square", lambda x: is_social(x) and within(0, 1)(x), other=is_graph)
RATINGS = table(filled(1, 5, 0.7), "matrix", rated_or_0, gaps=True)
STORED_RATINGS = table(filled(1, 5, 0.7), "matrix")
FULL = table(filled(1, 5), "matrix", gaps=True)
COMPLETE = table(filled(1, 5), "dense", other=is_frame)
GAPPY = table(filled(1, 5, 0.7), "sparse", gaps=True)
UTILITIES = table(filled(0, 9), "matrix", within(0, INF))
GAINS = replace(UTILITIES, shape="numbers")  # beside lists of numbers
POINTS = table(filled(0, 9), "points", other=is_frame)
FEW_POINTS = replace(POINTS, make=filled(0, 9, 1, 5, 2))
MATRIX = table(filled(0, 9), "dense", other=lambda x: np.ndim(x) == 2 and not np.size(x))
SPARSE_MATRIX = table(filled(0, 9, 0.6), "sparse")
RANKABLE, SPARSE_RANKABLE, SEARCHED = (  # many users of many items take their time
    replace(kind, lasting=lambda x: sparse.issparse(x) and math.prod(x.shape) > 10**9)
    for kind in (MATRIX, SPARSE_MATRIX, ONES)
)
SUMS = table(filled(0, 9, items=3), "dense")
SPARSE_SUMS, SUMS_TURNED = replace(SUMS, shape="sparse"), table(filled(0, 9, users=3), "dense")
COSTS = table(filled(0, 9), "dense", within(0, INF))
CHANCES = table(one_of("[[0.75, 0.25], [0.25, 0.75]]", "np.eye(4).tolist()"), "", within(0, 1))
KNOWN = table(filled(1, 5, users=2), "", gaps=True)
NOBODY = table(
    filled(0, 0, users=1), "", within(0, 1), other=lambda x: is_graph(x) or not np.size(x)
)
RANKED = table(
    lambda draw: str([draw.sample(range(draw.items), 2) for _ in range(draw.users)]),
    "ranks", lambda x: (x == x.round()).all() and within(0, 2**31)(x),
)  # fmt: skip
LABELS, PARTITION = (Kind(groups(least), reals(count, 0), "labels") for least in (2, 1.5))
LINE = line(lambda draw: draw.choices(range(9), k=draw.users), is_finite)
MEANS = line(lambda draw: draw.choices(range(2, 5), k=draw.items), is_real, "")
OPENING = line(lambda draw: draw.choices(range(9), k=draw.items), lambda x: 0 <= x < INF)
DRAWS = line(lambda _: list(range(16)), is_finite, "")
COINS = Kind(one_of("[True, False] * 8", "np.arange(16) % 2 == 0"), reals(lambda x: x in (0, 1)))
BITS = line(lambda draw: [0] * draw.items, lambda x: x in (0, 1), "labels")
BITS = replace(BITS, legal=reals(lambda x: x in (0, 1), 0))
USERS = optional(line(lambda draw: draw.sample(range(draw.users), 2), count, "labels"))
VALUES = line(lambda draw: draw.choices(range(3), k=draw.users), is_finite)
TEXTS = reals(lambda x: x == x and isinstance(x, (Real, Decimal, str, np.bool_)))
VALUES = replace(VALUES, legal=lambda x: isinstance(x, pd.Categorical) or TEXTS(x))
BELIEF = Kind(
    one_of("[[0.5, 0], [0, 0.5]]", "[1, 3]", "[Fraction(1, 3)] * 2", "np.ones((2, 2, 2))"),
    lambda x: is_belief(np.asarray(x)),
)
EDGES = Kind(one_of("[0, 1]", "(1,)", "range(2)"), lambda x: is_iterator(x) or reals(count)(x))
EDGES = optional(EDGES)
FILLING = optional(some(real(-INF, INF, "3", "3.0", but=(-INF, INF))))
SHAPE = Kind(one_of("(2, 2)", "[1, 2]"), lambda x: count(x) or reals(count)(x))


def all_of(function):
    """The function, with what it yields in a list."""
    return wraps(function)(lambda *args, **named: list(function(*args, **named)))


def rated():
    """A small data set with ratings."""
    made = block_model(block_size=2, blocks=2, inside=0.9, outside=0.1, rng=1)  # noqa: F405
    return replace(made, ratings=made.biadjacency)


def _row(text):
    call = ast.parse(text, mode="eval").body
    kinds = {k.arg: eval(ast.unparse(k.value), globals()) for k in call.keywords}
    return Row(ast.unparse(call.func), kinds)


ROWS = [_row(text) for text in read("functions.txt")]
