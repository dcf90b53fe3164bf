"""Experiments against slow twins and against sampled noise; readings that must disagree do."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pplab import load_dataset, sensitive_attribute_imprecision, sensitive_attribute_risk
from pplab.datasets.catalog import Dataset
from pplab.microaggregation.mdav import mdav
from pplab.response.categorical import CategoricalResponse
from pplab.response.noise_graph import BipartiteNoiseGraph, NoiseGraph
from pplab.response.ratings import WeightedNoiseGraph
from pplab.theory.composition import PostProcessed
from pplab.theory.exact import compare_inputs
from pplab_papers import PARTS
from pplab_papers.collection import published_claims
from pplab_papers.noise_graphs import on_data, paper, statements, tables, traits
from pplab_papers.noise_graphs.tables import edge_counts
from pplab_papers.noise_graphs.theorems import OnLevels, two_noise_graphs, unused_level_leak
from pplab_papers.noise_graphs.traits import accuracies, make_folds, user_scores
from tests.pplab_papers.parts import complaints, frame_of, made


@pytest.fixture(scope="module")
def complete():
    return load_dataset("movielens-100k", source="standin")


@pytest.fixture(scope="module")
def train():
    """A corner of the stand-in: 200 users and the 300 films that they rate most."""
    data = load_dataset("movielens-100k", source="standin", split="u1.base")
    ratings = data.ratings[:200]
    films = np.sort(np.argsort(-np.bincount(ratings.indices, minlength=1650))[:300])
    ratings = sparse.csr_array(ratings[:, films])
    return replace(data, ratings=ratings, users=data.users[:200], items=data.items.iloc[films])


@pytest.fixture(scope="module")
def held_out():
    return load_dataset("movielens-100k", source="standin", split="u1.test")


TRAITS = ("gender", "age", "political", "openness", "conscientiousness", "extroversion")
TRAITS += ("agreeableness", "neuroticism")
RATED = sparse.csr_array(np.array([[5, 2, 0, 0, 0]]))  # two of five cells are edges


def moments(mechanism, data, measure):
    """Exact mean and spread of a number over all rows that a mechanism may publish."""
    law = mechanism.distribution(data).items()
    values = [(measure(row), float(chance)) for (row,), chance in law]
    mean = sum(value * chance for value, chance in values)
    return mean, math.sqrt(sum((value - mean) ** 2 * chance for value, chance in values))


@pytest.mark.parametrize("p", [Fraction(1, 20), Fraction(1, 2)])
def test_edge_counts_are_the_exact_law(p):
    """Both ways to add noise; noise alone is what is added to no edge."""
    empty = RATED * 0
    empty.eliminate_zeros()
    union = WeightedNoiseGraph(p, 5, noise_weights=(2, 5))
    for mechanism, absent in ((BipartiteNoiseGraph(p), 0), (union, None)):
        rows = edge_counts(p=float(p), cells=5, edges=2, union=mechanism is union).values()
        results = {row["quantity"]: (row["value"], row["sd"]) for row in rows}
        for quantity, data in (("noise_edges", empty), ("published_edges", RATED)):
            law = moments(mechanism, data, lambda row, no=absent: sum(x != no for x in row))
            assert results[quantity] == pytest.approx(law, rel=1e-12)


def test_table1_sizes_recover_sizes_from_sampled_counts(monkeypatch):
    """Counts drawn from known sizes give those sizes back within four standard errors."""
    rng = np.random.default_rng(1)
    cells = 19_724 * paper.LIKES_ITEMS
    counts = {}
    for p in paper.FLIP_PROBABILITIES:
        hits = rng.binomial(paper.LIKES_PAIRS, p)
        noise = hits + rng.binomial(cells - paper.LIKES_PAIRS, p)
        counts[p] = (noise, paper.LIKES_PAIRS + noise - 2 * hits)
    monkeypatch.setattr(paper, "LIKES_COUNTS", counts)
    sizes = tables.table1_sizes().set_index("quantity")
    for quantity, true in (("users", 19_724), ("pairs", paper.LIKES_PAIRS)):
        assert abs(sizes.loc[quantity, "value"] - true) < 4 * sizes.loc[quantity, "se"]
    assert abs(sizes.loc["users", "value"] - 19_742) > 4 * sizes.loc["users", "se"]


def test_figure2_is_the_public_metric(train):
    """Each world of the training part's films against the metric called as a user would."""
    table = tables.figure2(train, rng=3, runs=2, flip_probabilities=[0.1])
    wide = train.ratings.copy()
    wide.resize((200, paper.FILMS))
    mechanism = WeightedNoiseGraph(0.1, 5)
    texts, new = [], []
    for child in np.random.default_rng(3).spawn(2):
        noise = sparse.csr_array(mechanism.draw_noise(wide, rng=child)[:, :300])
        published = mechanism.add(train.ratings, noise)
        texts.append(sensitive_attribute_risk(train.ratings, published, noise=noise))
        new.append(np.diff(train.ratings.indptr) / np.diff(published.indptr))
    rows = table[table["films"] == "1,650"]
    for risks, chosen in (
        (texts, rows["noise"] == "noise drawn"),
        (texts, rows["addition"] == "difference"),
        (new, rows["addition"] == "union, weights over 5"),
    ):
        values = rows[chosen].set_index("quantity")["value"]
        assert values["mean_risk"] == pytest.approx(np.mean(risks))
        quantiles = np.quantile(risks, tables.SHARES, axis=1).mean(axis=1)
        assert values["risk at a share of users"].to_numpy() == pytest.approx(quantiles)


