"""Experiments of Esfandiari, Epasto, Mirrokni and Munoz Medina, arXiv 2207.06358."""

from __future__ import annotations

from pplab.papers.part import Part
from pplab.papers.smooth import paper
from pplab.papers.smooth.across import across_data, across_tables, curve, edge_dp, edge_dp_graphs
from pplab.papers.smooth.approximation import approximation, merging_counterexample
from pplab.papers.smooth.beyond import FEW, ONCE, OTHER_KS, TWICE, beyond, beyond_suppression
from pplab.papers.smooth.copies import (
    FEW_COPIES,
    copies,
    sizes,
    sizes_adult,
    sizes_playstore,
    sizes_stochastic,
)
from pplab.papers.smooth.jaccard_bound import (
    bound,
    bound_settings,
    largest_jaccard,
    lemma_a1_cases,
    lemma_a1_counterexample,
    lower_bound,
    node_untouched,
    printed_edges,
    printed_epsilon_lower_bound,
    sharper_epsilon_lower_bound,
    worst_violation,
)
from pplab.papers.smooth.learning import beyond_learning, learning
from pplab.papers.smooth.lemmas import (
    compare_ties,
    constants,
    definition_3_5,
    identities,
    lemma_5_2,
    lemma_5_3,
    lemmas,
    privacy,
)
from pplab.papers.smooth.separation import separation, separation_of_blocks
from pplab.papers.smooth.small import beyond_small, chunks

__all__ = [
    "BEYOND_PARTS",
    "PARTS",
    "across_data",
    "across_tables",
    "approximation",
    "bound",
    "bound_settings",
    "compare_ties",
    "constants",
    "copies",
    "curve",
    "definition_3_5",
    "edge_dp",
    "edge_dp_graphs",
    "identities",
    "largest_jaccard",
    "learning",
    "lemma_5_2",
    "lemma_5_3",
    "lemma_a1_cases",
    "lemma_a1_counterexample",
    "lemmas",
    "lower_bound",
    "merging_counterexample",
    "node_untouched",
    "printed_edges",
    "printed_epsilon_lower_bound",
    "privacy",
    "separation",
    "separation_of_blocks",
    "sharper_epsilon_lower_bound",
    "sizes",
    "sizes_adult",
    "sizes_playstore",
    "sizes_stochastic",
    "worst_violation",
]


# Parts that go beyond the paper, as they are rerun for the ledger.


_PAPER = "smooth"
_ADULT = {"dataset": ("adult", None)}
_PLAYSTORE = {"dataset": ("playstore", None)}
_BEYOND_DBLP = {"dataset": ("dblp-2010", None)}
_CNR = {"dataset": ("cnr-2000", None)}
_BEYOND_LEARNING = {"adult": ("adult", None), "adult_test": ("adult", "test")}
_TWO, _FIVE = {"seeds": 2}, {"seeds": 5}
_TWICE = {"others": TWICE}
_MORE = {"others": 5}
_AT_8 = {"ks": (paper.K_TABLE,), "others": 1}
_AT_OTHERS = {"ks": OTHER_KS, "others": 1}
# Names of the data, and runs of the recipe.
_STOCHASTIC = {"dataset": None, "name": "stochastic"}
_OF_ADULT = {"name": "adult", "repetitions": FEW}
_OF_PLAYSTORE = {"name": "playstore", "repetitions": FEW}
_OF_DBLP = {"name": "dblp-2010", "repetitions": ONCE}
_OF_CNR = {"name": "cnr-2000", "repetitions": ONCE}

