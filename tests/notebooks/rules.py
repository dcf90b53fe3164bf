"""The rules of style for notebooks: each takes a notebook and yields its complaints."""

import ast
import dis
import inspect
import itertools
import math
import re
from types import CodeType

from pplab_course.exercises import NOTEBOOK
from tests.helpers import dead_links

CHECKED, IGNORED = "nbval-check-output", "nbval-ignore-output"  # tags that nbval reads
SKELETON = (  # in this order, as headings
    "What you will be able to do",
    "What you need",
    "Break something",
    "Define",
    "Play",
    "Exercises",
    "Quiz",
    "What to remember",
    "References",
)
# Minutes for an exercise: medians of two readers' estimates for a student, ten notebooks; H is
# a hunt, N nearest rows.
_TRIES = {"R": 3, "C": 5, "P": 12, "B": 12, "D": 15, "O": 30}
_TRIES |= {"H": 35, "N": 20}
_LATEX, _CODE, _LINK = r"\$\$?[^$]+\$\$?", r"```.*?```|`[^`]*`", r"\]\([^)]*\)"
_RELATION = re.compile(r"[=<>]|\\[lg]eq?\b|\\approx")
_NUMBER = re.compile(r"\d[.,]\d|\d{4,}|\d\s?%")


def _tags(cell):
    return list(cell.metadata.get("tags", []))


def _texts(notebook):
    cells = enumerate(notebook.cells)
    return [(number, cell.source) for number, cell in cells if cell.cell_type == "markdown"]


def _codes(notebook):
    return [each for each in enumerate(notebook.cells) if each[1].cell_type == "code"]


def _code_lines(cell):
    return [line for line in cell.source.splitlines() if line.strip()]


def _headings(notebook):
    prose = (re.sub(r"```.*?```", "", text, flags=re.S) for _, text in _texts(notebook))
    return [
        (len(match[1]), match[2])
        for text in prose
        for match in re.finditer(r"^(#+) (.+)$", text, flags=re.M)
    ]


def number_of_cells(notebook):
    if not 20 <= (count := len(notebook.cells)) <= 45:
        yield f"{count} cells; 20 to 45 can be read in one go"


def short_code(notebook):
    """At most 20 lines, not counting empty ones."""
    for number, cell in _codes(notebook):
        if (count := len(_code_lines(cell))) > 20:
            yield f"cell {number} has {count} lines of code, more than 20"


def headings_in_order(notebook):
    levels = [level for level, _ in _headings(notebook)]
    if levels[:1] != [1] or levels.count(1) > 1:
        yield "one title, at the top"
    if any(below > above + 1 for above, below in itertools.pairwise(levels)):
        yield "a heading skips a level"


def skeleton(notebook):
    titles = [title for _, title in _headings(notebook)]
    places = [
        next((place for place, title in enumerate(titles) if title.startswith(part)), None)
        for part in SKELETON
    ]
    if None in places:
        missing = [part for part, place in zip(SKELETON, places, strict=True) if place is None]
        yield f"no heading starts with {missing}"
    elif places != sorted(places):
        yield "parts are not in their order"


def minutes(notebook):
    """The first cell estimates reading and exercises apart, by words, lines and letters.

    Words at 110 a minute, lines of code at 10, a formula that states a relation at a minute and a
    half with the pencil: near what two readers took for ten notebooks, below it for those full of
    tables.
    """
    texts = [text for _, text in _texts(notebook)]
    words = sum(len(re.sub(_LATEX, " ", text).split()) for text in texts)
    formulas = [formula for text in texts for formula in re.findall(_LATEX, text)]
    pencil = 1.5 * sum(bool(_RELATION.search(formula)) for formula in formulas)
    lines, letters = 0, []
    for _, cell in _codes(notebook):
        if "solution" not in _tags(cell):
            lines += len(_code_lines(cell))
        letters += re.findall(rf"^check\(\"{NOTEBOOK}-([A-Z])\"", cell.source, flags=re.M)
    if unknown := sorted(set(letters) - set(_TRIES)):
        yield f"exercises {unknown} have no minutes; the letters with minutes are {[*_TRIES]}"
        return
    tried = _to_five(sum(_TRIES[letter] for letter in letters))
    read = _to_five(words / 110 + lines / 10 + pencil)
    line = f"**Minutes (estimates):** about {read} to read, about {tried} for the exercises."
    if line not in " ".join(notebook.cells[0].source.split()):
        yield f"the first cell lacks the line {line!r}"
    if read > 60 or tried > 75:
        yield "more than an evening: 60 minutes to read, 75 for the exercises"


