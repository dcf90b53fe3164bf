#!/usr/bin/env bash
# Surprise: diffprivlib's private mean along an axis has the type of the input. For a table of
# whole stars each mean is cut to a whole number: films of 4.5 and 2.25 stars get 4 and 2 at
# epsilon 20, where the noise is below 0.001; standard deviations of 0.5 and 0.43 become 0, and so
# does a share of 0.5 among booleans. dtype=float does not help. The same stars as floats are right,
# and so is one film alone.
# Package: diffprivlib 0.6.6 (with scikit-learn 1.6.1 and numpy 2.4.6).
# Source: https://diffprivlib.readthedocs.io/en/latest/modules/tools.html (functions follow
# numpy), https://numpy.org/doc/stable/reference/generated/numpy.mean.html (whole numbers give
# a mean in float64)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    diffprivlib==0.6.6 scikit-learn==1.6.1 scipy==1.17.1 numpy==2.4.6
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import diffprivlib.tools as private
import numpy as np

print("diffprivlib", version("diffprivlib"), "numpy", np.__version__)
stars = np.array([[4, 2], [5, 3], [4, 2], [5, 2]] * 5000)    # 20,000 users, two films
fans = stars >= 5


def ask(function, table, bounds=(1, 5), **choice):
    return function(table, epsilon=20.0, bounds=bounds, axis=0, random_state=1, **choice)


mean, floats = ask(private.mean, stars), ask(private.mean, stars.astype(float))
typed = ask(private.mean, stars, dtype=float)
alone = private.mean(stars[:, 0], epsilon=20.0, bounds=(1, 5), random_state=1)
spread, spread_floats = ask(private.std, stars), ask(private.std, stars.astype(float))
share = ask(private.mean, fans, bounds=(0, 1))
print("true means", stars.mean(axis=0), "deviations", stars.std(axis=0), "fans", fans.mean(axis=0))
print("private means of whole stars", mean, "with dtype=float", typed)
print("private means of the same stars as floats", floats, "of one film alone", alone)
print("private deviations", spread, "as floats", spread_floats, "share of fans", share)
assert np.allclose(floats, [4.5, 2.25], atol=0.01) and abs(alone - 4.5) < 0.01
assert np.allclose(spread_floats, [0.5, 0.433], atol=0.01)
assert mean.tolist() == [4, 2] and typed.tolist() == [4, 2]
assert not spread.any() and not share.any()
many = [ask(private.mean, stars[:, :1].repeat(9, axis=1)) for _ in range(20)]
assert {int(one) for row in many for one in row} == {4}
PYTHON
