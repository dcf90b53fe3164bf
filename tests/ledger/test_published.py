"""The published side: unique, complete, well formed; the rule's hash covers what decides."""

from dataclasses import replace

import pytest

from pplab.ledger.rules import COLUMNS, NUMBER_RULES, RULES, published_claims
from pplab.papers import PARTS

CLAIMS = published_claims()

# The list of what cannot be tested is closed: a new entry must be argued for here.
NOT_TESTABLE = {
    "noise-graphs:definition-4:event-form",
    "noise-graphs:section-4.1:users-all",
    "noise-graphs:section-4.1:likes-all",
    "noise-graphs:section-4.1:pairs-all",
    "noise-graphs:section-4.1:likes",
}
# The proprietary data set of the smooth paper: every number printed of it, and nothing else.
NOT_TESTABLE |= {
    f"smooth:table-{table}:user-lists:{method}:{quantity}"
    for table in (1, 3)
    for method in ("non-smooth", "smooth")
    for quantity in ("jaccard", "suppressed", "created")
} | {
    f"smooth:table-2:user-lists:{quantity}"
    for quantity in ("rows", "columns", "entries", "density")
}


def test_ids_are_unique_and_name_their_paper():
    ids = [claim.id for claim in CLAIMS]
    assert len(set(ids)) == len(ids)
    assert all(claim.id.startswith(f"{claim.paper}:") for claim in CLAIMS)


def test_no_printed_value_stands_twice():
    places = [(c.paper, c.place, c.setting, c.published) for c in CLAIMS]
    assert len(set(places)) == len(places)


def test_each_claim_is_well_formed():
    said = {claim.id: complaints(claim) for claim in CLAIMS}
    assert {name: wrong for name, wrong in said.items() if wrong} == {}


def complaints(claim):
    number = claim.rule in NUMBER_RULES
    wrong = {
        "rule": claim.rule not in RULES,
        "place or published is empty": not (claim.place and claim.published),
        "space around a reading": any(name != name.strip() for name in claim.reading_names),
        "no number": number and not (claim.number.is_finite() and claim.unit > 0),
        "no such part": bool(claim.part) and (claim.paper, claim.part) not in PARTS,
        "no select": bool(claim.part) and not claim.conditions,
        "not testable, so a note and no part": claim.rule == "not-testable"
        and not (claim.note and not claim.part),
    }
    return [sentence for sentence, found in wrong.items() if found]


def test_not_testable_is_a_closed_list():
    assert {claim.id for claim in CLAIMS if claim.rule == "not-testable"} == NOT_TESTABLE


@pytest.mark.parametrize(
    ("published", "rule", "tolerance"),
    [
        ("0.84", "rounded", 0.005),
        ("5.29", "truncated", 0.01),
        ("840,162", "rounded", 0.5),
        ("0.450", "rounded", 0.0005),
        ("80,000", "exact", 0.0),
    ],
)
def test_tolerance_follows_from_the_printed_digits(published, rule, tolerance):
    claim = replace(CLAIMS[0], published=published, rule=rule)
    assert claim.tolerance == pytest.approx(tolerance)


def test_the_hash_notices_a_change_of_the_rule():
    claim = CLAIMS[0]
    for column in set(COLUMNS) - {"place", "setting", "note"}:
        changed = replace(claim, **{column: getattr(claim, column) + "x"})
        assert changed.rule_hash != claim.rule_hash, column


def test_the_hash_ignores_a_note():
    assert replace(CLAIMS[0], note="reworded").rule_hash == CLAIMS[0].rule_hash