def length(notebook):
    """At most 1,900 words of prose in a core notebook, 3,000 in another, without references.

    Tables, formulas and folds that name rows of the ledger are looked up, not read.
    """
    text = "\n\n".join(text for _, text in _texts(notebook)).partition("\n## References")[0]
    fold = r"<details><summary>In the ledger.*?</details>"
    prose = re.sub(rf"{fold}|^\|.*?$|{_LATEX}", " ", text, flags=re.DOTALL | re.MULTILINE)
    words = sum(bool(re.search("[A-Za-z]", word)) for word in prose.split())
    most = 1900 if "Core track" in text else 3000
    if words > most:
        yield f"{words:,} words, {words - most} more than {most:,}"


def edition(notebook):
    """The first cell says which edition, part and track the notebook belongs to."""
    part = r"(?:part [1-6] of 6: [a-z ]+|for a project of your own)"
    line = rf"\*Edition 2, {part}\. (?:Core|Papers’) track\.\*"
    if not re.search(line, " ".join(notebook.cells[0].source.split())):
        yield f"the first cell lacks a line as {line!r}"


def _to_five(number):
    return 5 * math.floor(number / 5 + 0.5)


def prediction_first(notebook):
    if not _codes(notebook)[0][1].source.startswith("my_prediction ="):
        yield "the first code cell is no prediction"


def no_number_retyped(notebook):
    """Prose may hold settings (5 %, 1/2), not results: decimals, thousands, many digits."""
    for number, text in _texts(notebook):
        body = text.split("## References")[0]
        for pattern in (_CODE, _LATEX, _LINK):
            body = re.sub(pattern, " ", body, flags=re.S)
        settings = re.findall(r"\b(?:[1-9]\d?) %", body)
        for match in _NUMBER.finditer(body):
            token = match.group()
            year = re.match(r"(?:19|20)\d\d$", token)
            if not year and not (token.endswith("%") and settings):
                yield f"cell {number} types the number {token!r}: let the run print it"


def shares_without_exponent(notebook):
    """A format with two digits writes a share of 99.9 % as 1e+02 %."""
    for number, cell in _codes(notebook):
        for match in re.finditer(r"\.[12]g\}\s*%", cell.source):
            yield f"cell {number} writes per cent as {match.group()!r}, which turns 100 into 1e+02"


def seeds_given(notebook):
    """No generator without a seed, no global random state, no draw without rng=."""
    drawing = {"noise_graph", "bipartite_noise_graph", "weighted_noise_graph", "sample"}
    drawing |= {"draw_noise", "risk_distribution", "figure2", "table5"}
    for number, cell in _codes(notebook):
        nodes = ast.walk(ast.parse(cell.source))
        for call in (node for node in nodes if isinstance(node, ast.Call)):
            name = ast.unparse(call.func)
            last = name.split(".")[-1]
            if last == "default_rng" and not (call.args or call.keywords):
                yield f"cell {number}: default_rng without a seed"
            if re.match(r"(np|numpy)\.random\.(?!default_rng|Generator)", name):
                yield f"cell {number}: {name} uses the global random state"
            if last in drawing and "rng" not in {keyword.arg for keyword in call.keywords}:
                yield f"cell {number}: {name} without rng="


