"""Two processes talk in plain data: a judge, and the student's code that it does not trust.

A message is one line of JSON. Numbers, texts, fractions, lists, dicts, arrays, sparse arrays and
data frames travel as copies. A function travels as a number, and a call of it asks the other
side. Nothing is ever unpickled, so the other side can say anything and do nothing. Threads read
and write, so that nobody waits longer than a deadline for a side that is silent or does not listen.
"""

import base64
import dataclasses
import json
import math
import queue
import threading
import time
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import islice
from numbers import Integral, Real
from types import SimpleNamespace
from typing import IO, Any

import numpy as np
import pandas as pd
from scipy import sparse

LONGEST = 64_000_000  # bytes of a message
MOST = 10_000  # things taken from an iterator
ALIKE = 100  # different values of one hash: a set of n such takes time that grows with n * n


class Gone(BaseException):
    """The other side is not there any more; no judge may take it for a wrong answer."""


class Peer:
    """One end of the line.

    ``lent`` are the functions of this side that the other may call, by number; a number is never
    given twice. `ask` waits for an answer until ``until``, a time of `time.monotonic`.
    """

    def __init__(self, reading: IO[bytes], writing: IO[bytes], *lent: Callable[..., Any]) -> None:
        self._lent, self._number = dict(enumerate(lent)), len(lent)
        self.until, self._closed = math.inf, False
        self._lines: queue.Queue[bytes] = queue.Queue(maxsize=2)
        self._outgoing: queue.Queue[bytes] = queue.Queue()
        for work in (partial(self._read, reading), partial(self._write, writing)):
            threading.Thread(target=work, daemon=True).start()

    def _read(self, reading: IO[bytes]) -> None:
        line = b"\n"
        while line.endswith(b"\n") and not self._closed:
            try:
                line = reading.readline(LONGEST)
            except (OSError, ValueError):
                line = b""
            self._lines.put(line)
        reading.close()

    def _write(self, writing: IO[bytes]) -> None:
        with suppress(OSError, ValueError):  # the side that waits for the answer finds out
            while line := self._outgoing.get():
                writing.write(line)
                writing.flush()
        with suppress(OSError):
            writing.close()

    def ask(self, number: int, *arguments: Any, **named: Any) -> Any:
        """Call a function of the other side; meanwhile it may call those of this side."""
        self._send({"call": number, "with": self.encode(arguments), "named": self.encode(named)})
        while True:
            message = self._receive()
            if "call" in message:
                self._serve(message)
            elif "raised" in message:
                raise self._raised(*map(str, message["raised"]))
            else:
                return self.decode(message["gave"])

    def forget(self) -> None:
        """Take back all that was lent to the other side."""
        self._lent.clear()

    def close(self) -> None:
        """Nothing more is written or read; the threads end as soon as they can."""
        self._closed = True
        self._outgoing.put(b"")
        with suppress(queue.Empty):
            self._lines.get_nowait()

    def serve(self) -> None:
        """Answer calls until the other side is gone."""
        while True:
            self._serve(self._receive())

    def _serve(self, message: dict[str, Any]) -> None:
        try:
            called = self._lent[message["call"]]
            gave = called(*self.decode(message["with"]), **self.decode(message["named"]))
            reply = {"gave": self.encode(gave)}
            json.dumps(reply)
        except (Exception, SystemExit) as error:
            reply = {"raised": [type(error).__name__, str(error)[:500]]}
        self._send(reply)

    @staticmethod
    def _raised(name: str, text: str) -> Exception:
        from pplab_course.answers import Refusal

        if name == "Refusal":
            return Refusal(text)
        kind: type[Exception] = type(name if name.isidentifier() else "Error", (Exception,), {})
        return kind(text)

    def _send(self, message: dict[str, Any]) -> None:
        self._outgoing.put(json.dumps(message).encode() + b"\n")

    def _receive(self) -> dict[str, Any]:
        """The next message; `Gone` when there is none before the deadline, or it is none."""
        left = min(self.until - time.monotonic(), threading.TIMEOUT_MAX)
        try:
            line = self._lines.get(timeout=max(left, 0))
            message = json.loads(line)
        except (queue.Empty, ValueError, RecursionError) as error:
            raise Gone(str(error)) from error
        if not line.endswith(b"\n") or not isinstance(message, dict):
            raise Gone("no message")
        return message

    def encode(self, value: Any) -> Any:
        """A value as JSON; what cannot travel is named by its type."""
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, bool):
            return value
        if value is ...:
            return {"ellipsis": None}
        if isinstance(value, str):
            return str(value)
        if isinstance(value, Fraction):
            return {"fraction": [value.numerator, value.denominator]}
        if isinstance(value, Integral):
            return int(value)
        if isinstance(value, Real):
            number = float(value)
            return number if math.isfinite(number) else {"float": repr(number)}
        if isinstance(value, Far) and value.peer is self:
            return {"yours": value.number}
        return self._encode_many(value)

    def _encode_many(self, value: Any) -> Any:
        if isinstance(value, np.ndarray) and not value.dtype.hasobject:
            plain = np.ascontiguousarray(value)
            data = base64.b64encode(plain.tobytes()).decode()
            return {"array": [plain.dtype.str, list(value.shape), data]}
        if isinstance(value, np.ndarray):
            return {"objects": [list(value.shape), [self.encode(part) for part in value.flat]]}
        if sparse.issparse(value):
            csr = value.tocsr()
            parts = [self.encode(part) for part in (csr.data, csr.indices, csr.indptr)]
            return {"csr": [list(csr.shape), parts]}
        if isinstance(value, pd.Series):
            return {"series": [self.encode(value.to_numpy()), self.encode(value.index.to_numpy())]}
        if isinstance(value, pd.DataFrame):
            columns = [value.iloc[:, place].to_numpy() for place in range(value.shape[1])]
            whole = (list(value.columns), columns, value.index.to_numpy())
            return {"frame": [self.encode(part) for part in whole]}
        if isinstance(value, Mapping):
            return {"dict": [[self.encode(key), self.encode(part)] for key, part in value.items()]}
        for kind in (list, tuple, set, frozenset):
            if isinstance(value, kind):
                return {kind.__name__: [self.encode(part) for part in value]}
        if isinstance(value, (range, KeysView, ValuesView, ItemsView, Iterator)):
            return {"list": [self.encode(part) for part in islice(value, MOST)]}
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            names = [field.name for field in dataclasses.fields(value)]
            return {"record": {name: self.encode(getattr(value, name)) for name in names}}
        if callable(value):
            self._number += 1
            self._lent[self._number] = value
            return {"mine": self._number}
        return {"other": type(value).__name__}

    def decode(self, value: Any) -> Any:
        """The value that `encode` wrote; a ValueError or TypeError where it made no such thing."""
        if not isinstance(value, dict):
            return value
        [(kind, content)] = value.items()
        return _DECODERS[kind](self, content)

    def _decoded(self, values: list[Any]) -> list[Any]:
        return _unlike([self.decode(value) for value in values])

    def _dict(self, pairs: list[Any]) -> dict[Any, Any]:
        keys = self._decoded([key for key, _ in pairs])
        return dict(zip(keys, (self.decode(part) for _, part in pairs), strict=True))

    def _array(self, message: Any) -> np.ndarray:
        kind = np.dtype(message[0])
        if kind.hasobject or max(message[1], default=0) > LONGEST:
            raise ValueError("no array of this many rows, or of objects, travels as bytes")
        return np.frombuffer(base64.b64decode(message[2]), dtype=kind).reshape(message[1]).copy()

    def _objects(self, message: Any) -> np.ndarray:
        objects = np.empty(len(message[1]), dtype=object)
        objects[:] = self._decoded(message[1])
        return objects.reshape(message[0])

    def _csr(self, message: Any) -> sparse.csr_array:
        matrix = sparse.csr_array(tuple(self._decoded(message[1])), shape=tuple(message[0]))
        matrix.check_format(full_check=True)
        return matrix

    def _frame(self, message: Any) -> pd.DataFrame:
        names, columns, index = self._decoded(message)
        return pd.DataFrame(dict(enumerate(columns)), index=index).set_axis(names, axis=1)


