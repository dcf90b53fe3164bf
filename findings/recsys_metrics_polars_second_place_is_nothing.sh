#!/usr/bin/env bash
# Surprise: in the average precision of recsys-metrics-polars a hit counts only on the first places, as
# many as there are held-out films. By its formula the sum runs over all k places; the table behind it
# has one row for each held-out film, not for each place. With one film held out, as is usual, the
# second place is worth nothing, where it is worth a half: AP@10 is 1 on the first place and 0 on
# all others, and the mean over users is the share of first places under another name. Three films
# held out and found on places 8 to 10 have 0, where they have 0.216. So a recommender that
# finds the film of 40 % of the users first and nothing else beats one that has it second for all.
# Recall and precision of the package are right.
# Package: recsys-metrics-polars 0.0.3 (with polars 0.19.19).
# Source: https://github.com/KernelA/recsys-metrics-polars (avg_precision.py: the docstring has the sum
# from 1 to k, divided by the smaller of k and the number of relevant films); Manning, Raghavan and
# Schütze, Introduction to information retrieval, section 8.4,
# https://nlp.stanford.edu/IR-book/html/htmledition/evaluation-of-ranked-retrieval-results-1.html
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check recsys-metrics-polars==0.0.3 polars==0.19.19
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import polars
from recsys_metrics_polars import AvgPrecisionAtK, DataInfo, RecallAtK

print("recsys-metrics-polars", version("recsys-metrics-polars"), "polars", polars.__version__)
columns = DataInfo(query_id_cols="user", item_col="film", score_col="score")


def table(lists):
    rows = [(user, film, -float(place)) for user, films in lists.items() for place, film in enumerate(films)]
    return polars.DataFrame(rows, schema=["user", "film", "score"], orient="row")


def by_its_formula(held_out, lists, k):
    total = 0
    for user, films in held_out.items():
        hits, precision = 0, 0
        for place, film in enumerate(lists[user][:k], start=1):
            hits += film in films
            precision += (film in films) * hits / place
        total += precision / min(k, len(films))
    return total / len(held_out)


def measured(held_out, lists, k=10):
    found = []
    for metric in (AvgPrecisionAtK(columns), RecallAtK(columns)):
        metric.fit(table(held_out).drop("score"), table(lists))
        found.append(round(metric.avergae_over_queries(k=k), 3))
    return *found, round(by_its_formula(held_out, lists, k), 3)


ten = list(range(10))
seen = {}
for name, films in {"first": [0], "second": [1], "tenth": [9], "1, 6 and 10": [0, 5, 9], "8, 9 and 10": [7, 8, 9]}.items():
    seen[name] = measured({"ann": films}, {"ann": ten})
    print("held-out films on place", name, "- AP@10", seen[name][0], "by its formula", seen[name][2], "recall", seen[name][1])
assert [values[0] for values in seen.values()] == [1, 0, 0, 0.333, 0]
assert [values[2] for values in seen.values()] == [1, 0.5, 0.1, 0.544, 0.216]
assert all(recall == 1 for _, recall, _ in seen.values())

users = {f"user {i}": [0] for i in range(10)}
some_first = {user: ten if i < 4 else [film + 10 for film in ten] for i, user in enumerate(users)}
all_second = {user: [5, 0, 1, 2, 3] for user in users}
values = measured(users, some_first), measured(users, all_second)
print("MAP@10, first for 4 of 10 users", values[0][0], "second for all", values[1][0], end=" ")
print("- by its formula", values[0][2], "and", values[1][2])
assert (values[0][0], values[1][0], values[0][2], values[1][2]) == (0.4, 0, 0.4, 0.5)
PYTHON
