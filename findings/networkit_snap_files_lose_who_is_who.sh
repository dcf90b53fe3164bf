#!/usr/bin/env bash
# Surprise: networkit numbers the people of a SNAP file by the end of each line first, then by its
# beginning. Of the one line "10 follows 20" it makes "1 follows 0", so anyone who names the nodes
# in the order of the file turns the link around: 20 follows 10. The reader has no list of the
# ids. In five random networks of 50 people 12 to 40 % of the links are wrong in the order of the
# file, and none with the target of each line before its source. remapNodes=False keeps the ids.
# Package: networkit 11.3, against networkx 3.6.1.
# Source: https://networkit.github.io/dev-docs/index.html (SNAPGraphReader says that nodes are
# remapped, and not in what order); https://snap.stanford.edu/data/ (a line is source and target).
# The package is compiled: the rule is inferred from the output.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check networkit==11.3 networkx==3.6.1
cd "$folder"
venv/bin/python - <<'PYTHON'
import networkit
import networkx

print("networkit", networkit.__version__, "networkx", networkx.__version__)


def read(lines, remap=True, nodes=0):
    with open("people.txt", "w") as file:
        file.write("# FromNodeId\tToNodeId\n" + "".join(f"{one}\t{other}\n" for one, other in lines))
    return list(networkit.graphio.SNAPGraphReader(True, remap, nodes).read("people.txt").iterEdges())


def named(edges, lines, target_first):
    """The links by the ids of the file, where ids are numbered in the order of their first place."""
    ids = list(dict.fromkeys(one for line in lines for one in (line[::-1] if target_first else line)))
    return {(ids[one], ids[other]) for one, other in edges}


line = [(10, 20)]
print("10 follows 20:", read(line), "by the order of the file", named(read(line), line, False))
print("with remapNodes=False:", read(line, remap=False, nodes=21))
assert read(line) == [(1, 0)] and named(read(line), line, False) == {(20, 10)}
assert read(line, remap=False, nodes=21) == line
assert [name for name in dir(networkit.graphio.SNAPGraphReader(True)) if not name.startswith("_")] == ["read"]

for seed in range(5):
    network = networkx.gnp_random_graph(50, 0.08, seed=seed, directed=True)
    lines = [(100 + 7 * one, 100 + 7 * other) for one, other in network.edges()]
    edges = read(lines)
    by_file, by_target = named(edges, lines, False), named(edges, lines, True)
    wrong = 1 - len(by_file & set(lines)) / len(lines)
    print(f"network {seed}: {len(lines)} links, {wrong:.0%} wrong by the order of the file, target first all right: {by_target == set(lines)}")
    assert by_target == set(lines) and 0.05 < wrong < 0.6
PYTHON
