"""Groups as a release shows them: their means, their sizes and, where rows are named, who is in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pplab.checks import check_full, check_labels, check_unique_users
from pplab.graphs import GraphLike
from pplab.tables import as_table

__all__ = ["PublishedGroups", "distinct_rows", "published_groups"]


@dataclass(frozen=True)
class PublishedGroups:
    """Means, sizes and perhaps members of groups.

    ``labels`` is the group of each row, ``home`` that of each named user.
    """

    means: np.ndarray
    sizes: np.ndarray
    labels: np.ndarray
    members: list[frozenset[Any]] | None = None
    home: dict[Any, int] = field(default_factory=dict)

    def key(self, group: int) -> Any:
        """What must agree before two groups can be the same."""
        return int(self.sizes[group]) if self.members is None else self.members[group]

    def one_member_apart(self, other: PublishedGroups, mine: int, theirs: np.ndarray) -> np.ndarray:
        """Those groups of theirs that one member more or less makes of a group of mine."""
        near = theirs[np.abs(other.sizes[theirs] - self.sizes[mine]) == 1]
        if self.members is None or other.members is None:
            return near
        own = self.members[mine]  # two such groups share somebody: look where the members went
        homes = {other.home[user] for user in own if user in other.home}
        apart = [j for j in sorted(homes) if len(own ^ other.members[j]) == 1]
        return np.intersect1d(near, np.array(apart, dtype=np.int64))


def distinct_rows(table: np.ndarray) -> PublishedGroups:
    """Collapse a full table to its distinct rows, in the order of their first appearance.

    Examples
    --------
    >>> distinct_rows(np.array([[4.0], [2.0], [4.0]])).sizes
    array([2, 1])
    """
    first: dict[bytes, int] = {}
    labels = np.empty(len(table), dtype=np.int64)
    places: list[int] = []
    for number, row in enumerate(table + 0.0):  # -0.0 becomes 0.0: bytes decide
        label = first.setdefault(row.tobytes(), len(first))
        if label == len(places):
            places.append(number)
        labels[number] = label
    return PublishedGroups(table[places], np.bincount(labels), labels)


def published_groups(data: GraphLike, labels: Any, users: Any, name: str) -> PublishedGroups:
    """Read the groups of a release, by its labels or by its equal rows.

    Raises
    ------
    ValueError
        If the table is not complete, labels or users do not fit, or members of one group differ.
    """
    table = as_table(data, name=name)
    check_full(name, table, remedy="complete it before it is published")
    if labels is None:
        groups = distinct_rows(table)
    else:
        numbers = check_labels(labels, len(table), name=f"labels_{name}")
        _, first, group_of = np.unique(numbers, return_index=True, return_inverse=True)
        groups = PublishedGroups(table[first], np.bincount(group_of), group_of)
        apart = np.abs(table - groups.means[group_of]).max(axis=1) > 1e-9
        if apart.any():
            raise ValueError(
                f"{name} must publish equal rows inside a group, got another row for member "
                f"{int(np.argmax(apart))}; pass the protected table that belongs to the labels"
            )
    if users is None:
        return groups
    names = check_unique_users(f"users_{name}", users, len(table))
    order = np.argsort(groups.labels, kind="stable")
    parts = np.split(names[order], np.cumsum(groups.sizes)[:-1])
    members = [frozenset(part.tolist()) for part in parts]
    home = dict(zip(names.tolist(), groups.labels.tolist(), strict=True))
    return PublishedGroups(groups.means, groups.sizes, groups.labels, members, home)
