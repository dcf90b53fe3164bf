#!/usr/bin/env bash
# Surprise: anonypy does not read the t of t-closeness. It overwrites the limit with the share of one
# illness in the group, the last by alphabet, and compares with that. So every t from 0.001 to 1
# gives the same table, and t = 0, the strictest there is, switches the check off. Of 200 people half
# of the young have a cold and all others the flu: asked for t = 0.001, it publishes eight groups, one
# of them 0.29 away from the whole. Where the last illness is rare, no group is split even at t = 1;
# under a name that comes first in the alphabet, the same people are split.
# Package: anonypy 0.2.1 (with pandas 2.2.3).
# Source: https://github.com/glassonion1/anonypy (anonymity.py); Li, Li and Venkatasubramanian,
# t-closeness, https://doi.org/10.1109/ICDE.2007.367856 (the distance is at most t, the limit that the
# curator chose; names of values play no part)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check anonypy==0.2.1 pandas==2.2.3 numpy==2.2.6
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import pandas as pd
from anonypy import Preserver

print("anonypy", version("anonypy"))


def people(young, old):
    """A hundred people from 20 to 49 and a hundred from 50 to 79 with a count for each illness."""
    rows = []
    for youngest, counts in ((20, young), (50, old)):
        illnesses = [illness for illness, count in counts.items() for _ in range(count)]
        rows += [(youngest + 7 * i % 30, illness) for i, illness in enumerate(illnesses)]
    return pd.DataFrame(rows, columns=["age", "illness"])


def groups(table, t):
    """Number of groups and the largest distance of a group from the whole."""
    rows = Preserver(table, ["age"], "illness").anonymize_t_closeness(k=20, p=t)
    released = pd.DataFrame([{**row, "age": row["age"][0]} for row in rows])
    counts = released.pivot_table(index="age", columns="illness", values="count", aggfunc="sum").fillna(0)
    shares = counts.div(counts.sum(axis=1), axis=0)
    whole = table["illness"].value_counts(normalize=True)
    return len(counts), round(float((shares - whole).abs().sum(axis=1).max() / 2), 3)


limits = (0, 0.001, 0.1, 0.5, 1)
half = people({"cold": 50, "flu": 50}, {"flu": 100})
last = people({"cold": 60, "flu": 36, "hiv": 4}, {"cold": 36, "flu": 60, "hiv": 4})
first = last.replace("hiv", "aids")
found = {}
for name, table in (("cold among the young", half), ("hiv", last), ("aids", first)):
    found[name] = [groups(table, t) for t in limits]
    print(name, "- groups and largest distance:", dict(zip(limits, found[name], strict=True)))
assert len(set(found["cold among the young"])) == 1
assert found["cold among the young"][1][0] == 8 and found["cold among the young"][1][1] > 0.28
assert found["hiv"][0][0] == 8 and {count for count, _ in found["hiv"][1:]} == {1}
assert {count for count, _ in found["aids"]} == {8}
PYTHON
