"""Write a deck of slides for each notebook: ``python book/slides.py``, read from build/slides.

A deck holds the notebook's goals, its surprise, its definitions, the exercises and what to
remember, found by the headings that all notebooks share; of each other section what is bold, the
formulas and short results; all figures, a quiz, and notes for the speaker (key S) from the
teacher's guide. It needs no network: reveal.js and MathJax are copied from installed packages.
"""

from __future__ import annotations

import html
import importlib.resources
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from jinja2 import Template
from ledger import mathjax
from nbconvert.filters import markdown2html_mistune

from pplab_course.exercises import notebook_of
from pplab_course.handed_out import refuse_edited

ROOT = Path(__file__).parents[1]
DECKS = ROOT / "build/slides"
WORDS = 75  # on one slide
SHOWN = (  # the sections whose whole text is shown
    "What you will be able to do",
    "Break something",
    "Define",
    "Exercise",
    "What to remember",
)
SKIPPED = ("What you need", "Play", "References")
CORE = re.compile(r"\*\*|\$\$")  # what is shown of the others: paragraphs that a lecture says
LINES = 14  # of a printed result
NOTES = {  # of the guide, on the first slide whose heading begins so; "": the title
    "": ("Goal", "Minutes", "Cut"),
    "Break": ("Misconceptions",),
    "Define": ("Stalls",),
    "What to remember": ("Discuss",),
}
# A sentence about what stands elsewhere in the notebook.
POINTS = re.compile(
    r"\b([Hh]ere (is|are)|(next|last|two) cells?|cell after|slider|search above|(at it|back) below"
    r"|(code|sections?|tables?|figure|picture|comparison|named|called|stands?) (above|below)"
    r"|(figure|picture|table) (then )?shows|[Ww]rite (your number|it) (down|into)[^.]*run"
    r"|Below, each|in each line|Tab reaches)\b"
)


GUESS = re.compile(r"(; y|Y)ou (said|predicted) .*?\.(?=\s|$)")  # of a reader; a class has many


class Slide(NamedTuple):
    """Heading, and as HTML what it shows and what only the speaker sees."""

    heading: str
    body: str
    notes: str = ""


PAGE = Template(
    """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ slides[0].heading }}</title>
<link rel="stylesheet" href="reveal/reveal.css">
<style>
body { font-family: sans-serif; color: #111; background: #fff; }
.reveal { font-size: 26px; line-height: 1.4; }
.reveal h2 { font-size: 34px; margin: 0 0 .6em; }
.reveal .slides > section { text-align: left; }
.reveal pre { font-size: 18px; background: #f3f3f3; padding: .6em; }
.reveal li { margin-bottom: .3em; }
.reveal .long { font-size: 20px; }
.reveal .long pre { font-size: 15px; line-height: 1.3; }
.reveal table { border-collapse: collapse; font-size: 20px; }
.reveal th, .reveal td { border: 1px solid #777; padding: .2em .5em; }
.reveal table.dataframe { font-size: 17px; line-height: 1.2; }
.reveal .dataframe th, .reveal .dataframe td { padding: 0 .5em; }
.reveal a { color: #00588f; }
.reveal img { display: block; width: auto !important; max-width: 100%; max-height: 400px; }
.reveal .long img { max-height: 320px; }
.reveal .only img { max-height: 560px; }
.reveal mjx-container[display="true"] { font-size: 88%; }
.reveal .controls { color: #00588f; }
</style>
</head>
<body>
<div class="reveal"><div class="slides">
{% for heading, body, notes in slides %}<section aria-label="{{ heading|e }}">
{% if heading %}<h2>{{ heading }}</h2>{% endif %}
{% set most = 40 if "<img" in body else 120 %}
{% set words = body|striptags|wordcount %}
<div class="{{ "long" if words > most else "only" if words < 9 }}">{{ body }}</div>
{% if notes %}<aside class="notes">{{ notes }}</aside>{% endif %}
</section>
{% endfor %}</div></div>
<script src="reveal/reveal.js"></script>
<script src="reveal/math.js"></script>
<script src="reveal/notes.js"></script>
<script>
Reveal.initialize({
  width: 1100, height: 720, margin: 0.05, hash: true, transition: "none",
  plugins: [RevealMath.MathJax3, RevealNotes],
  mathjax3: {mathjax: "reveal/tex-svg-full.js"},
});
</script>
</body>
</html>
"""
)


