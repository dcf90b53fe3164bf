"""What pplab offers of the packages above it; this file alone reaches up, when it is asked."""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pplab_course import check as check
    from pplab_papers.collection import claims as claims
    from smoothbound.certificates import jaccard_certificate as jaccard_certificate
    from smoothbound.certificates import jaccard_certificates as jaccard_certificates
    from smoothbound.greedy import greedy_labels as greedy_labels

HOMES = {
    "check": "pplab_course",
    "claims": "pplab_papers.collection",
    "greedy_labels": "smoothbound.greedy",
    "jaccard_certificate": "smoothbound.certificates",
    "jaccard_certificates": "smoothbound.certificates",
}


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(home(HOMES[name], name), name)


def home(module: str, wanted: str) -> Any:
    """A module of a package above.

    Raises
    ------
    ImportError
        If the package is not here; the sentence names it.
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise ImportError(
            f"{wanted} needs {package}, which is not installed; install pplab with all its packages"
        ) from error


def commands() -> Iterator[Any]:
    """The commands of each package that is here."""
    for package in ("pplab_course", "claimbook", "smoothbound"):
        if find_spec(package):
            yield import_module(f"{package}.commands").app


def collection() -> Any:
    """The papers for the commands of the ledger; where they are not here, what says so."""
    if find_spec("pplab_papers"):
        return import_module("pplab_papers.collection").COLLECTION
    return import_module("claimbook.registry").Collection(package="pplab_papers")
