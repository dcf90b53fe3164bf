"""The statements of the paper that need no data: each is decided by code that could say no."""

from __future__ import annotations

import pandas as pd

from pplab.experiments.finding import Finding, listed, statement_rows
from pplab.experiments.noise_graphs import paper
from pplab.experiments.noise_graphs.definition_statements import DEFINITIONS
from pplab.experiments.noise_graphs.level_statements import LEVELS
from pplab.experiments.noise_graphs.metric_statements import METRICS

__all__ = ["printed_statements", "statements"]

MOST_LOSS = 10  # per cent: the rule of the ledger for "barely reduced" and "quite precise"
DEMOGRAPHICS = ("gender", "age", "political")


def statements() -> pd.DataFrame:
    """Decide definitions, theorems and sentences of Sections 1 to 5 by enumeration.

    Returns
    -------
    DataFrame
        Columns statement, value (1.0 true, 0.0 false) and witness, a sentence with the numbers.

    References
    ----------
    Salas and Torra 2020, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> found = statements().set_index("statement")["value"]
    >>> found["theorem-1"], found["theorem-2:bipartite-user"]
    (np.float64(1.0), np.float64(0.0))
    """
    checks = {**DEFINITIONS, **LEVELS, **METRICS}
    return statement_rows({name: check() for name, check in checks.items()})


def printed_statements() -> pd.DataFrame:
    """Hold sentences about Table 2 against the losses that the table prints.

    Returns
    -------
    DataFrame
        Columns statement, value and witness.

    References
    ----------
    Salas and Torra 2020, Section 4.1 and Table 2, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> printed_statements().value.tolist()
    [0.0, 1.0]
    """
    return statement_rows(
        {
            "section-4.1:barely-reduced": _losses(tuple(paper.TABLE_2)),
            "section-4.1:quite-precise": _losses(DEMOGRAPHICS),
        }
    )


def _losses(traits: tuple[str, ...]) -> Finding:
    printed = {
        (trait, p): loss for trait in traits for p, loss in paper.TABLE_2[trait].items() if p <= 0.1
    }
    large = {place: loss for place, loss in printed.items() if loss > MOST_LOSS}
    worst = max(printed, key=lambda place: printed[place])
    if not large:
        return True, (
            f"All {len(printed)} printed losses at p <= 0.1 are at most {MOST_LOSS} %, the largest "
            f"{printed[worst]} % ({worst[0]}, p = {worst[1]})."
        )
    told = listed(f"{loss} % for {trait} (p = {p})" for (trait, p), loss in large.items())
    return False, (
        f"{len(large)} of {len(printed)} printed losses at p <= 0.1 exceed {MOST_LOSS} %: {told}."
    )
