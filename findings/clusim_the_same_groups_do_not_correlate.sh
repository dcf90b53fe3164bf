#!/usr/bin/env bash
# Surprise: two equal groupings have a Pearson correlation of 0.00002 by clusim. The product below the line
# should be under a root; without it the value of 30 people in three groups is divided by 40,500, and
# more people bring it nearer to 0: whoever looks for values near 1 finds none. The quality of overlap
# has the joint entropy added where it is to be subtracted, as in any mutual information. So people who
# belong to one or two groups, compared with themselves, have 3, and with memberships that have nothing to
# do with them 4: the worse, the better, and cdlib hands this number on under its own name. Southwood's
# index, said to be between 0 and 1, is 1 for equal groupings and 6.6 if one person of 30 moved. The
# adjusted mutual information with natural logarithms subtracts nats from bits: 1.47, where 1 is the most.
# Package: clusim 0.4 (with numpy 2.2.6, scipy 1.15.3, networkx 3.4.2 and igraph 0.11.8).
# Source: https://github.com/Hoosier-Clusters/clusim (sim.py; its formula of the correlation lacks the root,
# too, and says from -1 to 1); Ahn, Bagrow and Lehmann, Link communities reveal multiscale complexity in
# networks, https://doi.org/10.1038/nature09182 (overlap quality: mutual information);
# https://cdlib.readthedocs.io/en/latest/reference/evaluation.html (overlap_quality, southwood_index)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    clusim==0.4 numpy==2.2.6 scipy==1.15.3 networkx==3.4.2 mpmath==1.3.0 igraph==0.11.8 python-igraph==0.11.8
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from collections import Counter
from importlib.metadata import version
from itertools import combinations
from math import e

import numpy
from clusim import sim
from clusim.clustering import Clustering

print("clusim", version("clusim"), "numpy", numpy.__version__)


def grouping(of):
    return Clustering(elm2clu_dict={person: list(groups) for person, groups in enumerate(of)})


def correlation(one, other):
    """Pearson's correlation of "in the same group" over all pairs of people."""
    pairs = list(combinations(range(len(one)), 2))
    return float(numpy.corrcoef(*([groups[a] == groups[b] for a, b in pairs] for groups in (one, other)))[0, 1])


three = [[person // 10] for person in range(30)]
moved = [[1], *three[1:]]
mixed = [[person % 3] for person in range(30)]
seen = {}
for name, other in (("itself", three), ("one person moved", moved), ("another grouping", mixed)):
    pair = grouping(three), grouping(other)
    seen[name] = float(sim.pearson_correlation(*pair)), correlation(three, other), float(sim.southwood_index(*pair))
    print(f"three groups and {name}: correlation {seen[name][0]:.6f} over pairs {seen[name][1]:.2f} Southwood {seen[name][2]:.2f}")
assert [round(values[0], 6) for values in seen.values()] == [0.000025, 0.000022, -0.000002]
assert [round(values[1], 2) for values in seen.values()] == [1.0, 0.9, -0.06]
assert [round(values[2], 2) for values in seen.values()] == [1.0, 6.63, 0.18]

values = [round(float(sim.adj_mi(grouping(three), grouping(three), logbase=base)), 2) for base in (2, e)]
print("adjusted mutual information of three groups and themselves, in bits", values[0], "in nats", values[1])
assert values == [1, 1.47]


def information(one, other):
    """Mutual information of the numbers of groups that each person is in, in bits."""
    joint, first, second = Counter(zip(one, other, strict=True)), Counter(one), Counter(other)
    people = len(one)
    return sum(n / people * numpy.log2(n * people / (first[a] * second[b])) for (a, b), n in joint.items())


every_second = [[0] if person % 2 else [0, 1] for person in range(40)]
unrelated = [[0] if person // 2 % 2 else [0, 1] for person in range(40)]
qualities = []
for name, other in (("itself", every_second), ("unrelated memberships", unrelated)):
    found = sim.overlap_quality(grouping(every_second), grouping(other)), information(*(list(map(len, g)) for g in (every_second, other)))
    qualities.append(tuple(round(float(value), 2) for value in found))
    print("one or two groups and", name, "- overlap quality", qualities[-1][0], "mutual information", qualities[-1][1])
assert qualities == [(3, 1), (4, 0)]
PYTHON
