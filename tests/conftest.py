"""What all tests share: the real data where they are, and the two tiers."""

import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

# Threads of BLAS that wait for one another on small matrices double the processor time of a test.
# numpy reads this when it is imported first; commands and notebooks that tests start inherit it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The checks of `make verify` and the minutes of a process that each may take, all its tests
# together: 90 in all, which two processes do in 45.
# A test is in one by `@pytest.mark.verify("commands")`, by the fixture real_data ("data"), or
# because hypothesis makes its inputs ("generated": few of them in `make test`, many here).
SHARES = {
    "browser": 28,
    "commands": 8,
    "data": 1,
    "generated": 12,
    "installation": 8,
    "notebooks": 8,
    "recomputed": 15,
    "teach": 10,
}

# Paths that the whole suite was collected from, before any test was deselected.
COLLECTED = pytest.StashKey[set[Path]]()


@pytest.fixture(scope="session", autouse=True)
def notes_of_its_own(tmp_path_factory):
    """Let no test note in the account's own folder which ledgers it runs."""
    os.environ["PPLAB_LEDGERS"] = str(tmp_path_factory.mktemp("ledgers"))


@pytest.fixture(scope="session")
def real_data():
    """Folder with the real data sets, from PPLAB_DATA; without it the test is skipped."""
    where = os.environ.get("PPLAB_DATA")
    if not where:
        pytest.skip("needs the real data: set PPLAB_DATA to the folder that holds them")
    folder = Path(where)
    if not folder.is_dir():
        pytest.fail(f"PPLAB_DATA names {where!r}, which is not a folder; mend or unset it")
    return folder


def pytest_configure(config):
    """Generated inputs: the same few in `make test`, many and new ones in `make verify`."""
    os.environ["PPLAB_PROGRESS"] = os.devnull  # what tests solve is nobody's progress
    # The first call compiles and workers share the cores: the time of an input says nothing.
    patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("test", patient, max_examples=40, derandomize=True)
    settings.register_profile("verify", patient, max_examples=200)
    settings.load_profile("verify" if _verifies(config) else "test")


def _verifies(config):
    return bool(config.option.markexpr == "verify")


def _is_generated(item):
    return item.path.parent.name == "generated" or is_hypothesis_test(getattr(item, "obj", None))


@pytest.hookimpl(tryfirst=True)  # before `-m` deselects
def pytest_collection_modifyitems(config, items):
    """Give each test of `make verify` its mark and tell its reports which check it belongs to."""
    if config.args == config.getini("testpaths"):
        config.stash[COLLECTED] = {item.path for item in items}
    for item in items:
        mark = item.get_closest_marker("verify")
        if mark is None and "real_data" in getattr(item, "fixturenames", ()):
            mark = pytest.mark.verify("data").mark
        elif mark is None and _verifies(config) and _is_generated(item):
            mark = pytest.mark.verify("generated").mark
        if mark is not None:
            if not (mark.args and mark.args[0] in SHARES):
                raise pytest.UsageError(
                    f"{item.nodeid}: verify{mark.args} names no check of tests/conftest.py"
                )
            item.add_marker(pytest.mark.verify(*mark.args))
            item.user_properties.append(("check", mark.args[0]))
    # Whole notebooks take longest: begun last, one process would wait minutes for the other.
    items.sort(key=lambda item: item.path.name != "test_run.py")


def pytest_terminal_summary(terminalreporter):
    """After `make verify`: the minutes of each check beside its share."""
    spent = Counter()
    inputs = 0
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                result = dict(report.user_properties)
                inputs += result.get("inputs", 0) * (report.when == "call")
                if "check" in result:
                    spent[result["check"]] += report.duration / 60
    if inputs:
        terminalreporter.write_line(f"tests/generated: {inputs:,} inputs")
    if spent:
        terminalreporter.section("minutes of each check, and its share")
        for check, minutes in sorted(spent.items()):
            more = "  MORE THAN ITS SHARE" * (minutes > SHARES[check])
            terminalreporter.write_line(f"{check:14} {minutes:5.1f} of {SHARES[check]:2}{more}")
