"""Exercises of notebook 01: exact levels by counting, composition, a hunt."""

import math
import re
from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from pplab.checks import shown
from pplab.response.levels import largest_odds
from pplab_course.answers import Refusal, array, bits, call, number, parts, plain
from pplab_course.exercises import close, enter, hidden, judged_words
from pplab_course.zoo import BROKEN, Animal, BothDirections, MarkedNoise, PaperWeighted

# 01-R: the two entries that an observer compares


@enter("01-R")
def _compared(answer: Any) -> str | None:
    if not isinstance(answer, (str, list, tuple, set, frozenset)):
        raise Refusal(f"two entries in quotes, such as ('p00', 'p11'), please, got {answer!r}.")
    words = answer if isinstance(answer, str) else " ".join(map(str, answer))
    entries = set(re.findall(r"(?<![^\W_])(?:p|pi|π)?_?([01]{2})(?![^\W_])", words.lower()))
    if len(entries) != 2:
        raise Refusal(f"two of the four entries, such as ('p00', 'p11'), please, got {answer!r}.")
    (truth, release), (other_truth, other_release) = sorted(entries)
    if truth == other_truth:
        return "Both are in the row of the same truth. The truths must differ."
    if release != other_release:
        return "Both the truth and the answer differ, but an observer sees only one answer."
    return ""


# 01-P: the level of any table of probabilities

Table = list[list[Fraction]]
_LOGARITHMS = (math.log2, math.log10)

# Tables that the notebook does not show -> what a function overlooks that fails
HIDDEN: dict[str, str] = judged_words()["01-P"]["cases"]


def _tables() -> Iterator[tuple[Table, str]]:
    for tables, hint in HIDDEN.items():
        for table in tables.split("; "):
            yield [[Fraction(part) for part in row.split()] for row in table.split(", ")], hint
    parts = np.random.default_rng(hidden(101)).integers(1, 60, size=(4, 3)).tolist()
    more = "There may be more than two inputs: compare every two inputs."
    yield [[Fraction(part, sum(row)) for part in row] for row in parts], more


@enter("01-P")
def _levels(answer: Any) -> str | None:
    for table, hint in _tables():
        answers = plain(call(answer, [list(row) for row in table]))
        if isinstance(answers, float) and math.isnan(answers):
            return "Your function gave nan, which comes from 0/0: leave out columns of zeros."
        infinite = isinstance(answers, float) and answers == math.inf
        value = math.inf if infinite else number(answers)
        odds, of_rows = largest_odds(table), largest_odds(zip(*table, strict=True))
        if math.isclose(value, math.log(odds), rel_tol=5e-4, abs_tol=5e-4):  # three digits
            continue
        if odds != 1 and math.isclose(value, odds):
            return "Your number gives the odds; the level is their natural logarithm."
        if odds not in (1, math.inf) and any(close(value, log(odds)) for log in _LOGARITHMS):
            return "Take the natural logarithm, as everywhere in this course."
        if of_rows != math.inf and math.isclose(value, math.log(of_rows)):
            return "You compared two outputs of one input; compare one output under two inputs."
        return hint
    return ""


# 01-B: an edge that is in two cells


@enter("01-B")
def _both_directions(answer: Any) -> str | None:
    form = "a triple (one, other, odds), the first two as tables such as [[0, 1], [1, 0]]"
    *graphs, odds = parts(answer, 3, f"{form}, please, got {shown(answer)}.")
    one, other = (_square(table, form) for table in graphs)
    odds = number(odds)
    if len(one) != len(other):
        raise Refusal("two graphs on the same nodes, please: the tables differ in size.")
    if (one != one.T).any() or (other != other.T).any():
        return "An undirected edge fills two cells of the table, (i, j) and (j, i): change both."
    changed = int((one != other).sum())
    if not changed:
        return "The two inputs are the same graph; they must differ in one edge."
    if changed > 2:
        return "Those graphs differ in more than one edge; the unit is one edge."
    if odds == 3:
        return "One flipped cell gives odds of 3 : 1, but two cells reveal this edge."
    if odds == 6:
        return "Odds multiply; they do not add up."
    if close(odds, math.log(9)):
        return "Your number is an ε: give the odds, e^ε."
    return "" if close(odds, 9, within=1e-9) else None


def _square(part: Any, form: str) -> np.ndarray:
    table = bits(part, f"{form}, please, got {shown(part)}.", most=100)
    if len(set(table.shape)) > 1:
        raise Refusal(f"{form}, please: square, of 0 and 1, got {part!r}.")
    if table.diagonal().any():
        raise Refusal(f"a graph without loops, so 0 on the diagonal, got {part!r}.")
    return table


# 01-D: three releases at one level


