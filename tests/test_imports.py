"""What `import pplab` loads, and that its names are all there."""

import inspect
import sys

import pytest

import pplab
from tests.conftest import COLLECTED, SHARES
from tests.helpers import ROOT, ended


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


# No finder of the process knows these packages, as if they were not installed. What each call
# gives, or ends with, is followed by a line of dashes.
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

import pplab
from pplab.__main__ import main
def command(words):
    sys.argv = ["pplab", *words.split()]
    main()
sys.stderr = sys.stdout
for call in {calls}:
    try:
        print(eval(call))
    except (ImportError, SystemExit) as end:
        print(end)
    print("-----")
"""
TABLE = "[[1, 1], [1, 1], [0, 1], [0, 1]]"


def without(*packages, calls):
    """What calls give, one after the other in a process that lacks packages."""
    program = WITHOUT.format(packages=set(packages), calls=calls)
    return ended(sys.executable, "-c", program).stdout.split("-----\n")[:-1]


def test_what_pplab_offers_of_a_package_that_is_not_here_names_it():
    """The paper's recipe needs no other package."""
    needed = {
        "pplab.check('02-C', 11)": "check needs pplab_course",
        "pplab.claims()": "claims needs pplab_papers",
        f"pplab.jaccard_certificate({TABLE}, 2)": "jaccard_certificate needs smoothbound",
        f"pplab.smooth_k_anonymize({TABLE}, 2)": "greedy_labels needs smoothbound",
    }
    recipe = f"pplab.smooth_k_anonymize({TABLE}, 2, method='paper', rng=1).jaccard"
    others = ("pplab_course", "pplab_papers", "claimbook", "smoothbound")
    *refused, kept = without(*others, calls=[*needed, recipe])
    ends = ", which is not installed; install pplab with all its packages\n"
    assert refused == [f"{need}{ends}" for need in needed.values()]
    assert kept.splitlines()[-1] == "0.75"  # where it was never compiled, a notice comes first


def test_without_the_papers_their_ledger_says_what_is_missing(tmp_path, monkeypatch):
    """The command has what the packages that are here bring."""
    monkeypatch.chdir(tmp_path)
    asked = ["claims", "claims noise-graphs:theorem-1", "reproduce smooth", "ledger new club"]
    calls = [f"command({words!r})" for words in (*asked, "ledger check club", "--help")]
    answers = without("pplab_papers", "pplab_course", calls=calls)
    ledger, row, paper, _, checked, text = answers
    assert ledger == (
        "pplab: pplab_papers is not here: install it, or name a folder that holds a paper.toml\n1\n"
    )
    assert "pplab_papers is not here" in row
    assert "paper must be one of those of pplab_papers, which is not here, or a folder" in paper
    assert "0 faults" in checked
    assert [answer.split()[-1] for answer in answers] == ["1", "1", "1", "0", "0", "0"]
    assert "claims" in text
    assert "doctor" not in text
    [text] = without("pplab_course", "claimbook", calls=["command('data --help')"])
    assert "fetch" in text


# Nothing falls out of the suite unnoticed, and each test is in one of the two tiers.


def not_collected(collected):
    """Folders of tests/, and the packages themselves, from which no test comes."""
    results = {folder for path in collected for folder in path.parents}
    expected = {path.parent for path in (ROOT / "tests").rglob("*.py")} | {
        ROOT / "pplab",
        *(ROOT / "packages").iterdir(),
    }
    return sorted(str(folder.relative_to(ROOT)) for folder in expected - results)


def test_every_folder_collects(request):
    if COLLECTED not in request.config.stash:
        pytest.skip("only a part of the suite was asked for")
    assert not_collected(request.config.stash[COLLECTED]) == []


def test_the_shares_are_45_minutes_of_two_processes():
    assert sum(SHARES.values()) == 90


def test_help_names_what_a_function_takes():
    shown = str(inspect.signature(pplab.noise_graph))
    assert "adjacency: pplab.graphs.GraphLike" in shown
    assert "Generator | None" in shown