def figures_have_alt_text(notebook):
    """Every picture in an output has an alt text with two numbers, the same in all its forms."""
    for number, cell in _codes(notebook):
        if "plt.show(" in cell.source or ".savefig(" in cell.source:
            yield f"cell {number}: show figures with pplab.plots.show(figure, alt=...)"
        for output in cell.get("outputs", []):
            if not any(kind.startswith("image/") for kind in output.get("data", {})):
                continue
            alt = output.get("metadata", {}).get("image/png", {}).get("alt", "")
            if len(re.findall(r"\d+(?:[.,]\d+)*", alt)) < 2:
                yield f"cell {number}: alt text {alt!r} does not hold two numbers"
            if "<img alt=" not in output.data.get("text/html", ""):
                yield f"cell {number}: the picture has no <img alt=...>"


def widgets_have_twins(notebook):
    """An ignored cell with sliders is followed by a checked cell that calls the same function."""
    codes = _codes(notebook)
    for place, (number, cell) in enumerate(codes):
        if "explore(" not in cell.source:
            continue
        if not {"widget", "hide-input", IGNORED} <= set(_tags(cell)):
            yield f"cell {number}: a widget needs the tags widget, hide-input and {IGNORED}"
        drawn = re.search(r"explore\(\s*(\w+)", cell.source)
        after = codes[place + 1][1] if place + 1 < len(codes) else cell
        shown = drawn is not None and re.search(rf"twin\(\s*{drawn[1]}\b", after.source)
        if not shown or CHECKED not in _tags(after):
            yield f"cell {number}: the next code cell must be its static twin, checked"


def exercises_are_checked(notebook):
    """Every check stands in a solution cell with a marker, and its output is compared."""
    for number, cell in _codes(notebook):
        checks = re.search(rf"^check\(\"{NOTEBOOK}-[A-Z]\"", cell.source, flags=re.M)
        if bool(checks) != ("solution" in _tags(cell)):
            yield f"cell {number}: check(...) and the tag solution belong together"
        if checks and CHECKED not in _tags(cell):
            yield f"cell {number}: {CHECKED} is missing"


def ran_in_order(notebook):
    codes = _codes(notebook)
    if [cell.execution_count for _, cell in codes] != [*range(1, len(codes) + 1)]:
        yield "cells were not run once, in order"
    for number, cell in codes:
        if any(output.output_type == "error" for output in cell.outputs):
            yield f"cell {number} ended with an error"
        if any(output.get("name") == "stderr" for output in cell.outputs):
            yield f"cell {number} wrote to stderr"


def cells_run_again(notebook):
    """A reader goes back: what a cell reads is not bound again by itself or by a later cell."""
    cells = []
    for number, cell in _codes(notebook):
        bound = set()
        cells.append((number, _reads(compile(cell.source, "cell", "exec"), bound), bound))
    for place, (number, read, _) in enumerate(cells):
        for later, _, bound in cells[place:]:
            for name in sorted(read & bound):
                yield f"cell {number} reads {name}, which cell {later} binds again"


def _reads(code, bound):
    """Names that come from outside the cell; those that the cell binds are added to `bound`."""
    read = set()
    for step in dis.get_instructions(code):
        if step.opname == "STORE_NAME":
            bound.add(step.argval)
        elif step.opname in {"LOAD_NAME", "LOAD_GLOBAL"} and step.argval not in bound:
            read.add(step.argval)
        elif isinstance(step.argval, CodeType):
            read |= _reads(step.argval, bound)
    return read


def links_lead_somewhere(notebook, folder):
    for number, text in _texts(notebook):
        for target in dead_links(text, folder):
            yield f"cell {number} links {target}, which does not exist"


def _asks_a_notebook(name, each):
    public = inspect.isfunction(each) and name[0] != "_"
    return public and [*inspect.signature(each).parameters] == ["notebook"]


RULES = [each for name, each in list(vars().items()) if _asks_a_notebook(name, each)]
