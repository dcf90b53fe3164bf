#!/usr/bin/env bash
# Surprise: hypergraphx has two in-degrees, and each is the other's out-degree. The method of a directed
# hypergraph counts the hyperedges in which a person is a target, as networkx does; the function of
# the same name, in measures.directed, counts those in which they are a source. A person whom nine
# follow and who follows one has in-degree 9 by hypergraph.in_degree(person) and 1 by
# in_degree(hypergraph, person). Among 60 people of a random network the two sequences are exchanged,
# and the ten with the most followers are others: two are in both lists.
# Package: hypergraphx 1.8.0 (with networkx 3.4.2).
# Source: https://github.com/HGX-Team/hypergraphx (core/directed.py, where the docstring of in_degree
# names targets; measures/directed/degree.py, where none says which);
# https://hypergraphx.readthedocs.io; Gallo and others, Directed hypergraphs and applications,
# https://doi.org/10.1016/0166-218X(93)90045-P (a hyperarc goes from its tail to its head)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check hypergraphx==1.8.0 networkx==3.4.2
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import networkx
from hypergraphx import DirectedHypergraph
from hypergraphx.measures.directed import in_degree, in_degree_sequence, out_degree_sequence

print("hypergraphx", version("hypergraphx"), "networkx", networkx.__version__)


def of(follows):
    return DirectedHypergraph([((one,), (other,)) for one, other in follows.edges])


star = networkx.DiGraph([(f"fan {number}", "star") for number in range(9)] + [("star", "fan 0")])
hypergraph = of(star)
said = hypergraph.in_degree("star"), in_degree(hypergraph, "star"), star.in_degree("star")
print("nine follow the star, who follows one - in-degree by the method", said[0], "by the function", said[1], end=" ")
print("by networkx", said[2])
assert said == (9, 1, 9)

follows = networkx.gnp_random_graph(60, 0.1, seed=1, directed=True)
hypergraph = of(follows)
assert hypergraph.in_degree_sequence() == dict(follows.in_degree) == out_degree_sequence(hypergraph)
assert hypergraph.out_degree_sequence() == dict(follows.out_degree) == in_degree_sequence(hypergraph)


def top(degrees):
    return set(sorted(degrees, key=lambda person: (-degrees[person], person))[:10])


shared = len(top(hypergraph.in_degree_sequence()) & top(in_degree_sequence(hypergraph)))
print("60 people: the in-degrees of the function are the out-degrees of the method and of networkx, and vice versa")
print("of the ten most followed people by the method the function has", shared)
assert shared == 2
PYTHON
