"""The wheel as a student gets it: what is in it, and its course from an empty folder."""

import csv
import importlib.metadata
import os
import re
import sys
import sysconfig
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock
from packaging.metadata import Metadata

import pplab
from tests.helpers import ROOT, ended, served
from tests.project.test_no_leaks import copy_project, project_files

pytestmark = pytest.mark.verify("installation")

NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
# The first, one that reads results and one that reads rules: all results are in the wheel, the
# installed ledger is that of the clone (both below), and the others' code runs in `make test`.
READERS = [name for name in NOTEBOOKS if name[:2] in ("00", "03", "18")]
EXECUTE = ("-m", "nbconvert", "--to", "notebook", "--execute", "--stdout")
EXECUTE += ("--ExecutePreprocessor.timeout=300",)  # a kernel that never answers ends the test


@dataclass(frozen=True)
class Student:
    """An environment into which the wheel was installed, and an empty folder to work in."""

    programs: Path
    files: Path  # sdist and wheel
    folder: Path
    environment: dict[str, str]

    def run(self, program, *arguments, code=0):
        """Run a program of the environment in the student's folder."""
        where = {"cwd": self.folder, "env": self.environment}
        return ended(self.programs / program, *arguments, code=code, **where)


@pytest.fixture(scope="session")
def student(tmp_path_factory):
    """Built and installed once for all processes that run tests, which compile only once, too.

    Packages other than pplab are those of this environment: a second installation takes minutes.
    """
    base = tmp_path_factory.getbasetemp()
    base = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "a student"
    left_out = ("PPLAB_", "PYTHONPATH", "VIRTUAL_ENV", "JUPYTER", "NUMBA_")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(left_out)}
    environment |= {
        "HOME": str(base / "home"),
        "NUMBA_CACHE_DIR": str(base / "compiled"),
        "PPLAB_CACHE": str(base / "no data"),
        "PPLAB_PROGRESS": str(base / "progress"),
    }
    home = base / "environment"
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    made = Student(programs, base / "files", base / "an empty folder", environment)
    base.mkdir(exist_ok=True)
    with FileLock(base / "lock"):
        if not (base / "ready").exists():
            _build(base, made.files)
            venv.create(home, with_pip=False)
            place = sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)})
            [wheel] = made.files.glob("*.whl")
            _pip(made.files, "--python", programs / "python", "install", "--no-deps", wheel)
            # of a folder named so the packages are found, and the clone's own pplab is not
            Path(place, "others.pth").write_text(sysconfig.get_path("purelib"))
            made.folder.mkdir()
            made.run("pplab", "notebooks", "course")
            (base / "ready").touch()
    return made


def _pip(files, *arguments):
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    alone = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}  # pip must not see the clone
    ended(*command, cwd=files, env=alone)


def _build(base, files):
    """The sdist from a copy of the clone, the wheel from the sdist alone."""
    clone = base / "clone"
    copy_project(clone)
    code = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"
    ended(sys.executable, "-c", code, str(files), cwd=clone)
    [sdist] = files.glob("*.tar.gz")
    _pip(files, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", files, sdist)


def test_the_wheel_holds_the_course_and_no_solution(student):
    [wheel] = student.files.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        there = set(packed.namelist())
        metadata = packed.read(next(name for name in there if name.endswith("/METADATA")))
    tracked = {path.relative_to(ROOT).as_posix() for path in project_files(ROOT)}
    packaged = (name for name in tracked if name.startswith(("pplab/", "packages/")))
    ours = {name.removeprefix("packages/") for name in packaged}
    assert ours <= there
    course = {name.removeprefix("pplab/_files/") for name in there if "/_files/" in name}
    made = {"data/results/fixed.json"}  # what the clone knows of its commits
    assert course - tracked == made, "the wheel holds what the clone does not"
    results = {name for name in tracked if re.fullmatch(r"data/results/.*\.json", name)}
    assert course >= results | {f"notebooks/{name}" for name in NOTEBOOKS}
    assert "benchmarks/results/frontier.csv" in course  # notebook 12 reads it
    kept = ("solution", "notebooks/src", "teach/answers")
    assert [name for name in there if any(part in name for part in kept)] == []
    result = Metadata.from_email(metadata, validate=True)
    assert str(result.version) == importlib.metadata.version("pplab")
    assert {"lab", "test", "docs", "all"} <= set(result.provides_extra or [])
    assert wheel.stat().st_size < 7_000_000  # 20 notebooks, whose pictures have double resolution
    [sdist] = student.files.glob("*.tar.gz")
    with tarfile.open(sdist) as packed_source:
        names = {name.partition("/")[2] for name in packed_source.getnames()}
    assert course | {"LICENSE", "README.md", "setup.py"} <= names
    assert [name for name in names if name.startswith(("notebooks/solutions", "tests/"))] == []


def test_an_installed_ledger_is_that_of_the_clone(student):
    text = student.run("pplab", "claims", "--format", "csv").stdout
    texts = {row["id"]: row["verdict"] for row in csv.DictReader(text.splitlines())}
    ledger = pplab.claims()
    assert texts == dict(zip(ledger["id"], ledger["verdict"], strict=True))
    assert "open" not in texts.values()
    counted = "import pplab; print(pplab.__file__, 'open' in set(pplab.claims().verdict))"
    file, is_open = student.run("python", "-c", counted).stdout.rsplit(maxsplit=1)
    assert Path(file).is_relative_to(student.programs.parent)
    assert is_open == "False"
    part = ("noise-graphs", "--part", "statements")
    refused = student.run("pplab", "reproduce", *part, code=1)
    assert "set PPLAB_RESULTS to a folder of your own" in refused.stderr
    assert "page: claims.html" in student.run("pplab", "claims", "--html").stdout
    assert (student.folder / "claims.html").is_file()


def test_the_doctor_finds_nothing_to_mend(student):
    text = student.run("pplab", "doctor", "course").stdout
    assert f"{len(NOTEBOOKS)} notebooks in course" in text
    assert "exercises solved" in student.run("pplab", "progress").stdout


@pytest.mark.parametrize("name", READERS, ids=lambda name: name.removesuffix(".ipynb"))
def test_a_notebook_of_the_wheel_runs(student, name):
    text = student.run("python", *EXECUTE, Path("course", name)).stdout
    assert "no answer yet" in text, "this is not the students' notebook"
    assert str(student.programs.parent) not in text


def test_lab_serves_the_first_notebook(student, tmp_path):
    options = ["--no-browser", "--allow-root", "--ServerApp.port=0"]
    command = [student.programs / "pplab", "lab", "my course", *options]
    named = re.compile(r"http://127\S+/lab/tree/(\S+)\?token=\S+")
    where = {"cwd": student.folder, "env": student.environment}
    with served(command, named, tmp_path / "said.txt", **where) as address:
        assert address[1] == NOTEBOOKS[0]
    assert (student.folder / "my course" / NOTEBOOKS[0]).is_file()
