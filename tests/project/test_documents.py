"""The documents: python blocks run as printed, without network and data; links lead somewhere."""

import ast
import base64
import io
import os
import re
import sys
from collections import Counter
from pathlib import Path

import yaml
from PIL import Image, ImageColor

from pplab.plots import COLOURS
from pplab.recommenders.private import gaussian_level
from pplab_course.exercises import MOVED, exercises, judges_of, notebook_of
from tests.helpers import ROOT, dead_links, ended, output_of

DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])

# Put before the example: whoever opens a connection now gets an error.
NO_NETWORK = """
import socket
def refuse(*arguments, **keywords):
    raise OSError("the example must not need a network")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
"""


def python_blocks(text):
    return re.findall(r"^```python\n(.*?)^```$", text, flags=re.M | re.S)


def run_offline(code, folder, *, python=sys.executable):
    environment = {name: value for name, value in os.environ.items() if name != "PPLAB_DATA"}
    command = (python, "-W", "error", "-c", NO_NETWORK + code)
    return ended(*command, cwd=folder, env=environment, timeout=300).stdout


def texts():
    """Texts of notebooks, code and documents, by their place."""
    places = (("notebooks/src", "*.py"), ("pplab", "*.py"), ("packages", "*.py"), ("docs", "*.md"))
    files = [path for folder, kind in places for path in (ROOT / folder).rglob(kind)]
    assert len(files) > 100
    return {path: path.read_text() for path in [*files, ROOT / "README.md"]}


def test_links_lead_somewhere():
    assert len(DOCUMENTS) > 5
    dead = {file.name: dead_links(file.read_text(), file.parent) for file in DOCUMENTS}
    assert {name: links for name, links in dead.items() if links} == {}


def dead(text):
    """Notebooks and exercises of another edition that a text names."""
    notebooks = {path.stem for path in ROOT.glob("notebooks/src/*.py")}
    alive = exercises().keys() | MOVED.keys() | notebooks
    named = re.findall(r"(?<![\w.-])\d\d-[A-Z](?![\w-])", text)
    named += re.findall(r"\b(\d\d_[a-z_]+)\.(?:ipynb|html)", text)
    return sorted({name for name in named if name not in alive and notebook_of(name) <= "20"})


def test_no_text_names_a_notebook_or_an_exercise_that_is_gone():
    text = "06_jaccard_bound.ipynb and 01-H went, 01-O is there, 21-A is an example"
    assert dead(text) == ["01-H", "06_jaccard_bound"]
    files = [*DOCUMENTS, *ROOT.glob("notebooks/src/*.py")]
    files += ROOT.glob("packages/pplab_course/**/*.py")
    files += [*ROOT.glob(".github/**/*.yml"), *ROOT.glob("book/*.*"), *ROOT.glob("p*/**/*.toml")]
    results = {path.name: dead(path.read_text(encoding="utf-8")) for path in files}
    assert {name: gone for name, gone in results.items() if gone} == {}


def test_the_example_of_the_readme_is_short_and_runs_offline(tmp_path):
    example = python_blocks((ROOT / "README.md").read_text())[0]
    assert len([line for line in example.splitlines() if line.strip()]) <= 10
    assert run_offline(example, tmp_path).strip(), "the example prints nothing"


