#!/usr/bin/env bash
# Surprise: the settings of the anonymity loss coefficient are not read. Its three weights are
# arguments when the object is made, and each is overwritten with its default, without a word; so
# are those that the manager of an attack passes on. An attack that is right in nine of ten cases
# about a tenth of the people, against a baseline of one in two about a half, costs 0.77 with every
# setting: loss is high. Set one by one afterwards, the same settings give 0.40, 0.39 and 0.00: below
# 0.5, which the package calls safe.
# Package: anonymity-loss-coefficient 1.0.32 (with pandas 2.3.3).
# Source: https://github.com/yoid2000/anonymity_loss_coefficient (alc/anonymity_loss_coefficient.py;
# the docstring takes 0.5 for a safe amount of loss, conservatively); Francis and Wagner, Towards
# better attribute inference vulnerability measures, https://arxiv.org/abs/2507.01710
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check anonymity-loss-coefficient==1.0.32 numpy==2.2.6 pandas==2.3.3 scipy==1.15.3 scikit-learn==1.7.2
cd "$folder"
MPLBACKEND=Agg venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

from anonymity_loss_coefficient import AnonymityLossCoefficient

print("anonymity-loss-coefficient", version("anonymity-loss-coefficient"))
attack = {"p_base": 0.5, "r_base": 0.5, "p_attack": 0.9, "r_attack": 0.1}
usual = AnonymityLossCoefficient().alc(**attack)
print("defaults:", usual)
found = {}
for name, value in {"recall_adjust_strength": 1.0, "prc_abs_weight": 1.0, "recall_adjust_min_intercept": 0.05}.items():
    judge = AnonymityLossCoefficient(**{name: value})
    given = judge.alc(**attack), judge.get_param(name)
    judge.set_param(name, value)
    found[name] = judge.alc(**attack)
    print(f"{name} = {value}: {given[0]} (it is {given[1]}); set afterwards: {found[name]}")
    assert given == (usual, AnonymityLossCoefficient().get_param(name))
assert usual == 0.7719
assert found == {"recall_adjust_strength": 0.3955, "prc_abs_weight": 0.3861, "recall_adjust_min_intercept": -0.0049}
PYTHON
