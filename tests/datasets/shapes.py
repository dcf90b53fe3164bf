"""The shape of a data set in a few dozen numbers: what a stand-in has to match.

Only summaries leave this module, never a person's rating: counts, quantiles and singular values.
Quantiles are 21, from the smallest to the largest.
"""

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import svds

SHRINK = 5.0  # ratings of weight added to a mean, so that a single rating says little
POINTS = np.linspace(0, 1, 21)


def describe_ratings(ratings):
    """Summarise a users x items table of ratings 1..5.

    ``presence_values`` are 8 singular values of the 0/1 matrix divided by the roots of both
    degrees, without the first, which is always 1; ``rating_values`` those of the ratings once the
    shrunken means of users and items are taken off; ``popularity_quality`` is the correlation of an
    item's log degree with its mean.
    """
    users, items = ratings.shape
    rows, columns, values = _rows(ratings), ratings.indices, ratings.data.astype(float)
    user_degree, item_degree = np.bincount(rows, minlength=users), _columns(ratings)
    user_mean = np.bincount(rows, values, users) / user_degree
    item_mean = np.bincount(columns, values, items) / item_degree
    rest = values - values.mean()
    rest -= (np.bincount(rows, rest, users) / (user_degree + SHRINK))[rows]
    rest -= (np.bincount(columns, rest, items) / (item_degree + SHRINK))[columns]
    weights = 1 / np.sqrt(user_degree[rows] * item_degree[columns])
    return {
        "histogram": np.bincount(ratings.data, minlength=6)[1:6].tolist(),
        "user_degrees": _quantiles(user_degree),
        "item_degrees": _quantiles(item_degree),
        "presence_values": _singular_values(ratings, weights, 9)[1:],
        "rating_values": _singular_values(ratings, rest, 8),
        "user_mean_std": round(float(user_mean.std()), 3),
        "item_mean_std": round(float(item_mean.std()), 3),
        "popularity_quality": round(float(np.corrcoef(np.log(item_degree), item_mean)[0, 1]), 3),
    }


def describe_scores(ratings):
    """Summarise a users x items table of ratings -10..10, most cells filled.

    ``completed_values`` are eigenvalues of the correlation matrix of the items once missing ratings
    are 0, the middle of the scale: the geometry that microaggregation meets; ``presence_values``
    those of who rated; ``user_spread`` is mean and standard deviation of the users' own deviations.
    """
    rows, users = _rows(ratings), ratings.shape[0]
    present = np.zeros(ratings.shape, dtype=bool)
    present[rows, ratings.indices] = True
    completed = np.zeros(ratings.shape)
    completed[rows, ratings.indices] = ratings.data
    degrees = present.sum(axis=1)
    user_mean = np.bincount(rows, ratings.data, users) / degrees
    item_mean = completed.sum(axis=0) / present.sum(axis=0)
    spread = np.sqrt(np.bincount(rows, (ratings.data - user_mean[rows]) ** 2, users) / degrees)
    return {
        "histogram": np.histogram(ratings.data, bins=20, range=(-10, 10))[0].tolist(),
        "user_degrees": _quantiles(degrees),
        "item_densities": np.quantile(present.mean(axis=0), POINTS).round(3).tolist(),
        "completed_values": _correlation_values(completed, 8),
        "presence_values": _correlation_values(present.astype(float), 5),
        "user_mean_std": round(float(user_mean.std()), 3),
        "item_mean_std": round(float(item_mean.std()), 3),
        "user_spread": [round(float(spread.mean()), 3), round(float(spread.std()), 3)],
    }


