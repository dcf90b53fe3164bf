"""Names that have moved: the old one works through one version, with a warning that says where to.

A module in the list takes all below it along. docs/LIMITATIONS.md shows the list.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, NamedTuple


class Moved(NamedTuple):
    """Where a name went, and the version that no longer knows the old one."""

    new: str
    gone: str


MOVED = {
    "pplab.course": Moved("pplab_course", "1.2"),
    "pplab.teach": Moved("pplab_course.teach", "1.2"),
    "pplab.start": Moved("pplab_course.start", "1.2"),
    "pplab.doctor": Moved("pplab_course.doctor", "1.2"),
    "pplab.recommenders.HiddenCells": Moved("pplab.datasets.HiddenCells", "1.2"),
    "pplab.recommenders.holdout_cells": Moved("pplab.datasets.holdout_cells", "1.2"),
    "pplab.recommenders.holdout_users": Moved("pplab.datasets.holdout_users", "1.2"),
    "pplab.attacks.sybil.membership_advantage": Moved(
        "pplab.attacks.membership.membership_advantage", "1.2"
    ),
    "pplab.attacks.sybil.sybil_success": Moved("pplab.attacks.sybil_success.sybil_success", "1.2"),
    "pplab.smooth.files": Moved("smoothbound.files", "1.2"),
    "pplab.smooth.parquet": Moved("smoothbound.parquet", "1.2"),
    "pplab.smooth.smooth_k_anonymize_parquet": Moved(
        "smoothbound.smooth_k_anonymize_parquet", "1.2"
    ),
}


def _warn(old: str) -> str:
    """Warn whoever asked, two calls above; the machinery of imports counts for none."""
    new, gone = MOVED[old]
    message = f"{old} is {new} since pplab 1.1 and goes with {gone}: use the new name"
    warnings.warn(message, FutureWarning, stacklevel=3)
    return new


def moved_from(module: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module from which names have moved."""

    def attribute(name: str) -> Any:
        if f"{module}.{name}" not in MOVED:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home, _, there = _warn(f"{module}.{name}").rpartition(".")
        return getattr(import_module(home), there)

    return attribute


class _Finder(MetaPathFinder, Loader):
    """Finds moved modules under their old names, so that none of them is loaded twice."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> Any:
        del path, target
        longest = max((old for old in MOVED if f"{name}.".startswith(f"{old}.")), default="")
        return ModuleSpec(name, self, origin=longest) if longest else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        old = str(spec.origin)
        new = _warn(old) if spec.name == old else MOVED[old].new
        module = import_module(new + spec.name.removeprefix(old))
        self.spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec  # the machinery had written the old name into it


sys.meta_path.insert(0, _Finder())
