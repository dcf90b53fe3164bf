"""The reference: a page for each topic and package, made from the docstrings of what it exports."""

import inspect
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pplab

FOLDER = "docs/api"
# A word that stands as code: a name, perhaps with its module before it and arguments behind it.
_NAME = re.compile(r"(?:pplab\.)?(?:(\w+)\.)?(\w+)(\(.*\))?")
_PACKAGES = ("claimbook", "smoothbound")  # beside pplab


@cache
def topics() -> dict[str, ModuleType]:
    """The folders of pplab that export names, in the order of the alphabet; then the packages."""
    folders = sorted(file.parent.name for file in Path(pplab.__file__).parent.glob("*/__init__.py"))
    modules = {name: import_module(f"pplab.{name}") for name in folders}
    modules |= {name: import_module(name) for name in _PACKAGES}
    return {name: module for name, module in modules.items() if getattr(module, "__all__", ())}


@cache
def homes() -> dict[str, str]:
    """Exported name -> the topic that exports it."""
    return {name: topic for topic, module in topics().items() for name in module.__all__}


def page(topic: str) -> str:
    """The page of a topic, as MyST with autodoc's directives."""
    module = topics()[topic]
    plain = [name for name in module.__all__ if not callable(getattr(module, name))]
    listed = [name for name in module.__all__ if name not in plain]
    kinds = {name: inspect.isclass(getattr(module, name)) for name in listed}
    entries = [
        f".. auto{'class' if is_class else 'function'}:: {name}"
        + ("\n   :members:\n   :inherited-members: Exception" if is_class else "")
        for name, is_class in kinds.items()
    ]
    entries += [f".. autoclass:: {result}\n   :members:" for result in results(topic)]
    values = [f".. py:data:: {name}\n\n   {_what(getattr(module, name))}" for name in plain]
    table = ".. autosummary::\n\n" + "\n".join(f"   {name}" for name in listed)
    rst = "\n\n".join([f".. currentmodule:: {module.__name__}", table, *entries, *values])
    doc = inspect.getdoc(module)
    return f"# `{module.__name__}`\n\n{doc}\n\n```{{eval-rst}}\n{rst}\n```\n"


def results(topic: str) -> list[str]:
    """Classes that the functions of a topic return and that it does not export, by their paths."""
    module, result = topics()[topic], set()
    named = [getattr(module, name) for name in module.__all__]  # some are loaded when asked for
    for thing in filter(inspect.isfunction, [*vars(module).values(), *named]):
        returned = re.search(
            r"^Returns\n-+\n([A-Z]\w+)$", inspect.getdoc(thing) or "", re.MULTILINE
        )
        home = import_module(thing.__module__)
        if returned and returned[1] not in module.__all__:
            of = getattr(vars(home).get(returned[1]), "__module__", "")
            package = module.__name__.split(".")[0]  # another package's page has its classes
            result |= {f"{of}.{returned[1]}"} if of.split(".")[0] == package else set()
    return sorted(result)


def _what(value: Any) -> str:
    """Value of a constant, in a line."""
    return f"A {type(value).__name__}: {', '.join(map(str, value))}."


def bars_are_bars(*arguments: Any) -> None:
    """|E| is a number of edges in a docstring, no substitution of reStructuredText."""
    lines: list[str] = arguments[-1]
    end = lines.index("Examples") if "Examples" in lines else len(lines)
    lines[:end] = [line if "``" in line else line.replace("|", "\\|") for line in lines[:end]]


def in_code(body: str, up: str) -> str:
    """Link the names in highlighted code, of what is exported, to the reference."""

    own = set(re.findall(r'<span class="nf">(\w+)</span>', body))  # that the page itself defines
    own |= set(re.findall(r'<span class="n">(\w+)</span> *<span class="o">=</span>', body))

    def link(result: re.Match[str]) -> str:
        target = "" if result[1] in own else place(result[1])
        return f'<a href="{up}{target}">{result[0]}</a>' if target else result[0]

    return re.sub(r'<span class="n">(\w+)</span>', link, body)


def place(text: str) -> str:
    """Target of a word that is set as code: a page of the reference and a name on it."""
    result = _NAME.fullmatch(text)
    if not result:
        return ""
    owner, name, called = result.groups()
    topic = homes().get(name, "")
    known = text.startswith("pplab.") or called or "_" in name or name in pplab.__all__
    if not topic or not known or owner not in (None, topic):
        return ""
    return f"{FOLDER}/{topic}.html#{topics()[topic].__name__}.{name}"
