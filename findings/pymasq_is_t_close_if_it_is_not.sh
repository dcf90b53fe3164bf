#!/usr/bin/env bash
# Surprise: pymasq says that a table is t-close if it is not. Its function compares the largest distance
# with "at least t" and returns that: True for a table where all of the young have the flu and all of the
# old a cold, False for one where both are half and half in both groups. Its neighbours for k-anonymity
# and beta-likeness are True for the good one, and t_closeness, said to return the share of rows closer
# than t, returns the share of those that are not. Entropy l-diversity compares the entropy with l
# instead of its logarithm, so l = 2 asks for eight equally frequent illnesses, not for two.
# Package: pymasq 0.6.5 (its module of risk scores alone, without tensorflow; numpy 1.26.4, pandas 2.2.3).
# Source: https://github.com/mit-ll/pymasq (metrics/risk_scores.py; the docstring of is_t_close: whether the
# dataset is t-close or not, and of is_l_diverse: entropy is at least log l); Li, Li and
# Venkatasubramanian, t-closeness, https://doi.org/10.1109/ICDE.2007.367856
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps pymasq==0.6.5 setuptools==75.8.0 numpy==1.26.4 pandas==2.2.3 python-dateutil==2.9.0.post0 pytz==2025.2 tzdata==2025.2 six==1.17.0
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pandas as pd
import pymasq

print("pymasq", version("pymasq"))
spec = spec_from_file_location("risk_scores", Path(pymasq.ROOT_DIR) / "metrics" / "risk_scores.py")
risk = module_from_spec(spec)
spec.loader.exec_module(risk)
ages = ["young"] * 4 + ["old"] * 4
tables = {
    "half and half": pd.DataFrame({"age": ages, "ill": ["flu", "cold", "flu", "cold"] * 2}),
    "one illness a group": pd.DataFrame({"age": ages, "ill": ["flu"] * 4 + ["cold"] * 4}),
}
found = {}
for name, table in tables.items():
    found[name] = {
        "is_t_close": bool(risk.is_t_close(table, "ill", t=0.1)),
        "t_closeness": risk.t_closeness(table, "ill", t=0.1, datatype="categorical"),
        "is_beta_like": bool(risk.is_beta_like(table, "ill")),
        "is_k_anon": bool(risk.is_k_anon(table, ["age"], k=3)),
    }
    print(f"{name}:", found[name])
assert found["half and half"] == {"is_t_close": False, "t_closeness": 0.0, "is_beta_like": True, "is_k_anon": True}
assert found["one illness a group"] == {"is_t_close": True, "t_closeness": 1.0, "is_beta_like": False, "is_k_anon": True}

violations = {}
for illnesses in range(2, 10):
    table = pd.DataFrame({"age": "young", "ill": [f"illness {number}" for number in range(illnesses)]})
    violations[illnesses] = risk.l_diversity(table, "ill", L=2, method="entropy")
print("share of rows that violate entropy 2-diversity, by equally frequent illnesses:", violations)
assert [illnesses for illnesses, share in violations.items() if share == 1] == [2, 3, 4, 5, 6, 7]
PYTHON
