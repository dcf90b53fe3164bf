#!/usr/bin/env bash
# Surprise: the smaller the holdout, the larger the privacy loss of syntheval. The loss is the share
# of real people who are at risk less the share of held-out people who are, and the second is
# divided by the number of real people, too: without a holdout to speak of, all risk is loss. A
# synthetic table drawn independently of everybody has a loss of -0.01 by a holdout as large as the
# real table, 0.27 by a quarter of it, 0.38 by a tenth and 0.46 of its risk of 0.47 by ten people. So
# synthesizers judged with holdouts of different sizes are not comparable, and all seem to remember.
# By true shares a quarter gives -0.35: the nearest of fewer people is farther away, a second reason.
# Package: syntheval 1.7.3 (with numpy 2.2.6, pandas 2.3.3 and scikit-learn 1.7.2).
# Source: https://github.com/schneiderkamplab/syntheval (metrics/privacy/metric_epsilon_identifiability.py;
# called the difference in epsilon risk); Yoon, Drumright and van der Schaar, ADS-GAN,
# https://doi.org/10.1109/JBHI.2020.2980262 (the risk is a share of the people in question);
# Lautrup and others, SynthEval, https://arxiv.org/abs/2404.15821
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check syntheval==1.7.3 pcametric==1.2.0 numpy==2.2.6 pandas==2.3.3 scipy==1.15.3 scikit-learn==1.7.2
cd "$folder"
MPLBACKEND=Agg venv/bin/python -W ignore - <<'PYTHON' > answer.txt
import sys
from importlib.metadata import version

import numpy as np
import pandas as pd
from syntheval import SynthEval

say = sys.stderr
print("syntheval", version("syntheval"), file=say)
rng = np.random.default_rng(0)
real, synthetic, others = (pd.DataFrame(rng.normal(size=(1000, 3)), columns=["age", "income", "height"]) for _ in range(3))


def risks(people, holdout):
    judge = SynthEval(people, holdout, cat_cols=[], verbose=False)
    table = judge.evaluate(synthetic, eps_risk={}).set_index("metric")["val"]
    return table["eps_identif_risk"], table["priv_loss_eps"]


losses = {}
for n in (1000, 250, 100, 10):
    holdout = others.head(n)
    risk, losses[n] = risks(real, holdout)
    by_hand = risk - (risk - losses[n]) * 1000 / n
    print(f"{n} held out: risk {risk:.3f}, privacy loss {losses[n]:.3f}, by shares {by_hand:.3f}", file=say)
    assert n != 250 or abs(by_hand + 0.35) < 0.01
assert {n: round(loss, 2) for n, loss in losses.items()} == {1000: -0.01, 250: 0.27, 100: 0.38, 10: 0.46}
PYTHON
