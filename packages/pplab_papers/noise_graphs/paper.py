"""Numbers of the paper that its experiments take as input: settings, not results."""

FLIP_PROBABILITIES = (0.005, 0.05, 0.1, 0.2, 0.3, 0.4)
TOP_RATING = 5
FILMS = 1_682  # of MovieLens-100K, as Section 4.2 counts them

# Section 4.1: the trimmed Likes data. Twelve printed counts speak for other digits of n.
LIKES_USERS = 19_724
LIKES_USERS_TRANSPOSED = 19_742
LIKES_ITEMS = 8_523
LIKES_PAIRS = 3_817_840
LIKES_CELLS = 168_107_652

# Table 1 as printed: p -> (noise edges, published edges).
LIKES_COUNTS = {
    0.005: (840_162, 4_619_770),
    0.05: (8_408_449, 11_844_981),
    0.1: (16_824_538, 19_878_770),
    0.2: (33_657_261, 35_949_261),
    0.3: (50_482_636, 52_007_684),
    0.4: (67_302_556, 68_070_070),
}
