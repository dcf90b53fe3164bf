"""Pages of feedback: nbgrader writes them, and each link then says which exercise it leads to."""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pplab_course.teach.marks import gradebook

_LINK = re.compile(r'<a href="#([\w-]+?)(-answer)?">(?:Test cell|Coding free-response)</a>')
_COMMENT = re.compile(r'<a href="#comment-([\w-]+?)-answer">Comment</a>')
_HEADING = re.compile(r"Grade cell: <code>([\w-]+)</code>")
_STYLE = Path(__file__).with_name("feedback.css").read_text(encoding="utf-8")
_PICTURE = re.compile(r'<img\b[^>]*?\bsrc=["\']?(?:https?:)?//[^>]*>', re.IGNORECASE)
# MathJax from elsewhere, which nbgrader's page asks for: the formulas are pictures already.
_ELSEWHERE = re.compile(r'<script[^>]*\bsrc="https?:[^"]*"[^>]*>\s*</script>')


def feedback(course: Path, name: str) -> list[Path]:
    """Write a page for each student whose notebook is marked; give the pages.

    Raises
    ------
    ValueError
        If none is marked.
    RuntimeError
        If nbgrader writes none.
    """
    if not [*(course / "autograded").glob(f"*/{name}/{name}.ipynb")]:
        raise ValueError(f"{course} has no marked {name}: type pplab teach mark {course} {name}")
    command = [sys.executable, "-m", "nbgrader", "generate_feedback", name, "--force"]
    process = subprocess.run(command, cwd=course, capture_output=True, text=True)
    pages = sorted((course / "feedback").glob(f"*/{name}/{name}.html"))
    if process.returncode or not pages:
        raise RuntimeError(f"nbgrader wrote no feedback on {name}: {process.stderr.strip()[-300:]}")
    with gradebook(course) as book:
        for page in pages:
            sheet = book.find_submission_notebook(name, name, page.parts[-3])
            page.write_text(labelled(page.read_text("utf-8"), sheet.grades), encoding="utf-8")
    return pages


def labelled(page: str, grades: Iterable[Any] = ()) -> str:
    """A page that asks for nothing elsewhere, and whose links and headings name the exercises.

    Points by the check and by the teacher are added apart; answers that wait for points by hand are
    said to be not read yet, and checks that the student deleted are named.

    Examples
    --------
    >>> labelled('<script src="https://example.org/latest.js"></script>')
    ''
    >>> labelled('<a href="#02-C">Test cell</a>')
    '<a href="#02-C">02-C, by the check</a>'
    >>> labelled('<a href="#02-O-answer">Coding free-response</a>')
    '<a href="#02-O-answer">02-O, by your teacher</a>'
    >>> from types import SimpleNamespace as Grade
    >>> waits = Grade(name="02-O-answer", score=0, max_score=3, needs_manual_grade=True)
    >>> labelled('<a name="02-O-answer"></a> Score: 0.0 / 3.0', [waits])
    '<a name="02-O-answer"></a> Score: not read yet / 3.0'
    """
    page = _PICTURE.sub("(a picture from elsewhere is left out)", _ELSEWHERE.sub("", page))
    page = page.replace("</head>", f"<style>\n{_STYLE}</style>\n</head>", 1)
    readers: dict[str, list[Any]] = {"by the check": [], "by your teacher": []}
    deleted = ""
    for grade in grades:
        by_hand = grade.name.endswith("-answer")
        readers["by your teacher" if by_hand else "by the check"].append(grade)
        if grade.needs_manual_grade:
            page = _not_read(page, grade.name)
        if f'name="{grade.name}"' not in page:
            subject = "answer" if by_hand else "check"
            exercise = grade.name.removesuffix("-answer")
            deleted += f"<li>{exercise}: its {subject} was deleted (0.0 / {grade.max_score})</li>\n"
    totals = ", ".join(
        f"{reader} {sum(one.score for one in read if not one.needs_manual_grade):g} of "
        f"{sum(one.max_score for one in read):g}"
        for reader, read in readers.items()
        if read
    )
    page = re.sub(r"\(Score: [\d.]+ / [\d.]+\)</h4>", f"({totals})</h4>", page, count=1)
    page = page.replace("</ol>", f"{deleted}</ol>", 1)
    page = _COMMENT.sub(r'<a href="#comment-\1-answer">\1, a comment</a>', page)
    page = _LINK.sub(_link_text, page)
    return _HEADING.sub(r"\1: what the check says", page).replace("Student's answer", "Your answer")


def _not_read(page: str, name: str) -> str:
    """A page where the score after each link and place of a cell is said to be not read yet."""
    marked, parts, done = re.compile(rf'(?:href="#|name="){re.escape(name)}">'), [], 0
    while (place := marked.search(page, done)) and (score := _SCORE.search(page, place.end())):
        parts += [page[done : score.start(1)], "not read yet"]
        done = score.end()
    return "".join([*parts, page[done:]])


_SCORE = re.compile(r"Score: ([\d.]*)")


def _link_text(link: re.Match[str]) -> str:
    reader = "by your teacher" if link[2] else "by the check"
    return f'<a href="#{link[1]}{link[2] or ""}">{link[1]}, {reader}</a>'
