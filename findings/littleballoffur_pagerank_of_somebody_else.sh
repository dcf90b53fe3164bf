#!/usr/bin/env bash
# Surprise: littleballoffur's PageRank sampler gives each person the PageRank of another, unless the
# people stand in the graph in the order of their numbers. It takes the values in the order in which
# networkx met the people, and deals them out by number. In a file of followers whose first line is
# "1 follows 0" that order is 1, 0, 2 and so on: of 200 samples of five from a hub and its 49
# followers the hub, 0, is in 14 and person 1 in 191. In the order of their numbers the hub is in
# 191, as in samples by degree in either order, and in networkit. The check of the graph sorts the
# numbers first and passes. Samples of eight from a club of 34 have 7.4 links among them on average,
# and 5.2 from the same club when its list of links is read from the end.
# Package: littleballoffur 2.3.1 (with networkx 3.4.2, networkit 11.3, pandas 1.5.3 and numpy
# 1.26.4).
# Source: https://little-ball-of-fur.readthedocs.io (nodes are drawn in proportion to their
# PageRank); Leskovec and Faloutsos, Sampling from large graphs,
# https://doi.org/10.1145/1150402.1150479; https://github.com/benedekrozemberczki/littleballoffur
# (backend.py, pagerankbasedsampler.py)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "setuptools<81" wheel
"$folder/venv/bin/pip" install -q --disable-pip-version-check networkx==3.4.2 networkit==11.3 \
    numpy==1.26.4 scipy==1.14.1 pandas==1.5.3 python-louvain==0.16 six==1.17.0 tqdm==4.67.1
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps --no-build-isolation \
    littleballoffur==2.3.1
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import networkit
import networkx
from littleballoffur import DegreeBasedSampler, PageRankBasedSampler

print("littleballoffur", version("littleballoffur"), "networkx", networkx.__version__)
people = range(50)
lines = [(follower, 0) for follower in people[1:]]    # "follower follows 0"
as_read = networkx.Graph(lines)
by_number = networkx.Graph()
by_number.add_nodes_from(people)
by_number.add_edges_from(lines)
assert networkx.utils.graphs_equal(as_read, by_number)
in_networkit = networkit.nxadapter.nx2nk(by_number)


def times_drawn(sampler, graph):
    """How many of 200 samples of five people have person 0 and how many person 1."""
    drawn = [0, 0]
    for seed in range(200):
        sample = sampler(number_of_nodes=5, seed=seed).sample(graph)
        found = set(sample.iterNodes() if graph is in_networkit else sample)
        drawn = [count + (person in found) for person, count in enumerate(drawn)]
    return drawn


seen = {
    (sampler.__name__, name): times_drawn(sampler, graph)
    for sampler in (PageRankBasedSampler, DegreeBasedSampler)
    for name, graph in (("as read", as_read), ("by number", by_number), ("networkit", in_networkit))
}
ranks = networkx.pagerank(as_read)
print("order as read:", list(as_read)[:4], "- PageRank of 0 and 1:", round(ranks[0], 3), round(ranks[1], 3))
for key, (hub, first) in seen.items():
    print(*key, "- samples of 200 with the hub:", hub, "with person 1:", first)
    swapped = key == ("PageRankBasedSampler", "as read")
    assert (first > 180 and hub < 40) if swapped else (hub > 180 and first < 40)

club = networkx.karate_club_graph()
backwards = networkx.Graph(reversed(list(club.edges)))
links = [
    sum(PageRankBasedSampler(number_of_nodes=8, seed=seed).sample(graph).number_of_edges() for seed in range(200)) / 200
    for graph in (club, backwards)
]
print("links among eight of a club, by number and from a list of links read from its end, mean of 200 samples:", links)
assert [round(mean, 1) for mean in links] == [7.4, 5.2]
PYTHON
