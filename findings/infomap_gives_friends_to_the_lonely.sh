#!/usr/bin/env bash
# Surprise: infomap puts a person without any link into a group of friends. In two triangles that
# share one link the lonely person gets the number of one of them for some seeds and a number of
# their own for others, with the same code length, so that no choice among runs can mend it. Of
# twenty lonely people one always gets friends. Averages by community then count, or publish,
# somebody who belongs to none.
# Package: infomap 2.16.0.
# Source: https://www.mapequation.org/infomap/; Rosvall and Bergstrom, Maps of random walks on
# complex networks, https://doi.org/10.1073/pnas.0706851105 (modules are where a walk stays; no
# walk reaches a node without links). The source is compiled: the cause is not read.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check infomap==2.16.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import warnings
from collections import Counter
from importlib.metadata import version

from infomap import Infomap

warnings.simplefilter("ignore")                              # the old names of three methods
print("infomap", version("infomap"))
friends = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)]


def with_friends(lonely, seed):
    """How many people without a link share the module of a triangle, and the code length."""
    search = Infomap(silent=True, seed=seed)
    for person in range(6 + lonely):
        search.add_node(person)
    for one, other in friends:
        search.add_link(one, other)
    search.run()
    module = dict(search.get_modules())
    assert module[0] != module[5] and len(module) == 6 + lonely
    shared = sum(module[person] in (module[0], module[5]) for person in range(6, 6 + lonely))
    return shared, round(search.codelength, 9)


for lonely in (1, 2, 20):
    runs = [with_friends(lonely, seed) for seed in range(1, 41)]
    print(lonely, "without links:", dict(Counter(shared for shared, _ in runs)), "(with friends: runs of 40), code lengths", {length for _, length in runs})
    assert len({length for _, length in runs}) == 1
    assert any(shared for shared, _ in runs)
    assert lonely != 1 or {shared for shared, _ in runs} == {0, 1}
    assert lonely != 20 or {shared for shared, _ in runs} == {1}
PYTHON
