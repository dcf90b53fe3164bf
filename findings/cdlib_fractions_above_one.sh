#!/usr/bin/env bash
# Surprise: what cdlib calls the fraction of a person's friendships that leave their community is
# the number of them. avg_odf and max_odf do not divide by the degree, as their own formula does:
# in a club of 34 split in two the "largest fraction" is 4. So the order of communities turns
# round: of 21 people who know each other and two outsiders each 0.09 leaves, of two friends who
# know one outsider each 0.5; cdlib has 2 and 1. avg_odf is expansion, cut edges by people, under
# another name. flake_odf, the third of the family, is right.
# Package: cdlib 0.4.1 (with networkx 3.6.1).
# Source: Yang and Leskovec, Defining and evaluating network communities based on ground-truth,
# https://doi.org/10.1007/s10115-013-0693-z (average and maximum out-degree fraction);
# https://cdlib.readthedocs.io/en/latest/reference/evaluation.html
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    cdlib==0.4.1 networkx==3.6.1 numpy==1.26.4
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import networkx as nx
import numpy as np
from cdlib import NodeClustering, evaluation

print("cdlib", version("cdlib"), "networkx", nx.__version__)


def fractions(graph, people):
    """Of each person's friendships the share that leaves the community."""
    return [sum(friend not in people for friend in graph[one]) / graph.degree(one) for one in people]


def judged(graph, parts):
    """Average and maximum by definition and by cdlib, and its expansion, for each community."""
    found = NodeClustering(parts, graph)
    true = [fractions(graph, set(part)) for part in found.communities]    # the largest first
    flake = [np.mean([share > 0.5 for share in one]) for one in true]
    assert np.allclose(evaluation.flake_odf(graph, found, summary=False), flake)
    theirs = [ask(graph, found, summary=False) for ask in (evaluation.avg_odf, evaluation.max_odf, evaluation.expansion)]
    return np.array([[np.mean(one) for one in true], [max(one) for one in true], *theirs])


club = nx.karate_club_graph()
parts = [[one for one, name in club.nodes(data="club") if name == side] for side in ("Mr. Hi", "Officer")]
seen = judged(club, parts)
print("club of 34: mean fractions", seen[0].round(3), "by cdlib", seen[2].round(3), "expansion", seen[4].round(3))
print("club of 34: largest fractions", seen[1].round(3), "by cdlib", seen[3])
assert seen[:2].max() < 1 and seen[3].max() == 4
assert np.allclose(seen[2], seen[4])

large, couple, others = list(range(21)), [21, 22], list(range(23, 67))
graph = nx.complete_graph(large)
graph.add_edges_from((one, 23 + 2 * one + step) for one in large for step in (0, 1))
graph.add_edges_from([(21, 22), (21, 65), (22, 66)])
graph.add_edges_from(zip(others, others[1:]))
seen = judged(graph, [others, large, couple])[:, 1:]
print("21 friends and a couple: mean fractions", seen[0].round(3), "by cdlib", seen[2])
assert np.allclose(seen[0], [2 / 22, 1 / 2]) and seen[2].tolist() == [2, 1]
assert seen[0, 0] < seen[0, 1] and seen[2, 0] > seen[2, 1]
PYTHON
