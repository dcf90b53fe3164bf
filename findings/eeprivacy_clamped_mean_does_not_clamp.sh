#!/usr/bin/env bash
# Surprise: the clamped mean of eeprivacy clamps nobody. Its bounds set the noise and cut the result;
# the values themselves go in as they are, though the sum of the same package clamps them. One
# household of a thousand that used a million units, where 0 to 10 was given as the range, moves the
# mean from 2 to 10 in each of 2,000 answers at epsilon 1, so its presence is read with certainty;
# after clamping by hand the two answers cannot be told apart. With 100,000 households the mean is
# published as 10 all the same.
# Package: eeprivacy 0.0.5 (with numpy 1.26.4 and pandas 2.2.3).
# Source: https://github.com/openeemeter/eeprivacy (operations.py; the class is said to bound the
# sensitivity by clamping); https://openeemeter.github.io/eeprivacy/
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check eeprivacy==0.0.5 pandas==2.2.3 numpy==1.26.4 scipy==1.15.3
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from eeprivacy.operations import PrivateClampedMean, PrivateClampedSum

print("eeprivacy", version("eeprivacy"))
np.random.seed(0)
bounds = {"lower_bound": 0.0, "upper_bound": 10.0}


def answers(operation, values, times=2000):
    return np.array([operation(**bounds).execute(values=values, epsilon=1) for _ in range(times)])


plain = np.full(1000, 2.0)
large = plain.copy()
large[0] = 1e6
means = {
    "all use 2": answers(PrivateClampedMean, plain),
    "one uses 1,000,000": answers(PrivateClampedMean, large),
    "the same, clamped by hand": answers(PrivateClampedMean, np.clip(large, 0, 10)),
}
for name, found in means.items():
    print(f"{name}: mean {found.mean():.3f}, from {found.min():.3f} to {found.max():.3f}")
sums = answers(PrivateClampedSum, plain), answers(PrivateClampedSum, large)
print("sums:", [round(found.mean()) for found in sums])
crowd = answers(PrivateClampedMean, np.r_[1e6, np.full(99_999, 2.0)], 20)
print("100,000 households:", crowd.mean())

assert (means["one uses 1,000,000"] == 10).all() and means["all use 2"].max() < 2.2
assert (crowd == 10).all()
assert abs(means["the same, clamped by hand"].mean() - means["all use 2"].mean()) < 0.02
assert abs(sums[1].mean() - sums[0].mean() - 8) < 2
PYTHON
