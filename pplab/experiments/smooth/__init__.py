"""Experiments of Esfandiari, Epasto, Mirrokni and Munoz Medina, arXiv 2207.06358."""

from pplab.experiments.part import Part
from pplab.experiments.smooth import paper
from pplab.experiments.smooth.across import across_data, across_tables
from pplab.experiments.smooth.approximation import approximation
from pplab.experiments.smooth.beyond_parts import BEYOND_PARTS
from pplab.experiments.smooth.bound import bound
from pplab.experiments.smooth.constants import constants
from pplab.experiments.smooth.copies import FEW, copies
from pplab.experiments.smooth.edge_dp import edge_dp, edge_dp_graphs
from pplab.experiments.smooth.identities import identities
from pplab.experiments.smooth.learning import learning
from pplab.experiments.smooth.lemmas import lemmas
from pplab.experiments.smooth.lower_bound import lower_bound
from pplab.experiments.smooth.privacy import privacy
from pplab.experiments.smooth.separation import separation
from pplab.experiments.smooth.sizes import sizes, sizes_adult, sizes_playstore, sizes_stochastic

__all__ = [
    "PARTS",
    "across_data",
    "across_tables",
    "approximation",
    "bound",
    "constants",
    "copies",
    "edge_dp",
    "edge_dp_graphs",
    "identities",
    "learning",
    "lemmas",
    "lower_bound",
    "privacy",
    "separation",
    "sizes",
    "sizes_adult",
    "sizes_playstore",
    "sizes_stochastic",
]

_PAPER = "smooth"
_ADULT = {"dataset": ("adult", None)}
_PLAYSTORE = {"dataset": ("playstore", None)}
# Graphs of the kinds of com-dblp and web-Stanford, which stand for them.
_DBLP = {"dataset": ("dblp-2010", None)}
_STANFORD = {"dataset": ("cnr-2000", None)}
_TABLES = {"adult": ("adult", None), "playstore": ("playstore", None)}
_GRAPHS = {"dblp": ("dblp-2010", None), "stanford": ("cnr-2000", None)}
_LEARNING = {"adult": ("adult", None), "adult_test": ("adult", "test")}
_COLUMNS, _BOTH = ("columns",), ("columns", "attributes")
_FEW, _TEN = {"repetitions": FEW}, {"repetitions": paper.REPETITIONS}

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
