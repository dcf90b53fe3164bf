#!/usr/bin/env bash
# Surprise: the t-closeness of numbers in READI depends on the order of the rows. It sorts a copy of the
# wages and does not keep the sorted one, so the distance adds up wages in the order of the table. Of
# eight people the four young have the four lowest wages, 0.286 away from the whole. READI says so for a
# table by wage, and keeps one group at t = 0.1; with the same people in turn, one young and one old, it says
# 0.071 and publishes the young as a group. Wages that occur more than once are added once for each
# person: 100 people with the lower of two wages, 0.5 away from 200 by definition, are 25 away.
# Package: readi-privacy 0.1.7 (alone, without its language models; pandas 2.3.3, scipy 1.17.1).
# Source: https://github.com/IBM/READI (risk_assessment/anonymization); Li, Li and Venkatasubramanian,
# t-closeness, https://doi.org/10.1109/ICDE.2007.367856 (ordered distance: the sum over the values of
# the attribute in their order)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps readi-privacy==0.1.7 numpy==2.2.6 pandas==2.3.3 scipy==1.17.1 python-dateutil==2.9.0.post0 pytz==2025.2 tzdata==2025.2 six==1.17.0
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
import pandas as pd
from risk_assessment.anonymization import KAnonymity, TCloseness
from risk_assessment.anonymization.mondrian import Mondrian, MondrianOptions
from risk_assessment.metrics.informationloss import ColumnClass, ColumnInformation, ColumnType
from risk_assessment.utility.hierarchy import NumericalRange

print("readi-privacy", version("readi-privacy"))
columns = [
    ColumnInformation(ColumnType.QUASI, ColumnClass.NUMERIC, range=NumericalRange(pd.Series([20, 60]))),
    ColumnInformation(ColumnType.SENSITIVE, ColumnClass.NUMERIC),
]


def accepts(table, group, t):
    judge = TCloseness(t)
    judge.initialize(table, columns)
    return judge.check(group, columns)


def distance(table, group):
    low, high = 0.0, 100.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if accepts(table, group, middle) else (middle, high)
    return round(high, 3)


def by_definition(table, group):
    values = np.unique(table["wage"])
    shares = [np.array([(people["wage"] == value).mean() for value in values]) for people in (group, table)]
    return float(np.abs(np.cumsum(shares[0] - shares[1])).sum() / (len(values) - 1))


people = pd.DataFrame({"age": [20, 22, 24, 26, 50, 52, 54, 56], "wage": [1, 2, 3, 4, 5, 6, 7, 8]})
found = {}
for order, table in {"by wage": people, "young and old in turn": people.iloc[[0, 7, 1, 6, 2, 5, 3, 4]]}.items():
    young = table[table["age"] < 30]
    options = MondrianOptions([KAnonymity(4), closeness := TCloseness(0.1)])
    closeness.initialize(table, columns)
    published, _ = Mondrian(options).anonymize(table, columns)
    groups = sorted(published.groupby("age")["wage"].apply(sorted))
    found[order] = distance(table, young), groups
    print(f"{order}: the young are {found[order][0]} away ({by_definition(table, young):.3f} by definition); groups at t = 0.1: {groups}")
    assert round(by_definition(table, young), 3) == 0.286
assert found["by wage"] == (0.286, [[1, 2, 3, 4, 5, 6, 7, 8]])
assert found["young and old in turn"] == (0.071, [[1, 2, 3, 4], [5, 6, 7, 8]])

many = pd.DataFrame({"age": [20] * 100 + [60] * 100, "wage": [1] * 100 + [2] * 100})
print("two wages:", distance(many, many[:100]), "by definition", by_definition(many, many[:100]))
assert round(distance(many, many[:100])) == 25 and by_definition(many, many[:100]) == 0.5
PYTHON
