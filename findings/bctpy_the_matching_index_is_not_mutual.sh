#!/usr/bin/env bash
# Surprise: by bctpy's matching index for undirected networks one person may be like another who is not like
# the first. The index is twice the number of common friends divided by the sum of both numbers of friends;
# the package has the common friends in place of the second person's friends, so that whoever has few
# friends matches all who know the same few: in a club of 34 a man with two friends matches the leader, who has
# 17, by 1, and the leader matches him by 0.12. 547 of 1,122 ordered pairs are wrong, and the
# directed function of the same package, on the same network, has the definition. The generalized
# topological overlap with two steps is that with one, and with three steps that with two. The fraction
# of shortcuts is 2 divided by the number of links in every network: 0.07 in a tree where all links are
# shortcuts as in a circle of friends who all know each other and none is.
# Package: bctpy 0.6.1 (with numpy 2.2.6, scipy 1.15.3 and networkx 3.4.2).
# Source: https://github.com/aestrivex/bctpy (algorithms/similarity.py: matching_ind_und, called a similarity of
# two, and gtom, whose range of steps ends one early; centrality.py: erange takes the length of a pair of
# index arrays); Yip and Horvath, Gene network interconnectedness and the generalized topological overlap
# measure, https://doi.org/10.1186/1471-2105-8-22 (neighbours at most m steps away)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check bctpy==0.6.1 numpy==2.2.6 scipy==1.15.3 networkx==3.4.2
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
import contextlib
import io
from importlib.metadata import version

import bct
import networkx
import numpy

print("bctpy", version("bctpy"), "numpy", numpy.__version__)


def matrix(graph):
    return networkx.to_numpy_array(graph, weight=None)


club = networkx.karate_club_graph()
with contextlib.redirect_stdout(io.StringIO()):  # it prints what it divides by
    undirected = bct.matching_ind_und(matrix(club))
directed = bct.matching_ind(matrix(club))[2]
by_definition = numpy.zeros((34, 34))
for one in club:
    for other in set(club) - {one}:
        first, second = set(club[one]) - {other}, set(club[other]) - {one}
        by_definition[one, other] = 2 * len(first & second) / max(len(first) + len(second), 1)
assert numpy.allclose(directed, by_definition)
wrong = int((~numpy.isclose(undirected, by_definition)).sum())
pair = [[round(float(value), 2) for value in (table[14, 33], table[33, 14])] for table in (undirected, directed)]
print("persons 14 and 33, with", club.degree(14), "and", club.degree(33), "friends - undirected index", *pair[0], "directed", *pair[1])
print("ordered pairs", 34 * 33, "of them wrong", wrong)
assert pair == [[0.12, 1], [0.12, 0.12]] and wrong == 547

path = matrix(networkx.path_graph(9))
steps = [bct.gtom(path, number) for number in (1, 2, 3)]
print("overlap of two who are three steps apart - by one step", *(f"{table[3, 6]:.2f}" for table in steps), "by one, two and three")
assert (steps[0] == steps[1]).all() and not (steps[1] == steps[2]).all()

for name, graph in (("tree", networkx.balanced_tree(2, 3)), ("circle of six who all know each other", networkx.complete_graph(6))):
    shortcuts, fraction = bct.erange(matrix(graph))[2:]
    links = int(matrix(graph).sum())
    print(name, "- shortcuts", int(shortcuts.sum()), "of", links, "fraction of shortcuts", round(fraction, 3), "2 /", links)
    assert fraction == 2 / links and shortcuts.sum() in (0, links)
PYTHON
