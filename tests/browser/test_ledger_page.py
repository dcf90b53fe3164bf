"""The ledger page in a browser without a network: it finds, sorts, filters, exports, links."""

import csv
import json
import re
from collections import Counter
from importlib.resources import files

import pytest
from jsonschema import validate
from playwright.sync_api import expect

from claimbook.page import write_page
from claimbook.views import NoneFound, found_claims
from pplab import claims
from pplab_papers.collection import COLLECTION, judged_claims, papers
from tests.browser.conftest import SCREENSHOTS
from tests.claimbook import test_find

pytestmark = pytest.mark.verify("browser")
ONE = "noise-graphs:table-3:p=0.05:published-edges"


QUERIES = ("Table 3, k = 9", "k = 9", "table 3 153,864", "1682", "ε = 0.6", "Figure 5", "E(G+g)")
QUERIES += ("clusters", "Casino, DR in %", "Tables 1 and 3", "table-3:p=0.05:", ONE)
QUERIES += (*test_find.QUERIES,)
QUERIES += (*test_find.PLACES, "xyzzy", "k = 900", "quantum", "Table 2, k = 900", "Theorem 5")
QUERIES += (
    "poems of ten thousand words",
    "smooth:theorm-5.5:as-printed",
    "Tables 1, 2 and 30",
    "Lemma A1",
    "Fig. 1-4",
    "Figures 3a and 3c",
    "smoooth",
    "Table 1, p = .05",
)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """The page, written once."""
    return write_page(tmp_path_factory.mktemp("page") / "claims.html", COLLECTION.chosen())


@pytest.fixture
def ledger_page(page, file):
    """The page, opened from a file; every attempt to load something else is a failure."""
    command = []
    page.on("request", lambda request: command.append(request.url))
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(file.as_uri())
    assert len(command) == 1
    assert errors == []
    return page


def shown(page):
    rows = page.locator("tbody tr[id]:not([hidden])")  # a paper may be folded
    return rows.evaluate_all("rows => rows.map(row => row.id)")


def column(page, number):
    return page.locator(f"tbody tr:visible td:nth-child({number})").all_inner_texts()


def test_every_claim_is_on_the_page_which_is_small(ledger_page, file):
    assert Counter(shown(ledger_page)) == Counter(claims()["id"])
    ledger_page.set_viewport_size({"width": 640, "height": 505})
    ledger_page.screenshot(path=SCREENSHOTS / "claims_page.png")
    expect(ledger_page.locator("#shown")).to_have_text(f"{len(claims())} of {len(claims())} rows")
    assert file.stat().st_size <= 1_000_000


def test_search_finds_what_the_terminal_finds(ledger_page):
    for query in QUERIES:
        ledger_page.get_by_label("Find").fill(query)
        missing = ""
        try:
            results = [entry.claim.id for entry in found_claims(query, COLLECTION.chosen())]
        except NoneFound as none:
            results, missing = none.nearest, f"{none.missing}; "
        assert sorted(shown(ledger_page)) == sorted(results), query
        assert ledger_page.locator("#shown a").all_inner_texts() == results[:3], query
        text = ledger_page.locator("#shown").inner_text()
        assert text.startswith(f"{missing}{len(results)} of"), query


def _turned(entry):
    return not entry.claim.same_as and len({line["verdict"] for line in entry.history}) > 1


def test_counts_and_filters_narrow(ledger_page):
    entries = [entry for entry in judged_claims() if entry.kind == "number"]
    verdict = "reproduced-under-reading"
    expected = [entry for entry in entries if entry.judgement.verdict == verdict]
    ledger_page.get_by_text("Counts by kind and verdict").click()
    button = ledger_page.locator("#all").get_by_role("button", name=f"{len(expected)} {verdict}")
    button.click()
    assert shown(ledger_page) == [entry.claim.id for entry in expected]
    expect(ledger_page.locator("#verdict")).to_have_value(verdict)
    expect(ledger_page.locator("#verdict")).to_be_visible()
    ledger_page.get_by_label("Find").fill("Table 3, p = 0.05")
    few = [each.claim.id for each in expected if "table-3:p=0.05:" in each.claim.id]
    assert shown(ledger_page) == few
    ledger_page.get_by_label("Find").fill("xyzzy")
    assert shown(ledger_page) == []
    ledger_page.get_by_label("Find").fill("")
    for name in ("kind", "verdict"):
        ledger_page.locator(f"#{name}").select_option("")
    assert len(shown(ledger_page)) == len(claims())
    ledger_page.locator("#past").select_option("changed")
    turned = {entry.claim.id for entry in judged_claims() if _turned(entry)}
    assert {*shown(ledger_page)} == turned
    ledger_page.locator("#past").select_option("")
    ledger_page.locator("#kind").select_option("own")
    ledger_page.locator("#paper").select_option("social")
    assert ledger_page.locator("section:visible").count() == 1


