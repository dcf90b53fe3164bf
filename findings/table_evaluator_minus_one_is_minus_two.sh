#!/usr/bin/env bash
# Surprise: table-evaluator cannot tell -1 from -2. It finds copied people by the hash of their rows, and in
# Python -1 and -2 have the same hash. Surveys use these codes for "does not know" and "refused": three
# synthetic people who refused to report their income are counted as copies of three real people who did not
# know theirs, while -1 and -3 give no copies. pandas, which compares values, finds none.
# Package: table-evaluator 1.9.0 (its privacy evaluator alone; numpy 1.26.4, pandas 2.2.2, scipy 1.12.0).
# Source: https://github.com/Baukebrenninkmeijer/Table-Evaluator (evaluators/privacy_evaluator.py: get_copies,
# said to find exact matches); https://docs.python.org/3/library/functions.html#hash
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps table-evaluator==1.9.0 numpy==1.26.4 pandas==2.2.2 scipy==1.12.0 python-dateutil==2.9.0.post0 pytz==2025.2 tzdata==2025.2 six==1.17.0
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

import pandas as pd

print("table-evaluator", version("table-evaluator"))
place = Path(next(iter(find_spec("table_evaluator").submodule_search_locations)))
spec = spec_from_file_location("privacy", place / "evaluators" / "privacy_evaluator.py")
privacy = module_from_spec(spec)
spec.loader.exec_module(privacy)
judge = privacy.PrivacyEvaluator()
real = pd.DataFrame({"age": [30, 40, 50], "income": -1})
for code, copies in ((-1, 3), (-2, 3), (-3, 0), (0, 0)):
    synthetic = real.assign(income=code)
    theirs = judge.get_copies(real, synthetic, return_len=True)
    equal = len(real.merge(synthetic))
    print(f"real incomes -1, synthetic incomes {code}: {theirs} copies; equal rows by pandas {equal}")
    assert theirs == copies and equal == (3 if code == -1 else 0)
    floats = judge.get_copies(real.astype(float), synthetic.astype(float), return_len=True)
    assert floats == copies
PYTHON
