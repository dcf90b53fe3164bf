"""How a sensitive value spreads over the groups of a k-anonymous copy: l-diversity, t-closeness."""

from typing import Any

import numpy as np

from pplab.checks import as_array, check_choice, check_labels, shown
from pplab.labelled import in_order_of


def l_diversity(values: Any, labels: Any, *, form: str) -> np.ndarray:
    """Diversity of each record's group: its number of sensitive values, or their effective number.

    Parameters
    ----------
    values : array, shape (records,)
        The sensitive value of each record: numbers or text, compared as equal or not.
    labels : int array, shape (records,)
        Group of each record.
    form : {"distinct", "entropy"}
        The number of distinct values in the group, or the exponential of their entropy: the
        number of equally frequent values that would be as uncertain: exactly m for m of them.

    Returns
    -------
    float array, shape (records,)
        From 1, where all of the group have one value. The copy is l-diverse, in this form, for l
        up to the least of them.

    Raises
    ------
    TypeError, ValueError
        If values and labels do not fit, a value is NaN, or the form is unknown.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007, doi 10.1145/1217299.1217302:
    distinct and entropy l-diversity.

    Examples
    --------
    >>> values, labels = ["flu", "flu", "flu", "flu", "cold", "flu"], [0, 0, 1, 1, 1, 1]
    >>> l_diversity(values, labels, form="distinct")
    array([1., 1., 2., 2., 2., 2.])
    >>> l_diversity(values, labels, form="entropy").round(2)
    array([1.  , 1.  , 1.75, 1.75, 1.75, 1.75])
    """
    check_choice("form", form, ("distinct", "entropy"))
    shares, group_of = _shares(values, labels)
    distinct = np.count_nonzero(shares, axis=1).astype(float)
    if form == "distinct":
        return distinct[group_of]
    logs = np.log(shares, where=shares > 0, out=np.zeros_like(shares))
    diversity = np.exp(-(shares * logs).sum(axis=1))
    whole = np.round(diversity)  # of m equally frequent values the form is m, not a rounding below
    diversity = np.where(np.abs(diversity - whole) <= _ROUNDED * whole, whole, diversity)
    return np.minimum(diversity, distinct)[group_of]


_ROUNDED = 1e-13  # share by which sums of logarithms are off, of up to thousands of values


def t_closeness(values: Any, labels: Any) -> np.ndarray:
    """Distance of each record's group from all records in its shares of the sensitive values.

    Values are equal or not, with nothing between, so the distance is half of the sum of absolute
    differences of the shares: the earth mover's distance when all values are equally far apart.

    Parameters
    ----------
    values : array, shape (records,)
        The sensitive value of each record: numbers or text, compared as equal or not.
    labels : int array, shape (records,)
        Group of each record.

    Returns
    -------
    float array, shape (records,)
        In [0, 1), 0 where the group is like all. The copy is t-close for t from the largest on.

    Raises
    ------
    TypeError, ValueError
        If values and labels do not fit or a value is NaN.

    References
    ----------
    Li, Li and Venkatasubramanian 2007, doi 10.1109/ICDE.2007.367856: t-closeness with the equal
    distance for categorical values.

    Examples
    --------
    >>> t_closeness(["flu", "flu", "cold", "flu"], [0, 0, 1, 1])
    array([0.25, 0.25, 0.25, 0.25])
    """
    shares, group_of = _shares(values, labels)
    sizes = np.bincount(group_of)
    return np.abs(shares - sizes @ shares / sizes.sum()).sum(axis=1)[group_of] / 2


def _shares(values: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    """Share of each value in each group, and the group of each record."""
    import pandas as pd

    if isinstance(labels, pd.Series):
        people = values.index.tolist() if isinstance(values, pd.Series) else None
        labels = in_order_of(people, labels, "labels")
    listed = as_array("values", values)
    if listed.dtype.kind == "U" or hasattr(values, "isna"):  # numpy writes NaN among texts as one
        missing = np.asarray(pd.isna(np.asarray(values, dtype=object)))
        if missing.any():
            raise ValueError(
                f"values must not be missing, got {int(missing.sum())} without a value; leave such "
                "records out, or give them a value of their own"
            )
    if listed.ndim != 1 or not len(listed) or listed.dtype.kind not in "biufU":
        raise ValueError(
            f"values must be a list of numbers or texts, one for each record, got {shown(values)}"
        )
    if listed.dtype.kind == "f" and np.isnan(listed).any():
        raise ValueError("values must not be NaN, got one; leave such records out")
    group_of = check_labels(labels, len(listed))
    counts = pd.crosstab(group_of, listed).to_numpy(dtype=float)
    return counts / counts.sum(axis=1, keepdims=True), group_of
