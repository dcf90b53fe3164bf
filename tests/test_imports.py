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
# What each call or command of one process gives; a line of dashes follows it.
CALLS = """
import pplab
for call in {asked}:
    try:
        print(eval(call))
    except ImportError as error:
        print(error)
    print("-----")
"""
COMMANDS = """
from pplab.__main__ import main
sys.stderr = sys.stdout
for words in {asked}:
    sys.argv = ["pplab", *words]
    try:
        main()
    except SystemExit as end:
        print("status", end.code or 0)
    print("-----")
"""
TABLE = "[[1, 1], [1, 1], [0, 1], [0, 1]]"


def without(*packages, then, asked):
    """Answers of a process that lacks packages."""
    program = WITHOUT.format(packages=set(packages)) + then.format(asked=asked)
    return ended(sys.executable, "-c", program).stdout.split("-----\n")[:-1]


def test_what_pplab_offers_of_a_package_that_is_not_here_names_it():
    """The paper's recipe needs no other package."""
    needed = {
        "check('02-C', 11)": "check needs pplab_course",
        "claims()": "claims needs pplab_papers",
        f"jaccard_certificate({TABLE}, 2)": "jaccard_certificate needs smoothbound",
        f"smooth_k_anonymize({TABLE}, 2)": "greedy_labels needs smoothbound",
    }
    recipe = f"pplab.smooth_k_anonymize({TABLE}, 2, method='paper', rng=1).jaccard"
    others = ("pplab_course", "pplab_papers", "claimbook", "smoothbound")
    *refused, kept = without(*others, then=CALLS, asked=[*(f"pplab.{n}" for n in needed), recipe])
    ends = ", which is not here; install pplab with all its packages\n"
    assert refused == [f"{need}{ends}" for need in needed.values()]
    assert kept == "0.75\n"


def test_without_the_papers_their_ledger_says_what_is_missing(tmp_path):
    """The command has what the packages that are here bring."""
    club = str(tmp_path / "club")
    asked = [["claims"], ["claims", "noise-graphs:theorem-1"], ["reproduce", "smooth"]]
    asked += [["ledger", "new", club], ["ledger", "check", club], ["--help"]]
    answers = without("pplab_papers", "pplab_course", then=COMMANDS, asked=asked)
    ledger, row, paper, _, checked, text = answers
    sentence = "is not here: install it, or name a folder that holds a paper.toml"
    assert ledger == f"pplab: pplab_papers {sentence}\nstatus 1\n"
    assert "pplab_papers is not here" in row
    assert "paper must be one of those of pplab_papers, which is not here, or a folder" in paper
    assert "0 faults" in checked
    statuses = [answer.splitlines()[-1][-1] for answer in answers]
    assert statuses == ["1", "1", "1", "0", "0", "0"]
    assert "claims" in text
    assert "doctor" not in text
    [text] = without("pplab_course", "claimbook", then=COMMANDS, asked=[["data", "--help"]])
    assert "fetch" in text


def test_topics_are_found_and_what_is_not_there_is_said():
    for topic in ("attacks", "plots", "widgets"):
        assert getattr(pplab, topic) is import_module(f"pplab.{topic}")
        assert topic not in pplab.__all__
    with pytest.raises(AttributeError, match="mdaw"):
        pplab.mdaw  # noqa: B018
