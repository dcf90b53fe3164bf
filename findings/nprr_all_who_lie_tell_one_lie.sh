#!/usr/bin/env bash
# Surprise: by the multinomial randomized response of nprr, all people who do not answer truthfully give
# the same answer. It is drawn once for the whole table, not for each person, and from one category too
# many. Of a thousand people with four answers, half of whom answer at random, 350 to 519 change their
# answer, all to one value, and in two of five tables this value is a fifth one that does not exist: there,
# every other answer is true, and everyone with the fifth one has lied. By the usual formula, a category
# of 250 people is estimated at -30 to 1,040, depending on the draw. Warner's response for two answers,
# in the same module, draws for each person.
# Package: nprr 0.1.4 (its mechanisms alone, without confseq, which has to be compiled; numpy 1.26.4).
# Source: https://github.com/wannabesmith/nprr (mechanisms.py: multinomial_rr, warner_rr; a
# multivariate generalization of Warner's response); Kairouz, Bonawitz and Ramage, Discrete
# distribution estimation under local privacy, https://arxiv.org/abs/1602.07387
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
from nprr.mechanisms import multinomial_rr, warner_rr

print("nprr", version("nprr"))
true = np.arange(1000) % 4
truthful, estimates, lies = 0.5, [], []
for seed in range(5):
    np.random.seed(seed)
    said = multinomial_rr(true, 4, truthful)
    told = np.unique(said[said != true])
    counts = np.bincount(said, minlength=5)
    estimate = ((counts[:4] - 1000 * (1 - truthful) / 4) / truthful).round().astype(int)
    print(f"seed {seed}: {(said != true).sum()} changed, all to {told.tolist()}; answers {counts.tolist()}, estimated {estimate.tolist()}")
    assert len(told) == 1
    lies.append(int(told[0]))
    estimates.extend(estimate.tolist())
assert lies == [1, 4, 1, 3, 4]
print("estimates of 250 people:", min(estimates), "to", max(estimates))
assert max(estimates) > 700 and min(estimates) < 100
np.random.seed(0)
zeros = warner_rr(np.zeros(1000, dtype=int), truthful)
print("Warner's response, 1,000 zeros: ones", int(zeros.sum()))
assert 200 < zeros.sum() < 300
PYTHON
