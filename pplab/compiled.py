"""The machinery that several topics compile against: streams of random bits, threads, a cache.

numba keeps compiled functions on disk. It compiles a function again when the file of that
function has changed, but it does not see a change in another file whose functions were compiled
into it. So a compiled function of pplab calls those of its own file and of this file only, and is
declared with the `njit` of this file, which compiles it again when this file has changed as well.

A stream of random words is a counter in steps of the golden ratio whose values are scattered
(SplitMix64; Steele, Lea and Flood 2014, doi 10.1145/2660193.2660195). There is one per row,
addressed by (key, row): work on a row starts its stream anew, so neither threads nor blocks nor
the order of the edges change what a row draws.
"""

import gc
import hashlib
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import caching
from numba.core.compiler import Flags

_THIS_FILE = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


@cache  # once
def _tell_uncached() -> None:
    text = "no folder can keep compiled functions; every start compiles again: set NUMBA_CACHE_DIR"
    print(f"pplab: {text} to one that you can write", file=sys.stderr)


def _or(work: Any, errors: Any, instead: Any) -> Any:
    """The function, or what stands for it where it fails."""

    def tried(*arguments: Any) -> Any:
        try:
            return work(*arguments)
        except errors:
            return instead()

    return tried


def _nowhere(*_: Any) -> None:
    raise OSError


class _AsItIs:
    """Need not be writable: what numba otherwise asks of a folder before it reads there."""

    def ensure_cache_path(self) -> None:
        pass


class _Named(_AsItIs, caching.UserProvidedCacheLocator):
    """In NUMBA_CACHE_DIR, if it is set."""


class _Beside(_AsItIs, caching.InTreeCacheLocator):
    """In `__pycache__` beside the file."""


class _SharedPlace(caching.CompileResultCacheImpl):
    _locator_classes = [_Named, _Beside]  # noqa: RUF012 (as in numba)


class _SharedCache(caching.FunctionCache):
    """Functions that an administrator has compiled for all."""

    _impl_class = _SharedPlace


def _uncollected(work: Any) -> Any:
    """The function, run without a search for unused objects: the compiler makes millions."""

    def done(*arguments: Any) -> Any:
        found = gc.isenabled()
        gc.disable()
        try:
            return work(*arguments)
        finally:
            if found:
                gc.enable()

    return done


_passed_on = attrgetter("nrt", "fastmath", "error_model", "forceinline")
_ALIKE = hash(Flags())  # the same whatever the options are


class _Flags(Flags):
    """Options of a function, equal where the functions that it calls are compiled alike.

    numba compiles its own functions anew for each set of options of a caller, and compares all
    options of two callers, one by one, thousands of times.
    """

    def __hash__(self) -> int:
        return _ALIKE

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Flags) and bool(_passed_on(self) == _passed_on(other))


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    """`numba.njit`, which shares numba's own functions among all that are compiled alike."""
    options["no_cfunc_wrapper"] = True  # nobody calls from C
    compiled: Any = numba.njit(**options)(function)
    if compiled is not function:  # else NUMBA_DISABLE_JIT is set
        compiled._compiler._customize_flags = _Flags
    return compiled


def njit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """`numba.njit(cache=True, ...)`, whose cache is stale also when this file has changed.

    Both texts are part of what numba compares, so nothing has to be deleted, and processes that
    start at once, old notebooks and new tests for instance, do not disturb each other. A folder
    that cannot be written is read, too: what it lacks is kept in the home of the user. Where no
    folder can be written, each process compiles that for itself and says so once.
    """

    def declare(function: Callable[..., Any]) -> Any:
        compiled = _compiled(function, **options)
        if compiled is function:
            return compiled
        compiled._compile_for_args = _uncollected(compiled._compile_for_args)
        # numba raises RuntimeError where it finds no folder
        own_cache, shared = (
            _or(kind, RuntimeError, lambda: None)(function)
            for kind in (caching.FunctionCache, _SharedCache)
        )
        if shared and not os.access(shared._cache_file._index_path, os.R_OK):
            shared = None
        files = [store._cache_file for store in (own_cache, shared) if store]
        for kept in files:
            kept._source_stamp = (kept._source_stamp, _THIS_FILE)
            # the stored code may name a type that is gone
            kept._load_index = _or(kept._load_index, (AttributeError, ImportError), dict)
        if own_cache and shared:
            first, last = own_cache._cache_file.load, shared._cache_file.load
            own_cache._cache_file.load = lambda key: first(key) or last(key)
        compiled._cache = cache = own_cache or shared or compiled._cache
        cache.places = [file._index_path for file in files]
        # there may be no folder, and the disk may be full
        save = own_cache.save_overload if own_cache else _nowhere
        cache.save_overload = _or(save, OSError, _tell_uncached)
        return compiled

    return declare


