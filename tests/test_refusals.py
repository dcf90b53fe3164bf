"""What is refused, and in which words: each call of refusals.txt; and the values of values.txt."""

from datetime import datetime
from functools import partial
from importlib import import_module
from operator import attrgetter, itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import pplab
from pplab import bipartite_noise_graph, recommend
from pplab.attacks import audit_epsilon, audit_person, insider_intervals, protocol
from pplab.attacks.membership import membership_advantage
from pplab.attacks.sybil import sybil_attack
from pplab.counts import NoisyCount
from pplab.recommenders import NoisyCovariance, NoisyFactorisation
from pplab.theory import exact_epsilon, jaccard_bound
from pplab.theory.exact import as_rows
from pplab.theory.jaccard_bound import FORMS
from pplab.theory.jaccard_law import jaccard_of_log_density
from pplab.widgets import Control
from tests.generated.inputs import read
from tests.helpers import plain
from tests.response.test_mechanism import matrix
from tests.test_own_data import FRIENDS, NAMES, RATED

MODULES = """
    pplab.theory.jaccard_law pplab.microaggregation.noise pplab.compiled pplab.theory.exact
    pplab.theory.optimal_mechanism pplab.smooth.optimum pplab_papers.smooth.theorem_4_1
    pplab.attacks.arena pplab.attacks.group_means pplab.attacks.homogeneity pplab.attacks.membership
    pplab.attacks.person pplab.attacks.posterior pplab.attacks.votes pplab.recommenders.private
    pplab.smooth.facility pplab.datasets.webgraphs pplab.datasets.catalog pplab.attacks.releases
    tests.generated.table pplab.attacks.sybil pplab.checks pplab.graphs pplab.intervals
    pplab.metrics.error pplab.microaggregation.microaggregate pplab.nearest
    pplab.recommenders.group_smooth pplab.recommenders.low_rank pplab.smooth.algorithms
    pplab.smooth.groups pplab.smooth.mondrian pplab.tables pplab.theory.composition pplab.widgets
    pplab_papers.smooth.definition_3_5 pplab_papers.smooth.lemma_a_1 pplab_papers.smooth.theorem_4_3
    pplab_papers.smooth.theorem_4_4 tests.test_own_data
"""


def listed(*lines, **frame):
    """A table of users and items, with ratings where lines have three cells."""
    made = pd.DataFrame(
        [line[1:] for line in lines], columns=["item", "value"][: len(lines[0]) - 1]
    )
    made["user"] = pd.Series([line[0] for line in lines], dtype=object)
    return pplab.table(made, **{name: name for name in made}, **frame)


def two_sides(*edges):
    """A network in which items begin with i."""
    graph = nx.Graph(edges)
    nx.set_node_attributes(graph, {node: int(node[0] == "i") for node in graph}, "bipartite")
    return graph


def law(outputs):
    """A mechanism that answers everything alike."""
    return SimpleNamespace(unit="edge", epsilon=1, distribution=lambda _: outputs)


def giving(outputs):
    """A mechanism that releases these."""
    return SimpleNamespace(sample_many=lambda *_, **__: outputs)


def worst(first, second):
    """The exact level of a mechanism of one cell that answers by these laws, and its output."""
    laws = {((0,),): first, ((1,),): second}
    mechanism = SimpleNamespace(unit="edge", epsilon=1, distribution=lambda x: laws[as_rows(x)])
    result = exact_epsilon(mechanism, shape=(1, 1), unit="edge")
    return result.odds, result.epsilon, result.output


def bounds_of(*, delta=0.05, **setting):
    """The bound of Theorem 4.1 in each of its forms."""
    return [jaccard_bound(**setting, delta=delta, form=form) for form in FORMS]


def from_file(text, **how):
    """The table of a file of three columns."""
    columns = {"user": "u", "item": "i", "value": "x"}
    with TemporaryDirectory() as folder:
        file = Path(folder) / "ratings.csv"
        file.write_bytes(text.encode("cp1250"))
        return pplab.read_table(file, **columns | how)


