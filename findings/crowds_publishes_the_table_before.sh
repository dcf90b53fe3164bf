#!/usr/bin/env bash
# Surprise: crowds may answer with the table of an earlier call. Its search for the least
# generalisation keeps all candidates of the process in one set, so a table that needs ages in tens
# loses to one from before that needed nothing: asked to anonymise Bergen, it returns the people of
# Pisa, with their illnesses, and with the state of Pisa's search as the one that it chose. The same
# holds for k: after k = 2, k = 4 takes the candidate for 2 and then leaves everybody out, where no
# suppression was allowed and four people of their twenties fit. A fresh process is right.
# Package: crowds 0.0.1 (with pandas 2.2.3).
# Source: https://github.com/leo-mazz/crowds (kanonymity/ola.py; anonymize takes a table and a k, and
# nothing speaks of earlier calls); El Emam and others, A globally optimal k-anonymity method for
# the de-identification of health data, https://doi.org/10.1197/jamia.M3144
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check crowds==0.0.1 pandas==2.2.3 numpy==1.26.4
cd "$folder"
cat > tables.py <<'PYTHON'
import pandas as pd
from crowds.kanonymity.generalizations import GenRule
from crowds.kanonymity.ola import anonymize

pisa = pd.DataFrame({"age": [21, 21, 34, 34], "town": "Pisa", "illness": ["flu", "flu", "cold", "flu"]})
bergen = pd.DataFrame({"age": [41, 43, 52, 57], "town": "Bergen", "illness": "asthma"})
twenties = pd.DataFrame({"age": [21, 21, 26, 26], "town": "Oslo", "illness": "flu"})


def release(table, k):
    tens = GenRule([lambda age: f"{age // 10 * 10}s"])
    people, levels = anonymize(table, {"age": tens}, k=k, max_sup=0)
    return people.to_dict("list"), levels
PYTHON
venv/bin/python - <<'PYTHON'
import subprocess
import sys
from ast import literal_eval
from importlib.metadata import version

from tables import bergen, pisa, release, twenties

print("crowds", version("crowds"), "pandas", version("pandas"))


def alone(name, k):
    code = f"from tables import *; print(release({name}, {k}))"
    return literal_eval(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


first, second = release(pisa, 2), release(bergen, 2)
fresh = alone("bergen", 2)
print("Bergen after Pisa:", second)
print("Bergen alone:", fresh)
assert second == first == (pisa.to_dict("list"), {"age": 0})
assert fresh == (bergen.assign(age=["40s", "40s", "50s", "50s"]).to_dict("list"), {"age": 1})

release(twenties, 2)
later, fresh = release(twenties, 4), alone("twenties", 4)
print("k = 4 after k = 2:", later)
print("k = 4 alone:", fresh)
assert later == ({"age": [], "town": [], "illness": []}, {"age": 0})
assert fresh == (twenties.assign(age="20s").to_dict("list"), {"age": 1})
PYTHON
