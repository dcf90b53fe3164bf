"""Communities of the karate club, the Southern women and the novel's characters.

All algorithms propagate labels by a matrix of whole numbers: the modularity of a labelling is the
sum of the matrix over pairs with one label, and a vertex takes the label over which its row's sum
is largest. Many runs go side by side, one in each row of an array of labels.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
from scipy.optimize import linprog
from scipy.sparse import coo_array

from claimbook.part import Part, mean_of_runs

PAPER = "small-networks"
SETS, RUNS = 25, 100  # sets of as many runs as the papers made
MOST = 50  # passes of a run that does not settle
ANEW, ONCE = "drawn anew in each sweep", "drawn once for a run"


@dataclass(frozen=True)
class Network:
    """A network in whole numbers: ties, gains of modularity, and one unit of modularity."""

    ties: np.ndarray
    gain: np.ndarray  # of a pair in one community
    unit: float
    colour: np.ndarray | None = None
    names: tuple[Any, ...] = ()

    @property
    def size(self) -> int:
        """Number of vertices."""
        return len(self.ties)

    def half(self) -> np.ndarray:
        """The gains with half of what degrees take away, times two."""
        return 2 * self.gain + self.taken

    @property
    def taken(self) -> np.ndarray:
        """What degrees take away of the gains."""
        degree = self.ties.sum(axis=0)
        both = np.outer(degree, degree)
        return both if self.colour is None else both * (self.colour[:, None] != self.colour)

    def modularity(self, labels: np.ndarray) -> np.ndarray:
        """Modularity of each row of labels; of a network of two colours the bipartite one."""
        same = labels[:, :, None] == labels[:, None, :]
        return np.einsum("rij,ij->r", same, self.gain) / self.unit


def network(graph: nx.Graph, weight: str | None = None, bipartite: str = "") -> Network:
    """A graph of networkx in whole numbers."""
    ties = nx.to_numpy_array(graph, weight=weight, dtype=int)
    edges = int(ties.sum()) // 2
    names = tuple(graph)
    if bipartite:
        colour = np.array([graph.nodes[name][bipartite] for name in names])
        plain = Network(ties, ties, 1.0, colour, names)
        return Network(ties, edges * ties - plain.taken, 2.0 * edges**2, colour, names)
    plain = Network(ties, ties, 1.0, names=names)
    return Network(ties, 2 * edges * ties - plain.taken, 4.0 * edges**2, names=names)


def karate(weight: str | None = None) -> Network:
    """Zachary's karate club, vertices numbered from 1 in the papers and from 0 here."""
    return network(nx.karate_club_graph(), weight)


def women() -> Network:
    """The Southern women of Davis and others, and the events that they came to."""
    return network(nx.davis_southern_women_graph(), bipartite="bipartite")


def sizes() -> pd.DataFrame:
    """Vertices and edges."""
    club, novel = nx.karate_club_graph(), nx.les_miserables_graph()
    south = nx.davis_southern_women_graph()
    rows = [
        (name, quantity, value)
        for name, graph in (("karate", club), ("lesmis", novel), ("women", south))
        for quantity, value in (("vertices", len(graph)), ("edges", graph.number_of_edges()))
    ]
    of_women = sum(colour == 0 for _, colour in south.nodes(data="bipartite"))
    rows += [("women", "women", of_women), ("women", "events", len(south) - of_women)]
    return pd.DataFrame(rows, columns=["network", "quantity", "value"])


# Label propagation.


@dataclass
class Rule:
    """How a vertex chooses: by the sums of a matrix over labels, plus something for its own."""

    gain: np.ndarray
    own: np.ndarray  # what the label that a vertex has gets besides
    ties: str = "kept"
    order: str = ANEW

    def sums(self, labels: np.ndarray, vertices: np.ndarray) -> np.ndarray:
        """Sums over each label, for one vertex in each run; -inf for all but one unused label."""
        runs, size = labels.shape
        at = np.arange(runs)
        row = self.gain[vertices].copy()
        row[at, vertices] = 0
        place = labels + size * at[:, None]
        sums = np.bincount(place.ravel(), row.ravel(), runs * size).reshape(runs, size)
        others = np.ones_like(labels)
        others[at, vertices] = 0
        count = np.bincount(place.ravel(), others.ravel(), runs * size).reshape(runs, size)
        mine = labels[at, vertices]
        alone = count[at, mine] == 0
        unused = count == 0
        unused[at, mine] = False
        first = unused.argmax(axis=1)
        sums[unused] = -np.inf
        open_ = ~alone & (count[at, first] == 0) & (first != mine)
        sums[at[open_], first[open_]] = 0
        own = self.own[vertices]
        sums[at, mine] += np.where(alone, np.maximum(own, 0), own)  # alone or unused is the same
        return sums