# The graphs are what is claimed of here: they stand for no other.
BEYOND_PARTS = (
    Part(_PAPER, "beyond_small", beyond_small, seed=44),
    Part(
        _PAPER,
        "beyond_stochastic",
        beyond,
        seed=45,
        fixed=_STOCHASTIC | {"repetitions": paper.REPETITIONS},  # here they do differ
    ),
    Part(_PAPER, "beyond_adult", beyond, _ADULT, 46, _TWICE, fixed=_OF_ADULT),
    Part(_PAPER, "beyond_playstore", beyond, _PLAYSTORE, 47, _TWICE, fixed=_OF_PLAYSTORE),
    Part(_PAPER, "beyond_dblp", beyond, _BEYOND_DBLP, 48, _AT_8, fixed=_OF_DBLP),
    Part(_PAPER, "beyond_dblp_ks", beyond, _BEYOND_DBLP, 49, _AT_OTHERS, _MORE, _OF_DBLP),
    Part(_PAPER, "beyond_cnr", beyond, _CNR, 50, _AT_8, fixed=_OF_CNR),
    Part(_PAPER, "beyond_cnr_ks", beyond, _CNR, 51, _AT_OTHERS, _MORE, _OF_CNR),
    Part(_PAPER, "beyond_suppression_stochastic", beyond_suppression, {}, 52, fixed=_STOCHASTIC),
    *(
        Part(
            _PAPER,
            f"beyond_suppression_{short}",
            beyond_suppression,
            {"dataset": (name, None)},
            seed,
            _TWO,
            _FIVE,
            {"name": name},
        )
        for short, name, seed in (
            ("adult", "adult", 53),
            ("dblp", "dblp-2010", 54),
            ("cnr", "cnr-2000", 55),
        )
    ),
    Part(_PAPER, "beyond_learning", beyond_learning, _BEYOND_LEARNING, 56),
    Part(_PAPER, "chunks_dblp", chunks, _BEYOND_DBLP, 57, fixed={"name": "dblp-2010"}),
    Part(_PAPER, "chunks_cnr", chunks, _CNR, 58, fixed={"name": "cnr-2000"}),
)


# Graphs of the kinds of com-dblp and web-Stanford, which stand for them.
_DBLP = {"dataset": ("dblp-2010", None)}
_STANFORD = {"dataset": ("cnr-2000", None)}
_TABLES = {"adult": ("adult", None), "playstore": ("playstore", None)}
_GRAPHS = {"dblp": ("dblp-2010", None), "stanford": ("cnr-2000", None)}
_LEARNING = {"adult": ("adult", None), "adult_test": ("adult", "test")}
_COLUMNS, _BOTH = ("columns",), ("columns", "attributes")
_FEW, _TEN = {"repetitions": FEW_COPIES}, {"repetitions": paper.REPETITIONS}

PARTS = (
    Part(_PAPER, "identities", identities),
    Part(_PAPER, "privacy", privacy),
    Part(_PAPER, "bound", bound),
    Part(_PAPER, "lower_bound", lower_bound),
    Part(_PAPER, "separation", separation, seed=31),
    Part(_PAPER, "lemmas", lemmas),
    Part(_PAPER, "constants", constants),
    Part(_PAPER, "approximation", approximation, seed=32),
    Part(_PAPER, "sizes_stochastic", sizes_stochastic, seed=33),
    Part(_PAPER, "sizes_adult", sizes_adult, _ADULT),
    Part(_PAPER, "sizes_playstore", sizes_playstore, _PLAYSTORE),
    Part(_PAPER, "sizes_dblp", sizes, _DBLP, substitute=True),
    Part(_PAPER, "sizes_stanford", sizes, _STANFORD, substitute=True),
    Part(
        _PAPER,
        "copies_stochastic",
        copies,
        seed=34,
        fixed={"dataset": None, "name": "stochastic", "mondrian_on": _COLUMNS},
    ),
    Part(_PAPER, "copies_adult", copies, _ADULT, 35, fixed={"name": "adult", "mondrian_on": _BOTH}),
    Part(  # the paper does not say how it encodes the attributes
        _PAPER,
        "copies_playstore",
        copies,
        _PLAYSTORE,
        36,
        fixed={"name": "playstore", "mondrian_on": _BOTH},
        substitute=True,
    ),
    Part(
        _PAPER,
        "copies_dblp",
        copies,
        _DBLP,
        37,
        _FEW,
        _TEN,
        {"name": "dblp", "mondrian_on": ()},
        substitute=True,
    ),
    Part(
        _PAPER,
        "copies_stanford",
        copies,
        _STANFORD,
        38,
        _FEW,
        _TEN,
        {"name": "stanford", "mondrian_on": ()},
        substitute=True,
    ),
    Part(_PAPER, "edge_dp", edge_dp, _TABLES, 39),
    Part(_PAPER, "edge_dp_graphs", edge_dp_graphs, _GRAPHS, 40, substitute=True),
    Part(_PAPER, "across_tables", across_tables, _TABLES, 41),
    Part(_PAPER, "across_data", across_data, _TABLES | _GRAPHS, 42, substitute=True),
    Part(_PAPER, "learning", learning, _LEARNING, 43),
    *BEYOND_PARTS,
)
