"""Every public name is documented alike, and takes its data by position and the rest by name."""

import inspect
import re
from dataclasses import is_dataclass

import pplab
from pplab.recommenders.recommend import METHODS
from pplab.recommenders.similarity import MEASURES
from pplab.response.ratings import NORMS
from pplab.smooth import anonymize

# What may be passed by position: the data a function is about, and k.
DATA = """
    adjacency answer biadjacency data exercise_id k matrix mechanism name noisy original pair path
    points preferences protected ranked_items ratings social utilities
"""
# Conversions between two numbers: the number is the data.
CONVERSIONS = {"flip_to_epsilon": {"flip_probability"}, "epsilon_to_flip": {"epsilon"}}
# Nobody should get a privacy level without having chosen it.
NO_DEFAULT = {"epsilon", "flip_probability", "k"}


def sections(doc):
    """Lines of each underlined section of a numpydoc docstring."""
    lines = doc.splitlines()
    results = {}
    current = []
    for place, line in enumerate(lines):
        below = lines[place + 1] if place + 1 < len(lines) else ""
        if line and re.fullmatch(r"-{3,}", below):
            current = results.setdefault(line.strip(), [])
        else:
            current.append(line)
    return results


def documented_parameters(doc):
    """Names in the Parameters section, in order; `a, b : int` names two."""
    lines = sections(doc).get("Parameters", [])
    heads = [x.split(" : ")[0] for x in lines if x.strip() and not x.startswith((" ", "-"))]
    return [name.strip().lstrip("*") for head in heads for name in head.split(",")]


def complaints(name, thing):
    """Gaps in the documentation of a public function or class, in sentences."""
    doc = inspect.getdoc(thing) or ""
    if not doc.strip():
        yield f"{name} has no docstring"
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return
    taken, result = [*inspect.signature(thing).parameters.values()], documented_parameters(doc)
    # A result says what its fields are under Attributes; what one constructs, under Parameters.
    if not (is_dataclass(thing) and "Attributes" in sections(doc)):
        if result != (names := [parameter.name for parameter in taken]):
            yield f"{name} takes {names} and its docstring tells {result}"
        yield from _about_signature(name, taken)
    for title in {"References", "Examples"} - sections(doc).keys():
        yield f"{name} has no section {title}"
    if ">>> " not in "\n".join(sections(doc).get("Examples", [">>> "])):
        yield f"{name} has an Examples section without an example"


def _about_signature(name, taken):
    data = CONVERSIONS.get(name, DATA.split())
    for parameter in taken:
        by_position = parameter.kind is not inspect.Parameter.KEYWORD_ONLY
        if by_position and parameter.name not in data:
            yield f"{name} takes {parameter.name} by position; only data and k are"
        if not by_position and parameter.name == "k":
            yield f"{name} takes k by name only; it comes by position after the data"
        if parameter.name in NO_DEFAULT and parameter.default is not inspect.Parameter.empty:
            yield f"{name} has a default for {parameter.name}; it must be chosen"


def test_every_public_name_is_documented_and_keyword_only():
    assert len(set(pplab.__all__)) == len(pplab.__all__) >= 32
    assert set(pplab.__all__) <= set(dir(pplab)), "a name that Tab does not complete"
    things = {name: getattr(pplab, name) for name in pplab.__all__}
    called = {name: thing for name, thing in things.items() if callable(thing)}
    assert [line for name, thing in called.items() for line in complaints(name, thing)] == []


def wrong(original, weight, *, epsilon=1.0):
    """Break five rules.

    Examples
    --------
    1 + 1
    """


def test_a_wrong_function_is_noticed():
    assert len([*complaints("wrong", wrong)]) == 5


# Variants: each list of names in a docstring is that of the records, which the function reads.
VARIANTS = {
    "measure": MEASURES,
    "norm": NORMS,
    "recommend: method": METHODS,
    "smooth_k_anonymize: method": anonymize.METHODS,
    "suppress_k_anonymize: method": anonymize.SUPPRESSION_METHODS,
}


def listed_variants():
    """Function and parameter -> the names that its docstring lists, in all topics."""
    topics = [getattr(pplab, name) for name in sorted({*dir(pplab)} - {*pplab.__all__})]
    results = {}
    modules = filter(inspect.ismodule, topics)
    for thing in [thing for module in modules for thing in vars(module).values()]:
        for line in sections(inspect.getdoc(thing) or "").get("Parameters", []):
            if listing := re.match(r"(\w+) : \{(.+?)\}", line):
                results[f"{getattr(thing, '__name__', '')}: {listing[1]}"] = re.findall(
                    '"(.+?)"', listing[2]
                )
    return results


def test_docstrings_list_the_variants_that_there_are():
    wrong, unseen = {}, set(VARIANTS)
    for name, names in listed_variants().items():
        one = name if name in VARIANTS else name.split(": ")[1]
        unseen.discard(one)
        if names != list(VARIANTS.get(one, names)):
            wrong[name] = f"lists {names}, the record has {list(VARIANTS[one])}"
    assert (wrong, unseen) == ({}, set())
