"""How large pplab's house is and how its parts hang together, as a table.

Run with ``python benchmarks/house.py``; ``--list`` also names what is counted. Sizes are code
lines, which are neither blank nor comment nor docstring, and words of documents;
``tests/project/limits.txt`` has a limit for each. What is read off the text is not always what
happens: an import inside a function counts like any other, and an optional parameter counts as
passed when some call of a function of that name passes it, or passes **.
"""

import argparse
import ast
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
# From the bottom up: each with those that it may import. `pplab._above` alone reaches up.
PACKAGES: dict[str, tuple[str, ...]] = {
    "pplab": (),
    "claimbook": (),
    "smoothbound": ("pplab",),
    "pplab_papers": ("pplab", "smoothbound", "claimbook"),
    "pplab_course": ("pplab", "smoothbound", "claimbook", "pplab_papers"),
}
ABOVE = "pplab._above"
FOLDERS = ["pplab", "packages", "tests", "notebooks", "benchmarks", "book", "docs", "examples"]
SMALL = 120  # lines; a smaller file that one other imports might stand in that one
IMPORTS = 5  # times that `import pplab` is timed


@cache
def parsed(path: Path) -> ast.Module:
    """The tree of a file, read once."""
    return ast.parse(path.read_text(encoding="utf-8"))


class Module:
    """A file of a package: its text, its tree, and the names it takes from other files."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.tree = parsed(path)
        packages = ROOT / "packages"
        place = packages if path.is_relative_to(packages) else ROOT
        parts = path.relative_to(place).with_suffix("").parts
        self.is_package = parts[-1] == "__init__"
        self.name = ".".join(parts[:-1] if self.is_package else parts)
        package = list(parts[:-1])
        self.taken: dict[str, tuple[str, str]] = {}  # name here -> module, name there
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self.taken[alias.asname or alias.name] = (alias.name, "")
            elif isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1] if node.level else []
                module = ".".join([*base, *(node.module or "").split(".")]).strip(".")
                for alias in node.names:
                    self.taken[alias.asname or alias.name] = (module, alias.name)

    @property
    def top(self) -> str:
        """The package that it belongs to."""
        return self.name.partition(".")[0]

    def __str__(self) -> str:
        return str(self.path.relative_to(ROOT))


def folder_of(package: str) -> Path:
    """Folder of a package."""
    return ROOT / package if package == "pplab" else ROOT / "packages" / package


def size_of(path: Path, text: str | None = None) -> int:
    """Code lines of a Python file, lines of a table, words of a document."""
    text = path.read_text(encoding="utf-8") if text is None else text
    return len(text.split()) if path.suffix == ".md" else code_lines(text, path.suffix == ".py")


def code_lines(text: str, python: bool = True) -> int:
    """Lines that are neither blank nor comment nor docstring."""
    message: set[int] = set()
    for node in ast.walk(ast.parse(text)) if python else ():
        has_text = isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        if has_text and ast.get_docstring(node, clean=False) is not None:
            message |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(
        1
        for place, line in lines
        if line.strip() and line.strip()[0] != "#" and place not in message
    )


def counted() -> dict[str, list[Path]]:
    """Files of each thing whose size has a limit."""

    def code(*folders: str) -> list[Path]:
        return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))

    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
    scripts = sorted((ROOT / "notebooks").glob("*.py"))
    return {
        **{name: sorted(folder_of(name).rglob("*.py")) for name in PACKAGES},
        "all five packages": code("pplab", "packages"),
        "book, benchmarks, notebooks": [*code("book", "benchmarks"), *scripts],
        "tests": code("tests"),
        # what is data, not code: texts, cases of tests; the golden files are written by a test
        "tables of the packages": [
            path for folder in ("pplab", "packages") for path in (ROOT / folder).rglob("*.toml")
        ],
        "tables of the tests": [
            path for path in (ROOT / "tests").rglob("*.txt") if path.parent.name != "golden"
        ],
        "words of documents": documents,
        "words of README": documents[:1],
    }


class House:
    """All files of the packages and what they import from one another."""

    def __init__(self) -> None:
        files = (path for top in PACKAGES for path in sorted(folder_of(top).rglob("*.py")))
        modules = [Module(path) for path in files]
        self.modules = {module.name: module for module in modules}
        self.uses = {
            module.name: {
                home
                for where, name in module.taken.values()
                if (home := self.home(where, name)[0]) in self.modules and home != module.name
            }
            for module in modules
        }

    def home(self, module: str, name: str) -> tuple[str, str]:
        """The file that defines a name, and its name there, through re-exporting packages."""
        if f"{module}.{name}" in self.modules:
            return f"{module}.{name}", ""
        known = self.modules.get(module)
        if known is not None and known.is_package and name in known.taken:
            return self.home(*known.taken[name])
        return module, name

    def small_files_of_one_importer(self) -> list[str]:
        importers = defaultdict(set)
        for name, used in self.uses.items():
            if not self.modules[name].is_package:
                for other in used:
                    importers[other].add(name)
        return [
            f"{module}, only for {next(iter(importers[name]))}"
            for name, module in self.modules.items()
            if not module.path.name.startswith("_")
            and len(importers[name]) == 1
            and len(module.text.splitlines()) < SMALL
        ]

    def compiled_calls_across_files(self) -> list[str]:
        compiled = {name: set(_compiled(module.tree)) for name, module in self.modules.items()}
        result = []
        for name, module in self.modules.items():
            for function in compiled[name]:
                for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
                    words = ast.unparse(call.func).split(".")
                    where = module.taken.get(words[0])
                    if where is None:
                        continue
                    home, called = self.home(*where)
                    called = called or words[-1]
                    names = {other.name for other in compiled.get(home, ())}
                    if called in names and home != name and home != "pplab.compiled":
                        result.append(
                            f"{module}:{call.lineno} {function.name} calls {home}.{called}"
                        )
        return result

    def circles(self) -> list[str]:
        """Groups of files that import one another, packages' lists of names aside."""
        reach = {name: self._reached(name) for name in self.uses}
        groups = {
            frozenset(other for other in reach[name] if name in reach[other])
            for name in self.uses
            if name in reach[name]
        }
        return sorted(" <-> ".join(sorted(group)) for group in groups)

    def _reached(self, start: str) -> set[str]:
        result: set[str] = set()
        waiting = [start]
        while waiting:
            new = {
                other
                for other in self.uses[waiting.pop()]
                if other not in result and not self.modules[other].is_package
            }
            result |= new
            waiting += new
        return result

    def idle_options(self) -> list[str]:
        """Optional parameters of public functions that only tests pass, or nobody."""
        calls, places = _calls()
        result = []
        for module in self.modules.values():
            if module.path.stem in ("cli", "commands"):  # the shell passes them
                continue
            stored = _stored_options() if module.top == "pplab_papers" else set()
            for name, function, bound in _public_functions(module.tree):
                for option, place in _options(function, bound):
                    if option in stored:
                        continue
                    who = calls[name, option] | calls[name, None]  # None: with **
                    if place is not None:
                        who |= {tier for tier, most in places[name].items() if most > place}
                    if "code" not in who:
                        whom = "only tests pass" if who else "nobody passes"
                        result.append(f"{module}:{function.lineno} {name}: {whom} {option}")
        return result


