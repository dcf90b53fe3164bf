"""Slow twins of the algorithms, written from their definitions; each stands for itself."""

import numpy as np


def slow_similarity(graph, measure, *, self_similarity=False, paths="simple"):
    """Similarities from sets of neighbours, and for katz from sequences of users."""
    from itertools import pairwise, permutations, product
    from math import log

    nodes = range(len(graph))
    near = [{y for y in nodes if graph[x][y]} for x in nodes]

    def routes(u, v, length):
        """Sequences of users from u to v along edges; simple ones name no user twice."""
        simple = paths == "simple"
        between = permutations(nodes, length - 1) if simple else product(nodes, repeat=length - 1)
        found = [(u, *middle, v) for middle in between]
        found = [r for r in found if len(set(r)) == len(r)] if simple else found
        return sum(all(graph[a][b] for a, b in pairwise(r)) for r in found)

    def pair(u, v):
        both, either = near[u] & near[v], near[u] | near[v]
        if measure == "cn":
            return len(both)
        if measure == "jaccard":
            return len(both) / len(either) if either else 0
        if measure == "aa":
            return sum(1 / log(len(near[x])) for x in both if len(near[x]) > 1)
        if measure == "resource-allocation":
            return sum(1 / len(near[x]) for x in both)
        if measure == "gd":
            return 1 if u == v or v in near[u] else 0.5 if both else 0
        return sum(0.05**n * routes(u, v, n) for n in (1, 2, 3))

    return np.array(
        [[pair(u, v) if self_similarity or u != v else 0 for v in nodes] for u in nodes], float
    )
