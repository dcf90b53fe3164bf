#!/usr/bin/env bash
# Surprise: with a seed GeoPrivacy moves everybody in the same direction. Its batch of planar Laplace
# noise seeds numpy anew for each person, which draws the angle, and does not seed the other generator,
# which draws the distance. So all angles are equal, and the distances still differ from run to run. Who
# knows where one person was knows the line on which each other person was; a place off the line is
# excluded, so no epsilon holds. The centre of 1,000 people moves by 2 / epsilon, where independent noise
# leaves it in place. Without a seed the angles differ. The line of the README that adds the noise to a
# place joins two pairs: the "new location" begins with the true one.
# Package: GeoPrivacy 0.0.4 (with numpy 2.2.6).
# Source: https://github.com/quao627/GeoPrivacy (mechanism.py; the seed is there for reproducibility);
# Andrés and others, Geo-indistinguishability, https://doi.org/10.1145/2508859.2516735 (the angle is uniform)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check GeoPrivacy==0.0.4 numpy==2.2.6 scipy==1.15.3 networkx==3.4.2 gurobipy==12.0.2 geopy==2.4.1
cd "$folder"
venv/bin/python - <<'PYTHON'
import random
from importlib.metadata import version

import numpy as np
from GeoPrivacy.mechanism import batch_laplace_noise, random_laplace_noise

print("GeoPrivacy", version("GeoPrivacy"))
epsilon, people = 0.5, 1000


def angles(noise):
    return np.round(np.degrees(np.arctan2(noise[:, 1], noise[:, 0])), 6).tolist()


free = batch_laplace_noise(people, epsilon)
print("without a seed:", len(set(angles(free))), "angles, the centre moves by", np.linalg.norm(free.mean(axis=0)).round(2))
assert len(set(angles(free))) > 900 and np.linalg.norm(free.mean(axis=0)) < 0.6
for seed in (1, 7, 2024):
    noise = batch_laplace_noise(people, epsilon, seed=seed)
    again = batch_laplace_noise(people, epsilon, seed=seed)
    shift = np.linalg.norm(noise.mean(axis=0))
    print(f"seed {seed}: angles {sorted(set(angles(noise)))}, the centre moves by {shift:.2f}; the same again: {np.allclose(noise, again)}")
    assert len(set(angles(noise))) == 1 and set(angles(noise)) == set(angles(again))
    assert abs(shift - 2 / epsilon) < 0.5 and not np.allclose(noise, again)
print("random.seed is the number", random.seed, "now")
assert random.seed == 2024

location = (3, 5)
print("place plus noise, as in the README:", location + random_laplace_noise(epsilon))
assert (location + random_laplace_noise(epsilon))[:2] == location
PYTHON
