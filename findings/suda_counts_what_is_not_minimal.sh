#!/usr/bin/env bash
# Surprise: the minimal sample uniques of suda are not minimal. A combination of values that only one
# person has counts if no part of it is unique by itself; the package counts every unique combination.
# The only person aged 99 is unique by age: one minimal unique, with a score of 6 among four columns. The
# package also counts age with sex, with town and with job, and reports four and 12. Another person, unique
# by four pairs of values and by no single one, has 8. So the order of risk is reversed: the second person
# is at higher risk by the definition, the first by the package. If combinations of three are allowed,
# the score of the same single value grows to 15.
# Package: suda 0.2.2 (with pandas 2.2.3).
# Source: https://github.com/scottbw/suda (find_msu; the README: the score adds up the scores of the minimal
# sample uniques); Elliot, Manning and Ford, A computational algorithm for handling the special uniques
# problem, International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10, 2002 (a minimal
# unique has no unique proper subset)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check suda==0.2.2 pandas==2.2.3 numpy==1.26.4
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version
from itertools import combinations
from math import factorial

import pandas as pd
from suda import suda

print("suda", version("suda"))
columns = ["age", "sex", "town", "job"]
rows = [
    ("99", "f", "A", "nurse"),
    ("30", "m", "B", "nurse"),
]
rows += [("30", "f", "A", "cook")] * 3 + [("40", "m", "A", "cook")] * 3 + [("40", "f", "B", "cook")] * 3
rows += [("40", "f", "A", "nurse")] * 3 + [("40", "f", "B", "nurse")] * 3 + [("30", "m", "A", "cook")] * 3
table = pd.DataFrame(rows, columns=columns)


def uniques(largest, minimal):
    """The unique combinations of each person, and the sum of their scores."""
    kept = [[] for _ in rows]
    for size in range(1, largest + 1):
        for names in combinations(columns, size):
            counts = table.groupby(list(names))["age"].transform("size")
            for person in counts.index[counts == 1]:
                if not minimal or not any(set(part) < set(names) for part in kept[person]):
                    kept[person].append(names)
    return [(len(found), sum(factorial(len(columns) - len(names)) for names in found)) for found in kept]


for largest in (2, 3):
    found = suda(table.copy(), max_msu=largest)
    theirs = list(zip(found["fM"].astype(int), found["suda"].astype(int)))
    print(f"up to {largest} columns, number and score of the first two people: suda {theirs[:2]}, by the definition {uniques(largest, True)[:2]}")
    assert theirs == uniques(largest, False)
    assert uniques(largest, True)[:2] == [(1, 6), (4, 8)]
    assert theirs[:2] == {2: [(4, 12), (4, 8)], 3: [(7, 15), (8, 12)]}[largest]
PYTHON
