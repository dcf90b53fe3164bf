#!/usr/bin/env bash
# Surprise: netcenlib's barycenter centrality is one divided by the sum of people's numbers. Meant
# is the sum of their distances. So in a connected network everybody has the same value: 0.0018 for
# all of a club of 34, leader and newcomer alike, and in a row of five it falls from 0.1 to 0.002
# when 100 is added to all numbers. Whether people are central decides nothing. Its bottleneck
# centrality has the values of the right people under other people's names where the people do not
# stand in the order of their numbers: of a hub with six friends it says that one friend has 6 and
# the hub 0.
# Package: netcenlib 0.2.2 (with networkx 3.4.2).
# Source: https://github.com/damianfraszczak/netcenlib (algorithms/barycenter_centrality.py and
# bottle_neck_centrality.py); https://www.centiserver.org/centrality/Barycenter_Centrality/, to
# which it refers; https://search.r-project.org/CRAN/refmans/centiserve/html/barycenter.html (one
# divided by the total distance to all others)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    netcenlib==0.2.2 networkx==3.4.2 numpy==1.26.4 scipy==1.14.1
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import networkx
from netcenlib.algorithms import barycenter_centrality, bottle_neck_centrality

print("netcenlib", version("netcenlib"), "networkx", networkx.__version__)


def true(graph):
    """One divided by the sum of distances."""
    return {one: 1 / sum(lengths.values()) for one, lengths in networkx.shortest_path_length(graph)}


row = networkx.path_graph(5)
renumbered = networkx.relabel_nodes(row, {person: person + 100 for person in row})
for name, graph in (("a row of five", row), ("the same with 100 added", renumbered)):
    print(name, "- by netcenlib", barycenter_centrality(graph), "by definition", true(graph))
assert set(barycenter_centrality(row).values()) == {1 / sum(row)} == {0.1}
assert set(barycenter_centrality(renumbered).values()) == {1 / sum(renumbered)}
assert list(true(row).values()) == list(true(renumbered).values()) == [1 / 10, 1 / 7, 1 / 6, 1 / 7, 1 / 10]

club = networkx.karate_club_graph()
theirs, right = barycenter_centrality(club), true(club)
print("club of 34 - by netcenlib", set(theirs.values()), "by definition from", min(right.values()), "to", max(right.values()))
assert set(theirs.values()) == {1 / sum(club)} and max(right.values()) > 1.9 * min(right.values())

star = networkx.star_graph(6)
backwards = networkx.Graph()
backwards.add_nodes_from(reversed(list(star)))
backwards.add_edges_from(star.edges)
first, second = bottle_neck_centrality(star), bottle_neck_centrality(backwards)
print("bottleneck, hub 0 with six friends:", {who: int(value) for who, value in first.items()})
print("the same people listed backwards:  ", {who: int(value) for who, value in second.items()})
assert first[0] == second[6] == 6 and first[6] == second[0] == 0
PYTHON
