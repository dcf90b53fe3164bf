"""The judge's process and the student's: what travels, what does not, and what a crash costs."""

import io
import json
import math
import signal
import sys
import time
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab.microaggregation.microaggregate import microaggregate
from pplab_course.exercises import hidden
from pplab_course.teach import marks
from pplab_course.teach.cage import why_not
from pplab_course.teach.judge import judge_notebook
from pplab_course.teach.marks import judged_apart
from pplab_course.teach.plain import Far, Gone, Peer
from tests.pplab_course.teach.conftest import SAY, notebook, rights

UNCAGED = bool(why_not())


def _judged(*cells, seconds=60, trusted=UNCAGED):
    return judge_notebook(cells, seconds=seconds, trusted=trusted)


def test_plain_values_come_back_as_they_were():
    peer = Peer(io.BytesIO(), io.BytesIO())
    nested = ([1, (2, 3), {4}, frozenset({5})], {("a", 1): [None]})
    for value in (None, True, 3, 0.5, "ε", ..., Fraction(2, 3), *nested):
        back = peer.decode(peer.encode(value))
        assert (back, type(back)) == (value, type(value))
    assert peer.decode(peer.encode(math.inf)) == math.inf
    assert math.isnan(peer.decode(peer.encode(np.float64("nan"))))
    assert peer.decode(peer.encode({1: 2}.items())) == [(1, 2)]
    table = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(peer.decode(peer.encode(table)), table)
    assert peer.decode(peer.encode(np.array([1, "a"], object))).tolist() == [1, "a"]
    stored = sparse.csr_array((np.array([0.0, 2.0]), ([0, 1], [1, 1])), shape=(2, 3))
    back = peer.decode(peer.encode(stored))
    assert (back.nnz, back.shape) == (2, (2, 3))
    frame = pd.DataFrame({"month": [1, 2], "member": ["a", "b"]}, index=[4, 7])
    pd.testing.assert_frame_equal(peer.decode(peer.encode(frame)), frame)
    release = microaggregate(np.ones((4, 2)), 2, rating_range=(1, 5))
    assert peer.decode(peer.encode(release)).labels.tolist() == release.labels.tolist()
    assert type(peer.decode(peer.encode(object))) is Far
    assert type(peer.decode(peer.encode(object()))).__name__ == "object"


def test_a_secret_moves_what_judges_hide(monkeypatch):
    monkeypatch.delenv("PPLAB_SECRET", raising=False)
    assert hidden(7) == 7
    seeds = set()
    for secret in ("one", "two"):
        monkeypatch.setenv("PPLAB_SECRET", secret)
        seeds |= {hidden(7), hidden(8)}
    assert len(seeds - {7, 8}) == 4


@pytest.mark.parametrize("kind", ["set", "frozenset", "list", "tuple", "dict", "fractions"])
def test_values_of_one_hash_do_not_hold_the_judge(kind):
    """Each multiple of 2^61 - 1 has hash 0, so a set of n takes n * n steps in one call of C."""
    prime, many = 2**61 - 1, 60_000
    flood = [number * prime for number in range(many)]
    if kind == "fractions":  # n / d is a number c where n = c * d modulo the prime
        flood = [{"fraction": [(2**60 + 12345) * d % prime, d]} for d in range(1, many)]
    content = [[number, 0] for number in flood] if kind == "dict" else flood
    message = {"list" if kind == "fractions" else kind: content}
    start = time.process_time()
    with pytest.raises(ValueError, match="more than 100 values have one hash"):
        Peer(io.BytesIO(), io.BytesIO()).decode(message)
    assert time.process_time() - start < 5  # a set of them takes minutes
    honest = {"set": [*range(many), *({"float": repr(n / 7)} for n in range(many))]}
    assert len(Peer(io.BytesIO(), io.BytesIO()).decode(honest)) > many
    assert len(Peer(io.BytesIO(), io.BytesIO()).decode({"list": [0, 1] * many})) == 2 * many


@pytest.mark.verify("teach")
@pytest.mark.skipif(not hasattr(signal, "SIGPROF"), reason="this system has no such alarm")
def test_an_answer_that_keeps_c_busy_costs_itself_alone(monkeypatch, tmp_path):
    """The guard against values of one hash is taken out, so that one set takes minutes."""
    unguarded = "from pplab_course.teach import judge, plain; plain.ALIKE = 10**9; judge.main()"
    monkeypatch.setattr(marks, "JUDGE", [sys.executable, "-c", unguarded])
    (tmp_path / "secret").write_text("a secret")
    flood = (
        "class Flood(set):\n"
        "    def __iter__(self):\n"
        "        return iter(n * (2**61 - 1) for n in range(60_000))\n"
        "answer = 6 * (2 - 2 / 3)"
    )
    nb = notebook(flood, ("01-C", "Flood()"), ("02-C", "answer"))
    start = time.monotonic()
    result = judged_apart(nb, tmp_path / "secret", seconds=2, trusted=UNCAGED)
    assert rights(result) == {"01-C": False, "02-C": True}
    assert "longer than 2 s to judge" in result["verdicts"]["01-C"][1]
    assert time.monotonic() - start < 60  # the set itself takes two minutes


