#!/usr/bin/env bash
# Surprise: netrd's Jaccard distance of a graph from itself is 1, the largest there is, if its
# people are listed from the last to the first. It compares links as ordered pairs, and an
# undirected link is (0, 1) or (1, 0) by which of the two comes first in networkx; all 78 links of a
# club are then "lost" and all 78 "new". A copy that hides half of the links at random has 0.5 in
# the old order, and 1 in the new one. Hamming, Frobenius and DeltaCon take the rows of the matrix
# as they come, too. A published graph that was sorted anew, or read from a file of links, looks
# changed beyond use.
# Package: netrd 0.3.0 (with networkx 2.8.8, numpy 1.26.4 and scipy 1.12.0).
# Source: https://netrd.readthedocs.io/en/latest/distance.html (the Jaccard distance of the two sets
# of links); https://github.com/netsiphd/netrd (distance/jaccard_distance.py);
# https://networkx.org/documentation/stable/reference/classes/graph.html (an undirected graph)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "setuptools<81" wheel
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    networkx==2.8.8 numpy==1.26.4 scipy==1.12.0 scikit-learn==1.4.2 ortools==9.10.4067
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps netrd==0.3.0    # else it wants Sphinx
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
import random
from importlib.metadata import version

import networkx
from netrd.distance import DeltaCon, Frobenius, Hamming, JaccardDistance

print("netrd", version("netrd"), "networkx", networkx.__version__)


def listed(links, people):
    graph = networkx.Graph()
    graph.add_nodes_from(people)
    graph.add_edges_from(links)
    return graph


links, people = list(networkx.karate_club_graph().edges), range(34)
kept = random.Random(0).sample(links, 39)
club, backwards = listed(links, people), listed(links, reversed(people))
half, half_backwards = listed(kept, people), listed(kept, reversed(people))
assert networkx.utils.graphs_equal(club, backwards) and networkx.utils.graphs_equal(half, half_backwards)

jaccard = [float(JaccardDistance().dist(club, other)) for other in (club, backwards, half, half_backwards)]
print("Jaccard distance of the club from itself", jaccard[0], "listed backwards", jaccard[1])
print("from a copy with half of its links", jaccard[2], "listed backwards", jaccard[3])
assert jaccard == [0, 1, 0.5, 1]

for measure in (Hamming, Frobenius, DeltaCon):
    same, turned, changed = (float(measure().dist(club, other)) for other in (club, backwards, half))
    print(measure.__name__, "- from itself", same, "listed backwards", round(turned, 3), "from half of its links", round(changed, 3))
    assert same == 0 and turned > changed > 0
PYTHON
