#!/usr/bin/env bash
# Surprise: diffprivlib's sum and histogram are private for different neighbours, and its accountant
# adds them up. For ratings from 4 to 5 the noise of sum has scale 1 at epsilon 1: enough when one
# person is replaced (a move of 1), not when one is added (a move of 5). The noise of histogram
# and count_nonzero is that of one count: enough when one person is added, while a replaced one moves two
# counts. The accountant says 2 for both; by either relation kept throughout it is 3 or 6.
# Package: diffprivlib 0.6.6 (with scikit-learn 1.6.1 and numpy 2.4.6).
# Source: Kifer and Machanavajjhala, No free lunch in data privacy,
# https://doi.org/10.1145/1989323.1989345 (the two relations);
# https://diffprivlib.readthedocs.io/en/latest/modules/tools.html (says which for neither function)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    diffprivlib==0.6.6 scikit-learn==1.6.1 scipy==1.17.1 numpy==2.4.6
cd "$folder"
venv/bin/python - <<'PYTHON'
import math
import warnings
from importlib.metadata import version

import diffprivlib.tools as private
import numpy as np
from diffprivlib import BudgetAccountant

warnings.simplefilter("error")
print("diffprivlib", version("diffprivlib"), "numpy", np.__version__)
stars = np.repeat([4.0, 5.0], 500)


def deviation(answer):
    return np.std([answer(seed) for seed in range(4000)], axis=0)


def total(seed, **more):
    return private.sum(stars, epsilon=1.0, bounds=(4, 5), random_state=seed, **more)


def counts(seed, **more):
    return private.histogram(stars, epsilon=1.0, bins=2, range=(4, 5), random_state=seed, **more)[0]


def laplace(scale):
    return math.sqrt(2) * scale


def geometric(scale):
    """The deviation of whole-number noise whose weights fall by exp(-1 / scale)."""
    step = math.exp(-1 / scale)
    return math.sqrt(2 * step) / (1 - step)


of_sum, of_counts = float(deviation(total)), deviation(counts)
of_count = float(deviation(lambda seed: private.count_nonzero(stars > 4, epsilon=1.0, random_state=seed)))
print(f"sum: deviation {of_sum:.2f}; needed if one is replaced {laplace(1):.2f}, if one is added {laplace(5):.2f}")
print(f"histogram: deviations {of_counts.round(2)}; needed if one is replaced {geometric(2):.2f}, if one is added {geometric(1):.2f}")
print(f"count_nonzero: deviation {of_count:.2f}")
assert abs(of_sum / laplace(1) - 1) < 0.1
assert all(abs(one / geometric(1) - 1) < 0.1 for one in (*of_counts, of_count))

budget = BudgetAccountant()
total(1, accountant=budget), counts(1, accountant=budget)
stated = budget.total()[0]
replaced, added = 1 + 2, 5 + 1
print(f"both: the accountant says {stated:g}; {replaced} if one is replaced, {added} if one is added")
assert abs(stated - 2) < 1e-9
PYTHON