@enter("01-D")
def _three_releases(answer: Any) -> str | None:
    flip = number(answer)
    if not 0 < flip < 0.5:
        raise Refusal(f"a flip probability between 0 and 1/2, please, got {flip:g}.")
    if close(flip, 1 / (1 + 19 / 3)):
        return "Odds multiply over releases, so one release does not get a third of 19."
    total = ((1 - flip) / flip) ** 3
    if total > 19 * (1 + 1e-9):
        odds = (1 - flip) / flip
        hint = f"Too much is revealed: {odds:.4g} cubed gives odds of {total:,.4g} to 1 in total."
        return hint + " Only the rounding is wrong: round p up." * (total < 20)
    if total < 18.5:
        return f"Within the guarantee, at total odds of {total:.3g}: a smaller p is enough."
    return ""


# 01-O: the hunt. Does this output, under these neighbours, break the promise of that mechanism?

# Broken mechanisms whose outputs can be enumerated.
PREY: dict[str, Animal] = {
    type(animal).__name__: animal for animal in BROKEN if hasattr(animal, "distribution")
}

_MOST_CELLS = 9


@enter("01-O")
def _hunt(answer: Any) -> str | None:
    if not isinstance(answer, Mapping) or not answer:
        raise Refusal(
            "a dict such as {'EarlyExit': (one, other, output)}, please, with tables as tuples of "
            f"rows, got {answer!r}."
        )
    if complaints := list(filter(None, (hunted(name, find) for name, find in answer.items()))):
        return " ".join(complaints)
    few = 3 - len({*answer} - {"WeakNoise"})
    worked = " WeakNoise is the worked example and does not count." if "WeakNoise" in answer else ""
    return f"{', '.join(answer)}: caught. Catch {few} more.{worked}" if few > 0 else ""


def hunted(name: Any, find: Any) -> str:
    """Say what a catch lacks; empty if it breaks the guarantee of the animal of that name.

    Parameters
    ----------
    name : str
        A class of ``pplab_course.zoo``.
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
    *pair, output = parts(find, 3, f"{name}: a triple (one, other, output), please, got {find!r}.")
    animal, output = PREY[name], _frozen(output)
    top = 5 if isinstance(animal, (MarkedNoise, PaperWeighted)) else 1
    one, other = (_cells(table, top) for table in pair)
    if complaint := _no_neighbours(animal, one, other):
        return f"{name}: {complaint}"
    laws = [_law(name, animal, cells.tolist()) for cells in (one, other)]
    if not isinstance(output, Hashable) or not any(output in law for law in laws):
        such = next(iter(laws[0]))
        return f"{name}: neither input gives that output; outputs look like {such}."
    low, high = sorted(law.get(output, 0) for law in laws)
    if low == 0 or math.log(high / low) > animal.claimed * (1 + 1e-9):
        return ""
    return f"{name}: {float(high / low):.3g} : 1 at that output is within the guarantee."


def _law(name: str, animal: Any, rows: list[list[Any]]) -> dict[Any, Any]:
    try:
        return animal.distribution(rows)
    except (TypeError, ValueError) as error:
        raise Refusal(f"{name} does not take {rows}: {error}.") from error


def _cells(table: Any, top: int) -> np.ndarray:
    """A small table of whole numbers; no edge, None, is 0."""
    form = f"inputs are tables such as [[0, 1], [1, 0]], got {table!r}."
    cells = np.nan_to_num(array(table, form))  # where None has become NaN
    if cells.ndim != 2:
        raise Refusal(form)
    if not 0 < cells.size <= _MOST_CELLS:
        raise Refusal(f"inputs are tables of 1 to {_MOST_CELLS} cells, got {table!r}.")
    if not np.isin(cells, range(top + 1)).all():
        raise Refusal(f"cells of this animal's inputs are 0 to {top}, got {table!r}.")
    return cells.astype(int)


def _frozen(output: Any) -> Any:
    """Lists and arrays as tuples, since outputs are keys."""
    output = output.tolist() if hasattr(output, "tolist") else output
    return tuple(map(_frozen, output)) if isinstance(output, (list, tuple)) else output


def _no_neighbours(animal: Animal, one: np.ndarray, other: np.ndarray) -> str:
    if one.shape != other.shape:
        return "the two inputs have different shapes."
    changed = np.argwhere(one != other)
    if not changed.size:
        return "the two inputs are the same."
    if animal.unit == "user":
        return "" if np.ptp(changed[:, 0]) == 0 else "neighbours differ in one user's row."
    edges = np.unique(np.sort(changed), axis=0) if isinstance(animal, BothDirections) else changed
    return "" if len(edges) == 1 else "neighbours differ in one edge; these inputs differ in more."