def _unlike(values: list[Any]) -> list[Any]:
    """Refuse many different values of one hash: no alarm is heard while one set takes them all."""
    texts: dict[int, set[int]] = {}
    for value in values if len(values) > ALIKE else ():
        with suppress(TypeError):  # no set takes it
            same_hash = texts.setdefault(hash(value), set())
            same_hash.add(hash(str(value)))  # of texts nobody knows the hash beforehand
            if len(same_hash) > ALIKE:
                raise ValueError(f"more than {ALIKE} values have one hash; no answer needs that")
    return values


class Far:
    """A function of the other side."""

    def __init__(self, peer: Peer, number: int) -> None:
        self.peer, self.number = peer, int(number)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.peer.ask(self.number, *arguments, **named)

    def __repr__(self) -> str:
        return "an object that cannot be sent to the judge"


_DECODERS: dict[str, Callable[[Peer, Any], Any]] = {
    "fraction": lambda _, value: Fraction(*map(int, value)),
    "float": lambda _, value: float(value),
    "ellipsis": lambda *_: ...,
    "yours": lambda peer, value: peer._lent[int(value)],
    "mine": lambda peer, value: Far(peer, value),
    "array": Peer._array,
    "objects": Peer._objects,
    "csr": Peer._csr,
    "series": lambda peer, value: pd.Series(peer.decode(value[0]), index=peer.decode(value[1])),
    "frame": Peer._frame,
    "dict": Peer._dict,
    "list": Peer._decoded,
    "tuple": lambda peer, value: tuple(peer._decoded(value)),
    "set": lambda peer, value: set(peer._decoded(value)),
    "frozenset": lambda peer, value: frozenset(peer._decoded(value)),
    "record": lambda peer, value: SimpleNamespace(
        **{name: peer.decode(part) for name, part in value.items()}
    ),
    "other": lambda _, value: type(str(value) or "thing", (), {})(),
}
