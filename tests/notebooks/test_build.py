"""The builder: stubs, stable ids, clean outputs, and what it refuses to write."""

import json

import nbformat
import pytest


def read(path):
    return nbformat.read(path, as_version=4)


def test_a_solution_becomes_a_stub_and_everything_else_stays(built_sample, cells):
    solutions = read(built_sample / "solutions" / "00_sample.ipynb")
    student = read(built_sample / "00_sample.ipynb")
    assert [cell.id for cell in student.cells] == [cell.id for cell in solutions.cells]
    assert student.cells[3].outputs == solutions.cells[3].outputs
    hole = student.cells[-1]
    assert "twice = " not in hole.source
    assert "# YOUR CODE: twice the number\n    ...\n" in hole.source
    assert hole.source.endswith('check("double", double)')
    assert hole.outputs == []
    assert hole.execution_count is None
    assert "6" in json.dumps(solutions.cells[-1].outputs)
    assert cells.out_of_step(built_sample / "src" / "00_sample.py") == []


def test_a_stub_outside_a_function_asks_for_the_answer(cells):
    source = 'limit = 3\n# YOUR CODE: a number\nanswer = 2 * limit\ncheck("1", answer)'
    assert (
        cells.stub(source) == 'limit = 3\n# YOUR CODE: a number\nanswer = ...\ncheck("1", answer)'
    )


@pytest.mark.parametrize("source", ["answer = 2", "# YOUR CODE: a number\nanswer = 2", ""])
def test_a_solution_without_marker_or_check_is_refused(cells, source):
    with pytest.raises(ValueError, match="YOUR CODE"):
        cells.stub(source)


def test_ids_follow_the_text_of_a_cell(cells, sample):
    before = [cell.id for cell in cells.read_source(sample).cells]
    assert before == [cell.id for cell in cells.read_source(sample).cells]
    sample.write_text(sample.read_text().replace("# %%\nimport", "# %%\n1 + 1\n\n# %%\nimport"))
    after = [cell.id for cell in cells.read_source(sample).cells]
    assert [after[0], *after[2:]] == before
    assert len(set(after)) == len(after)
    sample.write_text("# %%\n1\n\n# %%\n1\n")  # equal cells
    assert len({cell.id for cell in cells.read_source(sample).cells}) == 2


def test_a_cell_for_slides_alone_is_in_no_notebook(cells, sample):
    before = cells.read_source(sample)
    mark = '# %% [markdown] slideshow={"slide_type": "slide"} tags=["slide-only"]\n# ## A slide\n\n'
    sample.write_text(mark + sample.read_text())
    assert cells.read_source(sample) == before
    kinds = [c.metadata.slideshow.slide_type for c in cells.read_source(sample, slides=True).cells]
    assert kinds == ["slide", *["skip"] * len(before.cells)]


def test_a_second_build_changes_no_byte(built_sample, build, sample):
    build.build(sample)
    for name in ("00_sample.ipynb", "solutions/00_sample.ipynb"):
        assert (sample.parent.parent / name).read_bytes() == (built_sample / name).read_bytes()


def test_what_is_in_step_is_left_alone(built_sample, build, capsys):
    assert build.main(["--folder", str(built_sample)]) == 0
    assert "in step" in capsys.readouterr().out
    assert build.main(["--folder", str(built_sample), "77"]) == 2


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ('print("kept in /" + "home/somebody/data")', "paths of this machine"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_such_a_notebook_is_not_written(build, sample, capsys, code, complaint):
    sample.write_text(f"# %%\n{code}\n")
    assert build.main(["--folder", str(sample.parent.parent)]) == 1
    assert complaint in capsys.readouterr().err
    assert list(sample.parent.parent.rglob("*.ipynb")) == []


STANDIN = """\
# %% tags=["real-data"]
class Data:
    source = "standin"


data = Data()
"""


def test_outputs_from_a_standin_are_not_written_as_real(build, sample, capsys):
    sample.write_text(STANDIN)
    folder = sample.parent.parent
    assert build.main(["--folder", str(folder)]) == 1
    assert "data came from the stand-in" in capsys.readouterr().err
    assert not (folder / "00_sample.ipynb").exists()
    assert build.main(["--folder", str(folder), "--allow-standin"]) == 0
    assert (folder / "00_sample.ipynb").exists()


def test_paths_inside_pictures_are_no_paths(cells):
    picture = {"output_type": "display_data", "data": {"image/png": "ab/home/cd"}, "metadata": {}}
    html = {"data": {"text/html": '<img src="data:image/png;base64,ab/tmp/cd">'}, "metadata": {}}
    text = {"output_type": "stream", "text": "see /" + "tmp/x"}
    for outputs, result in (([picture, html], 0), ([text], 1)):
        cell = nbformat.from_dict({"cell_type": "code", "outputs": outputs})
        assert len(cells.private_paths(nbformat.from_dict({"cells": [cell]}))) == result


def test_times_and_widget_outputs_are_dropped(cells):
    cell = nbformat.v4.new_code_cell("explore()")
    cell.metadata = nbformat.from_dict({"tags": ["widget"], "execution": {"iopub.status": "now"}})
    cell.outputs = [nbformat.v4.new_output("display_data", {"text/plain": "VBox()"})]
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata={"widgets": {"state": 1}})
    cleaned = cells.clean(notebook)
    assert cleaned.cells[0].outputs == []
    assert "execution" not in cleaned.cells[0].metadata
    assert "widgets" not in cleaned.metadata


def test_with_an_address_a_notebook_opens_on_colab(cells):
    assert cells.colab_cells("00_sample", "") == []
    link, setup = cells.colab_cells("00_sample", "https://github.com/owner/project")
    assert f"/github/owner/project/blob/v{cells.VERSION}/notebooks/00_sample.ipynb" in link.source
    wheel = f"/releases/download/v{cells.VERSION}/pplab-{cells.VERSION}-py3-none-any.whl"
    assert setup.source.endswith(f"https://github.com/owner/project{wheel}")
    assert "drive" not in setup.source
    assert {link.id, setup.id} == {"colab-link", "colab-setup"}
