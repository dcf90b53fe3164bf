#!/usr/bin/env bash
# Surprise: DP_epidemiology publishes a single week without any noise. The noise grows with the weeks of
# the period, and these are the days between its first and its last day, divided by seven and cut to
# a whole number: from Monday to Sunday there are six days, so no week, so no noise, at every epsilon.
# At 0.01 the transactions of three postcodes are 100, 7 and 200 as they were counted, also where a
# postcode has one shop; with the Monday after it the noise has a deviation of 255,000. Two weeks from
# Monday to Sunday are taken for one, with half of the noise that its formula asks for. The analysers
# of mobility and of pandemic stages reckon in the same way.
# Package: DP_epidemiology 0.1.1 (alone, without its charts; opendp 0.11.1, pandas 2.3.3).
# Source: https://github.com/KnowledgeEdgeAI/PETs_for_Public_Health_Challenge (hotspot_analyzer.py,
# utilities.py); https://pets-for-public-health-challenge.readthedocs.io (scale: three times the
# number of time stamps times the bound, divided by epsilon)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps DP_epidemiology==0.1.1 opendp==0.11.1 numpy==2.2.6 pandas==2.3.3 python-dateutil==2.9.0.post0 pytz==2025.2 tzdata==2025.2 six==1.17.0
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from datetime import datetime
from importlib.metadata import version

import numpy as np
import pandas as pd
from DP_epidemiology.hotspot_analyzer import hotspot_analyzer

print("DP_epidemiology", version("DP_epidemiology"), "opendp", version("opendp"))
shops = pd.DataFrame(
    {
        "date": ["2024-01-01", "2024-01-03", "2024-01-07", "2024-01-04"],
        "merch_postal_code": ["110111", "110111", "110121", "110131"],
        "transaction_type": "OFFLINE",
        "nb_transactions": [40, 60, 7, 200],
    }
)
monday = datetime(2024, 1, 1)


def release(last, epsilon):
    found = hotspot_analyzer(shops, monday, last, "Bogota", epsilon)
    return dict(zip(found["merch_postal_code"], found["nb_transactions"].tolist(), strict=True))


exact = {"110111": 100, "110121": 7, "110131": 200}
for epsilon in (0.0001, 0.01, 1):
    week = [release(datetime(2024, 1, 7), epsilon) for _ in range(20)]
    print(f"Monday to Sunday, epsilon {epsilon}: {week[0]}, in {week.count(exact)} of 20 releases")
    assert week.count(exact) == 20
spread = {}
for last, days in [(datetime(2024, 1, 8), 8), (datetime(2024, 1, 14), 14), (datetime(2024, 1, 15), 15)]:
    # negative answers become 0, so the noise is read from half of them
    answers = np.array([list(release(last, 0.01).values()) for _ in range(1000)]).ravel()
    spread[days] = float(np.quantile(answers, 0.75)) / np.log(2)
    print(f"{days} days: scale of the noise about {spread[days]:.0f}")
assert abs(spread[8] / 180_000 - 1) < 0.25 and abs(spread[14] / 180_000 - 1) < 0.25
assert abs(spread[15] / 360_000 - 1) < 0.25
PYTHON
