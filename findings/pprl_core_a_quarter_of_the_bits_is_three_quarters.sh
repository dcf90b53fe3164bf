#!/usr/bin/env bash
# Surprise: pprl-core's size for a Bloom filter with a given share of set bits gives that share of unset
# bits. For a quarter of set bits and 200 insertions it returns 145 bits instead of 696, and three
# quarters are set; for a tenth 88 bits, and nine tenths are set. For one half, the example of its
# documentation, both are the same. Two people who have nothing in common then have a similarity
# (Dice) of 0.75 where 0.25 was planned: at a threshold of 0.7, 187 of 200 pairs of strangers are
# linked, and none with filters of the right size. Attacks, too, meet other filters than the report states.
# Package: pprl-core 0.1.4 (with bitarray 3.4.2).
# Source: https://github.com/mjugl/pprl-core (bits.py; the docstring and the README say that the share
# of bits is set); Schnell, Bachteler and Reiher, Privacy-preserving record linkage using Bloom
# filters, https://doi.org/10.1186/1472-6947-9-41
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pprl-core==0.1.4 bitarray==3.4.2 pyphonetics==0.5.3 unidecode==1.3.8
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version
from math import ceil
from random import Random

from bitarray import bitarray
from pprl_core import bits, similarity

print("pprl-core", version("pprl-core"))
insertions, strangers = 200, 200
found = {}
for share in (0.1, 0.25, 0.5, 0.75, 0.9):
    size = bits.optimal_size(share, insertions)
    filters = []
    for person in range(2 * strangers):
        one = bitarray(size)
        bits.random_hash(one, insertions, Random(person))
        filters.append(one)
    filled = sum(one.count() for one in filters) / (size * len(filters))
    alike = [similarity.dice(one, other) for one, other in zip(filters[::2], filters[1::2], strict=True)]
    right = ceil(1 / (1 - (1 - share) ** (1 / insertions)))
    found[share] = size, right, round(filled, 2), round(sum(alike) / len(alike), 2), sum(value > 0.7 for value in alike)
    print(f"asked for {share}: {size} bits ({right} by the share of set ones), {found[share][2]} set; strangers are alike by {found[share][3]}, {found[share][4]} of {strangers} above 0.7")
    assert abs(filled - (1 - share)) < 0.01
assert found[0.25][:2] == (145, 696) and found[0.1][0] == 88 and found[0.5][0] == found[0.5][1]
assert found[0.25][4] > 170 and found[0.75][4] == 0
PYTHON
