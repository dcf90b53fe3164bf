"""A cage for a student's process: what the kernel of Linux can keep from it, by `unshare`.

The process has its own process numbers, network (none) and file system, which holds Python, this
package and nothing else: no clone, no solutions, no course, no other student. When it ends, or
its starter ends, the kernel ends all that it left behind. `unshare`, `mount`, `pivot_root`
and `setpriv` are programs of util-linux, which every distribution has.
"""

import ctypes
import errno
import os
import platform
import signal
import site
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from pplab import shipped

MEMORY = 4 * 2**30  # bytes of one process
FILES = 2**29  # bytes of all files, and of one
PROCESSES = 128  # and threads, of one student
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
SETTINGS = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "fonts")
DEVICES = ("null", "zero", "full", "random", "urandom")
# Variables of ours that a student's process gets to know; no secret of the teacher is among these.
KNOWN = ("PATH", "LANG", "LC_ALL", "PYTHONPATH", "LD_LIBRARY_PATH", "SYSTEMROOT")
COURSE = ("pyproject.toml", "data/results", "benchmarks/results")  # what notebooks read of a clone
_PACKAGES = tuple(
    Path(spec.origin).parent
    for name in ("pplab", "claimbook", "smoothbound", "pplab_papers", "pplab_course")
    if (spec := find_spec(name)) and spec.origin
)

_SCRIPT = Path(__file__).with_name("cage.sh").read_text(encoding="utf-8")


def caged(program: list[str], folder: str) -> list[str]:
    """The command that runs a program in a cage; the folder, which is empty, stays so.

    The cage ends with the thread that starts the command.
    """
    namespaces = ["--pid", "--mount", "--net", "--ipc", "--uts", "--fork", "--kill-child"]
    account = str(50_000 + os.getpid() % 10_000)  # of nobody: limits count its processes
    if os.geteuid():
        namespaces, account = ["--user", "--map-root-user", *namespaces], ""
    start = ["setpriv", "--pdeathsig", "KILL", "unshare", *namespaces, "sh", "-c", _SCRIPT, "cage"]
    limits = [str(FILES), " ".join(DEVICES)]
    return [*start, *limits, folder, account, *_mounts(), "--", *program]


@cache
def _mounts() -> tuple[str, ...]:
    """Paths that the cage shows and hides, in the order in which it is done."""
    clone = _PACKAGES[0].parent if shipped.is_clone() else None
    folders = {sys.base_prefix, sys.prefix, site.getusersitepackages(), *map(str, _PACKAGES)}
    folders |= {os.path.realpath(path) for path in folders}  # an environment may be a link
    if clone:  # of which a wheel's share is shown, and no folder around it
        folders -= {str(path) for path in (clone, *clone.parents)}
        folders |= {str(clone / name) for name in COURSE}
    words = [word for path in SYSTEM for word in ("s", path)]
    words += [word for path in SETTINGS for word in ("s", f"/etc/{path}")]
    words += ["h", str(clone)] if clone else []
    for path in sorted(filter(os.path.isabs, folders), key=len):
        system = () if clone and _is_inside(path, [str(clone)]) else SYSTEM
        around = (folders - {path}).union(system)
        words += [] if _is_inside(path, around) else ["s", path]
    return tuple(words)


def _is_inside(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders if folder)


@cache
def why_not() -> str:
    """Reason why this system has no cage, in a few words; empty where it has one."""
    if not sys.platform.startswith("linux"):
        return f"{sys.platform} has no namespaces"
    with tempfile.TemporaryDirectory() as folder:
        source = "from pplab_course.teach import cage; cage.limit()"
        command = caged([sys.executable, "-c", source], folder)
        try:
            process = subprocess.run(
                command, capture_output=True, env=environment(), text=True, timeout=60
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
    lines = process.stderr.strip().splitlines() or [f"it ended with {process.returncode}"]
    return lines[-1] if process.returncode else ""


def environment(home: str = "/home") -> dict[str, str]:
    """Environment of the student's process."""
    known = {name: os.environ[name] for name in KNOWN if name in os.environ}
    replaced = ("HOME", "IPYTHONDIR", "MPLCONFIGDIR", "PPLAB_PROGRESS", "TMPDIR")
    cores = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # two students are marked at once
    return known | dict.fromkeys(replaced, home) | cores | {"MPLBACKEND": "Agg"}


def limit() -> None:
    """Limit the memory, files and processes of this process and of what it starts."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return
    limits = {"AS": MEMORY, "FSIZE": FILES, "CORE": 0}
    if os.getpid() == 1:  # in a cage, whose account has no processes elsewhere
        limits["NPROC"] = PROCESSES
        _shut_keys()
    for name, most in limits.items():
        with suppress(OSError, ValueError):  # macOS knows no limit of AS
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))


# Kernel's name of a machine, and the calls add_key, request_key and keyctl there.
_KEYS = {"x86_64": (0xC000003E, (248, 249, 250)), "aarch64": (0xC00000B7, (217, 218, 219))}


def _shut_keys() -> None:
    """Refuse all calls about the kernel's keys: a session's keyring goes through any namespace.

    Two students could leave texts there for each other, and read the marker's.
    """
    if platform.machine() not in _KEYS:
        raise OSError(f"no cage for {platform.machine()}: its calls about keys are not known here")
    machine, calls = _KEYS[platform.machine()]
    deny, allow = 0x00050000 | errno.EPERM, 0x7FFF0000  # SECCOMP_RET_ERRNO, SECCOMP_RET_ALLOW
    steps = [(0x20, 0, 0, 4), (0x15, 1, 0, machine), (0x06, 0, 0, deny)]  # another kind of call
    steps += [(0x20, 0, 0, 0), (0x35, 0, 1, 0x40000000), (0x06, 0, 0, deny)]  # x32's numbers
    for call in calls:
        steps += [(0x15, 0, 1, call), (0x06, 0, 0, deny)]
    steps.append((0x06, 0, 0, allow))
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    filtered = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(program))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(22, 2, ctypes.create_string_buffer(filtered), 0, 0):  # PR_SET_SECCOMP, filter
        raise OSError(ctypes.get_errno(), "the kernel's keys cannot be shut")


def shut() -> None:
    """Hide this process from its account, end it with its parent, and adopt orphans."""
    if sys.platform.startswith("linux"):
        libc = ctypes.CDLL(None)
        libc.prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
        libc.prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
        libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: orphans become children of this one


def children() -> set[int]:
    """Numbers of the children of this process, with the orphans that it was given; Linux only."""
    numbers = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended since
            if int(stat.read_text().rpartition(")")[2].split()[1]) == os.getpid():
                numbers.add(int(stat.parent.name))
    return numbers


def end(process: subprocess.Popen[bytes], others: set[int]) -> None:
    """End a process that leads its own group, and all children except the given ones."""
    process.kill()
    with suppress(AttributeError, OSError):  # Windows has no groups; it may have none left
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    while left := children() - others:  # it may leave orphans while they are ended
        for number in left:
            with suppress(OSError):
                os.kill(number, signal.SIGKILL)
                os.waitpid(number, 0)
