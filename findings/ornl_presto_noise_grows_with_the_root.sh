#!/usr/bin/env bash
# Surprise: the Gaussian noise of PRESTO grows with the square root of the sensitivity. In its formula
# the sensitivity is inside the root, and the factor 2 is missing. At epsilon 1 and delta 0.00001, a
# sensitivity of 100 gets noise with a deviation of 34 instead of 484, which is private at epsilon 16.1; a
# sensitivity of 10,000 gets epsilon 550. Even at 1 it is 1.10, where the theorem's noise has 0.75. So
# the unit decides: incomes in cents get a tenth of the noise of the same incomes in euros. The Laplace
# mechanism of the same module has the right scale.
# Package: ornl-presto 0.1.29 (its mechanisms alone, with an empty module for torch, which lists do not use;
# numpy 2.2.6, scipy 1.15.3).
# Source: https://github.com/ORNL/PRESTO (ornl_presto/privacy_mechanisms.py: applyDPGaussian); Dwork and
# Roth, The algorithmic foundations of differential privacy, theorem A.1,
# https://doi.org/10.1561/0400000042; Balle and Wang, https://arxiv.org/abs/1805.06530 (exact delta)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps ornl-presto==0.1.29 numpy==2.2.6 scipy==1.15.3
cd "$folder"
venv/bin/python - <<'PYTHON'
import sys
from importlib.metadata import version
from importlib.util import find_spec
from types import ModuleType

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

# the package imports its neural networks first; its mechanisms take lists without torch
package, torch = ModuleType("ornl_presto"), ModuleType("torch")
package.__path__ = list(find_spec("ornl_presto").submodule_search_locations)
torch.Tensor = type("Tensor", (), {})
sys.modules.update(ornl_presto=package, torch=torch)
from ornl_presto.privacy_mechanisms import applyDPGaussian, applyDPLaplace

print("ornl-presto", version("ornl-presto"))
delta = 1e-5


def true_epsilon(mu):
    """Epsilon at delta of Gaussian noise whose deviation is the sensitivity divided by mu."""
    return brentq(lambda e: norm.cdf(mu / 2 - e / mu) - np.exp(e + norm.logcdf(-mu / 2 - e / mu)) - delta, 0, 1e5)


epsilons, found = {1: 1.10, 100: 16.10, 10_000: 549.60}, {}
for sensitivity in (1, 100, 10_000):
    np.random.seed(0)
    deviation = np.std(applyDPGaussian([0.0] * 200_000, sensitivity=sensitivity, delta=delta, epsilon=1))
    classical = sensitivity * np.sqrt(2 * np.log(1.25 / delta))
    found[sensitivity] = deviation, true_epsilon(sensitivity / np.sqrt(sensitivity * np.log(1.25 / delta)))
    print(f"sensitivity {sensitivity}: deviation {deviation:.2f}, by the theorem {classical:.2f}; true epsilon {found[sensitivity][1]:.2f}, by the theorem {true_epsilon(sensitivity / classical):.2f}")
    assert abs(deviation / np.sqrt(sensitivity * np.log(1.25 / delta)) - 1) < 0.01
    assert abs(found[sensitivity][1] - epsilons[sensitivity]) < 0.01
print("noise of incomes in cents, in euros:", found[10_000][0] / 100, "of incomes in euros:", found[100][0])
assert abs(found[10_000][0] / 100 / found[100][0] - 0.1) < 0.001
np.random.seed(0)
scale = np.mean(np.abs(applyDPLaplace([0.0] * 200_000, sensitivity=100, epsilon=1)))
print("scale of the Laplace noise at sensitivity 100:", scale)
assert abs(scale - 100) < 1
PYTHON
