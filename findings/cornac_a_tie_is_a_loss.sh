#!/usr/bin/env bash
# Surprise: cornac's AUC counts a tie as a loss. A recommender that gives all films the same score
# knows nothing and has 0.0, not 0.5; one that ranks groups of films (by whole stars, by a noisy
# community, by popularity in a small table) is worse than chance by as much as it ties. With
# random stars from 1 to 5 that have nothing to do with the likes the AUC is 0.4; 0.5 by
# scikit-learn, and by cornac when the stars get a fraction too small to change their order.
# Package: cornac 3.0.1, against scikit-learn 1.7.2.
# Source: https://github.com/PreferredAI/cornac; the class AUC compares with > alone, and its
# docstring names no rule for ties.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check cornac==3.0.1 scikit-learn==1.7.2
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from cornac.metrics import AUC
from sklearn.metrics import roc_auc_score

print("cornac", version("cornac"), "scikit-learn", version("scikit-learn"))
films = np.arange(10_000)
rng = np.random.default_rng(0)
liked = rng.random(len(films)) < 0.1
stars = rng.integers(1, 6, len(films)).astype(float)
scores = {
    "the same for all": np.zeros(len(films)),
    "random stars": stars,
    "random stars and a fraction": stars + rng.random(len(films)) / 10,
}
found = {}
for name, given in scores.items():
    theirs = AUC().compute(item_indices=films, pd_scores=given, gt_pos=films[liked])
    found[name] = float(theirs), float(roc_auc_score(liked, given))
    print(f"{name}: cornac {found[name][0]:.3f}, scikit-learn {found[name][1]:.3f}")
assert found["the same for all"] == (0.0, 0.5)
assert abs(found["random stars"][0] - 0.4) < 0.02 < abs(found["random stars"][0] - found["random stars"][1])
assert np.isclose(*found["random stars and a fraction"])
PYTHON
