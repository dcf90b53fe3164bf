"""Experiments of Jorgensen and Yu 2014, doi 10.5441/002/edbt.2014.51."""

from pplab.papers.part import Part
from pplab.papers.social.curves import (
    figure_1,
    figure_2,
    figure_3,
    figure_3_flixster,
    flixster_communities,
    lastfm_communities,
    ndcg_by_level,
    ndcg_per_user,
)
from pplab.papers.social.paper import Graphs, graphs_of
from pplab.papers.social.rivals import beyond, ciao, figure_4, rival_ndcg
from pplab.papers.social.statements import (
    flixster_table1,
    lastfm_sensitivity,
    lastfm_table1,
    statements,
    workload_rank,
)
from pplab.papers.social.sybils import sybil

__all__ = [
    "PARTS",
    "Graphs",
    "beyond",
    "ciao",
    "figure_1",
    "figure_2",
    "figure_3",
    "figure_3_flixster",
    "figure_4",
    "flixster_communities",
    "flixster_table1",
    "graphs_of",
    "lastfm_communities",
    "lastfm_sensitivity",
    "lastfm_table1",
    "ndcg_by_level",
    "ndcg_per_user",
    "rival_ndcg",
    "statements",
    "sybil",
    "workload_rank",
]


_PAPER = "social"
_LASTFM = {"lastfm": ("lastfm", None)}
_FLIXSTER = {"flixster": ("flixster", None)}
_CIAO = {"ciao": ("ciao", None)}
_SMALL = ("flixster",)

PARTS = (
    Part(_PAPER, "statements", statements),
    Part(_PAPER, "lastfm_table1", lastfm_table1, _LASTFM),
    Part(_PAPER, "table1_flixster", flixster_table1, _FLIXSTER, standins=_SMALL),
    Part(_PAPER, "lastfm_communities", lastfm_communities, _LASTFM, 21),
    Part(_PAPER, "communities_flixster", flixster_communities, _FLIXSTER, 22, standins=_SMALL),
    Part(_PAPER, "figure_1", figure_1, _LASTFM, 23),
    Part(_PAPER, "figure_2", figure_2, _FLIXSTER | _LASTFM, 24, standins=_SMALL),
    Part(_PAPER, "figure_3", figure_3, _LASTFM, 25),
    Part(_PAPER, "figure_3_flixster", figure_3_flixster, _FLIXSTER, 26, standins=_SMALL),
    Part(_PAPER, "figure_4", figure_4, _LASTFM, 27, full_options={"runs": 10}),
    Part(_PAPER, "lastfm_sensitivity", lastfm_sensitivity, _LASTFM),
    Part(_PAPER, "workload_rank", workload_rank, _LASTFM),
    Part(_PAPER, "sybil", sybil, _LASTFM, 28),
    Part(_PAPER, "ciao", ciao, _CIAO, 29),
    Part(_PAPER, "beyond", beyond, _LASTFM | _CIAO, 30),
)
