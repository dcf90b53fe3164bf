#!/usr/bin/env bash
# Surprise: netbone's noise-corrected backbone expects twice the weight that there is. It adds up
# each undirected weight once and the strengths of the people, which count it twice, and divides one
# by the other. So its p-values are far too large: where ten people share equal weights and nothing
# is unusual, each link has p = 0.998 in place of 0.27 (the expectations add up to 1,620 of a total
# of 900). In a club of 34, 35 links of 78 are significant at 0.05 where 60 are, among the
# characters of Les Misérables 124 where 187 are.
# Package: netbone 0.2.3 (with networkx 2.8.8 and scipy 1.13.0, which it asks for).
# Source: Coscia and Neffke, Network backboning with noisy data,
# https://doi.org/10.1109/ICDE.2017.100 (the null expectation of a weight is the product of the two
# strengths divided by the total, which is the sum of all strengths);
# https://gitlab.liris.cnrs.fr/coregraphie/netbone (statistical/noise_corrected.py)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check netbone==0.2.3
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import netbone
import networkx
from scipy.stats import binom

print("netbone", version("netbone"), "networkx", networkx.__version__)


def compared(graph):
    """p-values of netbone and of the same formula with the total that belongs to the strengths."""
    strength = dict(graph.degree(weight="weight"))
    once, twice = graph.size(weight="weight"), sum(strength.values())
    assert twice == 2 * once
    theirs, right, as_inferred, expected = [], [], [], [0, 0]
    backbone = netbone.noise_corrected(graph).graph
    for one, other, weight in graph.edges(data="weight"):
        product = strength[one] * strength[other]
        theirs.append(backbone[one][other]["p_value"])
        right.append(1 - binom.cdf(weight, twice, product / twice**2))
        as_inferred.append(1 - binom.cdf(weight, once, product / once**2))
        expected = [expected[0] + product / once, expected[1] + product / twice]
    assert max(abs(one - other) for one, other in zip(theirs, as_inferred)) < 1e-9
    return theirs, right, expected, once


equal = networkx.complete_graph(10)
networkx.set_edge_attributes(equal, 20, "weight")
theirs, right, expected, total = compared(equal)
print("ten people, 45 links of weight 20 - total", total, "expected by netbone", expected[0], "by definition", expected[1])
print("p of each link by netbone", round(theirs[0], 3), "by definition", round(right[0], 3))
assert round(theirs[0], 3) == 0.998 and round(right[0], 2) == 0.27 and expected == [1620, 810]

seen = []
for name, graph in (("club", networkx.karate_club_graph()), ("Les Misérables", networkx.les_miserables_graph())):
    theirs, right, *_ = compared(graph)
    counts = [sum(p < 0.05 for p in each) for each in (theirs, right)]
    print(name, "- links", len(theirs), "significant at 0.05 by netbone", counts[0], "by definition", counts[1])
    seen.append(counts)
assert seen == [[35, 60], [124, 187]]
PYTHON
