"""A stranger's paper as evidence: what is shown is stored, what is stored was run, by its own code.

Names such as D3 are those of the review that found the defect.
"""

import ast
import importlib.metadata
import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from claimbook.code import load
from claimbook.results import read_history
from pplab import claims
from pplab_papers.collection import COLLECTION, find_paper, read_result
from tests.claimbook.cases import cases
from tests.helpers import ROOT, edit, ended, output_of, run, verdicts

HEAD = "id,kind,place,setting,published,rule,part,select,draws,repeats,criterion,null,follows,cause"
HEAD += ",same_as,changed,note"
NUMBER = "reading-club:{0},number,Table 1,{0},{1},rounded,{2},{3},,,,,,,,,\n"
UNTESTED = NUMBER.replace("rounded,{2},{3},,,,,,,,,", "not-testable,,,,,,,,,,,no data")
SENTENCE = 'reading-club:{0},statement,Table 1,{0},words,holds,{1},,,,"{2}",,,,,,\n'


def git(folder, *arguments):
    named = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    ended("git", "-C", folder, *named, *arguments)


def commit(folder):
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "all")


@pytest.fixture
def club(tmp_path):
    folder = tmp_path / "reading-club"
    assert run("ledger", "new", folder).exit_code == 0
    return folder


@pytest.fixture
def bare(club):
    """A folder for rules and parts of a test's own, which need no data."""

    def made(rules, parts, choices=()):
        head = (club / "choices.csv").read_text().splitlines()[0]
        (club / "rules.csv").write_text(f"{HEAD}\n{''.join(rules)}")
        (club / "choices.csv").write_text("\n".join([head, *choices, ""]))
        start = "import pandas as pd\nfrom claimbook.part import Part\n"
        (club / "parts.py").write_text(f"{start}{parts}\n")
        return club

    return made


def parts(**tables):
    """Code of parts that give these rows."""
    listed = ", ".join(
        f'Part("reading-club", "{name}", lambda: pd.DataFrame({rows}))'
        for name, rows in tables.items()
    )
    return f"PARTS = ({listed},)"


VERDICTS = {
    "section-1:members": "reproduced",
    "section-1:books": "reproduced",
    "table-1:attendance": "reproduced-under-reading",
    "section-2:formula": "misprint",
    "section-2:rises": "refuted",
    "section-3:other-club": "not-testable",
}


def test_the_example_runs_and_stays_in_its_folder(club):
    output_of("reproduce", club)
    assert verdicts(club) == VERDICTS
    assert (club / "results" / "claims.html").is_file()
    assert "finished before" in run("reproduce", club).output
    assert "reading-club" not in set(claims()["paper"])
    text = output_of("claims", club)
    assert all(verdict in text for verdict in VERDICTS.values())
    one = run("claims", "section-1:books", "--paper", club, "--full").output
    assert re.search(r"code: +parts.py:\d+ ", one)


def test_a_rule_or_a_choice_changed_after_the_run_is_caught_and_its_first_verdict_stays(club):
    run("reproduce", club)
    edit(club / "rules.csv", ",1.65,rounded", ",1.8,rounded")
    edit(club / "choices.csv", "| members who", "| only members who")
    edit(club / "parts.py", '"members who', '"only members who')
    changed = ("section-1:books", "table-1:attendance")
    assert verdicts(club) == VERDICTS | dict.fromkeys(changed, "open")
    run("reproduce", club)
    assert verdicts(club)["section-1:books"] == "differs"
    for name, then in zip(changed, ("differs", "reproduced-under-reading"), strict=True):
        past = [line for line in read_history(find_paper(club)) if line["id"].endswith(name)]
        assert [line["verdict"] for line in past] == [VERDICTS[name], then]
        assert past[0]["hash"] != past[1]["hash"]
    row = claims(paper=club).set_index("id").loc["reading-club:section-1:books"]
    assert row["first_verdict"] == "reproduced"


# Evidence.


