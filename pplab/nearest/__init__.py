"""Exact nearest rows: a fast product in float32 narrows the field, float64 decides.

Every distance is written as a product of two vectors, whose float32 value carries a proven bound
on its error (``features``); what the bound cannot rule out is computed again in float64 from the
numbers as given, cell by cell in one order (``pairs``). So neither the size of the blocks nor the
number of threads has a say in the answer.
"""

from pplab.nearest.pairs import TIE, row_distances, ties_with
from pplab.nearest.search import NearestRows, nearest_rows

__all__ = ["TIE", "NearestRows", "nearest_rows", "row_distances", "ties_with"]
