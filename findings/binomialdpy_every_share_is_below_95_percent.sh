#!/usr/bin/env bash
# Surprise: the upper confidence bound of binomialdpy is 0.95 for every answer. Its function searches
# for the bound and then returns one minus the error level, whatever was observed: 2 of 10 who have
# seen a film, 9 of 10 and 50 of 100 all have at most 95 %, and a report that asks for 99 % certainty
# has 0.99. The lower bound, which is searched for from one half, is 0 for 4 to 6 of 10, and for 3 of
# 100 it is 0.5, sixteen times what was observed. Solved with the p-values of the same package the
# bounds for 2 and 7 of 10 are 0.517 and 0.384, the numbers that its sister package for R documents.
# Package: binomialdpy 0.1.5 (with scipy 1.15.3).
# Source: https://github.com/tranntran/binomialdpy (binomialdpy/ci.py);
# https://rdrr.io/github/tranntran/binomialDP/man/CIOneSide.html (0.384 and 0.517); Awan and Slavkovic,
# Differentially private inference for binomial data, https://doi.org/10.29012/jpc.725
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check binomialdpy==0.1.5 numpy==2.2.6 scipy==1.15.3
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version
from math import exp

from binomialdpy import ci, pvalue
from scipy.optimize import brentq

print("binomialdpy", version("binomialdpy"), "scipy", version("scipy"))


def solved(level, answer, people, q):
    def excess(share):
        return pvalue.right([answer], people, share, exp(-1), q)[0] - level

    return brentq(excess, 0, 1) if excess(1) > 0 else 1.0


found = {}
for answer, people, q in [(2, 10, 0.05), (4, 10, 0.05), (6, 10, 0.05), (7, 10, 0.05), (9, 10, 0.05), (3, 100, 0), (50, 100, 0)]:
    setting = {"sample": [answer], "n": people, "b": exp(-1), "q": q}
    lower, upper = float(ci.lower(0.05, **setting)[0]), ci.upper(0.05, **setting)
    right = solved(0.05, answer, people, q), solved(0.95, answer, people, q)
    found[answer, people] = round(lower, 3), upper, round(right[0], 3), round(right[1], 3)
    print(f"{answer} of {people}: at least {lower:.3f}, at most {upper}; solved: {right[0]:.3f} and {right[1]:.3f}")
    assert upper == 0.95 and ci.upper(0.01, **setting) == 0.99
assert found[2, 10][3] == 0.517 and found[7, 10][0] == found[7, 10][2] == 0.384
assert found[4, 10][0] == found[6, 10][0] == 0 and found[4, 10][2] > 0.1
assert found[3, 100][0] == 0.5 and found[3, 100][3] < 0.12
PYTHON
