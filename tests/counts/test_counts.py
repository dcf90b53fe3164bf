"""Counts against brute force: every graph on up to six nodes, every neighbour; exact levels."""

import itertools
import math
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from pplab.counts import NoisyCount, TopItem, capped_triangles, local_sensitivity, project_degrees
from pplab.counts.projection import kept_edges
from pplab.counts.statistics import COUNTS, triangle_list


class Every:
    """All graphs on n nodes as bit masks of pairs, and their counts as arrays over the masks."""

    def __init__(self, nodes):
        self.nodes = nodes
        self.pairs = list(itertools.combinations(range(nodes), 2))
        self.masks = np.arange(2 ** len(self.pairs))
        self.bits = (self.masks[:, None] >> np.arange(len(self.pairs))) & 1
        self.ends = tuple(np.array(self.pairs).T)
        self.tables = np.zeros((len(self.masks), nodes, nodes), dtype=int)
        self.tables[:, *self.ends] = self.tables[:, *self.ends[::-1]] = self.bits
        self.incident = np.array([[v in pair for pair in self.pairs] for v in range(nodes)])
        self.at = (self.incident @ (1 << np.arange(len(self.pairs)))).tolist()

    def common(self):
        """Common neighbours of each pair, masks x pairs."""
        return (self.tables @ self.tables)[:, *self.ends]

    def triangles(self):
        return (self.common() * self.bits).sum(axis=1) // 3

    def degrees(self, bits=None):
        return (self.bits if bits is None else bits) @ self.incident.T.astype(int)

    def histogram(self, bits=None, top=None):
        degree = self.degrees(bits)
        values = range(1, (top or self.nodes - 1) + 1)
        return np.stack([(degree == d).sum(axis=1) for d in values], axis=1)

    def projected(self, theta):
        """Bits of the projected graphs."""
        index = {pair: e for e, pair in enumerate(self.pairs)}
        kept = np.zeros_like(self.bits)
        for mask, row in enumerate(self.bits):
            present = [self.pairs[e] for e in np.flatnonzero(row)]
            for pair in kept_edges(present, self.nodes, theta):
                kept[mask, index[pair]] = 1
        return kept

    def counts(self):
        degrees, triangles = self.histogram(), self.triangles()
        return {"edges": self.bits.sum(axis=1), "degrees": degrees, "triangles": triangles}

    def edge_moves(self, values):
        """Changes of a count between all edge neighbours."""
        for e in range(len(self.pairs)):
            yield values[self.masks ^ (1 << e)] - values

    def removals(self, values):
        for bits in self.at:
            yield values[self.masks & ~bits] - values

    def at_will(self, values):
        """Changes between all graphs that differ at one node at will."""
        for bits in self.at:
            rest = self.masks[(self.masks & bits) == 0]
            own = np.array([mask for mask in self.masks if mask & ~bits == 0])
            group = values[rest[:, None] | own]  # rest x own x ...
            for one in range(len(own)):
                yield (group - group[:, [one]]).reshape(-1, *values.shape[1:])

    def graph(self, mask):
        return sparse.csr_array(self.tables[mask])


def norms(moves, order):
    """Largest norm of any move."""
    flat = (move.reshape(len(move), -1) for move in moves)
    return max(float(np.linalg.norm(move, ord=order, axis=1).max()) for move in flat)


@pytest.fixture(scope="module")
def every():
    return {nodes: Every(nodes) for nodes in range(2, 7)}


def test_sensitivities_for_an_edge_are_the_largest_moves(every):
    """Local ones of each graph, global ones of all: these are reached and never passed."""
    for nodes, graphs in every.items():
        for name, values in graphs.counts().items():
            count = COUNTS[name]
            enough = nodes >= {"edges": 2, "degrees": 3, "triangles": 3}[name]
            moves = [move.reshape(len(move), -1) for move in graphs.edge_moves(values)]
            mechanism = NoisyCount(count=name, noise="laplace", epsilon=1.0, unit="edge")
            for limit, order in zip(mechanism.moves(nodes), (1, 2), strict=True):
                local = np.max([np.linalg.norm(m, ord=order, axis=1) for m in moves], axis=0)
                most = local.max()
                assert most == pytest.approx(limit) if enough else most <= limit, (name, nodes)
            assert values.max() <= count.most(nodes)
            step = {5: 7, 6: len(graphs.masks)}.get(nodes, 1)
            for mask in graphs.masks[::step] if name != "degrees" else ():
                result = local_sensitivity(graphs.graph(mask), count=name)
                assert result == local[mask], (name, nodes, mask)


