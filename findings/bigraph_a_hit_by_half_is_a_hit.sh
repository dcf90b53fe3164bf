#!/usr/bin/env bash
# Surprise: bigraph predicts which user will like which film and counts a pair as right if its user
# OR its film occurs anywhere among the held-out likes. So 99 % of the predicted pairs are "right"
# where 11 % are, and its AUC no longer depends on the likes: 0.36 for a network of two tastes and
# 0.34 for one without any taste. scikit-learn, pair by pair, has 0.80 and 0.45 for the same scores.
# By bigraph's number noise that erases all tastes costs nothing.
# Package: bigraph 0.1rc7 (with networkx 3.4.2, numpy 1.26.4 and scikit-learn 1.7.2).
# Source: https://github.com/bi-graph/Bigraph (evaluation/evaluation.py asks whether a pair is in an
# array of pairs); https://numpy.org/doc/stable/reference/generated/numpy.ndarray.__contains__.html
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check bigraph==0.1rc7 networkx==3.4.2 numpy==1.26.4 scikit-learn==1.7.2 matplotlib==3.9.4
cd "$folder"
MPLBACKEND=Agg venv/bin/python - <<'PYTHON'
import contextlib
import io
from importlib.metadata import version

import networkx
import numpy as np
from bigraph.bigraph import cn_predict
from bigraph.evaluation.evaluation import evaluate
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold

print("bigraph", version("bigraph"))


def network(same, other):
    """30 users, 20 films, two tastes; the chance of a like of one's own taste and of the other."""
    rng = np.random.default_rng(0)
    result = networkx.Graph()
    result.add_nodes_from([f"user {i}" for i in range(30)], bipartite=0)
    result.add_nodes_from([f"film {i}" for i in range(20)], bipartite=1)
    for user in range(30):
        for film in range(20):
            if rng.random() < (same if user % 2 == film % 2 else other):
                result.add_edge(f"user {user}", f"film {film}")
    return result


def quiet(function, *arguments, **options):
    with contextlib.redirect_stdout(io.StringIO()):
        return function(*arguments, **options)


def compare(likes):
    """AUC by bigraph and, for the same folds and scores, by pair; the share of pairs taken for right."""
    np.random.seed(0)
    _, reported, *_ = quiet(evaluate, likes, k=5, method="cn")["cn"]
    np.random.seed(0)
    by_pair, by_half, right, taken = [], [], [], []
    for _, held_out in KFold(n_splits=5, shuffle=True).split(list(likes.edges)):
        test = [list(likes.edges)[i] for i in held_out]
        train = likes.copy()
        train.remove_edges_from(test)
        scores = quiet(cn_predict, train)
        names = {name for pair in test for name in pair}
        pairs = [pair in set(test) for pair in scores]
        halves = [bool(names & set(pair)) for pair in scores]
        right.append(np.mean(pairs))
        taken.append(np.mean(halves))
        by_pair.append(roc_auc_score(pairs, list(scores.values())))
        by_half.append(roc_auc_score(halves, list(scores.values())))
    assert np.isclose(reported, np.mean(by_half))
    return reported, np.mean(by_pair), np.mean(right), np.mean(taken)


results = {"two tastes": compare(network(0.7, 0.03)), "no taste": compare(network(0.365, 0.365))}
for name, (reported, by_pair, right, taken) in results.items():
    print(f"{name}: AUC by bigraph {reported:.3f}, pair by pair {by_pair:.3f}; pairs held out {right:.0%}, counted as right {taken:.0%}")
assert results["two tastes"][1] - results["no taste"][1] > 0.25
assert abs(results["two tastes"][0] - results["no taste"][0]) < 0.1
PYTHON
