#!/usr/bin/env bash
# Surprise: implicit's precision at K grows with the list. Hits are divided by the smaller of K and
# the films that were held out, so with one film held out (leave one out) the "precision at 30" of
# a list of all 30 films is 1.0, where one film in thirty is right: 0.033. At most 0.1 is possible
# at K = 10; 0.3 is reported. With one film held out the number is the hit rate, or recall.
# Package: implicit 0.7.2, with scipy 1.14.1 (with scipy 1.17.1 the same call raises an error).
# Source: https://github.com/benfred/implicit; the docstring of precision_at_k promises P@K and names no
# other divisor. Compiled code: the rule is inferred from the output.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check implicit==0.7.2 scipy==1.14.1 numpy==2.2.6
cd "$folder"
OPENBLAS_NUM_THREADS=1 venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from implicit.als import AlternatingLeastSquares
from implicit.evaluation import ranking_metrics_at_k
from scipy.sparse import csr_matrix

print("implicit", version("implicit"), "scipy", version("scipy"))
users, films = 60, 30
rng = np.random.default_rng(0)
likes = csr_matrix((rng.random((users, films)) < 0.3).astype("float32"))
model = AlternatingLeastSquares(factors=8, random_state=0, num_threads=1)
model.fit(likes, show_progress=False)
held_out = csr_matrix((np.ones(users, "float32"), (np.arange(users), np.arange(users) % films)))
nothing = csr_matrix((users, films), dtype="float32")

for size in (1, 5, 10, 20, 30):
    reported = ranking_metrics_at_k(model, nothing, held_out, K=size, show_progress=False)["precision"]
    shown, _ = model.recommend(np.arange(users), nothing, N=size)
    hits = sum(user % films in row for user, row in enumerate(shown))
    print(f"K = {size}: precision {reported:.3f}; hits by shown films {hits / (users * size):.3f}; users with a hit {hits / users:.3f}")
    assert np.isclose(reported, hits / users), "the precision is no longer the share of users with a hit"
assert reported == 1.0 and np.isclose(hits / (users * films), 1 / films)
PYTHON
