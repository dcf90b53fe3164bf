#!/usr/bin/env bash
# Surprise: whether sdmetrics takes a synthetic row for new or for a copy depends on how far its
# dates are from 1970. It compares the numbers of nanoseconds since 1970 and lets 1 % of them pass:
# half a year in 2024, a week at the end of 1971, nothing on the first of January 1970. Two tables drawn
# independently, with dates in 2024, have the score 0, as if each row were a copy; with the same
# days in 1970 they have 0.92, and real rows moved by a week have 0.90, as if they were new. With
# the day as its number in the year the score is 0.92 in all years. A tolerance of 1e-9 asks for
# equal dates.
# Package: sdmetrics 0.32.0 (with pandas 2.3.3).
# Source: https://docs.sdv.dev/sdmetrics/metrics/metrics-in-beta/newrowsynthesis (1: all rows are
# new; 0: all are copies); the docstring speaks of a tolerance for numerical values. Whether a row
# is new does not depend on where a calendar begins.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    sdmetrics==0.32.0 pandas==2.3.3 numpy==1.26.4
cd "$folder"
venv/bin/python - <<'PYTHON'
import warnings
from importlib.metadata import version

import numpy as np
import pandas as pd
from sdmetrics.single_table import NewRowSynthesis

warnings.simplefilter("error")
print("sdmetrics", version("sdmetrics"), "pandas", pd.__version__)


def patients(year, seed):
    """300 stays in a hospital within a year, in one of five towns, for one of six reasons."""
    draw = np.random.default_rng(seed)
    days = pd.to_timedelta(draw.integers(0, 365, 300), unit="D")
    towns, reasons = draw.choice(list("abcde"), 300), draw.choice(list("uvwxyz"), 300)
    return pd.DataFrame({"day": pd.Timestamp(year, 1, 1) + days, "town": towns, "reason": reasons})


def numbers(table):
    """The same table with the day as its number in the year."""
    return table.assign(day=table["day"].dt.dayofyear)


def score(real, synthetic, kind="datetime", **choice):
    """1: all synthetic rows are new; 0: all are copies."""
    kinds = {"day": kind, "town": "categorical", "reason": "categorical"}
    columns = {"columns": {name: {"sdtype": one} for name, one in kinds.items()}}
    return NewRowSynthesis.compute(real.copy(), synthetic.copy(), columns, **choice)


seen = {}
for year in (1970, 1980, 2024):
    real, drawn = patients(year, 1), patients(year, 2)
    moved = real.assign(day=real["day"] + pd.Timedelta(7, "D"))
    assert len(real.merge(drawn)) < 10
    assert score(real, real) == 0 and score(real, drawn, numerical_match_tolerance=1e-9) > 0.95
    seen[year] = score(real, drawn), score(real, moved), score(numbers(real), numbers(drawn), "numerical")
    print(f"{year}: drawn anew {seen[year][0]:.3f}, moved by a week {seen[year][1]:.3f}; days as numbers, drawn anew {seen[year][2]:.3f}")
assert seen[1970][0] > 0.85 and seen[1970][1] > 0.85
assert seen[1980][0] < 0.3 and seen[2024][:2] == (0, 0)
assert len({one[2] for one in seen.values()}) == 1 and seen[1970][2] > 0.75
PYTHON
