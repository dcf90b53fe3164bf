"""Experiments of Esfandiari, Epasto, Mirrokni and Munoz Medina, arXiv 2207.06358."""

from pplab.experiments.part import Part
from pplab.experiments.smooth import paper
from pplab.experiments.smooth.across import across_data, across_tables
from pplab.experiments.smooth.approximation import approximation
from pplab.experiments.smooth.beyond_parts import BEYOND_PARTS
from pplab.experiments.smooth.bound import bound
from pplab.experiments.smooth.constants import constants
from pplab.experiments.smooth.copies import (
    copies_adult,
    copies_dblp,
    copies_playstore,
    copies_stanford,
    copies_stochastic,
)
from pplab.experiments.smooth.edge_dp import edge_dp, edge_dp_graphs
from pplab.experiments.smooth.identities import identities
from pplab.experiments.smooth.learning import learning
from pplab.experiments.smooth.lemmas import lemmas
from pplab.experiments.smooth.lower_bound import lower_bound
from pplab.experiments.smooth.privacy import privacy
from pplab.experiments.smooth.separation import separation
from pplab.experiments.smooth.sizes import (
    sizes_adult,
    sizes_dblp,
    sizes_playstore,
    sizes_stanford,
    sizes_stochastic,
)

__all__ = [
    "PARTS",
    "across_data",
    "across_tables",
    "approximation",
    "bound",
    "constants",
    "copies_adult",
    "copies_dblp",
    "copies_playstore",
    "copies_stanford",
    "copies_stochastic",
    "edge_dp",
    "edge_dp_graphs",
    "identities",
    "learning",
    "lemmas",
    "lower_bound",
    "privacy",
    "separation",
    "sizes_adult",
    "sizes_dblp",
    "sizes_playstore",
    "sizes_stanford",
    "sizes_stochastic",
]

_PAPER = "smooth"
# Graphs of the kinds of com-dblp and web-Stanford, which stand for them.
_DBLP = {"graph": ("dblp-2010", None)}
_STANFORD = {"graph": ("cnr-2000", None)}
_TABLES = {"adult": ("adult", None), "playstore": ("playstore", None)}
_GRAPHS = {"dblp": ("dblp-2010", None), "stanford": ("cnr-2000", None)}
_LEARNING = {"adult": ("adult", None), "adult_test": ("adult", "test")}

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
    Part(_PAPER, "sizes_adult", sizes_adult, {"adult": ("adult", None)}),
    Part(_PAPER, "sizes_playstore", sizes_playstore, {"playstore": ("playstore", None)}),
    Part(_PAPER, "sizes_dblp", sizes_dblp, _DBLP, substitute=True),
    Part(_PAPER, "sizes_stanford", sizes_stanford, _STANFORD, substitute=True),
    Part(_PAPER, "copies_stochastic", copies_stochastic, seed=34),
    Part(_PAPER, "copies_adult", copies_adult, {"adult": _TABLES["adult"]}, 35),
    Part(  # the paper does not say how it encodes the attributes
        _PAPER,
        "copies_playstore",
        copies_playstore,
        {"playstore": _TABLES["playstore"]},
        36,
        substitute=True,
    ),
    Part(
        _PAPER,
        "copies_dblp",
        copies_dblp,
        {"dblp": _GRAPHS["dblp"]},
        37,
        full_options={"repetitions": paper.REPETITIONS},
        substitute=True,
    ),
    Part(
        _PAPER,
        "copies_stanford",
        copies_stanford,
        {"stanford": _GRAPHS["stanford"]},
        38,
        full_options={"repetitions": paper.REPETITIONS},
        substitute=True,
    ),
    Part(_PAPER, "edge_dp", edge_dp, _TABLES, 39),
    Part(_PAPER, "edge_dp_graphs", edge_dp_graphs, _GRAPHS, 40, substitute=True),
    Part(_PAPER, "across_tables", across_tables, _TABLES, 41),
    Part(_PAPER, "across_data", across_data, _TABLES | _GRAPHS, 42, substitute=True),
    Part(_PAPER, "learning", learning, _LEARNING, 43),
    *BEYOND_PARTS,
)
