"""Checks of arguments that two or more topics share; a check of one caller stands beside it.

A check turns what it accepts into one type and refuses the rest in one sentence, which says what
was got and what to do. Conditions are written so that NaN fails.
"""

import importlib
import math
import reprlib
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Number, Rational, Real
from types import ModuleType
from typing import Any

import numpy as np
from scipy import sparse


class _Repr(reprlib.Repr):
    def repr_int(self, number: int, level: int) -> str:
        try:
            str(number)
        except ValueError:  # Python refuses to write 10**5000; from 3.14 on, it gives its address
            return f"an integer of {number.bit_length():,} bits"
        return super().repr_int(number, level)


_REPR = _Repr()
_REPR.maxlist = _REPR.maxtuple = _REPR.maxdict = _REPR.maxset = 6
_REPR.maxlong = _REPR.maxother = _REPR.maxstring = 60


def shown(value: Any) -> str:
    """Show a value in one short line, whatever it is.

    Examples
    --------
    >>> shown([0] * 1000), shown([10**5000])
    ('[0, 0, 0, 0, 0, 0, ...]', '[an integer of 16,610 bits]')
    """
    try:
        value = value.item() if isinstance(value, np.generic) else value
        text = " ".join(_REPR.repr(value).split())
    except Exception:  # a value that cannot be shown: an object of somebody's own
        return f"an object of type {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def exported(names: dict[str, Any]) -> list[str]:
    """Public names of a topic: what its `__init__` imports, apart from modules.

    Examples
    --------
    >>> exported({"shown": shown, "math": math, "_real": _real})
    ['shown']
    """
    things = {name for name, thing in names.items() if not isinstance(thing, ModuleType)}
    return sorted(name for name in things if not name.startswith("_"))


_NO_NUMBERS = (bool, np.bool_, np.timedelta64)  # which Python counts as whole numbers


def sentence_of(error: Exception | str) -> str:
    """Sentence of a command about an error; of one of the file system, with a remedy.

    Examples
    --------
    >>> sentence_of(NotADirectoryError(20, "Not a directory", "marks.csv/new"))
    'marks.csv/new: Not a directory; check that path, or name another'
    """
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}; check that path, or name another"
    return str(error)


Rng = int | np.random.Generator | None  # a seed, a generator, or None for another one each time


def as_rng(rng: Rng) -> np.random.Generator:
    """Turn a seed, a generator or None into a generator (SPEC 7); never global state.

    Examples
    --------
    >>> as_rng(1).integers(10) == as_rng(1).integers(10)
    np.True_
    """
    if isinstance(rng, np.random.Generator):
        return rng
    whole = isinstance(rng, Integral) and not isinstance(rng, _NO_NUMBERS)
    if rng is None or (whole and rng >= 0):
        return np.random.default_rng(None if rng is None else int(rng))
    raise TypeError(
        "rng must be a non-negative integer seed, a numpy.random.Generator or None, got "
        f"{shown(rng)}; pass for example rng=1"
    )


def as_fraction(value: Any) -> Fraction:
    """Convert a number exactly: fractions and integers unchanged, floats as binary fractions."""
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    return Fraction(float(value))


def _real(name: str, value: Any, interval: str) -> None:
    if isinstance(value, _NO_NUMBERS) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number in {interval}, got {shown(value)}")
    if (math.isinf(_as_float(value)) and value not in (math.inf, -math.inf)) or (
        value != 0 and _as_float(value) == 0
    ):
        raise ValueError(
            f"{name} must be a number in {interval} that a float can hold, got {shown(value)}; "
            "sizes from 5e-324 to 1.8e308 can be held"
        )


