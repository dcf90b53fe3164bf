#!/usr/bin/env bash
# Surprise: InfTDA adds less noise when people may make the same trip again and again. It has the two
# rows of its own table of sensitivities the wrong way round: for 100 trips a person it takes 14
# where a person may repeat one, and 141 where all must differ. One who moves all their trips from
# one road to another changes two counts by 100 each, 141 apart. So a release of repeated trips that
# is stated as epsilon 1 (at delta 1e-6) has ten times too little noise and is epsilon 11.6. For one trip both
# are equal, as in its example.
# Package: inf-tda 0.1 (with opendp 0.12.1 and pandas 2.3.3).
# Source: https://github.com/NynsenFaber/InfTDA_py (InfTDA/mechanism.py; the README has the table, the
# root of two m for m distinct tuples and the root of two, times m, for m tuples); Boninsegna and
# Silvestri, https://arxiv.org/abs/2412.09256; Bun and Steinke, https://arxiv.org/abs/1605.02065
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check inf-tda==0.1 opendp==0.12.1 numpy==2.2.6 pandas==2.3.3
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version
from math import log, sqrt

import numpy as np
import pandas as pd
from InfTDA import inf_tda
from InfTDA.differential_privacy import get_rho_from_budget
from InfTDA.mechanism import get_sensitivity

print("inf-tda", version("inf-tda"), "opendp", version("opendp"))
trips, budget = 100, (1.0, 1e-6)
distinct, repeated = (get_sensitivity(trips, "bounded", different) for different in (True, False))
change = np.linalg.norm(np.array([trips, 0]) - np.array([0, trips]))
print(f"sensitivity of {trips} trips: all different {distinct:.1f}, repeated {repeated:.1f}; one person who changes the road: {change:.1f}")
assert repeated < 14.2 and abs(change - 10 * repeated) < 1e-6
rho = get_rho_from_budget(budget) * (change / repeated) ** 2
epsilon = rho + 2 * sqrt(rho * log(1 / budget[1]))
print(f"epsilon of repeated trips, stated {budget[0]}: {epsilon:.1f}")
assert round(epsilon, 1) == 11.6
assert get_sensitivity(1, "bounded", True) == get_sensitivity(1, "bounded", False)

roads = pd.MultiIndex.from_product([["Pisa", "Rome"], ["car", "bus"]])
counts = pd.Series([10000] * 4, index=roads)
spread = {}
for different in (True, False):
    spread[different] = np.std([inf_tda(counts, budget, trips, "bounded", different).to_numpy() for _ in range(300)])
print(f"deviation of a count: all different {spread[True]:.0f}, repeated {spread[False]:.0f}")
assert 7 < spread[True] / spread[False] < 14
PYTHON
