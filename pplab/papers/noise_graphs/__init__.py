"""Experiments of Salas and Torra 2020, doi 10.5220/0009833804150422."""

from pplab.papers.noise_graphs.auditor import power_table
from pplab.papers.noise_graphs.on_data import data_statements, repair, substitute
from pplab.papers.noise_graphs.statements import printed_statements, statements
from pplab.papers.noise_graphs.tables import (
    figure2,
    movielens_sizes,
    risk_distribution,
    table1,
    table1_sizes,
    table3,
    table5,
)
from pplab.papers.noise_graphs.theorems import OnLevels, unused_level_leak, weighted_refutation
from pplab.papers.noise_graphs.traits import (
    accuracies,
    make_folds,
    movielens_traits,
    table2,
    user_scores,
)
from pplab.papers.part import Part

__all__ = [
    "PARTS",
    "OnLevels",
    "accuracies",
    "data_statements",
    "figure2",
    "make_folds",
    "movielens_sizes",
    "movielens_traits",
    "power_table",
    "printed_statements",
    "repair",
    "risk_distribution",
    "statements",
    "substitute",
    "table1",
    "table1_sizes",
    "table2",
    "table3",
    "table5",
    "unused_level_leak",
    "user_scores",
    "weighted_refutation",
]


_TRAIN = {"train": ("movielens-100k", "u1.base")}
_COMPLETE = {"complete": ("movielens-100k", None)}
_BOTH = _TRAIN | _COMPLETE
_TEST = {"test": ("movielens-100k", "u1.test")}
_SPLIT = _BOTH | _TEST
_LIKES = {"likes": ("likes", None)}

PARTS = (
    Part("noise-graphs", "statements", statements),
    Part("noise-graphs", "printed_statements", printed_statements),
    Part("noise-graphs", "table1", table1),
    Part("noise-graphs", "table1_sizes", table1_sizes),
    Part("noise-graphs", "movielens_sizes", movielens_sizes, _BOTH),
    Part("noise-graphs", "table3", table3, _BOTH),
    Part("noise-graphs", "figure2", figure2, _TRAIN, seed=2, full_options={"runs": 100}),
    Part("noise-graphs", "risk_distribution", risk_distribution, _TRAIN, seed=2),
    Part("noise-graphs", "table5", table5, _TRAIN, seed=5, full_options={"runs": 100}),
    Part("noise-graphs", "repair", repair, _TRAIN | _TEST, seed=6, full_options={"runs": 20}),
    Part("noise-graphs", "auditor_power", power_table, seed=3),
    Part("noise-graphs", "table2", table2, _LIKES, seed=7, full_options={"runs": 5}),
    Part("noise-graphs", "movielens_traits", movielens_traits, _COMPLETE, seed=9),
    Part("noise-graphs", "substitute", substitute, _TRAIN, seed=4, substitute=True),
    # with the seed of movielens_traits: its sentences on traits are about the same numbers
    Part("noise-graphs", "data_statements", data_statements, _SPLIT, seed=9),
)
