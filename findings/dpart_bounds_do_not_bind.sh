#!/usr/bin/env bash
# Surprise: dpart publishes the true range and quantiles of a column at every epsilon, also where bounds
# are given, which its documentation asks for so that nothing leaks. It stretches the data onto the bounds
# and back, so that the smallest and largest true values stand at the ends, and cuts the bins, called
# uniform, at quantiles; only the counts get noise. For 201 people from 30 to 40 and one of 117, with bounds
# of 0 and 150 and epsilon 0.000001, 12 of 20 synthetic tables have somebody above 40, up to 117; without
# the one no table has. PrivBayes drops the bounds that it is given. The epsilon reported is the one asked for.
# Package: dpart 0.1.2 (with diffprivlib 0.6.2, scikit-learn 1.1.3, numpy 1.23.5 and pandas 1.5.3).
# Source: https://github.com/hazy/dpart (README: bounds ensure that no further leakage happens, and uniform
# binning; dpart/dpart.py, methods/utils/bin_encoder.py); Mahiou, Xu and Ganev, dpart: differentially
# private autoregressive tabular, https://arxiv.org/abs/2207.05810
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps dpart==0.1.2 diffprivlib==0.6.2 scikit-learn==1.1.3 numpy==1.23.5 pandas==1.5.3 scipy==1.10.1 joblib==1.2.0 threadpoolctl==3.1.0 python-dateutil==2.8.2 pytz==2022.7 six==1.16.0 tqdm==4.64.1 setuptools==75.8.0
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
import pandas as pd
from dpart.engines import Independent, PrivBayes

print("dpart", version("dpart"), "diffprivlib", version("diffprivlib"))
bounds = {"age": {"min": 0, "max": 150}}
ages = [float(30 + person % 11) for person in range(201)]


def releases(people, epsilon):
    oldest = []
    for seed in range(20):
        np.random.seed(seed)
        model = Independent(epsilon=epsilon, bounds=bounds)
        model.fit(pd.DataFrame({"age": people}))
        assert model.epsilon == epsilon
        oldest.append(model.sample(1000)["age"].max())
    return np.array(oldest)


for epsilon in (1.0, 0.01, 0.000001):
    without, with_one = releases([*ages, 40.0], epsilon), releases([*ages, 117.0], epsilon)
    found = int((without > 40).sum()), int((with_one > 40).sum())
    print(f"epsilon {epsilon}: somebody above 40 in {found[0]} of 20 releases, oldest {without.max():.1f}; with one of 117 in {found[1]}, oldest {with_one.max():.1f}")
    assert found[0] == 0 and found[1] >= 8
    assert 39 < without.max() <= 40 and 110 < with_one.max() <= 117
kept = PrivBayes(epsilon=1.0, bounds=bounds).bounds
print("bounds that PrivBayes keeps:", kept)
assert kept == {}
PYTHON
