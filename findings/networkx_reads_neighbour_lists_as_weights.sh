#!/usr/bin/env bash
# Surprise: a Pajek file may list the neighbours of a node on one line, under *Edgeslist.
# networkx reads such a line as ONE edge and takes the second neighbour for its weight; the
# others are lost. No error, no warning. igraph reads the same file as it is meant. Whoever
# checks degrees or k-degree anonymity in networkx checks another graph than the published one.
# Package: networkx 3.6.1, against igraph 1.0.0.
# Source: the Pajek manual, http://mrvar.fdv.uni-lj.si/pajek/pajekman.pdf, and
# https://docs.gephi.org/desktop/User_Manual/Import/Pajek_NET_Format, both with *edgeslist as
# lists of neighbours; networkx on its reader:
# https://networkx.org/documentation/stable/reference/readwrite/pajek.html
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check networkx==3.6.1 igraph==1.0.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import warnings

import igraph
import networkx

warnings.simplefilter("error")
print("networkx", networkx.__version__, "igraph", igraph.__version__)
text = """*Vertices 6
1 "ann"
2 "bob"
3 "cem"
4 "dora"
5 "eve"
6 "finn"
*Edgeslist
1 2 3 4 5
2 3
3 6 4
"""
with open("friends.net", "w") as out:
    out.write(text)

right = igraph.Graph.Read_Pajek("friends.net")
wrong = networkx.read_pajek("friends.net")
degrees = dict(zip(right.vs["name"], right.degree()))
print("igraph:  ", right.ecount(), "edges, degrees", degrees)
print("networkx:", wrong.size(), "edges, degrees", dict(wrong.degree()))
print("networkx:", list(wrong.edges(data="weight")))
assert right.ecount() == 7 and degrees["ann"] == 4
assert wrong.size() == 3 and wrong.degree("ann") == 1
assert wrong["ann"]["bob"][0]["weight"] == 3.0      # cem, read as a number
assert wrong.degree("eve") == 0 and degrees["eve"] == 1
PYTHON