@cache
def _stored_options() -> set[str]:
    """Options that `pplab reproduce` passes to experiments and keeps with their results."""
    files = (ROOT / "data" / "results").rglob("*.json")
    return {"rng"}.union(
        *(json.loads(file.read_text(encoding="utf-8"))["options"] for file in files)
    )


def _compiled(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Functions that numba compiles."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            decorators = " ".join(ast.unparse(decorator) for decorator in node.decorator_list)
            if re.search(r"\b(njit|jit|vectorize|guvectorize)\b", decorators):
                yield node


def _calls() -> tuple[dict[tuple[str, str | None], set[str]], dict[str, dict[str, int]]]:
    """Calls of functions of a name: keywords passed, and the number of arguments by position."""
    keywords: dict[tuple[str, str | None], set[str]] = defaultdict(set)
    places: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            tier = "tests" if folder == "tests" else "code"
            for node in ast.walk(parsed(path)):
                if not isinstance(node, ast.Call):
                    continue
                name = ast.unparse(node.func).split(".")[-1]
                arguments = node.args
                if name == "partial" and arguments:
                    name, arguments = ast.unparse(arguments[0]).split(".")[-1], arguments[1:]
                places[name][tier] = max(places[name][tier], len(arguments))
                for keyword in node.keywords:
                    keywords[name, keyword.arg].add(tier)
    return keywords, places


def _public_functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef, int]]:
    """Name to call, function, number of parameters that are bound (self)."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name, node, 0
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    name = node.name if method.name == "__init__" else method.name
                    if not name.startswith("_"):
                        yield name, method, 1


def _options(function: ast.FunctionDef, bound: int) -> Iterator[tuple[str, int | None]]:
    """Optional parameters, each with its place where it may be passed by position."""
    taken = function.args
    by_place = [*taken.posonlyargs, *taken.args]
    first = len(by_place) - len(taken.defaults)
    for place, parameter in enumerate(by_place[first:], first):
        yield parameter.arg, place - bound
    for parameter, default in zip(taken.kwonlyargs, taken.kw_defaults, strict=True):
        if default is not None:
            yield parameter.arg, None


def run(code: str) -> str:
    """Output of a fresh interpreter."""
    process = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "packages")])},
        capture_output=True,
        text=True,
        check=True,
    )
    return process.stdout


def seconds_of_import() -> float:
    """Median processor time of `import pplab`, without that of a bare interpreter."""
    clock = "import time; print(time.process_time())"
    times = {
        code: median(float(run(code)) for _ in range(IMPORTS))
        for code in (clock, f"import pplab; {clock}")
    }
    return times[f"import pplab; {clock}"] - times[clock]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the house.")
    parser.add_argument("--list", action="store_true", help="also name what is counted")
    named = parser.parse_args().list
    house = House()
    rows: list[tuple[str, object, list[str]]] = [
        (f"size of {name}, {len(files)} files", sum(map(size_of, files)), [])
        for name, files in counted().items()
    ]
    for what, result in (
        (f"files under {SMALL} lines with one importer", house.small_files_of_one_importer()),
        ("compiled calls across files, but into compiled.py", house.compiled_calls_across_files()),
        ("circles of imports", house.circles()),
        ("optional parameters that only tests pass, or nobody", house.idle_options()),
    ):
        rows.append((what, len(result), result))
    rows.append(("import pplab, seconds of processor time", f"{seconds_of_import():.2f}", []))
    for what, number, result in rows:
        print(f"{what:55} {number:>8}" if isinstance(number, str) else f"{what:55} {number:>8,}")
        if named:
            print(*(f"    {line}" for line in result), sep="\n", end="\n" * bool(result))


if __name__ == "__main__":
    main()