def test_table5_is_the_exact_law_of_the_public_metric(train):
    def imprecision(row):
        items = [item for item, rating in enumerate(row) if rating is not None]
        values = [float(row[item]) for item in items]  # one that becomes 0 stays an edge
        published = sparse.csr_array((values, items, [0, len(items)]), shape=RATED.shape)
        return sensitive_attribute_imprecision(RATED, published)

    law = tables.table5(replace(train, ratings=RATED), flip_probabilities=[0.25])
    law = law[law["films"] == "1,650"].set_index("addition")[["value", "sd"]]
    exact = moments(WeightedNoiseGraph(Fraction(1, 4), 5), RATED, imprecision)
    assert tuple(law.loc["union, weights over 5"]) == pytest.approx(exact, rel=1e-12)


def test_table5_in_its_other_worlds_is_what_draws_say(train):
    law = tables.table5(train, flip_probabilities=[0.25]).query("films == '1,650'")
    law = law.set_index("addition")
    ratings, rng = train.ratings.toarray().astype(float), np.random.default_rng(5)
    true, pool = ratings > 0, train.ratings.data
    errors = {"union, ratings as they are": [], "difference": []}
    for _ in range(30):
        noise = (rng.random(ratings.shape) < 0.25) * rng.choice(pool, ratings.shape)
        both = true & (noise > 0)
        for name, met in (
            ("union, ratings as they are", 1 - np.minimum(ratings, noise)),
            ("difference", 0 * noise),
        ):
            released = np.where(both, met, ratings + noise)
            errors[name].append(np.abs(released - ratings)[true | (noise > 0)].mean())
    for name, drawn in errors.items():
        error = law.loc[name, "sd"] / np.sqrt(30)
        assert abs(np.mean(drawn) - law.loc[name, "value"]) < 5 * error


def test_same_seed_same_numbers(train, held_out, small, few_ratings):
    for experiment, data, options in (
        (tables.figure2, train, {"flip_probabilities": [0.05]}),
        (on_data.noise_guesses, train, {}),
        (traits.table2, small, {"flip_probabilities": [0.3]}),
        (on_data.substitute, few_ratings, {}),
        (partial(on_data.repair, train), held_out, {"flip_probabilities": [0.05]}),
    ):
        one, two, other = (experiment(data, rng=seed, runs=2, **options) for seed in (7, 7, 8))
        assert one.equals(two), experiment
        assert not one.equals(other), experiment


