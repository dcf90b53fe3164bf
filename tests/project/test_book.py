"""The book lists all that there is to read, and what looks like an id of the ledger is one."""

import sys
from functools import cache
from pathlib import Path

import nbformat
import pytest

from pplab.ledger.page import render_page
from tests.helpers import script

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "data" / "README.md"])


@cache
def of_book(name):
    """A script of book/; the reference is imported by the others, as from their own folder."""
    if name != "reference":
        sys.modules["reference"] = of_book("reference")
    return script(ROOT / "book" / f"{name}.py")


def test_every_notebook_and_document_is_a_chapter_once():
    chapters = of_book("build").chapters()
    assert len(set(chapters)) == len(chapters)
    readable = {
        file.relative_to(ROOT).with_suffix("").as_posix() for file in [*NOTEBOOKS, *DOCUMENTS]
    }
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
    page = render_page("noise-graphs", used={"noise-graphs:table-2:age:p=0.4": [place]})
    assert page.count(f'used in <a href="{place[1]}">{place[0]}</a>') == 1
    assert page.count("Back to the book") == 1
    alone = render_page("noise-graphs")
    assert 'used in <a href="' not in alone
    assert "the book" not in alone


def test_links_of_a_page_stay_in_the_book(tmp_path):
    within = of_book("build")._within
    page = tmp_path / "README.md"
    text = "[a](docs/canon.md#x) [b](LICENSE) [c](notebooks/src) [d](docs/references.bib) [e](https://f.g)"
    assert within(text, page, tmp_path) == (
        "[a](docs/canon.md#x) [b](LICENSE) c (`notebooks/src/`) [d](docs/references.md) [e](https://f.g)"
    )
    assert (tmp_path / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
