"""Parts that go beyond the paper, as they are rerun for the ledger."""

from __future__ import annotations

from pplab.experiments.part import Part
from pplab.experiments.smooth.beyond import (
    OTHER_KS,
    beyond_adult,
    beyond_cnr,
    beyond_dblp,
    beyond_playstore,
    beyond_stochastic,
)
from pplab.experiments.smooth.beyond_learning import beyond_learning
from pplab.experiments.smooth.beyond_small import beyond_small
from pplab.experiments.smooth.beyond_suppression import (
    beyond_suppression_adult,
    beyond_suppression_cnr,
    beyond_suppression_dblp,
    beyond_suppression_stochastic,
)
from pplab.experiments.smooth.chunks import chunks_dblp, chunks_stanford

__all__ = ["BEYOND_PARTS"]

_PAPER = "smooth"
_ADULT = {"adult": ("adult", None)}
_PLAYSTORE = {"playstore": ("playstore", None)}
_DBLP = {"dblp": ("dblp-2010", None)}
_CNR = {"cnr": ("cnr-2000", None)}
_LEARNING = {**_ADULT, "adult_test": ("adult", "test")}
_OTHERS = {"ks": OTHER_KS}
_MORE = {"others": 5}
_FIVE = {"seeds": 5}

# The graphs are what is claimed of here: they stand for no other.
BEYOND_PARTS = (
    Part(_PAPER, "beyond_small", beyond_small, seed=44),
    Part(_PAPER, "beyond_stochastic", beyond_stochastic, seed=45),
    Part(_PAPER, "beyond_adult", beyond_adult, _ADULT, 46),
    Part(_PAPER, "beyond_playstore", beyond_playstore, _PLAYSTORE, 47, _FIVE),
    Part(_PAPER, "beyond_dblp", beyond_dblp, _DBLP, 48),
    Part(_PAPER, "beyond_dblp_ks", beyond_dblp, _DBLP, 49, _OTHERS, _MORE),
    Part(_PAPER, "beyond_cnr", beyond_cnr, _CNR, 50),
    Part(_PAPER, "beyond_cnr_ks", beyond_cnr, _CNR, 51, _OTHERS, _MORE),
    Part(_PAPER, "beyond_suppression_stochastic", beyond_suppression_stochastic, seed=52),
    Part(
        _PAPER, "beyond_suppression_adult", beyond_suppression_adult, _ADULT, 53, full_options=_FIVE
    ),
    Part(
        _PAPER,
        "beyond_suppression_dblp",
        beyond_suppression_dblp,
        _DBLP,
        54,
        full_options=_FIVE,
    ),
    Part(
        _PAPER,
        "beyond_suppression_cnr",
        beyond_suppression_cnr,
        _CNR,
        55,
        full_options=_FIVE,
    ),
    Part(_PAPER, "beyond_learning", beyond_learning, _LEARNING, 56),
    Part(_PAPER, "chunks_dblp", chunks_dblp, _DBLP, 57),
    Part(_PAPER, "chunks_cnr", chunks_stanford, {"stanford": _CNR["cnr"]}, 58),
)