def inner(function: Any = None, *, arrays: bool = False, **options: Any) -> Any:
    """For a function that compiled functions call, and that is kept as a part of them alone.

    Without an entry for the interpreter, which runs the text itself, it compiles in half the time;
    where it makes no arrays it needs no reference counts either.
    """
    if function is None:
        return partial(inner, arrays=arrays, **options)
    compiled = _compiled(function, no_cpython_wrapper=True, _nrt=arrays, **options)
    compiled._insert = lambda *_: None  # numba would jump to the entry
    compiled._compile_for_args = lambda *_: function
    return compiled


# Two squared distances tie when they differ by at most this part of the smaller: group means that
# are equal on paper differ by about 1e-16 once they are computed.
TIE = 1e-12

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def new_key(rng: np.random.Generator) -> np.ndarray:
    """Draw the 128-bit key that addresses all row streams of one release."""
    return rng.integers(0, 2**64, size=2, dtype=np.uint64)


@njit(inline="always")
def mixed(number: np.uint64) -> np.uint64:
    """Scatter 64 bits."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@njit(inline="always")
def row_stream(key, row):
    """Start of a row's stream: add GOLDEN and take `mixed` for each random word."""
    return mixed(key[0] ^ mixed(key[1] + np.uint64(row) * GOLDEN))


@inner
def first_from(values: np.ndarray, least: int) -> int:
    """Place of the first of ascending values that is at least so large, or their number."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < least:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def count_in_lists(
    starts: np.ndarray, values: np.ndarray, lists: np.ndarray, counts: np.ndarray, met: np.ndarray
) -> int:
    """Count how many of some lists have each value: rows that share items, or items of rows.

    List number i is values[starts[i]:starts[i + 1]]. Counts are zero before; the values that
    were met stand in `met` afterwards, in that order, and their number is returned.
    """
    total = 0
    for number in lists:
        for value in values[starts[number] : starts[number + 1]]:
            if counts[value] == 0:
                met[total] = value
                total += 1
            counts[value] += 1
    return total


@inner
def common_at_the_end(ours: np.ndarray, others: np.ndarray) -> int:
    """Items of two ascending lists, as far down as the first reaches."""
    a, b, shared = len(ours) - 1, len(others) - 1, 0
    while a >= 0 and b >= 0:
        if ours[a] == others[b]:
            shared += 1
            a -= 1
            b -= 1
        elif ours[a] > others[b]:
            a -= 1
        else:
            b -= 1
    return shared


_Job = TypeVar("_Job")
_Result = TypeVar("_Result")


def in_threads(
    work: Callable[[_Job], _Result], jobs: Sequence[_Job], *, label: str, quiet: bool = False
) -> list[_Result]:
    """Results in the order of the jobs; which thread takes a job must not matter.

    A bar shows how far they are; an interruption drops the jobs not yet begun.

    Parameters
    ----------
    work : callable
        Compiled without the interpreter's lock, or it takes no time.
    jobs : sequence
    label : str
        Of the bar, which shows after 5 seconds, unless TQDM_DISABLE is 1.
    quiet : bool
        Never show it: in a notebook each bar is a dozen messages.
    """
    if len(jobs) == 1:
        return [work(jobs[0])]
    from tqdm.auto import tqdm

    pool = ThreadPoolExecutor(numba.get_num_threads())
    try:
        results = pool.map(work, jobs)
        hidden = {"disable": True} if quiet else {}  # else TQDM_DISABLE decides
        return list(tqdm(results, total=len(jobs), desc=label, delay=5, leave=False, **hidden))
    finally:
        pool.shutdown(cancel_futures=True)


def in_ranges(
    work: Callable[..., _Result], count: int, size: int, *more: Any, label: str, quiet: bool = False
) -> list[_Result]:
    """Results of ``work(*more, first, last)`` for ranges of 0 .. count - 1, in threads.

    The ranges have `size` numbers each, and the last one what is left; see `in_threads`.
    """

    def of_range(first: int) -> _Result:
        return work(*more, first, min(first + size, count))

    return in_threads(of_range, range(0, count, size), label=label, quiet=quiet)