def test_d1_a_forged_row_is_found_and_run_again(club):
    edit(club / "rules.csv", ",1.65,rounded", ",1.80,rounded")
    run("reproduce", club)
    edit(club / "results/reading-club/attendance.json", '"value": 1.65', '"value": 1.8012')
    checked = output_of("reproduce", club, "--check", code=1)
    assert "recorded differs, the stored rows say reproduced" in checked
    text = run("reproduce", club).output
    assert "attendance: running on real data (stored, but not run here)" in text
    assert verdicts(club)["section-1:books"] == "differs"


@pytest.mark.parametrize(("old", "new"), cases("cases.txt", "rules after the run"))
def test_d3_a_sentence_about_the_print_is_judged_by_the_rule_of_its_run(bare, old, new):
    least = SENTENCE.format("least", "print", 'printed(""reading-club:a"") <= 2')
    club = bare([UNTESTED.format("a", "3"), least], "PARTS = ()")
    run("reproduce", club)
    edit(club / "rules.csv", old, new)
    assert verdicts(club)["least"] == "open"
    run("reproduce", club)
    past = [line["verdict"] for line in read_history(find_paper(club))]
    assert past == ["inconsistent", "consistent" if "9" in new else "inconsistent"]


def test_d3_changed_code_and_data_are_told_before_the_next_run(club):
    run("reproduce", club)
    edit(club / "parts.py", "the whole year", "all twelve months")
    edit(club / "data.toml", "7a785c", "7a785d")
    text = run("claims", club).output
    assert "attendance, months: the code differs from that of the run" in text
    assert "attendance, months: the data differ from those of the run" in text


def test_d4_only_commits_show_that_rules_were_fixed_before(club):
    unshown = "nothing shows that rules were fixed before the run (rules uncommitted)"
    commit(club)
    edit(club / "rules.csv", ",1.65,", ",1.7,")
    message = run("reproduce", club).output
    assert "the rules are in no commit (uncommitted): commit them" in message
    page, table = (club / "results/claims.html").read_text(), run("claims", club).output
    assert all(f"attendance, months: {unshown}" in text for text in (message, page, table))
    commit(club)  # after the run: too late
    assert unshown in run("claims", club).output
    run("reproduce", club, "--again")
    commit(club)
    assert "nothing shows" not in run("claims", club).output
    asked = run("claims", "section-1:books", "--paper", club, "--full").output
    assert re.search(r"rules of: +[0-9a-f]{40}\s+\(fixed before the run: yes\)", asked)


def test_d4_a_paper_without_data_has_no_stand_in(bare):
    club = bare([NUMBER.format("a", "3", "sums", "")], parts(sums=[{"value": 3}]))
    run("reproduce", club)
    page = (club / "results/claims.html").read_text()
    assert "come from real data or need none" in page
    assert "STAND-IN DATA" not in page


def test_d7_a_clone_runs_before_it_says_reproduced(club, tmp_path):
    run("reproduce", club)
    commit(club)
    git(tmp_path, "clone", "-q", club, "clone")
    clone = tmp_path / "clone"
    assert not (clone / "results/.finished").exists()
    shutil.copytree(club / "results/.finished", clone / "results/.finished")
    one = run("reproduce", clone, "--part", "months", "--yes").output
    assert "[1/1] reading-club months: running on real data (stored, but not run here)" in one
    assert "reading-club: stored, but not run here: attendance" in one
    assert "reading-club attendance: running" in run("reproduce", clone).output
    assert run("reproduce", clone).output.count("finished before") == 2


