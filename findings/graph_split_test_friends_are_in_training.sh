#!/usr/bin/env bash
# Surprise: graph-split leaves most test friendships in the training set. An undirected file often has
# each friendship twice, as "a b" and "b a". Asked to remove repetitions from an undirected graph, it
# drops one of the two only if there is a column of edge types; without one the branch is never
# reached, all 156 lines of a club with 78 friendships stay, and both kinds of split share out lines:
# 26 of 29 friendships in the test set are in the training set, turned round. Its own check for
# common links passes. With a column that holds the same word for all, the 78 stay and none is
# in both.
# Package: graph-split 0.3.2 (with networkx 3.4.2 for the club, pandas 2.2.3, numpy 1.26.4 and
# scikit-learn 1.7.2).
# Source: https://github.com/Murali-group/graph-split (split_script.py; the docstring of remove_dups says
# that of an undirected graph one of (a, b) and (b, a) is kept)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    graph-split==0.3.2 networkx==3.4.2 pandas==2.2.3 numpy==1.26.4 scikit-learn==1.7.2 scipy==1.14.1
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import networkx
import pandas
from graph_split import remove_dups, split_train_test

print("graph-split", version("graph-split"), "networkx", networkx.__version__)
club = networkx.karate_club_graph()
lines = [line for one, other in club.edges for line in ((one, other), (other, one))]
print("friendships", club.size(), "lines of the file", len(lines))


def friendships(table):
    return {frozenset(line) for line in zip(table["source"], table["target"], strict=True)}


seen = {}
for types in (False, True):
    table = pandas.DataFrame(lines, columns=["source", "target"])
    if types:
        table["edge_type"] = "friend"
    kept = remove_dups(table, "undirected")[list(table.columns[: 2 + types])]
    for kind in ("random", "edge"):
        train, test = split_train_test(kept.copy(), kind, 0.2, seed=0)
        train, test = friendships(kept.iloc[train]), friendships(kept.iloc[test])
        print("column of types" if types else "two columns", f"- {len(kept)} lines kept; split by {kind}:", end=" ")
        print(len(test), "friendships in the test set,", len(test & train), "of them in the training set")
        seen[types, kind] = len(kept), len(test), len(test & train)
assert seen[False, "random"] == seen[False, "edge"] == (156, 29, 26)
assert seen[True, "random"] == seen[True, "edge"] == (78, 16, 0)
PYTHON
