#!/usr/bin/env bash
# Surprise: in diff-priv-laplace-python the median, minimum and maximum get the noise of a count, in any
# unit. The sensitivity of all three is 1 in the code, and bounds cannot be given. Of a thousand incomes
# between 24,000 and 36,000, the private maximum at epsilon 1 is 1,000,000, give or take 12, in all of 2,000
# answers if there is a millionaire, and 36,000 otherwise. With incomes in millions, the same noise hides
# even the millionaire. Of eleven people, one can move the median by 40,000: at epsilon 1, every
# answer reveals what this person earns. The mean and the sum of the package ask for bounds.
# Package: diff-priv-laplace-python 1.0.5 (with numpy 2.2.6).
# Source: https://github.com/aleph-research/diff-priv-laplace-python (global_sensitivity/median.py, max.py,
# min.py); Nissim, Raskhodnikova and Smith, Smooth sensitivity and sampling in private data analysis,
# https://doi.org/10.1145/1250790.1250803 (the global sensitivity of median and maximum is the whole range)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check diff-priv-laplace-python==1.0.5 numpy==2.2.6
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from diffpriv_laplace import DiffPrivStatistics

print("diff-priv-laplace-python", version("diff-priv-laplace-python"))
np.random.seed(0)
incomes = np.linspace(24_000, 36_000, 1000)
rich = np.append(incomes, 1e6)


def answers(statistic, data, times=2000):
    return np.array([getattr(DiffPrivStatistics, statistic)(data, 1.0) for _ in range(times)])


for unit, factor in (("euros", 1), ("millions", 1e-6)):
    for name, people in (("without the millionaire", incomes), ("with", rich)):
        found = answers("max", people * factor)
        print(f"maximum in {unit}, {name}: {found.min():.2f} to {found.max():.2f}")
        assert np.abs(found - people.max() * factor).max() < 12
few = np.array([10_000.0] * 5 + [50_000.0] * 5)
poor, wealthy = answers("median", np.append(few, 10_000.0)), answers("median", np.append(few, 50_000.0))
print(f"median of eleven, one of them replaced: {poor.min():.0f} to {poor.max():.0f}, {wealthy.min():.0f} to {wealthy.max():.0f}")
assert poor.max() < 10_020 and wealthy.min() > 49_980
print("spread of the noise of the minimum:", answers("min", incomes).std(), "of a count:", np.sqrt(2))
assert abs(answers("min", incomes).std() - np.sqrt(2)) < 0.15
PYTHON
