#!/usr/bin/env bash
# Surprise: pycanon takes the labels of rows for their positions. After a table is sorted, filtered
# or shuffled, each group is judged by rows of other groups, without a word; only k stays right.
# A sorted table in which all of the twenties have the flu is 2-diverse, and one sorted by its
# groups (200 rows) has l = 3 and t = 0.08 where l = 1 and t = 0.5 are true. After reset_index
# the same table is judged right.
# Package: pycanon 1.3.6 (with pandas 2.3.3).
# Source: https://pycanon.readthedocs.io; Machanavajjhala and others, l-diversity,
# https://doi.org/10.1145/1217299.1217302 (l is a count within groups; the order of rows and their
# names play no part)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pycanon==1.3.6 pandas==2.3.3
cd "$folder"
venv/bin/python - <<'PYTHON'
import warnings
from importlib.metadata import version

import numpy as np
import pandas as pd
from pycanon import anonymity

warnings.simplefilter("error")
print("pycanon", version("pycanon"), "pandas", pd.__version__)
draw = np.random.default_rng(1)


def judge(table):
    """k, l and t as pycanon states them."""
    k = anonymity.k_anonymity(table, ["age"])
    return k, anonymity.l_diversity(table, ["age"], ["ill"]), round(float(anonymity.t_closeness(table, ["age"], ["ill"])), 3)


def true(table):
    """The least count and diversity, and the farthest distribution (half the sum of differences)."""
    share = table["ill"].value_counts(normalize=True)
    groups = [group["ill"] for _, group in table.groupby("age")]
    far = max((one.value_counts(normalize=True).reindex(share.index, fill_value=0) - share).abs().sum() / 2 for one in groups)
    return min(map(len, groups)), min(one.nunique() for one in groups), round(float(far), 3)


small = pd.DataFrame({"age": ["20s"] * 3 + ["30s"] * 3, "ill": ["flu", "flu", "flu", "flu", "cold", "hiv"]})
mixed = pd.DataFrame({"age": ["20s", "30s"] * 100, "ill": ["flu", "cold", "flu", "hiv"] * 50})
tables = {
    "six rows": small,
    "sorted by illness": small.sort_values("ill"),
    "200 rows": mixed,
    "sorted by age": mixed.sort_values("age"),
    "shuffled": mixed.iloc[draw.permutation(200)],
}
for name, table in tables.items():
    again = judge(table.reset_index(drop=True))
    print(f"{name}: k, l, t = {judge(table)}, true {true(table)}, after reset_index {again}")
    assert again == true(table) and judge(table)[0] == true(table)[0]
assert judge(small) == true(small) and judge(mixed) == true(mixed)
assert judge(tables["sorted by illness"])[1] == 2 and true(tables["sorted by illness"])[1] == 1
for name in ("sorted by age", "shuffled"):
    assert true(tables[name])[1:] == (1, 0.5) and judge(tables[name])[1] == 3 and judge(tables[name])[2] < 0.2
PYTHON
