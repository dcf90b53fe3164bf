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


# No finder of the process knows these packages, as if they were not installed.
WITHOUT = """
import sys
class Without:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        gone = name.partition(".")[0] in {packages}
        return None if gone else self.finder.find_spec(name, path, target)
    def __getattr__(self, name):
        return getattr(self.finder, name)
sys.meta_path = [Without(finder) for finder in sys.meta_path]
"""
COMMAND = "\nfrom pplab.__main__ import main\nsys.argv = ['pplab', *{words}]\nmain()"
TABLE = "[[1, 1], [1, 1], [0, 1], [0, 1]]"


def without(*packages, then, code=0):
    """Output of a process that lacks packages."""
    program = WITHOUT.format(packages=set(packages)) + then
    done = ended(sys.executable, "-c", program, code=code)
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    ("package", "call", "name"),
    [
        ("pplab_course", "check('02-C', 11)", "check"),
        ("pplab_papers", "claims()", "claims"),
        ("smoothbound", f"jaccard_certificate({TABLE}, 2)", "jaccard_certificate"),
        ("smoothbound", f"smooth_k_anonymize({TABLE}, 2)", "greedy_labels"),
    ],
)
def test_what_pplab_offers_of_a_package_that_is_not_here_names_it(package, call, name):
    result = without(package, then=f"import pplab\npplab.{call}", code=1)
    assert f"ImportError: {name} needs {package}, which is not here; install pplab" in result
    assert "Traceback" in result


def test_the_paper_s_recipe_needs_no_other_package():
    others = ("pplab_course", "pplab_papers", "claimbook", "smoothbound")
    call = (
        f"import pplab\nprint(pplab.smooth_k_anonymize({TABLE}, 2, method='paper', rng=1).jaccard)"
    )
    assert without(*others, then=call) == "0.75\n"


def test_the_command_has_what_the_packages_that_are_here_bring():
    text = without("pplab_course", then=COMMAND.format(words=["--help"]))
    assert "claims" in text
    assert "doctor" not in text
    text = without("pplab_course", "claimbook", then=COMMAND.format(words=["data", "--help"]))
    assert "fetch" in text


def test_without_the_papers_their_ledger_says_what_is_missing(tmp_path):
    papers = ("pplab_papers", "pplab_course")
    text = without(*papers, then=COMMAND.format(words=["claims"]), code=1)
    assert text == (
        "pplab: pplab_papers is not here: install it, or name a folder that holds a paper.toml\n"
    )
    text = without(*papers, then=COMMAND.format(words=["claims", "noise-graphs:theorem-1"]), code=1)
    assert "pplab_papers is not here" in text
    text = without(*papers, then=COMMAND.format(words=["reproduce", "smooth"]), code=1)
    assert "paper must be one of those of pplab_papers, which is not here, or a folder" in text
    club = str(tmp_path / "club")
    without(*papers, then=COMMAND.format(words=["ledger", "new", club]))
    assert "0 faults" in without(*papers, then=COMMAND.format(words=["ledger", "check", club]))


def test_topics_are_found_and_what_is_not_there_is_said():
    for topic in ("attacks", "plots", "widgets"):
        assert getattr(pplab, topic) is import_module(f"pplab.{topic}")
        assert topic not in pplab.__all__
    with pytest.raises(AttributeError, match="mdaw"):
        pplab.mdaw  # noqa: B018
