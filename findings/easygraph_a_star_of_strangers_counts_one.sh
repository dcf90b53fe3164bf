#!/usr/bin/env bash
# Surprise: easygraph's effective size, the number of friends of a person that are not redundant, is
# 1 for people whose friends are all strangers to each other, however many friends they have. A hub
# of ten strangers has 1; as soon as two of the ten meet it has 9.8, near the 10 that networkx has for
# the hub. So the best-connected brokers get the lowest value and efficiency (0.1), one added
# link changes the number tenfold, and in a tree all people have 1: of 300 people of a random tree
# more than half are wrong. With a weight of 1 on each link, easygraph has 10 itself.
# Package: Python-EasyGraph 1.6.3, against networkx 3.4.2.
# Source: Borgatti, Structural holes: unpacking Burt's redundancy measures, Connections 20(1), 1997
# (n - 2t/n for n friends with t links among them: n without links);
# https://networkx.org/documentation/stable/reference/algorithms/generated/networkx.algorithms.structuralholes.effective_size.html;
# https://github.com/easy-graph/Easy-Graph (functions/structural_holes/evaluation.py)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check Python-EasyGraph==1.6.3 networkx==3.4.2
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import easygraph
import networkx

print("easygraph", version("Python-EasyGraph"), "networkx", networkx.__version__)


def converted(graph, **attributes):
    copy = easygraph.Graph()
    copy.add_nodes(list(graph))
    for one, other in graph.edges:
        copy.add_edge(one, other, **attributes)
    return copy


found = {}
for name, met in (("ten strangers", []), ("two of them met", [(1, 2)])):
    star = networkx.Graph([(0, friend) for friend in range(1, 11)] + met)
    plain, weighted = converted(star), converted(star, weight=1)
    found[name] = (
        easygraph.effective_size(plain)[0],
        easygraph.efficiency(plain)[0],
        easygraph.effective_size(weighted, weight="weight")[0],
        networkx.effective_size(star)[0],
    )
    print(name, "- effective size and efficiency, with weights of 1, by networkx:", found[name])
assert [round(value, 6) for value in found["ten strangers"]] == [1, 0.1, 10, 10]
assert [round(value, 6) for value in found["two of them met"]] == [9.8, 0.98, 9.8, 9.8]

tree = networkx.random_labeled_tree(300, seed=0)
theirs, right = easygraph.effective_size(converted(tree)), networkx.effective_size(tree)
wrong = sum(abs(theirs[person] - right[person]) > 1e-9 for person in tree)
print("random tree of 300 people: values of easygraph", set(theirs.values()), "largest by networkx", max(right.values()), "- people that differ:", wrong)
assert set(theirs.values()) == {1.0} and max(right.values()) >= 5 and wrong > 150
PYTHON
