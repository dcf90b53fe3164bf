"""What a student's cell can see, reach, forge and hold up: nothing that is not its own."""

import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import nbformat
import psutil
import pytest
from nbformat.v4 import new_notebook

from pplab_course.teach import cage
from pplab_course.teach.marks import give_marks, judged_apart
from tests.helpers import PYTHONPATH, until
from tests.pplab_course.teach.conftest import notebook, rights

pytestmark = [
    pytest.mark.verify("teach"),
    pytest.mark.skipif(bool(cage.why_not()), reason=f"no cage here: {cage.why_not()}"),
]
VERDICT = '{"verdicts": {"02-C": [true, "right."]}, "printed": ["", "", "", ""]}'


def programs(name):
    """Programs of a text file by their headings, and what stands before the first of them."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    first, *others = re.split("^=== ", text, flags=re.MULTILINE)
    return first, dict(each.split("\n", 1) for each in others)


# What a cheat says when it got somewhere must not be heard.
FIRST, CHEATS = programs("cheats.txt")
FIRST += f"\nHOME, PORT, VERDICT = {str(Path.home())!r}, 8888, {VERDICT!r}"
# Whoever speaks out of turn is taken at that word, and loses marks further down.
OUT_OF_TURN = ("an answer written in advance", "asks for the judge's own functions")


@pytest.mark.parametrize("cheat", CHEATS)
def test_no_cheat_gets_a_mark_or_sees_anything(cheat):
    result = _marked(FIRST, CHEATS[cheat], ("02-C", "answer"), ("06-C", "1 / 2"))
    assert result["verdicts"]["02-C"][0] is False
    if cheat not in OUT_OF_TURN:
        assert result["verdicts"]["06-C"][0] is True  # and nothing else is lost
    assert not [text for text in result["printed"] if "GOT" in text]


_, STOPS = programs("stops.txt")


@pytest.mark.parametrize("stop", STOPS)
def test_nothing_is_held_up_beyond_its_own_seconds(stop):
    start, seconds = time.monotonic(), 5
    cells = (
        "import os, signal, time",
        ("06-C", "1 / 2"),
        STOPS[stop],
        "answer = 8",
        ("02-C", "answer"),
    )
    result = _marked(*cells, seconds=seconds)
    assert time.monotonic() - start < 3 * seconds + 10
    assert rights(result) == {"06-C": True, "02-C": True}


def test_a_judge_that_an_answer_keeps_busy_goes_on():
    slow = "class Slow(list): pass\nanswer = np.empty((10**7, 0))"
    late = "def answer(*_):\n    import time; time.sleep(1000)"
    result = _marked(
        "import numpy as np", slow, ("01-R", "answer"), late, ("02-P", "answer"), ("06-C", "1 / 2")
    )
    assert rights(result) == {"01-R": False, "02-P": False, "06-C": True}
    assert "took longer" in result["verdicts"]["02-P"][1]


def test_without_a_cage_nobody_speaks_for_the_judge_either(tmp_path):
    """The judge signs; what is left behind is ended; the log says so when the judge was killed."""
    late = tmp_path / "late"
    left = f"if os.fork() == 0:\n    os.setsid()\n    time.sleep(4)\n    open({str(late)!r}, 'w')"
    for cheat in ("judge's standard output by proc", "a child waits and writes the verdict"):
        result = _marked(FIRST, CHEATS[cheat], left, ("02-C", "answer"), trusted=True)
        assert result["verdicts"]["02-C"][0] is False
    time.sleep(5)
    assert not late.exists()
    killed = "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"
    with pytest.raises(RuntimeError, match="the judge ended early"):
        _marked(killed, ("02-C", "8"), trusted=True)


STARTER = """
import os, psutil, signal, subprocess, sys
from pplab_course.teach.cage import caged, end, environment
program = [sys.executable, "-c", "print('up', flush=True)\\nwhile True: pass"]
cage = subprocess.Popen(
    caged(program, sys.argv[1]), stdout=subprocess.PIPE, env=environment(), start_new_session=True
)
cage.stdout.readline()
inside = psutil.Process(cage.pid).children(recursive=True)
print(*[process.pid for process in inside], flush=True)
if sys.argv[2] == "end":
    end(cage, set())
else:
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("how", ["end", "killed"])
def test_all_that_is_in_the_cage_ends_with_it(tmp_path, how):
    environment = {**os.environ, "PYTHONPATH": PYTHONPATH}
    command = [sys.executable, "-c", STARTER, str(tmp_path), how]
    process = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    inside = [int(number) for number in process.stdout.split()]
    assert inside
    until(lambda: not any(map(_lives, inside)), seconds=10)


def _lives(number):
    """True if a process goes on; one that has ended may wait to be asked for its code."""
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(number).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    return False


def test_a_system_without_a_cage_refuses_to_mark(monkeypatch):
    monkeypatch.delenv("PPLAB_TRUST", raising=False)
    monkeypatch.setattr("pplab_course.teach.marks.why_not", lambda: "no namespaces")
    with pytest.raises(ValueError, match=r"no namespaces.*--trust"):
        give_marks(new_notebook(), {}, secret="", seconds=1, own=False)


def test_what_a_page_would_run_is_cleaned(tmp_path):
    (tmp_path / "secret").write_text("a secret of the course")
    script = "<script>alert(1)</script>"
    handed_in = notebook(("06-C", "1 / 2"), f"print({script!r})")
    for kind in (nbformat.v4.new_markdown_cell, nbformat.v4.new_raw_cell):
        text = f"a < b {script} <img src=x onerror=alert(1)> [x](JavaScript:alert(1))"
        text += r" [x](javascript\:a) [x](javajavascript:a) [x](java&#115;cript:a) [x][y] a & b"
        text += r" $\href{javascript:a}{x}$"
        handed_in.cells.append(
            kind(f"> {text} <details onclick=alert(1)><details>kept</details>\n\n[y]: vbscript:a")
        )
    handed_in.cells[-2].attachments = {"a.svg": {"image/svg+xml": script}}
    handed_in.cells[-2].metadata["tags"] = [f'"{script}']
    handed_in.metadata = nbformat.from_dict({"title": script, "widgets": {script: script}})
    give_marks(handed_in, {}, secret=str(tmp_path / "secret"), seconds=30, own=False)
    pytest.importorskip("nbconvert")
    from nbconvert import HTMLExporter

    page = HTMLExporter(template_name="classic").from_notebook_node(handed_in)[0]
    assert script not in page
    assert "onerror=alert(1)>" not in page
    assert not re.search(
        r"<[^>]*(onerror|onclick|javascript:|vbscript:)", page.partition("<body")[2]
    )
    assert r"\href" not in page
    assert "&lt;script" in page  # the teacher sees what was written
    assert "<details>kept</details>" in page
    assert page.count("<blockquote>") == 2


def _marked(*cells, seconds=30, trusted=False):
    """As a course does it, the judge in a process of its own."""
    secret = Path(os.environ.get("TMPDIR", "/tmp")) / f"pplab-test-secret-{os.getpid()}"
    secret.write_text("a secret of the course")
    try:
        return judged_apart(notebook(*cells), secret, seconds=seconds, trusted=trusted)
    finally:
        secret.unlink()


def test_an_environment_that_is_a_link_is_shown_with_its_target(tmp_path, monkeypatch):
    """`teach mark` said of such a one that the system cannot keep cells apart."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "link"))
    words = cage._mounts.__wrapped__()
    for name in ("link", "real"):
        assert words[words.index(str(tmp_path / name)) - 1] == "s"
