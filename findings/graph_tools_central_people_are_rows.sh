#!/usr/bin/env bash
# Surprise: the eigenvector centrality of graph-tools has nothing to do with who knows whom well. numpy
# returns eigenvectors as columns; the package takes a row, which holds one person's entry of each
# vector. In a random network 7 of 20 people have a negative centrality, which cannot be where all are
# connected, and of 30 such networks the most central person is right in none. Hitting times take
# the same rows. The neighbours within two steps are the direct ones: the friends of friends are
# looked up and thrown away, so that two people are near the first one where eight are.
# Package: graph-tools 1.15 (with networkx 3.4.2, numpy 1.26.4 and scipy 1.14.1).
# Source: https://github.com/h-ohsaki/graph-tools (graph_tools/__init__.py, eig and neighbors);
# https://numpy.org/doc/stable/reference/generated/numpy.linalg.eig.html (column i belongs to
# eigenvalue i); Bonacich, Power and centrality, https://doi.org/10.1086/228631
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    graph-tools==1.15 networkx==3.4.2 numpy==1.26.4 scipy==1.14.1
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import networkx
import numpy
from graph_tools import Graph

print("graph-tools", version("graph-tools"), "networkx", networkx.__version__)


def both(network):
    graph = Graph(directed=False)
    graph.add_vertices(*sorted(network))
    for one, other in network.edges:
        graph.add_edge(one, other)
    right = networkx.eigenvector_centrality_numpy(network)
    return graph, {person: graph.eigenvector_centrality(person) for person in sorted(network)}, right


networks = [networkx.gnp_random_graph(20, 0.2, seed=seed) for seed in range(100)]
networks = [network for network in networks if networkx.is_connected(network)][:30]
first, wrong = 0, []
for network in networks:
    graph, said, right = both(network)
    first += max(said, key=said.get) == max(right, key=right.get)
    values = numpy.array([said[person] for person in sorted(network)])
    matrix = graph.adjacency_matrix()
    wrong.append(numpy.linalg.norm(matrix @ values - numpy.linalg.eigvalsh(matrix)[-1] * values))
    negative = sum(value < -1e-6 for value in said.values())
    assert negative > 0 and min(right.values()) > 0
    assert graph.neighbors(0, 2) == graph.neighbors(0)
print("the last network - by graph-tools", [round(value, 2) for value in values], "negative:", negative)
print("by networkx", [round(right[person], 2) for person in sorted(network)])
print("networks", len(networks), "- with the right person first", first, "- least distance from an eigenvector", min(wrong).round(2))
near = len(networkx.single_source_shortest_path_length(network, 0, 2)) - 1
print("within two steps of person 0 by graph-tools", len(graph.neighbors(0, 2)), "by networkx", near)
assert len(networks) == 30 and first <= 5 and min(wrong) > 0.5
assert len(graph.neighbors(0, 2)) < near
PYTHON
