#!/usr/bin/env bash
# Surprise: nprr protects people with the smallest or largest value less than its epsilon says. A person
# who does not answer truthfully should give any of the G + 1 values of the scale with equal probability;
# nprr rounds a number between 0 and G, so the two ends come up half as often as the others. The answer
# 1 is then 4.1 times as likely from a person with 1 as from a person with 0, where epsilon 1 allows 2.7;
# the true epsilon is 1.41, on a long scale 1.48, and 2.53 instead of 2. With two values, G = 1, it is
# right. The function of the package that computes r from epsilon assumes equal probabilities.
# Package: nprr 0.1.4 (its mechanisms alone, without confseq, which has to be compiled; numpy 1.26.4).
# Source: https://github.com/wannabesmith/nprr (mechanisms.py: nprr, r_from_G_eps); Waudby-Smith, Wu and
# Ramdas, Nonparametric extensions of randomized response for private confidence sets,
# https://arxiv.org/abs/2202.08728 (the untrue answer is uniform on 0, 1/G, ..., 1)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps nprr==0.1.4 numpy==1.26.4 scipy==1.15.3
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
import sys
from importlib.metadata import version
from importlib.util import find_spec
from types import ModuleType

import numpy as np

# the package imports its plots and confidence sets first; its mechanisms do not need them
package = ModuleType("nprr")
package.__path__ = list(find_spec("nprr").submodule_search_locations)
sys.modules["nprr"] = package
from nprr.mechanisms import nprr, r_from_G_eps

print("nprr", version("nprr"))
people = 500_000


def odds(value, other, r, G):
    """How much likelier the answer `value` is from people who have it than from people who have `other`."""
    np.random.seed(0)
    return [(nprr(np.full(people, true), r, G) == value).mean() for true in (value, other)]


for epsilon, G, cost in ((1.0, 9, 1.41), (1.0, 99, 1.48), (2.0, 9, 2.53), (1.0, 1, 1.0)):
    r = r_from_G_eps(G, epsilon)
    exact = np.log(1 + 2 * G * r / (1 - r)) if G > 1 else epsilon
    stated = np.log(1 + (G + 1) * r / (1 - r))
    own, others = odds(1.0, 0.0, r, G)
    print(f"epsilon {epsilon:.0f}, {G + 1} values: answer 1 from 1 {own:.4f}, from 0 {others:.4f}; epsilon {np.log(own / others):.2f}, exactly {exact:.2f}, stated {stated:.2f}")
    assert abs(stated - epsilon) < 1e-9 and abs(exact - cost) < 0.01
    assert abs(np.log(own / others) - exact) < 0.08
np.random.seed(0)
shares = np.bincount(np.rint(4 * nprr(np.zeros(people), 0.0, 4)).astype(int), minlength=5) / people
print("shares of the five untrue answers:", shares.round(3).tolist())
assert np.allclose(shares, [0.125, 0.25, 0.25, 0.25, 0.125], atol=0.004)
PYTHON
