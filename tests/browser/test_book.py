"""The book, built anew and opened from the disk: it asks for nothing else, and its links meet."""

import re
import sys
from html import unescape
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT, SCREENSHOTS
from tests.browser.test_accessibility import serious
from tests.helpers import ended

pytestmark = pytest.mark.verify("browser")
WIDTHS = (1280, 390)
# One page of each kind, for the slow look at accessibility.
KINDS = (
    "docs/api/smooth",
    "README",
    "notebooks/new-11_how_good_can_anybody_be",
    "docs/glossary",
    "docs/references",
)


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """The folder of its pages; a warning would have ended the build."""
    out = tmp_path_factory.mktemp("book")
    ended(sys.executable, ROOT / "book" / "build.py", "--out", out, timeout=240)
    return out / "html"


def opened(page, file):
    page.goto(file.as_uri())
    page.wait_for_function("!window.MathJax || MathJax.startup.promise.then(() => true)")


def test_every_page_opens_from_the_disk_and_fits_the_screen(page, book):
    asked, wrong = set(), []
    page.on("request", lambda request: asked.add(request.url))
    page.on("requestfailed", lambda request: wrong.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    files = [book / "README.html", *book.glob("notebooks/*.html"), *book.glob("docs/**/*.html")]
    assert len(files) > 25
    formulas = 0
    for file in files:
        opened(page, file)
        formulas += page.locator("mjx-container").count()
        assert page.locator("[data-mml-node=merror]").count() == 0, file
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, file
            if file.stem.startswith("new-11"):
                SCREENSHOTS.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=SCREENSHOTS / f"book_{width}.png")
    assert formulas > 100
    assert wrong == []
    assert [url for url in asked if not url.startswith((book.as_uri(), "data:"))] == []


def test_no_kind_of_page_has_a_serious_fault(page, book):
    for kind in KINDS:
        opened(page, book / f"{kind}.html")
        assert serious(page) == [], kind


def test_links_between_pages_lead_to_a_file_and_a_place_in_it(book):
    places, broken = {}, []
    for file in book.rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        places[file] = (
            set(re.findall(r'\sid="([^"]+)"', text)),
            set(re.findall(r'<a\s[^>]*href="(?![a-z]+:)([^"]+)"', text)),
        )
    assert sum(len(links) for _, links in places.values()) > 1000
    for file, (_, links) in places.items():
        for link in links:
            target, _, place = unquote(unescape(link)).partition("#")
            there = (file.parent / target).resolve() if target else file
            if not there.exists() or (place and there in places and place not in places[there][0]):
                broken.append(f"{file.name}: {link}")
    assert broken == []


def test_an_id_leads_to_its_row_and_the_row_back(page, book):
    opened(page, book / "notebooks" / "new-11_how_good_can_anybody_be.html")
    link = page.locator("a[href*='claims.html#']").first
    page.locator("summary", has_text="In the ledger").first.click()  # where the ids stand folded
    name = link.inner_text()
    link.click()
    page.wait_for_load_state()  # the row opens when the whole page is there
    expect(page.locator(f"[id='{name}']")).to_be_in_viewport()
    row = page.locator(f"tr.more[data-of='{name}']")
    back = row.get_by_role("link", name=re.compile("^notebook new-11, ")).first
    expect(back).to_be_visible()  # the row stands open
    back.click()
    expect(page).to_have_url(re.compile(r"new-11_how_good_can_anybody_be\.html#[a-z-]+$"))
    place = page.url.partition("#")[2]
    expect(page.locator(f"[id='{place}']")).to_contain_text(name)
