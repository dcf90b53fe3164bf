#!/usr/bin/env bash
# Surprise: FairRankTune's inequity of amortized attention reads the first of the rankings and returns.
# Amortized means that attention is added up over many rankings, so that a film that came last yesterday
# may come first today. Of two equally good films that take turns, each has as much attention as the
# other in the end; the package says 0.37, as of one ranking with the same film always first. With
# another day put first the same rankings have another value, 0.87 for 0.13. A recommender that shares
# attention out over time looks as unfair as one that never does.
# Package: FairRankTune 0.0.7 (with numpy 2.2.6 and pandas 2.3.3).
# Source: https://github.com/KCachel/FairRankTune (Metrics/IAA.py: its docstring has rankings and relevance
# scores in columns, and names the equation); Biega, Gummadi and Weikum, Equity of attention: amortizing
# individual fairness in rankings, https://doi.org/10.1145/3209978.3210063 (attention that is summed over
# all rankings should be proportional to relevance, summed likewise)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check FairRankTune==0.0.7 numpy==2.2.6 pandas==2.3.3
cd "$folder"
venv/bin/python - <<'PYTHON'
from collections import Counter
from importlib.metadata import version

import numpy
import pandas
from FairRankTune.Metrics import IAA

print("FairRankTune", version("FairRankTune"), "pandas", pandas.__version__)


def by_its_formula(rankings, relevance):
    """Sum over films of the difference of their attention and relevance, both summed over the rankings."""
    difference = Counter()
    for ranking in rankings:
        attention = 1 / numpy.log2(numpy.arange(2, len(ranking) + 2))
        total = sum(relevance[film] for film in ranking)
        for film, share in zip(ranking, attention / attention.sum(), strict=True):
            difference[film] += share - relevance[film] / total
    return round(float(sum(abs(value) for value in difference.values())), 2)


def measured(rankings, relevance):
    table = pandas.DataFrame(dict(enumerate(rankings)))
    return round(float(IAA(table, table.map(relevance.get))), 2), by_its_formula(rankings, relevance)


alike = {"a": 1, "b": 1}
a, b = list("ab"), list("ba")
unlike = {"a": 1, "b": 0.5}
seen = {}
for name, rankings, relevance in (
    ("a first, once", [a], alike),
    ("a first, 100 times", [a] * 100, alike),
    ("a and b in turn, 100 times", [a, b] * 50, alike),
    ("unlike films, the better first on the first day only", [a] + [b] * 99, unlike),
    ("the same, another day first", [b] * 99 + [a], unlike),
):
    seen[name] = measured(rankings, relevance)
    print(name, "- by the package", seen[name][0], "by the definition", seen[name][1])
assert list(seen.values()) == [(0.37, 0.23), (0.37, 22.63), (0.37, 0.0), (0.13, 55.51), (0.87, 55.51)]
PYTHON
