"""No stored copy, by whatever method, is more similar to its original than certificates allow."""

import pytest

from pplab.ledger.results import read_result

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
    alone, across = (
        read_result("smooth", part).frame for part in (f"copies_{data}", "across_data")
    )
    alone = alone[alone["quantity"] == "jaccard"]
    assert set(alone["method"]) >= {"smooth", "non-smooth"}
    assert set(alone["k"]) == set(least)
    across = across[across["data"] == data]
    assert len(across) == 6
    for copies in (alone, across):
        assert (copies["value"] <= copies["k"].map(least) + SLACK).all()


def test_a_certificate_is_no_empty_promise():
    """At k = 8 each of them forbids something."""
    for data in CERTIFIED:
        assert certificates(data)[8] < 100