PATH = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
SQUARE = np.array([[0, 1], [1, 0]])
WIDE = pd.DataFrame({"q": [1, 2]}, index=["a", "b"])
EDGES = np.array(nx.path_graph(20).edges, dtype=np.float64)
VALUED = np.array([[5.0, 1.0], [5.0, 2.0], [4.0, 1.0], [4.0, 2.0]])
STORED = [
    sparse.csr_array((data, [0, 1], [0, 2]), shape=(1, 3)) for data in ([5.0, 0.0], [0.0, 0.0])
]
SENSITIVE = np.array([[1.0, 0, 0, 1, 1], [0, 1, 0, 1, 1], [0, 0, 1, 1, 0]]) * [4, 4, 4, 2, 1]
EXTREME = np.random.default_rng(10).integers(-2, 3, (60, 3)) * np.array([1e-300, -1.0, 1e300])
RECORDS = sparse.csr_array(([5.0, 0.0, -1.0], [0, 2, 1], [0, 2, 3]), shape=(2, 3))
GAPS = pytest.approx(np.array([[5.0, np.nan, 0.0], [np.nan, -1.0, np.nan]]), nan_ok=True)
LOGS = np.array([1e2, 2.5e3, 1e4, 1.2e4, 2e4, 1e6])
FALLING = jaccard_of_log_density(-0.01 * LOGS, epsilon=np.sqrt(LOGS))
BLOCKS = np.random.default_rng(1).random((2, 500, 700))
PLACES = np.random.default_rng(3).integers(10**6, size=(2, 1000))
VAST = sparse.csr_array((np.ones(1000), PLACES), shape=(10**6, 10**6))
LISTS = {"social": PATH, "preferences": [[1, 0]] * 3, "measure": "cn", "top_n": 1}
LINES = RATED[["who", "film"]]
FOUND = pplab.table(LINES, **NAMES)
FOUND_GRAPH = pplab.graph(FRIENDS, source="a", target="b")
FIVE = pd.DataFrame({"source": [0, 0, 1, 2, 3], "target": [1, 2, 2, 3, 4], "since": list("abcde")})
TRUST = pd.DataFrame({"a": list("xyy"), "b": list("yxz"), "w": [1.0, 2.0, 1.0]})
SURVEY = pd.DataFrame({"id": ["b", "a"], "q1": [0, 5], "q2": [None, 3.0], "why": ["x", "y"]})
HERE = {
    name: thing for module in MODULES.split() for name, thing in vars(import_module(module)).items()
}
HERE |= {
    "SLIDER": Control("p", (0.1, 0.2), 0.2, "low", "high"),
    "counted": partial(NoisyCount, count="edges", noise="laplace", unit="edge", epsilon=1.0),
    "asked": partial(recommend, **LISTS, epsilon=1.0, method="noe", sampler="vetted"),
    "flipped": partial(
        bipartite_noise_graph, biadjacency=[[1, 0]], flip_probability=0.1, sampler="vetted"
    ),
    "exact": partial(recommend, **LISTS, epsilon=1.0, method="exact"),
    "attacked": partial(sybil_attack, 1 - np.eye(3), np.eye(3), measure="cn"),
    "person": partial(audit_person, delta=0, alpha=0.05),
    "audited": partial(
        audit_epsilon, mechanism=SimpleNamespace(sample_many=lambda *_, **__: pytest.fail("drawn")),
        pair=([[0]], [[1]]), claimed=1, samples=100, alpha=0.1,
    ),
    "covariance": partial(NoisyCovariance, noise=1.0, delta=1e-5),
    "factorised": partial(
        NoisyFactorisation, noise=1.0, delta=1e-5, steps=1, sampling=1, clip=1.0, rate=1.0,
        ridge=0.5, rank=2, batches="poisson", accounting="poisson",
    ),
    "INSIDERS": partial(insider_intervals, decimals=1, rating_range=(1, 5)),
    "GAUSSIAN": NoisyCount(count="edges", noise="gaussian", unit="edge", epsilon=1.0, delta=1e-3),
    "SILENT": type("Silent", (), {"__repr__": lambda _: 1 / 0})(),
    "lying": matrix,
    "approx": pytest.approx,
    "attrgetter": attrgetter,
    "datetime": datetime,
    "protocol": protocol,
    **globals(),
}  # fmt: skip
HERE["game"] = partial(membership_advantage, HERE["attacked"](1), trials=10, alpha=0.1, epsilon=1)


@pytest.mark.parametrize("entry", read("../refusals.txt"), ids=itemgetter(slice(90)))
def test_it_is_refused_in_a_sentence(entry):
    call, sentence = entry.split(" -> ")
    with pytest.raises((AttributeError, TypeError, ValueError), match=sentence) as refused:
        eval(call, HERE)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 600


@pytest.mark.parametrize("entry", read("../values.txt"), ids=itemgetter(slice(90)))
def test_it_has_this_value(entry):
    call, _, value = entry.partition(" -> ")
    result, expected = eval(call, HERE), eval(value or "True", HERE)
    assert plain(result) == (plain(expected) if value else True)
