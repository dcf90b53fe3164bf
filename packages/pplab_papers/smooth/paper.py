"""Settings and printed values of the paper that its experiments take as input."""

from typing import TypedDict

K = (2, 4, 8, 16, 32, 64)
K_TABLE = 8
K_LEARNING = (8, 32, 128, 200)
REPETITIONS = 10
SPREAD = 2  # the paper's beta: facility costs look at spread * k rows
SPREADS = (2, 4, 8)  # said to give similar results


class _BlockModel(TypedDict):
    block_size: int
    blocks: int
    inside: float
    outside: float


BLOCK_MODEL: _BlockModel = {"block_size": 64, "blocks": 16, "inside": 0.8, "outside": 0.01}

# Table 2: rows, columns, entries, density as printed.
TABLE_2 = {
    "stochastic": (1_024, 1_024, 62_000, "0.06"),
    "adult": (32_561, 102, 260_488, "0.078"),
    "playstore": (8_672, 521, 86_720, "0.019"),
    "dblp": (317_080, 317_080, 2_099_732, "2.09e-5"),
    "stanford": (281_731, 261_588, 2_312_497, "3.14e-5"),
}

# Table 3, k = 8, per cent: Jaccard similarity, suppressed, created.
TABLE_3 = {
    ("stochastic", "mondrian"): (2.2, 97.8, 0.0),
    ("stochastic", "non-smooth"): (16.4, 83.6, 0.0),
    ("stochastic", "smooth"): (68.1, 17.7, 21.0),
    ("adult", "mondrian"): (59.9, 40.1, 0.0),
    ("adult", "non-smooth"): (64.8, 35.2, 0.0),
    ("adult", "smooth"): (85.0, 8.9, 7.2),
    ("playstore", "mondrian"): (51.2, 48.8, 0.0),
    ("playstore", "non-smooth"): (39.2, 60.8, 0.0),
    ("playstore", "smooth"): (66.1, 26.2, 11.6),
    ("dblp", "non-smooth"): (4.3, 95.7, 0.0),
    ("dblp", "smooth"): (7.4, 92.5, 1.4),
    ("stanford", "non-smooth"): (48.0, 52.0, 0.0),
    ("stanford", "smooth"): (52.6, 46.1, 2.4),
    ("user-lists", "non-smooth"): (67.3, 32.7, 0.0),
    ("user-lists", "smooth"): (71.0, 27.7, 1.9),
}

NODE_EPSILON = 10.0
HIDDEN_UNITS = 10
