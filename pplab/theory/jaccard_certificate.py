"""How similar to the original a k-anonymous copy can be at most, whoever makes it."""

from __future__ import annotations

from collections.abc import Callable

from pplab.anonymity.kinds import kinds_of_rows
from pplab.checks import check_choice, check_k, check_ones
from pplab.graphs import GraphLike, as_matrix
from pplab.theory.certificate_columns import column_certificate
from pplab.theory.certificate_nearest import nearest_certificate
from pplab.theory.certificate_rows import row_column_certificate
from pplab.theory.certificate_suppression import suppression_certificate
from pplab.theory.certificate_symmetric import symmetric_certificate

__all__ = ["jaccard_certificate", "jaccard_certificates"]


def jaccard_certificate(biadjacency: GraphLike, k: int) -> float:
    """Bound from above the Jaccard similarity that any smooth k-anonymous copy can have.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    k : int
        Smallest size of a group, from 2 to the number of rows.

    Returns
    -------
    float
        In [0, 1]: the least of the `jaccard_certificates`. 1 for a table without entries.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval, or the table is empty or stores anything but ones.

    Notes
    -----
    The bound holds for both ways with ties: a copy that drops what exactly half of a group has is
    a smooth copy too. It holds for copies by Mondrian with suppression and by every other method.
    An unrestricted copy may be more similar than all smooth ones, since publishing what a third
    of a group has pays while J < 1/2; `jaccard_certificates` bounds those, too.

    The number of threads does not change the result, and the order of rows and columns not beyond
    the accuracy of `row_column_certificate` and `symmetric_certificate`.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definitions 3.4 to 3.6, arXiv 2207.06358, where no bound of this kind is given.

    Examples
    --------
    >>> table = [[1, 1, 1], [1, 1, 0], [0, 0, 1], [0, 0, 1]]
    >>> jaccard_certificate(table, 2)
    0.875
    """
    return min(jaccard_certificates(biadjacency, k).values())


def jaccard_certificates(
    biadjacency: GraphLike, k: int, *, copies: str = "smooth", effort: str = "thorough"
) -> dict[str, float]:
    """Give each certificate by name, for smooth and for other k-anonymous copies.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    k : int
        Smallest size of a group, from 2 to the number of rows.
    copies : {"smooth", "any", "suppression"}, default "smooth"
        Which copies: those of smooth anonymity, which publish for a group only what at least half
        of it has; all in which each row has k - 1 equal ones; or those that leave entries out and
        add none. The copies of "suppression" are among the smooth ones, and these among "any".
    effort : {"thorough", "fast"}, default "thorough"
        Whether to compute `symmetric_certificate` too, the closest one for smooth copies and by
        far the slowest. For other copies the two are the same.

    Returns
    -------
    dict of float
        "nearest" and "columns"; "row-column" and, at thorough effort, "symmetric" for smooth
        copies; "suppression" for those by suppression. Each is a bound of its own, proved in
        `nearest_certificate`, `column_certificate`, `row_column_certificate`,
        `symmetric_certificate` and `suppression_certificate`. 1 for a table without entries.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval, the table is empty or stores anything but ones, or copies or
        effort is not known.

    Examples
    --------
    >>> table = [[1, 1, 1], [1, 1, 0], [0, 0, 1], [0, 0, 1]]
    >>> found = jaccard_certificates(table, 2, copies="suppression")
    >>> {name: round(bound, 4) for name, bound in found.items()}
    {'nearest': 0.875, 'columns': 1.0, 'suppression': 0.8571}
    """
    check_choice("copies", copies, ("smooth", "any", "suppression"))
    check_choice("effort", effort, ("thorough", "fast"))
    table = as_matrix(biadjacency, name="biadjacency")
    check_ones("biadjacency", table)
    k = check_k(k, table.shape[0])
    kinds = kinds_of_rows(table)
    bounds: dict[str, Callable[[], float]] = {
        "nearest": lambda: nearest_certificate(table, kinds, k),
        "columns": lambda: column_certificate(table, k, copies),
    }
    if copies == "smooth":
        bounds["row-column"] = lambda: row_column_certificate(table, kinds, k)
        if effort == "thorough":
            bounds["symmetric"] = lambda: symmetric_certificate(table, kinds, k)
    if copies == "suppression":
        bounds["suppression"] = lambda: suppression_certificate(table, k)
    return {name: bound() if table.nnz else 1.0 for name, bound in bounds.items()}
