"""The hunt of exercise 01-H: does this output, under these neighbours, break that promise?"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

from pplab.attacks.zoo import BROKEN, Animal, BothDirections, MarkedNoise, PaperWeighted
from pplab.exercises.core import Refusal

__all__ = ["hunted"]

# Those whose outputs can be enumerated.
PREY: dict[str, Animal] = {
    type(animal).__name__: animal for animal in BROKEN if hasattr(animal, "distribution")
}
_MOST_CELLS = 9


def hunted(name: Any, find: Any) -> str:
    """Say what a find lacks; nothing when it breaks the promise of the animal of that name.

    Parameters
    ----------
    name : str
        A class of ``pplab.attacks.zoo``.
    find : (one, other, output)
        Two neighbouring inputs as rows, and an output as the animal's distribution writes it.

    Returns
    -------
    str

    Raises
    ------
    Refusal
        If there is no such animal, or the find is no such triple.

    Examples
    --------
    >>> hunted("OnlyEdgesFlipped", ([[1]], [[0]], ((1,),)))
    ''
    """
    if name not in PREY:
        raise Refusal(f"no animal to enumerate is called {name!r}; there are {', '.join(PREY)}.")
    if not isinstance(find, (list, tuple)) or len(find) != 3:
        raise Refusal(f"{name}: a triple (one, other, output), please, got {find!r}.")
    animal, output = PREY[name], _frozen(find[2])
    top = 5 if isinstance(animal, (MarkedNoise, PaperWeighted)) else 1
    one, other = (_rows(table, top) for table in find[:2])
    if complaint := _no_neighbours(animal, one, other):
        return f"{name}: {complaint}"
    laws = [_law(name, animal, rows) for rows in (one, other)]
    if not isinstance(output, Hashable) or not any(output in law for law in laws):
        shown = next(iter(laws[0]))
        return f"{name}: neither input gives that output; outputs look like {shown}."
    low, high = sorted(law.get(output, 0) for law in laws)
    if low == 0 or math.log(high / low) > animal.claimed * (1 + 1e-9):
        return ""
    return f"{name}: {float(high / low):.3g} : 1 at that output is within its promise; look on."


def _law(name: str, animal: Any, rows: list[list[Any]]) -> dict[Any, Any]:
    try:
        return animal.distribution(rows)
    except (TypeError, ValueError) as error:
        raise Refusal(f"{name} does not take {rows}: {error}.") from error


def _rows(table: Any, top: int) -> list[list[int]]:
    """Tables as lists of rows; no edge is 0."""
    try:
        rows = [[0 if value is None else int(value) for value in row] for row in table]
    except (TypeError, ValueError) as error:
        raise Refusal(f"inputs are tables such as [[0, 1], [1, 0]], got {table!r}.") from error
    cells = sum(map(len, rows))
    if not 0 < cells <= _MOST_CELLS or len({len(row) for row in rows}) != 1:
        raise Refusal(f"inputs are tables of 1 to {_MOST_CELLS} cells, got {table!r}.")
    if not all(0 <= value <= top for row in rows for value in row):
        raise Refusal(f"cells of this animal's inputs are 0 to {top}, got {table!r}.")
    return rows


def _frozen(output: Any) -> Any:
    """Lists and arrays as tuples, since outputs are keys."""
    output = output.tolist() if hasattr(output, "tolist") else output
    return tuple(map(_frozen, output)) if isinstance(output, (list, tuple)) else output


def _no_neighbours(animal: Animal, one: list[list[Any]], other: list[list[Any]]) -> str:
    if [len(row) for row in one] != [len(row) for row in other]:
        return "the two inputs have different shapes."
    size = [(i, j) for i, row in enumerate(one) for j in range(len(row))]
    changed = [(i, j) for i, j in size if one[i][j] != other[i][j]]
    if not changed:
        return "the two inputs are the same."
    if animal.unit == "user":
        return "" if len({i for i, _ in changed}) == 1 else "neighbours differ in one user's row."
    edges = {tuple(sorted(cell)) for cell in changed}
    one_edge = len(edges if isinstance(animal, BothDirections) else changed) == 1
    return "" if one_edge else "neighbours differ in one edge, and these in more."
