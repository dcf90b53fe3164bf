#!/usr/bin/env bash
# Surprise: the more questions one report of multi-freq-ldpy answers, the less private it is at the
# same epsilon. "Random sampling plus fake data" sanitizes one answer and makes up the others, and
# pays for the hidden choice by a higher level for that answer. But people who differ in all answers
# are told apart whichever is chosen: asked for epsilon 1, two people have odds of 4.4 for a report on
# two yes-or-no questions and 7.9 on four, a level of 1.49 and 2.06; by the formula 2.90 on ten. People
# who differ in one answer have at most the level asked for: a test that changes one answer passes.
# Package: multi-freq-ldpy 0.2.5.
# Source: https://github.com/hharcolezi/multi-freq-ldpy (epsilon: privacy guarantee of the tuple);
# Arcolezi, Couchot, Al Bouna and Xiao, Random sampling plus fake data,
# https://doi.org/10.1145/3459637.3482467; Li, Qardaji and Su, https://doi.org/10.1145/2414456.2414474
# (sampling amplifies where neighbours differ in the one record that may be left out)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check multi-freq-ldpy==0.2.5 numpy==2.2.6 numba==0.61.2 scipy==1.15.3 xxhash==3.5.0
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import numba
import numpy as np
from multi_freq_ldpy.mdim_freq_est.RSpFD_solution import RSpFD_GRR_Client

print("multi-freq-ldpy", version("multi-freq-ldpy"))
epsilon, reports = 1.0, 200_000


@numba.njit
def seed(value):
    np.random.seed(value)


seed(0)
np.random.seed(0)


def only_no(answers):
    """How many reports of a person with these answers (0 is no) are "no" throughout."""
    questions = len(answers)
    no = [0] * questions
    return sum(RSpFD_GRR_Client(answers, [2] * questions, questions, epsilon) == no for _ in range(reports))


level = {}
for questions in (2, 4):
    no = only_no([0] * questions)
    one, every = only_no([1] + [0] * (questions - 1)), only_no([1] * questions)
    level[questions] = float(np.log(no / one)), float(np.log(no / every))
    formula = np.log(questions * (np.exp(epsilon) - 1) + 1)
    print(
        f"{questions} questions, epsilon {epsilon}: level {level[questions][0]:.2f} where one answer differs, "
        f"{level[questions][1]:.2f} where all do (by the formula {formula:.2f}; odds {no / every:.1f})"
    )
    assert level[questions][0] < epsilon + 0.03
    assert abs(level[questions][1] - formula) < 0.08
assert level[2][1] > 1.4 and level[4][1] > 1.9
PYTHON
