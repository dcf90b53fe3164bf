#!/usr/bin/env bash
# Surprise: asked to drop what happened after a moment, DataRec drops what happened before it, and the other
# way round. FilterByTime with drop="after", which is what it does unless told otherwise, keeps the moment
# and all later ratings. So who cuts a history at the first of January 2022 to train on what was known
# then trains on the future alone, and the ratings to be predicted are the training set; nothing is
# said, and a table cut in the middle has the right size both ways. The threshold split of the same
# package trains on what came before.
# Package: datarec 1.5.7 (with numpy 2.2.6, pandas 2.3.3 and scikit-learn 1.7.2).
# Source: https://github.com/sisinflab/DataRec (processing/temporal.py: drop says whether to drop records
# before or after the threshold); https://sisinflab.github.io/DataRec
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    datarec==1.5.7 numpy==2.2.6 pandas==2.3.3 scikit-learn==1.7.2
cd "$folder"
HOME="$folder" venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import pandas
from datarec import DataRec, RawData
from datarec.processing import FilterByTime
from datarec.splitters import TemporalThresholdSplit

print("datarec", version("datarec"), "pandas", pandas.__version__)
table = pandas.DataFrame(
    [(person, f"film of {year}", 5, year) for person in ("ann", "bo") for year in range(2018, 2026)],
    columns=["person", "film", "stars", "year"],
)
ratings = DataRec(RawData(table, user="person", item="film", rating="stars", timestamp="year"))


def years(part):
    return sorted(set(part.data[part.timestamp_col].tolist()))


seen = {drop: years(FilterByTime(time_threshold=2022, drop=drop).run(ratings)) for drop in ("after", "before")}
seen["unless told otherwise"] = years(FilterByTime(time_threshold=2022).run(ratings))
for drop, left in seen.items():
    print("drop", drop, "2022 - left:", *left)
split = {name: years(part) for name, part in TemporalThresholdSplit(2022, 2024).run(ratings).items()}
print("split at 2022 and 2024 -", split)
assert seen["after"] == seen["unless told otherwise"] == [2022, 2023, 2024, 2025]
assert seen["before"] == split["train"] == [2018, 2019, 2020, 2021]
PYTHON
