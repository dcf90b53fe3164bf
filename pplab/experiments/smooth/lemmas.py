"""Definition 3.5, Lemmas 5.2 and 5.3 and the majority vote, on all small cases."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from pplab.attacks.votes import pivotal_cells, votes_needed
from pplab.experiments.finding import Finding, statement_rows
from pplab.theory.smooth_lemmas import Checked, distances_add_up, lemma_5_2, lemma_5_3
from pplab.theory.smooth_rule import definition_3_5, suppression_is_smooth
from pplab.theory.smooth_votes import compare_ties, majority_row_hamming, majority_row_jaccard

__all__ = ["lemmas"]

TIED = ((2, 2, 2), (4, 2, 2), (4, 2, 4))  # users, items, k
SUPPRESSED = ((3, 2, 2), (3, 2, 3), (4, 2, 2), (4, 2, 3), (4, 2, 4))


def lemmas() -> pd.DataFrame:
    """Decide the definition of smooth anonymity and the lemmas of Section 5.

    Returns
    -------
    DataFrame
        Columns statement, value (1.0 true, 0.0 false) and witness.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.5 and Lemmas 5.2 and 5.3, arXiv 2207.06358.
    """
    return statement_rows(
        {
            "definition-3.5:as-printed": _excludes("published"),
            "definition-3.5:original": _excludes("original"),
            "definition-3.5:ties": _ties(),
            "definition-3.5:weaker": _weaker(),
            "lemma-5.2:printed": _on_pairs(lemma_5_2(form="printed")),
            "lemma-5.2:tight": _on_pairs(lemma_5_2(form="tight")),
            "lemma-5.3:printed": _on_pairs(lemma_5_3(form="printed")),
            "lemma-5.3:repaired": _on_pairs(lemma_5_3(form="repaired")),
            "lemma-5.2:symmetric-difference": _on_pairs(distances_add_up(times=2)),
            "section-5:majority-optimal-hamming": _hamming(),
            "section-5:majority-optimal-jaccard": _jaccard(),
            "section-5:leak": _leak(),
        }
    )


def _excludes(read_on: str) -> Finding:
    found = definition_3_5(users=3, items=2, k=2, read_on=read_on)
    return bool(found.failures), (
        f"It excludes {found.failures} of {found.cases} pairs of a graph on 3 x 2 cells and a "
        "2-anonymous copy."
    )


def _ties() -> Finding:
    found = [compare_ties(users=users, items=items, k=k) for users, items, k in TIED]
    better, equal = (sum(getattr(f, name) for f in found) for name in ("kept_better", "equal"))
    worse = sum(f.dropped_better for f in found)
    example = next((f.example for f in found if f.example is not None), None)
    told = f"; rows {example[0]}: {example[1]} against {example[2]}" if example else ""
    return not better and not worse, (
        f"Keeping is better on {better} graphs, equal on {equal}, worse on {worse}{told}."
    )


def _weaker() -> Finding:
    found = [suppression_is_smooth(users=users, items=items, k=k) for users, items, k in SUPPRESSED]
    cases, failures = (sum(getattr(f, name) for f in found) for name in ("cases", "failures"))
    return not failures and cases > 0, (
        f"{failures} of {cases:,} copies by suppression on 3 x 2 and 4 x 2 cells are not smooth."
    )


def _on_pairs(found: Checked) -> Finding:
    shown = ""
    if found.counterexample is not None:
        original, copy = found.counterexample
        shown = f"; the first: rows {original} published as {copy}"
    return found.holds, (
        f"False for {found.failures:,} of {found.cases:,} pairs of graphs on 2 x 3 cells, met with "
        f"equality by {found.tight:,}{shown}."
    )


def _hamming() -> Finding:
    found = majority_row_hamming()
    return found.holds, (
        f"A row is nearer in {found.failures} of {found.cases:,} pairs of a group and a row."
    )


def _jaccard() -> Finding:
    free, allowed = (majority_row_jaccard(rows=rows) for rows in ("all", "allowed"))
    shown = ""
    if free.counterexample is not None:
        group, row = free.counterexample
        shown = f", such as {row} for {group}"
    return free.holds, (
        f"A row does better in {free.failures} of {free.cases:,} pairs of a group and a row"
        f"{shown}; of the rows that the definition allows, {allowed.failures} do."
    )


def _leak() -> Finding:
    """All worlds of a group of three and one item: the insiders are the first two."""
    read = wrong = disagree = 0
    for world in product((0, 1), repeat=3):
        published = int(sum(world) >= votes_needed(3, ties="half"))
        insiders = np.array(world[:2])[:, None]
        told = int(pivotal_cells([published], known=insiders, size=3)[0])
        read += told >= 0
        wrong += told not in (-1, world[2])
        disagree += world[0] != world[1]
    return not read, (
        f"Two insiders of three read the third value in {read} of 8 worlds ({wrong} times "
        f"wrongly); they disagree in {disagree}."
    )
