"""Experiments of Jorgensen and Yu 2014, doi 10.5441/002/edbt.2014.51."""

from pplab.papers.part import Part
from pplab.papers.social import curves, rivals, statements, sybils
from pplab.papers.social.curves import ndcg_per_user
from pplab.papers.social.paper import graphs_of

__all__ = [
    "PARTS",
    "graphs_of",
    "ndcg_per_user",
]

_PAPER = "social"
_LASTFM = {"lastfm": ("lastfm", None)}
_FLIXSTER = {"flixster": ("flixster", None)}
_CIAO = {"ciao": ("ciao", None)}
_SMALL = ("flixster",)
PARTS = (
    Part(_PAPER, "statements", statements.statements),
    Part(_PAPER, "lastfm_table1", statements.lastfm_table1, _LASTFM),
    Part(_PAPER, "table1_flixster", statements.flixster_table1, _FLIXSTER, standins=_SMALL),
    Part(_PAPER, "lastfm_communities", curves.lastfm_communities, _LASTFM, 21),
    Part(
        _PAPER, "communities_flixster", curves.flixster_communities, _FLIXSTER, 22, standins=_SMALL
    ),
    Part(_PAPER, "figure_1", curves.figure_1, _LASTFM, 23),
    Part(_PAPER, "figure_2", curves.figure_2, _FLIXSTER | _LASTFM, 24, standins=_SMALL),
    Part(_PAPER, "figure_3", curves.figure_3, _LASTFM, 25),
    Part(_PAPER, "figure_3_flixster", curves.figure_3_flixster, _FLIXSTER, 26, standins=_SMALL),
    Part(_PAPER, "figure_4", rivals.figure_4, _LASTFM, 27, full_options={"runs": 10}),
    Part(_PAPER, "lastfm_sensitivity", statements.lastfm_sensitivity, _LASTFM),
    Part(_PAPER, "workload_rank", statements.workload_rank, _LASTFM),
    Part(_PAPER, "sybil", sybils.sybil, _LASTFM, 28),
    Part(_PAPER, "ciao", rivals.ciao, _CIAO, 29),
    Part(_PAPER, "beyond", rivals.beyond, _LASTFM | _CIAO, 30),
)
