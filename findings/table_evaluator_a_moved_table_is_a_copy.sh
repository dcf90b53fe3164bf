#!/usr/bin/env bash
# Surprise: for table-evaluator, a synthetic table is a copy of the real one if all values are doubled and
# moved, and ten real people copied again and again are safer than invented people. Its nearest-neighbour
# distance is documented as that of each synthetic row to the closest real row, for insight into privacy.
# But it standardizes each table by its own mean and deviation, so the moved table is at 0, and it takes
# the nearest synthetic row of each real row instead. A table of ten real people, thirty times each, is at
# 1.03, and an independent table at 0.35; seen from the synthetic rows, the first is at 0.
# Package: table-evaluator 1.9.0 (its privacy evaluator alone; numpy 1.26.4, pandas 2.2.2, scipy 1.12.0).
# Source: https://github.com/Baukebrenninkmeijer/Table-Evaluator (evaluators/privacy_evaluator.py:
# row_distance; README: nearest neighbor distance between each row in the fake dataset and the closest row
# in the real dataset)
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

import numpy as np
import pandas as pd
from scipy.spatial.distance import cdist

print("table-evaluator", version("table-evaluator"))
place = Path(next(iter(find_spec("table_evaluator").submodule_search_locations)))
spec = spec_from_file_location("privacy", place / "evaluators" / "privacy_evaluator.py")
privacy = module_from_spec(spec)
spec.loader.exec_module(privacy)
rng = np.random.default_rng(0)
real, independent = (pd.DataFrame(rng.normal(size=(300, 3)), columns=["age", "income", "height"]) for _ in range(2))
tables = {
    "made up": independent,
    "the real table, doubled and moved by 5": 2 * real + 5,
    "ten real people, thirty times each": pd.concat([real.head(10)] * 30, ignore_index=True),
}
found = {}
for name, synthetic in tables.items():
    theirs = privacy.PrivacyEvaluator().row_distance(real, synthetic)[0]
    by_the_text = cdist((synthetic - real.mean()) / real.std(), (real - real.mean()) / real.std()).min(axis=1).mean()
    found[name] = round(theirs, 2), round(float(by_the_text), 2)
    print(f"{name}: nearest neighbour mean {theirs:.3f}; of each synthetic row, on one scale, {by_the_text:.3f}")
assert abs(found["made up"][0] - 0.35) < 0.02
assert found["the real table, doubled and moved by 5"][0] == 0 and found["the real table, doubled and moved by 5"][1] > 3
assert found["ten real people, thirty times each"][0] > 1 and found["ten real people, thirty times each"][1] == 0
PYTHON
