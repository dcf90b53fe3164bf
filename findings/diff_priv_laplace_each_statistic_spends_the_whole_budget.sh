#!/usr/bin/env bash
# Surprise: the sequential query of diff-priv-laplace-python divides its budget only if the statistics are
# in a list. Its README says that the budget is divided by the number of queries; its first example asks
# for the mean and the variance of one data set, without a list. There, each gets the whole budget, so
# epsilon 1 is spent twice, and four times if four statistics are asked for. The same question in a list of
# one gets twice, or four times, the noise. In this example, the sequential query has exactly the noise of
# the parallel one, which is for disjoint data.
# Package: diff-priv-laplace-python 1.0.5 (with numpy 2.2.6).
# Source: https://github.com/aleph-research/diff-priv-laplace-python (query/sequential_statistics.py; README,
# sequential composition, and its example for a single data slice)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check diff-priv-laplace-python==1.0.5 numpy==2.2.6
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from diffpriv_laplace import DiffPrivParallelStatisticsQuery, DiffPrivSequentialStatisticsQuery, DiffPrivStatisticKind

print("diff-priv-laplace-python", version("diff-priv-laplace-python"))
data = np.array([*range(20), 100.0])
kind = DiffPrivStatisticKind


def noise(query, data, kinds, statistic, axis=None):
    np.random.seed(0)
    return np.std([query.query(data, kinds, 1.0, axis=axis)[0][statistic] for _ in range(3000)])


for name, kinds, number in (("two statistics", kind.mean | kind.variance, 2), ("four", kind.mean | kind.variance | kind.sum | kind.median, 4)):
    for statistic in (kind.mean, kind.variance):
        plain = noise(DiffPrivSequentialStatisticsQuery, data, kinds, statistic)
        listed = noise(DiffPrivSequentialStatisticsQuery, data[None, :], [kinds], statistic, axis=1)
        parallel = noise(DiffPrivParallelStatisticsQuery, data, kinds, statistic)
        alone = noise(DiffPrivSequentialStatisticsQuery, data, statistic, statistic)
        print(f"{name}, noise of the {statistic.name}: {plain:.1f}; in a list {listed:.1f}; in parallel {parallel:.1f}; asked for alone {alone:.1f}")
        assert plain == parallel and abs(plain / alone - 1) < 0.1
        assert abs(listed / plain / number - 1) < 0.1
PYTHON
