"""Calls are judged in a process of their own, so that a crash or a hang has one culprit."""

import contextlib
import io
import json
import os
import platform
import re
import select
import subprocess
import sys
import time
import warnings
from collections import Counter
from dataclasses import replace
from functools import cache
from numbers import Real
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
from hypothesis import strategies as st
from scipy import sparse

from pplab.labelled import Labelled
from pplab.recommenders.recommend import Recommendations
from tests.generated import table
from tests.generated.inputs import FAULTS, FORMS, LABELLED, LABELS, NUMBERS, ODD, PARTS, SPOILED
from tests.helpers import PYTHONPATH

ROOT = Path(__file__).parents[2]
PATIENCE = 120  # seconds until a call hangs: a first one compiles, and processes share the cores
SLOW = 2  # seconds of processor time of one call, once compiled
# A mechanism calls its data by what they are.
NAMES = dict.fromkeys(("data", "pair"), ("data", "pair", "adjacency", "biadjacency", "ratings"))
SEEDS = st.integers(0, 2**32)


# What is asked: the texts of the arguments of one call, or of several that mean the same.


def _usual(row, valid):
    forms = {name: FORMS.get(kind.shape, ["{}"])[0] for name, kind in row.kinds.items()}
    return {n: text if text == "None" else forms[n].format(text) for n, text in valid.items()}


def agreeing(row, variants):
    """The same data in so many other containers, layouts and types."""
    shapes = {name: kind.shape for name, kind in row.kinds.items() if kind.shape}

    def case(seed):
        valid, draw = row.valid(seed), table.Draw(seed)
        texts = [_usual(row, valid)]
        for _ in range(variants):
            form = {name: draw.choice(FORMS[shape]) for name, shape in shapes.items()}
            form = {n: f.format(valid[n]) for n, f in form.items() if valid[n] != "None"}
            if draw.random() < 0.15:
                form = {n: f.replace("pd.Series", "np.array") for n, f in form.items()}
                # a Series would go by label
                form |= with_labels(row, valid, draw, draw.random() < 0.5)
            texts.append(texts[0] | form)
        return {"ask": "agree", "row": table.ROWS.index(row), "texts": texts}

    return st.builds(case, SEEDS)


def with_labels(row, valid, draw, lists):
    """The tables with labels of one kind, as networks or as edge lists on their frame."""
    kind, forms = repr(draw.choice(list(LABELS))), LABELLED[lists]
    named = {n: k.shape for n, k in row.kinds.items() if k.shape in forms and valid[n] != "None"}
    texts = {n: forms[s].format(valid[n]).replace("KIND", kind) for n, s in named.items()}
    if named and valid.get("users", "").startswith("["):
        texts["users"] = f"people({valid['users']}, {kind})"
    return texts


def may_be_framed(row):
    """True if something is drawn for a table that may have labels."""
    some = any(kind.shape in LABELLED[0] for kind in row.kinds.values())
    hides = not {"protected", "share"} & set(row.kinds)  # a release is full; a split shows sizes
    return some and hides and "rng" in row.kinds


def neighbours(row):
    """A release of two tables that differ in one edge, over networks and over edge lists."""

    def case(seed):
        valid, draw = row.valid(seed), table.Draw(seed)
        data = [n for n, kind in row.kinds.items() if kind.shape in LABELLED[0]][-1]
        cells = np.array(eval(valid[data]))
        ends = draw.choice(np.argwhere(cells).tolist())
        cells[tuple(ends)] = 0
        if row.kinds[data].shape == "square":
            cells[tuple(ends[::-1])] = 0
        with_less, state = valid | {data: str(cells.tolist())}, draw.getstate()
        texts = []
        for given in (valid, with_less):
            draw.setstate(state)  # the same kind of labels
            texts.append(_usual(row, given) | with_labels(row, given, draw, seed % 2))
        return {"ask": "neighbours", "row": table.ROWS.index(row), "texts": texts}

    return st.builds(case, SEEDS)


