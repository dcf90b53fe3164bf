"""Experiments of Jorgensen and Yu 2014, doi 10.5441/002/edbt.2014.51."""

from functools import partial

from claimbook.part import Part
from pplab_papers.social import curves, rivals, statements, sybils
from pplab_papers.social.curves import ndcg_per_user
from pplab_papers.social.paper import graphs_of

__all__ = ["PARTS", "graphs_of", "ndcg_per_user"]

# Parts of seed 123 share the partitions of Last.fm, which are found once.
_part = partial(Part, "social")
_LASTFM = {"lastfm": ("lastfm", None)}
_FLIXSTER = {"flixster": ("flixster", None)}
_CIAO = {"ciao": ("ciao", None)}
_SMALL = ("flixster",)
PARTS = (
    _part("statements", statements.statements),
    _part("lastfm_table1", statements.lastfm_table1, _LASTFM),
    _part("table1_flixster", statements.flixster_table1, _FLIXSTER, standins=_SMALL),
    _part("lastfm_communities", curves.lastfm_communities, _LASTFM, 221, {"seeds": 200}),
    _part("communities_flixster", curves.flixster_communities, _FLIXSTER, 122, standins=_SMALL),
    _part("figure_1", curves.figure_1, _LASTFM, 123),
    _part("figure_2", curves.figure_2, _FLIXSTER | _LASTFM, 123, standins=_SMALL),
    _part("figure_3", curves.figure_3, _LASTFM, 123),
    _part("figure_3_flixster", curves.figure_3_flixster, _FLIXSTER, 126, standins=_SMALL),
    _part("random_clusters", curves.random_clusters, _LASTFM, 123),
    _part("figure_4", rivals.figure_4, _LASTFM, 123, full_options={"runs": 10}),
    _part("lastfm_sensitivity", statements.lastfm_sensitivity, _LASTFM),
    _part("workload_rank", statements.workload_rank, _LASTFM),
    _part("sybil", sybils.sybil, _LASTFM, 128),
    _part("ciao", rivals.ciao, _CIAO, 129),
    _part("beyond", rivals.beyond, _LASTFM | _CIAO, 130),
)
