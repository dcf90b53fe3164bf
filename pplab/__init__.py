"""pplab: a laboratory for graph and recommender privacy.

A topic is imported when one of its names is first asked for; ``import pplab`` itself loads none.
The names are listed once, in ``__init__.pyi``.
"""

from pathlib import Path
from typing import Any

import lazy_loader

_look_up, _, _names = lazy_loader.attach_stub(__name__, __file__)
_topics = {file.stem for file in Path(__file__).parent.iterdir()}
__all__ = sorted({*_names} - _topics)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """Import what a public name belongs to."""
    if name == "__version__":
        from importlib.metadata import version

        return version("pplab")
    return _look_up(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_names, *__all__})