def _as_float(value: Any) -> float:
    """A Python float; a whole number too large for one is infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


# Single numbers, names and flags.


def _within(name: str, value: Any, interval: str, legal: Callable[[Any], bool], hint: str) -> Any:
    """Refuse what is no number, and a number that is not legal, with the interval that is."""
    _real(name, value, interval)
    if not legal(value):
        raise ValueError(f"{name} must lie in {interval}, got {shown(value)}; {hint}")
    return value


def check_epsilon(epsilon: Any, *, allow_infinity: bool = False) -> Any:
    """Refuse an epsilon that is not a positive (finite) number."""
    interval = "(0, inf]" if allow_infinity else "(0, inf)"
    hint = "smaller is more private, 1 moves the odds of two neighbours by at most 2.72"
    return _within(
        "epsilon", epsilon, interval, lambda e: e > 0 and (allow_infinity or e != math.inf), hint
    )


def check_level_from_zero(epsilon: Any) -> float:
    """Refuse an epsilon outside [0, inf)."""
    hint = "0 is a coin for every cell"
    return float(_within("epsilon", epsilon, "[0, inf)", lambda e: 0 <= e < math.inf, hint))


def check_flip_probability(flip_probability: Any) -> Any:
    """Refuse a flip probability outside [0, 1/2]."""
    hint = "above 1/2 publish the complement instead: it reveals the same at 1 - flip_probability"
    return _within("flip_probability", flip_probability, "[0, 1/2]", lambda p: 0 <= p <= 0.5, hint)


def check_probability(name: str, value: Any) -> Any:
    """Refuse a number outside [0, 1]."""
    return _within(name, value, "[0, 1]", lambda p: 0 <= p <= 1, "pass a probability")


def check_open(name: str, value: Any, *, meaning: str) -> float:
    """Bring a number in (0, 1) into a float; refuse any other."""
    return float(_within(name, value, "(0, 1)", lambda x: 0 < x < 1 and float(x) < 1, meaning))


def check_alpha(alpha: Any) -> float:
    """Refuse a rate of false alarms outside (0, 1)."""
    meaning = "it is the greatest rate of false alarms, for example 1e-6"
    return check_open("alpha", alpha, meaning=meaning)


def check_delta(delta: Any) -> float:
    """Refuse a probability of failure outside (0, 1)."""
    return check_open("delta", delta, meaning="it is how often a bound may fail, for example 0.05")


def check_privacy_delta(delta: Any, *, allow_zero: bool = False) -> float:
    """Bring the delta of (epsilon, delta) into a float in (0, 1), or in [0, 1); refuse others."""
    hint = "it is far below one over the number of people"
    if not allow_zero:
        return check_open("delta", delta, meaning=hint)
    hint += ", and 0 for a pure level"
    return float(_within("delta", delta, "[0, 1)", lambda d: 0 <= d < 1 and float(d) < 1, hint))


def check_odds(name: str, value: Any) -> Any:
    """Refuse odds below 1 or infinite."""
    hint = "pass e^epsilon, for example Fraction(3)"
    return _within(name, value, "[1, inf)", lambda odds: 1 <= odds < math.inf, hint)


def check_positive(name: str, value: Any) -> Any:
    """Refuse a number that is not positive and finite."""
    hint = "pass a number above 0"
    return _within(name, value, "(0, inf)", lambda number: 0 < number < math.inf, hint)


_WIDEST = 1e50  # squares of such ratings times such noise, summed over a table, are still finite


def check_not_negative(name: str, value: Any) -> float:
    """Refuse a number that is negative, not finite, or too large to square."""
    _real(name, value, "[0, inf)")
    number = _as_float(value)
    hint = "pass a finite number from 0"
    _within(name, value, f"[0, {_WIDEST:g}]", lambda _: 0 <= number <= _WIDEST, hint)
    return number


def check_integer(name: str, value: Any, *, minimum: int, maximum: float = math.inf) -> int:
    """Refuse what is not an integer between minimum and maximum."""
    interval = f"between {minimum} and {maximum}" if maximum < math.inf else f"at least {minimum}"
    if isinstance(value, _NO_NUMBERS) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be an integer {interval}, got {shown(value)}")
    number = int(value)
    if not minimum <= number <= maximum:
        raise ValueError(f"{name} must be an integer {interval}, got {shown(number)}")
    return number


def check_k(k: Any, records: int) -> int:
    """Refuse a k below 2 or above the number of records."""
    if records < 2:
        raise ValueError(f"k must have at least 2 records to group, got {records}; pass more rows")
    return check_integer("k", k, minimum=2, maximum=records)


def check_choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """Refuse a name that is not among the choices."""
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {shown(value)}")
    return value


def check_flag(name: str, value: Any) -> bool:
    """Refuse what is not True or False: a string such as 'no' would count as True."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {shown(value)}; pass one of them")
    return bool(value)


