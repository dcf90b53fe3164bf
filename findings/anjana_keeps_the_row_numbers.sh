#!/usr/bin/env bash
# Surprise: anjana's k-anonymous table has one column more than the table it was given, "index", as
# soon as a row had to be suppressed: the number of each row in the original. The ages and towns are
# in groups of two, as asked, and every row still says whose it is; by all columns no two rows are
# alike, so k is 1. Where nothing was suppressed the column is absent and k is 2, so a script that
# was tried on a table without outliers does not meet it. l-diversity and t-closeness return the
# same table. Drop the column before the table goes out.
# Package: anjana 1.2.3, pandas 2.3.3.
# Source: https://github.com/IFCA-Advanced-Computing/anjana; the docstring of k_anonymity names
# "anonymized data" as what it returns, and no column of its own
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check anjana==1.2.3 pandas==2.3.3
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import numpy as np
import pandas as pd
from anjana.anonymity import k_anonymity, l_diversity

print("anjana", version("anjana"), "pandas", pd.__version__)
people = pd.DataFrame(
    {
        "name": ["ann", "bob", "cai", "dee", "eve", "fay", "gus"],
        "age": ["41", "23", "37", "22", "90", "34", "46"],
        "town": ["C", "A", "B", "A", "D", "B", "C"],
        "illness": ["flu", "cold", "flu", "flu", "cold", "cold", "cold"],
    }
)


def protected(table, method=k_anonymity, *more):
    """The table by tens of years or none, groups of two, at most a fifth of the rows suppressed."""
    steps = {
        "age": {
            0: table["age"].values,
            1: np.array([age[0] + "0 to " + age[0] + "9" for age in table["age"]]),
            2: np.array(["*"] * len(table)),
        },
        "town": {0: table["town"].values, 1: np.array(["*"] * len(table))},
    }
    return method(table.copy(), ["name"], ["age", "town"], *more, 2, 20, steps)


def smallest_group(table):
    return int(table.value_counts(list(table.columns)).min())


full = protected(people)
print(full.to_string(index=False))
named = people.loc[full["index"], "name"].tolist()
print("rows 0 to 6 of the original without row 4:", named)
assert named == ["ann", "bob", "cai", "dee", "fay", "gus"]
assert list(full.columns) == ["index", *people.columns]
seen = ["age", "town"]
print("k by age and town:", smallest_group(full[seen]), "by index, age and town:", smallest_group(full[["index", *seen]]))
assert smallest_group(full[seen]) == 2 and smallest_group(full[["index", *seen]]) == 1
assert "index" in protected(people, l_diversity, "illness", 2)

plain = protected(people[people["name"] != "eve"].reset_index(drop=True))
print("columns where nobody is suppressed:", list(plain.columns))
assert "index" not in plain and smallest_group(plain[seen]) == 2
PYTHON
