"""Experiments of Salas and Torra 2020, doi 10.5220/0009833804150422."""

from functools import partial

from claimbook.part import Part
from pplab_papers.noise_graphs import on_data, statements, tables, traits
from pplab_papers.noise_graphs.tables import risk_distribution
from pplab_papers.noise_graphs.theorems import OnLevels, unused_level_leak, weighted_refutation
from pplab_papers.noise_graphs.traits import accuracies, make_folds, user_scores

__all__ = [
    "PARTS",
    "OnLevels",
    "accuracies",
    "make_folds",
    "risk_distribution",
    "unused_level_leak",
    "user_scores",
    "weighted_refutation",
]

_part = partial(Part, "noise-graphs")
_TRAIN = {"train": ("movielens-100k", "u1.base")}
_COMPLETE = {"complete": ("movielens-100k", None)}
_BOTH = _TRAIN | _COMPLETE
_TEST = {"test": ("movielens-100k", "u1.test")}
_LIKES = {"likes": ("likes", None)}
PARTS = (
    _part("statements", statements.statements),
    _part("table1", tables.table1),
    _part("table1_sizes", tables.table1_sizes),
    _part("movielens_sizes", tables.movielens_sizes, _BOTH),
    _part("table3", tables.table3, _TRAIN),
    _part("figure2", tables.figure2, _TRAIN, seed=102, full_options={"runs": 100}),
    _part("risk_distribution", tables.risk_distribution, _TRAIN, seed=2),
    _part("table5", tables.table5, _TRAIN),
    _part("repair", on_data.repair, _TRAIN | _TEST, seed=106, full_options={"runs": 20}),
    _part("table2", traits.table2, _LIKES, seed=107, full_options={"runs": 5}),
    _part("movielens_traits", traits.movielens_traits, _COMPLETE, seed=109),
    _part("noise_guesses", on_data.noise_guesses, _TRAIN, seed=109),
    _part("substitute", on_data.substitute, _TRAIN, seed=104, substitute=True),
)
