#!/usr/bin/env bash
# Surprise: networkx with backend="graphblas" computes other numbers as soon as one person is linked
# to themselves. A loop adds two to a degree in networkx and one in the backend. One loop in a club
# of 34: the centrality of that person is 0.55 and 0.52, the conductance of their group 0.78 and
# 0.81, their square clustering 0.09 and 0.10. Without loops all three agree. A graph that is
# converted with its weights beforehand has them in the square clustering, too, which ignores
# weights in networkx: 0.09 and 0.02.
# Package: graphblas-algorithms 2023.10.0 (python-graphblas 2025.2.0), under networkx 3.6.1.
# Source: https://networkx.org/documentation/stable/reference/backends.html (a backend runs the same
# function, chosen by a keyword); https://github.com/python-graphblas/graphblas-algorithms
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check graphblas-algorithms==2023.10.0 python-graphblas==2025.2.0 suitesparse-graphblas==9.4.5.0 networkx==3.6.1 numpy==1.26.4 scipy==1.15.3
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import graphblas_algorithms
import networkx
import numpy as np

print("graphblas-algorithms", version("graphblas-algorithms"), "networkx", networkx.__version__)
group = [0, 1, 2]
measures = {
    "degree centrality": lambda club, **backend: networkx.degree_centrality(club, **backend)[0],
    "conductance": lambda club, **backend: networkx.conductance(club, group, **backend),
    "square clustering": lambda club, **backend: networkx.square_clustering(club, **backend)[0],
}


def compare(club):
    result = {}
    for name, measure in measures.items():
        result[name] = tuple(round(float(measure(club, **options)), 3) for options in ({}, {"backend": "graphblas"}))
        print(f"  {name}: networkx {result[name][0]}, graphblas {result[name][1]}")
    return result


weighted = networkx.karate_club_graph()
club = networkx.Graph(list(weighted.edges()))
print("without loops")
assert all(one == other for one, other in compare(club).values())
print("person 0 linked to themselves")
club = networkx.Graph([*weighted.edges(), (0, 0)])
loops = compare(club)
assert all(abs(one - other) > 0.01 for one, other in loops.values())
degree = 2 + weighted.degree(0)
assert np.allclose(loops["degree centrality"], [degree / 33, (degree - 1) / 33], atol=1e-3)

plain = networkx.square_clustering(weighted)[0]
converted = networkx.square_clustering(graphblas_algorithms.Graph.from_networkx(weighted, weight="weight"))[0]
print(f"square clustering in the weighted club: {plain:.3f}; converted with its weights {converted:.3f}")
assert plain > 3 * converted
PYTHON
