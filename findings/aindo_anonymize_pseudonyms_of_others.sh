#!/usr/bin/env bash
# Surprise: aindo-anonymize gives people the pseudonyms of others once a table was sorted. Hashing and
# perturbation return a column that is numbered anew, and the pipeline puts it back by the old
# numbers of the rows. Of four people sorted by income three get the pseudonym, and so in a join
# the illness, of somebody else, and an income "perturbed" by next to nothing is another person's.
# In a table without the first row one has none at all, and the others have the wrong one. The
# swapping and the coding of extremes keep the numbers. With reset_index first all is right.
# Package: aindo-anonymize 1.1.5 (with pandas 2.3.3 and scikit-learn 1.7.2).
# Source: https://github.com/aindo-com/aindo-anonymize (techniques/hashing.py and perturbation.py,
# pipeline.py); https://docs.anonymize.aindo.com (nothing is said of the numbers of rows)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check aindo-anonymize==1.1.5 numpy==2.2.6 pandas==2.3.3 scipy==1.15.3 scikit-learn==1.7.2
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import pandas as pd
from aindo.anonymize import AnonymizationPipeline, Config

print("aindo-anonymize", version("aindo-anonymize"), "pandas", version("pandas"))
people = pd.DataFrame({"name": ["Ann", "Bob", "Cid", "Dan"], "town": ["Pisa", "Rome", "Oslo", "Bonn"], "income": [10, 40, 20, 30]})
steps = [
    {"method": {"type": "identity"}, "columns": ["town"]},
    {"method": {"type": "key_hashing", "key": "secret"}, "columns": ["name"]},
    {"method": {"type": "perturbation_numerical", "alpha": 1e-9, "seed": 0}, "columns": ["income"]},
]


def release(table):
    return AnonymizationPipeline(Config.from_dict({"steps": steps})).run(table)


names = dict(zip(release(people)["name"], people["name"], strict=True))
richer = people.sort_values("income")
tables = {"as it was": people, "sorted": richer, "sorted, numbered anew": richer.reset_index(drop=True), "without the first": people.iloc[1:]}
wrong = {}
for how, table in tables.items():
    found = release(table)
    found["name"] = found["name"].map(names)
    print(f"{how}:", *found.itertuples(index=False, name=None))
    wrong[how] = int((found["name"] != table["name"]).sum()), int((found["income"] != table["income"]).sum())
print("people with a wrong pseudonym, a wrong income:", wrong)
assert wrong == {"as it was": (0, 0), "sorted": (3, 3), "sorted, numbered anew": (0, 0), "without the first": (3, 3)}
PYTHON
