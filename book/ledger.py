"""A Sphinx extension for the book: ids of the ledger lead to their rows, and rows back.

Names of functions that stand as code lead to the reference.

It also puts the ledger page and MathJax into the book, so that a browser needs no network.
"""

import fnmatch
import importlib.metadata
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import reference
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError

from pplab_course.exercises import notebook_of

ROOT = Path(__file__).resolve().parents[1]
PAGE = "claims.html"
MATHJAX = "tex-svg-full.js"
# An id in prose or code. `*` and `?` stand for several rows, and so does what an f-string fills in.
_ID = re.compile(r"(?<![\w:/.-])[a-z-]+(?::(?:[\w=.+*?%/-]|\{[^{}]*\})+){1,6}")


@cache
def ids() -> tuple[str, ...]:
    """All ids of the ledger, in its order."""
    from pplab_papers.collection import judged_claims

    return tuple(entry.claim.id for entry in judged_claims())


@cache
def rows_of(name: str) -> tuple[str, ...]:
    """Ids that a name stands for: itself, or all that fit a pattern."""
    if name in ids():
        return (name,)
    pattern = re.sub(r"\{[^{}]*\}", "*", name.strip(":"))
    narrow = re.match(r"[a-z-]+:[^:*?]*[^:*?-](:|$)", pattern)  # paper and place are named
    return tuple(fnmatch.filter(ids(), pattern)) if narrow or "{" not in name else ()


def names_in(text: str) -> list[str]:
    """Words that look like an id of one of the papers, or like a pattern of ids."""
    papers = {each.split(":")[0] for each in ids()}
    return [name for name in _ID.findall(text) if name.split(":")[0] in papers]


def _note_uses(app: Sphinx, doctree: nodes.document) -> None:
    """Remember in which section of a notebook a row is used."""
    docname = app.env.docname
    uses = _uses(app.env)
    if not docname.startswith("notebooks/"):
        return
    for node in doctree.findall(lambda node: isinstance(node, nodes.literal | nodes.literal_block)):
        section = node.parent
        while section is not None and not isinstance(section, nodes.section):
            section = section.parent
        if section is None:
            continue
        number = notebook_of(docname.removeprefix("notebooks/"))
        beat = f"notebook {number}, {section[0].astext()}", f"{docname}.html#{section['ids'][0]}"
        for name in names_in(node.astext()):
            for row in rows_of(name):
                uses.setdefault((docname, row), []).append(beat)


def _uses(env: BuildEnvironment) -> dict[tuple[str, str], list[tuple[str, str]]]:
    if not hasattr(env, "ledger_uses"):  # Sphinx keeps what an extension adds; its types do not
        env.ledger_uses = {}  # type: ignore[attr-defined]
    return env.ledger_uses


def _forget(_: Sphinx, env: BuildEnvironment, docname: str) -> None:
    uses = _uses(env)
    for key in [key for key in uses if key[0] == docname]:
        del uses[key]


def _link_ids(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Make a link of each id, or name of a function, that stands as code in prose.

    A pattern of ids leads to its first row.
    """
    if app.builder.name != "html":
        return  # on paper there is no page to open
    up = "../" * docname.count("/")
    for node in list(doctree.findall(nodes.literal)):
        if isinstance(node.parent, nodes.reference | nodes.title):
            continue
        text = node.astext()
        rows = rows_of(text) if names_in(text) == [text] else ()
        target = f"{PAGE}#{quote(rows[0], safe=':=*+')}" if rows else reference.place(text)
        if target:
            link = nodes.reference("", "", internal=True, refuri=f"{up}{target}")
            node.replace_self(link)
            link += node


def _link_code(app: Sphinx, page: str, _: str, context: dict[str, Any], __: Any) -> None:
    """Make links of the functions that code calls."""
    if app.builder.name == "html" and "body" in context and not page.startswith(reference.FOLDER):
        context["body"] = reference.in_code(context["body"], "../" * page.count("/"))


def mathjax(*_: object) -> Path:
    """MathJax in one file, from the package that brings it."""
    try:
        files = importlib.metadata.files("sphinx-mathjax-offline") or []
    except importlib.metadata.PackageNotFoundError as missing:
        raise ExtensionError(
            "the book needs sphinx-mathjax-offline, which is not installed: "
            "install the extra docs, pip install 'pplab[docs]'"
        ) from missing
    return next(Path(str(file.locate())) for file in files if file.name == MATHJAX)


def _complete(app: Sphinx, error: Exception | None) -> None:
    """Add the ledger page, the code that it shows, and MathJax."""
    if error is not None:
        return
    out = Path(app.outdir)
    shutil.copyfile(mathjax(), out / "_static" / MATHJAX)
    if app.builder.name != "html":
        return
    from claimbook.page import render_page
    from pplab_papers.collection import COLLECTION

    used: dict[str, list[tuple[str, str]]] = {}
    for (_, row), beats in sorted(_uses(app.env).items()):
        used.setdefault(row, []).extend(dict.fromkeys(beats))
    page = render_page(COLLECTION.chosen(), near=ROOT, used=used)
    (out / PAGE).write_text(page, encoding="utf-8")
    for name in set(re.findall(r'href="(packages/[^"#]+)#L', page)):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, out / name)


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx what is done when."""
    app.connect("builder-inited", mathjax)
    app.connect(
        "autodoc-process-docstring", reference.bars_are_bars, priority=400
    )  # before napoleon
    app.connect("doctree-read", _note_uses)
    app.connect("env-purge-doc", _forget)
    app.connect("doctree-resolved", _link_ids)
    app.connect("html-page-context", _link_code)
    app.connect("build-finished", _complete)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
