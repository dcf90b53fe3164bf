#!/usr/bin/env bash
# Surprise: trectools ranks films by their scores in MAP, precision and the others, but NDCG takes
# the rows of the table as they come. A run from a pandas table with the best film in the last of 20
# rows has MAP, reciprocal rank and P@1 of 1.0 and an NDCG of 0.23; NDCG@10 is 0. A table sorted by
# film instead of score changes NDCG alone. The same run read from a file has 1.0: only the reader
# of files sorts.
# Package: trectools 0.0.50 (with pandas 2.3.3), against pytrec_eval-terrier 0.5.11.
# Source: https://github.com/joaopalotti/trectools (trec_eval=True, the default: as trec_eval, which
# sorts by score; load_run_from_dataframe names no order of rows);
# https://github.com/usnistgov/trec_eval (ranks and order of a run are ignored, the scores count)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check trectools==0.0.50 pandas==2.3.3 numpy==2.2.6 scipy==1.15.3 scikit-learn==1.7.2 matplotlib==3.9.4 pytrec_eval-terrier==0.5.11
cd "$folder"
MPLBACKEND=Agg venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import pandas as pd
import pytrec_eval
from trectools import TrecEval, TrecQrel, TrecRun

print("trectools", version("trectools"), "pytrec_eval-terrier", version("pytrec_eval-terrier"))
films = [f"film-{i:02d}" for i in range(20)]
table = pd.DataFrame({"query": "ann", "q0": "Q0", "docid": films, "rank": range(20, 0, -1), "score": range(1, 21), "system": "s"})
qrels = TrecQrel()
qrels.qrels_data = pd.DataFrame({"query": ["ann"], "q0": ["0"], "docid": films[-1:], "rel": [1]})


def measures(run):
    judge = TrecEval(run, qrels)
    values = judge.get_map(), judge.get_reciprocal_rank(), judge.get_precision(depth=1), judge.get_ndcg(), judge.get_ndcg(depth=10)
    return dict(zip(["MAP", "RR", "P@1", "NDCG", "NDCG@10"], (round(float(value), 3) for value in values), strict=True))


ascending, descending = TrecRun(), TrecRun()
ascending.load_run_from_dataframe(table)
descending.load_run_from_dataframe(table.iloc[::-1])
table.to_csv("run.txt", sep=" ", header=False, index=False)
results = {"best film last": measures(ascending), "best film first": measures(descending), "from a file": measures(TrecRun("run.txt"))}
for name, values in results.items():
    print(f"{name}: {values}")
other = pytrec_eval.RelevanceEvaluator({"ann": {films[-1]: 1}}, {"map", "ndcg", "ndcg_cut_10"})
trec = other.evaluate({"ann": dict(zip(table["docid"], table["score"].astype(float), strict=True))})["ann"]
print("pytrec_eval:", trec)

perfect = dict.fromkeys(["MAP", "RR", "P@1", "NDCG", "NDCG@10"], 1.0)
assert results["best film first"] == results["from a file"] == perfect and set(trec.values()) == {1.0}
assert results["best film last"] == {**perfect, "NDCG": 0.228, "NDCG@10": 0.0}
PYTHON
