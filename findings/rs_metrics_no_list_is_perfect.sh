#!/usr/bin/env bash
# Surprise: no list is perfect by the redundancy-aware NDCG of rs-metrics, and the longer it is the
# less a perfect one is worth. The best list that there is gets its first film of each aspect at full
# gain, the second at half and so on; the package compares with a list in which all films have full
# gain. For a user with two aspects a list of right films in turn has 1.0 at k = 2, 0.82 at 4,
# 0.53 at 10 and 0.35 at 20, where by the definition each has 1. A film that the user did not want
# also uses up its aspect: two hits after two misses have 0.18 if the misses are of the same aspects,
# and 0.36 if they are of none.
# Package: rs-metrics 0.6.0 (with numpy 1.26.4 and pandas 2.2.3).
# Source: https://github.com/darel13712/rs_metrics (rs_metrics/metrics.py: a_ndcg measures quality and
# diversity); Clarke and others, Novelty and diversity in information retrieval evaluation,
# https://doi.org/10.1145/1390334.1390446 (the ideal gain vector is that of the best order; only
# documents that contain an aspect make it redundant)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    rs-metrics==0.6.0 numpy==1.26.4 pandas==2.2.3
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version
from itertools import permutations
from math import log2

from rs_metrics import a_ndcg

print("rs-metrics", version("rs-metrics"))


def gain(films, liked, aspects, alpha=0.5):
    total, seen = 0.0, [0] * len(aspects)
    for place, film in enumerate(films):
        for number, aspect in enumerate(aspects):
            if film in liked and film in aspect:
                total += (1 - alpha) ** seen[number] / log2(place + 2)
                seen[number] += 1
    return total


four, halves = [0, 1, 2, 3], [[0, 2], [1, 3]]
assert max(permutations(four), key=lambda films: gain(films, four, halves)) == (0, 1, 2, 3)

values = {}
for k in (2, 4, 10, 20):
    films = list(range(k))
    aspects = [films[::2], films[1::2]]
    values[k] = round(float(a_ndcg({1: films}, {1: films}, {1: aspects}, k=k)), 2)
    print(f"{k} right films, two aspects in turn: {values[k]}")
assert values == {2: 1.0, 4: 0.82, 10: 0.53, 20: 0.35}

best = max(float(a_ndcg({1: four}, {1: list(films)}, {1: halves}, k=4)) for films in permutations(four))
print("the highest value of all 24 orders of four films is", round(best, 2))
assert round(best, 2) == 0.82

aspects = [["a", "b"], ["c", "d"]]
same = float(a_ndcg({1: ["b", "d"]}, {1: ["a", "c", "b", "d"]}, {1: aspects}, k=4))
none = float(a_ndcg({1: ["b", "d"]}, {1: ["x", "y", "b", "d"]}, {1: aspects}, k=4))
by_definition = [gain(films, "bd", aspects) for films in ("acbd", "xybd")]
print("two hits after two misses of their aspects", round(same, 2), "of no aspect", round(none, 2), end=" ")
print("- gains by definition", *(round(value, 2) for value in by_definition))
assert by_definition[0] == by_definition[1] and none == 2 * same
PYTHON
