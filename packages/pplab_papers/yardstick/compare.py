"""Four families on one table: publish, recommend, attack; the rules stand in the package."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from pplab.attacks import protocol
from pplab.attacks.protocol import CLUSTERS, FAMILIES, MEANS, NOISE, SMOOTH, Question, advantage
from pplab.datasets.catalog import Dataset
from pplab.recommenders.communities import communities

LISTENERS, LIKES = 50, 5  # of an item, of a user, at least
HELD_OUT, LATER = 0.2, 0.05  # shares of the likes: recommended; new in the second month
TOP, RANK = 20, 20
KNOWN, TARGETS = 5, 300
FAKES, VICTIMS = 10, 40
STRENGTHS: dict[str, tuple[float, ...]] = {
    NOISE: (1, 2, 3, 4, 5, 6),
    CLUSTERS: (0.03, 0.1, 0.3, 1, 3),
    SMOOTH: (2, 3, 5, 10, 20),
    MEANS: (2, 3, 5, 10, 20),
}
ATTACKERS = ("link", "one like", "insiders", "two releases", "fake friend")
Row = dict[str, Any]
Measured = dict[tuple[str, float, str, str], list[float]]


@dataclass(frozen=True, eq=False)
class World:
    """The data of one seed: the cells asked about, the held-out likes, and months."""

    data: np.ndarray
    before: np.ndarray
    held_out: np.ndarray
    asked: Question
    social: Any = None


def lastfm(lastfm: Dataset, *, rng: int, seeds: int = 5) -> pd.DataFrame:
    """All four families on the users of Last.fm with friends and popular artists."""
    return compare(_frequent_items(lastfm.preferences), rng=rng, seeds=seeds, social=lastfm.social)


def movielens(movielens: Dataset, *, rng: int, seeds: int = 5) -> pd.DataFrame:
    """The three families that need no friends, on films rated with four or five stars."""
    return compare(_frequent_items(movielens.ratings >= 4), rng=rng, seeds=seeds)


def _frequent_items(likes: Any) -> np.ndarray:
    table = (sparse.csr_array(likes) > 0).toarray()
    return np.asarray(table[:, table.sum(axis=0) >= LISTENERS])


def compare(likes: np.ndarray, *, rng: int, seeds: int, social: Any = None) -> pd.DataFrame:
    """Measure use and advantage of each family at each strength, and at equal use."""
    active = likes.sum(axis=1) >= LIKES
    friends = None
    if social is not None:
        graph = sparse.csr_array(social)
        active &= np.asarray(graph.sum(axis=1)).ravel() > 0
        friends = graph[active][:, active]
    chosen = {name: STRENGTHS[name] for name in STRENGTHS if name != CLUSTERS or social is not None}
    measured: Measured = {}
    for stream in np.random.default_rng(rng).spawn(seeds):
        world = _world(likes[active], friends, stream)
        for family, strength, quantity, attacker, value in _measure(world, chosen, stream):
            measured.setdefault((family, strength, quantity, attacker), []).append(value)
    size = {"users": int(active.sum()), "items": likes.shape[1]}
    rows = [_row(*key, values) for key, values in measured.items()]
    counts = [_row("", np.nan, name, "", [float(count)]) for name, count in size.items()]
    return pd.DataFrame(rows + counts + _equal(measured, chosen))


def _world(likes: np.ndarray, social: Any, rng: np.random.Generator) -> World:
    held_out = likes & (rng.random(likes.shape) < HELD_OUT)
    train = likes & ~held_out
    train[~train.any(axis=1)] = likes[~train.any(axis=1)]
    held_out &= ~train
    items = (rng.random(likes.shape) * train).argmax(axis=1)
    users = np.arange(len(likes))
    coin = rng.random(len(likes)) < 0.5
    data, before = train.copy(), train & (rng.random(likes.shape) >= LATER)
    data[users, items], before[users, items] = coin, False
    return World(data, before, held_out, Question(users, items, coin), social)


def _measure(
    world: World, strengths: Mapping[str, Iterable[float]], rng: np.random.Generator
) -> Iterable[tuple[str, float, str, str, float]]:
    """Yield family, strength, quantity, attacker and value."""
    users, question = len(world.data), world.asked
    clusters = fake_world = fake_clusters = None
    if world.social is not None:
        clusters = communities(world.social, runs=1, rng=rng)
        fake_world = _befriend(world, rng)
        fake_clusters = communities(fake_world[0].social, runs=1, rng=rng)
    common = np.broadcast_to(world.data.mean(axis=0), world.data.shape)
    for name, table in (("popularity", common), ("no protection", world.data)):
        yield name, np.nan, "recall", "", _recall(world, table)
    for family, levels in strengths.items():
        for level in levels:
            before, after = (
                FAMILIES[family].publish(data, level, clusters, rng)
                for data in (world.before, world.data)
            )
            yield family, level, "recall", "", _recall(world, after.table)
            if family != CLUSTERS:
                targets = rng.choice(users, min(TARGETS, users), replace=False)
                linked = protocol.link_success(after, world.data, targets, known=KNOWN, rng=rng)
                success = float(linked.mean())
                yield family, level, "success", "link", success
                yield family, level, "advantage", "link", (success - 1 / users) / (1 - 1 / users)
            answers_of = {
                "one like": protocol.ask_outsider(after, question),
                "insiders": protocol.ask_insiders(after, world.data, question),
                "two releases": protocol.ask_twice(before, after, question),
            }
            for attacker, answers in answers_of.items():
                yield family, level, "advantage", attacker, advantage(answers, question.coin)
            if family == CLUSTERS and fake_world is not None:
                attacked, fakes = fake_world
            else:
                attacked, fakes = _copy_victims(world, family, int(level), rng)
            faked = FAMILIES[family].publish(attacked.data, level, fake_clusters, rng)
            answers = protocol.ask_fake_friends(faked, attacked.data, fakes, attacked.asked)
            gained = advantage(answers, attacked.asked.coin)
            yield family, level, "advantage", "fake friend", gained


# Use: the same recommender for all.


def _recall(world: World, table: np.ndarray) -> float:
    """Recall at 20 of held-out likes, recommended from a published table."""
    values = np.asarray(table, dtype=float)
    _, vectors = np.linalg.eigh(values.T @ values)
    basis = vectors[:, -RANK:]
    scores = values @ basis @ basis.T + 1e-6 * values.mean(axis=0)
    scores[world.data] = -np.inf  # nobody is shown what they have
    best = np.argsort(-scores, axis=1, kind="stable")[:, :TOP]
    hidden = world.held_out.sum(axis=1)
    hits = np.take_along_axis(world.held_out, best, axis=1).sum(axis=1)
    recall = hits[hidden > 0] / np.minimum(hidden[hidden > 0], TOP)
    return float(recall.mean())


# Fake friends: accounts that the attacker adds before the release.


def _victims(world: World, count: int, rng: np.random.Generator) -> Question:
    chosen = rng.choice(len(world.data), min(count, len(world.data)), replace=False)
    coin = np.arange(len(chosen)) % 2 == 0  # half of them, so that both answers occur
    return Question(chosen, world.asked.items[chosen], coin)


def _world_with(
    world: World, rows: np.ndarray, question: Question, social: Any
) -> tuple[World, np.ndarray]:
    changed = world.data.copy()
    changed[question.users, question.items] = question.coin
    data = np.concatenate([changed, rows])
    fakes = np.arange(len(data)) >= len(changed)
    return World(data, data, world.held_out, question, social), fakes


def _befriend(world: World, rng: np.random.Generator) -> tuple[World, np.ndarray]:
    """Ten fakes for each victim, friends of the victim and of each other."""
    question = _victims(world, VICTIMS, rng)
    count, victims = len(world.data), len(question.users)
    fakes = count + np.arange(victims * FAKES).reshape(victims, FAKES)
    cliques = np.concatenate([question.users[:, None], fakes], axis=1)
    ends = [pair for clique in cliques for pair in combinations(clique.tolist(), 2)]
    size = count + fakes.size
    one, two = np.array(ends).T
    added = sparse.coo_array((np.ones(len(one)), (one, two)), shape=(size, size))
    old = sparse.coo_array(world.social)
    kept = sparse.coo_array((np.ones(old.nnz), (old.row, old.col)), shape=(size, size))
    social = sparse.csr_array(kept + added + added.T)
    rows = np.zeros((fakes.size, world.data.shape[1]), dtype=bool)
    return _world_with(world, rows, question, social)


def _copy_victims(
    world: World, family: str, k: int, rng: np.random.Generator
) -> tuple[World, np.ndarray]:
    """For each victim k - 1 rows with the victim's other likes; of votes, half have the item."""
    if family == NOISE:  # no cell depends on another
        rows = np.zeros((1, world.data.shape[1]), dtype=bool)
        return _world_with(world, rows, world.asked, None)
    question = _victims(world, max(min(400 // (k - 1), 60), 20), rng)
    copies = np.repeat(world.data[question.users], k - 1, axis=0)
    items = np.repeat(question.items, k - 1)
    place = np.tile(np.arange(k - 1), len(question.users))
    yes = place < (k + 1) // 2 - 1 if family == SMOOTH else np.zeros(len(place), dtype=bool)
    copies[np.arange(len(copies)), items] = yes
    return _world_with(world, copies, question, None)


# Rows: means over seeds with their intervals, and the families at equal use.


def _row(family: str, strength: float, quantity: str, attacker: str, values: list[float]) -> Row:
    row: Row = {"quantity": quantity, "family": family, "strength": strength, "attacker": attacker}
    row |= {"at": "strength"} | interval(values)
    if len(values) < 2:
        del row["runs"]
    if family not in FAMILIES:  # what no family publishes, or all together
        return row
    epsilon, linked = FAMILIES[family].has_epsilon, attacker == "link"
    if quantity in ("advantage", "success") and epsilon and not linked:
        return row | {"limited": "epsilon", "limit": protocol.advantage_limit(strength)}
    if quantity == "success" and linked and not epsilon:
        return row | {"limited": "k", "limit": 1 / strength}
    return row


def interval(values: list[float]) -> dict[str, float]:
    """Mean over seeds with its interval."""
    low, high = protocol.over_runs(values)
    return {"value": float(np.mean(values)), "low": low, "high": high, "runs": len(values)}


def _equal(measured: Measured, strengths: Mapping[str, Iterable[float]]) -> list[Row]:
    """Each family's advantages at the recall midway in the range that all families reach.

    A family that does not reach it is taken at its nearest strength; ``recall`` says where.
    """
    curves = {
        family: np.array([measured[family, level, "recall", ""] for level in levels])
        for family, levels in strengths.items()
    }
    means = [curve.mean(axis=1) for curve in curves.values()]
    lowest, highest = max(mean.min() for mean in means), min(mean.max() for mean in means)
    recall = (lowest + highest) / 2
    rows = [_row("", np.nan, "recall", "", [recall]) | {"at": "equal"}]
    for family, levels in strengths.items():
        for attacker in ATTACKERS:
            cells = [measured.get((family, level, "advantage", attacker)) for level in levels]
            if not all(cells):
                continue
            values = [
                _at(recall, curve, advantages)
                for curve, advantages in zip(curves[family].T, np.array(cells).T, strict=True)
            ]
            row = _row(family, np.nan, "advantage", attacker, values)
            reached = curves[family].mean(axis=1)
            near = float(np.clip(recall, reached.min(), reached.max()))
            rows.append({**row, "at": "equal", "limited": "", "limit": np.nan, "recall": near})
    return [*rows, _row("", np.nan, "reversals", "", [_reversals(rows[1:])])]


def _at(recall: float, curve: np.ndarray, values: np.ndarray) -> float:
    order = np.argsort(curve)
    return float(np.interp(recall, curve[order], values[order]))


def _reversals(rows: list[Row]) -> float:
    """Pairs of families and of attackers where both orders are sure and one is the reverse."""
    intervals = {(row["family"], row["attacker"]): (row["low"], row["high"]) for row in rows}
    families = sorted({family for family, _ in intervals})
    count = 0
    for one, two in combinations(families, 2):
        both = [a for a in ATTACKERS if (one, a) in intervals and (two, a) in intervals]
        signs = [_order(intervals[one, attacker], intervals[two, attacker]) for attacker in both]
        count += sum(a * b < 0 for a, b in combinations(signs, 2))
    return float(count)


def _order(one: tuple[float, float], two: tuple[float, float]) -> int:
    """1 or -1 where two intervals are apart, else 0."""
    return int(one[0] > two[1]) - int(two[0] > one[1])
