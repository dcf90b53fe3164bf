"""The committed notebooks are what their sources say; a failure prints how to mend it."""

import shutil

import nbformat

from tests.notebooks.conftest import NOTEBOOKS

SOURCES = sorted((NOTEBOOKS / "src").glob("*.py"))


def test_notebooks_are_in_step_with_their_sources(cells):
    complaints = [line for source in SOURCES for line in cells.out_of_step(source)]
    assert not complaints, "\n".join([*complaints, f"mend it with: {cells.MEND}"])
    expected = {f"{source.stem}.ipynb" for source in SOURCES}
    assert expected >= {"00_find_somebody.ipynb", "02_noise_graphs.ipynb"}
    for folder in (NOTEBOOKS, NOTEBOOKS / "solutions"):
        assert {path.name for path in folder.glob("*.ipynb")} == expected, "one without a source"


def _change(path, place, text):
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[place].source += text
    nbformat.write(notebook, path)


def test_the_test_sees_every_kind_of_difference(cells, built_sample, tmp_path):
    folder = tmp_path / "notebooks"
    source = folder / "src" / "00_sample.py"

    def complaints_after(change, *arguments):
        shutil.copytree(built_sample, folder)
        change(*arguments)
        result = cells.out_of_step(source)
        shutil.rmtree(folder)
        return result

    student, solutions = folder / "00_sample.ipynb", folder / "solutions" / "00_sample.ipynb"
    assert len(complaints_after(_change, student, 2, "\n# edited by hand")) == 1
    assert len(complaints_after(_change, student, -1, "\n# a filled stub")) == 1
    assert len(complaints_after(_change, solutions, 0, " edited")) == 1
    assert len(complaints_after(student.unlink)) == 1
    text = (built_sample / "src" / "00_sample.py").read_text()
    assert len(complaints_after(source.write_text, text.replace("range(10)", "range(11)"))) == 2
    assert len(complaints_after(source.write_text, text + "\n# %%\n1 + 1\n")) == 2
    assert len(complaints_after(source.write_text, text.replace('"real-data"', '"other"'))) == 2


def test_a_comment_that_begins_like_a_command_stays_a_comment(cells, tmp_path):
    """jupytext makes commands of such lines, unless it is told not to."""
    source = tmp_path / "00_sample.py"
    text = (
        "# %% [markdown]\n# # Title\n\n# %%\n# time is what it costs\n# %time is a command\nx = 1\n"
    )
    source.write_text(text)
    assert cells.read_source(source).cells[1].source == text.partition("# %%\n")[2].strip()
