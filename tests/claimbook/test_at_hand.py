"""Data that were not at hand: as soon as the files are there, the same part gives verdicts."""

import gzip
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import pplab.datasets
from claimbook.reproduce import load_part, run_part
from claimbook.verdicts import judge_stored
from pplab.datasets.load import load_dataset
from pplab.datasets.store import DataFileError
from pplab_papers import PARTS
from pplab_papers.collection import papers, read_result
from pplab_papers.smooth import copies, paper
from tests.datasets.made import joke_row, use_catalog, without_data, write_files, write_jokes
from tests.helpers import is_finished, output_of
from tests.pplab_papers.parts import first_rows

SMOOTH, SUPPRESSED = papers()["smooth"], "smooth:table-3:dblp:smooth:suppressed"
GRAPHS = PARTS["smooth", "copies_graphs"]
OWN = {name: GRAPHS.datasets[name] for name in GRAPHS.instead}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("PPLAB_RESULTS", str(tmp_path / "results"))
    monkeypatch.setenv("PPLAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PPLAB_DATA", str(tmp_path / "data"))
    return tmp_path


def test_a_graph_of_its_kind_gives_way_to_the_papers_own(place, monkeypatch):
    without_data(place, monkeypatch)
    row = {"data": "dblp", "quantity": "suppressed", "method": "smooth", "k": 8, "runs": 5}
    printed = pd.DataFrame([row | {"value": 92.5, "se": 0.01}])
    part = replace(GRAPHS, experiment=lambda **_: printed, datasets=OWN, full_options={})
    for name, source, verdict in (
        ("dblp-2010", "", ""),
        ("cnr-2000", "other data", "shape-only"),
        ("com-dblp", "other data", "shape-only"),  # the other one is still another's
        ("web-stanford", "real", "reproduced"),
    ):
        write_files(place / "data" / name, name)
        if not source:
            continue
        data = load_part(SMOOTH, part)
        assert not is_finished(SMOOTH, part, data, folder=place)
        result = run_part(SMOOTH, part, data, folder=place)
        assert is_finished(SMOOTH, part, data, folder=place)
        assert result.source == source
        judgement = judge_stored(SMOOTH, {part.name: result}, only={SUPPRESSED})[SUPPRESSED]
        assert judgement.verdict == verdict
        assert ("not at hand here" in judgement.note) is (source == "other data")
    files = {"com-dblp/com-dblp.ungraph.txt.gz", "web-stanford/web-Stanford.txt.gz"}
    assert set(result.checksums) == files


def write_snap(path, source, target):
    """Pairs of numbers in the form in which SNAP publishes them."""
    nodes = len(np.union1d(source, target))
    head = f"# Nodes: {nodes} Edges: {len(source)}\n# FromNodeId\tToNodeId"
    pairs = pd.DataFrame({"from": source, "to": target}).to_csv(sep="\t", header=False, index=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(f"# made\n{head}\n{pairs}".encode(), 1))
    return path


def small(dblp, stanford, *, rng, repetitions):
    """The experiment on some rows of each."""
    tables = [load_dataset(name, source="standin") for name in ("adult", "playstore")]
    cut = [first_rows(table, 200) for table in (*tables, dblp, stanford)]
    return copies.copies_graphs(*cut, rng=rng, repetitions=repetitions)


def reproduced(*asked):
    assert "running on real data" in output_of("reproduce", *asked)
    return read_result(asked[0], asked[2])


@pytest.mark.verify("commands")
def test_made_snap_files_of_full_size_are_judged_by_one_command(place, monkeypatch):
    made = load_dataset("com-dblp", source="standin").biadjacency
    file = place / "data" / "com-dblp" / "com-dblp.ungraph.txt.gz"
    low, high = sparse.triu(made).coords
    write_snap(file, *(np.append(ends, ends[0]) for ends in (low, high)))  # one is listed again
    lines = r"is not .* 1,049,867 lines of arcs, expected .* 1,049,866 lines of arcs;"
    with pytest.raises(DataFileError, match=f"{re.escape(str(file))} {lines}"):
        load_dataset("com-dblp")
    write_snap(file, low, high)
    pages, linked = load_dataset("web-stanford", source="standin").biadjacency.tocoo().coords
    nodes, columns = 281_903, 261_588
    file = place / "data" / "web-stanford" / "web-Stanford.txt.gz"
    write_snap(file, pages + 1, linked + 1 + nodes - columns)
    part = replace(GRAPHS, experiment=small, datasets=OWN, options={"repetitions": 5})
    monkeypatch.setattr(paper, "BLOCK_MODEL", {**paper.BLOCK_MODEL, "block_size": 20, "blocks": 8})
    monkeypatch.setattr("claimbook.reproduce.select_parts", lambda *_, **__: [(SMOOTH, part)])
    result = reproduced("smooth", "--part", "copies_graphs")
    assert result.source == "real"
    verdicts = judge_stored(SMOOTH, {part.name: result}, only=result.rules)
    encoded = verdicts.pop("smooth:section-6:higher-than-dblp:playstore")
    assert encoded.note.startswith("Measured by a substitute")
    ours = {name: each for name, each in verdicts.items() if re.search("dblp|stanford", name)}
    assert len(ours) == 14 + 8  # numbers, statements
    assert not {"shape-only", "open"} & {each.verdict for each in ours.values()}


@pytest.mark.verify("commands")
def test_made_jester_files_of_full_size_are_judged_by_one_command(place, monkeypatch):
    text = Path(pplab.datasets.__file__).with_name("catalog.toml").read_text()
    other = re.sub(r'("jester-data-1.zip" = ){.*}', r"\1{}", text)  # these are other numbers
    (place / "catalog.toml").write_text(other)
    use_catalog(monkeypatch, place / "catalog.toml")
    rows = [joke_row(dict.fromkeys(range(1, count), 2.5)) + "\n" for count in range(2, 102)]
    for part, users, portion in (
        (1, 24_983, "part 1 of 3"),
        (2, 23_500, "parts 1 and 2 of 3"),
        (3, 24_938, ""),
    ):
        lines = "".join(rows[user % len(rows)] for user in range(users))
        file = place / "data" / "jester" / f"jester-data-{part}.zip"
        if part > 1:
            write_jokes(file, lines[: lines[:-1].rindex("\n") + 1])
            with pytest.raises(DataFileError, match=f"line {users - 1:,}: .*expected {users:,}"):
                load_dataset("jester")
        write_jokes(file, lines)
        assert load_dataset("jester").portion == portion
    result = reproduced("microaggregation", "--part", "jester_sizes")
    assert result.source == "real"
    verdicts = judge_stored(papers()["microaggregation"], {result.part: result}, only=result.rules)
    assert verdicts["microaggregation:data:jester:users"].verdict == "reproduced"
    assert {each.verdict for each in verdicts.values()} <= {"reproduced", "differs"}
