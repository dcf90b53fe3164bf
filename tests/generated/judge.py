"""Calls are judged in a process of their own, so that a crash or a hang has one culprit."""

from __future__ import annotations

import contextlib
import copy
import json
import math
import os
import platform
import random
import re
import select
import subprocess
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from functools import cache
from numbers import Real
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
from hypothesis import strategies as st
from scipy import sparse

from tests.generated import table
from tests.generated.inputs import FAULTS, FORMS, LABELLED, NUMBERS, ODD, PARTS, SPOILED

ROOT = Path(__file__).parents[2]
PATIENCE = 60  # seconds until a call hangs: a first one compiles, and processes share the cores
SLOW = 2  # seconds of processor time of one call, once compiled
# A mechanism calls its data by what they are.
NAMES = {"data": ("data", "adjacency", "biadjacency", "ratings")}
REFUSALS = (TypeError, ValueError)
PLAIN_FORM = {"square": "csr_array", "matrix": "csr_array", "sparse": "csr_array"}


# What is asked: a call with valid arguments, and what is to be put in their place.


SEEDS = st.integers(0, 2**32)
LABELS_OF = {"social_network": "network", "social_edges": "edges"}  # those that go together


def _valid(row: table.Row, draw: random.Random) -> dict[str, str]:
    users, items = draw.randint(4, 8), draw.randint(2, 5)
    return {name: kind.make(draw, users, items) for name, kind in row.kinds.items()}


def agreeing(row: table.Row, variants: int) -> st.SearchStrategy:
    """The same data in so many other containers, layouts and types."""
    shapes = {name: kind.shape for name, kind in row.kinds.items() if kind.shape}

    def case(seed):
        draw = random.Random(f"{row.call} {seed}")
        forms = [{n: draw.choice(FORMS[shape]) for n, shape in shapes.items()} for _ in range(variants)]
        for form in forms:
            for social, other in LABELS_OF.items():
                if {social, other} & set(form.values()):
                    pair = {"square": social, "matrix": other}
                    form |= {n: pair[shape] for n, shape in shapes.items() if shape in pair}
        return {"ask": "agree", "call": row.call, "valid": _valid(row, draw), "forms": forms}

    return st.builds(case, SEEDS)


def odd(row: table.Row) -> st.SearchStrategy:
    """One or two arguments that are not what they should be."""

    def case(seed, names):
        draw = random.Random(f"{row.call} {seed}")
        valid, wrong = _valid(row, draw), {}
        for name in names:
            wrong[name] = draw.choice(ODD)
            if re.match(r"\[+\d", valid[name]) and draw.random() < 0.6:
                how, form = draw.choice(SPOILED)
                wrong[name] = f"spoiled({valid[name]}, {how!r}, {form!r})"
        return {"ask": "odd", "call": row.call, "valid": valid, "wrong": wrong}

    names = st.sampled_from(sorted(row.kinds))
    return st.builds(case, SEEDS, st.lists(names, min_size=1, max_size=2, unique=True))


def stored(row: table.Row) -> list[str]:
    """The arguments that may be sparse."""
    return [name for name, kind in row.kinds.items() if "csr_array" in FORMS.get(kind.shape, ())]


def malformed(row: table.Row) -> st.SearchStrategy:
    """A sparse container whose parts do not fit."""

    def case(seed, name, *how):
        valid = _valid(row, random.Random(f"{row.call} {seed}"))
        wrong = {name: f"broken({valid[name]}, {', '.join(map(repr, how))})"}
        return {"ask": "malformed", "call": row.call, "valid": valid, "wrong": wrong}

    how = map(st.sampled_from, (PARTS, FAULTS, range(20), NUMBERS, (False, True)))
    return st.builds(case, SEEDS, st.sampled_from(stored(row)), *how)


# The answer of one call.


@cache
def _function(call: str) -> Any:
    return eval(call, vars(table))


def _value(text: str) -> Any:
    with warnings.catch_warnings(action="ignore"):
        return eval(text, vars(table))


