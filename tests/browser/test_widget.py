"""A reader's session: JupyterLab opens a notebook, its cells run, every control moves the figure.

In CI a missing browser is a failure; elsewhere the test skips and says why.
"""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SCREENSHOTS, find_browser
from tests.helpers import ROOT, served

# No question about news on the first start, and cells out of sight stay in the page.
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
}
pytestmark = pytest.mark.verify("browser")

RUN_TIMEOUT = 240_000  # milliseconds for all cells, numba's first compilation included


def _environment(folder):
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


@pytest.fixture
def lab(tmp_path):
    """Address of a JupyterLab on a copy of the notebooks; `{}` stands for the notebook's name."""
    notebooks = tmp_path / "notebooks"
    ignore = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
    shutil.copytree(ROOT / "notebooks", notebooks, ignore=ignore)
    named = re.compile(r"(http://127\S+/lab)(\?token=\S+)")
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += ["--ServerApp.port=0", f"--ServerApp.root_dir={notebooks}"]
    options = {"cwd": notebooks, "env": _environment(tmp_path)}
    with served(command, named, tmp_path / "server.log", **options) as address:
        yield f"{address[1]}/tree/{{}}{address[2]}"


def run_all(page, widgets):
    """Run all cells through the menu, as a reader does, until the last widget has spoken."""
    expect(page.locator(".jp-Notebook .jp-Cell").first).to_be_visible(timeout=60_000)
    expect(page.get_by_role("button", name="| Idle")).to_be_visible(timeout=60_000)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    done = page.get_by_role("status").nth(widgets - 1)
    errors = page.locator(".jp-OutputArea-output", has_text="Traceback (most recent call last)")
    expect(done.or_(errors).first).to_be_attached(timeout=RUN_TIMEOUT)
    assert [text[-500:] for text in errors.all_inner_texts()] == []


def _up_to_the_widgets(notebook):
    """Cut a notebook after its last widget; how many it has."""
    content = nbformat.read(notebook, as_version=4)
    tags = [cell.metadata.get("tags", []) for cell in content.cells]
    places = [place for place, each in enumerate(tags) if "widget" in each]
    content.cells = content.cells[: places[-1] + 1]
    nbformat.write(content, notebook)
    return len(places)


def _state(page, widget):
    """Sentence, picture and its alt text, once the kernel rests and none of them changes."""
    last = None
    for _ in range(120):
        expect(page.get_by_role("button", name="| Idle")).to_be_visible(timeout=60_000)
        picture, state = widget.locator("img"), None
        if picture.count() == 1:  # none while the output is cleared
            text = widget.get_by_role("status").inner_text()
            state = text, picture.get_attribute("src"), picture.get_attribute("alt")
        if state and state == last:
            return state
        last = state
        page.wait_for_timeout(400)
    pytest.fail(f"the widget does not come to rest: {last and last[0]!r}")


def _moved(page, widget, act):
    """Act, then wait until figure and sentence are others; the alt text is the sentence."""
    before = _state(page, widget)
    act()
    for _ in range(40):
        page.wait_for_timeout(200)  # what was done reaches the kernel
        sentence, figure, alt = _state(page, widget)
        if figure != before[1]:
            break
    assert figure != before[1], f"the figure stays after {before[0]!r}"
    assert sentence != before[0], f"the sentence stays {sentence!r}"
    assert alt == sentence


WIDGETS = sorted(
    path.stem for path in (ROOT / "notebooks/src").glob("*.py") if "explore(" in path.read_text()
)


@pytest.mark.parametrize("name", WIDGETS)
def test_every_control_moves_figure_and_sentence(page, lab, tmp_path, name):
    count = _up_to_the_widgets(tmp_path / "notebooks" / f"{name}.ipynb")
    page.goto(lab.format(f"{name}.ipynb"))
    run_all(page, count)

    for place in range(count):
        widget = page.locator(".jp-OutputArea-output", has=page.get_by_role("status")).nth(place)
        for handle in widget.locator(".noUi-handle").all():
            at_end = handle.get_attribute("aria-valuenow") == handle.get_attribute("aria-valuemax")
            key = "ArrowLeft" if at_end else "ArrowRight"
            handle.focus()
            _moved(page, widget, lambda key=key: page.keyboard.press(key))
        for button in widget.get_by_role("button", name="next →").all():
            _moved(page, widget, button.click)
        for handle in widget.locator(".noUi-handle").all():  # a rule for the end acts at the end
            handle.press("End")
        for menu in widget.locator("select").all():
            chosen = menu.input_value()  # texts have hard spaces, values have none
            options = [each.get_attribute("value") for each in menu.locator("option").all()]
            other = next(option for option in options if option != chosen)
            _moved(page, widget, lambda menu=menu, other=other: menu.select_option(value=other))
        _state(page, widget)  # once the last key has reached the kernel
        widget.screenshot(path=SCREENSHOTS / f"{name}_widget_{place}.png")
    page.locator(".noUi-target, select").first.evaluate("each => each.scrollIntoView()")
    page.screenshot(path=SCREENSHOTS / f"{name}_page.png")


@pytest.mark.parametrize(("ci", "outcome"), [("true", "Failed"), ("", "Skipped")])
def test_a_missing_browser_fails_in_ci_and_skips_elsewhere(ci, outcome):
    with pytest.raises(BaseException, match="no browser found: none of chromium") as caught:
        find_browser({"PATH": "", "CI": ci})
    assert caught.type.__name__ == outcome
