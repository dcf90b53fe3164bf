"""Rerunning: skip what is finished, survive a kill, never mix stand-in and real results."""

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pandas as pd
import pytest

from claimbook import reproduce as module
from claimbook.part import Part
from claimbook.reproduce import check_again, compare, load_part, reproduce, run_part, select_parts
from claimbook.results import Result
from claimbook.rules import Claim
from claimbook.verdicts import judge_stored
from pplab_papers import PARTS, collection
from pplab_papers.collection import COLLECTION, papers, read_result
from tests.claimbook.cases import cases
from tests.helpers import ROOT, ended, is_finished, until

OURS = papers()["noise-graphs"]
TABLE1 = PARTS["noise-graphs", "table1"]
SIZES = PARTS["noise-graphs", "movielens_sizes"]


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setenv("PPLAB_RESULTS", str(tmp_path / "results"))
    return tmp_path / "results"


def lines_of(parts, **options):
    lines = []
    experiments = [(papers()[part.paper], part) for part in parts]
    folder = reproduce(experiments, say=lines.append, **options)
    return folder, lines


def test_finished_parts_are_not_redone_unless_asked(results):
    folder, first = lines_of([TABLE1])
    assert folder == results
    assert "running on no data" in first[0]
    assert "20 claims measured" in first[1]
    assert lines_of([TABLE1])[1] == ["[1/1] noise-graphs table1: finished before, nothing to do"]
    assert "running" in lines_of([TABLE1], again=True)[1][0]
    assert "finished before" in lines_of([TABLE1], full=True)[1][0]  # it has no other options


def test_a_full_run_serves_where_a_plain_one_is_asked_for(results):
    def counted(*, runs=2):
        return pd.DataFrame({"value": [runs]})

    part = Part("noise-graphs", "counted", counted, full_options={"runs": 9})
    assert run_part(OURS, part, {}, folder=results).options == {"runs": 2}
    assert is_finished(OURS, part, {}, folder=results)
    assert not is_finished(OURS, part, {}, folder=results, full=True)
    assert run_part(OURS, part, {}, folder=results, full=True).options == {"runs": 9}
    assert is_finished(OURS, part, {}, folder=results)
    assert is_finished(OURS, part, {}, folder=results, full=True)


def test_whole_numbers_are_stored_whole_and_fractions_to_ten_digits(results):
    def counted():
        return pd.DataFrame({"value": [12345678901, None, 0.1 + 0.2, 1e300]})

    stored = run_part(OURS, Part("noise-graphs", "counted", counted), {}, folder=results).rows
    assert [row.get("value") for row in stored] == [12345678901, None, 0.3, 1e300]


def test_processor_time_of_threads_and_other_processes_is_stored_beside_the_clock(results):
    spin = "import time\nwhile time.process_time() < 0.4: pass"

    def worked(*, how):
        if how == "elsewhere":
            subprocess.run([sys.executable, "-c", spin], check=True)
        elif how == "here":
            end = time.process_time() + 0.4
            while time.process_time() < end:
                pass
        else:
            time.sleep(0.4)
        return pd.DataFrame({"value": [1]})

    for how, least, most in (("elsewhere", 0.3, 5), ("here", 0.3, 5), ("asleep", 0, 0.3)):
        part = Part("noise-graphs", how, worked, fixed={"how": how})
        run = run_part(OURS, part, {}, folder=results)
        assert run == read_result("noise-graphs", how)
        assert least <= run.processor_seconds < most
        assert run.seconds >= 0.3


def test_a_changed_rule_makes_the_part_run_again(results, monkeypatch):
    lines_of([TABLE1])
    assert is_finished(OURS, TABLE1, {}, folder=results)
    fewer = [claim for claim in module.read_rules(OURS) if not claim.id.endswith("epsilon")]
    with monkeypatch.context() as patch:
        patch.setattr(module, "read_rules", lambda _: tuple(fewer))
        assert not is_finished(OURS, TABLE1, {}, folder=results)
    # nor does the result alone, as in a fresh clone, prove that this machine ran it
    module._marker(TABLE1, results).unlink()
    assert not is_finished(OURS, TABLE1, {}, folder=results)


def test_a_part_depends_on_the_library_and_its_own_paper_only(results, monkeypatch, tmp_path):
    """A comma in an exercise, a plot or another paper does not make anybody measure again."""
    for folder in ("pplab", "packages"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("*.nb*"))
    papers = tmp_path / "packages" / "pplab_papers"
    monkeypatch.setattr(collection, "_ROOT", tmp_path)
    monkeypatch.setattr(collection, "_HERE", papers)
    lines_of([TABLE1])
    own = ["packages/pplab_papers/noise_graphs/paper.py", "pplab/response/__init__.py"]
    own += ["pplab/checks.py", "pplab/datasets/catalog.toml", "packages/claimbook/__init__.py"]
    own += ["packages/smoothbound/greedy.py", "packages/pplab_papers/collection.py"]
    others = ["pplab/cli.py", "pplab/plots/style.py", "pplab/widgets.py"]
    others += [str(papers / "smooth" / "paper.py"), "packages/pplab_course/start.py"]
    for name in (*own, *others):
        text = (tmp_path / name).read_text()
        (tmp_path / name).write_text(f"{text}# a comma\n")
        assert is_finished(OURS, TABLE1, {}, folder=results) is (name not in own), name
        (tmp_path / name).write_text(text)


def test_a_stand_in_run_goes_beside_the_real_results(results):
    folder, lines = lines_of([TABLE1, SIZES], source="standin")
    assert folder == results.with_name("results-standin")
    assert not results.exists()
    assert any("STAND-IN" in line for line in lines)
    stored = {SIZES.name: read_result("noise-graphs", SIZES.name, folder)}
    ids = stored[SIZES.name].rules
    verdicts = {each.verdict for each in judge_stored(OURS, stored, only=ids).values()}
    assert verdicts == {"shape-only"}


