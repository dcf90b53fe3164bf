"""What public calls, verdicts and notebooks give is what is recorded beside this file.

A line of calls.txt is a call by position with fixed seeds, after the hash of all its values. After
a change that CHANGELOG lists: `.venv/bin/python -m tests.golden.test_golden`.
"""

import hashlib
import json
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

import pplab
from pplab.labelled import Labelled
from tests.helpers import by_threads

HERE = Path(__file__).parent
NOTEBOOKS = HERE.parents[1] / "notebooks"


# What the calls of calls.txt are made of, and which parts of a result are kept.

RATINGS = np.random.default_rng(1).integers(0, 6, size=(24, 10))
GAPS = np.where(RATINGS > 0, RATINGS, np.nan)
LIKES = (RATINGS > 3).astype(int)
FULL = np.random.default_rng(2).integers(1, 6, size=(24, 10)).astype(float)
POINTS = np.random.default_rng(3).normal(size=(30, 3))
FRIENDS = nx.to_numpy_array(nx.karate_club_graph(), weight=None).astype(int)
TASTES = np.random.default_rng(4).integers(0, 2, size=(34, 12))
CLUBS = np.arange(34) % 3

csr = sparse.csr_array
copied = attrgetter("biadjacency", "labels", "jaccard")
means = attrgetter("protected", "labels", "sse", "k_achieved")
level = attrgetter("odds.numerator", "odds.denominator", "epsilon")


def recommended(**settings: Any) -> Any:
    usual = {"epsilon": 1.0, "measure": "cn", "top_n": 4, "rng": 7}
    return pplab.recommend(FRIENDS, TASTES, **usual | settings).items


def digest(result: Any) -> str:
    """Hash shapes and values, whatever their types; floats to twelve significant digits."""
    known = hashlib.sha256()
    for part in result if isinstance(result, (tuple, list)) else [result]:
        part = part.matrix if isinstance(part, Labelled) else part
        dense = part.toarray() if sparse.issparse(part) else np.asarray(part)
        stored = part.nnz if sparse.issparse(part) else dense.size
        values = [f"{float(value):.12g}" for value in dense.astype(float).ravel() + 0.0]
        known.update(repr((dense.shape, stored, values)).encode())
    return known.hexdigest()[:16]


def hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def verdicts() -> dict[str, str]:
    table = pplab.claims()
    return dict(zip(table.id, table.verdict, strict=True))


def _written(output: dict) -> str:
    if "data" in output:
        return "".join(output["data"].get("text/plain", ""))
    return "".join(output.get("text", output.get("evalue", "")))


def notebooks() -> dict[str, str]:
    """Texts that the cells of each committed notebook print; pictures are not compared."""
    known = {}
    for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts = [_written(output) for cell in cells for output in cell.get("outputs", ())]
        known[path.stem] = hashed("\n".join(texts))
    return known


def recorded(kind: str) -> dict[str, str]:
    lines = (HERE / f"{kind}.txt").read_text(encoding="utf-8").splitlines()
    return dict(reversed(line.split("\t")) for line in lines)


def given(call: str) -> Any:
    return eval(call, globals())


CALLS = recorded("calls")
RECORDS: dict[str, Callable[[], dict[str, str]]] = {
    "calls": lambda: {call: digest(given(call)) for call in CALLS},
    "verdicts": verdicts,
    "notebooks": notebooks,
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_gives_the_recorded_values(call):
    """With one thread and with two: numba's where it shares the work, and ours."""
    assert by_threads(lambda: digest(given(call))) == [CALLS[call]] * 2


@pytest.mark.parametrize("kind", ["verdicts", "notebooks"])
def test_the_record_is_unchanged(kind):
    now, before = RECORDS[kind](), recorded(kind)
    assert {key: now.get(key) for key in before} == before
    assert now.keys() == before.keys()


def test_a_digest_sees_values_shapes_and_stored_zeros_but_no_types():
    assert digest([1, 2]) == digest([1.0, 2.0]) != digest([1, 3])
    stored = sparse.csr_array(([5, 0], ([0, 1], [1, 0])), shape=(2, 2))
    assert digest(stored) == digest(stored.astype(float)) != digest(stored.toarray())
    kept = digest(stored)
    stored.eliminate_zeros()
    assert kept != digest(stored)


if __name__ == "__main__":
    for kind, take in RECORDS.items():
        lines = [f"{value}\t{name}\n" for name, value in take().items()]
        (HERE / f"{kind}.txt").write_text("".join(lines), encoding="utf-8")
