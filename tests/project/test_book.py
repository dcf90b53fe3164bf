"""The book lists all that there is to read, and what looks like an id of the ledger is one."""

import json
import math
import re
import sys
from functools import cache

import nbformat
import pytest

from claimbook.page import render_page
from pplab_papers.collection import COLLECTION
from tests.helpers import ROOT, script

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
ANSWERS = sorted(ROOT.glob("docs/teach/answers/*.md"))  # of exams, in no book
DOCUMENTS = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")} - {*ANSWERS})
DOCUMENTS += [ROOT / "data" / "README.md", *sorted(ROOT.glob("examples/*/README.md"))]


@cache
def of_book(name):
    """A script of book/; the reference is imported by the others, as from their own folder."""
    if name not in ("reference", "widgets"):
        sys.modules |= {each: of_book(each) for each in ("reference", "widgets")}
    return script(ROOT / "book" / f"{name}.py")


def test_every_notebook_and_document_is_a_chapter_once():
    chapters = of_book("build").chapters()
    assert len(set(chapters)) == len(chapters)
    files = [*NOTEBOOKS, *DOCUMENTS]
    readable = {file.relative_to(ROOT).with_suffix("").as_posix() for file in files}
    missing = readable - set(chapters)
    assert not missing, f"list {sorted(missing)} in book/_toc.yml"
    made = {"docs/ledger", "docs/references"}  # written for the book alone
    pages = {f"docs/api/{topic}" for topic in of_book("reference").topics()}
    assert set(chapters) - readable == made | pages, "the reference has a page for each topic"
    assert all((ROOT / "book" / f"{name}.md").exists() for name in made)


def test_every_exported_name_stands_in_the_reference_and_is_linked():
    api = of_book("reference")
    for topic, module in api.topics().items():
        text = api.page(topic)
        assert [name for name in module.__all__ if f":: {name}\n" not in f"{text}\n"] == []
    assert "autoclass:: pplab.smooth.anonymize.SmoothAnonymized" in api.page("smooth")
    recommend = "docs/api/recommenders.html#pplab.recommenders.recommend"
    assert api.place("pplab.recommend") == api.place("recommend(...)") == recommend
    assert not any(map(api.place, ("cells", "pplab.smooth.recommend", "top_n", "two words")))
    span = '<span class="n">recommend</span>'
    assert api.in_code(span, "../") == f'<a href="../{recommend}">{span}</a>'
    own = f'<span class="nf">recommend</span>{span}'
    assert api.in_code(own, "../") == own


@pytest.mark.parametrize("file", [*NOTEBOOKS, *DOCUMENTS], ids=lambda file: file.name)
def test_every_id_of_the_ledger_that_is_written_exists(file):
    ledger = of_book("ledger")
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".ipynb":
        cells = nbformat.reads(text, as_version=4).cells
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    written = {name for quoted in text.split("`")[1::2] for name in ledger.names_in(quoted)}
    assert [name for name in sorted(written) if not ledger.rows_of(name)] == []


def test_an_id_a_pattern_and_what_is_neither():
    ledger = of_book("ledger")
    one = "noise-graphs:table-2:age:p=0.4"
    assert ledger.names_in(f"see {one}, p: 3 and https://example.org:80") == [one]
    assert ledger.rows_of(one) == (one,)
    assert one in ledger.rows_of("noise-graphs:table-2:*:p=*")
    assert one in ledger.rows_of("noise-graphs:table-2:{trait}:p={p:g}")
    assert ledger.rows_of("noise-graphs:{claim}") == ()  # it would be half of the ledger
    assert ledger.rows_of("noise-graphs:table-2:shoe-size:p=0.4") == ()


def test_a_row_names_its_places_in_the_book_and_in_no_other_page():
    place = "notebook 02, Play", "notebooks/02_noise_graphs.html#play"
    used = {"noise-graphs:table-2:age:p=0.4": [place]}
    page = render_page(COLLECTION.chosen("noise-graphs"), used=used)
    assert page.count(f'used in <a href="{place[1]}">{place[0]}</a>') == 1
    assert page.count("Back to the book") == 1
    alone = render_page(COLLECTION.chosen("noise-graphs"))
    assert 'used in <a href="' not in alone
    assert "the book" not in alone


