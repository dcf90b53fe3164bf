#!/usr/bin/env bash
# Surprise: igraph writes GML and leaves the underscore out of the names of attributes, without a
# warning. "opt_out" comes back as "optout", so that a filter that asks for "opt_out" and takes
# an absent value for "no" publishes everybody. Where "optout" was there as well, both are
# written under one name: igraph itself then reads the wrong one, networkx a list of both.
# networkx keeps the underscore in its own files, and igraph reads it there: only igraph's writer
# differs, so the way back is not the way out. GraphML keeps the names.
# Packages: igraph 1.0.0, read by networkx 3.6.1.
# Source: https://igraph.org/c/doc/igraph-Foreign.html (the C manual says that names are
# simplified and may then be equal; nothing is said when it happens), and
# https://networkx.org/documentation/stable/reference/readwrite/gml.html
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check igraph==1.0.0 networkx==3.6.1
cd "$folder"
venv/bin/python - <<'PYTHON'
import warnings

import igraph
import networkx

warnings.simplefilter("error")
print("igraph", igraph.__version__, "networkx", networkx.__version__)
people = igraph.Graph([(0, 1), (1, 2)])
people.vs["opt_out"] = [1, 0, 1]                     # two of three want to be left out
people.write_gml("people.gml")

back = igraph.Graph.Read_GML("people.gml")
graph = networkx.read_gml("people.gml", label="id")
kept = [node for node, data in graph.nodes(data=True) if not data.get("opt_out")]
print("igraph reads its own file:", back.vs.attributes())
print("networkx reads it:", dict(graph.nodes(data=True)))
print("published by a filter on opt_out:", kept, "should be [1]")
assert "opt_out" not in back.vs.attributes() and "optout" in back.vs.attributes()
assert kept == [0, 1, 2]

people.vs["optout"] = [0, 0, 0]                      # a second table said no for all
people.write_gml("both.gml")
back = igraph.Graph.Read_GML("both.gml")
graph = networkx.read_gml("both.gml", label="id")
print("two attributes, igraph:", back.vs["optout"])
print("two attributes, networkx:", [graph.nodes[node]["optout"] for node in graph])
assert back.vs["optout"] == [0, 0, 0]
assert graph.nodes[0]["optout"] == [1, 0]

networkx.write_gml(networkx.Graph([("a", "b", {"opt_out": 1})]), "other.gml")
assert igraph.Graph.Read_GML("other.gml").es["opt_out"] == [1]
people.write_graphml("people.graphml")
assert igraph.Graph.Read_GraphML("people.graphml").vs["opt_out"] == [1, 0, 1]
PYTHON
