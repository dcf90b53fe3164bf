#!/usr/bin/env bash
# Surprise: xgi's degree assortativity with exact=True is another number than the one its samples
# estimate, and no number of samples brings them together. A sample draws a film, then two of its
# fans; the exact value takes all pairs of fans, so that a film with 12 fans has 66 votes and one
# with two has one. Twelve people all like one film, and like twelve others in pairs, the active
# with the active: the exact value is 0.07, as if people liked films with anybody, and the sampled
# one 0.89. The kinds "top-2" and "top-bottom" take one pair for each film in both ways, and agree.
# Package: xgi 0.10.2 (with numpy 2.2.6).
# Source: https://xgi.readthedocs.io (exact: whether to compute over all edges or sample from them);
# Chodrow, Configuration models of random hypergraphs, https://doi.org/10.1093/comnet/cnaa018 (a
# choice function takes two nodes from an edge, and the edge is drawn uniformly); merged in
# https://github.com/xgi-org/xgi/pull/122
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    xgi==0.10.2 numpy==2.2.6 scipy==1.15.3 pandas==2.3.3
cd "$folder"
venv/bin/python - <<'PYTHON'
from itertools import permutations

import numpy as np
import xgi

print("xgi", xgi.__version__)
active = [[one, one + 1] for one in (0, 2, 4) for _ in range(3)]    # nine films, three each
quiet = [[one, one + 1] for one in (6, 8, 10)]    # three films, one each
films = xgi.Hypergraph([list(range(12))] + active + quiet)
degree = films.degree()
print("likes of each person:", list(degree.values()))


def weighted(weight):
    """Correlation over ordered pairs of fans of a film, each with a weight by the number of fans."""
    pairs, weights = [], []
    for fans in films.edges.members():
        for one, other in permutations(fans, 2):
            pairs.append((degree[one], degree[other]))
            weights.append(weight(len(fans)))
    spread = np.cov(np.array(pairs, dtype=float).T, aweights=weights)
    return spread[0, 1] / spread[0, 0]


by_pairs, by_films = weighted(lambda fans: 1), weighted(lambda fans: 1 / (fans * (fans - 1)))
exact = xgi.degree_assortativity(films, exact=True)
sampled = [xgi.degree_assortativity(films, num_samples=number, seed=1) for number in (1_000, 10_000, 100_000)]
print("exact", round(exact, 3), "- from 1,000, 10,000 and 100,000 samples", np.round(sampled, 3))
print("all pairs alike", round(by_pairs, 3), "- all films alike", round(by_films, 3))
assert abs(exact - by_pairs) < 1e-9 and round(exact, 2) == 0.07
assert abs(sampled[2] - by_films) < 0.01 and by_films > 0.88
assert all(abs(value - exact) > 0.75 for value in sampled)

for kind in ("top-2", "top-bottom"):
    both = xgi.degree_assortativity(films, kind, exact=True), xgi.degree_assortativity(films, kind, num_samples=100_000, seed=1)
    print(kind, "- exact and sampled", np.round(both, 3))
    assert abs(both[0] - both[1]) < 0.02
PYTHON
