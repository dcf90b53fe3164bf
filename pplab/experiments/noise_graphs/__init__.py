"""Experiments of Salas and Torra 2020, doi 10.5220/0009833804150422."""

from pplab.experiments.noise_graphs.figure2 import figure2, risk_distribution
from pplab.experiments.noise_graphs.table1 import table1, table1_sizes
from pplab.experiments.noise_graphs.table3 import movielens_sizes, table3
from pplab.experiments.noise_graphs.table5 import table5
from pplab.experiments.part import Part

__all__ = [
    "PARTS",
    "figure2",
    "movielens_sizes",
    "risk_distribution",
    "table1",
    "table1_sizes",
    "table3",
    "table5",
]

_TRAIN = {"train": ("movielens-100k", "u1.base")}
_BOTH = _TRAIN | {"complete": ("movielens-100k", None)}

PARTS = (
    Part("noise-graphs", "table1", table1),
    Part("noise-graphs", "table1_sizes", table1_sizes),
    Part("noise-graphs", "movielens_sizes", movielens_sizes, _BOTH),
    Part("noise-graphs", "table3", table3, _BOTH),
    Part("noise-graphs", "figure2", figure2, _TRAIN, seed=2, full_options={"runs": 100}),
    Part("noise-graphs", "risk_distribution", risk_distribution, _TRAIN, seed=2),
    Part("noise-graphs", "table5", table5, _TRAIN, seed=5, full_options={"runs": 100}),
)
