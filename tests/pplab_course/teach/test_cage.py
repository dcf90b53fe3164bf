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
from tests.pplab_course.teach.conftest import SAY, notebook, rights

pytestmark = [
    pytest.mark.verify("teach"),
    pytest.mark.skipif(bool(cage.why_not()), reason=f"no cage here: {cage.why_not()}"),
]
VERDICT = '{"verdicts": {"02-C": [true, "right."]}, "printed": ["", "", "", ""]}'

# Each tries to be right with 0, a wrong answer to 02-C. What it says when it got somewhere must
# not be heard.
CHEATS = {
    "judge's standard output by proc": f"""
try:
    place = os.open(f"/proc/{{os.getppid()}}/fd/1", os.O_WRONLY)
    os.write(place, ({VERDICT!r} + "\\n").encode())
except OSError:
    pass
""",
    "a child waits and writes the verdict": f"""
if os.fork() == 0:
    time.sleep(1)
    say("0" * 64 + " " + {VERDICT!r})
    os._exit(0)
""",
    "signature of an empty key": f"""
import hmac
text = {VERDICT!r}
say(hmac.digest(b"", text.encode(), "sha256").hex() + " " + text)
""",
    "replaces check, register and judge": """
import pplab_course, pplab_course.teach.judge, pplab_course.teach.marks
from dataclasses import replace
door = sys.modules["pplab_course.exercises"]
for name, exercise in door.exercises().items():
    door._register[name] = replace(exercise, judge=lambda answer: "")
door.check = door.judged = lambda *_: (True, "right.")
pplab_course.teach.judge.judge_notebook = lambda *_, **__: None
pplab_course.teach.marks.give_marks = lambda *_, **__: None
""",
    "an object that says yes": """
class Anything(float):
    __eq__ = __le__ = __lt__ = __ge__ = __gt__ = lambda *_: True
    __hash__ = float.__hash__
    __sub__ = __rsub__ = __call__ = lambda *_: 0.0
answer = Anything()
""",
    "reads the solutions": """
import glob, pplab
root = os.path.dirname(os.path.dirname(pplab.__file__))
found = glob.glob(root + "/notebooks/**", recursive=True) + glob.glob(root + "/docs/*")
found += [place for place in everything() if "/solutions/" in place and ".ipynb" in place]
got([place for place in found if os.path.exists(place)])
""",
    "reads the secret of the environment": """
texts = [open(place, "rb").read() for place in __import__("glob").glob("/proc/*/environ")]
got([text for text in texts if b"SECRET" in text] + [k for k in os.environ if "SECRET" in k])
""",
    "reads the teacher's home": """
import pathlib
private = [HOME + "/" + name for name in (".bashrc", ".profile", ".config", ".ssh", ".cache")]
got([place for place in (*private, "/etc/shadow", "/var/log") if readable(place)])
""",
    "imports the course's secret": """
from pplab_course.exercises import hidden
got([] if hidden(7) == 7 else ["hidden inputs are drawn"])
""",
    "opens a connection": """
import socket
tries(lambda at: socket.create_connection(at, timeout=2), ("1.1.1.1", 53), ("127.0.0.1", PORT))
""",
    "writes a module for the next": """
import pplab, site
folders = [*site.getsitepackages(), os.path.dirname(pplab.__file__), "/usr/lib"]
tries(lambda folder: open(folder + "/zz.pth", "w").write("import os"), *folders)
""",
    "changes compiled code": """
import glob
places = glob.glob(os.path.dirname(__import__("pplab").__file__) + "/**/*.nb*", recursive=True)
got([place for place in places if os.access(place, os.W_OK)][:3])
""",
    "the neighbour's folder": """
import glob, pplab
own = (sys.prefix, sys.base_prefix, pplab.__file__)  # a clone may lie below /tmp
found = glob.glob("/tmp/*") + glob.glob("/home/*/*.ipynb")
got([place for place in found if not any(path.startswith(place + "/") for path in own)])
""",
    "a database": """
found = [place for place in everything() if place.endswith("gradebook.db")]
got([place for place in found if "site-packages" not in place])
""",
    "mounts what was unmounted": """
import ctypes
libc = ctypes.CDLL(None)
for kind in (b"tmpfs", b"proc"):
    if libc.mount(kind, b"/usr", kind, 0, None) == 0:
        got(["mount"])
if libc.mount(None, b"/usr", None, 32 | 4096, None) == 0:
    open("/usr/zz", "w").close()
    got(["writes"])
""",
    "becomes another account": """
tries(os.setuid, *({0, 1, 1000} - {os.getuid()}))
""",
    "takes its capabilities back": """
status = open("/proc/self/status").read().split()
got([status[i + 1] for i, word in enumerate(status)
     if word in ("CapEff:", "CapPrm:", "CapBnd:") and int(status[i + 1], 16)])
""",
    "looks into other processes": """
import glob
got([place for place in glob.glob("/proc/[0-9]*/cmdline") if b"judge" in open(place, "rb").read()])
""",
    "leaves a text in the session's keyring": """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
add, ask, act = (248, 249, 250) if os.uname().machine == "x86_64" else (217, 218, 219)
for ring in (-1, -2, -3, -4, -5):  # of the thread, process, session, account
    if libc.syscall(add, b"user", b"answer", b"8", 1, ring) != -1:
        got([f"a key in ring {ring}"])
    if libc.syscall(act, 0, ring, 1) != -1 or libc.syscall(act, 11, ring, None, 0) != -1:
        got([f"ring {ring}"])
if libc.syscall(ask, b"user", b"answer", None, -3) != -1 or libc.syscall(act, 1, None) != -1:
    got(["a ring of its own"])
if os.uname().machine == "x86_64" and libc.syscall(0x40000000 | act, 0, -3, 1) != -1:
    got(["by the other numbers"])
""",
    "leaves the folder by its parent": """
os.makedirs("x", exist_ok=True)
try:
    os.chroot("x")
    for _ in range(50):
        os.chdir("..")
    os.chroot(".")
    got(os.listdir("/"))
except OSError:
    pass
""",
    "an answer written in advance": """
call = '{"call": 0, "with": {"tuple": [0]}, "named": {"dict": []}}'
say(call + '\\n{"raised": ["Refusal", "right."]}')
""",
    "asks for the judge's own functions": """
say('{"gave": {"list": [{"yours": 0}]}}')
""",
    "an ellipsis, a huge table, a deep list": """
answer = ...
""",
    "raises its limits": """
from resource import RLIM_INFINITY, RLIMIT_AS, RLIMIT_FSIZE, RLIMIT_NPROC, setrlimit
tries(lambda limit: setrlimit(limit, [RLIM_INFINITY] * 2), RLIMIT_AS, RLIMIT_NPROC, RLIMIT_FSIZE)
""",
    "reads an answer from the keyboard ioctl": """
import fcntl, termios
tries(lambda place: fcntl.ioctl(place, termios.TIOCSTI, b"x"), *range(3))
""",
}
# Whoever speaks out of turn is taken at that word, and loses marks further down.
OUT_OF_TURN = ("an answer written in advance", "asks for the judge's own functions")
FIRST = f"""
import os, sys, time
HOME, PORT = {str(Path.home())!r}, 8888
answer = 0
def got(what):
    if what:
        print("GOT", what)
def tries(act, *at):
    for each in at:
        try:
            act(each)
            got([each])
        except (OSError, ValueError):
            pass
def say(text):
    for place in range(3, 60):
        try:
            os.write(place, (text + "\\n").encode())
        except OSError:
            pass
def everything():
    for top in set(os.listdir("/")) - {{"usr", "lib", "lib64", "bin", "sbin", "proc"}}:
        for folder, _, files in os.walk("/" + top):
            yield from (folder + "/" + file for file in files)
def readable(place):
    try:
        return bool(os.listdir(place) if os.path.isdir(place) else open(place).read())
    except OSError:
        return False
"""


