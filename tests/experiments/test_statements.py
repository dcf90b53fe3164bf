"""Statements: one row for each claim, decided by checks that notice when a thing changes."""

import math
from fractions import Fraction

import numpy as np
import pytest

from pplab import load_dataset
from pplab.ledger.rules import published_claims
from pplab.papers import PARTS, noise_graphs
from pplab.papers.noise_graphs import paper
from pplab.papers.noise_graphs import statements as definition_statements
from pplab.papers.noise_graphs import statements as level_statements
from pplab.papers.noise_graphs import statements as metric_statements
from pplab.papers.noise_graphs.on_data import MECHANISMS
from pplab.response.noise_graph import BipartiteNoiseGraph, NoiseGraph
from tests.experiments.parts import complaints

FALSE = {
    "section-2.1:design-matrix-words",
    "section-2.1:wang-condition",
    "definition-6:range",
    "definition-7:range",
    "theorem-2:printed-end",
    "theorem-2:complement",
    "theorem-2:bipartite-user",
    "definition-8:common-edges",
    "section-5:weighted-future-work",
    "section-4.1:barely-reduced",
}


@pytest.mark.parametrize("part", ["statements", "printed_statements"])
def test_one_row_for_each_claim_and_what_is_false(part):
    rows = getattr(noise_graphs, part)()
    assert complaints(PARTS["noise-graphs", part], rows) == []
    for row in rows.itertuples():
        assert row.value == float(row.statement not in FALSE), row
        assert any(character.isdigit() for character in row.witness), "no numbers"
        assert row.witness.count(". ") <= 1, "one or two sentences"


class TooWeak(NoiseGraph):
    """Flips 1.2 times less often than it says."""

    @property
    def true(self):
        return NoiseGraph(Fraction(self.flip_probability) / Fraction(6, 5))

    def distribution(self, data):
        return self.true.distribution(data)


class TooWeakBipartite(BipartiteNoiseGraph):
    """The same for tables."""

    def distribution(self, data):
        weaker = Fraction(self.flip_probability) / Fraction(6, 5)
        return BipartiteNoiseGraph(weaker).distribution(data)


@pytest.mark.parametrize(
    ("check", "name", "wrong"),
    [
        ("theorem_1", "NoiseGraph", TooWeak),
        ("theorem_1_bipartite", "BipartiteNoiseGraph", TooWeakBipartite),
        ("theorem_2_item", "BipartiteNoiseGraph", TooWeakBipartite),
    ],
)
def test_a_theorem_fails_for_a_mechanism_that_is_too_weak(monkeypatch, check, name, wrong):
    assert getattr(level_statements, check)()[0]
    monkeypatch.setattr(level_statements, name, wrong)
    true, witness = getattr(level_statements, check)()
    assert not true
    assert "exceed" in witness


def test_deniability_fails_without_noise(monkeypatch):
    monkeypatch.setattr(definition_statements, "BipartiteNoiseGraph", TooWeakBipartite)
    assert not definition_statements.deniability()[0]


def test_equal_laws_are_told_from_unequal_ones(monkeypatch):
    monkeypatch.setattr(definition_statements, "BipartiteNoiseGraph", TooWeakBipartite)
    assert not definition_statements.coin_replacement()[0]
    real = definition_statements.two_noise_graphs
    swapped = lambda table, *, removed, added: real(table, removed=added, added=removed)  # noqa: E731
    monkeypatch.setattr(definition_statements, "two_noise_graphs", swapped)
    assert not definition_statements.design_matrix_addition()[0]


def test_the_weighted_mechanism_would_pass_if_it_were_repaired(monkeypatch):
    from pplab.response.categorical import CategoricalResponse
    from pplab.theory.exact import compare_inputs

    def repaired(*, flip_probability):
        mechanism = CategoricalResponse(levels=5, odds=1 / flip_probability)
        return {"norm": compare_inputs(mechanism, (((None,),), ((3,),)))}

    monkeypatch.setattr(level_statements, "weighted_refutation", repaired)
    assert level_statements.weighted_graphs()[0]


@pytest.mark.parametrize(
    ("name", "wrong", "checks"),
    [
        ("fuzzy_xor", lambda x, y, **_: max(x, y), ["boolean_xor"]),
        (
            "sensitive_attribute_risk",
            lambda *_, weighted=False: np.array([0.4 + 0.1 * weighted]),
            ["risk_consistent", "weighted_risk"],
        ),
        ("jaccard_similarity", lambda *_: 0.5, ["jaccard_chain", "jaccard_when_subset"]),
        (
            "sensitive_attribute_imprecision",
            lambda a, b: float(np.mean((a[0] - b[0]) ** 2)),
            ["imprecision_is_mean_absolute_error"],
        ),
        ("BipartiteNoiseGraph", TooWeakBipartite, ["mean_noise"]),
    ],
)
def test_a_wrong_measure_is_noticed(monkeypatch, name, wrong, checks):
    monkeypatch.setattr(metric_statements, name, wrong)
    for check in checks:
        assert not getattr(metric_statements, check)()[0], check


def test_printed_losses_decide(monkeypatch):
    mild = {trait: dict.fromkeys(paper.FLIP_PROBABILITIES, 10) for trait in paper.TABLE_2}
    monkeypatch.setattr(paper, "TABLE_2", mild)
    assert noise_graphs.printed_statements()["value"].tolist() == [1.0, 1.0]
    monkeypatch.setitem(mild, "age", dict.fromkeys(paper.FLIP_PROBABILITIES, 10.1))
    assert noise_graphs.printed_statements()["value"].tolist() == [0.0, 0.0]


def test_the_printed_constants_are_those_of_the_ledger():
    claims = {claim.id: claim for claim in published_claims()}
    for trait, losses in paper.TABLE_2.items():
        for p, loss in losses.items():
            assert float(claims[f"noise-graphs:table-2:{trait}:p={p}"].number) == loss
        accuracy = claims[f"noise-graphs:section-4.1:accuracy:{trait}"]
        assert float(accuracy.number) == paper.LIKES_ACCURACY[trait]


def test_the_price_of_repair():
    train, test = (
        load_dataset("movielens-100k", source="standin", split=f"u1.{part}")
        for part in ("base", "test")
    )
    table = noise_graphs.repair(train, test, rng=1, runs=2, flip_probabilities=[0.05])
    assert set(table["mechanism"]) == set(MECHANISMS)
    value = table.set_index(["quantity", "mechanism"])["value"]
    cells, edges, odds = math.prod(train.ratings.shape), train.ratings.nnz, 19
    epsilon = table.groupby("mechanism")["epsilon"].first()
    assert epsilon["weighted"] == math.inf
    assert epsilon["categorical"] == epsilon["two-stage"] == pytest.approx(math.log(odds))
    records = value["published_records"]
    share = 5 / (odds + 5)
    expected = edges * (1 - 1 / (odds + 5)) + (cells - edges) * share
    assert records["categorical"] == pytest.approx(expected, rel=0.01)
    assert edges < records["weighted"] < records["two-stage"] < records["categorical"]
    assert value["kept_exactly", "categorical"] == pytest.approx(odds / (odds + 5), abs=0.01)
    assert value["lost_sparsity", "categorical"] == pytest.approx(share, abs=0.002)
    assert table["se"].ge(0).all()
    assert value["rating_error"].between(0.5, 2).all()
    again = noise_graphs.repair(train, test, rng=1, runs=2, flip_probabilities=[0.05])
    assert again.equals(table)
