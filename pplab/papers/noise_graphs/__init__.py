"""Experiments of Salas and Torra 2020, doi 10.5220/0009833804150422."""

from pplab.papers.noise_graphs import auditor, on_data, statements, tables, traits
from pplab.papers.noise_graphs.tables import risk_distribution, table1
from pplab.papers.noise_graphs.theorems import OnLevels, unused_level_leak, weighted_refutation
from pplab.papers.noise_graphs.traits import accuracies, make_folds, user_scores
from pplab.papers.part import Part

__all__ = [
    "PARTS",
    "OnLevels",
    "accuracies",
    "make_folds",
    "risk_distribution",
    "table1",
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
    Part("noise-graphs", "statements", statements.statements),
    Part("noise-graphs", "printed_statements", statements.printed_statements),
    Part("noise-graphs", "table1", tables.table1),
    Part("noise-graphs", "table1_sizes", tables.table1_sizes),
    Part("noise-graphs", "movielens_sizes", tables.movielens_sizes, _BOTH),
    Part("noise-graphs", "table3", tables.table3, _BOTH),
    Part("noise-graphs", "figure2", tables.figure2, _TRAIN, seed=2, full_options={"runs": 100}),
    Part("noise-graphs", "risk_distribution", tables.risk_distribution, _TRAIN, seed=2),
    Part("noise-graphs", "table5", tables.table5, _TRAIN, seed=5, full_options={"runs": 100}),
    Part(
        "noise-graphs", "repair", on_data.repair, _TRAIN | _TEST, seed=6, full_options={"runs": 20}
    ),
    Part("noise-graphs", "auditor_power", auditor.power_table, seed=3),
    Part("noise-graphs", "table2", traits.table2, _LIKES, seed=7, full_options={"runs": 5}),
    Part("noise-graphs", "movielens_traits", traits.movielens_traits, _COMPLETE, seed=9),
    Part("noise-graphs", "substitute", on_data.substitute, _TRAIN, seed=4, substitute=True),
    # with the seed of movielens_traits: its sentences on traits are about the same numbers
    Part("noise-graphs", "data_statements", on_data.data_statements, _SPLIT, seed=9),
)