def test_the_readme_shows_what_the_ledger_answers():
    [printed] = re.findall(r"prints\n\n```\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.S)
    assert output_of("claims", "Lemma 5.3", columns=100).startswith(printed)
    assert max(map(len, printed.splitlines())) <= 100


def test_the_worked_examples_of_contributing_run(tmp_path):
    blocks = python_blocks((ROOT / "CONTRIBUTING.md").read_text())
    assert blocks, "CONTRIBUTING.md has no ```python block"
    run_offline("\n".join(blocks), tmp_path)


def test_every_part_of_the_package_has_a_status():
    text = (ROOT / "docs" / "LIMITATIONS.md").read_text().split("## Status")[1]
    plumbing = {"__init__", "__main__", "_above", "compiled", "checks", "cli", "files", "graphs"}
    plumbing |= {"shipped"}
    parts = {path.stem for path in (ROOT / "pplab").glob("[a-z_]*") if path.name != "py.typed"}
    parts |= {path.name for path in (ROOT / "packages").iterdir()}
    parts -= {"__pycache__", *plumbing}
    assert [part for part in sorted(parts) if f"`{part}`" not in text] == []


def phrases(name):
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return dict(line.split(" -> ") for line in lines if line and line[0] != "#")


FALSE, WORDS = phrases("false.txt"), phrases("words.txt")


def flat(text):
    """A text on one line, without the marks of comments and quotations."""
    lines = (re.sub(r"^\s*(# ?)?(> )?", "", line) for line in text.splitlines())
    return " ".join(" ".join(lines).split())


def phrases_in(texts, phrases, flags=0):
    return [
        f"{path.relative_to(ROOT)}: {matches[0]!r} ({why})"
        for path, text in texts.items()
        for phrase, why in phrases.items()
        for matches in re.finditer(phrase, flat(text), flags=flags)
    ]


def test_no_text_repeats_what_was_shown_to_be_false():
    assert phrases_in(texts(), FALSE, re.I) == []


def test_the_course_keeps_to_the_words_of_the_style_sheet():
    files = [*ROOT.glob("notebooks/src/*.py"), *ROOT.glob("packages/pplab_course/**/*.py")]
    assert phrases_in({path: path.read_text() for path in files}, WORDS) == []
    assert len(phrases_in({ROOT / "a": "# Clearly, it is\n# told in place of a list."}, WORDS)) == 3


def test_a_false_phrase_is_found_across_lines():
    broken = "# by more. Whatever\n# > they believed before, anyone's\n#   odds move."
    assert len(phrases_in({ROOT / "a": broken}, FALSE, re.I)) == 2


def test_the_levels_that_the_canon_quotes_for_gaussian_noise():
    """Noise as large as the shift: exactly (Balle and Wang 2018), and by moments (Mironov 2017)."""
    canon = flat((ROOT / "docs/canon.md").read_text())
    for conversion, words in (("exact", "at δ = 1/100,000"), ("mironov", "from its moments")):
        level = gaussian_level(1.0, delta=1e-5, conversion=conversion)
        assert f"{level:.2f} {words}" in canon


def test_each_work_that_is_cited_stands_in_the_references():
    number = re.compile(r"10\.\d{4,5}/[^\s\"'`>,;\]}]*[\w)]|(?<=arXiv[ :])\d{4}\.\d{4,5}")
    message = texts() | {path: path.read_text() for path in ROOT.glob("p*/**/*.toml")}
    references = (ROOT / "docs" / "references.bib").read_text()
    held = {each.lower() for each in re.findall(r"(?:doi|eprint) = {(.*)}", references)}
    assert len(held) > 80
    cited = {
        (each if each.count("(") else each.rstrip(")").split(")")[0], path.name)
        for path, text in message.items()
        if "example" not in path.parts
        for each in number.findall(text)
    }
    assert sorted(f"{name} cites {each}" for each, name in cited if each.lower() not in held) == []


def test_the_references_are_well_formed():
    entries = re.split(r"^@", (ROOT / "docs" / "references.bib").read_text(), flags=re.M)[1:]
    keys = [re.match(r"misc{(\w+),", entry) for entry in entries]
    assert all(keys)
    assert len({key[1] for key in keys if key}) == len(entries)
    for entry in entries:
        assert {"author", "title", "year"} <= set(re.findall(r"^  (\w+) = {", entry, flags=re.M))
        assert entry.count("{") == entry.count("}")


def _sections(page="notebooks"):
    """The guide's section on each notebook, by its number."""
    guide = (ROOT / f"docs/teach/{page}.md").read_text()
    return {part.split(" ")[0]: part for part in re.split(r"^## ", guide, flags=re.M)[1:]}


def test_the_hints_that_the_guide_quotes_are_those_of_the_judges():
    for name, section in _sections().items():
        (judges,) = judges_of(name)
        nodes = ast.walk(ast.parse(judges.read_text()))
        values = [node.value for node in nodes if isinstance(node, ast.Constant)]
        text = " ".join(value for value in values if isinstance(value, str))
        for each in exercises(name).values():
            text += " ".join([*each.hints, *(hint for _, hint, _ in each.mistakes)])
        quoted = re.findall(r"^  > (.*)$", section, flags=re.M)
        assert len(quoted) >= 3
        assert [hint for hint in quoted if hint not in text] == []


def test_the_exam_has_questions_that_are_no_plug_ins_with_their_points():
    kinds = Counter()
    assert _sections("answers/exams").keys() == _sections().keys()
    for exam in _sections("answers/exams").values():
        questions = re.findall(r"^\d\. \((\d+)\) (.*?)(?=^\d\. |\Z)", exam, flags=re.M | re.S)
        assert len(questions) >= 2
        assert all("*Answer.*" in text for _, text in questions)
        for _, text in questions:
            kind = re.match(r"\*([^*]+)\.\*", text)
            kinds += Counter([kind[1]] if kind else [])
            assert not kind or "point" in text.lower(), text
    five = {"Proof", "A sensitivity not given", "Node against edge", "δ", "A belief with structure"}
    assert five <= kinds.keys()


def test_committed_pictures_have_the_colours_of_the_record():
    """Each in some notebook, and those of the first two series in the README's second picture."""
    colours = {name: ImageColor.getrgb(each) for name, each in COLOURS.items()}
    seen = set()
    for file in ROOT.glob("notebooks/solutions/*.ipynb"):
        for png in re.findall('"image/png": "([^"\\\\]+)', file.read_text()):
            palette = Image.open(io.BytesIO(base64.b64decode(png))).getpalette()
            seen |= {*zip(*[iter(palette)] * 3, strict=True)}
    assert {*colours.values()} <= seen, "type `.venv/bin/python notebooks/build.py --all`"
    image = Image.open(ROOT / "docs/images/printed-and-measured.png").convert("RGB")
    drawn = {colour for _, colour in image.getcolors(image.width * image.height)}
    assert {colours["blue"], colours["red"]} <= drawn, "type `.venv/bin/python docs/picture.py`"


def test_forms_and_hooks_are_read_as_they_are_meant():
    forms = {
        file.stem: yaml.safe_load(file.read_text()) for file in (ROOT / ".github").glob("I*/*.yml")
    }
    assert forms.pop("config") == {"blank_issues_enabled": True}
    assert set(forms) == {"verdict", "notebook", "mechanism"}
    for form in forms.values():
        assert form["name"]
        assert form["description"]
        ids = [part["id"] for part in form["body"]]
        assert len(set(ids)) == len(ids)
        assert all(part["attributes"]["label"] for part in form["body"])
    [repo] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    subject = next(hook["entry"] for hook in repo["hooks"] if hook["id"] == "subject")
    assert re.search(subject, "a" * 73)
    assert not re.search(subject, "a" * 72 + "\n\n" + "b" * 100)
    assert not re.search(subject.encode(), ("ε" * 72).encode())  # the hook reads bytes
