#!/usr/bin/env bash
# Surprise: a protected recommender that gives no list to two of four users is better than the
# plain one, or worse, by which wrapper of the same trec_eval is asked. pytrec_eval leaves out
# users without a list, so its mean goes up from 0.75 to 1.0; ir_measures, which calls
# pytrec_eval, counts them as zero: 0.5. Equal numbers where all have a list hide the difference.
# Packages: pytrec_eval-terrier 0.5.11, ir_measures 0.4.3.
# Source: Van Gysel and de Rijke, Pytrec_eval, https://doi.org/10.1145/3209978.3210065;
# https://ir-measur.es (one interface to several tools, pytrec_eval among them);
# the README of trec_eval, https://github.com/usnistgov/trec_eval (its switch -c is for this case).
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pytrec-eval-terrier==0.5.11 ir-measures==0.4.3
cd "$folder"
venv/bin/python - <<'PYTHON'
import warnings
from importlib.metadata import version

import ir_measures
import pytrec_eval
from ir_measures import RR

warnings.simplefilter("error")
print("pytrec_eval-terrier", version("pytrec_eval-terrier"), "ir_measures", version("ir_measures"))
liked = {f"u{number}": {f"film{number}": 1} for number in range(4)}
plain = {
    "u0": {"film0": 2.0, "other": 1.0},
    "u1": {"film1": 2.0, "other": 1.0},
    "u2": {"other": 2.0, "film2": 1.0},
    "u3": {"other": 2.0, "film3": 1.0},
}
protected = {user: plain[user] for user in ("u0", "u1")}      # nothing is said to u2 and u3


def by_pytrec_eval(run):
    rows = pytrec_eval.RelevanceEvaluator(liked, {"recip_rank"}).evaluate(run)
    values = [row["recip_rank"] for row in rows.values()]
    return float(pytrec_eval.compute_aggregated_measure("recip_rank", values))


def by_ir_measures(run):
    return float(ir_measures.calc_aggregate([RR], liked, run)[RR])


seen = {}
for name, run in (("plain", plain), ("protected", protected)):
    seen[name] = by_pytrec_eval(run), by_ir_measures(run)
    print(f"{name}: mean reciprocal rank {seen[name][0]} by pytrec_eval, {seen[name][1]} by ir_measures")
assert seen["plain"] == (0.75, 0.75)
assert seen["protected"] == (1.0, 0.5)                         # above and below the plain one
PYTHON
