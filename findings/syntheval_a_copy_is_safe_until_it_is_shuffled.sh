#!/usr/bin/env bash
# Surprise: the least private table there is, a copy of the real one, is the safest by syntheval. It
# takes two tables with equal values for one and the same table, and looks for the nearest OTHER
# person. So a copy has identifiability risk 0 and a distance to the closest record of 1, as much as
# real people have among themselves. With two of its rows swapped it has risk 1 and distance 0, and
# so it has when one age of 300 is moved. A generator that remembers everything in order passes.
# Package: syntheval 1.7.3 (with numpy 2.2.6, pandas 2.3.3 and scikit-learn 1.7.2).
# Source: https://github.com/schneiderkamplab/syntheval (utils/nn_distance.py; examples in the
# docstrings of the two metrics show 0.0 and 1.0 for equal tables and do not say that order decides);
# Yoon, Drumright and van der Schaar, ADS-GAN, https://doi.org/10.1109/JBHI.2020.2980262 (a person is at
# risk when a synthetic record is nearer than all other people)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check syntheval==1.7.3 pcametric==1.2.0 numpy==2.2.6 pandas==2.3.3 scipy==1.15.3 scikit-learn==1.7.2
cd "$folder"
MPLBACKEND=Agg venv/bin/python -W ignore - <<'PYTHON' > answer.txt
import sys
from importlib.metadata import version

import numpy as np
import pandas as pd
from syntheval import SynthEval

say = sys.stderr
print("syntheval", version("syntheval"), file=say)
real = pd.DataFrame(np.random.default_rng(0).normal(size=(300, 3)), columns=["age", "income", "height"])
moved = real.copy()
moved.loc[0, "age"] += 0.1
tables = {
    "a copy": real.copy(),
    "a copy, two rows swapped": real.iloc[[1, 0, *range(2, 300)]].reset_index(drop=True),
    "a copy, one age moved": moved,
}
for name, synthetic in tables.items():
    for distance in ("gower", "euclid"):
        judge = SynthEval(real, cat_cols=[], nn_distance=distance, verbose=False)
        values = judge.evaluate(synthetic, eps_risk={}, dcr={}).set_index("metric")["val"]
        risk, closest = values["eps_identif_risk"], values["median_DCR"]
        print(f"{name}, {distance}: risk {risk:.3f}, distance to the closest record {closest:.3f}", file=say)
        assert (risk, closest) == ((0, 1) if name == "a copy" else (1, 0))
PYTHON
