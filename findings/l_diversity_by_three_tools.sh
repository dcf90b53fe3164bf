#!/usr/bin/env bash
# Surprise: three tools read distinct and entropy l-diversity differently. Three of four people in
# a group have illness 1 and the illness of the fourth is unknown: l is 2 by pycanon and anonypyx,
# which count "unknown" as an illness, and 1 by anonymity-api, which does not. Its entropy form
# still gives 1.24, because the shares of the known no longer add up to 1. With two sensitive
# columns of two equally frequent values each, the entropy form is 2 for each by the definition;
# anonymity-api adds the entropies and answers 4, pycanon rounds down to 1.
# Packages: pycanon 1.3.6, anonymity-api 1.0.4, anonypyx 0.2.11 (with pandas 2.3.3).
# Source: Machanavajjhala and others, l-diversity, https://doi.org/10.1145/1217299.1217302 (each
# sensitive attribute must be l-diverse); https://pycanon.readthedocs.io;
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
import numpy as np
import pandas as pd
from anonymity_api import verify
from pycanon import anonymity

warnings.simplefilter("error")
print(*(f"{name} {version(name)}" for name in ("pycanon", "anonymity-api", "anonypyx", "pandas")))


def kept(table, l):
    """Whether anonypyx splits the table by age when each half must have l illnesses."""
    judge = anonypyx.Anonymiser(table, k=2, l=l, sensitive_column="ill", feature_columns=["age"],
                                generalisation_strategy="human-readable")
    return judge.anonymise()["age"].nunique() == 2


def distinct(table):
    theirs = max(l for l in (1, 2, 3) if kept(table, l))
    return (anonymity.l_diversity(table, ["age"], ["ill"]), int(verify.distinct_l_diversity(table, ["age"], ["ill"])), theirs)


def entropy(table, columns):
    return (anonymity.entropy_l_diversity(table, ["age"], columns), round(float(verify.entropy_l_diversity(table, ["age"], columns)), 3))


young, old = [25] * 4, [35] * 4
known = pd.DataFrame({"age": young + old, "ill": [1, 1, 1, 2, 1, 2, 1, 2]})
unknown = pd.DataFrame({"age": young + old, "ill": [1, 1, 1, np.nan, 1, 2, 1, 2]})
for name, table in (("all known", known), ("one unknown", unknown)):
    print(f"{name}: distinct l by pycanon, anonymity-api, anonypyx {distinct(table)}")
half = float(verify.entropy_l_diversity(unknown, ["age"], ["ill"]))
print(f"one unknown: entropy l by anonymity-api {half:.3f}")
assert distinct(known) == (2, 2, 2)
assert distinct(unknown) == (2, 1, 2)
assert 1.2 < half < 1.3

both = pd.DataFrame({"age": young + old, "ill": ["flu", "flu", "cold", "cold"] * 2, "pay": ["low", "high"] * 4})
for columns in (["ill"], ["pay"], ["ill", "pay"]):
    print(f"entropy l of {' and '.join(columns)} by pycanon, anonymity-api {entropy(both, columns)}")
assert entropy(both, ["ill"]) == entropy(both, ["pay"]) == (1, 2.0)
assert entropy(both, ["ill", "pay"]) == (1, 4.0)
PYTHON
