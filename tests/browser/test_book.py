"""The book, built anew and opened from the disk: it asks for nothing else, and its links meet."""

import json
import re
import sys
from html import unescape
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SCREENSHOTS
from tests.browser.test_accessibility import serious
from tests.helpers import ROOT, ended

pytestmark = pytest.mark.verify("browser")
WIDTHS = (1280, 390)
# One page of each kind, for the slow look at accessibility.
KINDS = (
    "docs/api/smooth",
    "README",
    "notebooks/11_how_good_can_anybody_be",
    "docs/glossary",
    "docs/references",
)


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """The folder of its pages; a warning would have ended the build."""
    out = tmp_path_factory.mktemp("book")
    ended(sys.executable, ROOT / "book" / "build.py", "--out", out, timeout=720)
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
            if file.stem.startswith("11"):
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
            if place.startswith("?"):  # sets a filter of the ledger's page, by its id
                place = place[1:].partition("=")[0]
            there = (file.parent / target).resolve() if target else file
            if not there.exists() or (place and there in places and place not in places[there][0]):
                broken.append(f"{file.name}: {link}")
    assert broken == []


def test_an_id_leads_to_its_row_and_the_row_back(page, book):
    opened(page, book / "notebooks" / "11_how_good_can_anybody_be.html")
    link = page.locator("a[href*='claims.html#']").first
    page.locator("summary", has_text="In the ledger").first.click()  # where the ids stand folded
    name = link.inner_text()
    link.click()
    page.wait_for_load_state()  # the row opens when the whole page is there
    expect(page.locator(f"[id='{name}']")).to_be_in_viewport()
    row = page.locator(f"tr.more[data-of='{name}']")
    back = row.get_by_role("link", name=re.compile("^notebook 11, ")).first
    expect(back).to_be_visible()  # the row stands open
    back.click()
    expect(page).to_have_url(re.compile(r"11_how_good_can_anybody_be\.html#[a-z-]+$"))
    place = page.url.partition("#")[2]
    expect(page.locator(f"[id='{place}']")).to_contain_text(name)


# Notebooks that have widgets, with their number.
WIDGETS = {
    file.stem: count
    for file in sorted((ROOT / "notebooks").glob("*.ipynb"))
    if (count := file.read_text(encoding="utf-8").count("explore("))
}


def moves(widget, act):
    """Act, then look: figure and sentence are others, and the alt text is the sentence."""
    image, result = widget.locator("img"), widget.locator("[role=status]")
    before = result.inner_text(), image.get_attribute("src")
    act()
    sentence, picture = result.inner_text(), image.get_attribute("src")
    assert sentence != before[0], f"the sentence stays {sentence!r}"
    assert picture != before[1], f"the picture stays after {before[0]!r}"
    assert image.get_attribute("alt") == sentence
    assert image.evaluate("each => each.decode().then(() => each.naturalWidth)") > 300


@pytest.mark.parametrize("name", WIDGETS)
def test_every_control_of_a_widget_moves_by_keyboard_and_no_kernel(page, book, name):
    command = []
    page.on("request", lambda request: command.append(request.url))
    opened(page, book / "notebooks" / f"{name}.html")
    assert page.locator(".widget").count() == WIDGETS[name]
    for widget in page.locator(".widget").all():
        for control in widget.locator("input, select").all():
            label = control.evaluate("each => each.labels[0].innerText")
            assert widget.get_by_label(label, exact=True).count() == 1
        for slider in widget.locator("input").all():
            at_end = slider.evaluate("each => each.value === each.max")
            key = "ArrowLeft" if at_end else "ArrowRight"
            moves(widget, lambda slider=slider, key=key: slider.press(key))
        for button in widget.get_by_role("button", name="next →").all():
            moves(widget, lambda button=button: button.press("Enter"))
        for slider in widget.locator("input").all():  # a rule for the end acts at the end
            slider.press("End")
        for menu in widget.locator("select").all():
            at_end = menu.evaluate("each => each.selectedIndex === each.length - 1")
            key = "ArrowUp" if at_end else "ArrowDown"
            moves(widget, lambda menu=menu, key=key: menu.press(key))
    assert serious(page, context={"include": [".widget"]}) == []
    assert [url for url in command if not url.startswith((book.as_uri(), "data:"))] == []


def test_states_are_few_and_the_book_is_small(book):
    for name, count in WIDGETS.items():
        text = (book / "notebooks" / f"{name}.html").read_text(encoding="utf-8")
        blocks = re.findall(r'<script [^<>]*class="widget-states">([^<]*)</script>', text)
        assert len(blocks) == count, name
        assert max(len(json.loads(block)["states"]) for block in blocks) <= 30, name
    sizes = {file: file.stat().st_size for file in book.rglob("*") if file.is_file()}
    pictures = [size for file, size in sizes.items() if "widgets" in file.parts]
    assert len(pictures) > 10 * len(WIDGETS)
    assert max(pictures) <= 25_000
    assert sum(sizes.values()) <= 60_000_000


def test_without_javascript_the_static_twin_stands(page, book):
    plain = page.context.browser.new_page(java_script_enabled=False)
    for name, count in WIDGETS.items():
        plain.goto((book / "notebooks" / f"{name}.html").as_uri())
        assert plain.locator(".widget").count() == 0
        for place in range(count):
            block = plain.locator("script.widget-states").nth(place)
            twin = block.locator("xpath=following::img[1]")
            expect(twin).to_be_hidden()  # it may answer the question
            twin.locator("xpath=ancestor::details[1]/summary").click()
            expect(twin).to_be_visible()
            assert len(twin.get_attribute("alt")) > 50, name
