#!/usr/bin/env bash
# Surprise: in pygrank's link assessment, which tells how well the scores of several groups predict who
# knows whom, only the group that was entered last counts. Two people are alike if their scores are, over
# all groups; the sum of products is overwritten in each step, so that it holds the last product. The
# length of the two vectors is right. In a club of 34 with the two leaders' groups, LinkAUC is 0.8 as
# defined, 0.56 with one group last and 0.51 with the other: the order of a dictionary decides. A third
# group that nobody is in, entered last, makes all pairs equally alike: 0.5, whatever the scores are. The
# clustering coefficient uses the same products, and divides the similarity of all pairs of neighbours
# by the number of closed ones, so that the "coefficient" is 2.19 or 1.86.
# Package: pygrank 0.2.14 (with networkx 3.4.2, numpy 2.2.6, scipy 1.15.3 and scikit-learn 1.7.2).
# Source: https://github.com/MKLab-ITI/pygrank (measures/multigroup/clustering_coefficient.py and
# link_assessment.py); Krasanakis, Papadopoulos and Kompatsiaris, LinkAUC: unsupervised evaluation of
# multiple network node ranks using link prediction, https://doi.org/10.1007/978-3-030-36687-2_1
# (cosine and dot products of the vectors of all ranks)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    pygrank==0.2.14 networkx==3.4.2 numpy==2.2.6 scipy==1.15.3 scikit-learn==1.7.2
cd "$folder"
HOME="$folder" venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import networkx
import numpy
import pygrank

print("pygrank", version("pygrank"), "networkx", networkx.__version__)
club = networkx.karate_club_graph()
rank = pygrank.PageRank(0.85, normalization="symmetric")
groups = {"Mr. Hi": rank(club, {0: 1}), "Officer": rank(club, {33: 1})}
nobody = pygrank.to_signal(club, {})


def as_defined(one, other, scores):
    """The cosine of two people over all groups."""
    vectors = numpy.array([[group[person] for group in scores.values()] for person in (one, other)])
    return vectors[0] @ vectors[1] / numpy.prod(numpy.linalg.norm(vectors, axis=1))


seen = {}
for name, scores in {
    "Officer last": groups,
    "Mr. Hi last": dict(reversed(groups.items())),
    "nobody last": {**groups, "nobody": nobody},
    "nobody first": {"nobody": nobody, **groups},
}.items():
    values = [pygrank.LinkAssessment(club, similarity=how)(scores) for how in ("cos", as_defined)]
    seen[name] = [round(float(value), 2) for value in (*values, pygrank.ClusteringCoefficient(club)(scores))]
    print(name, "- LinkAUC", seen[name][0], "by all groups", seen[name][1], "clustering coefficient", seen[name][2])
assert {name: values[0] for name, values in seen.items()} == {
    "Officer last": 0.56, "Mr. Hi last": 0.51, "nobody last": 0.5, "nobody first": 0.56
}
assert {values[1] for values in seen.values()} == {0.8}
assert (seen["Officer last"][2], seen["Mr. Hi last"][2], seen["nobody last"][2]) == (2.19, 1.86, 0)
PYTHON