def test_projected_counts_move_by_what_is_stated_for_a_node_and_reach_it(every):
    reached = set()
    for nodes, graphs in every.items():
        for theta in (1, 2, 3):
            kept = graphs.projected(theta)
            numbers = kept @ (1 << np.arange(len(graphs.pairs)))
            for mask in graphs.masks[::61]:
                result = project_degrees(graphs.graph(mask), theta=theta)
                assert (result != graphs.graph(numbers[mask])).nnz == 0
            for node, own in enumerate(graphs.incident):  # the sum in the proof of notebook 09
                apart = kept - kept[graphs.masks & ~graphs.at[node]]
                others = np.delete(graphs.incident, node, axis=0).T
                sums = abs(np.cumsum(apart[:, :, None] * others, axis=1)).sum(axis=2)
                assert (np.diff(sums, axis=1, prepend=0) <= kept * own).all()
            counts = {"edges": kept.sum(axis=1), "degrees": graphs.histogram(kept, top=theta)}
            assert graphs.degrees(kept).max() <= theta
            for name, values in counts.items():
                for relation in ("removed", "at will"):
                    node = {"unit": "node", "theta": theta, "node_edges": relation}
                    mechanism = NoisyCount(count=name, noise="laplace", epsilon=1.0, **node)
                    walk = graphs.removals if relation == "removed" else graphs.at_will
                    for limit, order in zip(mechanism.moves(nodes), (1, 2), strict=True):
                        most = norms(walk(values), order)
                        assert most <= limit + 1e-9, (name, relation, nodes, theta)
                        if most == pytest.approx(limit):
                            reached.add((name, relation, order, theta))
    sure = itertools.product(("edges", "degrees"), ("removed", "at will"), (1, 2))
    assert {(name, how, 1, t + (name == "degrees")) for name, how, t in sure} <= reached


def test_a_bound_on_projected_triangles_passes_five_nodes_and_is_refuted_by_six(every):
    """theta (theta - 1) / 2 is false: why triangles are not counted on the projected graph."""
    worst = {}
    for nodes in (5, 6):
        graphs, theta = every[nodes], 2
        kept = graphs.projected(theta)
        values = graphs.triangles()[kept @ (1 << np.arange(len(graphs.pairs)))]
        worst[nodes] = norms(graphs.removals(values), 1)
    assert worst == {5: 1, 6: 2}


def test_capped_triangles_move_by_the_cap_at_most():
    """Counts in parts do not depend on names of nodes, so one graph of each shape is enough."""
    reached = 0
    for shape in nx.graph_atlas_g()[7:209]:  # all on 4 to 6 nodes
        table = nx.to_numpy_array(shape, dtype=int)
        whole = sum(nx.triangles(shape).values()) // 3
        assert len(triangle_list(sparse.csr_array(table))) == whole
        for theta in (2, 3):
            cap = theta * (theta - 1) / 2
            value = capped_triangles(table, theta=theta)
            assert value <= whole + 1e-9
            if table.sum(axis=0).max() <= theta:
                assert value == whole
            for node in range(len(table)):
                less = table.copy()
                less[node] = less[:, node] = 0
                gap = value - capped_triangles(less, theta=theta)
                assert -1e-7 <= gap <= cap + 1e-7
                reached += abs(gap - cap) < 1e-7
    assert reached > 100
    for theta, edges in itertools.product((2, 3), ("removed", "at will")):
        node = {"unit": "node", "theta": theta, "node_edges": edges}
        mechanism = NoisyCount(count="triangles", noise="laplace", epsilon=1.0, **node)
        assert mechanism.moves(6) == (theta * (theta - 1) / 2,) * 2


# Mechanisms of counts: their exact levels and what is refused.


def test_a_level_that_is_no_root_of_a_fraction_is_kept_on_the_safe_side():
    for epsilon, nodes in ((1.0, 4), (0.3, 5), (7.0, 4), (30.0, 3)):
        mechanism = NoisyCount(count="triangles", noise="geometric", unit="edge", epsilon=epsilon)
        ratio = mechanism._ratio(nodes)
        assert ratio ** -(nodes - 2) <= Fraction(math.exp(epsilon)) * (1 + Fraction(1, 10**14))
        assert math.log(ratio) == pytest.approx(-epsilon / (nodes - 2), abs=1e-6)


def test_a_million_items_have_exact_probabilities_in_a_moment():
    places = np.random.default_rng(3).integers(10**6, size=(2, 1000))
    likes = sparse.csr_array((np.ones(1000), places), shape=(10**6, 10**6))
    result, counts = TopItem(unit="edge", odds=3).distribution(likes), likes.sum(axis=0).astype(int)
    assert len(result) == 10**6
    total = sum(3 ** int(count) for count in counts)
    assert all(result[item] * total == 3 ** int(counts[item]) for item in places[1].tolist())