@cache
def _warm_up(call: str) -> None:
    """Compile, and fill what is kept from call to call."""
    row = next(row for row in table.ROWS if row.call == call)
    if call in table.SLOW_TO_ANSWER:
        return
    usual = {name: _plain_text(row, name, text) for name, text in _valid(row, random.Random(1)).items()}
    with contextlib.suppress(*REFUSALS):
        _function(call)(**{name: _value(text) for name, text in usual.items()})


def _plain_text(row: table.Row, name: str, text: str, form: str | None = None) -> str:
    shape = row.kinds[name].shape
    if not shape or text == "None":
        return text
    form = form or PLAIN_FORM.get(shape, "np.array")
    return f"{form}({text})"


def written(call: str, texts: dict[str, str]) -> str:
    return f"{call}({', '.join(f'{name}={text}' for name, text in texts.items())})"


def state(x: Any) -> Any:
    """All that a call could change in an argument."""
    if isinstance(x, np.ndarray):
        held = x.tolist() if x.dtype.hasobject else x.tobytes()
        return x.dtype.str, x.shape, x.strides, x.flags.writeable, held
    if sparse.issparse(x):
        names = ("data", "indices", "indptr", "offsets", "coords", "rows", "_dict")
        return x.shape, [state(vars(x)[name]) for name in names if name in vars(x)]
    if isinstance(x, nx.Graph):
        return copy.deepcopy([list(x.nodes.data()), list(x.edges.data())])
    if isinstance(x, (pd.DataFrame, pd.Series)):
        return repr(x), x.index.tolist(), [str(x.dtypes)]
    if isinstance(x, (list, tuple)):
        return [state(part) for part in x]
    return repr(x) if isinstance(x, (dict, set, str, Real)) else None


def plain(x: Any) -> Any:
    """A result without its types: equal results have equal texts."""
    if sparse.issparse(x):
        whole = x.tocoo()
        rows, columns = whole.coords
        order = np.lexsort((columns, rows))
        return [x.shape, *(plain(part[order]) for part in (rows, columns, whole.data))]
    if isinstance(x, pd.DataFrame):
        return plain({name: x[name].to_numpy() for name in x})
    if isinstance(x, np.ndarray):
        if x.dtype.kind not in "biuf":
            return x.shape, plain(x.tolist())
        numbers = x.astype(np.float64) + 0.0
        numbers[np.isnan(numbers)] = np.nan
        return x.shape, numbers.tobytes()
    if isinstance(x, Real):
        return repr(float(x) + 0.0)
    if isinstance(x, dict):
        return sorted((repr(plain(key)), plain(part)) for key, part in x.items())
    if isinstance(x, (list, tuple)):
        return [plain(part) for part in x]
    if hasattr(x, "__dict__") and not callable(x):
        return plain(vars(x))
    return str(x) if isinstance(x, (str, bytes, set, frozenset)) else type(x).__name__


class Answer:
    """What a call did: its value or its refusal, and the processor time."""

    def __init__(self, function: Callable[..., Any], arguments: dict[str, Any]) -> None:
        for _ in range(2):  # a slow call again: it may have compiled
            self.value, self.error, start = None, None, time.process_time()
            with warnings.catch_warnings(action="error"), contextlib.redirect_stderr(None):
                try:
                    self.value = function(**arguments)
                except Exception as error:
                    self.error = error
            self.seconds = time.process_time() - start
            if self.seconds < SLOW:
                break

    def unclear(self, names: Any) -> str | None:
        """What is wrong with a refusal: its class, or a text that is not one of our sentences."""
        if isinstance(self.error, (ModuleNotFoundError, FileNotFoundError)):
            return None
        text = str(self.error)
        told = f"{type(self.error).__name__}: {text[:300]}"
        if not isinstance(self.error, REFUSALS):
            return told
        if len(text) > 600 or "\n" in text:
            return f"no short sentence ({len(text)} characters): {told}"
        words = {alias for name in names for alias in NAMES.get(name, (name,))}
        named = any(re.search(rf"(?<![a-z_]){word}(?![a-z_])", text) for word in words)
        if not named and "soon" not in names:
            return f"does not name {' or '.join(names)}: {told}"
        return None