def check_sampler(sampler: Any, rng: Any = None) -> bool:
    """Return True for the vetted sampler; a seed for it is refused."""
    vetted = check_choice("sampler", sampler, ("teaching", "vetted")) == "vetted"
    if vetted and rng is not None:
        got = type(rng).__name__
        raise ValueError(f"rng must be None with sampler 'vetted', got {got}; a seed is a key")
    return vetted


def check_installed(package: str, *, module: str, extra: str) -> ModuleType:
    """Import a package of an extra; where it is missing, say how to get it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"{package} must be installed for this, got no such package; install the extra "
            f"{extra!r}: pip install 'pplab[{extra}]'",
            name=missing.name,
        ) from missing


# Scales and settings.


def check_rating_range(rating_range: Any) -> tuple[float, float]:
    """Bring the lowest and highest rating into two floats; refuse what is no such pair."""
    listed = isinstance(rating_range, tuple | list | np.ndarray)
    # an array without dimensions says that it has a length
    if not (listed and getattr(rating_range, "ndim", True)) or len(rating_range) != 2:
        raise TypeError(
            f"rating_range must be a pair (lowest, highest rating), got {shown(rating_range)}; "
            "pass for example rating_range=(1, 5)"
        )
    for side, bound in zip(("lowest", "highest"), rating_range, strict=True):
        _real(f"the {side} rating of rating_range", bound, "(-inf, inf)")
    # Python floats: a bound of numpy's float32 would overflow in the comparison with _WIDEST
    low, high = (_as_float(bound) for bound in rating_range)
    if not -_WIDEST <= low < high <= _WIDEST:
        raise ValueError(
            f"rating_range must be two finite ascending numbers, at most {_WIDEST:g} in size, "
            f"got ({low}, {high}); pass for example rating_range=(1, 5)"
        )
    return low, high


_MOST_LEVELS = 10**6


def check_levels(levels: Any) -> tuple:
    """Bring rating levels into an ascending tuple; an integer L stands for 1..L."""
    if isinstance(levels, Integral):
        count = check_integer("levels", levels, minimum=1, maximum=_MOST_LEVELS)
        return tuple(range(1, count + 1))
    line = check_finite_numbers("levels", levels)
    several = line.ndim == 1 and len(np.unique(line)) == len(line) <= _MOST_LEVELS
    if not several or np.abs(line).max() >= 2.0**53:
        raise ValueError(
            f"levels must be 1 to {_MOST_LEVELS:,} finite ratings below 2^53 in size, none twice "
            f"as a float, got {shown(levels)}; list each possible rating once"
        )
    return tuple(int(level) if level == int(level) else level for level in np.sort(line).tolist())


def check_density(density: Any) -> float:
    """Refuse a share of edges among cells outside (0, 1]."""
    hint = "it is edges over cells, and a graph without edges has no Jaccard similarity to bound"
    return float(_within("density", density, "(0, 1]", lambda share: 0 < share <= 1, hint))


_MOST_CELLS = 10**15  # counts and their ratios stay exact in float64


def check_edges(density: Any, cells: Any) -> tuple[int, int]:
    """Turn a density and a number of cells into whole edges and cells, at least one edge."""
    share = check_density(density)
    number = check_integer("cells", cells, minimum=1, maximum=_MOST_CELLS)
    edges = round(share * number)
    if edges < 1:
        raise ValueError(
            f"density times cells must be at least one edge, got {share!r} x {number}; "
            "pass a higher density or more cells"
        )
    return min(edges, number), number


# Groups, and lists of numbers.


def as_array(name: str, values: Any) -> np.ndarray:
    """Bring listed data into a plain array of native numbers, as numpy reads it.

    Objects that are all numbers become numbers, floats of other widths than 4 and 8 bytes float64.
    The caller looks at the dimensions and the kind.

    Raises
    ------
    ValueError
        If a cell is masked, also inside lists, or rows differ in length.

    Examples
    --------
    >>> as_array("ratings", np.array([[1, 2]], dtype=object))
    array([[1, 2]])
    """
    if not (isinstance(values, (Sequence, Number)) or hasattr(values, "__array__")):
        raise TypeError(f"{name} must be an array or a list of numbers, got {shown(values)}")
    if _has_mask(values):
        raise ValueError(
            f"{name} must have no masked cells, got some; drop them (an absent rating is NaN in a "
            "table, and not stored in a sparse matrix)"
        )
    try:
        array = np.asarray(values)
        if array.dtype == object:
            array = np.asarray(array.tolist())
        if array.dtype == object and all(isinstance(x, (Real, Decimal)) for x in array.flat):
            array = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(
            f"{name} must hold numbers that a float can hold, in rows of one length, got "
            f"{shown(values)}; fill what is missing first"
        ) from error
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        with np.errstate(over="ignore"):  # what overflows becomes inf, which the caller refuses
            return array.astype(np.float64)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _has_mask(values: Any) -> bool:
    if isinstance(values, np.ma.MaskedArray):
        return bool(np.ma.is_masked(values))
    if isinstance(values, np.ndarray) and values.dtype == object:
        values = values.tolist()
    return isinstance(values, (list, tuple)) and any(map(_has_mask, values))


def check_labels(labels: Any, records: int) -> np.ndarray:
    """Number the groups of the records 0, 1, 2, ... in the order of their labels."""
    array = _group_numbers("labels", labels, records)
    return np.unique(array, return_inverse=True)[1].astype(np.int64, copy=False)


def check_partition(labels: Any, users: int, *, name: str = "labels") -> np.ndarray:
    """Bring the cluster of each user into an int64 array; refuse what is no partition of them."""
    array = _group_numbers(name, labels, users)
    used = np.unique(array)
    if len(used) and used[-1] != len(used) - 1:
        empty = int(np.argmax(used != np.arange(len(used))))
        raise ValueError(
            f"{name} must leave no cluster empty, got {len(used)} clusters with numbers up to "
            f"{used[-1]} and nobody in cluster {empty}; renumber them, for example with "
            "numpy.unique(labels, return_inverse=True)[1]"
        )
    return array.astype(np.int64)


def _group_numbers(name: str, labels: Any, records: int) -> np.ndarray:
    """Bring the group of each record into an array of whole numbers from 0."""
    array = as_array(name, labels)
    if array.ndim != 1 or array.dtype.kind not in "iu" or len(array) != records:
        raise ValueError(
            f"{name} must be {records} whole numbers, the group of each row, got shape "
            f"{array.shape} of {array.dtype}; a partition lists every row exactly once"
        )
    if len(array) and array.min() < 0:
        raise ValueError(
            f"{name} must be group numbers from 0, got {array.min()} for row {array.argmin()}; "
            "a row that is like no other is a group of one"
        )
    return array


def check_finite_numbers(name: str, values: Any, *, allow_nan: bool = False) -> np.ndarray:
    """Bring numbers into a float64 array; refuse inf, and NaN where a gap has no meaning."""
    array = as_array(name, values)
    if array.dtype.kind not in "iuf" or _has_truth_value(values):
        raise TypeError(f"{name} must be numbers, got {shown(values)}; pass an array of numbers")
    array = array.astype(np.float64)
    good = ~np.isinf(array) if allow_nan else np.isfinite(array)
    if not array.size or not good.all():
        got = "none" if not array.size else repr(float(array[~good].flat[0]))
        raise ValueError(f"{name} must be finite numbers, got {got}; leave such items out")
    return array


def _has_truth_value(values: Any) -> bool:
    """True if True or False stands in a list, where numpy would read 1 or 0."""
    if isinstance(values, (list, tuple)):
        return any(map(_has_truth_value, values))
    return isinstance(values, (bool, np.bool_))


def check_line(name: str, values: Any) -> np.ndarray:
    """Bring numbers on a line into a float64 array; refuse what is no such list."""
    line = check_finite_numbers(name, values)
    if line.ndim != 1:
        raise ValueError(
            f"{name} must be a list of numbers, got shape {line.shape}; pass for example "
            "[1, 2, 10, 12]"
        )
    check_squares(name, line)
    return line


# Tables and CSR arrays.


def check_full(name: str, table: np.ndarray, *, remedy: str, people: Any = None) -> None:
    """Refuse a table with gaps; name the label of the first person with one, if there is any."""
    if gaps := np.count_nonzero(np.isnan(table)):
        user, item = (int(place[0]) for place in np.nonzero(np.isnan(table)))
        where = f"user {user}, item {item}" if people is None else people.cell(user, item)
        raise ValueError(
            f"{name} must be complete, got {gaps:,} unrated cells, the first at {where}; {remedy}"
        )


def check_some_rated(name: str, count: int) -> None:
    """Refuse a table without a single rating."""
    if not count:
        raise ValueError(f"{name} must hold at least one rating, got none; pass some")


def check_no_zero(name: str, table: Any) -> None:
    """Refuse an array with zeros where a rating may be 0, and a 0 may say that there is none."""
    if (as_array(name, table) == 0).any():
        raise ValueError(
            f"{name} must not be an array with zeros where rating_range holds 0, got one: a 0 may "
            f"be a rating or mean that there is none; pass "
            f'pplab.table({name}, zero="rating") or zero="absent"'
        )


def check_squares(name: str, table: np.ndarray) -> None:
    """Refuse a table with values too large to square and add up; NaN passes."""
    low, high = (float(f.reduce(table, axis=None)) for f in (np.fmin, np.fmax))
    largest = low if -low > high else high
    if abs(largest) > _WIDEST:
        raise ValueError(
            f"{name} must hold numbers of at most {_WIDEST:g} in size, got {largest:g}; rescale "
            "them, or use other units"
        )


def check_dense_room(name: str, shape: tuple[int, ...], *, limit: int) -> None:
    """Refuse a table that needs more than limit bytes once every cell is filled."""
    if (needed := math.prod(shape) * 8) > limit:
        raise ValueError(
            f"{name} must fill at most {limit / 2**30:g} GiB as a full table, got {shape[0]:,} x "
            f"{shape[1]:,} cells, which need {needed / 2**30:,.1f} GiB; take fewer users or items"
        )


def check_same_shape(
    left: Any, right: Any, *, names: tuple[str, str] = ("original", "protected")
) -> None:
    """Refuse two matrices or tables of different shapes."""
    if left.shape != right.shape:
        raise ValueError(
            f"{names[0]} and {names[1]} must have the same shape, got {left.shape} and "
            f"{right.shape}; align users and items first"
        )


def check_stored_values(name: str, matrix: sparse.csr_array, *, low: float, high: float) -> None:
    """Refuse stored values that are not finite or outside [low, high]."""
    good = (matrix.data >= low) & (matrix.data <= high) & np.isfinite(matrix.data)
    if not good.all():
        raise ValueError(
            f"{name} must have finite stored values between {float(low):g} and "
            f"{float(high):g}, got {shown(matrix.data[~good][0])}; rescale or drop such entries"
        )