INDEX = Template(
    """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Slides of the course</title>
<style>body { font: 1.1rem/1.6 sans-serif; max-width: 40rem; margin: 2rem auto; }</style>
</head>
<body>
<main>
<h1>Slides of the course</h1>
<p>Arrow keys move, S shows the notes for the speaker, F fills the screen.</p>
<ul>
{% for file, title in decks %}<li><a href="{{ file }}">{{ title }}</a></li>
{% endfor %}</ul>
</main>
</body>
</html>
"""
)


def sections(notebook: Any) -> Iterator[tuple[str, list[Any]]]:
    """Each heading with its paragraphs and code cells, in their order."""
    heading, blocks = "", list[Any]()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            blocks.append(cell)
            continue
        text = re.sub(r"<details><summary>In the ledger.*?</details>", "", cell.source, flags=re.S)
        for block in re.split(r"\n{2,}", text):
            if named := re.match(r"#+ (.*)|\*\*(Exercise [^*]*)\*\*", block):
                yield heading, blocks
                heading, blocks = (named[1] or named[2]), []
                block = block[named.end() :]
            if block.strip():
                blocks.append(block.strip())
    yield heading, blocks


def outputs(cell: Any) -> str:
    """Outputs of a cell: sentences, figures with their words, and without one tables and prints."""
    rich, every = "", ""
    for output in cell.outputs:
        data = output.get("data", {})
        text = GUESS.sub(
            lambda it: "." * (it[1] == "; y") + " What did you say?", data.get("text/markdown", "")
        )
        # A figure with its alt text, or a table, without pandas' style for all tables of a page.
        part = re.sub("<style.*?</style>", "", data.get("text/html", ""), flags=re.DOTALL)
        part += markdown2html_mistune(text)
        every += _code(output.text) if output.output_type == "stream" else part
        rich += part if "<img" in part or text else ""
    return rich if "<img" in rich else every


def lines(shown: str) -> int:
    """Lines of a printed result; a row of a table is as high as two."""
    rows = re.compile("<table.*?</table>", re.DOTALL)
    return rows.sub(lambda table: "\n\n" * table[0].count("<tr"), shown).count("\n")


def _code(text: str) -> str:
    return f'<pre tabindex="0">{html.escape(text)}</pre>'


def alone(text: str) -> str:
    """A paragraph that announces nothing: what it points to stands elsewhere in the notebook."""
    if re.match(r"[-*] |[|>]|\d+\.|```", text):  # a list, a table, code
        return text
    sentences = re.split(r"(?:(?<=[.?!:])|(?<=[.?!:]\*\*))\s+(?=[A-Z*`$(])", text)
    return " ".join(each for each in sentences if not POINTS.search(" ".join(each.split())))


def paragraphs(heading: str, text: str) -> Iterator[Slide]:
    """Paragraphs as slides, as many on each as one holds; none ends where something is to come."""
    slide: list[str] = []
    most = WORDS * (2 if heading.startswith("Exercise") else 1)
    for block in text.split("\n\n"):
        if slide and len(" ".join([*slide, block]).split()) > most and slide[-1][-1] != ":":
            yield Slide(heading, markdown2html_mistune("\n\n".join(slide)))
            slide = []
        slide += [block] if block else []
    slide[-1:] = [re.sub(r"[^.?!:]*:$", "", slide[-1]).strip()] if slide else []
    if any(slide):
        yield Slide(heading, markdown2html_mistune("\n\n".join(slide)))


def quiz(blocks: list[Any]) -> Slide:
    """The questions; their answers are the notes."""
    asked = re.findall(
        r"^\d+\. (.*?)<details><summary>Answer</summary>(.*?)</details>",
        "\n".join(blocks),
        re.DOTALL | re.MULTILINE,
    )
    questions, answers = zip(*asked, strict=True)
    lists = (
        "\n".join(f"{n}. {' '.join(t.split())}" for n, t in enumerate(texts, 1))
        for texts in (questions, answers)
    )
    body, notes = map(markdown2html_mistune, lists)
    return Slide("Quiz", body, notes)