def test_a_broken_message_ends_the_talk_and_is_no_answer():
    for line in (b"", b"no json\n", b"[1]\n", b'{"gave": 1}', b"[" * 100_000 + b"\n"):
        with pytest.raises(Gone):
            Far(Peer(io.BytesIO(line), io.BytesIO()), 0)()
    for line in (b'{"gave": {"unknown": 1}}\n', b'{"gave": {"array": ["|O", [1], "AAAA"]}}\n'):
        with pytest.raises((KeyError, ValueError)):
            Far(Peer(io.BytesIO(line), io.BytesIO()), 0)()


def test_functions_are_called_where_they_were_written(tmp_path):
    trace = tmp_path / "process"
    result = _judged(
        f"import os, pathlib\n\ndef told(x):\n    p = pathlib.Path({str(trace)!r})\n"
        "    p.write_text(str(os.getpid()))\n    return x",
        "def failures(promise):\n    told(1)\n    count = 0\n"
        "    from fractions import Fraction\n"
        "    for old in range(1, 64):\n        for new in range(64):\n"
        "            phi = Fraction((old ^ new).bit_count(), old.bit_count())\n"
        "            both = (old | new).bit_count()\n"
        "            count += Fraction((old & new).bit_count(), both) < promise(phi)\n"
        "    return count",
        ("11-P", "failures"),
        "def study(fix_rule, run):\n    rule = lambda pairs: all(b < a for a, b in pairs)\n"
        "    fix_rule(rule)\n    return rule(run())",
        ("15-D", "study"),
        trusted=True,  # the trace is to be seen
    )
    assert rights(result) == {"11-P": True, "15-D": True}
    assert trace.read_text().isdigit()


@pytest.mark.verify("teach")
def test_a_crash_or_an_endless_loop_costs_its_own_mark_only():
    cells = ["answer = 8", ("02-C", "answer")]
    cells += ["import os\nos._exit(3)", ("02-R", "missing")]
    cells += ["while True:\n    pass", ("02-B", "(1, 2)")]
    cells += ["def zeros(norm, top):\n    os._exit(0)", "import os", ("02-P", "zeros")]
    result = _judged(*cells, ("06-C", "1 / 2"), seconds=10)
    expected = {"02-C": True, "02-R": False, "02-B": True, "02-P": False, "06-C": True}
    assert rights(result) == expected
    assert "NameError" in result["verdicts"]["02-R"][1]
    assert "ended early" in result["verdicts"]["02-P"][1]


def test_what_is_no_plain_answer_gets_no_mark():
    result = _judged(
        "class Right(float):\n    __eq__ = __le__ = __lt__ = lambda *_: True\n"
        "    __hash__ = float.__hash__\n    __sub__ = lambda *_: 0.0",
        ("02-C", "Right(3)"),
        ("01-C", "object()"),
        ("03-C", "__import__('sys')"),
    )
    assert not any(rights(result).values())
    assert "object" in result["verdicts"]["01-C"][1]


def test_what_a_cell_writes_into_the_line_is_no_verdict():
    verdict = {"verdicts": {"02-C": [True, "right."]}, "printed": []}
    for text in (verdict, {"gave": verdict}, {"raised": ["Refusal", "right."]}):
        result = _judged(_writes(text), ("02-C", "0"))
        assert not result["verdicts"]["02-C"][0]
    # whoever forges an answer has given that answer, and it is judged like any other
    forged = {"gave": "what the cell printed"}, {"gave": {"list": [8]}}
    assert _judged(_writes(*forged), ("02-C", "0"))["verdicts"]["02-C"][0]


def _writes(*text):
    lines = "".join(f"{json.dumps(each)}\n" for each in text)
    return f"import os\n{SAY.format(lines.encode())}"


def test_the_verdict_on_an_older_answer_says_that_the_cell_above_it_failed():
    cells = ["answer = 8", ("02-C", "answer"), "answer = (", ("02-R", "answer")]
    verdicts = _judged(*cells)["verdicts"]
    assert verdicts["02-C"][0]
    assert verdicts["02-R"][1].endswith(
        "(The cell above ended with SyntaxError, so the answer may be missing or old.)"
    )
