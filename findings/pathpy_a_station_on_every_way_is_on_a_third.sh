#!/usr/bin/env bash
# Surprise: pathpy's probability that a path passes through a node is the node's share of all visits. By
# its documentation a node that 5 of 100 paths pass has 0.05; here a station that all of 100 paths pass,
# on the way from a to b, has 0.33, and if each way were ten stations long it would have 0.1: the longer the
# paths, the lower all values. Five paths of seven people and 95 of two give a person on five of
# the 100 paths 0.02, and one on 95 of them 0.42. Closeness in a network counts those whom a person
# reaches and multiplies by all people: two who know only each other are the most central of all,
# 11 for 1.22 in a circle of ten friends who all know each other. The closeness of paths, in the same
# library and under the same name, adds up inverse distances and has 1 and 9.
# Package: pathpy2 2.2.0 (with the older numpy 1.23.5 and scipy 1.10.1).
# Source: https://github.com/pathpy/pathpy (algorithms/centralities.py: the docstring of
# visitation_probabilities); https://networkx.org/documentation/stable/reference/algorithms/generated/networkx.algorithms.centrality.closeness_centrality.html
# (closeness where not all are reached)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pathpy2==2.2.0 numpy==1.23.5 scipy==1.10.1 networkx==2.8.8
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
import contextlib
import io
from importlib.metadata import version

import networkx

with contextlib.redirect_stdout(io.StringIO()):
    import pathpy
    from pathpy.algorithms.centralities import closeness, visitation_probabilities

print("pathpy2", version("pathpy2"), "networkx", networkx.__version__)


def quietly(function, *arguments):
    with contextlib.redirect_stdout(io.StringIO()):
        return {name: round(float(value), 3) for name, value in function(*arguments).items()}


def paths_of(counts):
    paths = pathpy.Paths()
    for path, count in counts.items():
        paths.add_path(path, count)
    return paths


def shares(counts):
    """The share of paths that pass each node."""
    nodes = sorted({node for path in counts for node in path.split(",")})
    return {node: sum(n for path, n in counts.items() if node in path.split(",")) / sum(counts.values()) for node in nodes}


for counts, looked_at, expected in (
    ({"a,x,b": 100}, "x", (0.333, 1)),
    ({"a,c,d,e,x,f,g,h,i,b": 100}, "x", (0.1, 1)),
    ({"a,b,c,d,e,f,g": 5, "y,z": 95}, "a", (0.022, 0.05)),
    ({"a,b,c,d,e,f,g": 5, "y,z": 95}, "y", (0.422, 0.95)),
):
    found = quietly(visitation_probabilities, paths_of(counts))[looked_at], shares(counts)[looked_at]
    print("paths", counts, "- probability of", looked_at, "by pathpy", found[0], "share of the paths", found[1])
    assert found == expected

network, graph = pathpy.Network(directed=False), networkx.complete_graph(10)
graph.add_edge("ann", "bo")
for one, other in graph.edges:
    network.add_edge(str(one), str(other))
both_ways = {f"{a},{b}": 1 for one, other in graph.edges for a, b in ((one, other), (other, one))}
by_network, by_paths = quietly(closeness, network), quietly(closeness, paths_of(both_ways))
by_networkx = networkx.closeness_centrality(graph)
for person in (0, "ann"):
    print("closeness of", person, "- network", by_network[str(person)], "paths", by_paths[str(person)], end=" ")
    print("networkx", round(by_networkx[person], 3))
assert (by_network["0"], by_network["ann"], by_paths["0"], by_paths["ann"]) == (1.222, 11, 9, 1)
assert by_networkx["ann"] < by_networkx[0]
PYTHON
