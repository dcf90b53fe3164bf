#!/usr/bin/env bash
# Surprise: implicit with filter_already_liked_items=True (its default) fills a list up with what
# was to be left out. A user who has liked 28 of 30 films and asks for five gets the two others and
# three that they have liked: with the score 0 in the nearest-neighbour model, where unknown films
# have it, too, and with -3.4e38 in the factor model. In a small or dense table the films that are
# "recommended" to the most active people are their own, and a published list shows their likes.
# Package: implicit 0.7.2 (scipy 1.14.1).
# Source: https://github.com/benfred/implicit; the docstring of recommend says that items which the
# user rated are not returned. The rule is inferred from the output.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check implicit==0.7.2 scipy==1.14.1 numpy==2.2.6
cd "$folder"
OPENBLAS_NUM_THREADS=1 venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from implicit.als import AlternatingLeastSquares
from implicit.nearest_neighbours import CosineRecommender
from scipy.sparse import csr_matrix

print("implicit", version("implicit"))
table = (np.random.default_rng(0).random((60, 30)) < 0.3).astype("float32")
table[0] = 1
table[0, :2] = 0  # the first user has liked all films but two
likes = csr_matrix(table)
for model in (
    AlternatingLeastSquares(factors=8, random_state=0, num_threads=1),
    CosineRecommender(K=20, num_threads=1),
):
    model.fit(likes, show_progress=False)
    shown, scores = model.recommend(0, likes[0], N=5, filter_already_liked_items=True)
    liked = [int(film) for film in shown if table[0, film]]
    print(type(model).__name__, "shows", shown.tolist(), "scores", scores.tolist(), "already liked:", liked)
    assert set(shown[:2].tolist()) == {0, 1} and len(liked) == 3
assert (scores[2:] == 0).all(), "the films that were to be left out are no longer scored 0"
PYTHON
