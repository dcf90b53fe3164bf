#!/usr/bin/env bash
# Surprise: networkit reads a file of users and films in the KONECT format and makes user 1 and film
# 1 one node. Both are numbered from 1, and "bip" in the first line says that the two numbers are of
# two kinds; the reader takes bip for an undirected network of one kind. A like of film 1 by user 1
# becomes a link to oneself, "1 likes 2" and "2 likes 1" become one. Of 40 users, 40 films and
# 480 likes 40 nodes are left, fewer links and wrong degrees; two groups of taste that share no like
# are one component. Where there are more films than users an error is logged, and the graph is
# returned all the same.
# Package: networkit 11.3, against networkx 3.6.1.
# Source: https://github.com/kunegis/konect-handbook (the second line counts links, left and right
# nodes; a file of bip holds rows and columns of a matrix of left by right nodes);
# https://networkit.github.io/dev-docs/cpp_api/classNetworKit_1_1KONECTGraphReader.html (no
# exception for bip is named)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check networkit==11.3 networkx==3.6.1 numpy==2.4.6
cd "$folder"
venv/bin/python - <<'PYTHON'
import networkit
import networkx
import numpy as np

print("networkit", networkit.__version__, "networkx", networkx.__version__)


def read(likes, users, films):
    with open("likes", "w") as file:
        file.write(f"% bip unweighted\n% {len(likes)} {users} {films}\n")
        file.writelines(f"{user} {film}\n" for user, film in likes)
    return networkit.graphio.KONECTGraphReader().read("likes")


square = read([(1, 1), (1, 2), (2, 1), (2, 2)], 2, 2)
print("two users, two films, four likes:", square.numberOfNodes(), "nodes", list(square.iterEdges()))
assert square.numberOfNodes() == 2 and sorted(square.iterEdges()) == [(0, 0), (0, 1), (1, 1)]

size = 40
rng = np.random.default_rng(0)
likes = []
for user in range(size):
    liked = rng.choice(size // 2, 12, replace=False)
    likes += [(user + 1, 2 * film + 1 + user // (size // 2)) for film in sorted(liked)]
graph = read(likes, size, size)
right = networkx.Graph()
right.add_nodes_from([("user", i + 1) for i in range(size)] + [("film", i + 1) for i in range(size)])
right.add_edges_from((("user", user), ("film", film)) for user, film in likes)
parts = networkit.components.ConnectedComponents(graph)
parts.run()
degrees = [graph.degree(user) for user in range(size)]
print("nodes", graph.numberOfNodes(), "for", len(right), "; likes", graph.numberOfEdges(), "for", right.number_of_edges())
print("links to oneself:", graph.numberOfSelfLoops())
print("groups:", parts.numberOfComponents(), "for", networkx.number_connected_components(right))
print("films of a user:", min(degrees), "to", max(degrees), "for 12")
assert (graph.numberOfNodes(), len(right)) == (size, 2 * size)
assert graph.numberOfEdges() < right.number_of_edges() == 480 and graph.numberOfSelfLoops() > 0
assert (parts.numberOfComponents(), networkx.number_connected_components(right)) == (1, 2)
assert min(degrees) > 12
PYTHON
