#!/usr/bin/env bash
# Surprise: weights do not pass between networkit and others in a GML file, in either direction and
# without a warning. networkx writes four friendships with weights (12.5 in all); igraph reads
# 12.5, networkit an unweighted graph of 4. networkit writes its own weighted graph: igraph finds
# no attribute and networkx gives each edge the weight 1. So the person with the strongest
# friendships changes with the reader. GraphML, METIS and edge lists of the same library keep them.
# Package: networkit 11.3, with networkx 3.6.1 and igraph 1.0.0.
# Source: https://networkit.github.io/dev-docs/index.html (graphio, on its formats);
# https://networkx.org/documentation/stable/reference/readwrite/gml.html
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check networkit==11.3 networkx==3.6.1 igraph==1.0.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import igraph
import networkit
import networkx

print("networkit", networkit.__version__, "networkx", networkx.__version__, "igraph", igraph.__version__)
graph = networkx.Graph()
graph.add_weighted_edges_from([(0, 1, 5.0), (1, 2, 2.5), (0, 2, 1.0), (2, 3, 4.0)])
kinds = networkit.graphio.Format


def strongest(graph):
    return max(graph, key=lambda node: graph.degree(node, weight="weight"))


networkx.write_gml(graph, "by_networkx.gml")
read = networkit.readGraph("by_networkx.gml", kinds.GML)
there = igraph.Graph.Read_GML("by_networkx.gml").es["weight"]
print("networkx writes GML: igraph reads", sum(there), "networkit", read.totalEdgeWeight(), "weighted:", read.isWeighted())
assert sum(there) == 12.5
assert read.numberOfEdges() == 4 and read.totalEdgeWeight() == 4.0 and not read.isWeighted()

own = networkit.nxadapter.nx2nk(graph, weightAttr="weight")
assert own.isWeighted() and own.totalEdgeWeight() == 12.5
networkit.writeGraph(own, "by_networkit.gml", kinds.GML)
back = networkx.read_gml("by_networkit.gml", label="id")
found = igraph.Graph.Read_GML("by_networkit.gml")
print("networkit writes GML: igraph finds", found.es.attributes(), "networkx", back.size(weight="weight"),
      "strongest", strongest(back), "true", strongest(graph))
assert found.ecount() == 4 and found.es.attributes() == [] and back.size(weight="weight") == 4.0
assert (strongest(graph), strongest(back)) == (1, 2)

for name, kind in (("graphml", kinds.GraphML), ("metis", kinds.METIS), ("edges", kinds.EdgeListTabZero)):
    networkit.writeGraph(own, f"kept.{name}", kind)
    again = networkit.readGraph(f"kept.{name}", kind)
    print(f"networkit writes and reads {name}:", again.totalEdgeWeight())
    assert again.isWeighted() and again.totalEdgeWeight() == 12.5
assert sum(igraph.Graph.Read_GraphML("kept.graphml").es["weight"]) == 12.5
PYTHON