def judge(case: dict[str, Any]) -> dict[str, Any]:
    """Inputs, refusals, answers and slow calls of a case, and its complaint with a reproduction."""
    if case["ask"] == "example":
        return _example(case["call"], case["wanted"])
    _warm_up(case["call"])
    row = next(row for row in table.ROWS if row.call == case["call"] and set(row.kinds) == set(case["valid"]))
    return {"agree": _agree, "odd": _odd, "malformed": _malformed}[case["ask"]](row, case)


def _verdict(
    call: str, cause: list[str], complaint: str | None, *answers: Answer
) -> dict[str, Any]:
    if slow := [a for a in answers if a.seconds > SLOW]:
        complaint = complaint or f"took {slow[0].seconds:.1f} s of processor time"
    return {
        "inputs": len(answers),
        "refused": sum(a.error is not None for a in answers),
        "slow": len(slow),
        "complaint": complaint,
        "call": call,
        "cause": [*cause, re.sub(r"[^a-z ]+", "#", str(complaint)[:60])],
    }


def _agree(row: table.Row, case: dict[str, Any]) -> dict[str, Any]:
    texts = {name: _plain_text(row, name, text) for name, text in case["valid"].items()}
    usual = {name: _value(text) for name, text in texts.items()}
    first = Answer(_function(row.call), usual)
    if first.error is not None:
        return _verdict(written(row.call, texts), [row.call], f"valid input refused: {first.error!r:.300}", first)
    wanted, answers, complaint = plain(first.value), [first], None
    for form in case["forms"]:
        texts = {n: _plain_text(row, n, t, form.get(n)) for n, t in case["valid"].items()}
        given = {name: _value(text) for name, text in texts.items()}
        before = {name: state(x) for name, x in given.items()}
        answers.append(Answer(_function(row.call), given))
        if answers[-1].error is not None:
            complaint = f"refused, unlike CSR or a plain array: {answers[-1].error!r:.300}"
        elif plain(answers[-1].value) != wanted:
            complaint = "another result than with CSR or a plain array"
        elif changed := [name for name, x in given.items() if repr(state(x)) != repr(before[name])]:
            complaint = f"changed its argument {changed[0]}"
        if complaint:
            break
    return _verdict(written(row.call, texts), [row.call], complaint, *answers)


def _made(texts: dict[str, str]) -> dict[str, Any] | None:
    """The arguments, unless numpy or scipy does not make one of them."""
    try:
        return {name: _value(text) for name, text in texts.items()}
    except Exception:
        return None


def _odd(row: table.Row, case: dict[str, Any]) -> dict[str, Any]:
    texts = {name: _plain_text(row, name, text) for name, text in case["valid"].items()} | case["wrong"]
    given = _made(texts)
    if given is None:
        return _verdict(written(row.call, texts), [row.call], None)
    illegal = []
    for name in case["wrong"]:
        kind = row.kinds[name]
        try:
            if kind.without(given[name]):
                return _verdict(written(row.call, texts), [row.call], None)
            if not kind.legal(_value(texts[name])):
                illegal.append(name)
        except Exception:  # comparing it raises: it is no number
            illegal.append(name)
    answer = Answer(_function(row.call), given)
    if answer.error is None:
        complaint = f"{' and '.join(illegal)} accepted" if illegal else None
    else:
        complaint = answer.unclear(list(case["wrong"]) if illegal else list(row.kinds))
    return _verdict(written(row.call, texts), [row.call], complaint, answer)


def _malformed(row: table.Row, case: dict[str, Any]) -> dict[str, Any]:
    texts = {name: _plain_text(row, name, text) for name, text in case["valid"].items()} | case["wrong"]
    given = _made(texts)
    if given is None:
        return _verdict(written(row.call, texts), [row.call], None)
    answer = Answer(_function(row.call), given)
    complaint = "malformed container accepted"
    return _verdict(written(row.call, texts), [row.call], answer.unclear(case["wrong"]) if answer.error else complaint, answer)


