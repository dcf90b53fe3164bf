#!/usr/bin/env bash
# Surprise: graph-tools gives people random numbers and leaves them where they stood. The numbers of
# anonymize_graph are shuffled, but the people are entered in the order of the original. So the
# adjacency matrix of the "anonymous" graph is that of the original, row by row, in each of 100 draws
# for a club of 34, and the list of its members pairs each old number with the new one. A list of
# who follows whom is the original's, line by line: whoever has the old file reads off all names.
# Attributes, names among them, come along, too.
# Package: graph-tools 1.15 (with networkx 3.4.2 for the club, numpy 1.26.4).
# Source: https://github.com/h-ohsaki/graph-tools (graph_tools/__init__.py; the manual lists what the
# package has and does not speak of order); Backstrom, Dwork and Kleinberg, Wherefore art thou R3579X?,
# https://doi.org/10.1145/1242572.1242598 (names are replaced by random identifiers; to find out who is
# who an attacker has to search the structure)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    graph-tools==1.15 networkx==3.4.2 numpy==1.26.4
cd "$folder"
venv/bin/python - <<'PYTHON'
import random
from importlib.metadata import version

import networkx
from graph_tools import Graph

print("graph-tools", version("graph-tools"), "networkx", networkx.__version__)


def of(network):
    graph = Graph(directed=network.is_directed())
    for one, other in network.edges:
        graph.add_edge(one, other)
    for person in graph.vertices():
        graph.set_vertex_attribute(person, "name", f"person {person}")
    return graph


random.seed(0)
club = of(networkx.karate_club_graph())
same, told = [], []
for _ in range(100):
    anonymous = club.anonymize_graph()
    assert list(anonymous.vertices()) != sorted(anonymous.vertices())
    same.append((anonymous.adjacency_matrix() == club.adjacency_matrix()).all())
    names = [anonymous.get_vertex_attribute(number, "name") for number in anonymous.vertices()]
    told.append(names == [f"person {person}" for person in club.vertices()])
print("draws in which the matrix is that of the original, row by row:", sum(same), "of", len(same))
print("draws in which the list of members is in the old order:", sum(told))
first = next(iter(anonymous.vertices()))
print("the first member is now number", first, "with the attributes", anonymous.get_vertex_attributes(first))
assert all(same) and all(told)

follows = of(networkx.gnp_random_graph(30, 0.2, seed=1, directed=True))
anonymous = follows.anonymize_graph()
old, new = ([line.split() for line in graph.export_edge_list().splitlines()] for graph in (follows, anonymous))
print("who follows whom, first lines of the old file", old[:3], "and of the anonymous one", new[:3])
read_off = {}
for before, after in zip(old, new, strict=True):
    for person, number in zip(before, after, strict=True):
        read_off.setdefault(person, set()).add(number)
right = [
    f"person {person}" == anonymous.get_vertex_attribute(int(*numbers), "name")
    for person, numbers in read_off.items()
]
print("people whose new number is read off line by line:", sum(right), "of", len(right))
assert len(right) == 30 and all(right)
PYTHON
