"""Reruns of the papers' experiments: each a function that gives a tidy DataFrame."""

from pplab.papers import microaggregation, noise_graphs, smooth, social
from pplab.papers.part import Part

__all__ = ["PARTS", "Part", "microaggregation", "noise_graphs", "smooth", "social"]


PARTS: dict[tuple[str, str], Part] = {
    (part.paper, part.name): part
    for part in (*noise_graphs.PARTS, *microaggregation.PARTS, *social.PARTS, *smooth.PARTS)
}
