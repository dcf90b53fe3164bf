"""What all tests share: the tiny graphs, the real data where they are, and a guard on counts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .fixtures import bigraph_6x8, disconnected, empty_graph, path_of_4

__all__ = ["bigraph_6x8", "disconnected", "empty_graph", "path_of_4", "real_data"]

# The whole suite has at least so many tests (doctests and notebook cells included). A folder
# that is no longer collected is noticed; raise this when tests are added.
MINIMUM_TESTS = 8000


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Folder with the real data sets, from PPLAB_DATA; without it the test is skipped."""
    where = os.environ.get("PPLAB_DATA")
    if not where:
        pytest.skip("needs the real data: set PPLAB_DATA to the folder that holds them")
    folder = Path(where)
    if not folder.is_dir():
        pytest.fail(f"PPLAB_DATA names {where!r}, which is no folder: correct or unset it")
    return folder


def _whole_suite(config: pytest.Config) -> bool:
    option = config.option
    narrowed = (
        option.keyword
        or option.markexpr
        or option.ignore
        or option.ignore_glob
        or option.deselect
        or getattr(option, "lf", False)
    )
    return config.args_source is config.ArgsSource.TESTPATHS and not narrowed


def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse a run of the whole suite that found fewer tests than there must be."""
    found = len(session.items)
    if not _whole_suite(session.config) or session.testsfailed or found >= MINIMUM_TESTS:
        return
    session.shouldfail = (
        f"collected {found} tests, expected at least {MINIMUM_TESTS}: "
        "see which folder or file is no longer collected (MINIMUM_TESTS in tests/conftest.py)"
    )
    raise session.Failed(session.shouldfail)
