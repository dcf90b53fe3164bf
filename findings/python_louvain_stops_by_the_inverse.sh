#!/usr/bin/env bash
# Surprise: python-louvain moves people by one meaning of its resolution and stops by the inverse
# one. Below 1 it should find few large communities, and its moves do look for them, but its rule
# for the end sees a loss and ends after the first level. In a ring of 24 cliques of four it
# gives 24 communities at every resolution from 0.5 to 0.05 and 14 at 1: more where fewer are asked
# for. networkx finds 10, 6 and 3, of higher quality by the modularity that both optimise.
# Package: python-louvain 0.16, against networkx 3.6.1.
# Source: https://python-louvain.readthedocs.io/en/latest/api.html;
# https://networkx.org/documentation/stable/reference/algorithms/community.html;
# Reichardt and Bornholdt, https://doi.org/10.1103/PhysRevE.74.016110 (resolution)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check python-louvain==0.16 networkx==3.6.1 numpy==2.4.6
cd "$folder"
venv/bin/python - <<'PYTHON'
import warnings
from importlib.metadata import version

import community
import networkx as nx

warnings.simplefilter("error")
print("python-louvain", version("python-louvain"), "networkx", nx.__version__)


def both(graph, resolution):
    """Number of communities and quality by networkx's definition, of either library."""
    of = community.best_partition(graph, resolution=resolution, random_state=0)
    mine = [{node for node in of if of[node] == one} for one in set(of.values())]
    other = nx.community.louvain_communities(graph, resolution=resolution, seed=0)
    return [(len(parts), round(nx.community.modularity(graph, parts, resolution=resolution), 3)) for parts in (mine, other)]


for cliques, size in ((24, 4), (30, 5)):
    graph = nx.ring_of_cliques(cliques, size)
    seen = {resolution: both(graph, resolution) for resolution in (1, 0.5, 0.2, 0.05)}
    print(f"a ring of {cliques} cliques of {size}: communities and quality, python-louvain and networkx")
    for resolution, (mine, other) in seen.items():
        print(" resolution", resolution, mine, other)
    assert all(seen[one][0][0] == cliques for one in (0.5, 0.2, 0.05))
    assert seen[1][0][0] < cliques and seen[0.05][1][0] < 6
    assert all(seen[one][1][1] > seen[one][0][1] for one in (0.5, 0.2, 0.05))
PYTHON