@dataclass
class Runs:
    """Labels that runs end with, passes until nothing changed, and who took an unused label."""

    labels: np.ndarray
    passes: np.ndarray
    unused: np.ndarray
    lowered: int = 0
    changes: int = 0


def propagate(
    rule: Rule, labels: np.ndarray, rng: np.random.Generator, truly: np.ndarray | None = None
) -> Runs:
    """Propagate labels until each vertex has one of the best; `truly` counts changes for worse."""
    labels = labels.copy()
    runs, size = labels.shape
    done = Runs(labels, np.zeros(runs, int), np.zeros(runs, bool))
    active = np.arange(runs)
    fixed = rng.permuted(np.tile(np.arange(size), (runs, 1)), axis=1)
    true = None if truly is None else Rule(truly, np.zeros(size))
    for _ in range(MOST):
        active = active[~_settled(rule, labels[active])]
        if not len(active):
            break
        done.passes[active] += 1
        turns = rng.permuted(fixed[active], axis=1) if rule.order == ANEW else fixed[active]
        at = np.arange(len(active))
        here = labels[active]
        for vertices in turns.T:
            sums = rule.sums(here, vertices)
            mine = here[at, vertices]
            best = sums == sums.max(axis=1, keepdims=True)
            chosen = np.where(best, rng.random(best.shape), -1).argmax(axis=1)
            if rule.ties == "kept":
                chosen = np.where(best[at, mine], mine, chosen)
            used = (here == chosen[:, None]).any(axis=1)
            done.unused[active] |= ~used
            if true is not None:
                honest = true.sums(here, vertices)
                done.changes += int((chosen != mine).sum())
                done.lowered += int((honest[at, chosen] < honest[at, mine]).sum())
            here[at, vertices] = chosen
        labels[active] = here
    return done


def _settled(rule: Rule, labels: np.ndarray) -> np.ndarray:
    """Which runs have one of the best labels at every vertex."""
    at = np.arange(len(labels))
    settled = np.ones(len(labels), bool)
    for vertex in range(labels.shape[1]):
        sums = rule.sums(labels, np.full(len(labels), vertex))
        settled &= sums[at, labels[:, vertex]] == sums.max(axis=1)
    return settled


def each_alone(size: int, runs: int = SETS * RUNS) -> np.ndarray:
    """Every vertex with a label of its own."""
    return np.tile(np.arange(size), (runs, 1))


def of_sets(values: np.ndarray, statistic: Any) -> dict[str, float]:
    """A statistic of the papers' number of runs: its mean over sets, and the spread of one set."""
    return mean_of_runs([statistic(one) for one in values.reshape(-1, RUNS)])


def best_and_mean(values: np.ndarray) -> Iterator[dict[str, Any]]:
    """Rows of the best of a set and of the mean over all runs."""
    yield {"quantity": "best", **of_sets(values, np.max)}
    yield {"quantity": "mean", **mean_of_runs(values)}


# Barber and Clark.


def barber(rng: int) -> pd.DataFrame:
    """LPA, LPAr, LPAm or LPAb, the hybrid, and half of lambda, on two networks."""
    draw = np.random.default_rng(rng)
    rows: list[dict[str, Any]] = []
    for name, net in (("karate", karate()), ("women", women())):
        for order in (ANEW, ONCE):
            for row in _barber(net, order, draw):
                rows.append({"network": name, "order": order} | row)
    return pd.DataFrame(rows)


