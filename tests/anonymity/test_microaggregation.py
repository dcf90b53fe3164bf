"""Microaggregated ratings: groups keep their means, and the error is what the groups lose."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import sparse

from pplab.anonymity import mdav
from pplab.anonymity.completion import IMPUTATIONS, complete
from pplab.anonymity.groups import pool_groups
from pplab.anonymity.microaggregation import group_means, microaggregate
from pplab.anonymity.standardise import standardise
from pplab.anonymity.v_mdav import v_mdav

NAN = np.nan
SCALE = (1, 5)
shapes = array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=8)
cells = st.one_of(st.just(NAN), st.sampled_from([1.0, 1.1, 2.0, 3.5, 5.0]))
tables = arrays(np.float64, shapes, elements=cells)
ways = st.sampled_from([{"leftover": "group"}, {"method": "v-mdav", "gain": 1.1}])


def slow_microaggregate(ratings, k, impute, group):
    """The paper's steps one to one: group means of the scores, brought back to ratings."""
    completed = complete(ratings, impute=impute, rating_range=SCALE)
    table = standardise(completed)
    labels = group(table.scores, k)
    means = np.array([table.scores[labels == label].mean(axis=0) for label in labels])
    return completed, labels, table.restore(means)


@settings(deadline=None)
@given(tables, st.integers(2, 8), st.sampled_from(IMPUTATIONS), st.booleans())
def test_against_the_steps_of_the_paper(ratings, k, impute, variable):
    ratings[0, 0] = 4.0
    k = min(k, len(ratings))
    if variable:
        options = {"method": "v-mdav", "gain": 0.7}
        wanted = slow_microaggregate(ratings, k, impute, lambda p, k: v_mdav(p, k, gain=0.7))
    else:
        options = {"leftover": "group"}
        wanted = slow_microaggregate(ratings, k, impute, lambda p, k: mdav(p, k, leftover="group"))
    result = microaggregate(ratings, k, impute=impute, rating_range=SCALE, **options)
    assert np.array_equal(result.completed, wanted[0])
    assert np.array_equal(result.labels, wanted[1])
    assert result.protected == pytest.approx(wanted[2], abs=1e-12)
    eq1 = sum(
        np.square(wanted[0][wanted[1] == label] - wanted[0][wanted[1] == label].mean(axis=0)).sum()
        for label in set(wanted[1])
    )
    eq2 = np.square(wanted[0] - result.protected).sum()
    assert result.sse == pytest.approx(eq2, rel=1e-12, abs=1e-20)
    assert eq1 == pytest.approx(eq2, rel=1e-12, abs=1e-20)  # the paper's two errors are one number


@settings(deadline=None)
@given(tables, st.integers(2, 8), ways)
def test_groups_are_large_keep_their_means_and_stay_on_the_scale(ratings, k, options):
    k = min(k, len(ratings))
    result = microaggregate(ratings, k, rating_range=SCALE, **options)
    sizes = np.bincount(result.labels)
    assert k <= sizes.min()
    assert result.k_achieved >= k
    assert result.protected.min() >= 1
    assert result.protected.max() <= 5
    for label in range(len(sizes)):
        members = result.labels == label
        assert (result.protected[members] == result.protected[members][0]).all()
        assert result.protected[members][0] == pytest.approx(
            result.completed[members].mean(axis=0), abs=1e-14
        )
    rows = [row.tobytes() for row in result.protected]
    assert result.k_achieved == min(map(rows.count, rows))


@settings(deadline=None)
@given(tables, st.integers(2, 4), ways, st.randoms(use_true_random=False))
def test_the_order_of_the_users_is_no_matter(ratings, k, options, random):
    k = min(k, len(ratings))
    order = list(range(len(ratings)))
    random.shuffle(order)
    one = microaggregate(ratings, k, rating_range=SCALE, **options)
    two = microaggregate(ratings[order], k, rating_range=SCALE, **options)
    # Users whose completed ratings agree are interchangeable: compare pairs of what went in and
    # what came out, as a collection, to the last bit.
    pairs = [
        sorted(np.hstack([result.completed, result.protected]).tolist()) for result in (one, two)
    ]
    assert pairs[0] == pairs[1]
    assert one.sse == two.sse
    assert one.k_achieved == two.k_achieved


@settings(deadline=None)
@given(tables, st.data())
def test_relabelling_the_groups_changes_no_mean(table, data):
    table = np.nan_to_num(table, nan=0.1)
    labels = np.arange(len(table)) % 3
    labels = np.unique(labels, return_inverse=True)[1]
    names = np.array(data.draw(st.permutations(range(labels.max() + 1))))
    assert np.array_equal(group_means(table, labels), group_means(table, names[labels]))


def test_by_hand():
    result = microaggregate(
        [[5, 4], [1, 0], [5, 5], [2, 1]], 2, rating_range=SCALE, leftover="group"
    )
    assert result.protected.tolist() == [[5, 4.5], [1.5, 2], [5, 4.5], [1.5, 2]]
    assert result.completed.tolist() == [[5, 4], [1, 3], [5, 5], [2, 1]]
    assert result.labels[0] == result.labels[2] != result.labels[1] == result.labels[3]
    assert result.sse == 0.5 + 0.5 + 2
    assert result.k_achieved == 2
    assert result.options == {
        "k": 2,
        "impute": "midpoint",
        "rating_range": (1.0, 5.0),
        "method": "mdav",
        "leftover": "group",
        "gain": None,
    }


