#!/usr/bin/env bash
# Surprise: which people are gateways between communities depends, by bctpy, on how they are numbered. The
# gateway coefficient weighs a person's friends by their centrality; the package looks the friends up by
# their place within the community and takes the centrality of whoever has that number in the whole network.
# In a club of 34 split in two the leader is the foremost gateway, with 0.53; with the same people
# numbered otherwise, in ten random ways, he has 0.33 to 0.43 and is never among the first five. Six
# lists of five come from the ten. The participation coefficient of the same package does not change.
# Package: bctpy 0.6.1 (with numpy 2.2.6, scipy 1.15.3 and networkx 3.4.2).
# Source: https://github.com/aestrivex/bctpy (algorithms/centrality.py, gateway_coef_sign: neighbs and kj);
# Vargas and Wahl, The gateway coefficient, https://doi.org/10.1140/epjb/e2014-40800-7 (the
# centralities of a node's neighbours in each community are added up; numbers of nodes play no part)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check bctpy==0.6.1 numpy==2.2.6 scipy==1.15.3 networkx==3.4.2
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import bct
import networkx
import numpy

print("bctpy", version("bctpy"), "numpy", numpy.__version__)
club = networkx.karate_club_graph()
links = networkx.to_numpy_array(club, weight=None)
side = numpy.array([1 if club.nodes[person]["club"] == "Mr. Hi" else 2 for person in club])
rng = numpy.random.default_rng(0)
gateways, participation = [], []
for draw in range(11):
    order = rng.permutation(34) if draw else numpy.arange(34)
    renumbered, groups, back = links[numpy.ix_(order, order)], side[order], numpy.argsort(order)
    gateways.append(bct.gateway_coef_sign(renumbered.copy(), groups)[0][back])
    participation.append(bct.participation_coef(renumbered, groups)[back])
    print("numbering", draw, "- gateway coefficient of the leaders", *gateways[-1][[0, 33]].round(2), end=" ")
    print("foremost five", *numpy.argsort(-gateways[-1])[:5], "participation of the leaders", *participation[-1][[0, 33]].round(2))
spread = numpy.ptp(gateways, axis=0)
print("largest difference for one person - gateway", spread.max().round(2), "participation", numpy.ptp(participation, axis=0).max().round(2))
leader = numpy.array(gateways)[:, 0].round(2)
foremost = [tuple(map(int, numpy.argsort(-values)[:5])) for values in gateways]
assert foremost[0][0] == 0 and not any(0 in five for five in foremost[1:]) and len(set(foremost[1:])) == 6
assert (leader[0], leader[1:].min(), leader[1:].max()) == (0.53, 0.33, 0.43)
assert spread.max() > 0.18 and numpy.allclose(participation, participation[0])
PYTHON
