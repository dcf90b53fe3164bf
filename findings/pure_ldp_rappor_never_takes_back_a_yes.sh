#!/usr/bin/env bash
# Surprise: the RAPPOR client of pure-LDP adds false yeses and never a false no. Each bit that is
# set for the true film should be cleared with probability f/2; of 20,000 reports none clears one.
# A report with a 0 there proves that the person did not name the film, so no finite epsilon holds,
# while the server states 0.98. Its estimate expects cleared bits: 1,000 people who all named one
# film are counted as 2,583. The conversion of epsilon to f also ignores the number of hash
# functions: asked for 1, the server states 0.98 with one of them and 3.92 with four.
# Package: pure-ldp 1.2.0 (with xxhash 3.5.0: later ones refuse the text that it hashes).
# Source: Erlingsson, Pihur and Korolova, RAPPOR, https://doi.org/10.1145/2660267.2660348 (a set bit
# is reported as 0 with probability f/2; epsilon grows with the number of hash functions);
# https://github.com/Samuel-Maddock/pure-LDP
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pure-ldp==1.2.0 xxhash==3.5.0 numpy==2.2.6 scipy==1.15.3 statsmodels==0.14.5 scikit-learn==1.7.2 pandas==2.3.3
cd "$folder"
venv/bin/python - <<'PYTHON'
import random
from importlib.metadata import version

import numpy as np
from pure_ldp.frequency_oracles.rappor import RAPPORClient, RAPPORServer

print("pure-ldp", version("pure-ldp"))
films, bits, people = 8, 32, 1_000
f = RAPPORClient(f=0.5, m=bits, hash_funcs=[]).convert_eps_to_f(1.0)


def pair(hashes, seed=3):
    random.seed(seed)
    server = RAPPORServer(f=f, m=bits, k=hashes, d=films, num_of_cohorts=1, reg_const=0)
    return server, RAPPORClient(f=f, m=bits, hash_funcs=server.get_hash_funcs(), num_of_cohorts=1)


stated = {hashes: pair(hashes)[0].epsilon for hashes in (1, 2, 4)}
print("asked for epsilon 1: f =", f, "; stated by the server, by hash functions:", stated)
assert np.allclose(list(stated.values()), stated[1] * np.array([1, 2, 4])) and 0.9 < stated[1] < 1.1

server, client = pair(hashes=1)
bit = server.get_hash_funcs()[0][0]
assert bit("0") != bit("1")
reports = {film: [client.privatise(film)[0] for _ in range(20_000)] for film in (1, 2)}
cleared = {film: float(np.mean([report[bit("0")] == 0 for report in reports[film]])) for film in (1, 2)}
print("share of reports with a 0 at the bit of film 1, of people who named film 1 and film 2:", cleared)
print("by RAPPOR:", f / 2, "and", 1 - f / 2)
assert cleared[1] == 0 and abs(cleared[2] - (1 - f / 2)) < 0.02

for _ in range(people):
    server.aggregate(client.privatise(1))
estimate = server.estimate(1, suppress_warnings=True)
print(f"{people} people named film 1; estimate {estimate:.0f}")
assert estimate > 2_300
PYTHON