def slides_of(notebook: Any) -> Iterator[Slide]:
    """The slides of a notebook without its title: texts of some sections, all figures, a quiz."""
    for heading, blocks in sections(notebook):
        if heading == "Quiz":
            yield quiz([block for block in blocks if isinstance(block, str)])
            continue
        whole, text, message = heading.startswith(SHOWN) and heading != "Exercises", "", ""
        sentence = heading and not whole and not heading.startswith((*SKIPPED, "Exercises"))
        for block in [*blocks, None]:  # None: the end
            if isinstance(block, str):
                message = block if "<details>" not in block else ""
                if whole or (sentence and message and CORE.search(message)):
                    text = f"{text}\n\n{alone(block)}".strip()
                continue
            before, _, last = text.rpartition("\n\n")
            shown = outputs(block) if block is not None else ""
            figure = "<img" in shown
            if block is not None and last.endswith(":") and not heading.startswith("Exercise"):
                yield from paragraphs(heading, before)
                fits = lines(shown) <= LINES + 6  # the announcing line takes less than a paragraph
                body = "" if figure else shown if shown and fits else _code(block.source)
                body = body or "".join(re.findall("<img[^>]*>", shown))
                yield Slide(heading, markdown2html_mistune(last) + body)
                shown, text = (shown, "") if not figure else ("", "")
                continue
            if text and (block is None or shown):
                yield from paragraphs(heading, text)
                text = ""
            short = sentence and 0 < lines(shown) <= LINES
            if figure or (shown and (short or heading.startswith("Break"))):
                yield Slide(heading, shown, markdown2html_mistune(message))


def guide() -> dict[str, dict[str, str]]:
    """The teacher's guide: of each notebook, what stands after the words in bold."""
    text = (ROOT / "docs" / "teach" / "notebooks.md").read_text(encoding="utf-8")
    return {
        section.split(" ")[0]: dict(
            re.findall(r"^\*\*(\w+)\.\*\*\s(.*?)(?=^\*\*|\Z)", section, re.M | re.S)
        )
        for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    }


def deck(notebook: Any, entry: dict[str, str]) -> list[Slide]:
    """All slides of a notebook, with notes for the speaker from its entry in the guide."""
    title = notebook.cells[0].source.splitlines()[0].lstrip("# ")
    slides = [Slide(title, ""), *slides_of(notebook)]
    for begins, kinds in NOTES.items():
        place = next(
            n for n, slide in enumerate(slides) if slide.heading.startswith(begins or title)
        )
        notes = "".join(
            f"<h3>{kind}</h3>{markdown2html_mistune(entry[kind])}"
            for kind in kinds
            if kind in entry
        )
        slides[place] = slides[place]._replace(notes=notes + slides[place].notes)
    return slides


def main() -> None:
    shutil.rmtree(DECKS, ignore_errors=True)
    reveal = importlib.resources.files("sphinx_revealjs") / "_static/revealjs"
    (DECKS / "reveal").mkdir(parents=True)
    for file in (
        "dist/reveal.css",
        "dist/reveal.js",
        "plugin/math/math.js",
        "plugin/notes/notes.js",
        "LICENSE",
    ):
        (DECKS / "reveal" / Path(file).name).write_bytes((reveal / file).read_bytes())
    shutil.copy(mathjax(), DECKS / "reveal")
    refuse_edited(ROOT / "notebooks")
    entries, decks = guide(), []
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        slides = deck(notebook, entries[notebook_of(path.stem)])
        (DECKS / f"{path.stem}.html").write_text(PAGE.render(slides=slides), encoding="utf-8")
        decks.append((f"{path.stem}.html", slides[0].heading))
    (DECKS / "index.html").write_text(INDEX.render(decks=decks), encoding="utf-8")
    print(f"slides: open {DECKS / 'index.html'}")


if __name__ == "__main__":
    main()
