"""Write a deck of slides for each notebook: ``python book/slides.py``, read from build/slides.

A deck holds the notebook's goals, its surprise, its definitions, one figure, the exercises and what
to remember, found by the headings that all notebooks share. It needs no network: reveal.js and
MathJax are copied from installed packages.
"""

from __future__ import annotations

import html
import importlib.resources
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from jinja2 import Template
from ledger import mathjax
from nbconvert.filters import markdown2html_mistune

ROOT = Path(__file__).parents[1]
DECKS = ROOT / "build/slides"
WORDS = 75  # on one slide
SHOWN = (  # the sections whose text is shown
    "What you will be able to do",
    "Break something",
    "Define",
    "Exercise",
    "What to remember",
)

PAGE = Template(
    """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
<link rel="stylesheet" href="reveal/reveal.css">
<style>
body { font-family: sans-serif; color: #111; background: #fff; }
.reveal { font-size: 26px; line-height: 1.4; }
.reveal h2 { font-size: 34px; margin: 0 0 .6em; }
.reveal .slides > section { text-align: left; }
.reveal pre { font-size: 18px; background: #f3f3f3; padding: .6em; }
.reveal li { margin-bottom: .3em; }
.reveal .long { font-size: 20px; }
.reveal table { border-collapse: collapse; font-size: 20px; }
.reveal th, .reveal td { border: 1px solid #777; padding: .2em .5em; }
.reveal a { color: #00588f; }
.reveal img { width: auto; max-width: 100%; max-height: 420px; }
.reveal .controls { color: #00588f; }
</style>
</head>
<body>
<div class="reveal"><div class="slides">
{% for heading, body in slides %}<section aria-label="{{ heading|e }}">
{% if heading %}<h2>{{ heading }}</h2>{% endif %}
<div{% if body|striptags|wordcount > 120 %} class="long"{% endif %}>{{ body }}</div>
</section>
{% endfor %}</div></div>
<script src="reveal/reveal.js"></script>
<script src="reveal/math.js"></script>
<script>
Reveal.initialize({
  width: 1100, height: 720, margin: 0.05, hash: true, transition: "none",
  plugins: [RevealMath.MathJax3],
  mathjax3: {mathjax: "reveal/tex-svg-full.js"},
});
</script>
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
        for block in re.split(r"\n{2,}", cell.source):
            if named := re.match(r"#+ (.*)|\*\*(Exercise [^*]*)\*\*", block):
                yield heading, blocks
                heading, blocks = (named[1] or named[2]), []
                block = block[named.end() :]
            if block.strip() and not block.startswith("> **In the ledger"):
                blocks.append(block.strip())
    yield heading, blocks


def outputs(cell: Any) -> str:
    """What a cell shows: sentences and tables as text, figures as pictures with their words."""
    shown = []
    for output in cell.outputs:
        data = output.get("data", {})
        if "text/html" in data:  # a figure, with its alt text
            shown.append(data["text/html"])
        elif "text/markdown" in data:
            shown.append(markdown2html_mistune(data["text/markdown"]))
        elif output.output_type == "stream":
            shown.append(f'<pre tabindex="0">{html.escape(output.text)}</pre>')
    return "\n".join(shown)


def slides_of(notebook: Any) -> Iterator[tuple[str, str]]:
    """Heading and body of each slide: paragraphs together, as many as one holds, and outputs."""
    drawn = False
    for heading, blocks in sections(notebook):
        told, text = heading.startswith(SHOWN), ""
        for block in [*blocks, None]:  # None: the end
            is_text = isinstance(block, str)
            shown = "" if is_text or block is None else outputs(block)
            more = f"{text}\n\n{block}" if is_text and told else text
            if text and (block is None or shown or len(more.split()) > WORDS):
                yield heading, markdown2html_mistune(text)
                more = more[len(text) :]
            text = more
            figures = re.findall("<img[^>]*>", shown)
            if shown and heading.startswith("Break"):
                yield heading, shown
            elif figures and not drawn:
                yield heading, figures[0]
            drawn |= bool(figures)


def main() -> None:
    shutil.rmtree(DECKS, ignore_errors=True)
    reveal = importlib.resources.files("sphinx_revealjs") / "_static/revealjs"
    (DECKS / "reveal").mkdir(parents=True)
    for file in ("dist/reveal.css", "dist/reveal.js", "plugin/math/math.js", "LICENSE"):
        (DECKS / "reveal" / Path(file).name).write_bytes((reveal / file).read_bytes())
    shutil.copy(mathjax(), DECKS / "reveal")
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        title = notebook.cells[0].source.splitlines()[0].lstrip("# ")
        slides = [(title, ""), *slides_of(notebook)]
        (DECKS / f"{path.stem}.html").write_text(
            PAGE.render(title=title, slides=slides), encoding="utf-8"
        )
    print(f"slides: {DECKS}")


if __name__ == "__main__":
    main()