def odd(row):
    """One or two arguments that are not what they should be."""

    def case(seed, names):
        valid, draw = row.valid(seed), table.Draw(seed)
        wrong = {name: draw.choice(ODD) for name in names}
        for name in names:
            if re.match(r"\[+\d", valid[name]) and draw.random() < 0.6:
                wrong[name] = draw.choice(SPOILED).replace("{}", valid[name])
        texts = [_usual(row, valid) | wrong]
        return {"ask": "odd", "row": table.ROWS.index(row), "texts": texts, "odd": names}

    names = st.sampled_from(sorted(row.kinds))
    return st.builds(case, SEEDS, st.lists(names, min_size=1, max_size=2, unique=True))


def may_be_sparse(row):
    return [
        n for n, kind in row.kinds.items() if "sparse.csr_array({})" in FORMS.get(kind.shape, ())
    ]


def malformed(row):
    """A sparse container whose parts do not fit."""

    def case(seed, name, *how):
        valid = row.valid(seed)
        wrong = {name: f"broken({valid[name]}, {', '.join(map(repr, how))})"}
        texts = [_usual(row, valid) | wrong]
        return {"ask": "malformed", "row": table.ROWS.index(row), "texts": texts, "odd": [name]}

    how = map(st.sampled_from, (PARTS, list(FAULTS), range(20), NUMBERS, (False, True)))
    return st.builds(case, SEEDS, st.sampled_from(may_be_sparse(row)), *how)


# The answer of one call.


@cache
def _function(call):
    return eval(call, vars(table))


def _value(text):
    with warnings.catch_warnings(action="ignore"):
        return eval(text, vars(table))


def _values(texts):
    return {name: _value(text) for name, text in texts.items()}


@cache
def _warm_up(row):
    """Compile, and fill what is kept from call to call."""
    if table.ROWS[row].call not in table.SLOW_TO_ANSWER:
        usual = _usual(table.ROWS[row], table.ROWS[row].valid(0))
        Answer(_function(table.ROWS[row].call), _values(usual))


def written(call, texts):
    return f"{call}({', '.join(f'{name}={text}' for name, text in texts.items())})"


def state(x):
    """All that a call could change in an argument."""
    if isinstance(x, np.ndarray):
        held = x.tolist() if x.dtype.hasobject else x.tobytes()
        return repr((x.dtype.str, x.shape, x.strides, x.flags.writeable, held))
    if sparse.issparse(x):
        names = ("data", "indices", "indptr", "offsets", "coords", "rows", "_dict")
        return x.shape, [state(vars(x)[name]) for name in names if name in vars(x)]
    if isinstance(x, nx.Graph):
        return repr((list(x.nodes.data()), list(x.edges.data())))
    if isinstance(x, (pd.DataFrame, pd.Series)):
        return x.to_csv(), repr(x.dtypes)
    return [state(part) for part in x] if isinstance(x, (list, tuple)) else repr(x)


def plain(x):
    """A result without its types: equal results are written alike."""
    if sparse.issparse(x):
        coo = x.tocoo()
        order = np.lexsort(coo.coords[::-1])
        return [x.shape, *(plain(part[order]) for part in (*coo.coords, coo.data))]
    if isinstance(x, Labelled):
        return plain(x.matrix)
    if isinstance(x, pd.Series):
        return plain(x.to_numpy())
    if isinstance(x, Recommendations) and isinstance(x.items, pd.DataFrame):
        numbers = x.items.map(x.frame_items.index).to_numpy()
        utilities = None if x.utilities is None else x.utilities.to_numpy()
        return plain(replace(x, items=numbers, utilities=utilities))
    if isinstance(x, pd.DataFrame):
        return plain({name: x[name].to_numpy() for name in x})
    if isinstance(x, np.ndarray) and x.dtype.kind in "biuf":
        numbers = x.astype(np.float64) + 0.0
        return x.shape, np.where(np.isnan(numbers), np.nan, numbers).tobytes()
    if isinstance(x, tuple) and isinstance(x[0] if x else 0, str) and x[0] == "item":
        # as `network` names item x[1]
        return plain(x[1])
    if isinstance(x, Real):
        return repr(float(x) + 0.0)
    if isinstance(x, dict):
        return sorted((repr(plain(key)), plain(part)) for key, part in x.items())
    if isinstance(x, (list, tuple, np.ndarray)):
        return [plain(part) for part in x]
    if hasattr(x, "__dict__") and not callable(x):
        labels = ("users", "items", "frame_users", "frame_items")  # others for each container
        x = replace(x, table=None) if isinstance(vars(x).get("table"), Labelled) else x
        kept = {k: v for k, v in vars(x).items() if not (k in labels and isinstance(v, _LISTED))}
        return plain(kept)
    return str(x) if isinstance(x, (str, bytes)) else type(x).__name__


