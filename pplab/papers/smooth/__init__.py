"""Experiments of Esfandiari, Epasto, Mirrokni and Munoz Medina, arXiv 2207.06358."""

from __future__ import annotations

from functools import partial

from pplab.papers.part import Part
from pplab.papers.smooth import (
    across,
    approximation,
    beyond,
    copies,
    jaccard_bound,
    learning,
    lemmas,
    paper,
    separation,
    small,
)
from pplab.papers.smooth.across import curve
from pplab.papers.smooth.approximation import merging_counterexample
from pplab.papers.smooth.jaccard_bound import (
    bound_settings,
    largest_jaccard,
    lemma_a1_cases,
    lemma_a1_counterexample,
    node_untouched,
    printed_edges,
    printed_epsilon_lower_bound,
    sharper_epsilon_lower_bound,
    worst_violation,
)
from pplab.papers.smooth.lemmas import compare_ties, definition_3_5, lemma_5_2, lemma_5_3
from pplab.papers.smooth.separation import separation_of_blocks

__all__ = [
    "PARTS",
    "bound_settings",
    "compare_ties",
    "curve",
    "definition_3_5",
    "largest_jaccard",
    "lemma_5_2",
    "lemma_5_3",
    "lemma_a1_cases",
    "lemma_a1_counterexample",
    "merging_counterexample",
    "node_untouched",
    "printed_edges",
    "printed_epsilon_lower_bound",
    "separation_of_blocks",
    "sharper_epsilon_lower_bound",
    "worst_violation",
]

_part = partial(Part, "smooth")
_ADULT = {"dataset": ("adult", None)}
_PLAYSTORE = {"dataset": ("playstore", None)}
# Graphs of the kinds of com-dblp and web-Stanford, which stand for them. The parts that go beyond
# the paper speak of these graphs themselves: there they stand for no other.
_DBLP = {"dataset": ("dblp-2010", None)}
_CNR = {"dataset": ("cnr-2000", None)}
_TABLES = {"adult": ("adult", None), "playstore": ("playstore", None)}
_GRAPHS = {"dblp": ("dblp-2010", None), "stanford": ("cnr-2000", None)}
_LEARNING = {"adult": ("adult", None), "adult_test": ("adult", "test")}
# What Mondrian looks at.
_COLUMNS = {"mondrian_on": ("columns",)}
_BOTH = {"mondrian_on": ("columns", "attributes")}
# Runs of the recipe: the paper has ten. On tables and on large graphs they hardly differ.
_FEW, _TEN = {"repetitions": 3}, {"repetitions": paper.REPETITIONS}
_ONCE = {"repetitions": 1}
# Greedy runs at each other k: on tables, what k = 8 shows of their spread is enough.
_TWICE, _MORE = {"others": 2}, {"others": 5}
_AT_8 = {"ks": (paper.K_TABLE,), "others": 1}
_AT_OTHERS = {"ks": tuple(k for k in paper.K if k != paper.K_TABLE), "others": 1}
_STOCHASTIC = {"dataset": None, "name": "stochastic"}
_OF_DBLP = {"name": "dblp-2010", **_ONCE}
_OF_CNR = {"name": "cnr-2000", **_ONCE}


def _suppression(short: str, name: str, seed: int) -> Part:
    part, data, fixed = f"beyond_suppression_{short}", {"dataset": (name, None)}, {"name": name}
    return _part(part, beyond.beyond_suppression, data, seed, {"seeds": 2}, {"seeds": 5}, fixed)


PARTS = (
    _part("privacy", lemmas.privacy),
    _part("bound", jaccard_bound.bounds),
    _part("lower_bound", jaccard_bound.lower_bound),
    _part("separation", separation.separation, seed=31),
    _part("lemmas", lemmas.lemmas),
    _part("constants", lemmas.constants),
    _part("approximation", approximation.approximation, seed=32),
    _part("sizes_stochastic", copies.sizes_stochastic, seed=33),
    _part("sizes_adult", copies.sizes_adult, _ADULT),
    _part("sizes_playstore", copies.sizes_playstore, _PLAYSTORE),
    _part("copies_stochastic", copies.copies, seed=34, fixed={"dataset": None, **_COLUMNS}),
    _part("copies_adult", copies.copies, _ADULT, 35, fixed=_BOTH),
    # the paper does not say how it encodes the attributes
    _part("copies_playstore", copies.copies, _PLAYSTORE, 36, fixed=_BOTH, substitute=True),
    _part(
        "copies_graphs",
        copies.copies_graphs,
        _TABLES | _GRAPHS,
        37,
        full_options=_TEN,
        substitute=True,
    ),
    _part("edge_dp", across.edge_dp, seed=39),
    _part("edge_dp_copies", across.edge_dp_copies, {"adult": ("adult", None)}, 40),
    _part("learning", learning.learning, _LEARNING, 43),
    # Beyond the paper.
    _part("beyond_small", small.beyond_small, seed=44),
    _part("beyond_stochastic", beyond.beyond, seed=45, fixed=_STOCHASTIC | _TEN),
    _part("beyond_adult", beyond.beyond, _ADULT, 46, _TWICE, fixed={"name": "adult"} | _FEW),
    _part(
        "beyond_playstore",
        beyond.beyond,
        _PLAYSTORE,
        47,
        _TWICE,
        fixed={"name": "playstore"} | _FEW,
    ),
    _part("beyond_dblp", beyond.beyond, _DBLP, 48, _AT_8, fixed=_OF_DBLP),
    _part("beyond_dblp_ks", beyond.beyond, _DBLP, 49, _AT_OTHERS, _MORE, _OF_DBLP),
    _part("beyond_cnr", beyond.beyond, _CNR, 50, _AT_8, fixed=_OF_CNR),
    _part("beyond_cnr_ks", beyond.beyond, _CNR, 51, _AT_OTHERS, _MORE, _OF_CNR),
    _part("beyond_suppression_stochastic", beyond.beyond_suppression, seed=52, fixed=_STOCHASTIC),
    _suppression("adult", "adult", 53),
    _suppression("dblp", "dblp-2010", 54),
    _suppression("cnr", "cnr-2000", 55),
    _part("beyond_learning", learning.beyond_learning, _LEARNING, 56),
    _part("chunks_dblp", small.chunks, _DBLP, 57, fixed={"name": "dblp-2010"}),
    _part("chunks_cnr", small.chunks, _CNR, 58, fixed={"name": "cnr-2000"}),
)
