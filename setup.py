"""The wheel holds the course as well: results, student notebooks, documents; no solutions."""

import runpy
import shutil
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
    """Nothing is packed while a notebook is not what was committed."""
    runpy.run_path("packages/pplab_course/handed_out.py")["refuse_edited"](Path("notebooks"))


class Sources(sdist):
    """The sdist, from which wheels are built."""

    def run(self):
        refuse_edited()
        super().run()


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

    def _course(self):
        refuse_edited()
        found = [sorted(Path().glob(pattern)) for pattern in FILES]
        if missing := [pattern for pattern, files in zip(FILES, found, strict=True) if not files]:
            raise FileNotFoundError(f"the wheel needs {', '.join(missing)}; build it in a clone")
        return [file for files in found for file in files]


setup(cmdclass={"build_py": BuildWithCourse, "sdist": Sources})