@pytest.mark.parametrize("cheat", CHEATS)
def test_no_cheat_gets_a_mark_or_sees_anything(cheat):
    result = _marked(FIRST, CHEATS[cheat], ("02-C", "answer"), ("06-C", "1 / 2"))
    assert result["verdicts"]["02-C"][0] is False
    if cheat not in OUT_OF_TURN:
        assert result["verdicts"]["06-C"][0] is True  # and nothing else is lost
    assert not [text for text in result["printed"] if "GOT" in text]


# Each ends, stops or delays what it can; it may cost itself a mark, within its seconds.
STOPS = {
    "fork and leave": "if os.fork():\n    os._exit(0)\ntime.sleep(1000)",
    "stops its parent": "assert os.getpid() == 1; os.kill(os.getppid(), signal.SIGSTOP)",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP); time.sleep(1000)",
    "kills all": "assert os.getpid() == 1; os.kill(-1, signal.SIGKILL); time.sleep(1000)",
    "kills the group": "assert os.getpid() == 1; os.killpg(0, signal.SIGKILL)",
    "80 MB in one line": SAY.format("b'x' * 80_000_000"),
    "prints 80 MB": "print('x' * 80_000_000)",
    "memory": "kept = [bytearray(10**9) for _ in range(9)]",
    "processes": "for _ in range(10_000):\n    if os.fork() == 0:\n        time.sleep(1000)",
    "threads": "import threading\nfor _ in range(10_000):\n"
    "    threading.Thread(target=time.sleep, args=(1000,)).start()",
    "files": "file = open('big', 'wb')\nfor _ in range(2000):\n    file.write(bytes(2**20))",
    "loop": "while True:\n    pass",
    "closes the line": "os.closerange(0, 100)",
    "no message": SAY.format(r"b'{]\n'"),
    "deep message": SAY.format(r"b'[' * 10**6 + b'\n'"),
    "a crash": "import ctypes; ctypes.string_at(0)",
    "an alarm": "signal.alarm(1); time.sleep(1000)",
}


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
