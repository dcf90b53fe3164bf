"""The ledger page in a browser without a network: it sorts, filters and tells how to rerun."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pplab import claims
from pplab.ledger.page import write_page
from tests.browser.conftest import SCREENSHOTS

pytestmark = pytest.mark.verify("browser")


@pytest.fixture
def ledger_page(page: Page, tmp_path: Path) -> Page:
    """The page, opened from a file; every attempt to load something else is a failure."""
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(write_page(tmp_path / "claims.html").as_uri())
    assert len(asked) == 1
    assert errors == []
    return page


def shown(page: Page) -> int:
    return page.locator("tbody tr:visible").count()


def column(page: Page, number: int) -> list[str]:
    return page.locator(f"tbody tr:visible td:nth-child({number})").all_inner_texts()


def test_every_claim_is_on_the_page(ledger_page: Page) -> None:
    assert shown(ledger_page) == len(claims())
    expect(ledger_page.locator("#shown")).to_have_text(f"{len(claims())} of {len(claims())} rows")


def test_filters_narrow_and_combine(ledger_page: Page) -> None:
    ledger = claims()
    verdict = "reproduced-under-reading"
    expected = ledger[ledger["verdict"] == verdict]
    button = ledger_page.get_by_role("button", name=f"{len(expected)} {verdict}")
    button.click()
    assert shown(ledger_page) == len(expected)
    expect(button).to_have_attribute("aria-pressed", "true")
    ledger_page.get_by_label("Find").fill("table-3:p=0.05:")
    assert set(column(ledger_page, 2)) == {"Table 3"}
    assert shown(ledger_page) == 2
    ledger_page.get_by_label("Find").fill("no such words")
    assert shown(ledger_page) == 0
    ledger_page.get_by_label("Find").fill("")
    button.click()
    assert shown(ledger_page) == len(ledger)


def test_headings_sort_numbers_as_numbers_both_ways(ledger_page: Page) -> None:
    ledger_page.get_by_label("Find").fill("table-3: noise-edges")
    heading = ledger_page.get_by_role("columnheader", name="Published")
    heading.get_by_role("button").focus()
    ledger_page.keyboard.press("Enter")
    numbers = [int(text.replace(",", "")) for text in column(ledger_page, 4)]
    assert numbers == sorted(numbers)
    assert len(numbers) == 6
    expect(heading).to_have_attribute("aria-sort", "ascending")
    ledger_page.keyboard.press("Enter")
    numbers = [int(text.replace(",", "")) for text in column(ledger_page, 4)]
    assert numbers == sorted(numbers, reverse=True)
    expect(heading).to_have_attribute("aria-sort", "descending")


def test_details_show_every_reading_and_the_command(ledger_page: Page) -> None:
    row = ledger_page.locator("[id='noise-graphs:table-3:p=0.05:published-edges']")
    row.get_by_text("Details").click()
    expect(row.locator("li", has_text=" misses (")).to_have_count(3)
    expect(row.locator("li", has_text=" fits (")).to_have_count(1)
    expect(row.get_by_text("pplab reproduce noise-graphs --part table3 --again")).to_be_visible()
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    ledger_page.screenshot(path=SCREENSHOTS / "claims_page.png")
