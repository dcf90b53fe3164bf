#!/usr/bin/env bash
# Surprise: the average popularity of DaisyRec is that of the hits alone, divided by the number of
# films that were held out. A recommender that shows all people the ten best-known films, and
# hits nothing, has popularity 0; one that shows nine unknown films and one hit that is half as well
# known has 0.45. By the formula in its own docstring, the mean over the list, they have 0.9 and
# 0.05. A protected recommender that has lost its hits seems to have lost its popularity bias.
# Package: daisyRec 2.3.0 (alone, without torch, which its metrics do not use; numpy 1.26.4,
# pandas 2.2.3).
# Source: https://github.com/recsys-benchmark/DaisyRec-v2.0 (daisy/utils/metrics.py); Abdollahpouri and
# others, The unfairness of popularity bias in recommendation, https://arxiv.org/abs/1907.13286 (the
# average popularity of the films in a list)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check numpy==1.26.4 pandas==2.2.3 setuptools==75.8.0 wheel==0.45.1
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps --no-build-isolation daisyRec==2.3.0
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from daisy.utils.metrics import Metric

print("daisyRec", version("daisyRec"))
popularity = np.r_[np.full(10, 0.9), np.full(10, 0.45), np.full(80, 0.005)]
users = list(range(10))
liked = {user: {10 + user} for user in users}
lists = {
    "ten blockbusters for all": np.tile(np.arange(10), (10, 1)),
    "one hit, nine unknown films": np.array([[10 + user, *range(20 + user, 29 + user)] for user in users]),
}
judge = Metric({"metrics": ["coverage", "popularity", "recall"], "item_num": 100, "item_pop": popularity})
found = {}
for name, shown in lists.items():
    coverage, theirs, recall = judge.run(liked, shown, users)
    found[name] = round(float(theirs), 3), round(float(popularity[shown].mean()), 4)
    print(f"{name}: recall {recall:.1f}, coverage {coverage:.2f}, popularity {found[name][0]}, mean over the list {found[name][1]}")
assert found["ten blockbusters for all"] == (0.0, 0.9)
assert found["one hit, nine unknown films"] == (0.45, 0.0495)
PYTHON
