"""The code that a paper brings in its folder: it is found, loaded and run there, hashed, and named.

While it loads or runs, its folder is on the path and is the current one, and its modules are known
by their names, for process pools, too. Afterwards all is as before, so that two folders with a
``helpers.py`` each do not meet.
"""

import ast
import contextlib
import hashlib
import importlib.metadata
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

_SOURCES = (".py", ".R", ".jl", ".sh")
_KNOWN: dict[Path, dict[str, ModuleType]] = {}  # folder -> its modules, as they were loaded
_PATHS: dict[Path, list[str]] = {}  # folder -> where they were found
_LOADED: dict[Path, tuple[str, ModuleType]] = {}  # file -> hash of the code, module
_STDLIB = Path(os.__file__).resolve().parent
# Import packages of the distribution pplab: no file of a folder takes the place of one.
_OURS = {"pplab", "claimbook", "smoothbound", "pplab_papers", "pplab_course"}


@contextmanager
def at_home(folder: Path) -> Iterator[None]:
    """Let the modules of a folder, given as a resolved path, be found, and no others so named."""
    loaded, places = _KNOWN.setdefault(folder, {}), _PATHS.setdefault(folder, [str(folder)])
    path, modules, silent = sys.path[:], dict(sys.modules), sys.dont_write_bytecode
    shadowing = {file.stem for file in folder.glob("*.py")}
    shadowing |= {file.parent.name for file in folder.glob("*/__init__.py")}
    for name in modules:
        if name.partition(".")[0] in shadowing - sys.stdlib_module_names - _OURS:
            del sys.modules[name]
    sys.modules.update(loaded)
    sys.path[:0] = places
    sys.dont_write_bytecode = True  # two edits within a second look the same to Python's cache
    importlib.invalidate_caches()
    try:
        with contextlib.chdir(folder):
            yield
    finally:
        places += [entry for entry in sys.path if entry not in (*path, *places)]
        for name, module in list(sys.modules.items()):
            if modules.get(name) is not module and _is_of(module, folder):
                loaded[name] = sys.modules.pop(name)
        for name, module in modules.items():
            sys.modules.setdefault(name, module)
        sys.path[:], sys.dont_write_bytecode = path, silent


def _is_of(module: ModuleType, folder: Path) -> bool:
    """True if a module lies below the folder, and not in an environment that does."""
    facts = getattr(module, "__dict__", {})
    file = Path(facts.get("__file__") or next(iter(facts.get("__path__", ())), "/")).resolve()
    installed = "site-packages" in file.parts or file.is_relative_to(_STDLIB)
    return file.is_relative_to(folder) and not installed


def load(file: Path, folder: Path) -> ModuleType:
    """The module of a file below a folder, with what it imports there; changed code is new."""
    stamp = hash_of(files_behind(folder), folder)
    known, module = _LOADED.get(file, ("", None))
    if module is None or known != stamp:
        _KNOWN.pop(folder, None)
        _PATHS.pop(folder, None)
        name = ".".join(file.relative_to(folder).with_suffix("").parts)
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None or ".." in file.parts:
            raise ValueError(f"{file} is not a Python file below {folder}; name the one with PARTS")
        module = importlib.util.module_from_spec(spec)
        with at_home(folder):
            sys.modules[name] = module
            spec.loader.exec_module(module)
        if not hasattr(module, "PARTS"):
            raise ValueError(f"{file} has no PARTS; list the parts of the paper there")
        _LOADED[file] = stamp, module
    return module


def files_behind(folder: Path, listed: Sequence[str] = ()) -> list[Path]:
    """Code below a folder, and all files of what is listed; what is not there is a package.

    Code is what ends as `_SOURCES`; tables that commands write, and their logs, are none.
    """
    files = {file for file in _files_below(folder) if file.suffix in _SOURCES}
    for name in listed:
        if (place := folder / name).exists():
            files |= set(_files_below(place)) if place.is_dir() else {place}
    return sorted(file for file in files if file.is_file() and not _is_written(file))


def _is_written(file: Path) -> bool:
    log = file.with_name(f"{file.name}.log")
    return file.suffix == ".log" or (file.suffix in (".csv", ".json") and log.exists())


def _files_below(folder: Path) -> Iterator[Path]:
    """Files below a folder; what is hidden, caches and environments are left out."""
    for folder_path, folders, files in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if not (name[0] == "." or name == "__pycache__")
            and not any(Path(folder_path, name, mark).exists() for mark in _ENVIRONMENT)
        ]
        yield from (Path(folder_path, name) for name in files if name[0] != ".")


_ENVIRONMENT = ("pyvenv.cfg", "conda-meta")


def hash_of(files: Sequence[Path], folder: Path) -> str:
    """Hash of files and of their places in the folder."""
    digest = hashlib.sha256()
    for file in files:
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        digest.update(f"{os.path.relpath(file, folder)} {content}\n".encode())
    return digest.hexdigest()


def version_of(package: str) -> str:
    """Version of an installed package; empty where it is not installed."""
    try:
        return importlib.metadata.version(package)
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return ""


def imported(folder: Path) -> set[str]:
    """Installed packages that the loaded modules of a folder import, in functions, too."""
    modules = _KNOWN.get(folder, {})
    names: set[str] = set()
    for module in modules.values():
        file = Path(module.__file__ or "")
        for node in ast.walk(ast.parse(file.read_bytes())) if file.suffix == ".py" else ():
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(str(node.module).partition(".")[0])
    names -= sys.stdlib_module_names | _OURS | {name.partition(".")[0] for name in modules}
    packages = {name for name in names if version_of(name)}
    if names - packages:  # whose package has another name; all packages have to be asked
        owners = importlib.metadata.packages_distributions()
        packages |= {package for name in names - packages for package in owners.get(name, ())}
    return packages


def failure_of(error: BaseException, folder: Path) -> tuple[str, str, str]:
    """Place of an error in a folder's code, its message, and the traceback from there on."""
    trace = error.__traceback__
    while trace and not Path(trace.tb_frame.f_code.co_filename).is_relative_to(folder):
        trace = trace.tb_next
    calls = [(Path(call.filename), call.lineno) for call in traceback.extract_tb(trace)]
    if isinstance(error, SyntaxError) and error.filename:
        calls.append((Path(error.filename), error.lineno))
    inside = [(file, at) for file, at in calls if file.is_relative_to(folder)]
    places = [f"{os.path.relpath(file, folder)}, line {at}: " for file, at in inside]
    message = f"{type(error).__name__}: {error}".partition("\n")[0]
    text = "".join(traceback.format_exception(type(error), error, trace)).rstrip()
    return places[-1] if places else "", message, text
