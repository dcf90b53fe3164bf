"""The wheel holds the course as well: results, student notebooks, documents; no solutions."""

import json
import runpy
import shutil
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

# `pplab.shipped` finds them; MANIFEST.in puts the same into the sdist, from which wheels are built.
FILES = (
    "data/results/*/*.json",
    "notebooks/*.ipynb",
    "notebooks/cells.json",
    "docs/*.md",
    "docs/teach/*.md",
    "docs/*.bib",
    "benchmarks/results/frontier.csv",
    "benchmarks/results/vetted.csv",
)


def refuse_edited() -> None:
    """Nothing is packed while a notebook or a page is not what was committed."""
    runpy.run_path("packages/pplab_course/handed_out.py")["refuse_edited"](Path("notebooks"))
    if not Path(".git").exists():
        return
    status = _git("status", "--porcelain", "--", "docs")
    if status.returncode or status.stdout:
        edited = ", ".join(status.stdout.split()[1::2]) or status.stderr
        raise ValueError(
            f"docs has what is not committed and would be packed: {edited}; "
            "commit it, or move yours to another folder"
        )


FIXED = Path("data/results/fixed.json")


def fixed() -> str:
    """True if the rules of each run were committed before its result (`results.fixed_before`).

    Commits are not packed, so an sdist hands on what its clone knew.
    """
    if not Path(".git").exists():  # an sdist, or a copy that knows nothing
        return FIXED.read_text(encoding="utf-8") if FIXED.exists() else "{}"
    known = {}
    for file in sorted(Path().glob(FILES[0])):
        rules = json.loads(file.read_text(encoding="utf-8"))["rules_commit"]
        stored = _git("log", "-1", "--format=%H", "--", str(file)).stdout.strip()
        older = stored and not _git("merge-base", "--is-ancestor", rules, f"{stored}^").returncode
        clean = not _git("status", "--porcelain", "--", str(file)).stdout
        said = "yes" if older and clean else "not shown: the commits say another order, or nothing"
        known[f"{file.parent.name}/{file.stem}"] = said
    return json.dumps(known, indent=1)


def _git(*arguments: str) -> subprocess.CompletedProcess:
    command = ("git", "-c", "safe.directory=*", *arguments)  # the clone may have another owner
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Sources(sdist):
    """The sdist, from which wheels are built."""

    def run(self):
        refuse_edited()
        super().run()

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        Path(base_dir, FIXED).write_text(fixed(), encoding="utf-8")


class BuildWithCourse(build_py):
    """Build the package, then lay the files beside it; an editable one finds them in the clone."""

    def run(self):
        course = [] if self.editable_mode else self._course()
        if not self.editable_mode:  # what an earlier build left would be in the wheel, too
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        for file in course:
            target = Path(self.build_lib, "pplab", "_files", file)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
        if course:
            Path(self.build_lib, "pplab", "_files", FIXED).write_text(fixed(), encoding="utf-8")

    def _course(self):
        refuse_edited()
        found = [sorted(Path().glob(pattern)) for pattern in FILES]
        if missing := [pattern for pattern, files in zip(FILES, found, strict=True) if not files]:
            raise FileNotFoundError(f"the wheel needs {', '.join(missing)}; build it in a clone")
        return [file for files in found for file in files]


if __name__ == "__main__":
    setup(cmdclass={"build_py": BuildWithCourse, "sdist": Sources})
