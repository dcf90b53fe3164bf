#!/usr/bin/env bash
# Surprise: pram changes more values than its minimum allows. m is documented as the minimum probability
# that a value stays as it is; the package writes m on the diagonal of the matrix and then divides each
# column by its sum, which reduces it. With m = 0.8 and four equally frequent towns 52 % of the people keep
# their town, with ten towns 47 %, and with m = 1, which should change nobody's, 57 %. At the default
# alpha, which halves all changes, 76 % do. A rare value changes more often than a frequent one: of 100
# people in a small town 45 % stay, of 4,900 in a large one 98 %. Counts that are corrected with 0.8 on the
# diagonal stay wrong.
# Package: pram 0.2.0 (with pandas 2.2.3 and numpy 1.26.4).
# Source: https://github.com/JiscDACT/pram (the README: m is the minimum probability that a data point
# remains unchanged, largely as in sdcMicro); Templ, Kowarik and Meindl, sdcMicro, section on
# post-randomization, https://doi.org/10.18637/jss.v067.i04
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pram==0.2.0 pandas==2.2.3 numpy==1.26.4
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
import pandas as pd
from pram import pram

print("pram", version("pram"))


def kept(towns, m, alpha):
    np.random.seed(0)
    table = pd.DataFrame({"town": [str(number % towns) for number in range(5000)]})
    return (pram(table, m=m, alpha=alpha)["town"] == table["town"]).mean()


for towns, m, alpha, expected in ((4, 0.8, 1, 0.516), (10, 0.8, 1, 0.471), (4, 1, 1, 0.571), (4, 0.8, 0.5, 0.758), (4, 0.8, 0, 1)):
    share = kept(towns, m, alpha)
    stays = m / (m + 1 - 1 / towns)
    print(f"{towns} towns, m = {m}, alpha = {alpha}: {share:.3f} kept; expected {alpha * stays + 1 - alpha:.3f}")
    assert abs(share - expected) < 0.02 and abs(alpha * stays + 1 - alpha - expected) < 0.001
np.random.seed(0)
rare = pd.DataFrame({"town": ["large"] * 4900 + ["small"] * 100})
after = pram(rare, m=0.8, alpha=1)["town"]
shares = {town: (after[rare["town"] == town] == town).mean() for town in ("large", "small")}
print("kept of a large and a small town:", shares)
assert shares["large"] > 0.97 and shares["small"] < 0.6
PYTHON
