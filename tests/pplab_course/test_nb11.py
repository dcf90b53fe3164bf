"""Notebook 11: hidden promises tell mistakes apart, groups and ceilings meet, or do not."""

from fractions import Fraction
from itertools import product

from pplab_course.nb11_how_good_can_anybody_be import PROMISES, broken
from pplab_papers.smooth.lemma_5_3 import lemma_5_3

BEST = [0, 0, 1, 2, 1, 2]  # to be searched
LONE = [[1], [0], [0], [0]]
GIVEN = [[1], [1], [1], [1]]


def counted(olds, news, factor=1):
    def failures(promise):
        count = 0
        for old, new in product(olds, news):
            similar = Fraction((old & new).bit_count(), (old | new).bit_count())
            changed = Fraction(factor * (old ^ new).bit_count(), old.bit_count())
            count += similar < promise(changed)
        return count

    return failures


failures = counted(range(1, 64), range(64))


def by_sets(promise):
    """With sets of cells, J by its complement."""
    graphs = [{cell for cell in range(6) if bits >> cell & 1} for bits in range(64)]
    return sum(
        1 - Fraction(len(old ^ new), len(old | new)) < promise(Fraction(len(old ^ new), len(old)))
        for old, new in product(graphs[1:], graphs)
    )


def in_floats(promise):
    return sum(
        (old & new).bit_count() / (old | new).bit_count()
        < promise((old ^ new).bit_count() / old.bit_count())
        for old, new in product(range(1, 64), range(64))
    )


def test_the_counts_are_those_of_the_lemma_by_enumeration():
    promises = dict(PROMISES)
    assert broken(promises["as printed"]) == lemma_5_3(form="printed").failures
    assert broken(promises["repaired"]) == lemma_5_3(form="repaired").failures == 0
