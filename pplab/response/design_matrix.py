"""Response with a design matrix: edges and empty cells lie with probabilities of their own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import as_rng, check_probability
from pplab.graphs import GraphLike, as_biadjacency
from pplab.response.cells import invented_cells, with_records
from pplab.response.mechanism import Distribution, independent_cells
from pplab.response.odds import odds_to_epsilon

__all__ = ["DesignMatrix"]


@dataclass(frozen=True, kw_only=True)
class DesignMatrix:
    """Warner's response: p_jk is the probability to publish k for a cell that is j.

    Parameters
    ----------
    p00, p01, p10, p11 : float or Fraction
        In [0, 1]; each row sums to 1. An edge is removed with p10 and invented with p01.

    Attributes
    ----------
    unit : str
        ``"edge"``.
    odds : Fraction or infinity
        ``max(p00/p10, p10/p00, p01/p11, p11/p01)``: one output, two inputs, both directions.
    epsilon : float
        Logarithm of the odds, rounded up.
    printed_odds : Fraction or infinity
        ``max(p00/p01, p11/p10)``, the ratio that the paper bounds by e^epsilon: it compares two
        outputs of one input, and says nothing of privacy when both lie often.

    Raises
    ------
    TypeError, ValueError
        If an entry is no probability or a row does not sum to 1.

    References
    ----------
    Salas and Torra 2020, Definition 3 (equation 1), doi 10.5220/0009833804150422; Warner 1965,
    doi 10.1080/01621459.1965.10480775.

    Examples
    --------
    >>> often, seldom = Fraction(9, 10), Fraction(1, 10)
    >>> lying = DesignMatrix(p00=seldom, p01=often, p10=often, p11=seldom)
    >>> lying.printed_odds, lying.odds  # the printed test passes at epsilon = 0
    (Fraction(1, 9), Fraction(9, 1))
    """

    p00: Any
    p01: Any
    p10: Any
    p11: Any
    unit: str = "edge"

    def __post_init__(self) -> None:
        for number, row in enumerate([(self.p00, self.p01), (self.p10, self.p11)]):
            for column, value in enumerate(row):
                check_probability(f"p{number}{column}", value)
            if not abs(sum(row) - 1) <= 1e-12:
                raise ValueError(
                    f"p{number}0 + p{number}1 must be 1, got {sum(row)}; p_jk is the probability "
                    "to publish k when the truth is j"
                )

    @property
    def odds(self) -> Any:
        """Largest ratio of one output's probabilities under two inputs."""
        (none_none, none_edge), (edge_none, edge_edge) = self._rows()
        pairs = [(none_none, edge_none), (none_edge, edge_edge)]
        return max(_ratio(a, b) for one, other in pairs for a, b in ((one, other), (other, one)))

    @property
    def epsilon(self) -> float:
        """Privacy level of one edge."""
        return math.inf if self.odds == math.inf else odds_to_epsilon(self.odds)

    @property
    def printed_odds(self) -> Any:
        """The paper's ratio; its test passes at epsilon when this is at most e^epsilon."""
        (none_none, none_edge), (edge_none, edge_edge) = self._rows()
        return max(_ratio(none_none, none_edge), _ratio(edge_edge, edge_none))

    @property
    def printed_epsilon(self) -> float:
        """Smallest level at which the paper's test passes."""
        printed = self.printed_odds
        return math.inf if printed == math.inf else odds_to_epsilon(max(printed, Fraction(1)))

    def sample(
        self, data: GraphLike, *, rng: int | np.random.Generator | None = None
    ) -> sparse.csr_array:
        """Draw one published graph."""
        graph = as_biadjacency(data)
        pattern_rng, kept_rng = as_rng(rng).spawn(2)
        new = invented_cells(graph, probability=float(self.p01), rng=pattern_rng)
        kept = kept_rng.random(graph.nnz) >= float(self.p10)
        invented = (new, np.ones(len(new), dtype=np.int8))
        return with_records(graph, kept=kept, answers=graph.data[kept], invented=invented)

    def distribution(self, data: GraphLike) -> Distribution:
        """Exact probabilities of all published graphs."""
        graph, rows = as_biadjacency(data), self._rows()
        cells = (dict(enumerate(rows[int(x)])) for x in graph.toarray().ravel())
        return independent_cells(cells, columns=graph.shape[1])

    def _rows(self) -> list[tuple[Fraction, Fraction]]:
        """Rows as fractions that sum to 1 exactly, the lies as they were given."""
        none_edge, edge_none = Fraction(self.p01), Fraction(self.p10)
        return [(1 - none_edge, none_edge), (edge_none, 1 - edge_none)]


def _ratio(one: Fraction, other: Fraction) -> Any:
    if one == other == 0:
        return Fraction(0)  # an output that never occurs compares with nothing
    return one / other if other else math.inf
