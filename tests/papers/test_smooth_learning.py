"""Learning from anonymous features: the measurement on small data, and what decides statements."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats

from pplab.datasets.catalog import Dataset
from pplab.metrics.risk import k_achieved
from pplab.papers.smooth import learning as module
from pplab.papers.smooth import paper
from pplab.papers.smooth.learning import comparisons, learning

KS = (2, 4)


def people(rows, seed):
    """Three attributes of four levels; the class is told by the first one, but for one in 20."""
    rng = np.random.default_rng(seed)
    levels = rng.integers(0, 4, size=(rows, 3))
    features = np.eye(4, dtype=np.int8)[levels].reshape(rows, 12)
    labels = (levels[:, 0] == 0) ^ (rng.random(rows) < 0.05)
    return Dataset(
        name="adult",
        source="generated",
        users=pd.DataFrame(levels, columns=list("abc")).astype(str),
        items=pd.DataFrame(index=range(12)),
        biadjacency=sparse.csr_array(features),
        labels=labels.astype(np.int64),
    )


def half_blank(biadjacency, k, seed):
    """Stands in for the smooth copy: the first 5 k rows are lost, some of the others too."""
    rng = np.random.default_rng(seed)
    dense = biadjacency.toarray()
    dense[: 5 * k] = 0
    dense[rng.random(len(dense)) < 0.1] = 0
    return sparse.csr_array(dense)


@pytest.fixture(scope="module")
def data():
    return people(4000, 1), people(600, 2)


@pytest.fixture(scope="module")
def frame(data):
    return learning(*data, rng=5, runs=2, ks=KS, smooth=half_blank)


def test_a_row_for_each_setting_and_comparison(frame):
    accuracy = frame[frame["quantity"] == "accuracy"]
    found = list(zip(accuracy["method"], accuracy["k"].fillna(0), strict=True))
    singles = [("none", 0), ("node-dp", 0), ("majority", 0)]
    pairs = [(method, k) for method in ("mondrian", "smooth") for k in KS]
    assert sorted(found) == sorted(singles + pairs)
    numbers = accuracy[["value", "se", "sd", "low", "high"]].astype(float)
    assert np.isfinite(numbers).all(axis=None)
    assert ((numbers["low"] <= numbers["value"]) & (numbers["value"] <= numbers["high"])).all()
    assert (frame["quantity"] == "difference").sum() == 4 * len(KS)
    assert (frame["runs"] == 2).all()


def test_accuracies_are_those_of_the_made_data(frame, data):
    value = frame[frame["quantity"] == "accuracy"].set_index(["method", "k"])["value"]
    assert value["none"].iloc[0] > 92
    share = 100 * np.mean(data[1].labels == 0)
    assert value["majority"].iloc[0] == pytest.approx(share)
    # 4 levels, 3 attributes, 4,000 people: each kind of person forms a group, nothing is lost
    assert value["mondrian", 2.0] > 92
    units = frame.loc[frame["quantity"] == "hidden units", "value"]
    assert units.tolist() == [paper.HIDDEN_UNITS]


def rows(table):
    """Accuracies without and with k = 2."""
    table = table[(table["quantity"] == "accuracy") & (table["k"].fillna(2) == 2)]
    return table.sort_values("method", ignore_index=True)


class Model:
    """Knows nothing, at once."""

    coefs_ = (np.zeros((12, 7)),)

    def __init__(self, share=0.5):
        self.share = share

    def score(self, *_):
        return self.share


def test_the_seed_decides_the_rows_whatever_else_is_asked(data, monkeypatch):
    """Accuracies of trained models may agree; these tell seeds and copies apart."""
    monkeypatch.setattr(
        module, "_trained", lambda features, _, seed: Model((seed + features.sum()) % 9973 / 9973)
    )
    one, same, other = (
        rows(learning(*data, rng=seed, runs=2, ks=ks, smooth=half_blank))
        for seed, ks in ((5, KS), (np.random.default_rng(5), KS[:1]), (6, KS[:1]))
    )
    pd.testing.assert_frame_equal(one, same)
    moved = one["value"] != other["value"]
    assert set(one.loc[moved, "method"]) == {"none", "node-dp", "mondrian", "smooth"}


def test_every_run_has_seeds_of_its_own_and_learns_from_its_copy(data, monkeypatch):
    drawn, trained = [], []

    def draw(biadjacency, k, seed):
        drawn.append((k, seed))
        return biadjacency * 0 if k == 4 else biadjacency

    def train(features, labels, seed):
        assert labels is data[0].labels
        trained.append((seed, features.sum()))
        return Model()

    monkeypatch.setattr(module, "_trained", train)
    found = learning(*data, rng=1, runs=3, ks=KS, smooth=draw)
    assert [k for k, _ in drawn] == [2] * 3 + [4] * 3
    assert len({*(seed for _, seed in drawn), *(seed for seed, _ in trained)}) == 6 + 18
    assert [total == 0 for _, total in trained] == [False] * 15 + [True] * 3
    assert found.loc[found["quantity"] == "hidden units", "value"].tolist() == [7]


def test_copies_are_what_each_method_publishes(data):
    train = data[0]
    copies = module._copies(train, (60,), "balanced", half_blank)
    assert (copies["none", None](1) != train.biadjacency).nnz == 0
    noisy = copies["node-dp", None](1)
    share = (noisy != train.biadjacency).nnz / np.prod(noisy.shape)
    flip = 1 / (1 + np.exp(paper.NODE_EPSILON / 12))  # a cell of a row of twelve
    assert share == pytest.approx(flip, abs=4 * (flip * (1 - flip) / np.prod(noisy.shape)) ** 0.5)
    smooth = module._copies(train, (60,), "balanced", None)["smooth", 60](1)
    assert k_achieved(smooth) >= 60
    assert 0 < smooth.nnz < 2 * train.biadjacency.nnz
    lost = copies["mondrian", 60](1).toarray()
    original = train.biadjacency.toarray()
    assert (lost <= original).all()
    assert 0 < lost.sum() < original.sum()
    assert k_achieved(lost) >= 60


def test_interval_is_student_s():
    row = module._interval([80.0, 82.0, 84.0])
    reach = stats.t.interval(0.95, 2, loc=82, scale=2 / 3**0.5)
    assert (row["low"], row["high"]) == pytest.approx(reach)


def test_comparisons_are_differences_with_both_errors():
    cells = {("none", None): (83.5, 0.3, 0.6), ("node-dp", None): (76.5, 0.4, 0.8)}
    cells |= {("majority", None): (76.4, 0.0, 0.0), ("mondrian", 2): (82.4, 0.4, 0.8)}
    cells |= {("smooth", 2): (82.6, 0.3, 0.4)}
    rows = [
        {"method": method, "k": k, "value": value, "se": se, "sd": sd}
        for (method, k), (value, se, sd) in cells.items()
    ]
    found = comparisons(pd.DataFrame(rows), runs=5).set_index(["quantity", "against"])
    for against, value, error in (
        ("none", -0.9, 0.18**0.5),
        ("node-dp", 6.1, 0.5),
        ("majority", 6.2, 0.3),
        ("mondrian", 0.2, 0.5),
    ):
        row = found.loc["difference", against]
        assert (row["value"], row["se"]) == pytest.approx((value, error))
    ratio = found.loc["log variance ratio"].iloc[0]
    assert (ratio["value"], ratio["se"]) == pytest.approx((np.log(0.25), 1.0))
    assert found.loc["difference of baselines"].iloc[0]["value"] == pytest.approx(0.1)
