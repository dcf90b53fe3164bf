"""The catalogue: every promised name, nothing invented, and the checksums of the real files."""

import re

import pytest

from pplab.datasets import catalog
from pplab.datasets.store import find_member, sha256_of

NAMES = [
    *("movielens-100k", "jester", "lastfm", "ciao", "flixster", "adult", "playstore"),
    *("dblp-2010", "cnr-2000", "com-dblp", "web-stanford", "likes"),
]


def test_every_promised_name_is_there():
    assert list(catalog()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_each_entry_says_what_a_person_needs(name):
    wanted = catalog()[name]
    assert wanted.title
    assert wanted.terms
    assert wanted.citation
    assert wanted.statistics
    assert bool(wanted.reader) != bool(wanted.missing)
    assert wanted.never or wanted.home.startswith("https://")
    assert wanted.never or bool(wanted.download) != bool(wanted.by_hand)
    assert not wanted.never or not (wanted.home or wanted.download or wanted.members)
    assert not wanted.doi or re.fullmatch(r"10\.\d{4,}/\S+", wanted.doi)
    for member in wanted.members.values():
        assert member.sha256 is None or re.fullmatch(r"[0-9a-f]{64}", member.sha256)


@pytest.mark.parametrize("name", NAMES)
def test_known_checksums_are_those_of_the_files(real_data, name):
    for member in catalog()[name].members.values():
        path = find_member(name, member.name, real_data)
        if path is not None:
            assert sha256_of(path) == member.sha256, path


def test_a_catalogue_that_is_not_there_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("PPLAB_CATALOG", str(tmp_path / "none.toml"))
    with pytest.raises(FileNotFoundError, match="PPLAB_CATALOG must name a catalogue file"):
        catalog()