# Rows that decide sentences, and their parts against slow twins.


@pytest.mark.parametrize("name", ["table1", "figure2", "table3", "table5", "repair"])
def test_each_claim_finds_its_rows(train, held_out, name):
    part = PARTS["noise-graphs", name]
    data = {("movielens-100k", "u1.base"): train, ("movielens-100k", "u1.test"): held_out}
    assert complaints(part, frame_of(part, data, {"runs": 2})) == []


@pytest.mark.parametrize("weights", ["empirical", [3.0]])
def test_laws_are_those_of_one_cell(weights):
    """Output law of a cell, from the mechanism's exact distribution on one cell."""
    ratings = sparse.csr_array(np.array([[1, 5, 5, 0], [0, 3, 0, 0]]))
    p = Fraction(1, 4)
    listed = ratings.data.tolist() if weights == "empirical" else weights
    mechanism = WeightedNoiseGraph(p, 5, noise_weights=weights)
    one_cell = WeightedNoiseGraph(p, 5, noise_weights=listed)
    noise, true = np.zeros(6), np.zeros(6)
    for cell in ratings.toarray().ravel():
        content = sparse.csr_array(np.array([[float(cell)]]))
        for ((answer,),), chance in one_cell.distribution(content).items():
            if answer is not None:
                (true if cell else noise)[int(answer)] += float(chance) / 8
    found_noise, found_true = on_data._laws(ratings, mechanism)
    assert found_noise == pytest.approx(noise)
    assert found_true == pytest.approx(true)


def test_right_guesses_come_out_as_often_as_the_law_says(train):
    mechanism = WeightedNoiseGraph(0.1, 5, noise_weights=[3.0])
    noise, true = on_data._laws(train.ratings, mechanism)
    expected = np.maximum(noise, true).sum() / (noise + true).sum()
    children = np.random.default_rng(1).spawn(20)
    shares = [on_data.right_guesses(train.ratings, mechanism, rng=child) for child in children]
    spread = np.std(shares, ddof=1) / np.sqrt(20)
    assert abs(np.mean(shares) - expected) < 6 * spread
    assert expected < 1


def test_a_constant_weight_gives_noise_away_where_ratings_differ(train):
    table = on_data.noise_guesses(train, rng=1, runs=3)
    assert complaints(PARTS["noise-graphs", "noise_guesses"], table) == []
    rows = table.set_index("weights")["value"]
    assert rows["difference"] == pytest.approx(rows["constant"] - rows["from the data"])
    assert rows["difference"] > 0
    threes = train.ratings.copy()
    threes.data[:] = 3  # now both kinds of noise are the same
    rows = on_data.noise_guesses(replace(train, ratings=threes), rng=1, runs=3)
    assert rows.set_index("weights")["value"]["difference"] == 0


def planted(seed=1):
    """Ratings of one taste and their test part: 60 users, 50 films, a third held out."""
    rng = np.random.default_rng(seed)
    people, films = rng.choice([-1.0, 1.0], 60), rng.choice([-1.0, 1.0], 50)
    stars = 3 + 2 * np.outer(people, films)
    known = rng.random(stars.shape) < 0.67
    return sparse.csr_array(stars * known), sparse.csr_array(stars * ~known)


def test_predictions_find_a_planted_taste():
    """The means alone are two stars off on every rating; the taste is worth a part of it."""
    known, held_out = planted()
    assert on_data.mean_absolute_error(known, held_out) < 1.5
    shuffled = known.copy()
    shuffled.data = np.random.default_rng(1).permutation(shuffled.data)
    assert on_data.mean_absolute_error(shuffled, held_out) > 1.8


# Statements: one row for each claim, decided by checks that notice when a thing changes.


FALSE = {
    "section-2.1:design-matrix-words",
    "section-2.1:wang-condition",
    "definition-6:range",
    "theorem-2:printed-end",
    "theorem-2:complement",
    "theorem-2:bipartite-user",
    "definition-8:common-edges",
}


