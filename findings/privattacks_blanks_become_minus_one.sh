#!/usr/bin/env bash
# Surprise: privattacks writes -1 over each blank of the table whose risk it measures, in the
# caller's own table. To look at the risk before a release changes the release: the mean of stars
# 5, 4 and 3 with two blanks is 4 before and 2 after, and the file written next has people of age
# -1. It also takes the unknown for a value that the attacker knows: five people of unknown age are
# a crowd of five, and one of unknown age among known ones is singled out for certain.
# Package: privattacks 1.4 (with pandas 2.3.3).
# Source: https://privattacks.readthedocs.io (na_values: what blanks are filled with, by default
# -1; that the caller's table is filled is not said); https://github.com/ramongonze/privattacks
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check privattacks==1.4 pandas==2.3.3 numpy==2.2.6
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import pandas as pd
from privattacks import Attack, Data

print("privattacks", version("privattacks"), "pandas", version("pandas"))
table = pd.DataFrame({"age": [20, 20, None, 30, 30], "stars": [5, None, 4, None, 3]})
before = table.copy()
attack = Attack(Data(dataframe=table))
risk, by_person = attack.posterior_vulnerability("reid", ["age"], distribution=True)

print("risk by age:", risk, "by person:", [float(value) for value in by_person])
print("mean of the stars:", before["stars"].mean(), "before,", table["stars"].mean(), "after")
print("mean age:", before["age"].mean(), "before,", table["age"].mean(), "after; blanks:", int(before.isna().sum().sum()), "and", int(table.isna().sum().sum()))
assert (before["stars"].mean(), table["stars"].mean()) == (4.0, 2.0)
assert (before["age"].mean(), table["age"].mean()) == (25.0, 19.8)
assert before.isna().sum().sum() == 3 and not table.isna().any().any()
assert sorted(by_person)[-1] == 1.0

unknown = pd.DataFrame({"age": [None] * 5, "stars": [1, 2, 3, 4, 5]}, dtype=float)
crowd = Attack(Data(dataframe=unknown)).posterior_vulnerability("reid", ["age"])
print("five of unknown age: risk", crowd)
assert crowd == 0.2
PYTHON