def test_d8_a_typo_in_a_rule_costs_no_run_and_is_told(club):
    edit(club / "rules.csv", "quantity=books", "quantity=boks")
    noted = "    with Path('runs').open('a') as file:\n        file.write('x')\n"
    edit(club / "parts.py", '    """Members, books', f'{noted}    """')
    assert "selects 0 rows" in output_of("reproduce", club, code=1)
    text = "no stored row is selected: quantity is members, books, attendance, not 'boks'"
    assert text in output_of("ledger", "check", club)
    edit(club / "rules.csv", "quantity=boks", "quantity=books")
    assert "attendance: judged by mended rules; nothing was run" in run("reproduce", club).output
    assert (club / "runs").read_text() == "x"
    assert verdicts(club)["section-1:books"] == "reproduced"
    assert "before the run (rules mended after the run)" in run("claims", club).output
    edit(club / "rules.csv", ",1.65,", ",1.66,")  # this rule has given a verdict
    run("reproduce", club)
    assert (club / "runs").read_text() == "xx"


def test_git_runs_no_program_that_a_folder_names(club, tmp_path):
    """Not its monitors, hooks, filters, pagers, or checks of signatures."""
    ran, program = tmp_path / "ran", tmp_path / "program.sh"
    program.write_text(f"#!/bin/sh\necho $0 $@ >> {ran}\ncat\n")
    program.chmod(0o755)
    (club / "hooks").mkdir()
    for hook in ("post-index-change", "reference-transaction"):
        shutil.copy(program, club / "hooks" / hook)
    (club / ".gitattributes").write_text("* filter=own diff=own\n")
    run("reproduce", club)
    git(club, "init", "-q")
    git(club, "add", "rules.csv", "choices.csv")
    git(club, "commit", "-qm", "rules")
    git(club, "remote", "add", "origin", "https://example.org/club")
    run("reproduce", club, "--again")
    git(club, "add", "-A")
    git(club, "commit", "-qm", "results")
    for name, value in cases("cases.txt", "hostile"):
        git(club, "config", name, value.format(program=program, folder=club))
    (club / "rules.csv").touch()  # so that git has to look into it, through the filter
    git(club, "status")
    assert ran.exists(), "the configuration is harmless; nothing is tested"
    ran.unlink()
    (club / "rules.csv").touch()
    assert run("ledger", "check", club).exit_code == 0
    run("claims", club, "--html")
    text = run("claims", "reading-club:section-1:books", "--paper", club, "--full").output
    assert "fixed before the run: yes" in text
    assert "running" in run("reproduce", club, "--again").output
    assert not ran.exists(), ran.read_text()


def test_d13_whatever_stands_in_a_row_can_be_read_back(bare):
    odd = cases("cases.txt", "odd")
    rows = ", ".join(f"{{'value': 3, 'n': {n}, 'odd': {each}}}" for n, (each, _) in enumerate(odd))
    start = "import numpy as np\nfrom decimal import Decimal\nfrom fractions import Fraction\n"
    start += "from pathlib import Path\n"
    club = bare([NUMBER.format("a", "3", "odd", "n=1")], start + parts(odd=f"[{rows}]"))
    assert run("reproduce", club).exit_code == 0
    stored = read_result("reading-club", "odd", club / "results")
    assert [row.get("odd") for row in stored.rows] == [json.loads(read) for _, read in odd]
    text = (club / "results/reading-club/odd.json").read_text()
    json.loads(text, parse_constant=pytest.fail)  # JSON as others know it


# A real project's code.

PROJECT = """from __future__ import annotations
import pandas as pd
from claimbook.part import Part
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from helpers import NUMBER
from lib.deep import half

@dataclass
class Count:
    value: float

def work(number):
    return Count(half(number))

def pooled():
    import networkx
    with ProcessPoolExecutor(2) as pool:
        return pd.DataFrame({"value": [each.value for each in pool.map(work, [NUMBER])]})

PARTS = (Part("reading-club", "pooled", pooled),)
"""