IDENTITIES = {
    "definition-12:generalises",
    "definition-13:mean-absolute-error",
    "section-4.1:mean-noise",
}


def test_one_row_for_each_claim_and_what_is_false():
    rows = statements.statements()
    assert complaints(PARTS["noise-graphs", "statements"], rows) == []
    for row in rows.itertuples():
        other = row.n == "all nodes" or row.likelier == "the true one"
        right = row.statement not in FALSE or other
        assert row.value == float(right), row
        identity = row.statement in IDENTITIES
        assert identity or not right or row.null == 0, row


def weaker(mechanism):
    """The same mechanism, which flips 1.2 times less often than it says."""

    class TooWeak(mechanism):
        def distribution(self, data):
            return mechanism(Fraction(self.flip_probability) / Fraction(6, 5)).distribution(data)

    return TooWeak


def swapped(table, *, removed, added):
    return two_noise_graphs(table, removed=added, added=removed)


def repaired(*, flip_probability):
    mechanism = CategoricalResponse(levels=5, odds=1 / flip_probability)
    return {"norm": compare_inputs(mechanism, (((None,),), ((3,),)))}


FLIPS = ("mean_noise", "deniability", "coin_replacement", "theorem_1_bipartite")


@pytest.mark.parametrize(
    ("name", "wrong", "checks"),
    [
        ("fuzzy_xor", lambda x, y, **_: max(x, y), ["boolean_xor"]),
        (
            "sensitive_attribute_risk",
            lambda *_, weighted=False: np.array([0.4 + 0.1 * weighted]),
            ["risk_consistent", "weighted_risk", "distance_counts"],
        ),
        ("jaccard_similarity", lambda *_: 0.5, ["jaccard_chain", "jaccard_when_subset"]),
        (
            "sensitive_attribute_imprecision",
            lambda a, b: float(np.mean((a[0] - b[0]) ** 2)),
            ["imprecision_is_mean_absolute_error"],
        ),
        ("BipartiteNoiseGraph", weaker(BipartiteNoiseGraph), [*FLIPS, "theorem_2_user_repaired"]),
        ("NoiseGraph", weaker(NoiseGraph), ["theorem_1", "output_law"]),
        ("weighted_refutation", repaired, ["weighted_graphs"]),
        ("two_noise_graphs", swapped, ["design_matrix_addition"]),
    ],
)
def test_a_wrong_measure_or_law_is_noticed(monkeypatch, name, wrong, checks):
    monkeypatch.setattr(statements, name, wrong)
    for check in checks:
        assert not getattr(statements, check)()[0], check


def test_the_printed_constants_are_those_of_the_ledger():
    claims = {claim.id.removeprefix("noise-graphs:"): claim for claim in published_claims()}
    assert {f"section-4.1:accuracy:{trait}" for trait in TRAITS} < set(claims)
    for p, counts in paper.LIKES_COUNTS.items():
        rows = [claims[f"table-1:p={p:g}:{name}-edges"] for name in ("noise", "published")]
        assert tuple(int(row.number) for row in rows) == counts


def test_the_price_of_repair(train, held_out):
    table = on_data.repair(train, held_out, rng=1, runs=2, flip_probabilities=[0.05])
    assert set(table["mechanism"]) == {"none", "item means", *on_data.MECHANISMS}
    epsilon = table.groupby("mechanism")["epsilon"].first()
    assert epsilon["weighted"] == math.inf
    assert epsilon["categorical"] == epsilon["two-stage"] == pytest.approx(math.log(19))
    assert table["value"].between(0.5, 2).all()


# Guessing traits: the decomposition against a plain one, the judges against slow twins.


def tastes_and_likes(users=400, items=250, tastes=3, seed=1):
    rng = np.random.default_rng(seed)
    places = rng.standard_normal((users, tastes))
    odds = -1 + places @ rng.standard_normal((tastes, items))
    chances = 1 / (1 + np.exp(-odds))
    return places, sparse.csr_array((rng.random(chances.shape) < chances).astype(np.int8))


