#!/usr/bin/env bash
# Surprise: the private mean of a vector in eeprivacy, in its Laplace form, adds one random number to
# all entries. So the mean load of each hour is off by the same amount, and the difference of any two
# hours is published as it is, at every epsilon: at 0.001 the noise has scale 200, and the mean rise
# from one hour to the next is exact to nine digits. An entry that is known (no sun at night) gives all
# others away, and what one household adds between two hours is the difference of two releases.
# The Gaussian form draws one number for each hour.
# Package: eeprivacy 0.0.5 (with numpy 1.26.4 and pandas 2.2.3).
# Source: https://github.com/openeemeter/eeprivacy (operations.py; the docstring says that the noise is
# scaled to the L1 norm); https://openeemeter.github.io/eeprivacy/; Dwork and Roth, The algorithmic
# foundations of differential privacy, https://doi.org/10.1561/0400000042, definition 3.3 (independent
# noise in each coordinate)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check eeprivacy==0.0.5 pandas==2.2.3 numpy==1.26.4 scipy==1.15.3
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from eeprivacy.operations import PrivateVectorClampedMeanGaussian, PrivateVectorClampedMeanLaplace

print("eeprivacy", version("eeprivacy"))
np.random.seed(0)
households, hours = 100, 4
loads = np.random.default_rng(0).uniform(0, 5, (households, hours))
shape = {"lower_bound": 0, "upper_bound": 5, "k": hours, "N": households}
rises = np.diff(loads.mean(axis=0))
print("mean load", loads.mean(axis=0).round(3), "rise from hour to hour", rises.round(3))


def releases(mechanism, epsilon, vectors=loads):
    return np.array([mechanism(**shape).execute(vectors=vectors, epsilon=epsilon, delta=1e-6) for _ in range(200)])


laplace, gaussian = PrivateVectorClampedMeanLaplace, PrivateVectorClampedMeanGaussian
for epsilon in (1, 0.001):
    one, many = releases(laplace, epsilon), releases(gaussian, epsilon)
    print(f"epsilon {epsilon}: deviation of the load {one[:, 0].std():.3g} (Laplace), {many[:, 0].std():.3g} (Gaussian)")
    print(f"  of its rise {np.diff(one).std(axis=0).max():.1g} (Laplace), {np.diff(many).std(axis=0).max():.3g} (Gaussian)")
    assert one[:, 0].std() > 0.1 / epsilon and np.allclose(np.diff(one), rises, atol=1e-9)
    assert (np.diff(many).std(axis=0) > 0.1 / epsilon).all()

without = loads.copy()
without[0] = 0
person = households * (np.diff(releases(laplace, 0.001)[0]) - np.diff(releases(laplace, 0.001, without)[0]))
print("one household's rises, from two releases at epsilon 0.001:", person.round(6), "true:", np.diff(loads[0]).round(6))
assert np.allclose(person, np.diff(loads[0]), atol=1e-6)
PYTHON
