"""One convention fits one printed number: look one sigma further; and guesses that must run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from pplab.exercises.answers import call, number
from pplab.exercises.core import Refusal
from pplab.experiments.microaggregation import paper
from pplab.ledger.results import read_result

__all__ = ["FITS", "MISSES", "misread_search", "runnable_guess"]

FITS, MISSES = 0.02, 0.1  # relative to what is printed
CHOICES = ("impute", "rounding", "truncation", "scale")

Table = np.ndarray[Any, np.dtype[np.float64]]


def misread_search(answer: Any) -> str | None:
    """Hold (convention, sigma that fits, neighbour that misses) against the stored search."""
    if isinstance(answer, (tuple, list)) and len(answer) == 2:
        return "A single fit: now try the next sigma, up or down, under the same convention."
    if not isinstance(answer, (tuple, list)) or len(answer) != 3:
        raise Refusal(
            "this exercise wants (convention, sigma that fits, sigma beside it that misses)."
        )
    off = _search()
    convention = answer[0]
    if not isinstance(convention, str) or convention not in off.index:
        raise Refusal("the convention must be one of search['convention'], word for word.")
    fitting, missing = (number(value) for value in answer[1:])
    sigmas = [float(sigma) for sigma in paper.SIGMA]
    if fitting not in sigmas or missing not in sigmas:
        raise Refusal("both sigmas must be of those in search['sigma'].")
    row = off.loc[convention].abs()
    if row[fitting] > FITS and row[missing] <= FITS:
        return "The other way round: first the sigma that fits, then the one that misses."
    if row[fitting] > FITS:
        return f"At sigma = {fitting:g} it is off by {row[fitting]:.1%}: not yet a fit."
    if abs(sigmas.index(fitting) - sigmas.index(missing)) != 1:
        return "Take a neighbour: the next sigma of the table, up or down."
    if row[missing] <= MISSES:
        return f"At sigma = {missing:g} it is off by {row[missing]:.1%} only. Another neighbour?"
    return ""


def _search() -> pd.DataFrame:
    """Relative misfit of the printed errors: a row per convention, a column per sigma."""
    result = read_result("microaggregation", "noise_conventions")
    if result is None:
        raise Refusal(
            "the search was not run yet; "
            "run `pplab reproduce microaggregation --part noise_conventions`."
        )
    rows = result.frame.query("quantity == 'sse'")
    names = rows[list(CHOICES)].agg(", ".join, axis=1)
    rows = rows.assign(convention=names, off=rows["value"] / rows["printed"] - 1)
    return rows.pivot_table(index="convention", columns="sigma", values="off")


def runnable_guess(answer: Callable[..., Any]) -> str | None:
    """Run guess(ratings, sigma) on ratings nobody has seen; "" when its error survives sigma 0."""
    ratings = _hidden_ratings()
    quiet, loud = (_two_tables(call(answer, ratings.copy(), sigma), ratings) for sigma in (0, 20))
    limit, noisy = (float(np.square(one - other).sum()) for one, other in (quiet, loud))
    if limit <= 1e-9:
        return (
            "At sigma = 0 your two tables agree, and the error goes with the noise. What differs?"
        )
    if np.isclose(limit, noisy, rtol=1e-6):
        return "The limit is there, but sigma changes nothing any more: add the noise as well."
    return ""


def _two_tables(given: Any, ratings: sparse.csr_array) -> tuple[Table, Table]:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise Refusal(
            "guess(ratings, sigma) gives back two full tables, (reference, protected), "
            "whose squared differences are added up."
        )
    try:
        one, other = (np.asarray(table, dtype=float) for table in given)
    except (TypeError, ValueError) as error:
        raise Refusal("the two tables must be arrays of numbers, without gaps.") from error
    if one.shape != ratings.shape or other.shape != ratings.shape:
        raise Refusal(f"both tables must have the shape of ratings, got {one.shape, other.shape}.")
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        raise Refusal("the two tables must be complete: fill the gaps first.")
    return one, other


def _hidden_ratings() -> sparse.csr_array:
    random = np.random.default_rng(2041)
    rated = random.random((30, 12)) < 0.4
    return sparse.csr_array(np.where(rated, random.integers(1, 6, size=rated.shape), 0))