@pytest.fixture(scope="module")
def small():
    """A little data set with the eight traits of the paper, all read off its tastes."""
    places, likes = tastes_and_likes()
    rng = np.random.default_rng(2)
    lean = places @ rng.standard_normal((3, len(TRAITS)))
    traits = pd.DataFrame(lean + rng.standard_normal(lean.shape), columns=TRAITS)
    for words in ("gender", "political"):
        traits[words] = np.where(traits[words] > 0, "yes", "no")
    items = pd.DataFrame(index=range(likes.shape[1]))
    return Dataset(name="small", source="generated", users=traits, items=items, biadjacency=likes)


@pytest.fixture(scope="module", autouse=True)
def fewer_vectors():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(traits, "COMPONENTS", 10)  # of 50: there are three tastes
        yield


@pytest.fixture(scope="module")
def small_table(small):
    return traits.table2(small, rng=1)


def test_user_scores_are_singular_vectors():
    """The space they span is that of a plain decomposition, and not that of a shifted table."""
    expected = 4  # three tastes, and how many like what
    _, likes = tastes_and_likes()
    noisy = BipartiteNoiseGraph(0.2).sample(likes, rng=1)
    scores = user_scores(noisy, rng=np.random.default_rng(1), components=expected)
    dense = noisy.toarray().astype(float)
    same, other = (
        np.linalg.svd(np.linalg.svd(table)[0][:, :expected].T @ scores)[1].min()
        for table in (dense, dense - 0.2)
    )
    assert same > 1 - 1e-5
    assert other < 1 - 1e-3


def test_scores_beyond_the_rank_are_zero():
    likes = sparse.csr_array(np.repeat([[1, 0, 1, 0, 1], [0, 1, 0, 1, 0]], 20, axis=0))
    scores = user_scores(likes, rng=np.random.default_rng(1), components=4)
    assert (scores**2).sum(axis=0) == pytest.approx([1, 1, 0, 0])


def test_folds_are_a_partition_fixed_by_the_seed():
    folds = make_folds(95, rng=np.random.default_rng(3))
    assert len(folds) == 10
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(95))
    assert all(len(set(train) & set(test)) == 0 for train, test in folds)


def test_accuracies_are_cross_validation(small):
    """Against scikit-learn's own loop; three words are judged one against the rest."""
    rng = np.random.default_rng(4)
    scores = rng.standard_normal((len(small.users), 4)) + small.users[["age"]].to_numpy()
    traits = small.users[["gender", "age"]].assign(
        group=np.where(small.users["openness"] > 1, "a", small.users["gender"])
    )
    folds = make_folds(len(traits), rng=rng)
    result = accuracies(scores, traits, folds)
    predicted = cross_val_predict(LinearRegression(), scores, traits["age"], cv=folds)
    by_fold = [np.corrcoef(predicted[test], traits["age"][test])[0, 1] for _, test in folds]
    assert result["age"] == pytest.approx(np.mean(by_fold), abs=1e-6)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    for trait, words in (("gender", ["yes"]), ("group", ["a", "no", "yes"])):
        asked = {"cv": folds, "scoring": "roc_auc"}
        areas = [cross_val_score(model, scores, traits[trait] == word, **asked) for word in words]
        assert result[trait] == pytest.approx(np.mean(areas), abs=2e-3)


def test_imprecision_is_the_relative_loss(small_table):
    table = small_table.set_index(["quantity", "trait", "p"])["value"]
    for trait in TRAITS:
        clean = table["accuracy", trait, 0.0]
        assert clean > 0.3
        assert table["accuracy", trait, 0.005] > table["accuracy", trait, 0.4]
        assert table["imprecision", trait, 0.0] == 0
        for p in paper.FLIP_PROBABILITIES:
            loss = 100 * (1 - table["accuracy", trait, p] / clean)
            assert table["imprecision", trait, p] == pytest.approx(loss)