def test_the_changed_leftover_rule_is_the_default():
    ratings = np.random.default_rng(2).integers(0, 6, (25, 9))
    one = microaggregate(ratings, 3, rating_range=SCALE)
    two = microaggregate(ratings, 3, rating_range=SCALE, leftover="closest")
    assert one.options["leftover"] == "closest"
    assert np.array_equal(one.protected, two.protected)
    assert one.k_achieved >= 3


def test_users_who_agree_lose_nothing_to_each_other():
    twice = np.repeat([[1.1, 5, 3], [5, 1.3, 1], [3, 3.7, 5]], 3, axis=0)
    result = microaggregate(twice, 3, rating_range=SCALE, leftover="group")
    assert result.sse == 0
    assert np.array_equal(result.protected, twice)
    alike = microaggregate(np.full((7, 2), 1.1), 2, rating_range=SCALE, leftover="group")
    assert alike.k_achieved == 7  # counted on what is published, not copied from k


def test_a_constant_item_is_published_as_it_is():
    ratings = [[1.1, 5], [1.1, 1], [1.1, 4], [1.1, 2], [1.1, 3]]
    result = microaggregate(ratings, 2, rating_range=SCALE, leftover="group")
    assert (result.protected[:, 0] == 1.1).all()


def test_items_that_nobody_rated_and_a_user_who_rated_nothing():
    ratings = np.array([[5, NAN, 1], [4, NAN, 2], [NAN, NAN, NAN], [1, NAN, 5]])
    result = microaggregate(ratings, 2, rating_range=SCALE, leftover="group")
    assert (result.protected[:, 1] == 3).all()
    assert result.completed[2].tolist() == [3, 3, 3]
    assert result.k_achieved >= 2
    nothing = microaggregate(np.full((4, 2), NAN), 2, rating_range=SCALE, leftover="group")
    assert (nothing.protected == 3).all()
    assert nothing.sse == 0


def test_one_item():
    result = microaggregate([[5], [1], [4], [2]], 2, rating_range=SCALE, leftover="group")
    assert result.protected.ravel().tolist() == [4.5, 1.5, 4.5, 1.5]


def test_k_of_all_users_publishes_the_item_means():
    ratings = [[5, 1], [1, 2], [3, 3]]
    result = microaggregate(ratings, 3, rating_range=SCALE, leftover="group")
    assert (result.protected == [3, 2]).all()


@pytest.mark.parametrize("k", [-1, 0, 1, 5])
def test_k_outside_its_interval(k):
    with pytest.raises(ValueError, match="k must be an integer between 2 and 4"):
        microaggregate([[1], [2], [3], [4]], k, rating_range=SCALE)


@pytest.mark.parametrize("k", [2.0, True, "2", None, NAN])
def test_k_that_is_no_integer(k):
    with pytest.raises(TypeError, match="k must be an integer"):
        microaggregate([[1], [2], [3], [4]], k, rating_range=SCALE)


def test_one_user_is_refused():
    with pytest.raises(ValueError, match="at least 2 records"):
        microaggregate([[1, 2]], 2, rating_range=SCALE)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"method": "kmeans"}, "method must be one of"),
        ({"leftover": "drop"}, "leftover must be one of"),
        ({"impute": "zero"}, "impute must be one of"),
        ({"method": "v-mdav"}, "needs a gain"),
        ({"gain": 0.2}, "takes no gain"),
        ({"method": "v-mdav", "gain": -0.1}, "gain must lie in"),
        ({"method": "v-mdav", "gain": NAN}, "gain must lie in"),
        ({"method": "v-mdav", "gain": np.inf}, "gain must lie in"),
    ],
)
def test_options_that_are_not_known(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        microaggregate([[1], [2]], 2, rating_range=SCALE, **options)


def test_a_gain_that_is_no_number():
    with pytest.raises(TypeError, match="gain must be a number"):
        microaggregate([[1], [2]], 2, rating_range=SCALE, method="v-mdav", gain=True)


def test_ratings_off_the_scale_and_tables_that_are_too_large():
    with pytest.raises(ValueError, match="got 1 outside, the first 9"):
        microaggregate([[1], [9]], 2, rating_range=SCALE)
    with pytest.raises(ValueError, match="at most 8 GiB"):
        microaggregate(sparse.csr_array((2**16, 2**15)), 2, rating_range=SCALE)


def test_means_of_groups_whose_numbers_have_gaps():
    means = group_means([[1, 3], [2, 3], [6, 4]], [5, 5, 2])
    assert means.tolist() == [[1.5, 3.0], [1.5, 3.0], [6.0, 4.0]]


@pytest.mark.parametrize("labels", [[0, 0], [0, 0, -1], [0.0, 0.0, 1.0], [[0, 0, 1]]])
def test_labels_that_do_not_fit_are_refused(labels):
    with pytest.raises(ValueError, match="labels must be"):
        group_means(np.ones((3, 2)), labels)
    with pytest.raises(ValueError, match="labels must be"):
        pool_groups(np.ones((3, 2)), labels)


def test_means_of_a_table_with_gaps_are_refused():
    with pytest.raises(ValueError, match="table must be finite"):
        group_means([[1.0], [NAN]], [0, 0])
