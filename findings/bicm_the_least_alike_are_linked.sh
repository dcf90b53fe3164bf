#!/usr/bin/env bash
# Surprise: with the normal approximation bicm links the users who have the fewest films in common. A
# p-value should be the chance of as many common films or more under the null model; of its four
# methods two, "normal" and "rna", return the chance of as many or fewer. Of 40 users of two tastes the pair
# with the most films in common has p below 0.0001 by the default method and above 0.9999 by these two. The
# default keeps 311 links, all within a taste; they keep 400, each between the tastes, so that the
# communities of the projection are people who agree on nothing. A projection is also computed once:
# asked again at 1e-9 the same object returns the 311 links of the level 0.01; a new one returns none.
# Package: bicm 3.4.0 (with numpy 2.2.6, scipy 1.15.3 and numba 0.61.2).
# Source: https://github.com/mat701/BiCM (graph_classes.py, pval_calculator: survival function of the
# Poisson law, distribution function of the normal one); Saracco and others, Inferring monopartite
# projections of bipartite networks, https://doi.org/10.1088/1367-2630/aa6b38 (p-value: the probability of
# a number of V-motifs greater than or equal to the observed one)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check bicm==3.4.0 numpy==2.2.6 scipy==1.15.3 numba==0.61.2 tqdm==4.67.1
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
import contextlib
import io
from importlib.metadata import version

import numpy
from bicm import BipartiteGraph

print("bicm", version("bicm"), "numpy", numpy.__version__)
rng = numpy.random.default_rng(0)
users, films = numpy.arange(40), numpy.arange(1000)
mine = (users < 20)[:, None] == (films < 500)
likes = (rng.random((40, 1000)) < numpy.where(mine, 0.4, 0.05)).astype(int)
common = (likes @ likes.T)[numpy.triu_indices(40, 1)]


def projected(graph, **settings):
    with contextlib.redirect_stdout(io.StringIO()):
        links = graph.get_rows_projection(threads_num=1, progress_bar=False, **settings)
    return [(int(one), int(other)) for one, others in links.items() for other in others]


seen = {}
for method in ("poisson", "normal", "rna"):
    graph = BipartiteGraph(likes)
    links = projected(graph, method=method, alpha=0.01)
    p = graph.get_projected_pvals_mat()[numpy.triu_indices(40, 1)]
    within = sum((one < 20) == (other < 20) for one, other in links)
    seen[method] = len(links), within, float(p[common.argmax()]), float(p[common.argmin()])
    print(method, "- links", len(links), "within a taste", within, "p of the pair with", common.max(), end=" ")
    print("films in common", round(seen[method][2], 6), "of that with", common.min(), round(seen[method][3], 6))
for method in ("normal", "rna"):
    assert seen[method][:2] == (400, 0) and seen[method][2] > 0.9999 > 0.0001 > seen[method][3]
assert seen["poisson"][:2] == (311, 311) and seen["poisson"][2] < 0.0001 < 0.9999 < seen["poisson"][3]

graph = BipartiteGraph(likes)
first = [len(projected(graph, alpha=alpha)) for alpha in (0.01, 1e-9)]
fresh = len(projected(BipartiteGraph(likes), alpha=1e-9))
print("links at 0.01", first[0], "then at 1e-9", first[1], "at 1e-9 from the beginning", fresh)
assert (*first, fresh) == (311, 311, 0)
PYTHON