def test_movielens_traits_are_real_people(complete):
    few = replace(complete, ratings=complete.ratings[:200, :300], users=complete.users[:200])
    table = traits.movielens_traits(few, rng=1, runs=2)
    assert complaints(PARTS["noise-graphs", "movielens_traits"], table) == []
    assert set(table["trait"]) == {"gender", "age", "occupation"}
    assert "source" not in table
    drawn = table[table["p"] > 0]
    assert (drawn["se"] > 0).all()
    assert (drawn["runs"] == 2).all()
    assert table[table["p"] == 0]["runs"].isna().all()


# The weighted mechanism protects no edge, whatever the norm; the repair does.


LEVELS = (1, 2, 3, 4, 5)


def test_noise_drawn_from_the_data_tells_which_ratings_occur():
    p = Fraction(1, 4)
    result = unused_level_leak(flip_probability=p)
    assert (result.odds, result.output) == (math.inf, 3)
    assert result.pair[0] == ((4, 3, None),)

    for weights in ("uniform", [3], [1, 4]):  # public ones tell nothing in an empty cell
        mechanism = OnLevels(WeightedNoiseGraph(p, 5, noise_weights=weights), LEVELS)
        last = PostProcessed(mechanism, lambda rows: rows[0][-1])
        assert compare_inputs(last, result.pair).odds == 1


# The k-anonymous substitute against a slow twin; its statements can hold and can fail.


@pytest.fixture(scope="module")
def few_ratings():
    rng = np.random.default_rng(1)
    ratings = rng.integers(1, 6, (61, 40)) * (rng.random((61, 40)) < 0.2)
    ratings[:, 0] = 4
    return made("small", ratings=sparse.csr_array(ratings))


@pytest.fixture(scope="module")
def groups(few_ratings):
    return on_data.substitute(few_ratings, rng=1, runs=3)


def test_each_claim_selects_its_rows_and_the_part_is_a_substitute(groups, small_table):
    part = PARTS["noise-graphs", "substitute"]
    assert (
        complaints(part, groups) == complaints(PARTS["noise-graphs", "table2"], small_table) == []
    )
    assert part.substitute


def test_every_release_is_k_anonymous_and_random_groups_have_a_spread(groups):
    achieved = groups[groups["quantity"] == "k_achieved"]
    assert len(achieved) == 15
    assert (achieved["value"] >= achieved["k"]).all()
    drawn = groups[(groups["grouping"] == "random") & (groups["quantity"] == "mean_risk")]
    assert (drawn["sd"] > 0).all()
    assert drawn["se"].to_numpy() == pytest.approx(drawn["sd"].to_numpy() / np.sqrt(3))


@pytest.mark.parametrize("k", [2, 4])
def test_mdav_rows_are_what_a_slow_twin_counts(few_ratings, groups, k):
    ratings = few_ratings.ratings.toarray()
    labels = mdav((ratings > 0).astype(int), k, leftover="group")
    noise, risks, errors = 0, [], []
    for user, label in enumerate(labels):
        group = ratings[labels == label]
        shown = {item for item in range(40) if group[:, item].any()}
        own = {item for item in range(40) if ratings[user, item]}
        noise += len(shown - own)
        risks.append(len(own) / len(shown))
        for item in shown:
            column = group[:, item]
            errors.append(abs(column[column > 0].mean() - ratings[user, item]))
    rows = groups[(groups["grouping"] == "MDAV") & (groups["k"] == k)].set_index("quantity")
    assert rows.loc["noise_edges", "value"] == noise
    assert rows.loc["published_edges", "value"] == noise + few_ratings.ratings.nnz
    assert rows.loc["mean_risk", "value"] == pytest.approx(np.mean(risks))
    assert rows.loc["imprecision", "value"] == pytest.approx(np.mean(errors))
    assert (rows["sd"] == 0).all()
