"""Experiments of Casino et al. 2015, doi 10.1016/j.jcss.2014.12.013."""

from pplab.papers.microaggregation import conventions, planes, prediction, statements, tables
from pplab.papers.part import Part

__all__ = ["PARTS"]

_PAPER = "microaggregation"
_MOVIELENS = {"movielens": ("movielens-100k", None)}
_JESTER = {"jester": ("jester", None)}
_ALL_RUNS = {"runs": 50}

PARTS = (
    Part(_PAPER, "statements", statements.statements),
    Part(_PAPER, "sizes", tables.movielens_sizes, _MOVIELENS),
    Part(_PAPER, "jester_sizes", tables.jester_sizes, _JESTER),
    Part(_PAPER, "movielens_mdav", tables.movielens_mdav, _MOVIELENS),
    Part(_PAPER, "headers_mdav", tables.headers_mdav, _MOVIELENS),
    Part(_PAPER, "movielens_noise", tables.movielens_noise, _MOVIELENS, 11, full_options=_ALL_RUNS),
    Part(_PAPER, "noise_conventions", conventions.noise_conventions, _MOVIELENS, 12),
    Part(
        _PAPER,
        "movielens_prediction",
        prediction.movielens_prediction,
        _MOVIELENS,
        13,
        full_options=_ALL_RUNS,
    ),
    Part(
        _PAPER, "planes_movielens", planes.planes_movielens, _MOVIELENS, 14, full_options=_ALL_RUNS
    ),
    Part(_PAPER, "leftover_movielens", conventions.leftover_movielens, _MOVIELENS),
    Part(_PAPER, "homogeneity", conventions.homogeneity, _MOVIELENS),
    Part(_PAPER, "jester_mdav", tables.jester_mdav, _JESTER),
    Part(_PAPER, "headers_noise", tables.headers_noise, _JESTER, 15),
    Part(_PAPER, "jester_noise", tables.jester_noise, _JESTER, 16, full_options=_ALL_RUNS),
    Part(
        _PAPER,
        "jester_prediction",
        prediction.jester_prediction,
        _JESTER,
        17,
        full_options=_ALL_RUNS,
    ),
    Part(_PAPER, "planes_jester", planes.planes_jester, _JESTER, 18, full_options=_ALL_RUNS),
    Part(_PAPER, "leftover_jester", conventions.leftover_jester, _JESTER),
    Part(
        _PAPER,
        "jester_against_movielens",
        planes.jester_against_movielens,
        _JESTER | _MOVIELENS,
        19,
    ),
    Part(_PAPER, "jester_standin", planes.jester_standin, _JESTER, 20, standins=("jester",)),
)
