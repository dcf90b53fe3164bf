#!/usr/bin/env bash
# Surprise: synthgauge looks for copies of the outliers among all who are none. Its distance from the
# synthetic table to the nearest real outlier keeps the people whose outlier factor is below the
# threshold, and these are the ordinary ones. A synthetic table with an exact copy of the one
# millionaire among 200 real people is 274 away, which is safe; one that copies an ordinary person and
# has nobody near the millionaire is 0 away. Without the filter the first is 0. A higher threshold
# should leave fewer outliers: at a million all people are.
# Package: synthgauge 2.2.0 (with pandas 2.2.3, scikit-learn 1.5.2 and matplotlib 3.8.4).
# Source: https://github.com/datasciencecampus/synthgauge (metrics/privacy.py; outliers_only, the
# default, is said to leave the inliers out, and a higher threshold to leave fewer outliers);
# https://scikit-learn.org/stable/modules/generated/sklearn.neighbors.LocalOutlierFactor.html (inliers
# are near 1, outliers above)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check synthgauge==2.2.0 pandas==2.2.3 numpy==1.26.4 scipy==1.15.3 scikit-learn==1.5.2 matplotlib==3.8.4
cd "$folder"
MPLBACKEND=Agg venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
import pandas as pd
from synthgauge.metrics.privacy import min_nearest_neighbour

print("synthgauge", version("synthgauge"), "scikit-learn", version("scikit-learn"))
rng = np.random.default_rng(0)


def people(income):
    return pd.DataFrame({"income": rng.normal(income, 5, 200), "age": rng.normal(45, 10, 200)})


real = pd.concat([people(30), pd.DataFrame({"income": [900.0], "age": [70.0]})], ignore_index=True)
strangers = people(330)
tables = {
    "copies the millionaire": pd.concat([strangers, real.tail(1)], ignore_index=True),
    "copies an ordinary person": pd.concat([strangers, real.head(1)], ignore_index=True),
}
found = {}
for name, synthetic in tables.items():
    for asked in ({}, {"threshold": 1e6}, {"outliers_only": False}):
        found[name, *asked] = min_nearest_neighbour(real, synthetic, **asked)
        print(f"{name}, {asked or 'as by default'}: {found[name, *asked]:.1f}")
assert 270 < found["copies the millionaire",] < 280 and found["copies an ordinary person",] == 0
assert all(found[name, key] == 0 for name in tables for key in ("threshold", "outliers_only"))
PYTHON
