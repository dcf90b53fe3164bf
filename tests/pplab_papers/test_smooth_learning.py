"""Learning from anonymous features: the measurement on small data, and what decides statements."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats

from pplab.datasets.catalog import Dataset
from pplab.metrics.risk import k_achieved
from pplab_papers import smooth
from pplab_papers.smooth import learning as module
from pplab_papers.smooth import paper
from pplab_papers.smooth.copies import ASSIGNMENT, CUT
from pplab_papers.smooth.learning import comparisons, learning
from tests.pplab_papers.parts import complaints, frame_of

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


@pytest.fixture(scope="module")
def data():
    return people(4000, 1), people(600, 2)


@pytest.fixture(scope="module")
def frame(data):
    return learning(*data, rng=5, runs=2, ks=KS)


WORLDS = [{"assignment": a, "cut": c} for a in ASSIGNMENT for c in CUT]
FORMS = 4  # of Mondrian: two tables, two cuts


def test_runs_have_intervals(frame):
    accuracy = frame[frame["quantity"] == "accuracy"]
    numbers = accuracy[["value", "se", "sd", "low", "high"]].astype(float)
    assert np.isfinite(numbers).all(axis=None)
    assert ((numbers["low"] <= numbers["value"]) & (numbers["value"] <= numbers["high"])).all()
    assert (frame.loc[frame["quantity"] != "hidden units", "runs"] == 2).all()


def test_accuracies_are_those_of_the_made_data(frame, data):
    value = frame[frame["quantity"] == "accuracy"].set_index(["method", "k"])["value"].sort_index()
    assert value["none"].iloc[0] > 92
    share = 100 * np.mean(data[1].labels == 0)
    assert value["majority"].iloc[0] == pytest.approx(share)
    # 4 levels, 3 attributes, 4,000 people: each kind of person forms a group, nothing is lost
    cut = frame[(frame["mondrian_on"] == "attributes") & (frame["mondrian_cut"] == "balanced")]
    assert cut.loc[(cut["quantity"] == "accuracy") & (cut["k"] == 2), "value"].item() > 92
    units = frame.loc[frame["quantity"] == "hidden units", "value"]
    assert units.tolist() == [paper.HIDDEN_UNITS]


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

    def rows(seed, ks):
        table = learning(*data, rng=seed, runs=2, ks=ks)
        table = table[(table["quantity"] == "accuracy") & (table["k"].fillna(2) == 2)]
        return table.drop(columns=["method", "k"]).select_dtypes("number").reset_index(drop=True)

    one, same, other = rows(5, KS), rows(np.random.default_rng(5), KS[:1]), rows(6, KS[:1])
    shown = ["value", "se"]
    assert sorted(one["value"]) == sorted(same["value"])
    assert not set(one["value"]) & set(other["value"]) - {same["value"].iloc[-1]}
    assert np.isfinite(one[shown]).all(axis=None)


def test_every_claim_is_judged(data, monkeypatch):
    seeds = np.random.default_rng(1)
    monkeypatch.setattr(module, "_trained", lambda *_: Model(seeds.random()))
    (part,) = (part for part in smooth.PARTS if part.name == "learning")
    tables = dict(zip((("adult", None), ("adult", "test")), data, strict=True))
    frame = frame_of(part, tables, {"runs": 2})
    frame.loc[frame["quantity"] == "hidden units", "value"] = paper.HIDDEN_UNITS
    assert complaints(part, frame) == []


def test_every_run_has_weights_of_its_own_that_its_copies_share(data, monkeypatch):
    trained = []

    def train(features, labels, seed):
        assert labels is data[0].labels
        trained.append((seed, features.shape))
        return Model()

    monkeypatch.setattr(module, "_trained", train)
    result = learning(*data, rng=1, runs=3, ks=KS)
    each = 2 + (FORMS + len(WORLDS)) * len(KS)
    assert len(trained) == 3 * each
    assert len({seed for seed, _ in trained}) == 3 * (1 + len(KS))  # without k, and for each k
    assert result.loc[result["quantity"] == "hidden units", "value"].tolist() == [7]


def test_copies_are_what_each_method_publishes(data):
    train = data[0]
    copies = list(module._Draws(train, (60,)).of([1, 0]))
    by_method = {}
    for method, world, _, features in copies:
        by_method.setdefault(method, {})[tuple(world.values())] = features
    assert {name: len(result) for name, result in by_method.items()} == {
        "none": 1, "mondrian": FORMS, "node-dp": 1, "smooth": len(WORLDS)
    }  # fmt: skip
    assert (by_method["none"][()] != train.biadjacency).nnz == 0
    noisy = by_method["node-dp"][()]
    share = (noisy != train.biadjacency).nnz / np.prod(noisy.shape)
    flip = 1 / (1 + np.exp(paper.NODE_EPSILON / 12))  # a cell of a row of twelve
    assert share == pytest.approx(flip, abs=4 * (flip * (1 - flip) / np.prod(noisy.shape)) ** 0.5)
    original = train.biadjacency.toarray()
    for copy in by_method["smooth"].values():
        assert k_achieved(copy) >= 60
        assert 0 < copy.nnz < 2 * train.biadjacency.nnz
    for copy in by_method["mondrian"].values():
        lost = copy.toarray()
        assert (lost <= original).all()
        assert 0 < lost.sum() < original.sum()
        assert k_achieved(lost) >= 60


def test_interval_is_student_s():
    row = module._interval([80.0, 82.0, 84.0])
    reach = stats.t.interval(0.95, 2, loc=82, scale=2 / 3**0.5)
    assert (row["low"], row["high"]) == pytest.approx(reach)


def test_comparisons_are_differences_within_runs():
    shares = {
        ("none", (), None): [83.0, 84.0],
        ("node-dp", (), None): [76.0, 77.0],
        ("majority", (), None): [76.0, 76.0],
        ("mondrian", (("mondrian_cut", "median"),), 2): [82.0, 83.0],
        ("mondrian", (("mondrian_cut", "median"),), 4): [80.0, 84.0],
        ("smooth", (("cut", "whole"),), 2): [82.5, 83.5],
        ("smooth", (("cut", "whole"),), 4): [81.0, 82.0],
    }
    result = pd.DataFrame(comparisons({key: np.array(v) for key, v in shares.items()}))
    result = result.set_index(["quantity", "method", "against", "k"]).sort_index()
    gap = result.loc["difference"]["value"]
    assert gap["smooth", "none", 2] == gap["smooth", "none", 4] + 1.5 == -0.5
    assert gap["smooth", "node-dp", 2] == 6.5
    assert gap["smooth", "mondrian"].to_dict() == {2: 0.5, 4: -0.5}
    assert gap["node-dp", "mondrian"].to_dict() == {2: -6.0, 4: -5.5}
    assert gap["node-dp", "majority"].item() == 0.5
    se = result.loc["difference"]["se"]
    assert se["smooth", "mondrian"].to_dict() == pytest.approx({2: 0.0, 4: 1.5})
    pooled = result.loc[("difference of all k", "smooth", "mondrian")].iloc[0]
    assert (pooled["value"], pooled["se"]) == pytest.approx((0, 0.75))
    assert (pooled["cut"], pooled["mondrian_cut"]) == ("whole", "median")
    ratio = result.loc[("log variance ratio of all k", "smooth", "mondrian")].iloc[0]
    assert ratio["value"] == pytest.approx(np.log(1 / 16) / 2)
    assert ratio["se"] == pytest.approx(2**0.5)
