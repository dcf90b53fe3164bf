"""The builder of the notebooks, as modules, and a small source to try it on."""

import sys

import pytest

from tests.helpers import ROOT, script

NOTEBOOKS = ROOT / "notebooks"

SAMPLE = """\
# %% [markdown]
# # A sample

# %%
import random

numbers = [random.Random(seed).randint(1, 6) for seed in range(3)]

# %% tags=["nbval-check-output"]
print("the sum is", sum(range(10)))

# %% tags=["real-data", "nbval-check-output"]
print("a value that depends on data:", 42)

# %% tags=["solution", "nbval-check-output"]
def check(name, answer):
    return f"{name}: {answer(3)}"


def double(number):
    # YOUR CODE: twice the number
    twice = number + number
    return twice


check("double", double)
"""


def _load(name):
    if str(NOTEBOOKS) not in sys.path:
        sys.path.append(str(NOTEBOOKS))  # at the end: `build` is also the name of a package
    return script(NOTEBOOKS / f"{name}.py")


@pytest.fixture(scope="session")
def cells():
    """notebooks/cells.py"""
    return _load("cells")


@pytest.fixture(scope="session")
def build():
    """notebooks/build.py"""
    return _load("build")


def _written(folder):
    source = folder / "src" / "00_sample.py"
    source.parent.mkdir()
    source.write_text(SAMPLE, encoding="utf-8")
    return source


@pytest.fixture
def sample(tmp_path):
    """A source file in a folder that looks like notebooks/."""
    return _written(tmp_path)


@pytest.fixture(scope="session")
def built_sample(tmp_path_factory, build):
    """The same, run and written once for all tests; copy it before changing it."""
    source = _written(tmp_path_factory.mktemp("built"))
    build.build(source)
    return source.parent.parent