_LISTED = (list, range, tuple)


def outline(x):
    """Shapes and types of a result, which neighbours share."""
    if sparse.issparse(x) or isinstance(x, np.ndarray):
        return x.shape, str(x.dtype)
    if isinstance(x, Labelled):
        return x.shape, repr(x.axis_labels)
    if isinstance(x, (pd.DataFrame, pd.Series)):
        return x.shape, repr(list(x.index))
    if hasattr(x, "__dict__") and not callable(x):
        return {name: outline(part) for name, part in vars(x).items()}
    return (type(x).__name__, len(x)) if isinstance(x, _LISTED) else type(x).__name__


class Answer:
    """Outcome of a call: its value or its refusal, and the processor time."""

    def __init__(self, function, arguments):
        for _ in range(2):  # a slow call again: it may have compiled
            self.value, self.error, start = None, None, time.process_time()
            with warnings.catch_warnings(action="error"), contextlib.redirect_stderr(io.StringIO()):
                try:
                    self.value = function(**arguments)
                except Exception as error:
                    self.error = error
            self.seconds = time.process_time() - start
            if self.seconds < SLOW:
                break

    def unclear(self, names):
        """Fault of a refusal: its class, or a text that is not one of our sentences."""
        if isinstance(self.error, (ModuleNotFoundError, FileNotFoundError)):
            return None
        text = str(self.error)
        message = f"{type(self.error).__name__}: {text[:300]}"
        words = [alias for name in names for alias in NAMES.get(name, (name,))]
        if not isinstance(self.error, (TypeError, ValueError)):
            return message
        if len(text) > 600 or "\n" in text:
            return f"no short sentence ({len(text)} characters): {message}"
        if not any(re.search(rf"(?<![a-z_]){word}(?![a-z_])", text) for word in words):
            return f"does not name {' or '.join(names)}: {message}"
        return None


def judge(case):
    """Inputs, refusals and slow calls of a case, and its complaint with a reproduction."""
    if case["ask"] == "example":
        return _example(case["call"], case["wanted"])
    _warm_up(case["row"])
    answer = {"agree": _agree, "neighbours": _neighbours}.get(case["ask"], _odd)
    return answer(table.ROWS[case["row"]], case)


def _verdict(call, cause, complaint, *answers):
    slow = [answer.seconds for answer in answers if answer.seconds > SLOW]
    complaint = complaint or (f"took {max(slow):.0f} s of processor time" if slow else None)
    refused = sum(answer.error is not None for answer in answers)
    counts = {"inputs": len(answers), "refused": refused, "slow": len(slow)}
    cause = [cause, re.sub(r"[^a-z ]+", "#", str(complaint)[:60])]
    return counts | {"complaint": complaint, "call": call, "cause": cause}


def _agree(row, case):
    answers, expected, complaint = [], None, None
    for texts in case["texts"]:
        arguments = _values(texts)
        before = {name: state(x) for name, x in arguments.items()}
        answers.append(Answer(_function(row.call), arguments))
        if answers[-1].error is not None:
            complaint = f"valid input refused: {answers[-1].error!r:.300}"
        elif (result := plain(answers[-1].value)) != (expected or result):
            complaint = f"not the result of {written(row.call, case['texts'][0])}"
        elif changed := [name for name, x in arguments.items() if state(x) != before[name]]:
            complaint = f"changed its argument {changed[0]}"
        if complaint:
            break
        expected = result
    return _verdict(written(row.call, texts), row.call, complaint, *answers)


def _neighbours(row, case):
    answers = [Answer(_function(row.call), _values(texts)) for texts in case["texts"]]
    refused = [answer.error for answer in answers if answer.error is not None]
    complaint = f"a neighbour is refused: {refused[0]!r:.300}" if refused else None
    if not refused and outline(answers[0].value) != outline(answers[1].value):
        complaint = f"its neighbour has another shape: {written(row.call, case['texts'][1])}"
    return _verdict(written(row.call, case["texts"][0]), row.call, complaint, *answers)


