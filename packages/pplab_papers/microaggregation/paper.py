"""Settings and printed values of the paper that its experiments take as input.

The header of Table 1 has 14 labels over 15 columns, that of Table 2 has 16 over 17. K_LAST and
SIGMA_LAST fill the gap: the text names sigma = 50 as the largest, k = 200 is a guess, and
K_UNLABELLED holds what it may be instead.
"""

K_LABELS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 25, 50, 75, 100, 150)
K_LAST = 200
K_UNLABELLED = (175, 250, 300)
K = (*K_LABELS, K_LAST)
K_FEW = (2, 3, 5, 9, 25, 50, 150)
SIGMA_LABELS = (0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 5, 10, 20, 40)
SIGMA_LAST = 50
SIGMA = (*SIGMA_LABELS, SIGMA_LAST)
SIGMA_FEW = (0.25, 1, 2, 2.5, 3, 5, 10, 50)

MOVIELENS_SCALE = (1, 5)
JESTER_SCALE = (-10, 10)
JESTER_CELLS = 73_421 * 100

# Table 2: MovieLens in thousands, digits cut.
TABLE_2_SSE = (
    *(246, 248, 257, 275, 302, 336, 376, 418, 509, 592, 663, 727, 830),
    *(1078, 1221, 1294, 1339),
)
# Table 3: data set -> (k of MDAV, sigma of the noise).
TABLE_3 = {"movielens": (10, 4), "jester": (9, 2.5)}

RISKS = (30, 20, 10, 5, 2, 1)  # per cent: where two methods are compared at equal risk
