"""The majority rule of Definition 3.5 on every small graph: vacuous as printed, and as meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import Any

from pplab.checks import check_case_bits, check_choice, check_integer, check_k
from pplab.theory.smooth_lemmas import Checked, checked, graph_rows

__all__ = ["Rows", "definition_3_5", "graphs", "meets_majority_rule", "suppression_is_smooth"]

Rows = Sequence[Sequence[int]]
_MOST_BITS = 16  # 2^16 pairs of graphs take a second


def meets_majority_rule(original: Rows, published: Rows, *, read_on: str) -> bool:
    """Whether each published edge is one that at least half of its class have.

    Parameters
    ----------
    original, published : rows of zeros and ones
        A class is all users with equal published rows.
    read_on : {"original", "published"}
        Which graph "have" refers to. Definition 3.5 prints the published one, where all of a
        class have the edge by the meaning of class; the algorithms use the original.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        If read_on is not known.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.5(2), arXiv 2207.06358.

    Examples
    --------
    >>> copy = [[1, 1], [1, 1], [1, 1]]
    >>> meets_majority_rule([[1, 0], [1, 0], [0, 1]], copy, read_on="published")
    True
    >>> meets_majority_rule([[1, 0], [1, 0], [0, 1]], copy, read_on="original")
    False
    """
    check_choice("read_on", read_on, ("original", "published"))
    source = original if read_on == "original" else published
    for row in {tuple(row) for row in published}:
        members = [user for user, own in enumerate(published) if tuple(own) == row]
        for item, edge in enumerate(row):
            if edge and 2 * sum(source[user][item] for user in members) < len(members):
                return False
    return True


def definition_3_5(*, users: int, items: int, k: int, read_on: str) -> Checked:
    """Hold every k-anonymous copy of every graph against the majority rule.

    Parameters
    ----------
    users, items, k : int
        At most 2^16 pairs of graphs; k from 2 to users.
    read_on : {"original", "published"}

    Returns
    -------
    Checked
        A case is an original with a k-anonymous copy; it fails when the rule excludes the copy.
        `holds` then says that the rule excludes nothing.

    Raises
    ------
    TypeError, ValueError
        If the sizes are too large, or an argument is not known.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.5(2), arXiv 2207.06358.

    Examples
    --------
    >>> definition_3_5(users=3, items=2, k=2, read_on="published").failures
    0
    >>> definition_3_5(users=3, items=2, k=2, read_on="original").failures
    112
    """
    check_choice("read_on", read_on, ("original", "published"))
    pairs = product(graphs(users, items, 2), _anonymous(users, items, k))
    return checked(
        ((graph, copy), not meets_majority_rule(graph, copy, read_on=read_on), False)
        for graph, copy in pairs
    )


def suppression_is_smooth(*, users: int, items: int, k: int) -> Checked:
    """Whether every k-anonymous copy by suppression meets the majority rule on the original.

    Parameters
    ----------
    users, items, k : int
        At most 2^16 pairs of graphs; k from 2 to users.

    Returns
    -------
    Checked

    Raises
    ------
    TypeError, ValueError
        If the sizes are too large.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definitions 3.4 and 3.5, arXiv 2207.06358.

    Examples
    --------
    >>> suppression_is_smooth(users=3, items=2, k=2).holds
    True
    """

    def case(graph: Rows, copy: Rows) -> tuple[Any, bool, bool] | None:
        pairs = zip(chain(*graph), chain(*copy), strict=True)
        if any(after > before for before, after in pairs):
            return None
        return (graph, copy), not meets_majority_rule(graph, copy, read_on="original"), False

    pairs = product(graphs(users, items, 2), _anonymous(users, items, k))
    return checked(case(graph, copy) for graph, copy in pairs)


def graphs(users: int, items: int, copies: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """List all graphs of a size, where so many of them at once are few enough."""
    for name, size in (("users", users), ("items", items)):
        check_integer(name, size, minimum=1)
    check_case_bits("graphs in all", copies * users * items, most=_MOST_BITS)
    return (graph_rows(bits, users, items) for bits in range(1 << users * items))


def _anonymous(users: int, items: int, k: int) -> list[tuple[tuple[int, ...], ...]]:
    check_k(k, users)
    return [g for g in graphs(users, items, 1) if min(Counter(g).values()) >= k]
