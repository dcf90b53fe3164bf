#!/usr/bin/env bash
# Surprise: by the Hadamard sketch of privadjust 10,000 people are 19,000. Its client flips its one bit
# at epsilon, but its server takes the flips back as if they were at half of epsilon, so that every
# estimated count is too large by a factor: 1.9 at epsilon 1, 1.6 at 2 and 1.3 at 4. The error does
# not shrink with more people, and the noisier the answers, the more popular all films seem; a film of
# 1,000 people at epsilon 1 looks like one of 1,900 at a large epsilon. The plain sketch of the same
# package, whose client flips at half of epsilon, finds 10,000.
# Package: privadjust 1.0.13 (with numpy 2.2.6 and pandas 2.3.3).
# Source: https://github.com/martaajonees/Local_Privacy (hadamard_count_mean); Apple's Differential
# Privacy Team, Learning with privacy at scale, algorithms of HCMS (flips at epsilon, and a constant of
# epsilon), https://machinelearning.apple.com/research/learning-with-privacy-at-scale
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps privadjust==1.0.13 numpy==2.2.6 pandas==2.3.3 sympy==1.14.0 mpmath==1.3.0 rich==14.0.0 markdown-it-py==3.0.0 mdurl==0.1.2 pygments==2.19.1 python-dateutil==2.9.0.post0 pytz==2025.2 tzdata==2025.2 six==1.17.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import contextlib
import io
import random
from importlib.metadata import version

import numpy as np
import pandas as pd
from privadjust.count_mean.private_cms_client import privateCMSClient
from privadjust.hadamard_count_mean.private_hcms_client import privateHCMSClient

print("privadjust", version("privadjust"))
people = pd.DataFrame({"value": [1] * 6000 + [2] * 3000 + [3] * 1000})


def counts(sketch, epsilon):
    random.seed(0)
    np.random.seed(0)
    with contextlib.redirect_stdout(io.StringIO()):
        one = sketch(epsilon, 64, 64, people)
        found, _ = one.server_simulator(one.execute_client())
    return {film: round(float(count)) for film, count in found.items()}


for epsilon in (1, 2, 4):
    hadamard, plain = counts(privateHCMSClient, epsilon), counts(privateCMSClient, epsilon)
    factor = np.tanh(epsilon / 2) / np.tanh(epsilon / 4)
    print(f"epsilon {epsilon}: Hadamard {hadamard}, in all {sum(hadamard.values())} (expected {factor:.2f} times); plain {plain}, in all {sum(plain.values())}")
    assert abs(sum(hadamard.values()) / len(people) - factor) < 0.2
    assert abs(hadamard[1] / 6000 - factor) < 0.2
    assert abs(sum(plain.values()) / len(people) - 1) < 0.1
PYTHON
