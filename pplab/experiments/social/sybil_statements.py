"""The paper's attack, tried on every victim of random small graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import networkx as nx
import numpy as np
from scipy import sparse

from pplab.attacks.sybil import lonely_friends, sybil_attack
from pplab.experiments.finding import Finding

__all__ = ["SYBIL_STATEMENTS"]

SEED = 53
GRAPHS = 200
USERS = 12

Instance = tuple[sparse.csr_array, sparse.csr_array, np.ndarray, np.ndarray]


def _instances() -> Iterator[Instance]:
    """Sparse random graphs, in which everybody likes something; victims with a friend."""
    rng = np.random.default_rng(SEED)
    for _ in range(GRAPHS):
        graph = nx.gnp_random_graph(USERS, 0.15, seed=int(rng.integers(2**31)))
        social = sparse.csr_array(nx.to_scipy_sparse_array(graph, dtype=np.int8))
        likes = (rng.random((USERS, 6)) < 0.4).astype(float)
        likes[np.arange(USERS), rng.integers(0, 6, USERS)] = 1
        known = np.diff(social.indptr) > 0
        yield social, sparse.csr_array(likes), lonely_friends(social), known


def _tried(
    measures: tuple[str, ...], through: str, chain: int | None, *, lonely: bool | None
) -> tuple[int, int]:
    """Victims whom the attack reads alone, of all to whom it is said to apply."""
    worked = tried = 0
    for social, likes, friends, known in _instances():
        chosen = known if lonely is None else known & ((friends >= 0) == lonely)
        victims = np.flatnonzero(chosen)
        for measure in measures if len(victims) else ():
            attack = sybil_attack(
                social, likes, victims, measure=measure, through=through, chain=chain
            )
            worked += int(attack.applies.sum())
            tried += len(victims)
    return worked, tried


def _common_neighbours() -> Finding:
    worked, tried = _tried(("cn", "aa"), "friend", 1, lonely=True)
    return worked == tried > 0, f"It reads the victim alone in {worked:,} of {tried:,} attacks."


def _two_sybils() -> Finding:
    worked, tried = _tried(("cn", "aa"), "victim", 2, lonely=False)
    return worked == tried > 0, f"It reads the victim alone in {worked:,} of {tried:,} attacks."


def _chain(measure: str, length: int) -> Finding:
    """A chain from a friend who knows nobody else or from the victim, the observer in it or not."""
    by_friend = _tried((measure,), "friend", length, lonely=True)
    by_victim = _tried((measure,), "victim", length, lonely=None)
    longer = _tried((measure,), "victim", length + 1, lonely=None)
    holds = any(worked == tried > 0 for worked, tried in (by_friend, by_victim, longer))
    return holds, (
        f"A chain of {length} reads the victim alone in {by_friend[0]:,} of {by_friend[1]:,} "
        f"attacks through a friend who knows nobody else, in {by_victim[0]:,} of {by_victim[1]:,} "
        f"through the victim; a chain of {length + 1} through the victim, observer included, in "
        f"{longer[0]:,} of {longer[1]:,}."
    )


SYBIL_STATEMENTS: dict[str, Callable[[], Finding]] = {
    "section-2:sybil-cn-aa": _common_neighbours,
    "section-2:sybil-two": _two_sybils,
    "section-2:sybil-gd": lambda: _chain("gd", 1),
    "section-2:sybil-kz": lambda: _chain("katz", 2),
}
