#!/usr/bin/env bash
# Surprise: by pyresolvemetrics a linkage that equals the truth has a pair precision and a pair recall
# of 0.86. It lists the pairs of each group as tuples in the order in which Python happens to iterate
# over the set, and then looks for equal tuples: (0, 8) is not (8, 0). Equal sets need not be iterated in
# one order, so the one right pair of a group may score 0. A linkage that merges true groups by two
# contains all true pairs and has recall 0.60, not 1; with names instead of numbers the result changes
# from run to run. Its Talburt-Wang index is the square of the index: 0.5 for 0.71.
# Package: pyresolvemetrics 0.3.1 (with numpy 2.2.6).
# Source: https://github.com/matchescu/pyresolvemetrics (pair precision: common pairs by pairs of the
# result); Olar and Diosan, https://doi.org/10.5220/0012546300003693; Talburt, Entity resolution and
# information quality, 2011 (the root of the product of the numbers of groups, by that of overlaps)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pyresolvemetrics==0.3.1 numpy==2.2.6
cd "$folder"
venv/bin/python - <<'PYTHON'
import random
from importlib.metadata import version
from itertools import combinations

from pyresolvemetrics import cluster_precision, pair_precision, pair_recall, rand_index, twi

print("pyresolvemetrics", version("pyresolvemetrics"))


def groups(lists):
    return frozenset(frozenset(members) for members in lists)


def right(truth, linkage):
    known, found = ({frozenset(pair) for group in one for pair in combinations(group, 2)} for one in (truth, linkage))
    return len(known & found) / len(found), len(known & found) / len(known)


def judge(name, truth, linkage):
    scores = round(pair_precision(truth, linkage), 3), round(pair_recall(truth, linkage), 3)
    print(f"{name}: equal {truth == linkage}, pair precision and recall {scores}, right {right(truth, linkage)}")
    return scores


random.seed(0)
people = random.sample(range(1000), 1000)
lists = [people[start : start + 4] for start in range(0, 1000, 4)]
truth, shuffled = groups(lists), groups(random.sample(members, 4) for members in lists)
merged = groups(first + second for first, second in zip(lists[::2], lists[1::2], strict=True))
assert judge("one pair", groups([[0, 8]]), groups([[8, 0]])) == (0, 0)
assert max(judge("250 families, listed in another order", truth, shuffled)) < 0.95
print("other measures:", cluster_precision(truth, shuffled), rand_index(truth, shuffled))
assert truth == shuffled and cluster_precision(truth, shuffled) == rand_index(truth, shuffled) == 1
assert judge("families merged by two", truth, merged)[1] < 0.7 and right(truth, merged)[1] == 1
index = (len(truth) * len(merged)) ** 0.5 / len(truth)
print("Talburt-Wang index:", twi(truth, merged), "by its definition", round(index, 4))
assert twi(truth, merged) == 0.5 and abs(index**2 - 0.5) < 1e-9
PYTHON
