"""Compiled functions are compiled again when the file they share has changed."""

import gc
import importlib
import os
import shutil
import sys
from pathlib import Path

import numba
import pytest

from pplab import compiled
from pplab.smooth import recipe
from tests.helpers import ended

SHARED = "\n\n@njit(inline='always')\ndef step(x):\n    return x + {}\n"
CALLER = """
import numba
from made.compiled import njit, step

@njit(nogil=True)
def twice(x):
    return step(step(x))

@numba.njit(cache=True)
def twice_by_numba(x):
    return step(step(x))
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "caller.py").write_text(CALLER)
    return tmp_path / "made"


def imported_anew(package, *, step):
    """The caller as a new process sees it, where the shared file adds `step`."""
    text = Path(compiled.__file__).read_text() + SHARED.format(step)
    (package / "compiled.py").write_text(text)
    for name in [name for name in sys.modules if name.partition(".")[0] == "made"]:
        del sys.modules[name]
    importlib.invalidate_caches()
    return importlib.import_module("made.caller")


def test_the_interpreter_runs_the_text_of_an_inner_function():
    by_compiled = numba.njit(lambda *numbers: recipe._rank(*numbers))
    assert by_compiled(2, 0, 0, 5) == recipe._rank(2, 0, 0, 5) == -5


def test_a_change_of_the_shared_file_is_noticed(package):
    first = imported_anew(package, step=1)
    assert (first.twice(0), first.twice_by_numba(0)) == (2, 2)
    again = imported_anew(package, step=1)
    assert again.twice(0) == 2
    assert sum(again.twice.stats.cache_hits.values()) == 1
    changed = imported_anew(package, step=500)
    assert changed.twice(0) == 1000
    assert changed.twice_by_numba(0) == 2, "numba sees it now: njit of compiled.py can go"
    assert first.twice(0.5) == 2.5, "an old process goes on with what it has read"
    assert imported_anew(package, step=500).twice(0.5) == 1000.5


def test_without_a_folder_to_write_to_it_is_compiled_in_each_process(package, monkeypatch, capsys):
    compiled._tell_uncached.cache_clear()
    with monkeypatch.context() as nowhere:
        nowhere.setattr(numba.core.caching.CacheImpl, "_locator_classes", [])
        for divisor in (2, 4):
            part = compiled.njit()(lambda x, divisor=divisor: x / divisor)
            assert part(3) == 3 / divisor
            assert part.stats.cache_path is None
    assert capsys.readouterr().err.count("\n") == 1
    caller = imported_anew(package, step=1)

    def full_disk(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(numba.core.caching.IndexDataCacheFile, "_save_data", full_disk)
    assert (caller.twice(0), caller.twice(0.5)) == (2, 2.5)
    text = capsys.readouterr().err
    assert text.count("\n") == 1
    assert "set NUMBA_CACHE_DIR to one that you can write" in text


def test_unused_objects_are_looked_for_again_after_a_compilation(package):
    (package / "caller.py").write_text(CALLER.partition("@numba")[0])
    assert imported_anew(package, step=1).twice(0) == imported_anew(package, step=1).twice(0)
    assert gc.isenabled()


def test_without_compiler_it_is_the_plain_function(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    assert compiled.njit(nogil=True)(imported_anew) is imported_anew


def test_a_type_that_is_gone_makes_the_stored_code_stale(package):
    """As after an update in which a named tuple was renamed; numba alone would not start."""
    rows = "\n\nclass {}(NamedTuple):\n    x: int\n"
    caller = "from made.compiled import njit\n\n@njit()\ndef first(rows):\n    return rows.x\n"
    (package / "caller.py").write_text(caller)
    for name in ("Old", "New"):
        (package / "types.py").write_text("from typing import NamedTuple" + rows.format(name))
        caller = imported_anew(package, step=1)
        kind = getattr(importlib.import_module("made.types"), name)
        assert caller.first(kind(3)) == 3


AS_A_STUDENT = """
import os, sys
sys.path.insert(0, {above!r})
from made.caller import twice
assert not os.access({shared!r}, os.W_OK), "it can be written"
twice({number})
print(sum(twice.stats.cache_hits.values()), twice.stats.cache_path)
"""


def as_a_student(package, home, *, number):
    """Hits, place and complaints of a new process that cannot write to the shared folder."""
    shared = str(package / "__pycache__")
    code = AS_A_STUDENT.format(above=str(package.parent), shared=shared, number=number)
    # root writes everywhere, until its privileges are taken from it
    common = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    environment = os.environ | {"HOME": str(home), "XDG_CACHE_HOME": str(home)}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = ended(*common, sys.executable, "-c", code, env=environment)
    hits, place = done.stdout.split()
    return hits, place, done.stderr


@pytest.mark.skipif(os.name != "posix", reason="the test takes away the permission to write")
@pytest.mark.parametrize("owner", [None, 65534])
def test_code_in_a_folder_that_cannot_be_written_is_read(package, tmp_path, owner):
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("root cannot give up its privileges without setpriv")
    if os.geteuid() != 0 and owner:
        pytest.skip("only root can give a folder away")
    (package / "caller.py").write_text(CALLER.partition("@numba")[0])
    imported_anew(package, step=1).twice(0)
    shared, home = package / "__pycache__", tmp_path / "home"
    home.mkdir()
    if owner:
        os.chown(shared, owner, owner)
    shared.chmod(0o755 if owner else 0o555)
    try:
        before = sorted(shared.iterdir())
        for number, hits in ((0, "1"), (0.5, "0"), (0.5, "1"), (0, "1")):
            result, place, outcome = as_a_student(package, home, number=number)
            assert (result, outcome) == (hits, "")
            assert place.startswith(str(home)), "what the shared folder lacks is kept in the home"
        home = tmp_path / "home" / "of nobody"
        home.touch()  # no folder can be made there
        assert as_a_student(package, home, number=0) == ("1", str(shared), "")
        hits, _, outcome = as_a_student(package, home, number=0.5)
        assert (hits, outcome.count("\n")) == ("0", 1)
        assert sorted(shared.iterdir()) == before
        # nor need the folder be readable
        shared.chmod(0)
        assert as_a_student(package, tmp_path / "home", number=0)[::2] == ("0", "")
    finally:
        shared.chmod(0o755)
