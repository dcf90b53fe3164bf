#!/usr/bin/env bash
# Surprise: "leave one out, at random" of DataRec takes the film in the same place from everybody who has
# equally many. The generator is set back to the seed for each user. Where 100 people have rated the
# same ten films, listed by film, the test set is one film, taken from all 100, and no training rating of
# it is left: a recommender cannot know it, and recall is 0. Where each has rated five of 200 films, listed
# by popularity, all lose their first or all their fifth, by the seed, so that the seed decides whether
# the test asks for blockbusters or for films that few know: the median rank of a tested film is 4 or
# 135.5. The other random splits by user do the same; the one that does not look at users is random.
# Package: datarec 1.5.7 (with numpy 2.2.6, pandas 2.3.3 and scikit-learn 1.7.2).
# Source: https://github.com/sisinflab/DataRec (splitters/user_stratified/leave_out.py and hold_out.py,
# splitters/utils.py: said to be randomly selected, with a seed for reproducibility);
# https://sisinflab.github.io/DataRec
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    datarec==1.5.7 numpy==2.2.6 pandas==2.3.3 scikit-learn==1.7.2
cd "$folder"
HOME="$folder" venv/bin/python -W ignore - <<'PYTHON'
import random
from importlib.metadata import version

import pandas
from datarec import DataRec, RawData
from datarec.splitters import LeaveOneOut, LeaveRatioOut, RandomHoldOut, UserStratifiedHoldOut

print("datarec", version("datarec"), "pandas", pandas.__version__)


def ratings(rows):
    table = pandas.DataFrame(rows, columns=["person", "film", "stars"])
    return DataRec(RawData(table, user="person", item="film", rating="stars"))


def films(part):
    return part.data[part.item_col]


same = ratings([(person, film, 5) for person in range(100) for film in range(10)])
seen = {}
for splitter in (
    LeaveOneOut(validation=False, seed=1),
    LeaveRatioOut(test_ratio=0.2, seed=1),
    UserStratifiedHoldOut(test_ratio=0.2, seed=1),
    RandomHoldOut(test_ratio=0.2, seed=1),
):
    name, parts = type(splitter).__name__, splitter.run(same)
    seen[name] = films(parts["test"]).nunique(), films(parts["train"]).nunique()
    print(f"{name}: of ten films, {seen[name][0]} are tested and {seen[name][1]} are in training")
assert seen == {"LeaveOneOut": (1, 9), "LeaveRatioOut": (2, 8), "UserStratifiedHoldOut": (2, 8), "RandomHoldOut": (10, 10)}

random.seed(0)
rows = []
for person in range(100):
    chosen = set()
    while len(chosen) < 5:
        chosen.add(random.choices(range(200), [1 / (film + 10) for film in range(200)])[0])
    rows += [(person, film, 5) for film in sorted(chosen)]
place = {row[:2]: number % 5 + 1 for number, row in enumerate(rows)}
taken = {}
for seed in (0, 4, 5):
    test = LeaveOneOut(validation=False, seed=seed).run(ratings(rows))["test"]
    places = {place[pair] for pair in zip(test.data[test.user_col], films(test), strict=True)}
    taken[seed] = places, float(films(test).median())
    print("seed", seed, "- place lost by each of 100 people:", *places, "median rank of the tested films", taken[seed][1])
assert [places for places, _ in taken.values()] == [{3}, {1}, {5}]
assert [median for _, median in taken.values()] == [34, 4, 135.5]
PYTHON
