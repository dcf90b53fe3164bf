#!/usr/bin/env bash
# Surprise: three tools have three values of t-closeness for one table. All of the young have the
# flu, all of the old a cold, half and half: each group is 0.5 from the whole. pycanon says 0.5.
# anonymity-api adds one term for each row instead of each illness and says 2 for eight rows and
# 50 for two hundred, where 1 is the maximum. anonypyx adds the illnesses that occur in a group
# and leaves out those that do not: it takes the groups to be 0.25 away and publishes them at
# t = 0.3. With the illness as a pandas category the same call keeps one group.
# Packages: pycanon 1.3.6, anonymity-api 1.0.4, anonypyx 0.2.11 (with pandas 2.3.3).
# Source: Li, Li and Venkatasubramanian, t-closeness, https://doi.org/10.1109/ICDE.2007.367856
# (equal distance: half of the sum of differences over all values); https://pycanon.readthedocs.io;
# https://github.com/farosilva0/anonymity_api; https://github.com/questforwisdom/anonypyx
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    pycanon==1.3.6 anonymity-api==1.0.4 anonypyx==0.2.11 pandas==2.3.3
cd "$folder"
venv/bin/python - <<'PYTHON'
import warnings
from importlib.metadata import version

import anonypyx
import pandas as pd
from anonymity_api import verify
from pycanon import anonymity

warnings.simplefilter("error")
print(*(f"{name} {version(name)}" for name in ("pycanon", "anonymity-api", "anonypyx", "pandas")))


def people(each):
    return pd.DataFrame({"age": ["young"] * each + ["old"] * each, "ill": ["flu"] * each + ["cold"] * each})


def groups(table, t):
    """How many groups anonypyx publishes where each must be within t of the whole."""
    table = table.astype({"age": "category"})
    judge = anonypyx.Anonymiser(table, k=2, t=t, sensitive_column="ill", feature_columns=["age"],
                                closeness_metric="earth mover's distance", generalisation_strategy="human-readable")
    return judge.anonymise()["age"].nunique()


for each in (4, 100):
    table = people(each)
    one = float(anonymity.t_closeness(table, ["age"], ["ill"]))
    other = float(verify.t_closeness(table, ["age"], ["ill"]))
    found = {t: (groups(table, t), groups(table.astype({"ill": "category"}), t)) for t in (0.2, 0.3, 0.5)}
    print(f"{2 * each} rows: t by pycanon {one}, by anonymity-api {other}")
    print(f"  groups by anonypyx for t = 0.2, 0.3, 0.5, of text and of a category: {found}")
    assert one == 0.5 and abs(other - each / 2) < 1e-9
    assert found == {0.2: (1, 1), 0.3: (2, 1), 0.5: (2, 2)}
mixed = pd.DataFrame({"age": ["young", "old"] * 4, "ill": ["flu", "flu", "cold", "cold"] * 2})
print("groups like the whole:", anonymity.t_closeness(mixed, ["age"], ["ill"]), verify.t_closeness(mixed, ["age"], ["ill"]), groups(mixed, 0.01))
assert anonymity.t_closeness(mixed, ["age"], ["ill"]) == verify.t_closeness(mixed, ["age"], ["ill"]) == 0
assert groups(mixed, 0.01) == 2
PYTHON
