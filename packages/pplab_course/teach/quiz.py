"""The quizzes and the short exercises as questions of Moodle, with the judges' wrong answers.

An exercise that is a record lists its wrong answers with their hints; quiz.toml lists those of the
questions at the end of a notebook.
"""

import html
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numpy import format_float_positional

from claimbook.verdicts import VERDICTS
from pplab_course import MEANINGS
from pplab_course.exercises import NOTEBOOK, exercises, notebook_of
from pplab_course.start import write_whole
from pplab_course.teach.course import student_notebooks
from pplab_course.teach.marks import TEST

# How notebooks begin the text of an exercise, with or without their own number before the letter.
_EXERCISE = (
    rf"\bExercise (?:{NOTEBOOK}-)?LETTER \(\w+\)[.*\s]*"
    rf"|\*\*(?:{NOTEBOOK}-)?LETTER(?: \(\w+\))?\.?\*\*\.?\s*"
)
_NEXT = r"\n\s*#|\n- \*\*|\*\*Exercise|\n>"  # and what follows it in the same cell
_LIST = Path(__file__).with_name("quiz.toml")
_ITEM = re.compile(
    r"^\d+\. (.*?)<details><summary>Answer</summary>(.*?)</details>", re.DOTALL | re.MULTILINE
)


def write_quizzes(file: Path) -> int:
    """Write all questions in Moodle's GIFT format; give their number.

    Moodle marks those with a right number or word, and those whose answer is one of a list; what
    asks for a reason is an essay, with the answer as feedback.

    Raises
    ------
    ValueError
        If the file exists.
    """
    questions = [question for name, text in student_notebooks() for question in _of(name, text)]
    write_whole(file, "\n\n".join(questions) + "\n", new=True)
    return sum(not question.startswith("$CATEGORY") for question in questions)


def _of(name: str, text: str) -> Iterator[str]:
    cells = json.loads(text)["cells"]
    prose = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    yield f"$CATEGORY: $course$/top/pplab/{name}"
    for exercise, question in _exercises(cells):
        answers = known_answers(exercise) or answers_of(question)
        if exercise == "18-R":  # its cases are printed by a cell
            pairs = [f"={_text(case)} -> {verdict}" for verdict, case in MEANINGS.items()]
            yield _question(exercise, question, "\n" + "\n".join(pairs) + "\n")
        else:
            yield _question(exercise, *fitting(question, answers))
    for number, (question, answer) in enumerate(_ITEM.findall(prose.partition("## Quiz")[2]), 1):
        answers, feedback = answers_of(question), f"####{_text(answer)}"
        if begins := re.match(r"(Yes|No)\b", answer.strip()):
            answers = {begins[1]: "", "No" if begins[1] == "Yes" else "Yes": ""}
        if isinstance(next(iter(answers), ""), float):
            question += " Give three significant digits."
        marked = f"{_choices(answers)}{feedback}\n" if answers else feedback
        yield _question(f"{notebook_of(name)} quiz {number}", question, marked)


def answers_of(question: str) -> dict[Any, str]:
    """Answers that quiz.toml lists for a question, each with its hint, the right one first."""
    for begins, options in tomllib.loads(_LIST.read_text(encoding="utf-8")).items():
        if question.strip().startswith(begins):
            return dict(tuple(each) if isinstance(each, list) else (each, "") for each in options)
    return {}


def fitting(question: str, answers: dict[Any, str]) -> tuple[str, str]:
    """A question and its answers as both are read: no keys, and no word that it does not offer."""

    def words(key: str) -> str:
        return key if key in VERDICTS or f"*{key}*" in question else key.replace("-", " ")

    if offered := re.findall(r'"([\w-]+)"', question):
        answers = {word: hint for word, hint in answers.items() if word in offered}
    by_text = {words(each) if isinstance(each, str) else each: answers[each] for each in answers}
    return re.sub(r'`"([\w-]+)"`', lambda it: f"*{words(it[1])}*", question), _choices(by_text)