def test_a_project_imports_its_own_files_and_nobody_elses(bare, tmp_path):
    club = bare([NUMBER.format("a", "3", "pooled", "")], "")
    (club / "parts.py").write_text(PROJECT)
    (club / "lib").mkdir()
    (club / "lib/deep.py").write_text("def half(number):\n    return number / 2\n")
    (club / "helpers.py").write_text("NUMBER = 6\n")
    other = tmp_path / "other"
    shutil.copytree(club, other)
    (other / "helpers.py").write_text("NUMBER = 8\n")
    before = sys.path[:], set(sys.modules), Path.cwd()
    for folder, verdict in ((club, "reproduced"), (other, "differs"), (club, "reproduced")):
        assert run("reproduce", folder, "--again", "--yes").exit_code == 0
        assert verdicts(folder) == {"a": verdict}
    assert (sys.path, Path.cwd()) == (before[0], before[2])
    assert not {"parts", "helpers", "lib", "lib.deep"} & (set(sys.modules) - before[1])
    stored = read_result("reading-club", "pooled", club / "results")
    assert stored.versions["networkx"] == importlib.metadata.version("networkx")
    assert "numba" not in stored.versions
    (club / "lib/deep.py").write_text("def half(number):\n    return number / 3\n")
    assert "running" in run("reproduce", club).output
    assert verdicts(club) == {"a": "differs"}


def test_code_that_is_listed_is_in_the_fingerprint_and_pplab_is_not(club):
    edit(club / "paper.toml", 'results = "results"', 'results = "results"\ncode = ["src", "numpy"]')
    (club / "src").mkdir()
    (club / "src/model.stan").write_text("a")
    run("reproduce", club)
    assert "finished before" in run("reproduce", club).output
    (club / "src/model.stan").write_text("b")
    assert "code differs from that of" in run("claims", club).output
    assert "finished before" not in run("reproduce", club).output
    edit(club / "paper.toml", '"numpy"', '"nunpy"')
    assert "code lists 'nunpy', which is no file or folder" in run("reproduce", club).output
    behind = {file.relative_to(ROOT).parent for file in COLLECTION.behind(find_paper(club))}
    assert behind == {Path("packages/claimbook")}


def command(words, output="out.csv", minutes=1, more=""):
    return (
        "from claimbook.command import Command\n"
        f'PARTS = (Part("reading-club", "sums", Command({words}, "{output}", {minutes}){more}),)'
    )


@pytest.mark.skipif(os.name == "nt", reason="these commands are those of a Unix shell")
def test_a_command_in_any_language_writes_the_rows(bare):
    words = ["sh", "run.sh", "{rng}", "{runs}"]
    parts = command(words, more=', seed=3, options={"runs": 9}')
    club = bare([NUMBER.format("a", "3", "sums", "of=rng")], parts)
    printing = "echo working\nprintf 'of,value\\nrng,%s\\nruns,%s\\n' $1 $2 >out.csv"
    (club / "run.sh").write_text(printing)
    assert run("reproduce", club).exit_code == 0
    assert verdicts(club) == {"a": "reproduced"}
    assert (club / "out.csv.log").read_text() == "working\n"
    text = run("claims", "a", "--paper", club, "--full").output
    assert "code:       run.sh:1 sh run.sh {rng} {runs}" in text
    assert "finished before" in run("reproduce", club).output
    (club / "run.sh").write_text('echo \'[{"of": "rng", "value": 2}]\' >out.json')
    edit(club / "parts.py", "out.csv", "out.json")
    run("reproduce", club)
    assert verdicts(club) == {"a": "differs"}


@pytest.mark.skipif(os.name == "nt", reason="these commands are those of a Unix shell")
@pytest.mark.parametrize(("words", "minutes", "message"), cases("cases.txt", "commands"))
def test_a_command_that_fails_is_told_by_its_last_words(bare, words, minutes, message):
    words = json.loads(words)
    club = bare([NUMBER.format("a", "3", "sums", "")], command(words, minutes=minutes))
    (club / "out.csv").write_text("value\n3\n")  # an old table is none of this run
    text = run("reproduce", club)
    assert (text.exit_code, verdicts(club)) == (1, {"a": "open"})
    assert message in text.output
    assert ("no such column" in text.output) == (words[-1].startswith("echo no"))


