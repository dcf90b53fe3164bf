#!/usr/bin/env bash
# Surprise: rexmex rounds the scores of a recommender to 0 and 1 while it computes its report, in
# the caller's own array. The AUC comes late in the report and is that of the rounded scores, 0.71;
# asked for alone it is 0.84, as by scikit-learn. The specificity comes first and is computed from
# the raw scores, so that it and the fall-out, 1 in sum by definition, add up to 0.97. A second
# report on the same array has another specificity, and the ranking that the scores held is lost.
# Package: rexmex 0.1.3 (with scikit-learn 1.7.2 and pandas 2.3.3).
# Source: https://rexmex.readthedocs.io (which metrics a report has; not that it changes its input);
# https://github.com/AstraZeneca/rexmex (rexmex/utils.py)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check rexmex==0.1.3 scikit-learn==1.7.2 pandas==2.3.3 numpy==2.2.6 scipy==1.15.3 six==1.17.0
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from rexmex.metricset import ClassificationMetricSet
from rexmex.scorecard import ScoreCard
from sklearn.metrics import roc_auc_score

print("rexmex", version("rexmex"))
rng = np.random.default_rng(0)
liked = rng.integers(0, 2, 1_000)
scores = 0.35 * liked + 0.75 * rng.random(1_000)


def report(array, names=None):
    metrics = ClassificationMetricSet()
    if names:
        metrics.filter_metrics(names)
    return ScoreCard(metrics).get_performance_metrics(liked, array).iloc[0]


true = roc_auc_score(liked, scores)
rounded = roc_auc_score(liked, scores >= 0.5)
alone = report(scores.copy(), ["roc_auc"])["roc_auc"]
given = scores.copy()
full = report(given)
again = report(given)

print(f"AUC of the scores: {true:.3f}; alone {alone:.3f}; in the report {full['roc_auc']:.3f}; of rounded scores {rounded:.3f}")
print(f"specificity {full['specificity']:.3f} + fall-out {full['fall_out']:.3f} = {full['specificity'] + full['fall_out']:.3f}")
print(f"specificity in a second report: {again['specificity']:.3f}")
print("values in the caller's array:", len(set(scores)), "before,", sorted(map(float, set(given))), "after")
assert np.isclose(alone, true) and np.isclose(full["roc_auc"], rounded) and true - rounded > 0.03
assert abs(full["specificity"] + full["fall_out"] - 1) > 0.02
assert np.isclose(again["specificity"] + again["fall_out"], 1)
assert set(given) == {0.0, 1.0}
PYTHON
