#!/usr/bin/env bash
# Surprise: rustworkx numbers people in two ways once somebody was erased. Its adjacency matrix
# closes the gap, its edge list keeps it. So row 1 of the matrix and person 1 of the file are two
# people, and who reads the file back has the erased person again, as one without links: of three
# who all know each other (density 1) it makes four (density 0.5). networkx reads three.
# Package: rustworkx 0.18.1, against networkx 3.6.1.
# Source: https://qiskit.github.io/rustworkx/apiref/rustworkx.PyDiGraph.write_edge_list.html and
# https://qiskit.github.io/rustworkx/apiref/rustworkx.PyDiGraph.read_edge_list.html (the same for
# PyGraph; neither speaks of gaps)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check rustworkx==0.18.1 networkx==3.6.1 numpy==2.4.6
cd "$folder"
venv/bin/python - <<'PYTHON'
import warnings

import networkx
import numpy as np
import rustworkx

warnings.simplefilter("error")
print("rustworkx", rustworkx.__version__, "networkx", networkx.__version__)
graph = rustworkx.PyGraph()
graph.add_nodes_from(["ann", "bob", "cem", "dora"])
graph.add_edges_from([(0, 2, 5.0), (0, 3, 6.0), (2, 3, 7.0), (1, 2, 8.0)])
graph.remove_node(1)                                          # bob asks to be erased
graph.write_edge_list("people.txt")

matrix = rustworkx.adjacency_matrix(graph, weight_fn=float)
back = rustworkx.PyGraph.read_edge_list("people.txt")
other = networkx.read_edgelist("people.txt", nodetype=int)


def density(people, links):
    return 2 * links / (people * (people - 1))


before = density(graph.num_nodes(), graph.num_edges())
after = density(back.num_nodes(), back.num_edges())
print("in the graph:", list(graph.nodes()), "density", before)
print("matrix:", matrix.tolist())
print("file:", sorted(other.edges()), "read by networkx:", sorted(other))
print("read back:", list(back.node_indices()), "density", after, "links of 1:", back.degree(1))
assert matrix.shape == (3, 3) and matrix[1, 2] == 7.0         # row 1 is cem
assert sorted(other) == [0, 2, 3] and networkx.density(other) == 1.0     # cem is 2
assert back.num_nodes() == 4 and back.degree(1) == 0
assert (before, after) == (1.0, 0.5)
again = rustworkx.adjacency_matrix(back)
assert again.shape == (4, 4) and not np.any(again[1])
PYTHON
