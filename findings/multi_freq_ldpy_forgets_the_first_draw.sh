#!/usr/bin/env bash
# Surprise: the clients for repeated reports in multi-freq-ldpy draw everything anew for each report.
# These methods keep the first noisy answer and add fresh noise to it, so that any number of
# reports tells no more than eps_perm. The client returns the second draw alone and cannot be handed
# the first. One person who reports 500 times at eps_perm = 2 is read right in 100 of 100 cases
# by the most frequent report; with the first draw kept, at the same parameters, in 53 (45 are expected
# at eps_perm). A bit of basic RAPPOR (L_SUE) is read in the same way.
# Package: multi-freq-ldpy 0.2.5.
# Source: https://github.com/hharcolezi/multi-freq-ldpy (eps_perm: upper bound for infinitely many
# reports; the comment in the client says permanent memoization); Erlingsson, Pihur and Korolova,
# RAPPOR, https://doi.org/10.1145/2660267.2660348 (the permanent response is kept and reused);
# Arcolezi and others, https://arxiv.org/abs/2111.04636 (L-GRR)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check multi-freq-ldpy==0.2.5 numpy==2.2.6 numba==0.61.2 scipy==1.15.3 xxhash==3.5.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import inspect
from importlib.metadata import version

import numba
import numpy as np
from multi_freq_ldpy.long_freq_est.L_GRR import L_GRR_Client
from multi_freq_ldpy.long_freq_est.L_SUE import L_SUE_Client
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client

print("multi-freq-ldpy", version("multi-freq-ldpy"))
print("the client takes", list(inspect.signature(L_GRR_Client).parameters))
films, people, reports, film = 10, 100, 500, 3
eps_perm, eps_1 = 2.0, 1.0


@numba.njit
def seed(value):
    np.random.seed(value)


seed(0)
np.random.seed(0)


def most_frequent(answers):
    return int(np.bincount(answers, minlength=films).argmax())


# the second draw, by the formula of the client
keep = np.exp(eps_perm) / (np.exp(eps_perm) + films - 1)
move = (1 - keep) / (films - 1)
odds = np.exp(eps_1)
again = (move - odds * keep) / (-keep * odds + (films - 1) * move * odds - keep * (films - 1) + move)
second = float(np.log(again * (films - 1) / (1 - again)))
anew = [most_frequent([L_GRR_Client(film, films, eps_perm, eps_1) for _ in range(reports)]) == film for _ in range(people)]
kept = []
for _ in range(people):
    first = GRR_Client(film, films, eps_perm)
    kept.append(most_frequent([GRR_Client(first, films, second) for _ in range(reports)]) == film)
print(f"film read from {reports} reports, of {people} people: {sum(anew)}; with the first draw kept {sum(kept)} (allowed: {keep:.2f})")
assert sum(anew) == people and sum(kept) < 0.65 * people

read = [int(sum(L_SUE_Client(film, films, eps_perm, eps_1) for _ in range(2 * reports)).argmax()) == film for _ in range(people)]
print("by basic RAPPOR (L_SUE), from", 2 * reports, "reports:", sum(read))
assert sum(read) == people
PYTHON
