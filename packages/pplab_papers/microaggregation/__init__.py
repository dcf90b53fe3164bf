"""Experiments of Casino et al. 2015, doi 10.1016/j.jcss.2014.12.013."""

from functools import partial

from claimbook.part import Part
from pplab_papers.microaggregation import planes, statements, tables

__all__ = ["PARTS"]

_part = partial(Part, "microaggregation")
_MOVIELENS = {"movielens": ("movielens-100k", None)}
_JESTER = {"jester": ("jester", None)}
_BOTH = _JESTER | _MOVIELENS
_ALL_RUNS = {"runs": 50}
_ALL_SPLITS = _ALL_RUNS | {"splits": 50}

PARTS = (
    _part("statements", statements.statements),
    _part("sizes", tables.movielens_sizes, _MOVIELENS),
    _part("jester_sizes", tables.jester_sizes, _JESTER),
    _part("movielens_mdav", tables.movielens_mdav, _MOVIELENS),
    _part("movielens_noise", tables.movielens_noise, _MOVIELENS, 111, full_options=_ALL_RUNS),
    _part("noise_conventions", tables.noise_conventions, _MOVIELENS, 112),
    _part("planes_movielens", planes.planes_movielens, _MOVIELENS, 134, {"runs": 10}, _ALL_SPLITS),
    _part("leftover_movielens", tables.leftover_movielens, _MOVIELENS),
    _part("homogeneity", tables.homogeneity, _MOVIELENS),
    _part("jester_mdav", tables.jester_mdav, _JESTER),
    _part("jester_noise", tables.jester_noise, _JESTER, 116, full_options=_ALL_RUNS),
    _part("planes_jester", planes.planes_jester, _BOTH, 118, full_options=_ALL_RUNS),
    _part("leftover_jester", tables.leftover_jester, _JESTER),
    _part("jester_users", planes.jester_users, _JESTER, 119),
)
