"""The published side: unique, complete, well formed; the rule's hash covers what decides."""

from dataclasses import replace

import pytest

from pplab.experiments import PARTS
from pplab.ledger.published import COLUMNS, RULES, published_claims

CLAIMS = published_claims()

# Parts whose rules stand before their experiment does.
PLANNED: set[tuple[str, str]] = set()

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


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_each_claim_is_well_formed(claim):
    assert claim.rule in RULES
    assert claim.place
    assert claim.published
    assert all(name == name.strip() for name in claim.reading_names)
    if claim.rule not in ("holds", "not-testable"):
        assert claim.number.is_finite()
        assert claim.unit > 0
    if claim.part:
        assert (claim.paper, claim.part) in PARTS.keys() | PLANNED
        assert claim.conditions
    if claim.rule == "not-testable":
        assert claim.note, "say why it cannot be tested"
        assert not claim.part


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


@pytest.mark.parametrize("column", [c for c in COLUMNS if c not in ("place", "setting", "note")])
def test_the_hash_notices_a_change_of_the_rule(column):
    claim = CLAIMS[0]
    assert replace(claim, **{column: getattr(claim, column) + "x"}).rule_hash != claim.rule_hash


def test_the_hash_ignores_a_note():
    assert replace(CLAIMS[0], note="reworded").rule_hash == CLAIMS[0].rule_hash
