"""What the tests hold the package against, written as slowly and as plainly as possible."""

from fractions import Fraction
from itertools import product

import numpy as np


def cells_in_all_worlds(published, known, size):
    """The others' cells that are the same in every world that publishes this row: 1, 0 or -1.

    A world is a row for each of the members who are no insiders; an item is published when at
    least half of the group have it.
    """
    row, insiders = np.asarray(published), np.reshape(known, (-1, len(published)))
    shape = (size - len(insiders), len(row))
    worlds = [np.reshape(bits, shape) for bits in product((0, 1), repeat=shape[0] * shape[1])]
    fitting = [
        world
        for world in worlds
        if ((2 * (insiders.sum(axis=0) + world.sum(axis=0)) >= size) == row).all()
    ]
    same = np.min(fitting, axis=0) == np.max(fitting, axis=0)
    return np.where(same, fitting[0], -1)


def slow_distance(left, right):
    """Exact mean squared difference over the cells both have; None where there are none."""
    pairs = [(a, b) for a, b in zip(left, right, strict=True) if a == a and b == b]
    total = sum((Fraction(float(a)) - Fraction(float(b))) ** 2 for a, b in pairs)
    return total / len(pairs) if pairs else None


def slow_nearest(records, queries):
    """The first of the nearest records, how many are as near, and how far that is."""
    results = []
    for query in queries:
        known = {
            place: d
            for place, record in enumerate(records)
            if (d := slow_distance(record, query)) is not None
        }
        best = min(known.values(), default=np.inf)
        equal = [place for place, d in known.items() if d == best]
        results.append(((*equal, -1)[0], len(equal), float(best)))
    return [np.array(column) for column in zip(*results, strict=True)]


def mdav_in_fractions(points, k, leftover="group", *, ties="coordinates"):
    """MDAV in exact arithmetic: the group of each point.

    Of points equally far the first is taken, by their coordinates or (ties "rows") as listed.
    """
    rows = [[int(x) if x == int(x) else Fraction(float(x)) for x in point] for point in points]
    left = list(range(len(rows)))
    if ties == "coordinates":
        left.sort(key=rows.__getitem__)
    groups = []

    def mean(members):
        return [sum(column) for column in zip(*(rows[m] for m in members), strict=True)], len(
            members
        )

    def away(row, place):
        """Squared distance to a place: its coordinates times a count, and the count."""
        pairs = zip(rows[row], place[0], strict=True)
        return Fraction(sum((place[1] * a - b) ** 2 for a, b in pairs), place[1] ** 2)

    def take_around(place):
        end = rows[max(left, key=lambda row: away(row, place))], 1
        groups.append(sorted(left, key=lambda row: away(row, end))[:k])
        for row in groups[-1]:
            left.remove(row)
        return end

    while len(left) >= 3 * k:
        take_around(take_around(mean(left)))
    if len(left) >= 2 * k:
        take_around(mean(left))
    means, own = [mean(group) for group in groups], mean(left)
    stay = [row for row in left if all(away(row, own) < away(row, place) for place in means)]
    if leftover == "group" or not groups or 2 * len(stay) > len(left):
        groups.append(left)
    else:
        for row in left:
            distances = [away(row, place) for place in means]
            groups[distances.index(min(distances))].append(row)
    label = {row: number for number, group in enumerate(groups) for row in group}
    return [label[row] for row in range(len(rows))]


def groups_of(points, labels):
    """Points of each group, sorted, in the order of the labels."""
    results = [[] for _ in range(max(labels) + 1)]
    for point, label in zip(points, labels, strict=True):
        results[label].append(tuple(map(float, point)))
    return [sorted(group) for group in results]


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
        results = [(u, *middle, v) for middle in between]
        results = [r for r in results if len(set(r)) == len(r)] if simple else results
        return sum(all(graph[a][b] for a, b in pairwise(r)) for r in results)

    def pair(u, v):
        both, either = near[u] & near[v], near[u] | near[v]
        if measure == "cn":
            return len(both)
        if measure == "jaccard":
            return len(both) / len(either) if either else 0
        if measure == "sorensen":
            return 2 * len(both) / (len(near[u]) + len(near[v])) if both else 0
        if measure == "aa":
            return sum(1 / log(len(near[x])) for x in both if len(near[x]) > 1)
        if measure == "resource-allocation":
            return sum(1 / len(near[x]) for x in both)
        if measure == "gd":
            return 1 if u == v or v in near[u] else 0.5 if both else 0
        assert measure == "katz", f"no oracle for {measure}"
        return sum(0.05**n * routes(u, v, n) for n in (1, 2, 3))

    return np.array(
        [[pair(u, v) if self_similarity or u != v else 0 for v in nodes] for u in nodes], float
    )
