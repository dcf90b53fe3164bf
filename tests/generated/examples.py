"""Calls that once crashed, hung or gave a wrong answer, by name.

Each is followed by the argument that a refusal names, by ``= value``, or by ``soon`` where an
answer and a refusal in a sentence are both right.
"""

from __future__ import annotations

import re

EXAMPLES = """
a column beyond the end, mdav:
    mdav(sparse.csr_array((np.ones(2), [0, 10**8], [0, 1, 2]), shape=(2, 3)), 2) -> points
a column beyond the end, v_mdav:
    v_mdav(sparse.csr_array((np.ones(2), [0, 10**8], [0, 1, 2]), shape=(2, 3)), 2, gain=1.0) -> points
a column beyond the end, top_items:
    top_items(sparse.csr_array((np.ones(2), [0, 10**8], [0, 1, 2]), shape=(2, 3)), 2) -> utilities
a column beyond the end, cluster_top_items:
    cluster_top_items(sparse.csr_array((np.ones(2), [0, 10**8], [0, 1, 2]), shape=(2, 3)),
        np.ones((3, 4)), 2) -> sums
a negative column, mdav:
    mdav(sparse.csr_array((np.ones(4), [0, -1, 0, 0], [0, 1, 2, 3, 4]), shape=(4, 2)), 2) -> points
an inner indptr of CSC, noise:
    bipartite_noise_graph(sparse.csc_array((np.ones(2), [0, 1], [0, 10**7, 2]), shape=(3, 2)),
        flip_probability=0.0) -> biadjacency
an inner indptr of CSC, mdav:
    mdav(sparse.csc_array((np.ones(2), [0, 1], [0, 10**7, 2]), shape=(3, 2)), 2) -> points
an indptr assigned after a look at the format, ndcg:
    ndcg(broken([[1, 2], [3, 4]], 'csr.indptr', 'number', 1, 10**8, True), [[0], [0]], top_n=1,
        ideal=[2.0, 4.0]) -> utilities
a mask, noise: bipartite_noise_graph(masked(), flip_probability=0.0, rng=1) -> biadjacency
a mask, levels: categorical_response(masked(), levels=1, epsilon=1.0, rng=1) -> ratings
a mask, smooth: smooth_k_anonymize(masked(), 2, rng=1) -> biadjacency
a mask, suppress: suppress_k_anonymize(masked(), 2, rng=1) -> biadjacency
a mask, k: is_k_anonymous(masked(), 2) -> biadjacency
a mask, overlap: jaccard_similarity([[1, 1, 0], [1, 0, 1]], masked()) -> protected
a mask, points: mdav(masked(), 2) -> points
a mask, table: microaggregate(masked(), 2, rating_range=(0, 1)) -> ratings
a mask, utilities: ndcg(masked(), [[0], [0]], top_n=1) -> utilities
a mask, ranked items: ndcg([[1, 1, 0], [1, 0, 1]], masked(), top_n=1) -> ranked_items
a mask, users: recommend([[0, 1], [1, 0]], [[1], [1]], epsilon=1, measure='cn', top_n=1,
    method='exact', users=np.ma.masked_array([0, 1], [0, 1])) -> users
a word for a flag: sensitive_attribute_risk([[1]], [[1]], weighted='no') -> weighted
a label that is a user here and an item there:
    jaccard_similarity(sided(user=1, item=2), sided(user=2, item=1)) -> = 0.0
an entry listed twice, mdav:
    mdav(sparse.coo_array(([1, 1, 1, 9], ([0, 0, 1, 2], [0, 0, 0, 0])), shape=(4, 1)), 2) -> points
labels 1 and True: jaccard_similarity(ones_and_true(), ones_and_true()) -> original
a level twice as a float:
    categorical_response([[1]], levels=[Fraction(1, 3), 1 / 3, 1], epsilon=1) -> levels
an infinite ideal: ndcg([[1.0, 2.0]], [[0]], top_n=1, ideal=[np.inf]) -> ideal
a table without rows: ndcg(np.zeros((0, 3)), np.zeros((0, 1), int), top_n=1) -> utilities
a seed that nobody needs: suppress_k_anonymize([[1], [1]], 2, method='mondrian', rng='abc') -> rng
no merging: alg2_steps([[1], [1]], 2, merging='') -> merging
a weight that is no number: noise_graph(weighted(np.nan), flip_probability=0.25, rng=1) -> soon
epsilon beyond floats, levels: categorical_response([[1]], levels=2, epsilon=10**400) -> epsilon
epsilon beyond floats, recommend: recommend([[0, 1], [1, 0]], [[1], [1]], epsilon=10**400,
    measure='cn', top_n=1, method='noe') -> epsilon
epsilon beyond floats, bound:
    jaccard_bound(density=0.5, cells=9, epsilon=10**400, delta=0.1, form='line') -> epsilon
epsilon below floats, recommend: recommend([[0, 1], [1, 0]], [[1], [1]],
    epsilon=Fraction(1, 10**400), measure='cn', top_n=1, method='nou') -> epsilon
epsilon below floats, averages:
    cluster_averages([[1], [1]], [0, 0], epsilon=Fraction(1, 10**400)) -> epsilon
a number that Python does not print: flip_to_epsilon(10**5000) -> flip_probability
seconds below floats: smooth_k_anonymize([[1], [1]], 2, seconds=Fraction(1, 10**400)) -> seconds
a top rating beyond floats: weighted_noise_graph([[1]], flip_probability=0.25, top_rating=10**400)
    -> top_rating
billions of levels: categorical_response([[1]], levels=2**31, epsilon=1) -> levels
billions of uniform weights: weighted_noise_graph([[1]], flip_probability=0.25, top_rating=2**31,
    noise_weights='uniform') -> top_rating
billions of users: exact_epsilon(BipartiteNoiseGraph(0.25), shape=2**31, unit='edge') -> shape
billions of runs: communities([[0, 1], [1, 0]], runs=2**31) -> runs
billions of blocks: block_model(block_size=1, blocks=2**31, inside=0, outside=0, rng=1) -> blocks
the least resolution: communities([[0, 1], [1, 0]], resolution=5e-324) -> resolution
a resolution beyond floats: communities([[0, 1], [1, 0]], resolution=10**400) -> resolution
everybody alone, igraph:
    communities([[0, 1], [1, 0]], backend='igraph', resolution=2.0, rng=1).tolist() -> = [0, 1]
everybody alone, igraph, three:
    communities(1 - np.eye(3), backend='igraph', resolution=1.5, rng=1).tolist() -> = [0, 1, 2]
np.matrix, ratings: microaggregate(np.matrix([[1, 2], [1, 2]]), 2, rating_range=(1, 2)).sse -> = 0.0
np.matrix, ranked items: ndcg(np.matrix([[1, 2]]), np.matrix([[1]]), top_n=1).tolist() -> = [1.0]
big-endian CSR: ndcg(csr_big_f8_int32([[1, 2]]), [[1]], top_n=1).tolist() -> = [1.0]
alpha as a fraction: audit_epsilon(BipartiteNoiseGraph(0.25), ([[1]], [[0]]), claimed=2.0,
    samples=20, alpha=Fraction(1, 20), rng=1).violated -> = False
claimed beyond floats: audit_epsilon(BipartiteNoiseGraph(0.25), ([[1]], [[0]]), claimed=10**400,
    samples=20, alpha=0.1) -> claimed
a long answer: len(check('00-B', [0] * 10**6).message) < 600 -> = True
an answer that Python does not print: len(check('00-B', 10**5000).message) < 600 -> = True
"""


def examples() -> dict[str, tuple[str, str]]:
    """The call and what is wanted of it, by name."""
    rows = re.split(r"\n(?=\S)", EXAMPLES.strip())
    found = [re.fullmatch(r"([^:(]+):\s+(.+)\s+-> (.+)", row, re.DOTALL) for row in rows]
    return {row[1]: (re.sub(r"\n\s+", " ", row[2]), row[3]) for row in found}