def _exercises(cells: list[Any]) -> Iterator[tuple[str, str]]:
    """Short exercises of a notebook, each with the text above its cell."""
    for place, cell in enumerate(cells):
        test = TEST.search("".join(cell["source"])) if cell["cell_type"] == "code" else None
        if test is None or not is_short(test[1]):
            continue
        begins = _EXERCISE.replace("LETTER", test[1][-1])
        above = ("".join(c["source"]) for c in cells[place::-1] if c["cell_type"] == "markdown")
        texts = (parts[-1] for text in above if len(parts := re.split(begins, text)) > 1)
        yield test[1], re.split(_NEXT, next(texts))[0]


def is_short(exercise: str) -> bool:
    """True if a number, a word or a pair answers it."""
    return exercise[-1] in "RC" or exercises(notebook_of(exercise))[exercise].right is not None


def known_answers(exercise: str) -> dict[Any, str]:
    """Answers that the record of an exercise knows, with their hints; first the right one, with "".

    Examples
    --------
    >>> known_answers("02-C")[9.5]
    'You counted the union; in the symmetric difference, an edge that flips is gone.'
    """
    entry = exercises(notebook_of(exercise))[exercise]
    if entry.right is None:
        return {}
    if isinstance(entry.right, str):
        wrong = {word: hint for words, hint, *_ in entry.mistakes for word in _plain(str(words))}
        return {_plain(entry.right)[0]: "", **wrong}
    return {entry.right: ""} | {float(wrong): hint for wrong, hint, *_ in entry.mistakes}


def _plain(pattern: str) -> list[str]:
    """The words of a pattern that stand outside of brackets, such as a and b of "a|b|(c|d)".

    Examples
    --------
    >>> _plain("both|(all|each)|.*(one|other).*")
    ['both']
    """
    words = re.split(r"\|(?![^()]*\))", pattern)
    return [word for word in words if re.fullmatch(r"[\w-]+", word)]


def _choices(answers: dict[Any, str]) -> str:
    """Answers as lines of GIFT: the right one, then the wrong ones; hints where there are some."""
    rows = []
    for place, (answer, hint) in enumerate(answers.items()):
        feedback = f"#{_text(hint)}" if hint else ""
        if isinstance(answer, str):
            rows.append(f"{'~' if place else '='}{_text(answer)}{feedback}")
        else:
            distances = [abs(answer - other) / 2 for other in answers if other != answer]
            distances += [0.4] * isinstance(answer, int)  # as check, which wants it exactly
            width = min(abs(answer) * (0.006 if place else 0.005) or 0.001, *distances)
            near = f"{_digits(answer, 6)}:{_digits(width, 2)}"
            rows.append(f"={'%0%' if place else ''}{near}{feedback}")
    return "\n".join(["" if isinstance(answer, str) else "#", *rows, ""])


def _digits(number: float, count: int) -> str:
    """A number to so many significant digits, with no exponent, which few readers of GIFT know.

    Examples
    --------
    >>> _digits(0.0000162762, 2), _digits(35675, 6), _digits(214.05, 2)
    ('0.000016', '35675', '210')
    """
    return format_float_positional(float(f"{number:.{count - 1}e}"), trim="-")


def _question(title: str, question: str, answers: str) -> str:
    return f"::{_escaped(title)}::[html]{_text(question)} {{{answers}}}"


def _text(markdown: str) -> str:
    """Markdown of a notebook as HTML in a line, formulas as Moodle's MathJax reads them."""
    text = html.escape(" ".join(markdown.split()), quote=False)
    text = re.sub(r"\$\$(.+?)\$\$", r"\\[\1\\]", text)
    text = re.sub(r"\$(.+?)\$", r"\\(\1\\)", text)
    text = re.sub(r"`(.+?)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    return _escaped(re.sub(r"(?<!\w)\*(\S.*?)\*(?!\w)", r"<i>\1</i>", text))


def _escaped(text: str) -> str:
    return re.sub(r"([\\~=#{}:])", r"\\\1", text)
