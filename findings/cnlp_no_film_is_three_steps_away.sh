#!/usr/bin/env bash
# Surprise: no user is ever recommended a film by the local path index of cnlp. It should add paths
# of length 2, 3 and so on up to n, the longer ones with smaller weights; it squares the matrix each
# time and adds lengths 4, 8 and 16, and for n = 3 nothing, so that the weight has no effect. From a
# user to a film that they do not know all paths have odd lengths, the shortest 3: each score is 0
# for every weight and n. The index of paths of length three of the same library divides by the
# degrees of the two ends; its own formula has those of the two people between. In a club of 34 its
# first pair are people with one friend and two; by the formula, the leader and a person of ten.
# Package: complex-network-link-prediction 1.3 (with networkx 3.4.2).
# Source: https://github.com/Typing-Monkeys/complex-network-link-prediction (both docstrings have
# the formulas; quasi_local_similarity.py); Lü, Jin and Zhou, Similarity index based on local paths
# for link prediction of complex networks, https://doi.org/10.1103/PhysRevE.80.046122
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    complex-network-link-prediction==1.3 networkx==3.4.2 numpy==1.26.4 scipy==1.14.1
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import networkx
import numpy as np
from cnlp.similarity_methods.quasi_local_similarity import local_path_index, path_of_length_three

print("complex-network-link-prediction", version("complex-network-link-prediction"), "networkx", networkx.__version__)


def by_formula(graph, epsilon, n):
    matrix = networkx.to_numpy_array(graph, weight=None)
    total = sum(epsilon ** (length - 2) * np.linalg.matrix_power(matrix, length) for length in range(2, n + 1))
    return total * (matrix == 0)


users, films = range(6), range(6, 13)
likes = networkx.Graph()
likes.add_nodes_from([*users, *films])
likes.add_edges_from((user, user + film) for user in users for film in (6, 7))    # two neighbours in a row of films
for n in (3, 4, 5, 6):
    theirs = local_path_index(likes, 0.1, n).toarray()[:6, 6:]
    right = by_formula(likes, 0.1, n)[:6, 6:]
    print("n =", n, "- pairs of user and film with a score above 0:", (theirs > 0).sum(), "by the formula:", (right > 0).sum())
    assert (theirs == 0).all() and (right > 0).any()

club = networkx.karate_club_graph()
for *_, values in club.edges(data=True):
    values.clear()
alike = [np.array_equal(local_path_index(club, 0, 3).toarray(), local_path_index(club, weight, 3).toarray()) for weight in (0.01, 1, 100)]
print("club of 34, n = 3: the same scores with weights 0.01, 1 and 100 as with 0:", alike)
assert all(alike)

matrix = networkx.to_numpy_array(club)
between = np.diag(1 / matrix.sum(axis=1))
formula = matrix @ between @ matrix @ between @ matrix
theirs = path_of_length_three(club).toarray()
first = []
for name, scores in (("cnlp", theirs), ("its formula", formula)):
    pair = max(networkx.complement(club).edges, key=lambda ends: scores[ends])
    first.append(pair)
    print("paths of length three,", name, "- first pair", pair, "with degrees", [club.degree(one) for one in pair])
assert first[0] != first[1] and max(club.degree(one) for one in first[0]) < 5 < min(club.degree(one) for one in first[1])
PYTHON