@pytest.mark.usefixtures("results")
def test_a_part_without_data_is_left_out_unless_it_is_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("PPLAB_DATA", str(tmp_path))
    monkeypatch.setenv("PPLAB_CACHE", str(tmp_path / "cache"))
    beyond = PARTS["social", "beyond"]  # Ciao has no stand-in
    lines = lines_of([beyond, TABLE1])[1]
    assert lines[0].startswith("social beyond: left out, ciao has no stand-in")
    assert "20 claims measured" in lines[-1]
    for alone in ({"parts": [beyond]}, {"parts": [beyond, TABLE1], "source": "real"}):
        with pytest.raises(FileNotFoundError, match="PPLAB_DATA"):
            lines_of(**alone)


def test_real_results_carry_checksums(results, real_data):
    data = load_part(OURS, SIZES)
    result = run_part(OURS, SIZES, data, folder=results)
    assert result.source == "real"
    assert set(result.checksums) >= {"movielens-100k/u.data", "movielens-100k/u1.base"}
    verdicts = judge_stored(OURS, {SIZES.name: result}, only=result.rules)
    assert {each.verdict for each in verdicts.values()} == {"reproduced"}
    assert real_data.is_dir()


QUICK = [PARTS["noise-graphs", name] for name in ("statements", "table1", "table1_sizes")]
# `pplab reproduce` of these, and of one that does not end when that is asked for.
RUN = """
import signal, sys, time
from pplab.__main__ import main
from claimbook import reproduce as module
from pplab_papers.collection import papers
from claimbook import Part
from pplab_papers import PARTS
signal.signal(signal.SIGINT, signal.default_int_handler)
parts = [PARTS["noise-graphs", name] for name in {names}]
if sys.argv.pop() == "endless":
    parts.append(Part("noise-graphs", "endless", lambda: time.sleep(600)))
module.select_parts = lambda *_, **__: [(papers()["noise-graphs"], part) for part in parts]
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL and sends no SIGINT")
@pytest.mark.verify("commands")
@pytest.mark.parametrize("moment", [1, 3])  # results stored when it is struck
@pytest.mark.parametrize("name", ["SIGKILL", "SIGINT"])
def test_a_run_struck_at_any_moment_loses_nothing_finished(results, name, moment):
    blow = getattr(signal, name)
    run = RUN.format(names=[part.name for part in QUICK])
    command = [sys.executable, "-c", run, "reproduce"]
    with subprocess.Popen([*command, "endless"], stderr=subprocess.PIPE, text=True) as process:
        until(lambda: len([*results.rglob("*.json")]) >= moment, seconds=100, of=process)
        process.send_signal(blow)
        _, result = process.communicate()
    stopped = "\npplab: stopped; what is finished is kept, the same command goes on\n"
    code, words = (130, stopped) if blow == signal.SIGINT else (-blow, "")
    assert (process.returncode, result) == (code, words)
    finished = [part for part in QUICK if is_finished(OURS, part, {}, folder=results)]
    assert len(finished) >= moment - 1
    for file in results.rglob("*.json"):
        assert read_result("noise-graphs", file.stem, results) is not None  # whole
    again = ended(*command, "all").stdout
    assert all(f"{part.name}: finished before" in again for part in finished)
    assert all(is_finished(OURS, part, {}, folder=results) for part in QUICK)
    assert not list(results.rglob(".*.new"))


def test_parts_are_chosen_by_name():
    [one] = select_parts(COLLECTION.chosen("noise-graphs"), "table3")
    assert one == (OURS, PARTS["noise-graphs", "table3"])
    every = select_parts(COLLECTION.chosen())
    decided_by_print = [paper for paper, part in every if part.name == "print"]
    assert len(every) == len(PARTS) + len(decided_by_print)
    assert len(decided_by_print) >= 3


# Checking: a stored run against another one.


def test_a_check_says_what_moved_and_overwrites_nothing(results):
    stored = run_part(OURS, TABLE1, {}, folder=results)
    file = results / "noise-graphs" / "table1.json"
    before = file.read_bytes()
    texts = []
    result = check_again([(OURS, TABLE1)], say=texts.append)
    assert {each.state for each in result} == {"same"}
    assert len(texts) == len(result) + 1 == len(stored.rules) + 1
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("factor", "forged", "runs", "recorded", "state"), cases("cases.txt", "states")
)
def test_states_of_a_check(monkeypatch, factor, forged, runs, recorded, state):
    claim = Claim("a:1", "a", "number", "", "", "2.5", "rounded", "p")
    monkeypatch.setattr("claimbook.verdicts.read_rules", lambda _: (claim,))
    monkeypatch.setattr("claimbook.reproduce.recorded", lambda _: {"a:1": recorded})
    row = {"value": 2.51 * float(forged), "runs": 5, "se": 0.0, "witness": "two"}
    rules = {"a:1": claim.rule_hash}
    stored = Result("a", "p", "real", 1, {}, {}, {}, "", rules, 1, [row])
    rows = [{"value": 2.51 * float(factor), "runs": int(runs), "se": 0.0, "witness": "three"}]
    again = replace(stored, rows=rows), replace(stored, rows=rows, source="standin")
    result, other = (next(compare(OURS, [claim], {"p": stored}, run)) for run in again)
    assert result.state == state
    kept = (forged, recorded) == ("1", "reproduced")
    assert other.state == ("other data" if kept else state)  # a stand-in changes no verdict
