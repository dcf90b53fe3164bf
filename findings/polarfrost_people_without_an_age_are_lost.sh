#!/usr/bin/env bash
# Surprise: polarfrost loses everyone whose age is unknown. It splits a group into people up to the median
# age and people above it; a blank is neither, so these people are in no group of the released table, without
# a warning. Of 25 people, 20 have a known age and the flu, and five an unknown age and HIV: the table counts
# 20 and has no HIV. If the group is too small to be split (nine people), all are kept, so a small example
# does not reveal it. A table of three people is released as a group of three, although k is 5.
# Package: polarfrost 0.2.1 (with polars 1.30.0 and pandas 2.2.3; with empty modules for Spark, which it
# imports but does not use for polars tables).
# Source: https://github.com/rglew/polarfrost (mondrian.py: mondrian_k_anonymity; k is said to be the minimum
# size of a group); https://docs.pola.rs/user-guide/expressions/missing-data
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps polarfrost==0.2.1 polars==1.30.0 numpy==1.26.4 pandas==2.2.3 python-dateutil==2.9.0.post0 pytz==2025.2 tzdata==2025.2 six==1.17.0
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
import sys
from importlib.metadata import version
from types import ModuleType
from unittest.mock import MagicMock

sql = MagicMock()
sql.DataFrame = type("DataFrame", (), {})
sys.modules.update({"pyspark": ModuleType("pyspark"), "pyspark.sql": sql, "pyspark.sql.functions": MagicMock()})
import polars as pl
from polarfrost import mondrian_k_anonymity

print("polarfrost", version("polarfrost"), "polars", pl.__version__)


def release(known, unknown):
    table = pl.DataFrame({"age": [*range(20, 20 + known), *[None] * unknown], "ill": ["flu"] * known + ["HIV"] * unknown})
    found = mondrian_k_anonymity(table, ["age"], "ill", k=5)
    people, illnesses = int(found["count"].sum()), sorted(set(",".join(found["ill"]).split(",")))
    print(f"{known} with an age, {unknown} without: {people} people in groups of {sorted(found['count'])}, illnesses {illnesses}")
    return people, illnesses


assert release(20, 0) == (20, ["flu"])
assert release(20, 5) == (20, ["flu"])
assert release(6, 3) == (9, ["HIV", "flu"])
assert release(3, 0) == (3, ["flu"])
PYTHON
