"""How similar to the original a k-anonymous copy can be at most, whoever makes it."""

from __future__ import annotations

from pplab.checks import check_choice
from pplab.graphs import GraphLike
from pplab.theory.certificate_columns import COPIES, column_certificate
from pplab.theory.certificate_inputs import binary_table
from pplab.theory.certificate_nearest import nearest_certificate
from pplab.theory.certificate_rows import row_column_certificate
from pplab.theory.certificate_suppression import suppression_certificate
from pplab.theory.certificate_symmetric import symmetric_certificate

__all__ = ["jaccard_certificate", "jaccard_certificates"]

_EFFORTS = ("thorough", "fast")


def jaccard_certificate(
    biadjacency: GraphLike, k: int, *, copies: str = "smooth", effort: str = "thorough"
) -> float:
    """Bound from above the Jaccard similarity that any k-anonymous copy of a table can have.

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
    float
        In [0, 1]: the least of the `jaccard_certificates`. 1 for a table without entries.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval, the table is empty or stores anything but ones, or copies or
        effort is not known.

    Notes
    -----
    The bound holds for both ways with ties: a copy that drops what exactly half of a group has is
    a smooth copy too. It holds for copies by Mondrian with suppression and by every other method.
    An unrestricted copy may be more similar than all smooth ones, since publishing what a third
    of a group has pays while J < 1/2; so state which copies a bound is about.

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
    return min(jaccard_certificates(biadjacency, k, copies=copies, effort=effort).values())


def jaccard_certificates(
    biadjacency: GraphLike, k: int, *, copies: str = "smooth", effort: str = "thorough"
) -> dict[str, float]:
    """Give each certificate by name; parameters and errors are those of `jaccard_certificate`.

    Returns
    -------
    dict of float
        "nearest" and "columns"; "row-column" and, at thorough effort, "symmetric" for smooth
        copies; "suppression" for those by suppression. Each is a bound of its own, proved in
        `nearest_certificate`, `column_certificate`, `row_column_certificate`,
        `symmetric_certificate` and `suppression_certificate`.

    Examples
    --------
    >>> table = [[1, 1, 1], [1, 1, 0], [0, 0, 1], [0, 0, 1]]
    >>> found = jaccard_certificates(table, 2, copies="suppression")
    >>> {name: round(bound, 4) for name, bound in found.items()}
    {'nearest': 0.875, 'columns': 1.0, 'suppression': 0.8571}
    """
    check_choice("copies", copies, COPIES)
    check_choice("effort", effort, _EFFORTS)
    table, k = binary_table(biadjacency, k)
    found = {
        "nearest": nearest_certificate(table, k),
        "columns": column_certificate(table, k, copies=copies),
    }
    if copies == "smooth":
        found["row-column"] = row_column_certificate(table, k)
        if effort == "thorough":
            found["symmetric"] = symmetric_certificate(table, k)
    if copies == "suppression":
        found["suppression"] = suppression_certificate(table, k)
    return found
