"""A course that draws numbers for each student: hand-outs, and marks by these numbers."""

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from pplab_course.draws import TOKEN
from pplab_course.exercises import own_exercise
from pplab_course.teach.export import export, student_names, with_own_numbers
from pplab_course.teach.marks import token
from tests.pplab_course.teach.conftest import SECRET, notebook


def test_a_hand_out_names_the_numbers_and_check_uses_them():
    answer = {"grade_id": "02-C-answer", "solution": True}
    cells = [new_markdown_cell("# 02"), new_code_cell("...", metadata={"nbgrader": answer})]
    cells += notebook(("02-C", "answer")).cells
    made = with_own_numbers(new_notebook(cells=cells), "t0")
    title, setting, words, stub, _ = made["cells"]
    assert (title["source"], stub["source"]) == ("# 02", "...")
    assert f'os.environ["{TOKEN}"] = "t0"' in setting["source"]
    drawn = own_exercise("02-C", "t0")
    assert f"(run the first cell of code): {drawn[0]}" in words["source"]
    nbformat.validate(nbformat.from_dict(made))


def test_marks_are_given_by_the_numbers_of_the_student(marked):
    drawn = own_exercise("02-C", token(SECRET, "ada"))
    assert own_exercise("02-C", token(SECRET, "ben")) != drawn
    forged = f'import os\nos.environ["{TOKEN}"] = "another"\nanswer = {drawn[1]!r}'
    for student, right in (("ada", True), ("ben", False)):
        [output] = marked(forged, student).cells[1].outputs
        assert (output.output_type == "stream") == right, output


@pytest.mark.parametrize("names", ["ada\nada\n", "../ada\n", "a b\n", "Username\nada\n", "\n"])
def test_names_that_are_no_folders_are_refused(tmp_path, names):
    (tmp_path / "class.txt").write_text(names)
    with pytest.raises(ValueError, match="has one user name on each line"):
        student_names(tmp_path / "class.txt")


def test_a_list_of_an_editor_is_read_and_another_code_is_told(tmp_path):
    file = tmp_path / "class.txt"
    file.write_text("ada\nben\n", encoding="utf-8-sig")
    assert student_names(file) == ["ada", "ben"]
    file.write_text("ada\nZo\u00eb\n", encoding="latin-1")
    with pytest.raises(ValueError, match=r"class\.txt, line 2, has a letter that is not UTF-8"):
        student_names(file)


def test_points_by_hand_are_for_exercises_that_are_open(tmp_path):
    with pytest.raises(ValueError, match="by_hand must name exercises D or O"):
        export(tmp_path / "course", tmp_path / "secret", by_hand=["02-C"], say=print)


@pytest.mark.verify("teach")
def test_a_course_is_exported_with_hand_outs_and_few_points_by_hand(tmp_path):
    pytest.importorskip("nbgrader", reason="a course needs nbgrader: pip install 'pplab[teach]'")
    (tmp_path / "class.txt").write_text("ada\nben\n")
    name, course = "02_noise_graphs", tmp_path / "course"
    asked = {"students": tmp_path / "class.txt", "by_hand": ["02-O"], "say": str}
    export(course, tmp_path / "secret", only=name, **asked)
    texts = [
        (course / "handout" / student / name / f"{name}.ipynb").read_text("utf-8")
        for student in ("ada", "ben")
    ]
    messages = [re.findall(r"Your own numbers for 02-C\*\*[^.]*", text) for text in texts]
    assert [len(each) for each in messages] == [1, 1]
    assert "own=True" in (course / "nbgrader_config.py").read_text()
    assert (tmp_path / "secret").read_text().strip() not in "".join(texts)
    graded = re.findall(r'"points": (\d)', texts[0])
    assert sorted(graded) == ["1"] * 6 + ["3"]