def _odd(row, case):
    call = written(row.call, case["texts"][0])
    try:
        arguments = _values(case["texts"][0])
    except Exception:  # numpy, pandas or scipy do not make it
        return _verdict(call, row.call, None)
    illegal = []
    for name in case["odd"]:
        kind, again = row.kinds[name], _value(case["texts"][0][name])
        try:
            if kind.lasting and kind.lasting(again):
                return _verdict(call, row.call, None)
            if case["ask"] == "malformed" or not kind.legal(again):
                illegal.append(name)
        except Exception:  # comparing it raises: it is no number
            illegal.append(name)
    answer = Answer(_function(row.call), arguments)
    complaint = f"{' and '.join(illegal)} accepted" if illegal else None
    if answer.error is not None:
        complaint = answer.unclear(case["odd"] if illegal == case["odd"] else list(row.kinds))
    return _verdict(call, row.call, complaint, answer)


def _example(call, wanted):
    def answered():  # a warning of the call is an error, but numpy's own about np.matrix
        warnings.filterwarnings("ignore", "the matrix subclass", PendingDeprecationWarning)
        return eval(call, vars(table))

    answer = Answer(answered, {})
    right = wanted == "soon" or (wanted[0] == "=" and answer.value == _value(wanted[2:]))
    complaint = None if right else f"gave {answer.value!r:.100}"
    if answer.error is not None:
        complaint = None if wanted == "soon" else answer.unclear([wanted])
    return _verdict(call, call, complaint, answer)


# The process that answers, and the one that asks.


def main():
    """Read cases, one in a line; write the verdict of each in a line."""
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        out.write(json.dumps(judge(json.loads(line))) + "\n")
        out.flush()


class Judge:
    """A process that is asked case by case; one that dies or hangs is replaced."""

    def __init__(self):
        self.process = None
        # glibc checks the heap, and an error there ends the process
        self.environment = os.environ | {"PYTHONPATH": PYTHONPATH, "MALLOC_CHECK_": "3"}
        if "glibc" in platform.libc_ver():
            self.environment["LD_PRELOAD"] = "libc_malloc_debug.so.0"

    def verdict(self, case):
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, "-c", "from tests.generated.judge import main; main()"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                text=True, cwd=ROOT, env=self.environment,
            )  # fmt: skip
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(case) + "\n")
            self.process.stdin.flush()
        ready = select.select([self.process.stdout], [], [], PATIENCE)[0]
        if ready and (line := self.process.stdout.readline()):
            return json.loads(line)
        ended = self.close()
        how = f"crash: the process ended with {ended}" if ready else f"hang: {PATIENCE} s"
        call = case.get("call") or table.ROWS[case["row"]].call
        text = " and ".join(written(call, texts) for texts in case.get("texts", [{}]))
        return _verdict(text, call, how) | {"inputs": 1}

    def close(self):
        """End of the process, by itself or by a signal."""
        process, self.process = self.process, None
        if process is None:
            return None
        try:
            return process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return None
        finally:
            process.stdout.close()
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()


class Report:
    """Outcome of many cases."""

    def __init__(self):
        self.counts, self.shortest = Counter(), {}

    def add(self, verdict):
        self.counts.update({key: verdict[key] for key in ("inputs", "refused", "slow")})
        if complaint := verdict["complaint"]:
            self.counts.update(["complaints", complaint[:4]])
            cause, result = tuple(verdict["cause"]), (verdict["call"], complaint)
            known = self.shortest.get(cause, result)
            self.shortest[cause] = min(known, result, key=lambda pair: len(pair[0]))

    def __str__(self):
        n = self.counts
        texts = [f"{call}\n    {complaint}" for call, complaint in sorted(self.shortest.values())]
        return "\n".join(texts) + (
            f"\n{n['inputs']:,} inputs: {n['inputs'] - n['refused']:,} answered, {n['refused']:,} "
            f"refused, {n['cras']} crashes, {n['hang']} hangs, {n['slow']} calls over {SLOW} s of "
            f"processor time, {n['complaints']} complaints of {len(self.shortest)} causes."
        )
