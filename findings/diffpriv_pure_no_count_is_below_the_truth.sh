#!/usr/bin/env bash
# Surprise: a private count of diffpriv-pure is never below the true one. Its geometric noise, which the
# README calls discrete Laplace, has one side only. Of 20,000 answers for 42 people none is below 42 at
# any epsilon, so the smallest of a few dozen is the truth, and an answer of 41 proves that a certain 42nd
# person is absent; epsilon 0.1 allows no answer to be more than 1.11 times as likely. At epsilon 1, 63 %
# of the answers are exact, where two-sided noise has 46 %; at 0.1, counts are 9.5 too large on average.
# The Laplace noise for sums and means of the same package has two sides.
# Package: diffpriv-pure 0.1.0.
# Source: the package's geometric_noise (its docstring: pure epsilon-DP) and README (an integer count with
# geometric, that is discrete Laplace, noise); Ghosh, Roughgarden and Sundararajan, Universally utility-maximizing
# privacy mechanisms, https://doi.org/10.1137/09076828X (the geometric mechanism has two sides)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check diffpriv-pure==0.1.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import math
import random
from importlib.metadata import version

from diffpriv_pure import private_count, private_mean

print("diffpriv-pure", version("diffpriv-pure"))
random.seed(0)


def answers(people, epsilon, times=20_000):
    return [private_count(people, epsilon) for _ in range(times)]


for epsilon in (0.1, 0.5, 1.0):
    found = answers(42, epsilon)
    excess, exact = sum(found) / len(found) - 42, found.count(42) / len(found)
    p = math.exp(-epsilon)
    print(f"epsilon {epsilon}: from {min(found)} to {max(found)}, {excess:.2f} too large on average; {exact:.3f} exact, by the two-sided noise {(1 - p) / (1 + p):.3f}")
    assert min(found) == 42 and abs(exact - (1 - p)) < 0.02
    assert abs(excess - p / (1 - p)) < 0.4
below = answers(41, 0.1).count(41), answers(42, 0.1).count(41)
print("answers of 41 at epsilon 0.1: of 41 people", below[0], "of 42 people", below[1], "in 20,000")
assert below[0] > 1500 and below[1] == 0
means = [private_mean([3.0] * 10, (0, 5), 1.0) for _ in range(2000)]
print("private means of 3 below 3:", sum(mean < 3 for mean in means), "of 2,000")
assert 900 < sum(mean < 3 for mean in means) < 1100
PYTHON
