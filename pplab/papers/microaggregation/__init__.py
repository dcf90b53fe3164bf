"""Experiments of Casino et al. 2015, doi 10.1016/j.jcss.2014.12.013."""

from pplab.papers.microaggregation.conventions import (
    homogeneity,
    leftover_gains,
    leftover_jester,
    leftover_movielens,
    limits_without_noise,
    noise_conventions,
)
from pplab.papers.microaggregation.planes import (
    at_risk,
    jester_against_movielens,
    jester_standin,
    plane_points,
    planes_jester,
    planes_movielens,
)
from pplab.papers.microaggregation.prediction import jester_prediction, movielens_prediction
from pplab.papers.microaggregation.statements import statements
from pplab.papers.microaggregation.tables import (
    headers_mdav,
    headers_noise,
    jester_mdav,
    jester_noise,
    jester_sizes,
    movielens_mdav,
    movielens_noise,
    movielens_sizes,
)
from pplab.papers.part import Part

__all__ = [
    "PARTS",
    "at_risk",
    "headers_mdav",
    "headers_noise",
    "homogeneity",
    "jester_against_movielens",
    "jester_mdav",
    "jester_noise",
    "jester_prediction",
    "jester_sizes",
    "jester_standin",
    "leftover_gains",
    "leftover_jester",
    "leftover_movielens",
    "limits_without_noise",
    "movielens_mdav",
    "movielens_noise",
    "movielens_prediction",
    "movielens_sizes",
    "noise_conventions",
    "plane_points",
    "planes_jester",
    "planes_movielens",
    "statements",
]


_PAPER = "microaggregation"
_MOVIELENS = {"movielens": ("movielens-100k", None)}
_JESTER = {"jester": ("jester", None)}
_ALL_RUNS = {"runs": 50}

PARTS = (
    Part(_PAPER, "statements", statements),
    Part(_PAPER, "sizes", movielens_sizes, _MOVIELENS),
    Part(_PAPER, "jester_sizes", jester_sizes, _JESTER),
    Part(_PAPER, "movielens_mdav", movielens_mdav, _MOVIELENS),
    Part(_PAPER, "headers_mdav", headers_mdav, _MOVIELENS),
    Part(_PAPER, "movielens_noise", movielens_noise, _MOVIELENS, 11, full_options=_ALL_RUNS),
    Part(_PAPER, "noise_conventions", noise_conventions, _MOVIELENS, 12),
    Part(
        _PAPER, "movielens_prediction", movielens_prediction, _MOVIELENS, 13, full_options=_ALL_RUNS
    ),
    Part(_PAPER, "planes_movielens", planes_movielens, _MOVIELENS, 14, full_options=_ALL_RUNS),
    Part(_PAPER, "leftover_movielens", leftover_movielens, _MOVIELENS),
    Part(_PAPER, "homogeneity", homogeneity, _MOVIELENS),
    Part(_PAPER, "jester_mdav", jester_mdav, _JESTER),
    Part(_PAPER, "headers_noise", headers_noise, _JESTER, 15),
    Part(_PAPER, "jester_noise", jester_noise, _JESTER, 16, full_options=_ALL_RUNS),
    Part(_PAPER, "jester_prediction", jester_prediction, _JESTER, 17, full_options=_ALL_RUNS),
    Part(_PAPER, "planes_jester", planes_jester, _JESTER, 18, full_options=_ALL_RUNS),
    Part(_PAPER, "leftover_jester", leftover_jester, _JESTER),
    Part(_PAPER, "jester_against_movielens", jester_against_movielens, _JESTER | _MOVIELENS, 19),
    Part(_PAPER, "jester_standin", jester_standin, _JESTER, 20, standins=("jester",)),
)
