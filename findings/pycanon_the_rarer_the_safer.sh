#!/usr/bin/env bash
# Surprise: pycanon computes recursive (c, l)-diversity from the rarest value where the definition
# has the most frequent one. So the more one illness rules a group, the better the number: where
# half of a thousand people have the flu c is 2, as is right, and where 999 of them have it c is 1,
# the strictest there is; by the definition it is 1000.
# Package: pycanon 1.3.6 (with pandas 2.3.3).
# Source: Machanavajjhala and others, l-diversity, https://doi.org/10.1145/1217299.1217302: with
# counts r1 >= r2 >= ... a group is (c, l)-diverse if r1 < c (r_l + ... + r_m);
# https://pycanon.readthedocs.io
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pycanon==1.3.6 pandas==2.3.3
cd "$folder"
venv/bin/python - <<'PYTHON'
import warnings
from importlib.metadata import version

import pandas as pd
from pycanon import anonymity

warnings.simplefilter("error")
print("pycanon", version("pycanon"))


def stated(counts):
    ill = [f"illness {one}" for one, count in enumerate(counts) for _ in range(count)]
    table = pd.DataFrame({"age": "20s", "ill": ill})
    c, l = anonymity.recursive_c_l_diversity(table, ["age"], ["ill"])
    return int(c), int(l)


def least(counts, l):
    """The least whole c with r1 < c (r_l + ... + r_m)."""
    counts = sorted(counts, reverse=True)
    return counts[0] // sum(counts[l - 1:]) + 1


for counts in ((500, 500), (900, 100), (999, 1), (998, 1, 1), (400, 300, 300)):
    c, l = stated(counts)
    print(f"counts {counts}: c = {c} for l = {l}, by the definition {least(counts, l)}")
    assert l == len(counts)
assert stated((500, 500))[0] == least((500, 500), 2) == 2
assert stated((900, 100))[0] == 1 and least((900, 100), 2) == 10
assert stated((999, 1))[0] == 1 and least((999, 1), 2) == 1000
assert stated((998, 1, 1))[0] == 1 and least((998, 1, 1), 3) == 999
PYTHON
