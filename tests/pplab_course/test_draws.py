"""Numbers drawn for a student: they fit the exercise's record, and are judged as the record's."""

import itertools
import re

import pytest

from pplab_course.draws import TOKEN, first, numbers, value
from pplab_course.exercises import close, exercises, judged, notebook_of, own_exercise

REGISTER = exercises()
DRAWS = {name: each.draw for name, each in REGISTER.items() if each.draw}


def test_at_least_six_notebooks_have_a_draw():
    assert len({notebook_of(name) for name in DRAWS}) >= 6


@pytest.mark.parametrize("name", DRAWS)
def test_a_formula_gives_the_records_answer_and_mistakes_on_its_numbers(name):
    draw, record = DRAWS[name], REGISTER[name]
    printed = first(draw.choices)
    assert value(draw.answer, printed) == pytest.approx(record.right, rel=1e-9)
    for slip in draw.slips:
        known = [wrong for wrong, *_ in record.mistakes]
        assert any(close(value(slip, printed), float(each), within=0.004) for each in known), slip
    answers = {
        round(value(draw.answer, dict(zip(draw.choices, drawn, strict=True))), 9)
        for drawn in itertools.product(*draw.choices.values())
    }
    assert len(answers) >= 4


@pytest.mark.parametrize("name", DRAWS)
def test_a_student_is_judged_by_the_numbers_drawn(name, monkeypatch):
    draw, public = DRAWS[name], REGISTER[name].right
    assert own_exercise(name) is None
    for student in "abcdefgh":
        monkeypatch.setenv(TOKEN, student)
        text, expected, _ = own_exercise(name)
        drawn = numbers(draw.choices, f"{student} {name}", draw.answer)
        assert text == draw.text.format(**drawn)
        assert judged(name, expected)[0], (student, text)
        assert not judged(name, public)[0]
        for wrong in (value(slip, drawn) for slip in draw.slips):
            assert close(wrong, expected, within=0.02) or not judged(name, wrong)[0]
    monkeypatch.delenv(TOKEN)
    assert judged(name, public)[0]


@pytest.mark.parametrize("name", DRAWS)
def test_of_many_students_nobody_gets_the_public_numbers_or_their_answer(name):
    draw = DRAWS[name]
    texts = set()
    for student in range(500):
        text, expected, _ = own_exercise(name, f"student {student}")
        assert not close(REGISTER[name].right, expected, within=0.01)
        texts.add(text)
    assert draw.text.format(**first(draw.choices)) not in texts
    assert len(texts) >= 7


def test_a_known_slip_keeps_its_hint_with_other_numbers(monkeypatch):
    monkeypatch.setenv(TOKEN, "ada")
    draw = DRAWS["02-C"]
    drawn = numbers(draw.choices, "ada 02-C", draw.answer)
    (slip,) = (slip for slip in draw.slips if value(slip, first(draw.choices)) == 11)
    added = value(slip, drawn)
    assert "You added all the noise" in judged("02-C", added)[1]


def test_what_is_said_with_any_numbers_names_no_printed_ones():
    praised = {name for name in DRAWS if re.search(r"\d", REGISTER[name].praise)}
    assert praised == {"05-C", "07-C"}  # 1/(|c|·ε), and J = 1/2, which are not drawn
    for name, draw in DRAWS.items():
        printed = [f"= {each}" for each in first(draw.choices).values() if len(str(each)) > 1]
        assert [word for word in printed if word in " ".join(REGISTER[name].hints)] == [], name
