"""The system's headless browser; in CI a missing one is a failure, elsewhere a skip."""

import os
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.helpers import ROOT

SCREENSHOTS = ROOT / "build" / "screenshots"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",  # CI runs as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
expect.set_options(timeout=30_000)  # a busy machine can stall a page for longer than the usual 5 s


def find_browser(environment):
    """Path of the system's browser, or a skip (a failure in CI) that says what is missing."""
    for name in BROWSERS:
        if path := shutil.which(name, path=environment.get("PATH")):
            return path
    reason = f"no browser found: none of {', '.join(BROWSERS)} is on the PATH; install chromium"
    if environment.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def page():
    """A page of the system's headless browser."""
    path = find_browser(os.environ)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser.new_page(viewport={"width": 1200, "height": 1000})
        browser.close()
