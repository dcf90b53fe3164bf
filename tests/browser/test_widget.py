"""A reader's session: JupyterLab opens notebook 02, everything runs, a slider moves the figure.

In CI a missing browser is a failure; elsewhere the test skips and says why.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, SCREENSHOTS, find_browser

# No question about news on the first start, and cells out of sight stay in the page.
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
}
pytestmark = pytest.mark.verify("browser")

RUN_TIMEOUT = 240_000  # milliseconds for all cells, numba's first compilation included


def _environment(folder: Path) -> dict[str, str]:
    """Jupyter's own folders, so that nothing of the user's is read or written."""
    places = {
        "JUPYTER_CONFIG_DIR": folder / "config",
        "JUPYTER_DATA_DIR": folder / "data",
        "JUPYTER_RUNTIME_DIR": folder / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": folder / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": folder / "workspaces",
        "IPYTHONDIR": folder / "ipython",
    }
    for name, setting in SETTINGS.items():
        path = folder / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(setting))
    environment = os.environ | {name: str(path) for name, path in places.items()}
    if environment.get("PPLAB_DATA"):
        environment["PPLAB_DATA"] = str(Path(environment["PPLAB_DATA"]).resolve())
    return environment


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _wait_until_ready(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(240):
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.25)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-3000:]}")


def _end(server: subprocess.Popen[bytes]) -> None:
    """End the server and every kernel it started."""
    started = [psutil.Process(server.pid)]
    started += started[0].children(recursive=True)
    server.terminate()
    _, alive = psutil.wait_procs(started, timeout=15)
    for process in alive:
        process.kill()
    _, alive = psutil.wait_procs(alive, timeout=5)
    server.wait(timeout=5)
    assert not alive, f"processes left over: {alive}"


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """Address of a JupyterLab on a copy of the notebooks; `{}` stands for the notebook's name."""
    notebooks = tmp_path / "notebooks"
    ignore = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
    shutil.copytree(ROOT / "notebooks", notebooks, ignore=ignore)
    port, token, log = _free_port(), secrets.token_hex(16), tmp_path / "server.log"
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
    ]
    command += [f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={notebooks}"]
    with log.open("wb") as sink:
        server = subprocess.Popen(
            command, cwd=notebooks, env=_environment(tmp_path), stdout=sink, stderr=sink
        )
        try:
            _wait_until_ready(f"http://127.0.0.1:{port}/api/status?token={token}", server, log)
            yield f"http://127.0.0.1:{port}/lab/tree/{{}}?token={token}"
        finally:
            _end(server)


def _run_all(page: Page, last_output: str) -> None:
    """Run all cells through the menu, as a reader does."""
    expect(page.locator(".jp-Notebook .jp-Cell").first).to_be_visible(timeout=60_000)
    expect(page.get_by_role("button", name="| Idle")).to_be_visible(timeout=60_000)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    done = page.locator(".jp-OutputArea-output", has_text=last_output).last
    errors = page.locator(".jp-OutputArea-output", has_text="Traceback (most recent call last)")
    expect(done.or_(errors).first).to_be_attached(timeout=RUN_TIMEOUT)
    assert [text[-500:] for text in errors.all_inner_texts()] == []


def test_a_slider_moves_the_figure(page: Page, lab: str) -> None:
    page.goto(lab.format("02_noise_graphs.ipynb"))
    _run_all(page, "02-O: no answer yet")

    widget = page.locator(".jp-OutputArea-output", has=page.locator(".noUi-handle")).first
    widget.scroll_into_view_if_needed()
    sentence = widget.get_by_role("status")
    figure = widget.locator("img").first
    expect(sentence).to_have_text(re.compile(r"^p = 0\.1: "))
    for end in ("more accurate", "more private"):
        expect(widget.get_by_text(end)).to_be_visible()
    before = figure.get_attribute("src")
    assert before is not None

    page.locator(".noUi-handle").first.focus()
    page.keyboard.press("ArrowRight")
    expect(sentence).to_have_text(re.compile(r"^p = 0\.2: "), timeout=30_000)
    expect(figure).not_to_have_attribute("src", before, timeout=30_000)
    assert (figure.get_attribute("alt") or "").startswith("p = 0.2")

    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / "02_noise_graphs_widget.png")


@pytest.mark.parametrize(("ci", "outcome"), [("true", "Failed"), ("", "Skipped")])
def test_a_missing_browser_fails_in_ci_and_skips_elsewhere(ci: str, outcome: str) -> None:
    with pytest.raises(BaseException, match="no browser found: none of chromium") as caught:
        find_browser({"PATH": "", "CI": ci})
    assert caught.type.__name__ == outcome
