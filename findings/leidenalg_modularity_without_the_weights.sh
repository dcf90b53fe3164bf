#!/usr/bin/env bash
# Surprise: leidenalg finds communities by the weights and tells their modularity without them. Of
# one partition of 34 people whose friendships have weights from 1 to 9 the attribute modularity is
# what igraph has for the unweighted graph, while quality(), which the search maximised, is what
# igraph has with the weights. In a graph made of strong friendships inside groups of five and weak
# ones to all others the attribute is below 0 for the right groups, which are worth 0.59.
# Package: leidenalg 0.12.0, igraph 1.0.0.
# Source: https://leidenalg.readthedocs.io/en/stable/reference.html (ModularityVertexPartition takes
# weights; modularity is inherited from igraph's VertexClustering)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check leidenalg==0.12.0 igraph==1.0.0
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import igraph
import leidenalg

print("leidenalg", version("leidenalg"), "igraph", version("igraph"))
club = igraph.Graph.Famous("Zachary")
club.es["weight"] = [1 + 7 * friends.index % 9 for friends in club.es]
full = igraph.Graph.Full(20)
full.es["weight"] = [20 if a // 5 == b // 5 else 1 for a, b in full.get_edgelist()]
for name, graph in {"club of 34": club, "four groups of five": full}.items():
    found = leidenalg.find_partition(
        graph, leidenalg.ModularityVertexPartition, weights="weight", seed=1
    )
    plain = graph.modularity(found.membership)
    weighted = graph.modularity(found.membership, weights="weight")
    print(
        f"{name}: {len(found)} groups; .modularity {found.modularity:.3f}, "
        f".quality() {found.quality():.3f}; igraph {plain:.3f}, with weights {weighted:.3f}"
    )
    assert abs(found.modularity - plain) < 1e-9 and abs(found.quality() - weighted) < 1e-9
    assert weighted > plain + 0.02
assert len(found) == 4 and found.modularity < 0.01 and found.quality() > 0.5
PYTHON
