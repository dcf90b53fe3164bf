#!/usr/bin/env bash
# Surprise: a GraphML file may say once what holds for all who say nothing, and networkx does not
# give it to them. Here the default of "consent" is "no" and one of three people says "yes"; the
# default weight of a friendship is 2. igraph and rustworkx read no, no, yes and a weight of 7 in
# all. networkx puts the defaults aside in the attributes of the graph: the two people have no
# "consent", so that "all who did not say no" are everybody, and the weights add up to 6, since what
# has no weight counts as 1. networkit reads the same friendship with weight 0, and a sum of 5.
# Package: networkx 3.6.1 and networkit 11.3, against igraph 1.0.0 and rustworkx 0.18.1.
# Source: http://graphml.graphdrawing.org/primer/graphml-primer.html (a key may have a default, which
# holds where no data is given); https://github.com/networkx/networkx/issues/1398
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    networkx==3.6.1 networkit==11.3 igraph==1.0.0 rustworkx==0.18.1
cd "$folder"
cat > friends.graphml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="c" for="node" attr.name="consent" attr.type="string"><default>no</default></key>
  <key id="w" for="edge" attr.name="weight" attr.type="double"><default>2.0</default></key>
  <graph id="friends" edgedefault="undirected">
    <node id="ann"><data key="c">yes</data></node>
    <node id="bob"/>
    <node id="cai"/>
    <edge source="ann" target="bob"><data key="w">5.0</data></edge>
    <edge source="bob" target="cai"/>
  </graph>
</graphml>
XML
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import igraph
import networkit
import networkx
import rustworkx

tools = "networkx", "networkit", "igraph", "rustworkx"
print(*(f"{tool} {version(tool)}" for tool in tools))
file = "friends.graphml"
read = networkx.read_graphml(file)
by_igraph = igraph.Graph.Read_GraphML(file)
(by_rustworkx,) = rustworkx.read_graphml(file)
by_networkit = networkit.readGraph(file, networkit.Format.GraphML)
consent = {
    "networkx": [read.nodes[name].get("consent") for name in ("ann", "bob", "cai")],
    "igraph": by_igraph.vs["consent"],
    "rustworkx": [person["consent"] for person in by_rustworkx.nodes()],
}
weight = {
    "networkx": read.size(weight="weight"),
    "networkit": by_networkit.totalEdgeWeight(),
    "igraph": sum(by_igraph.es["weight"]),
    "rustworkx": sum(friends["weight"] for friends in by_rustworkx.edges()),
}
for tool in tools:
    print(f"{tool}: consent {consent.get(tool, 'not read')}, weight {weight[tool]}")
print("networkx keeps aside:", read.graph)
assert consent["networkx"] == ["yes", None, None]
assert consent["igraph"] == consent["rustworkx"] == ["yes", "no", "no"]
assert weight == {"networkx": 6, "networkit": 5, "igraph": 7, "rustworkx": 7}
PYTHON
