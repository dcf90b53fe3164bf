#!/usr/bin/env bash
# Surprise: strmprivacy-diagnostics judges the second table by the kinds of columns of the first. It infers
# whether a sensitive column holds numbers or names, and keeps this in a default argument that all later
# calls share. After a table of illnesses, wages are compared as names: t is 0.5, where it is 0.13 in a new
# process, because each wage is a category of its own. A new object for each table does not help, nor
# does a second table of illnesses in between. k and l are right.
# Package: strmprivacy-diagnostics 1.2.2 (with pandas 2.2.3, numpy 1.26.4, scipy 1.15.3, and an empty module
# for the pages of its report, fpdf).
# Source: the package's diagnostics.py (calculate_stats, sa_types=[]; its README makes an object per table);
# Li, Li and Venkatasubramanian, t-closeness, https://doi.org/10.1109/ICDE.2007.367856
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps strmprivacy-diagnostics==1.2.2 numpy==1.26.4 pandas==2.2.3 scipy==1.15.3 python-dateutil==2.9.0.post0 pytz==2025.2 tzdata==2025.2 six==1.17.0
cd "$folder"
cat > judge.py <<'PYTHON'
import logging
import sys
from importlib.metadata import version
from unittest.mock import MagicMock

import pandas as pd

# the report and its charts are not used
sys.modules.update({name: MagicMock() for name in ("fpdf", "seaborn", "matplotlib", "matplotlib.pyplot")})
from strmprivacy.diagnostics import PrivacyDiagnostics

logging.disable()
ages = ["young"] * 4 + ["old"] * 4
pd.DataFrame({"age": ages, "ill": ["flu", "cold"] * 4}).to_csv("ill.csv", index=False)
pd.DataFrame({"age": ages, "wage": [1000, 1001, 1002, 1003, 1004, 1005, 1006, 9000]}).to_csv("wage.csv", index=False)
print("strmprivacy-diagnostics", version("strmprivacy-diagnostics"), file=sys.stderr)
for name in sys.argv[1:]:
    judge = PrivacyDiagnostics(f"{name}.csv")
    judge.calculate_stats(qi=["age"], sa=[name], metrics=["k_anonymity", "l_diversity", "t_closeness"])
    print(f"{name}: k {judge.k}, l {judge.l[name]}, t {float(judge.t):.3f}")
PYTHON
for order in "wage" "ill wage" "ill ill wage"; do
    # shellcheck disable=SC2086
    venv/bin/python -W ignore judge.py $order > "$folder/answer.txt"
    echo "in one process, $order:"
    cat "$folder/answer.txt"
    if [ "$order" = wage ]; then expected="wage: k 4, l 4, t 0.125"; else expected="wage: k 4, l 4, t 0.500"; fi
    [ "$(tail -n 1 "$folder/answer.txt")" = "$expected" ]
done
