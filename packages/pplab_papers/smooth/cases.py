"""All graphs of a small size, and a count of the cases in which an inequality fails."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

Graph = tuple[tuple[int, ...], ...]  # rows of zeros and ones


@dataclass(frozen=True)
class Checked:
    """A statement after all cases were looked at."""

    cases: int  # to which it applies
    failures: int  # in which it is false
    tight: int  # in which it is true with equality
    left_out: int  # to which it does not apply
    counterexample: Any = None  # the first failure

    @property
    def holds(self) -> bool:
        """True if there were cases and none failed."""
        return self.cases > 0 and not self.failures


def checked(cases: Iterable[tuple[Any, Any, Any] | None]) -> Checked:
    """Count cases (case, left, right) of ``left <= right``; None stands for one left out.

    Examples
    --------
    >>> checked([("a", 1, 2), ("b", 2, 2), None, ("c", 3, 2)])
    Checked(cases=3, failures=1, tight=1, left_out=1, counterexample='c')
    """
    seen = failures = tight = left_out = 0
    first = None
    for case in cases:
        if case is None:
            left_out += 1
            continue
        name, left, right = case
        seen += 1
        tight += left == right
        if not left <= right:
            first = name if not failures else first
            failures += 1
    return Checked(seen, failures, tight, left_out, first)


def graph_rows(bits: int, users: int, items: int) -> Graph:
    """Rows of the graph whose cells are these bits, the first cell the lowest bit.

    Examples
    --------
    >>> graph_rows(0b001011, 2, 3)
    ((1, 1, 0), (1, 0, 0))
    """
    cells = [bits >> cell & 1 for cell in range(users * items)]
    return tuple(tuple(cells[user * items : (user + 1) * items]) for user in range(users))


def graphs(users: int, items: int, *, at_once: int = 1) -> Iterator[Graph]:
    """List all graphs of a size, where tuples of so many of them are few enough."""
    few_enough(at_once * users * items, most=16)  # 2^16 pairs of graphs take a second
    return (graph_rows(bits, users, items) for bits in range(1 << users * items))


def few_enough(bits: int, *, most: int) -> None:
    """Refuse an enumeration of more than 2 ** most cases."""
    if bits > most:
        raise ValueError(
            f"graphs must be at most 2^{most} cases to list them all, got 2^{bits}; take fewer "
            "users or items"
        )
