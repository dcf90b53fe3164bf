#!/usr/bin/env bash
# Surprise: how umbra-k generalizes a table depends on the unit of a column. By the formula in its README, it
# divides the span of a column in a group by its span in the whole table, and splits the widest; the code
# does not divide. So wages in euros are always wider than ages: 64 people of 20 to 83 years, whose wages
# have nothing to do with their age, are grouped by wage alone, and the ages of a group span 39 years on
# average. With wages in thousands of euros they span 8 years, and none of the 16 groups is the same; with
# both columns on one scale, 9 years. Categories count by their number, so towns never win against wages.
# Package: umbra-k 0.1.0 (with pandas 2.2.3, numpy 1.26.4 and scikit-learn 1.5.2).
# Source: https://github.com/VectureLaboratories/umbra (anonymizer.py: _choose_dimension; README, section
# 2.1); LeFevre, DeWitt and Ramakrishnan, Mondrian, https://doi.org/10.1109/ICDE.2006.101 (normalized)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check umbra-k==0.1.0 pandas==2.2.3 numpy==1.26.4 scipy==1.15.3 scikit-learn==1.5.2
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
import pandas as pd
from umbra_k import MondrianAnonymizer

print("umbra-k", version("umbra-k"))
rng = np.random.default_rng(0)
people = pd.DataFrame({"age": np.arange(20, 84), "wage": rng.permutation(64) * 500 + 20_000})


def groups(table):
    found = MondrianAnonymizer(k=4, quasi_id=["age", "wage"]).fit(table).transform(table)
    members = found.groupby(["age", "wage"]).groups.values()
    return {frozenset(group) for group in members}, np.mean([people["age"][group].max() - people["age"][group].min() for group in members])


euros, wide = groups(people)
thousands, narrow = groups(people.assign(wage=people["wage"] / 1000))
scaled, even = groups((people - people.min()) / (people.max() - people.min()))
print(f"wages in euros: {len(euros)} groups, ages over {wide:.1f} years; in thousands: {len(thousands)} groups, {narrow:.1f} years; both columns on one scale: {even:.1f} years; groups in common {len(euros & thousands)}")
assert len(euros) == len(thousands) == 16 and not euros & thousands
by_wage = people.sort_values("wage").index.to_numpy().reshape(16, 4)
assert euros == {frozenset(group) for group in by_wage}
assert (round(wide), round(narrow), round(even)) == (39, 8, 9)
PYTHON
