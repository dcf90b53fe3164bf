#!/usr/bin/env bash
# Surprise: by dwork, the sum of twelve columns needs no more noise than one of them. Its sensitivity of a
# sum or difference is the larger one of the two, not both together, as if each person were in one column
# only. For twelve months with 0 to 100 each, one person moves the year by 1,200; the package says 100. At
# epsilon 1, answers above 600 come in 0.1 % of the cases without a certain person and in 99.8 % with this
# person: the true epsilon is 12. The README promises that the package finds the sensitivity and the noise
# that epsilon needs by itself. It does not matter whether months are added first or their sums.
# Package: dwork 0.0.13 (with pandas 2.2.3 and numpy 1.26.4); its README calls it an early version.
# Source: https://github.com/kiprotect/dwork (language/operators.py: Add, Sub); Dwork and Roth, The
# algorithmic foundations of differential privacy, https://doi.org/10.1561/0400000042
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check dwork==0.0.13 pandas==2.2.3 numpy==1.26.4
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
import pandas as pd
from dwork.dataschema import DataSchema
from dwork.dataset.pandas import PandasDataset
from dwork.language.types import Float

print("dwork", version("dwork"))
months = [f"month {number}" for number in range(1, 13)]


class Usage(DataSchema):
    locals().update({month: Float(min=0, max=100) for month in months})


without = pd.DataFrame(0.0, index=range(1000), columns=months)
present = without.copy()
present.iloc[0] = 100.0


def year(table, sums_first):
    columns = [PandasDataset(Usage, table)[month] for month in months]
    if sums_first:
        columns = [column.sum() for column in columns]
    total = columns[0]
    for column in columns[1:]:
        total = total + column
    return total if sums_first else total.sum()


for sums_first in (False, True):
    low, high = year(without, sums_first), year(present, sums_first)
    answers = [np.array([query.dp(1.0) for _ in range(5000)]) for query in (low, high)]
    above = [(found > 600).mean() for found in answers]
    print(f"{'sum of monthly sums' if sums_first else 'sum over all months'}: sensitivity {low.sensitivity()}, one person moves it by {high.true() - low.true():.0f}; noise {answers[0].std():.0f}; answers above 600: {above[0]:.4f} without, {above[1]:.4f} with the person")
    assert low.sensitivity() == 100 and high.true() - low.true() == 1200
    assert abs(answers[0].std() - 100 * np.sqrt(2)) < 12
    assert above[0] < 0.005 and above[1] > 0.995
PYTHON
