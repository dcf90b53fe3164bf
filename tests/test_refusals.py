"""What is refused, and in which words: each call of refusals.txt."""

from datetime import datetime
from functools import partial
from importlib import import_module
from types import SimpleNamespace

import networkx as nx
import pandas as pd
import pytest

import pplab
from pplab import bipartite_noise_graph, recommend
from pplab.counts import NoisyCount
from pplab.widgets import Control
from tests.generated.inputs import read
from tests.test_own_data import FRIENDS, NAMES, RATED

MODULES = """
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


PATH = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
LISTS = {"social": PATH, "preferences": [[1, 0]] * 3, "measure": "cn", "top_n": 1}
LINES = RATED[["who", "film"]]
FOUND = pplab.table(LINES, **NAMES)
FOUND_GRAPH = pplab.graph(FRIENDS, source="a", target="b")
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
    "datetime": datetime,
    **globals(),
}


@pytest.mark.parametrize("entry", read("../refusals.txt"))
def test_it_is_refused_in_a_sentence(entry):
    call, sentence = entry.split(" -> ")
    with pytest.raises((AttributeError, TypeError, ValueError), match=sentence):
        eval(call, HERE)