def test_links_of_a_page_stay_in_the_book(tmp_path):
    within = of_book("build")._within
    page = tmp_path / "README.md"
    text = "[a](docs/canon.md#x) [b](LICENSE) [c](notebooks/src) [d](docs/references.bib) [e](https://f.g)"
    assert within(text, page, tmp_path) == (
        "[a](docs/canon.md#x) [b](LICENSE) c (`notebooks/src/`) [d](docs/references.md) [e](https://f.g)"
    )
    exams = "docs/teach/answers/exams.md"
    assert within(f"[g]({exams})", page, tmp_path) == f"g (`{exams}`)"
    assert [path.name for path in tmp_path.iterdir()] == ["LICENSE"], "answers are in the book"
    assert (tmp_path / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


def test_a_grid_is_thinned_evenly_and_keeps_its_ends_its_start_and_its_menus():
    thinned = of_book("widgets").thinned
    assert thinned([9, 3], [4, 0], [False, True]) == [list(range(9)), [0, 1, 2]]
    assert thinned([40], [39], [False])[0][:2] == [0, 1]
    for lengths, starts, menus in (
        ([40], [7], [False]),
        ([7, 7], [4, 3], [False, False]),
        ([10, 11, 4], [9, 5, 1], [False, False, False]),
        ([10, 2, 17], [3, 0, 16], [False, True, False]),
    ):
        kept = thinned(lengths, starts, menus)
        assert 25 < math.prod(map(len, kept)) <= 30
        for places, length, start, menu in zip(kept, lengths, starts, menus, strict=True):
            assert sorted({0, start, length - 1} | {*places}) == places
            assert len(places) == length or (len(places) > 2 and not menu)


LOADED = """
import pplab
kinds = ("flip", "none") if pplab.load_dataset("adult", source="standin") else ()
"""
SLIDERS = """
from pplab.widgets import Control, explore
explore(
    lambda axes, p, kind: {"line": axes.plot([0, p])[0], "p": p, "kind": kind},
    say="{kind} at p = {p}, one half < 1.".format_map,
    p=Control("flip probability p", (0.1, 0.2, 0.5), 0.2, "more accurate", "more private"),
    kind=Control("kind", ("flip", "none"), "none"),
)
"""


def test_states_are_kept_until_a_cell_or_the_data_change(tmp_path, monkeypatch, capsys):
    widgets, file = of_book("widgets"), tmp_path / "twins.ipynb"
    monkeypatch.setattr(widgets, "KEPT", tmp_path / "kept")
    cells = [nbformat.v4.new_code_cell(text) for text in (LOADED, SLIDERS, "1 / 0  # never run")]
    cells[1].metadata["tags"] = ["widget"]
    notebook = nbformat.v4.new_notebook(cells=cells)

    nbformat.write(notebook, file)

    def folder():
        return widgets.folders([file])[0], "6 states" in capsys.readouterr().out

    first, drawn = folder()
    assert drawn
    assert folder() == (first, False)
    assert first.name == f"twins-{widgets._key(cells[:2])}"
    other = [nbformat.v4.new_code_cell("3"), cells[1]]
    assert widgets._key(other) not in first.name
    monkeypatch.setattr(widgets, "_surroundings", lambda: ("other data",))
    assert widgets._key(cells[:2]) not in first.name

    widgets.move(notebook, first, tmp_path / "pictures")
    block = notebook.cells[1].outputs[0]["data"]["text/html"]
    result = json.loads(re.fullmatch("<script [^<>]*>([^<]*)</script>", block)[1])
    assert result["controls"][0]["values"] == ["0.1", "0.2", "0.5"]
    assert [control["start"] for control in result["controls"]] == [1, 1]
    assert result["states"][3][1] == "none at p = 0.2, one half < 1."
    assert all((tmp_path / "pictures" / name).exists() for name, _ in result["states"])
    assert result["note"] == ""  # data were loaded, and the widget shows none of them
    notebook.cells[1].source = SLIDERS.replace('("flip", "none")', "kinds")
    widgets.move(notebook, first, tmp_path / "again")
    assert "Drawn on made-up data" in notebook.cells[1].outputs[0]["data"]["text/html"]
