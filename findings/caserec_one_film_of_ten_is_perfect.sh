#!/usr/bin/env bash
# Surprise: Case Recommender compares a list with the best order of that same list, not with the
# films that were held out. Of ten held-out films, a recommender that finds one and puts it first
# has NDCG@10 = 1 and MAP@10 = 1; one that finds nine and puts a wrong film first has 0.86 and 0.79.
# By trec_eval the first has 0.22 and 0.10, the second 0.78 and 0.71. So the order of two
# recommenders turns round, and a protected one that has lost nine of ten hits looks perfect.
# Package: CaseRecommender 1.1.1, against pytrec_eval-terrier 0.5.11.
# Source: https://github.com/caserec/CaseRecommender (the docstrings call the two measures NDCG and
# mean average precision); Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR
# techniques, https://doi.org/10.1145/582415.582418 (the ideal vector has all relevant documents)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check CaseRecommender==1.1.1 pytrec_eval-terrier==0.5.11 numpy==1.26.4 scipy==1.15.3 scikit-learn==1.7.2 pandas==2.3.3
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import pytrec_eval
from caserec.evaluation.item_recommendation import ItemRecommendationEvaluation

print("CaseRecommender", version("CaseRecommender"), "pytrec_eval-terrier", version("pytrec_eval-terrier"))
held_out = [f"liked {i}" for i in range(10)]
lists = {
    "one hit, first": held_out[:1] + [f"other {i}" for i in range(9)],
    "nine hits, first is wrong": ["other 0", *held_out[:9]],
}
judge = pytrec_eval.RelevanceEvaluator({"ann": dict.fromkeys(held_out, 1)}, {"ndcg_cut_10", "map_cut_10"})
caserec, trec = {}, {}
for name, films in lists.items():
    evaluation = ItemRecommendationEvaluation(n_ranks=[10], verbose=False)
    result = evaluation.evaluate({"ann": films}, {"users": ["ann"], "items_seen_by_user": {"ann": held_out}})
    caserec[name] = result["NDCG@10"], result["MAP@10"]
    other = judge.evaluate({"ann": {film: 10 - place for place, film in enumerate(films)}})["ann"]
    trec[name] = round(other["ndcg_cut_10"], 3), round(other["map_cut_10"], 3)
    print(f"{name}: recall {result['RECALL@10']}; NDCG@10, MAP@10 by caserec {caserec[name]}, by trec_eval {trec[name]}")

one, nine = lists
assert caserec[one] == (1.0, 1.0)
assert all(few > many for few, many in zip(caserec[one], caserec[nine], strict=True))
assert all(few < many for few, many in zip(trec[one], trec[nine], strict=True)) and max(trec[one]) < 0.3
PYTHON