def test_a_part_that_fails_shows_where_and_the_others_go_on(club):
    (club / "reader.py").write_text("def read():\n    raise KeyError('column')\n")
    edit(club / "parts.py", '    """Members, books', '    import reader; reader.read()\n    """')
    text = output_of("reproduce", club, code=1)
    assert f'File "{club.resolve()}/reader.py", line 2, in read' in text
    assert "packages/claimbook" not in text
    assert "attendance: failed, reader.py, line 2: KeyError: 'column'" in text
    assert "failed: attendance; what the other parts measured is stored" in text
    assert verdicts(club)["section-2:rises"] == "refuted"
    output_of("reproduce", club, "reading-club:section-2:rises", "--check")
    edit(club / "parts.py", "return by_month", "return [], by_month")
    text = output_of("reproduce", club, "--check", "--part", "months", code=1)
    assert "an experiment must give a pandas DataFrame, got ([" in text
    edit(club / "parts.py", "return [], by_month", "return by_month")
    edit(club / "parts.py", '_name="quantity")', '_name="quantity").set_axis([*"aba"], axis=1)')
    text = output_of("reproduce", club, "--check", "--part", "months", code=1)
    assert "an experiment gives columns twice: a; rename one" in text


def test_a_module_that_cannot_be_loaded_leaves_nothing_behind(club):
    before = sys.path[:], set(sys.modules)
    edit(club / "parts.py", "import pandas as pd", "import pandas as pd\nimport nosuchmodule")
    with pytest.raises(ModuleNotFoundError, match="nosuchmodule"):
        load(club / "parts.py", club)
    assert (sys.path, set(sys.modules)) == before


# Light.

NEEDED = ("numpy", "pandas", "scipy", "jinja2", "filelock", "platformdirs", "typer", "lazy-loader")


def test_the_engine_imports_nothing_of_the_other_packages():
    results = set()
    for file in (ROOT / "packages/claimbook").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom):
                results.add(node.module)
            elif isinstance(node, ast.Import):
                results |= {each.name for each in node.names}
    others = {each.partition(".")[0] for each in results} - sys.stdlib_module_names
    assert others == {"claimbook", *(name.replace("-", "_") for name in NEEDED)}


def needed(names):
    """Distributions with all that they need, by name."""
    results, left = {}, list(names)
    while left:
        name = re.sub(r"[-_.]+", "-", left.pop()).lower()
        if name in results:
            continue
        try:
            results[name] = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:  # of another system or Python
            continue
        expected = (each for each in results[name].requires or () if "extra ==" not in each)
        left += [re.match(r"[\w.-]+", each)[0] for each in expected]
    return results


@pytest.mark.verify("commands")
def test_a_foreign_folder_needs_seven_packages(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    for each in needed(NEEDED).values():
        for top in {Path(file).parts[0] for file in each.files} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(each.locate_file(top))
    for folder in ("pplab", "packages/claimbook"):  # nothing else of the five packages
        (site / Path(folder).name).symlink_to(ROOT / folder)
    heavy = {"numba", "sklearn", "matplotlib", "networkx"}
    assert not heavy & {each.name for each in site.iterdir()}
    environment = {"PYTHONPATH": str(site), "PATH": os.environ["PATH"], "HOME": str(tmp_path)}

    def pplab(*arguments):
        command = (sys.executable, "-S", "-m", "pplab", *arguments)
        return ended(*command, cwd=tmp_path, env=environment).stdout

    pplab("ledger", "new", "reading-club")
    assert "1 refuted, 1 misprint" in pplab("reproduce", "reading-club")
    assert "2 reproduced, 1 reproduced-under-reading" in pplab("claims", "reading-club")
    pplab("claims", "page.html", "--paper", "reading-club", "--html")
    for form in ("csv", "json"):
        assert "reading-club" in pplab("claims", "reading-club", "--format", form)
    assert "5 same, " in pplab("reproduce", "reading-club", "--check")
