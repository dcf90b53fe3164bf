#!/usr/bin/env bash
# Surprise: which friendships linkpred predicts depends on the unit of the weights, and in large
# units it predicts none. Its weighted Adamic-Adar score takes the logarithm of a sum of squared
# weights; where that sum is below 1 the logarithm is negative, and pairs with a score below 0 are
# left out. In a club of 34, 265 pairs have a score; with the weights divided by ten 238 and another
# first pair, and divided by 60, as minutes to hours, none. The weighted resource allocation of the
# same library has the same pairs and scores in every unit. The "precision at k" that it reports is
# that at k + 1: of a list that starts with a hit it says 0.5 for k = 1.
# Package: linkpred 0.6 (with networkx 3.4.2).
# Source: https://github.com/rafguns/linkpred (predictors/neighbour.py, evaluation/listeners.py;
# weight is the attribute used as weight, and no range is named); Adamic and Adar, Friends and
# neighbors on the Web, https://doi.org/10.1016/S0378-8733(03)00009-1; Lü and Zhou, Link prediction
# in weighted networks, https://doi.org/10.1209/0295-5075/89/18001 (adds one under the logarithm)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    linkpred==0.6 networkx==3.4.2 numpy==1.26.4 scipy==1.14.1
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version
from pathlib import Path

import networkx
from linkpred.evaluation import Pair, Scoresheet
from linkpred.evaluation.listeners import EvaluatingListener, PrecisionAtKListener
from linkpred.predictors import AdamicAdar, ResourceAllocation

print("linkpred", version("linkpred"), "networkx", networkx.__version__)
club = networkx.karate_club_graph()


def predicted(predictor, unit):
    graph = club.copy()
    for *_, values in graph.edges(data=True):
        values["weight"] /= unit
    return predictor(graph, excluded=graph.edges).predict(weight="weight")


found, allocated = {}, {}
for unit in (1, 10, 60):
    found[unit], allocated[unit] = predicted(AdamicAdar, unit), predicted(ResourceAllocation, unit)
    print(f"weights divided by {unit}: Adamic-Adar has", len(found[unit]), "pairs, first", *found[unit].top(1), end="")
    print(" - resource allocation has", len(allocated[unit]), "pairs, first", *allocated[unit].top(1))
assert [len(pairs) for pairs in found.values()] == [265, 238, 0]
assert list(found[1].top(1)) != list(found[10].top(1))
assert all(abs(score - allocated[60][pair]) < 1e-9 for pair, score in allocated[1].items())
assert len({len(pairs) for pairs in allocated.values()}) == 1

ranked = Scoresheet({("a", "b"): 3, ("a", "c"): 2, ("a", "d"): 1})
listener = PrecisionAtKListener("club", k=1)
EvaluatingListener(relevant={Pair("a", "b")}).on_prediction_finished(ranked, "club", "by hand")
said = Path(listener.fname).read_text().split()[-1]
print("a hit first, then two misses: precision at 1 is", said)
assert said == "0.5000"
PYTHON
