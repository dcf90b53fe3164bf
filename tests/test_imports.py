"""What `import pplab` loads, and that its names are all there."""

import sys
from importlib import import_module

import pytest

import pplab
from tests.helpers import ended


def loaded_by(program):
    """Modules that a new process has loaded after a program."""
    program = f"import sys\n{program}\nprint(*sys.modules)"
    return set(ended(sys.executable, "-c", program).stdout.split())


def test_importing_pplab_loads_no_topic_and_no_library():
    dear = {"numpy", "scipy", "pandas", "numba", "matplotlib"}
    assert not loaded_by("import pplab, pplab_course, pplab.cli") & dear


def test_a_topic_loads_no_library_that_few_of_its_functions_need():
    dear = {"pandas", "networkx", "matplotlib", "sklearn", "scipy.stats", "community", "IPython"}
    assert (
        not loaded_by("import pplab; pplab.recommend; pplab.communities; pplab.similarity") & dear
    )


def test_an_answer_loads_the_judges_of_its_notebook_alone():
    loaded = loaded_by("import pplab\npplab.check('02-C', 11)")
    judges = {name for name in loaded if name.startswith("pplab_course.nb")}
    assert judges == {"pplab_course.nb02_noise_graphs"}


def test_topics_are_found_and_what_is_not_there_is_said():
    for topic in ("attacks", "plots", "widgets"):
        assert getattr(pplab, topic) is import_module(f"pplab.{topic}")
        assert topic not in pplab.__all__
    with pytest.raises(AttributeError, match="mdaw"):
        pplab.mdaw  # noqa: B018