def _example(call: str, wanted: str) -> dict[str, Any]:
    answer = Answer(lambda: _value(call), {})
    if answer.error is not None:
        complaint = answer.unclear([wanted]) if wanted[0] != "=" else repr(answer.error)
    else:
        right = wanted == "soon" or (wanted[0] == "=" and answer.value == _value(wanted[2:]))
        complaint = None if right else f"gave {answer.value!r:.100}"
    return _verdict(call, [], complaint, answer)


# The process that answers, and the one that asks.


def main() -> None:
    """Read lists of cases, one in a line; write one verdict in a line for each case."""
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        for case in json.loads(line):
            out.write(json.dumps(judge(case)) + "\n")
            out.flush()


class Judge:
    """A process that is asked case by case; one that dies or hangs is replaced."""

    def __init__(self) -> None:
        self.process: subprocess.Popen | None = None
        # glibc checks the heap, and an error there ends the process
        self.environment = os.environ | {"PYTHONPATH": str(ROOT), "MALLOC_CHECK_": "3"}
        if "glibc" in platform.libc_ver():
            self.environment["LD_PRELOAD"] = "libc_malloc_debug.so.0"

    def verdicts(self, cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        while len(found) < len(cases):
            found += self._some(cases[len(found) :])
        return found

    def _some(self, cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Verdicts up to the first case that ends the process."""
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, "-c", "from tests.generated.judge import main; main()"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open("/tmp/h_err.txt", "a"),
                text=True, cwd=ROOT, env=self.environment,
            )  # fmt: skip
        asked, told = self.process.stdin, self.process.stdout
        found: list[dict[str, Any]] = []
        with contextlib.suppress(BrokenPipeError):
            asked.write(json.dumps(cases) + "\n")
            asked.flush()
        for case in cases:
            ready = select.select([told], [], [], PATIENCE)[0]
            line = told.readline() if ready else ""
            if line:
                found.append(json.loads(line))
                continue
            ended = self.close()
            how = f"crash: the process ended with {ended}" if ready else f"hang: {PATIENCE} s"
            texts = case["valid"] | case.get("wrong", {}) | {"forms": case.get("forms")}
            end = {"inputs": 1, "refused": 0, "slow": 0, "complaint": how, "cause": [case["call"], how]}
            found.append(end | {"call": written(case["call"], texts)})
            break
        return found

    def close(self) -> int | None:
        process, self.process = self.process, None
        if process is None:
            return None
        ended = process.poll()
        process.kill()
        process.communicate()
        return ended if ended is not None else process.returncode


class Report:
    """What came of many cases."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.shortest: dict[tuple[str, ...], tuple[str, str]] = {}

    def add(self, verdicts: list[dict[str, Any]]) -> None:
        for verdict in verdicts:
            self.counts.update({key: verdict[key] for key in ("inputs", "refused", "slow")})
            if complaint := verdict["complaint"]:
                self.counts["complaints"] += 1
                self.counts[complaint.split(":")[0]] += complaint.startswith(("crash", "hang"))
                cause, told = tuple(verdict["cause"]), (verdict["call"], complaint)
                self.shortest[cause] = min(self.shortest.get(cause, told), told, key=lambda t: len(t[0]))

    def __str__(self) -> str:
        calls = [f"{call}\n    {complaint}" for call, complaint in sorted(self.shortest.values())]
        n = self.counts
        return "\n".join(calls) + (
            f"\n{n['inputs']:,} inputs: {n['inputs'] - n['refused']:,} answered, {n['refused']:,} "
            f"refused, {n['crash']} crashes, {n['hang']} hangs, {n['slow']} calls over {SLOW} s of "
            f"processor time, {n['complaints']} complaints of {len(self.shortest)} causes."
        )