def describe_network(social, preferences):
    """Summarise who is whose friend and what friends have in common.

    ``item_tops`` are users of the 1st, 2nd, 4th, ... item by popularity; ``friend_share`` and
    ``stranger_share`` how much of a user's items a friend has as well (mean over all friends), and
    anybody else (over all pairs).
    """
    users = preferences.shape[0]
    pattern = preferences.astype(bool).astype(float)
    pattern.data[:] = 1
    counts, popular = np.diff(preferences.indptr), _columns(preferences)
    # a pair is met once from each side, each time by the share of the one who looks
    met = np.bincount(_rows(preferences), popular[preferences.indices] - 1.0, users) / counts
    looking = _rows(social)
    common = np.zeros(social.nnz)
    for start in range(0, social.nnz, 100_000):  # in blocks: never all pairs at once
        part = slice(start, start + 100_000)
        both = pattern[looking[part]].multiply(pattern[social.indices[part]])
        common[part] = np.asarray(both.sum(axis=1)).ravel() / counts[looking[part]]
    sizes = np.bincount(connected_components(social, directed=False)[1])
    return {
        "degrees": _quantiles(np.diff(social.indptr)),
        "components": np.sort(sizes)[::-1].tolist(),
        "item_degrees": _quantiles(popular),
        "item_tops": _tops(popular, 10),
        "friend_share": round(float(common.mean()), 4),
        "stranger_share": round(float(met.sum() / (users * (users - 1))), 4),
    }


def describe_rows(biadjacency, *, k, sample=1000):
    """Summarise how alike the rows of a matrix of ones are.

    ``alike`` is the share of the rows that are one of `k` or more equal ones; ``distance`` the mean
    Hamming distance from a row to its k - 1 nearest ones, summed over a sample of the rows and
    divided by twice its entries: 0 where all have copies, towards 1 where nobody has anything in
    common.
    """
    degrees, columns = np.diff(biadjacency.indptr), _columns(biadjacency)
    codes = np.random.default_rng(8).integers(2**62, size=len(columns))
    sums = np.add.reduceat(codes[biadjacency.indices], biadjacency.indptr[:-1])
    copies = np.unique(sums, return_counts=True)[1]
    chosen = np.sort(np.random.default_rng(8).permutation(len(degrees))[:sample])
    near = _nearest(biadjacency.astype(np.int32), degrees, chosen, k - 1)
    return {
        "row_degrees": _quantiles(degrees),
        "column_degrees": _quantiles(columns),
        "column_tops": _tops(columns, 12),
        "distinct_rows": len(copies),
        "alike": round(float(copies[copies >= k].sum() / len(degrees)), 4),
        "distance": round(float(near.sum() / degrees[chosen].sum() / 2), 4),
    }


def _nearest(matrix, degrees, chosen, count):
    """Mean distance from each of the chosen rows to its `count` nearest other rows."""
    turned = sparse.csr_array(matrix.T)
    far = np.sort(degrees)[:count]  # of rows without a common entry the smallest are nearest
    results = []
    for row in chosen:
        common = matrix[[row]] @ turned
        gaps = degrees[row] + degrees[common.indices] - 2 * common.data
        gaps = np.concatenate([gaps[common.indices != row], degrees[row] + far])
        results.append(np.partition(gaps, count - 1)[:count].mean())
    return np.array(results)


def _rows(matrix):
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def _columns(matrix):
    return np.bincount(matrix.indices, minlength=matrix.shape[1])


def _tops(counts, most):
    tops = np.sort(counts)[::-1]
    return [int(tops[2**place - 1]) for place in range(most) if 2**place <= len(tops)]


def _quantiles(degrees):
    return np.quantile(degrees, POINTS, method="nearest").tolist()


def _correlation_values(table, count):
    """Leading eigenvalues of the correlation matrix of the columns; a constant one is left out."""
    varying = table[:, table.std(axis=0) > 0]
    return np.linalg.eigvalsh(np.corrcoef(varying.T))[::-1][:count].round(2).tolist()


def _singular_values(pattern, values, count):
    matrix = sparse.csr_array((values, pattern.indices, pattern.indptr), shape=pattern.shape)
    result = svds(matrix, k=count, return_singular_vectors=False, v0=np.ones(min(matrix.shape)))
    return np.sort(result)[::-1].round(3).tolist()
