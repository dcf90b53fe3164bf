#!/usr/bin/env bash
# Surprise: scikit-network takes a table of users by films for a bipartite graph, unless there
# happen to be as many films as users. Then row i and column i become one node, without a word,
# and the order of the films decides who belongs together: two groups of taste become three that
# mix them. Louvain has a switch for this (force_bipartite, off); get_modularity has none and
# drops the labels of the films that it is given: the true groups get -0.5 in place of 0.5.
# With one user more, all is right again.
# Package: scikit-network 0.33.5.
# Source: https://scikit-network.readthedocs.io/en/latest/reference/clustering.html (labels_col
# are the labels of columns for bipartite graphs). Communities should not depend on the order of
# the columns; Barber, https://doi.org/10.1103/PhysRevE.76.066102
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    scikit-network==0.33.5 scipy==1.17.1 numpy==2.4.6
cd "$folder"
venv/bin/python - <<'PYTHON'
import warnings
from importlib.metadata import version

import numpy as np
from scipy.sparse import csr_matrix
from sknetwork.clustering import Louvain, get_modularity

warnings.simplefilter("error")
print("scikit-network", version("scikit-network"))


def groups(table, **choice):
    """The communities of the users."""
    labels = Louvain(random_state=0).fit_predict(csr_matrix(table), **choice)
    return sorted(np.flatnonzero(labels == one).tolist() for one in set(labels.tolist()))


likes = np.kron(np.eye(2), np.ones((3, 3)))          # users 0-2 like films 0-2, users 3-5 the rest
other = likes[:, [3, 4, 5, 0, 1, 2]]                 # the same likes, films in another order
seven = np.vstack([other, other[-1]])
users, films = np.array([0, 0, 0, 1, 1, 1]), np.array([1, 1, 1, 0, 0, 0])
given = float(get_modularity(csr_matrix(other), users, labels_col=films))
more = float(get_modularity(csr_matrix(seven), np.append(users, 1), labels_col=films))
whole = np.block([[np.zeros((6, 6)), other], [other.T, np.zeros((6, 6))]])
true = float(get_modularity(csr_matrix(whole), np.append(users, films)))

print("6 users, 6 films in order: ", groups(likes))
print("6 users, 6 films reordered:", groups(other))
print("the same, force_bipartite: ", groups(other, force_bipartite=True))
print("7 users, 6 films reordered:", groups(seven))
print("modularity of the true groups:", given, "true value", true, "with 7 users", more)
assert groups(likes) == groups(other, force_bipartite=True) == [[0, 1, 2], [3, 4, 5]]
assert groups(seven) == [[0, 1, 2], [3, 4, 5, 6]]
assert groups(other) == [[0, 3], [1, 4], [2, 5]]
assert abs(true - 0.5) < 1e-9 and abs(given + 0.5) < 1e-9 and 0.48 < more < 0.5
PYTHON
