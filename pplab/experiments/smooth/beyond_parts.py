"""Parts that go beyond the paper, as they are rerun for the ledger."""

from __future__ import annotations

from pplab.experiments.part import Part
from pplab.experiments.smooth import paper
from pplab.experiments.smooth.beyond import FEW, ONCE, OTHER_KS, TWICE, beyond
from pplab.experiments.smooth.beyond_learning import beyond_learning
from pplab.experiments.smooth.beyond_small import beyond_small
from pplab.experiments.smooth.beyond_suppression import beyond_suppression
from pplab.experiments.smooth.chunks import chunks

__all__ = ["BEYOND_PARTS"]

_PAPER = "smooth"
_ADULT = {"dataset": ("adult", None)}
_PLAYSTORE = {"dataset": ("playstore", None)}
_DBLP = {"dataset": ("dblp-2010", None)}
_CNR = {"dataset": ("cnr-2000", None)}
_LEARNING = {"adult": ("adult", None), "adult_test": ("adult", "test")}
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
    Part(_PAPER, "beyond_dblp", beyond, _DBLP, 48, _AT_8, fixed=_OF_DBLP),
    Part(_PAPER, "beyond_dblp_ks", beyond, _DBLP, 49, _AT_OTHERS, _MORE, _OF_DBLP),
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
    Part(_PAPER, "beyond_learning", beyond_learning, _LEARNING, 56),
    Part(_PAPER, "chunks_dblp", chunks, _DBLP, 57, fixed={"name": "dblp-2010"}),
    Part(_PAPER, "chunks_cnr", chunks, _CNR, 58, fixed={"name": "cnr-2000"}),
)
