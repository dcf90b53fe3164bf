"""Files of the social networks cut short anywhere: refused, or a shorter file that is whole."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pplab.datasets import DataFileError
from pplab.datasets.flixster import read_links, read_ratings
from pplab.datasets.lastfm import read_artists, read_counts, read_friends

from .made import FLIXSTER, LASTFM

KNOWN = {  # the catalogue knows how many lines these have
    "user_artists.dat": read_counts,
    "user_friends.dat": read_friends,
    "artists.dat": read_artists,
}
UNKNOWN = {"ratings.txt": read_ratings, "links.txt": read_links}
quick = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.mark.parametrize("name", KNOWN)
@quick
@given(share=st.floats(0, 1, exclude_max=True))
def test_lastfm_cut_anywhere_is_refused(tmp_path, name, share):
    whole = LASTFM[name].encode()
    path = tmp_path / name
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(DataFileError, match=name):
        KNOWN[name](path, lines=whole.count(b"\n"))


@pytest.mark.parametrize("name", UNKNOWN)
@quick
@given(share=st.floats(0, 1, exclude_max=True))
def test_flixster_cut_within_a_line_is_refused(tmp_path, name, share):
    """How many lines the real files have is not known: a cut between two lines goes unnoticed."""
    whole = FLIXSTER[name].encode()
    part = whole[: int(share * len(whole))]
    path = tmp_path / name
    path.write_bytes(part)
    if part.endswith(b"\n"):
        assert len(UNKNOWN[name](path)) == part.count(b"\n")
    else:
        with pytest.raises(DataFileError, match=name):
            UNKNOWN[name](path)
