#!/usr/bin/env bash
# Surprise: dynetx forgets on writing when people who met again parted. Two who met on days 0 to 2
# and on days 5 and 6 are written as an interaction that begins on 0 and ends on 3 and one that
# begins on 5; read back they met on 0 to 2 and 5. The reader also enters the first day of each
# meeting twice, so that day 0 of the file has two meetings where one was. In a random network of
# six people and eight days a third of the meetings of day 1 is gone. The format of snapshots keeps
# all. A meeting given with its end (t=0, e=3) counts as half a meeting a day in
# interactions_per_snapshots, and as one if the same days are added one by one.
# Package: dynetx 0.3.2 (with networkx 3.4.2).
# Source: https://dynetx.readthedocs.io (a sequence of interaction events, u, v, + or -, t);
# https://github.com/GiulioRossetti/dynetx (classes/dyngraph.py, readwrite/edgelist.py)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "setuptools<81" wheel
"$folder/venv/bin/pip" install -q --disable-pip-version-check dynetx==0.3.2 networkx==3.4.2 numpy==1.26.4
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
import random
from importlib.metadata import version
from pathlib import Path

import dynetx

print("dynetx", version("dynetx"))


def graph_of(meetings):
    graph = dynetx.DynGraph()
    for day, one, other in sorted(meetings):
        graph.add_interaction(one, other, t=day)
    return graph


def copies(graph):
    """The graph as read from a file of events and from one of snapshots."""
    dynetx.write_interactions(graph, "events")
    dynetx.write_snapshots(graph, "snapshots")
    kinds = {"nodetype": int, "timestamptype": int}
    return dynetx.read_interactions("events", **kinds), dynetx.read_snapshots("snapshots", **kinds)


def days(graph, one, other):
    return [day for day in range(8) if graph.has_interaction(one, other, t=day)]


two = graph_of((day, 1, 2) for day in (0, 1, 2, 5, 6))
events, snapshots = copies(two)
print("file of events:", Path("events").read_text().split("\n")[:-1])
print("met on", days(two, 1, 2), "- from events", days(events, 1, 2), "from snapshots", days(snapshots, 1, 2))
counts = [graph.interactions_per_snapshots(t=0) for graph in (two, events, snapshots)]
print("meetings of day 0:", counts)
assert days(two, 1, 2) == days(snapshots, 1, 2) == [0, 1, 2, 5, 6] and days(events, 1, 2) == [0, 1, 2, 5]
assert counts == [1, 2, 1]

draw = random.Random(0)
meetings = {(draw.randrange(8), *sorted(draw.sample(range(6), 2))) for _ in range(40)}
party = graph_of(meetings)
seen = [[len(graph.interactions(t=day)) for day in range(8)] for graph in (party, *copies(party))]
print("a random network, meetings by day:", seen[0], "from events", seen[1], "from snapshots", seen[2])
assert seen[0] == seen[2] == [sum(day == when for when, *_ in meetings) for day in range(8)]
assert sum(seen[1]) < sum(seen[0]) and seen[1][1] == 4 and seen[0][1] == 6

whole = dynetx.DynGraph()
whole.add_interaction(1, 2, t=0, e=3)
daily = graph_of((day, 1, 2) for day in range(3))
print("days 0 to 2, given with the end:", whole.interactions_per_snapshots(), "day by day:", daily.interactions_per_snapshots())
assert days(whole, 1, 2) == days(daily, 1, 2) == [0, 1, 2]
assert whole.interactions_per_snapshots() == {0: 0.5, 1: 0.5, 2: 0.5} and set(daily.interactions_per_snapshots().values()) == {1}
PYTHON
