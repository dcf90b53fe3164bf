"""One yardstick: four families on the same people, the same use and the same attackers.

The rules, written before the first run. People: users with at least 5 likes of items that at least
50 people like (on Last.fm with friends as well). Use: a fifth of each user's likes is held out and
recommended from the release by a truncated singular value decomposition; recall and NDCG at 20.
Families are compared at equal recall: midway in the range that all of them reach, each family's
advantage interpolated between its two nearest strengths, seed by seed. (On Last.fm a first run
ended without a verdict: there is no recall that all four reach. Since then the level is midway
between the highest of the families' lowest recalls and the lowest of their highest, and a family
that does not reach it is taken at its nearest strength, with the recall it has there.)
The order of two families under an attacker is sure where their 95 % intervals over seeds are apart.
Attackers:

- link: knows five likes of a person and names a row; prior 1 / users.
- one like: is asked about one cell of a named person, in which a fair coin left the like or not.
- insiders: the same, and all other members of the person's group lend their rows.
- two releases: the coin decided whether the like arrived between two releases.
- fake friend: the same as one like, with accounts of the attacker's own among the users.

Advantage: right answers beyond the prior's, scaled so that 1 is certainty.
"""

from functools import partial

from claimbook.part import Part
from pplab_papers.yardstick import compare, person

__all__ = ["PARTS"]

_part, _MOVIELENS = partial(Part, "yardstick"), ("movielens-100k", None)

PARTS = (
    _part("lastfm", compare.lastfm, {"lastfm": ("lastfm", None)}, 171),
    _part("movielens", compare.movielens, {"movielens": _MOVIELENS}, 172),
    _part("person-movielens", person.person, {"people": _MOVIELENS}, 175),
    _part("person-jester", person.person, {"people": ("jester", "part-1")}, 176),
    _part("capped-movielens", person.capped, {"people": _MOVIELENS}, 177),
    _part("capped-jester", person.capped, {"people": ("jester", "part-1")}, 178),
    _part("person-audit", person.audit, {"movielens": _MOVIELENS}, 174),
)
