"""Experiments of Esfandiari, Epasto, Mirrokni and Munoz Medina, arXiv 2207.06358."""

from functools import partial
from typing import Any

from claimbook.part import Part
from pplab_papers.smooth import (
    algorithm_1,
    approximation,
    beyond,
    copies,
    learning,
    paper,
    section_5,
    theorem_4_1,
    theorem_4_3,
    theorem_4_4,
    theorem_5_4,
)
from pplab_papers.smooth.algorithm_1 import node_untouched
from pplab_papers.smooth.theorem_4_1 import bound_settings, worst_violation
from pplab_papers.smooth.theorem_4_3 import largest_jaccard, sharper_epsilon_lower_bound
from pplab_papers.smooth.theorem_5_5 import merging_counterexample

__all__ = [
    "PARTS",
    "bound_settings",
    "largest_jaccard",
    "merging_counterexample",
    "node_untouched",
    "sharper_epsilon_lower_bound",
    "worst_violation",
]

_part = partial(Part, "smooth")
_ADULT = {"dataset": ("adult", None)}
_PLAYSTORE = {"dataset": ("playstore", None)}
# Graphs of the kinds of com-dblp and web-Stanford, which stand for them in the paper's tables where
# those are not at hand. The parts that go beyond the paper speak of these graphs themselves.
_DBLP = {"dataset": ("dblp-2010", None)}
_CNR = {"dataset": ("cnr-2000", None)}
_TABLES = {"adult": ("adult", None), "playstore": ("playstore", None)}
_GRAPHS = {"dblp": ("com-dblp", None), "stanford": ("web-stanford", None)}
_OF_THEIR_KIND = {"dblp": ("dblp-2010", None), "stanford": ("cnr-2000", None)}
_LEARNING = {"adult": ("adult", None), "adult_test": ("adult", "test")}
# Mondrian looks at these.
_COLUMNS = {"mondrian_on": ("columns",)}
_BOTH = {"mondrian_on": ("columns", "attributes")}
# Runs of the recipe beyond the paper, where they hardly differ.
_FEW, _TEN = {"repetitions": 3}, {"repetitions": paper.REPETITIONS}
_DRAWS = {"repetitions": 20 * paper.REPETITIONS}
# Beyond the paper, what takes minutes is left to --full: most k, thorough runs and certificates.
_ALL: dict[str, Any] = {"ks": paper.K, "thorough": beyond.KS, "bounded": beyond.KS}
_FULL = _ALL | {"seeds": 5}
_LEARNED = {"runs": 10, "copies": 10, "ks": paper.K_LEARNING[:3]}
_CHUNKS = {"sizes": beyond.SIZES, "repetitions": 2}


def _beyond(short: str, dataset: dict[str, tuple[str, None]], seed: int, **options: Any) -> Part:
    fixed = {} if dataset else {"dataset": None}
    return _part(f"beyond_{short}", beyond.beyond, dataset, seed, options, _FULL, fixed)


PARTS = (
    _part("privacy", algorithm_1.privacy),
    _part("bound", theorem_4_1.bounds),
    _part("lower_bound", theorem_4_3.lower_bound),
    _part("separation", theorem_4_4.separation, seed=131),
    _part("lemmas", section_5.lemmas),
    _part("constants", theorem_5_4.constants),
    _part("guarantee", theorem_5_4.guarantee),
    _part("approximation", approximation.approximation, seed=132),
    _part("sizes_stochastic", copies.sizes_stochastic, seed=133),
    _part("sizes_adult", copies.sizes_adult, _ADULT),
    _part("sizes_playstore", copies.sizes_playstore, _PLAYSTORE, substitute=True),
    # graphs are drawn anew, and differ more than runs on one table
    _part("copies_stochastic", copies.copies, {}, 334, _DRAWS, fixed=_COLUMNS | {"dataset": None}),
    _part("copies_adult", copies.copies, _ADULT, 135, fixed=_BOTH),
    # the paper does not say how it encodes the attributes
    _part("copies_playstore", copies.copies, _PLAYSTORE, 136, _TEN, fixed=_BOTH, substitute=True),
    _part(
        "copies_graphs",
        copies.copies_graphs,
        _TABLES | _GRAPHS,
        137,
        full_options=_TEN,
        instead=_OF_THEIR_KIND,
    ),
    _part("edge_dp", copies.edge_dp, seed=139),
    _part("edge_dp_copies", copies.edge_dp_copies, {"adult": ("adult", None)}, 140),
    # four times the paper's ten runs, which leave most of what Figure 4 compares to chance
    _part("learning", learning.learning, _LEARNING, 343, {"runs": 4 * paper.REPETITIONS}),
    # Beyond the paper.
    _part("beyond_small", beyond.beyond_small, seed=144, full_options={"instances": 500}),
    _beyond("stochastic", {}, 145, **_ALL, **_TEN),
    _beyond("adult", _ADULT, 146, **_FEW),
    _beyond("playstore", _PLAYSTORE, 147, **_FEW),
    _beyond("dblp", _DBLP, 148, bounded=(paper.K_TABLE,)),
    _beyond("cnr", _CNR, 150),
    _part("beyond_learning", learning.beyond_learning, _LEARNING, 156, full_options=_LEARNED),
    _part("chunks_dblp", beyond.chunks, _DBLP, 157, full_options=_CHUNKS),
    _part("chunks_cnr", beyond.chunks, _CNR, 158, {"sizes": beyond.SIZES[:1]}, _CHUNKS),
)
