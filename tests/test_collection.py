"""Nothing falls out of the suite unnoticed, and each test is in one of the two tiers."""

import pytest

from tests.conftest import COLLECTED, SHARES
from tests.helpers import ROOT


def not_collected(collected):
    """Folders of tests/, and the packages themselves, from which no test comes."""
    results = {folder for path in collected for folder in path.parents}
    expected = {path.parent for path in (ROOT / "tests").rglob("*.py")} | {
        ROOT / "pplab",
        *(ROOT / "packages").iterdir(),
    }
    return sorted(str(folder.relative_to(ROOT)) for folder in expected - results)


def test_every_folder_collects(request):
    if COLLECTED not in request.config.stash:
        pytest.skip("only a part of the suite was asked for")
    assert not_collected(request.config.stash[COLLECTED]) == []


def test_the_shares_are_45_minutes_of_two_processes():
    assert sum(SHARES.values()) == 90