def _barber(net: Network, order: str, rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    nothing = np.zeros(net.size)
    start = each_alone(net.size)
    plain = propagate(Rule(net.ties, nothing, order=order), start, rng).labels
    random = propagate(Rule(net.ties, nothing, "at random", order), start, rng).labels
    yield from _told(net, plain, {"algorithm": "LPA", "penalty": "none"})
    yield from _told(net, random, {"algorithm": "LPAr", "penalty": "none"})
    if net.colour is None:
        terms = [(nothing, {}, "LPAm")]
    else:
        squares = net.ties.sum(axis=0) ** 2.0
        terms = [(squares, {"own_label": "as printed"}, "LPAb")]
        terms.append((nothing, {"own_label": "left out"}, "LPAb"))
    for own, world, algorithm in terms:
        rule = Rule(net.gain, own, order=order)
        pushed = propagate(rule, start, rng).labels
        yield from _told(net, pushed, {"algorithm": algorithm} | world)
        yield from _told(net, propagate(rule, plain, rng).labels, {"algorithm": "Hybrid"} | world)
        less = propagate(Rule(net.half(), own, order=order), start, rng).labels
        before, after = (mean_of_runs(net.modularity(each)) for each in (pushed, less))
        gain = after["value"] / before["value"]
        shares = (each["se"] / each["value"] for each in (before, after))
        se = gain * sum(share**2 for share in shares) ** 0.5
        runs = before["runs"]
        yield {"quantity": "gain", "value": gain - 1, "se": se, "runs": runs} | world


def _told(net: Network, labels: np.ndarray, names: dict[str, str]) -> Iterator[dict[str, Any]]:
    for row in best_and_mean(net.modularity(labels)):
        yield names | row
    yield names | {"quantity": "trivial"} | mean_of_runs((labels == labels[:, :1]).all(axis=1))


def rule(rng: int) -> pd.DataFrame:
    """How often the rule for two colours misses the best label, with its last terms and without."""
    draw, net = np.random.default_rng(rng), women()
    labels = draw.integers(0, 4, (2000, net.size))
    at = np.arange(len(labels))
    terms = {"as printed": net.ties.sum(axis=0) ** 2.0, "left out": np.zeros(net.size)}
    missed = dict.fromkeys(terms, 0)
    for vertex in range(net.size):
        vertices = np.full(len(labels), vertex)
        true = Rule(net.gain, np.zeros(net.size)).sums(labels, vertices)
        for term, own in terms.items():
            chosen = Rule(net.gain, own).sums(labels, vertices).argmax(axis=1)
            missed[term] += int((true[at, chosen] < true.max(axis=1)).sum())
    count = labels.size
    rows = [{"quantity": "missed", "term": t, "value": n / count} for t, n in missed.items()]
    return pd.DataFrame(rows)


# Liu and Murata.


def joined(net: Network, labels: np.ndarray, rng: np.random.Generator) -> bool:
    """Join the pairs of communities that gain most for both sides, in place; say if any did."""
    names, places = np.unique(labels, return_inverse=True)
    member = np.eye(len(names), dtype=int)[places]
    gain = member.T @ net.gain @ member
    np.fill_diagonal(gain, 0)
    most = gain.max(axis=1)
    pairs = np.argwhere(np.triu((gain > 0) & (gain == most) & (gain == most[:, None])))
    taken: set[int] = set()
    for one, other in rng.permutation(pairs):
        if taken.isdisjoint((int(one), int(other))):
            taken |= {int(one), int(other)}
            labels[labels == names[other]] = names[one]
    return bool(len(pairs))


def plus(net: Network, way: Rule, rng: np.random.Generator, runs: int) -> dict[str, np.ndarray]:
    """LPAm+: labels, passes and uses of LPAm, and rounds of joining, for each run."""
    first = propagate(way, each_alone(net.size, runs), rng)
    labels, passes = first.labels, first.passes.copy()
    rounds = np.zeros(runs, int)
    active = np.arange(runs)
    while True:
        active = np.array([i for i in active if joined(net, labels[i], rng)], dtype=int)
        if not len(active) or rounds.max() == MOST:
            return {"labels": labels, "first": first.passes, "passes": passes, "rounds": rounds}
        again = propagate(way, labels[active], rng)
        labels[active] = again.labels
        passes[active] += again.passes
        rounds[active] += 1


def liu(rng: int) -> pd.DataFrame:
    """LPAm and LPAm+ on the karate club."""
    draw, net = np.random.default_rng(rng), karate()
    rows: list[dict[str, Any]] = []
    for ties in ("kept", "at random"):
        way = Rule(net.gain, np.zeros(net.size), ties)
        single = propagate(way, each_alone(net.size), draw).labels
        more = plus(net, way, draw, SETS * RUNS)
        for name, labels in (("LPAm", single), ("LPAm+", more["labels"])):
            names = {"ties": ties, "algorithm": name}
            values = net.modularity(labels)
            rows += [names | {"level": "yes"} | row for row in best_and_mean(values)]
            spread = of_sets(values, lambda one: one.std(ddof=1))
            rows.append(names | {"quantity": "standard deviation"} | spread)
            for difference, below in (
                ("of the best", of_sets(values, lambda one: 1 - one.min() / one.max())),
                ("of one", of_sets(values, lambda one: one.max() - one.min())),
            ):
                row = {"quantity": "worst below best", "difference": difference}
                rows.append(names | row | below)
        names = {"ties": ties, "algorithm": "LPAm+"}
        rows.append(names | {"quantity": "rounds"} | mean_of_runs(more["rounds"]))
        for row in _steps(more["first"], more["passes"], 1 + more["rounds"]):
            rows.append(names | {"quantity": "steps"} | row)
        values = net.modularity(more["labels"]).reshape(SETS, RUNS)
        best = more["labels"].reshape(SETS, RUNS, -1)[np.arange(SETS), values.argmax(axis=1)]
        groups = mean_of_runs([len(np.unique(each)) for each in best])
        rows.append(names | {"quantity": "communities of the best"} | groups)
    return pd.DataFrame(rows)


def _steps(first: np.ndarray, passes: np.ndarray, uses: np.ndarray) -> Iterator[dict[str, Any]]:
    for last, more in (("counted", 1), ("not counted", 0)):
        whole = passes + more * uses
        for over, steps in (
            ("each use", whole / uses),
            ("a whole run", whole),
            ("the first use", first + more),
        ):
            yield {"last_pass": last, "over": over} | mean_of_runs(steps)


def monotone(rng: int) -> pd.DataFrame:
    """Changes of LPAm that lower modularity, and runs in which an unused label is taken."""
    draw, net = np.random.default_rng(rng), karate()
    nothing, squares = np.zeros(net.size), -(net.ties.sum(axis=0) ** 2.0)
    alone = each_alone(net.size)
    rules = {
        "left out": (Rule(net.gain, nothing), alone),
        "counted": (Rule(net.gain, squares), alone),
        "twice lambda, from one community": (Rule(net.gain - net.taken, nothing), 0 * alone),
    }
    rows = []
    for term, (way, start) in rules.items():
        done = propagate(way, start, draw, truly=net.gain)
        rows.append({"term": term, "quantity": "unused", "value": done.unused.mean()})
        share = done.lowered / done.changes
        rows.append({"term": term, "quantity": "lowered", "value": share})
    return pd.DataFrame(rows)


# Newman: greedy joining.


def tree(net: Network, rng: np.random.Generator) -> list[tuple[float, np.ndarray]]:
    """Modularity and labels after each join of the pair that gains most, ties at random."""
    gain = net.gain.astype(float)
    value = float(np.trace(gain))
    np.fill_diagonal(gain, -np.inf)
    labels = np.arange(net.size)
    levels = [(value / net.unit, labels.copy())]
    for _ in range(net.size - 1):
        pairs = np.argwhere(np.triu(gain == gain.max()))
        one, other = pairs[rng.integers(len(pairs))]
        value += 2 * gain[one, other]
        gain[one] += gain[other]
        gain[:, one] = gain[one]
        gain[one, one] = -np.inf
        gain[other] = gain[:, other] = -np.inf
        labels[labels == other] = one
        levels.append((value / net.unit, labels.copy()))
    return levels


def greedy(rng: int) -> pd.DataFrame:
    """The peak of greedy joining, its groups, and who is misplaced in the cut in two."""
    draw = np.random.default_rng(rng)
    rows: list[dict[str, Any]] = []
    for name, net in (("karate", karate()), ("women", women())):
        trees = [tree(net, draw) for _ in range(200)]
        peaks = [max(levels, key=lambda level: level[0]) for levels in trees]
        groups = [np.unique(labels, return_counts=True)[1] for _, labels in peaks]
        for quantity, values in (
            ("peak", [value for value, _ in peaks]),
            ("groups at the peak", [len(each) for each in groups]),
            ("largest group at the peak", [int(max(each)) for each in groups]),
            ("modularity of the cut in two", [levels[-2][0] for levels in trees]),
            ("largest group of the cut in two", [_largest(levels[-2][1]) for levels in trees]),
        ):
            rows.append({"network": name, "quantity": quantity} | mean_of_runs(values))
    club = nx.karate_club_graph()
    joined_one = np.array([club.nodes[vertex]["club"] == "Officer" for vertex in club])
    before = joined_one ^ (np.arange(len(club)) == 8)  # member 9 left his faction
    cuts = [tree(karate(), draw)[-2][1] for _ in range(200)]
    for sides, side in (("club joined", joined_one), ("faction before", before)):
        apart = np.array([(cut == cut[-1]) != side for cut in cuts])
        wrong = apart.mean(axis=0) > 0.5
        rows += [
            {"network": "karate", "quantity": "misplaced", "sides": sides}
            | {"vertex": str(vertex + 1), "value": float(share)}
            for vertex, share in enumerate(wrong)
        ]
    return pd.DataFrame(rows)


def _largest(labels: np.ndarray) -> int:
    return int(np.unique(labels, return_counts=True)[1].max())


# Aloise and others: the optimum, and a bound that proves it.


def bound(net: Network) -> float:
    """The most that a linear program over pairs allows, with triangle inequalities as needed."""
    size = net.size
    one, other = np.triu_indices(size, 1)
    number = np.zeros((size, size), int)
    number[one, other] = number[other, one] = np.arange(len(one))
    cost = -2.0 * net.gain[one, other] / net.unit
    rows: list[np.ndarray] = []
    while True:
        known = np.vstack(rows) if rows else np.zeros((0, 3), int)
        at = np.repeat(np.arange(len(known)), 3)
        sign = np.tile([1.0, 1.0, -1.0], len(known))
        matrix = coo_array((sign, (at, known.ravel())), shape=(len(known), len(one)))
        found = linprog(
            cost,
            A_ub=matrix.tocsr() if len(known) else None,
            b_ub=np.ones(len(known)) if len(known) else None,
            bounds=(0, 1),
        )
        pairs = np.zeros((size, size))
        pairs[one, other] = pairs[other, one] = found.x
        broken = pairs[:, :, None] + pairs[None, :, :] - pairs[:, None, :]  # ij, jk, ik
        i, j, k = np.nonzero(broken > 1 + 1e-7)
        apart = (i < k) & (i != j) & (j != k)
        if not apart.any():
            return float(-found.fun + np.trace(net.gain) / net.unit)
        i, j, k = i[apart], j[apart], k[apart]
        worst = np.argsort(-broken[i, j, k])[: 20 * size]
        i, j, k = i[worst], j[worst], k[worst]
        rows.append(np.column_stack([number[i, j], number[j, k], number[i, k]]))


def optimum(rng: int) -> pd.DataFrame:
    """The best of many runs of LPAm+ and the bound, for each meaning of weights."""
    draw = np.random.default_rng(rng)
    none, instances, recorded = "none", "of the instances", "all that are recorded"
    novel = nx.les_miserables_graph()
    rows: list[dict[str, Any]] = []
    for name, net, worlds in (
        ("karate", karate(), (none, instances)),
        ("karate", karate("weight"), (recorded,)),
        ("lesmis", network(novel), (none,)),
        ("lesmis", network(novel, "weight"), (instances, recorded)),
    ):
        labels = plus(net, Rule(net.gain, np.zeros(net.size)), draw, 500)["labels"]
        values = net.modularity(labels)
        best = labels[values.argmax()]
        facts = {"best": values.max(), "bound": bound(net), "communities": len(np.unique(best))}
        for weights in worlds:
            for quantity, value in facts.items():
                row = {"network": name, "weights": weights, "quantity": quantity, "value": value}
                rows.append(row | ({} if quantity == "communities" else {"proof": "yes"}))
    return pd.DataFrame(rows)


PARTS = (
    Part(PAPER, "sizes", sizes),
    *(Part(PAPER, part.__name__, part, seed=20092) for part in (greedy, barber, rule, optimum)),
    *(Part(PAPER, part.__name__, part, seed=20093) for part in (liu, monotone)),
)
