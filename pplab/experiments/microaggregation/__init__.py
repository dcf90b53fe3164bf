"""Experiments of Casino et al. 2015, doi 10.1016/j.jcss.2014.12.013."""

from pplab.experiments.microaggregation.conventions import limits_without_noise, noise_conventions
from pplab.experiments.microaggregation.curves import at_risk
from pplab.experiments.microaggregation.headers import headers_mdav, headers_noise
from pplab.experiments.microaggregation.homogeneity import homogeneity
from pplab.experiments.microaggregation.leftover import (
    leftover_gains,
    leftover_jester,
    leftover_movielens,
)
from pplab.experiments.microaggregation.mdav_tables import jester_mdav, movielens_mdav
from pplab.experiments.microaggregation.noise_tables import jester_noise, movielens_noise
from pplab.experiments.microaggregation.planes import (
    plane_points,
    planes_jester,
    planes_movielens,
)
from pplab.experiments.microaggregation.prediction import jester_prediction, movielens_prediction
from pplab.experiments.microaggregation.scale import jester_against_movielens, jester_standin
from pplab.experiments.microaggregation.sizes import jester_sizes, movielens_sizes
from pplab.experiments.microaggregation.statements import statements
from pplab.experiments.part import Part

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
