#!/usr/bin/env bash
# Surprise: networkit makes a directed network undirected and loses count of the friendships. Of
# those who follow each other none is counted: in a club of 34 where all 78 friendships are mutual
# numberOfEdges is 0 and the density 0, though the 78 edges are there and the degrees add up to
# 156. In a random network the count is that of the one-sided links alone (322 of 345). Edges
# and degrees are right, so a check of degrees passes; no warning. networkx counts 78.
# Package: networkit 11.3, against networkx 3.6.1.
# Source: https://networkit.github.io/dev-docs/index.html (graphtools.toUndirected returns an
# undirected copy); https://github.com/networkit/networkit/issues/518 (on an older version, which
# kept both directions). The package is compiled: the rule is inferred from the counts.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check networkit==11.3 networkx==3.6.1
cd "$folder"
venv/bin/python - <<'PYTHON'
import networkit
import networkx

print("networkit", networkit.__version__, "networkx", networkx.__version__)
toolbox = networkit.graphtools


def undirected(graph):
    """The same directed network in networkit, made undirected there."""
    directed = networkit.nxadapter.nx2nk(graph)
    assert directed.isDirected() and directed.numberOfEdges() == graph.number_of_edges()
    return toolbox.toUndirected(directed)


def counts(graph):
    found = undirected(graph)
    edges = len({frozenset(edge) for edge in found.iterEdges()})
    half = sum(found.degree(node) for node in found.iterNodes()) / 2
    true = graph.to_undirected().number_of_edges()
    mutual = graph.number_of_edges() - true
    print(f"{true} friendships, {mutual} of them mutual: numberOfEdges {found.numberOfEdges()}, "
          f"density {toolbox.density(found):.3f}; edges listed {edges}, half of the degrees {half:.0f}")
    assert edges == half == true and found.numberOfEdges() == true - mutual
    return found.numberOfEdges(), round(toolbox.density(found), 3)


club = networkx.DiGraph(networkx.karate_club_graph())          # both directions of each friendship
assert counts(club) == (0, 0)
assert counts(networkx.gnp_random_graph(60, 0.1, seed=1, directed=True))[0] == 322
oneway = networkx.DiGraph(list(networkx.karate_club_graph().edges()))
assert counts(oneway)[0] == 78                                 # nobody is followed back: all are counted
PYTHON
