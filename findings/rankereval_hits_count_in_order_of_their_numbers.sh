#!/usr/bin/env bash
# Surprise: rankereval does not find a hit whose held-out films are listed in another order than that
# of their numbers. It looks each recommended film up by halving, in a list that it never sorts. Of
# 200 users whose recommended lists are exactly their ten held-out films, in the order of the data
# set, precision and recall are 0.37 and reciprocal rank 0.49; with the same held-out films sorted
# all are 1. NDCG is 1 both times, since its ideal loses the same films. The gain that is said to be
# 2 to the power of the relevance, less 1, is the square of the relevance, less 1: a film that
# nobody rated costs 1, a film of relevance 1 is worth nothing, and a list without a hit has an
# NDCG of -0.2.
# Package: rankereval 0.2.0 (with numpy 1.26.4, scipy 1.14.1 and numba 0.60.0).
# Source: https://github.com/microsoft/rankerEval (rankereval/data.py: rows of positive indices, and no
# order is asked for; metrics.py: the docstring of DCG has the formula); Järvelin and Kekäläinen,
# Cumulated gain-based evaluation of IR techniques, https://doi.org/10.1145/582415.582418
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    rankereval==0.2.0 numpy==1.26.4 scipy==1.14.1 numba==0.60.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import random
from importlib.metadata import version

from rankereval import AP, NDCG, BinaryLabels, NumericLabels, Precision, Rankings, Recall, ReciprocalRank

print("rankereval", version("rankereval"))
random.seed(0)
lists = [random.sample(range(100), 10) for _ in range(200)]
recommended = Rankings.from_ranked_indices(lists)
as_listed = BinaryLabels.from_positive_indices(lists)
in_order = BinaryLabels.from_positive_indices([sorted(films) for films in lists])
print("200 users, each recommended exactly the ten held-out films")
seen = {}
for metric in (Precision(10), Recall(10), ReciprocalRank(10), AP(10), NDCG(10)):
    seen[metric.name()] = tuple(
        round(float(metric.mean(held_out, recommended)), 2) for held_out in (as_listed, in_order)
    )
    print(metric.name(), "held-out films as listed", seen[metric.name()][0], "sorted", seen[metric.name()][1])
assert seen["Precision@10"] == seen["Recall@10"] == (0.37, 1.0)
assert seen["ReciprocalRank@10"] == (0.49, 1.0) and seen["NDCG@10"] == (1.0, 1.0)

one = Rankings.from_ranked_indices([[7, 2]])
both = [float(Recall(2).mean(BinaryLabels.from_positive_indices([films]), one)) for films in ([2, 7], [7, 2])]
print("films 7 and 2 recommended; recall with 2 and 7 held out", both[0], "with 7 and 2", both[1])
assert both == [1.0, 0.5]

stars = NumericLabels.from_matrix([[0, 0, 0, 0, 1, 3]])
for name, films in (("the two rated films", [5, 4]), ("two films that nobody rated", [0, 1])):
    shown = Rankings.from_ranked_indices([films])
    values = [float(NDCG(2, relevance_scaling=kind, log_base="2").mean(stars, shown)) for kind in ("identity", "power")]
    print(name, "- NDCG@2 by relevance", round(values[0], 2), "by its powers of two", round(values[1], 2))
assert round(values[0], 2) == 0 and round(values[1], 2) == -0.2
PYTHON
