#!/usr/bin/env bash
# Surprise: anonymeter never singles out a person whose town has an apostrophe. It writes a
# backslash before the apostrophe and then compares the text itself, so that "L'Aquila" is looked
# for as "L\'Aquila" and found nowhere. Here half of the synthetic table is a copy of the real
# people and half is made up. The risk is 0.5 where the copied people are of Aquila, and 0 where
# they are of L'Aquila; the one warning compares with random guesses. O'Neil is as safe.
# Package: anonymeter 1.1.0 (with polars 2.1.0).
# Source: Giomi and others, A unified framework for quantifying privacy risk in synthetic data,
# https://doi.org/10.56553/popets-2023-0055 (a guess succeeds when its condition holds for one
# record); https://github.com/statice/anonymeter
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check anonymeter==1.1.0 polars==2.1.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import warnings
from importlib.metadata import version

import numpy as np
import pandas as pd
from anonymeter.evaluators import SinglingOutEvaluator

warnings.filterwarnings("ignore", message="Attack is as good or worse")
print("anonymeter", version("anonymeter"), "polars", version("polars"))


def people(town, seed):
    """500 people of one town, with a job, a car and a pet of forty each."""
    draw = np.random.default_rng(seed)
    kinds = {kind: [f"{kind} {one}" for one in draw.integers(0, 40, 500)] for kind in ("job", "car", "pet")}
    return pd.DataFrame({"town": town, **kinds})


def risk(town, copied):
    real, control = people(town, 1), people(town, 2)
    synthetic = pd.concat([real if copied else people(town, 3), people("Roma", 4)])
    judge = SinglingOutEvaluator(real, synthetic, n_attacks=200, n_cols=4, control=control, seed=1)
    judge.evaluate(mode="multivariate")
    assert judge.results().n_attacks_ori == 200
    return float(judge.risk().value), judge.results().n_success


seen = {}
for town in ("Aquila", "L'Aquila", "Neil", "O'Neil"):
    seen[town] = risk(town, copied=True)
    print(f"{town}: risk {seen[town][0]:.3f}, {seen[town][1]} of 200 guesses are right")
print("nobody copied, Aquila:", risk("Aquila", copied=False))
assert risk("Aquila", copied=False)[0] < 0.05
for town in ("Aquila", "Neil"):
    assert 0.4 < seen[town][0] < 0.6
for town in ("L'Aquila", "O'Neil"):
    assert seen[town] == (0.0, 0)
PYTHON