def test_find_comes_first_and_its_answer_has_an_address(ledger_page, file):
    ledger_page.keyboard.press("/")
    expect(ledger_page.get_by_label("Find")).to_be_focused()
    ledger_page.keyboard.type("Table 3, k = 9")
    result = shown(ledger_page)
    ledger_page.goto("about:blank")
    for width, height in ((1280, 800), (390, 844)):
        ledger_page.set_viewport_size({"width": width, "height": height})
        ledger_page.goto(f"{file.as_uri()}#?find=Table+3%2C+k+%3D+9")
        assert shown(ledger_page) == result
        expect(ledger_page.locator("tbody tr:visible").first).to_be_in_viewport()


def test_headings_sort_numbers_as_numbers_both_ways(ledger_page):
    ledger_page.get_by_label("Find").fill("Table 3, E(g), Salas")
    heading = ledger_page.get_by_role("columnheader", name="Published")
    heading.get_by_role("button").focus()
    ledger_page.keyboard.press("Enter")
    numbers = [int(text.replace(",", "")) for text in column(ledger_page, 3)]
    assert numbers == sorted(numbers)
    assert len(numbers) == 6
    expect(heading).to_have_attribute("aria-sort", "ascending")
    ledger_page.keyboard.press("Enter")
    numbers = [int(text.replace(",", "")) for text in column(ledger_page, 3)]
    assert numbers == sorted(numbers, reverse=True)
    expect(heading).to_have_attribute("aria-sort", "descending")


def test_a_link_opens_its_row_with_all_that_is_known_of_it(ledger_page):
    ledger_page.get_by_label("Find").fill("xyzzy")
    ledger_page.evaluate("id => { location.hash = encodeURIComponent(id) }", ONE)
    expect(ledger_page.locator(f"[id='{ONE}']")).to_be_in_viewport()
    row = ledger_page.locator("tr.more")  # of full width, below its row
    fits = [trial.fits for trial in found_claims(ONE, COLLECTION.chosen())[0].judgement.trials]
    assert 0 < sum(fits) < len(fits)
    expect(row.locator("li", has_text=" fits (")).to_have_count(fits.count(True))
    for command in (f"{ONE} --check", "--part table3 --again"):
        expect(row.get_by_text(f"pplab reproduce noise-graphs {command}")).to_be_visible()
    expect(row.get_by_text("joint test of")).to_be_visible()
    link = row.get_by_role("link", name="tables.py:")
    place = re.compile(r"packages/pplab_papers/noise_graphs/tables\.py#L\d+$")
    expect(link).to_have_attribute("href", place)
    row.get_by_role("button", name="Copy link").click()
    expect(row.get_by_role("button", name="Copied")).to_be_visible()


def test_exports_hold_the_rows_shown(ledger_page, tmp_path):
    ledger_page.get_by_label("Find").fill("Table 3, k = 9")
    expected = shown(ledger_page)
    entries = found_claims("Table 3, k = 9", COLLECTION.chosen())
    assert sorted(expected) == sorted(each.claim.id for each in entries)
    formula = "id => { document.getElementById(id).cells[2].textContent = '=1+1' }"
    ledger_page.evaluate(formula, expected[0])
    ledger_page.get_by_text("Filter and save").click()
    for form in ("csv", "json"):
        with ledger_page.expect_download() as saved:
            ledger_page.get_by_role("button", name=f"Save as {form.upper()}").click()
        saved.value.save_as(tmp_path / f"saved.{form}")
    with (tmp_path / "saved.csv").open(newline="") as file:
        lines = [*csv.DictReader(file)]
    assert [line["id"] for line in lines] == expected
    assert lines[0]["published"] == "'=1+1"  # a spreadsheet would run it
    text = json.loads((tmp_path / "saved.json").read_text())
    schema = files("claimbook") / "report" / "claims.schema.json"
    validate(text, json.loads(schema.read_text()))
    assert [line["id"] for line in text["claims"]] == expected


def test_opened_rows_fit_the_screen_and_all_has_a_name(ledger_page):
    ledger_page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    for width in (1200, 400):
        ledger_page.set_viewport_size({"width": width, "height": 900})
        assert ledger_page.evaluate("document.documentElement.scrollWidth") <= width
    assert len(papers()) == ledger_page.locator("section").count()
    images = ledger_page.get_by_role("img").evaluate_all("all => all.map(each => each.ariaLabel)")
    charts = [name for name in images if " printed and measured numbers" in name]
    assert len(charts) == ledger_page.locator("svg").count() > 20
    assert len(images) == len(charts) + ledger_page.locator(".bar").count()
    assert all(images)
    unnamed = ledger_page.locator("button, a, summary").evaluate_all(
        "all => all.filter(each => !each.textContent.trim()).length"
    )
    assert unnamed == 0
    ids = ledger_page.locator("[id]").evaluate_all("all => all.map(each => each.id)")
    assert len(set(ids)) == len(ids)
