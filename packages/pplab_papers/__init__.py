"""Reruns of the papers' experiments: each a function that gives a tidy DataFrame.

``PARTS`` holds them all, by paper and name; it loads the papers when it is first asked for.
"""

from typing import Any


def __getattr__(name: str) -> Any:
    if name != "PARTS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pplab_papers import microaggregation, noise_graphs, smooth, social

    papers = (noise_graphs, microaggregation, social, smooth)
    return {(part.paper, part.name): part for paper in papers for part in paper.PARTS}
