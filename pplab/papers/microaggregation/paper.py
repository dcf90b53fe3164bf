"""Settings and printed values of the paper that its experiments take as input.

The header of Table 1 has 14 labels over 15 columns, that of Table 2 has 16 over 17. K_LAST and
SIGMA_LAST fill the gap: the text names sigma = 50 as the largest, k = 200 is a guess.
"""

from __future__ import annotations

K_LABELS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 25, 50, 75, 100, 150)
K_LAST = 200
K = (*K_LABELS, K_LAST)
SIGMA_LABELS = (0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 5, 10, 20, 40)
SIGMA_LAST = 50
SIGMA = (*SIGMA_LABELS, SIGMA_LAST)
REPETITIONS = 50

MOVIELENS_SCALE = (1, 5)
JESTER_SCALE = (-10, 10)
JESTER_CELLS = 73_421 * 100

# Table 1, MovieLens: errors in thousands, digits cut.
TABLE_1_SSE = (64, 87, 99, 105, 110, 114, 117, 119, 120, 130, 134, 136, 136, 138, 139)
# Table 2: MovieLens in thousands, Jester in millions, digits cut.
TABLE_2_SSE = (
    *(246, 248, 257, 275, 302, 336, 376, 418, 509, 592, 663, 727, 830),
    *(1078, 1221, 1294, 1339),
)
TABLE_2_SSE_JESTER = (
    6,
    25,
    55,
    93,
    136,
    181,
    226,
    268,
    342,
    404,
    454,
    495,
    558,
    698,
    774,
    813,
    821,
)
# Table 2, MovieLens: disclosure risk in per cent, digits cut after the second.
TABLE_2_DR = (
    *(100, 100, 98.51, 89.28, 68.50, 50.58, 44.53, 27.99, 18.76, 10.49, 8.58, 7.21, 4.24),
    *(1.40, 0.42, 0.31, 0.10),
)

# Table 3: data set -> (k of MDAV, sigma of the noise).
TABLE_3 = {"movielens": (10, 4), "jester": (9, 2.5)}

RISKS = (30, 20, 10, 5, 2, 1)  # per cent: where two methods are compared at equal risk
