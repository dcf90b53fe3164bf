"""Lemma 5.3 on all pairs of small graphs: a total distance bounds the similarity from below.

False as printed, true repaired. Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity
for Sparse Graphs*, Section 5 and Appendix C, arXiv 2207.06358.
"""

from fractions import Fraction
from typing import Any

from claimbook.part import Finding
from pplab_papers.smooth.cases import Checked
from pplab_papers.smooth.lemma_5_2 import all_pairs, distance, on_pairs


def lemma_5_3(*, form: str) -> Checked:
    """Lemma 5.3 on all pairs of 2 x 3 graphs: a total distance bounds the similarity from below.

    Printed: a total distance of at most ``phi' |E|`` gives ``J >= 1 - phi'/2``; false, since the
    empty copy has distance |E| and similarity 0. Repaired: ``J >= 1 - phi'``, with equality when
    the copy is a part of E. The promise falls with phi', so each pair is tried at its least one.
    Pairs whose original is empty are left out, unless the copy is empty too.

    Parameters
    ----------
    form : {"printed", "repaired"}

    Returns
    -------
    Checked
        ``counterexample`` is (original rows, copy's rows).

    Examples
    --------
    >>> lemma_5_3(form="printed").counterexample
    (((1, 0, 0), (0, 0, 0)), ((0, 0, 0), (0, 0, 0)))
    >>> lemma_5_3(form="repaired").holds
    True
    """
    share = {"printed": Fraction(1, 2), "repaired": Fraction(1)}[form]

    def case(original: int, copy: int) -> tuple[Any, Any] | None:
        edges = original.bit_count()
        if not edges:
            return (1, 1) if not copy else None
        phi = Fraction(distance(original, copy), edges)
        jaccard = Fraction((original & copy).bit_count(), (original | copy).bit_count())
        return 1 - share * phi, jaccard

    return all_pairs(case)


def lemma_5_3_printed() -> Finding:
    """Lemma 5.3 as printed."""
    return on_pairs(lemma_5_3(form="printed"))


def lemma_5_3_repaired() -> Finding:
    """Lemma 5.3 with phi' in place of phi' / 2."""
    return (*on_pairs(lemma_5_3(form="repaired")), lemma_5_3_printed()[0])


STATEMENTS = (lemma_5_3_printed, lemma_5_3_repaired)
