"""No stored copy, by whatever method, is more similar to its original than certificates allow."""

import pytest

from pplab.ledger import read_result

# Data as the copies name them -> parts that hold the certificates of the same table.
CERTIFIED = {
    "adult": ("beyond_adult",),
    "playstore": ("beyond_playstore",),
    "dblp": ("beyond_dblp", "beyond_dblp_ks"),
    "stanford": ("beyond_cnr", "beyond_cnr_ks"),
}
SLACK = 1e-6  # per cent


def certificates(data):
    """The least certificate of each k."""
    least = {}
    for part in CERTIFIED[data]:
        frame = read_result("smooth", part).frame
        rows = frame[frame["quantity"] == "certificate"]
        least |= rows.groupby("k")["value"].min().to_dict()
    return least


@pytest.mark.parametrize("data", CERTIFIED)
def test_copies_of_all_methods_stay_below(data):
    least = certificates(data)
    frame = read_result("smooth", f"copies_{data}").frame
    copies = frame[frame["quantity"] == "jaccard"]
    assert set(copies["method"]) >= {"smooth", "non-smooth"}
    assert set(copies["k"]) == set(least)
    assert (copies["value"] <= copies["k"].map(least) + SLACK).all()


@pytest.mark.parametrize("data", CERTIFIED)
def test_copies_that_are_compared_across_data_stay_below(data):
    least = certificates(data)
    frame = read_result("smooth", "across_data").frame
    copies = frame[frame["data"] == data]
    assert len(copies) == 6
    assert (copies["value"] <= copies["k"].map(least) + SLACK).all()


def test_a_certificate_is_no_empty_promise():
    """At k = 8 each of them forbids something."""
    for data in CERTIFIED:
        assert certificates(data)[8] < 100
