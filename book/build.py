"""Build the book from what is committed: `make book`, or `python book/build.py`.

The pages are written to build/book/html and open from the disk (index.html); with `--pdf` they are
printed to build/book/pplab.pdf as well. The notebooks keep their outputs; what is run are the
states of their widgets (widgets.py), unless they are kept from before.
"""

import argparse
import re
import shutil
import sys
from importlib.metadata import version
from pathlib import Path

import nbformat
import reference
import widgets
import yaml

from pplab_course.handed_out import committed, refuse_edited

BOOK = Path(__file__).resolve().parent
ROOT = BOOK.parent
ANSWERS = "docs/teach/answers"  # for examiners: neither pages nor files of the book
# A link of Markdown to something in this project.
_LINK = re.compile(r"\[([^\]]*)\]\(([^)#:\s]+)((?:#[^)\s]*)?)\)")

# On paper nothing opens: answers stand open, and what leads to a file of this disk is plain text.
# Each part gets a page, and the whole a cover.
_FOR_PAPER = """([parts, edition]) => {
const part = {className: "part"};
const heading = text => Object.assign(document.createElement("h1"), part, {textContent: text});
for (const [caption, first] of parts)
    document.getElementById(`document-${first}`).before(heading(caption));
document.querySelector("#jb-print-docs-body h1").after(edition);
for (const it of document.querySelectorAll("details:not(.hide)")) it.open = true;
for (const it of document.querySelectorAll("a[href]"))
    if (!/^(https?:|mailto:|#)/.test(it.getAttribute("href"))) it.replaceWith(...it.childNodes);
}"""


def chapters(toc: Path = BOOK / "_toc.yml") -> list[str]:
    """Names of all pages, in the order of the table of contents."""
    contents = yaml.safe_load(toc.read_text(encoding="utf-8"))
    files = (chapter["file"] for part in contents["parts"] for chapter in part["chapters"])
    return [contents["root"], *files]


def stage(source: Path) -> None:
    """Copy the chapters, and what they link, into a folder of its own."""
    refuse_edited(ROOT / "notebooks")
    shutil.rmtree(source, ignore_errors=True)
    notebooks = sorted((ROOT / "notebooks" / "solutions").glob("*.ipynb"))
    states = dict(zip((file.stem for file in notebooks), widgets.folders(notebooks), strict=True))
    for name in chapters():
        if name.startswith(reference.FOLDER):
            text = reference.page(name.rpartition("/")[2])
            (source / reference.FOLDER).mkdir(parents=True, exist_ok=True)
            (source / f"{name}.md").write_text(text, encoding="utf-8")
            continue
        page = next(
            file
            for folder in (BOOK, ROOT)
            for end in (".md", ".ipynb")
            if (file := folder / f"{name}{end}").exists()
        )
        copy = source / page.relative_to(BOOK if BOOK in page.parents else ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if page.suffix == ".md":
            text = _within(committed(page).decode("utf-8"), copy, source)
            copy.write_text(text, encoding="utf-8")
        else:
            notebook = nbformat.read(page, as_version=4)
            for cell in notebook.cells:
                if cell.cell_type == "markdown":
                    cell.source = _within(cell.source, copy, source)
            if folder := states.get(page.stem):
                widgets.move(notebook, folder, source / "_static" / "widgets" / page.stem)
            nbformat.write(notebook, copy)
    shutil.copytree(BOOK / "_static", source / "_static", dirs_exist_ok=True)
    shutil.copyfile(ROOT / "docs" / "references.bib", source / "docs" / "references.bib")


def _within(text: str, page: Path, source: Path) -> str:
    """Keep links to pages; copy files that are linked; folders and answers are named alone."""

    def place(link: re.Match[str]) -> str:
        words, target, anchor = link.groups()
        path = (page.parent / target).resolve().relative_to(source.resolve())
        if path.as_posix() == "docs/references.bib":
            return f"[{words}]({target.removesuffix('.bib')}.md)"
        if path.with_suffix("").as_posix() in chapters() or not (ROOT / path).exists():
            return f"[{words}]({target}{anchor})"
        if (ROOT / path).is_dir() or path.is_relative_to(ANSWERS):
            shown = f"`{path.as_posix()}{'/' * (ROOT / path).is_dir()}`"
            return words if words.startswith("`") else f"{words} ({shown})"
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, source / path)
        return f"[{words}]({target})"

    return _LINK.sub(place, text)


def build(out: Path, *, builder: str) -> None:
    """Let jupyter-book write the pages; a warning is an error."""
    from jupyter_book.sphinx import build_sphinx

    failed = build_sphinx(
        out / "source",
        out / builder,
        path_config=BOOK / "_config.yml",
        noconfig=True,
        confoverrides={
            "external_toc_path": (BOOK / "_toc.yml").as_posix(),
            "latex_individualpages": False,
        },
        doctreedir=out / "doctrees",
        builder=builder,
        warningiserror=True,
        keep_going=True,
        quiet=True,
    )
    if failed:
        sys.exit(f"book: {builder} has errors or warnings, listed above")


def print_pages(page: Path, file: Path) -> None:
    """Print a page to PDF, by the system's browser or playwright's own."""
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
    browser_path = next(filter(None, map(shutil.which, names)), None)
    part = file.with_suffix(".part")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path,
            args=["--no-sandbox"],  # it opens only our own page; root needs it
        )
        paper = browser.new_page()
        paper.goto(page.as_uri())
        paper.wait_for_function("MathJax.startup.promise.then(() => true)", timeout=300_000)
        parts = yaml.safe_load((BOOK / "_toc.yml").read_text(encoding="utf-8"))["parts"]
        first = [[part["caption"], part["chapters"][0]["file"]] for part in parts]
        edition = f"Notebooks, documents and reference, version {version('pplab')}"
        paper.evaluate(_FOR_PAPER, [first, edition])
        paper.pdf(
            path=part,
            prefer_css_page_size=True,
            print_background=True,
            outline=True,
            tagged=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template="<div style='width: 100%; text-align: center; font-size: 8px'>"
            "<span class='pageNumber'></span></div>",
        )
        browser.close()
    part.replace(file)


def main(arguments: list[str] | None = None) -> None:
    """Build the pages, and print them if asked."""
    parser = argparse.ArgumentParser(description="Write the course as web pages, and as a PDF.")
    parser.add_argument("--pdf", action="store_true", help="print the pages to pplab.pdf as well")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "book", help="folder to write")
    options = parser.parse_args(arguments)
    out = options.out.resolve()
    stage(out / "source")
    build(out, builder="html")
    print(f"book: open {out / 'html' / 'index.html'}")
    if options.pdf:
        build(out, builder="singlehtml")
        print_pages(out / "singlehtml" / "README.html", out / "pplab.pdf")
        print(f"book: printed to {out / 'pplab.pdf'}")


if __name__ == "__main__":
    main()
