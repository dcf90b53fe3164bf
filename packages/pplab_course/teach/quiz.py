"""The quizzes and the short exercises as questions of Moodle, with the judges' wrong answers.

An exercise that is a record lists its wrong answers with their hints; a judge that is a function
lists none.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
_ITEM = re.compile(
    r"^\d+\. (.*?)<details><summary>Answer</summary>(.*?)</details>", re.DOTALL | re.MULTILINE
)


def write_quizzes(file: Path) -> int:
    """Write all questions in Moodle's GIFT format; give their number.

    Exercises R, C and those with a right number or word become questions that Moodle marks;
    the questions at the end of a notebook are essays, with the answer as feedback.

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
        answers = known_answers(exercise)
        if exercise == "18-R":  # its cases are printed by a cell
            pairs = [f"={_text(case)} -> {verdict}" for verdict, case in MEANINGS.items()]
            yield _question(exercise, question, "\n" + "\n".join(pairs) + "\n")
        elif answers:
            yield _question(exercise, question, _choices(answers))
        else:
            hints = " ".join(exercises(notebook_of(exercise))[exercise].hints)
            yield _question(exercise, question, f"####{_text(hints)}")
    for number, (question, answer) in enumerate(_ITEM.findall(prose.partition("## Quiz")[2]), 1):
        yield _question(f"{notebook_of(name)} quiz {number}", question, f"####{_text(answer)}")


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
    """Whether a number, a word or a pair answers it."""
    return exercise[-1] in "RC" or exercises(notebook_of(exercise))[exercise].right is not None


def known_answers(exercise: str) -> dict[Any, str]:
    """Answers that the record of an exercise knows; "" beside the right one, else its hint.

    Examples
    --------
    >>> known_answers("02-C")[9.5]
    'That counts the union; in the symmetric difference an edge that flips is gone.'
    """
    entry = exercises(notebook_of(exercise))[exercise]
    if entry.right is None:
        return {}
    if isinstance(entry.right, str):
        wrong = {word: hint for words, hint, *_ in entry.mistakes for word in _plain(str(words))}
        return {_plain(entry.right)[0]: "", **wrong}
    return {float(entry.right): ""} | {float(wrong): hint for wrong, hint, *_ in entry.mistakes}


def _plain(pattern: str) -> list[str]:
    """The words of a pattern that stand outside of brackets, such as a and b of "a|b|(c|d)".

    Examples
    --------
    >>> _plain("both|(all|each)|.*(one|other).*")
    ['both']
    """
    words = re.split(r"\|(?![^()]*\))", pattern)
    return [word for word in words if re.fullmatch(r"[\w-]+", word)]


def _choices(answers: dict[float | str, str]) -> str:
    """The answers as lines of GIFT: the right one, and the wrong ones with their hints."""
    rows = []
    for answer, hint in answers.items():
        said = f"#{_text(hint)}" if hint else ""
        if isinstance(answer, str):
            rows.append(f"{'~' if hint else '='}{_text(answer)}{said}")
        else:
            width = abs(answer) * (0.006 if hint else 0.005) or 0.001
            rows.append(f"={'%0%' if hint else ''}{answer:.6g}:{width:.2g}{said}")
    numeric = any(isinstance(answer, float) for answer in answers)
    return "\n".join(["#" if numeric else "", *rows, ""])


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
