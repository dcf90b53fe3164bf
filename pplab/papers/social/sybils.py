"""The Sybil attack of Section 2: end to end on Last.fm, and on every victim of small graphs.

`sybil` attacks exact and private lists as epsilon falls. Jorgensen and Yu 2014,
doi 10.5441/002/edbt.2014.51.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import exp, inf

import networkx as nx
import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.attacks.sybil import (
    draw_victims,
    lonely_friends,
    membership_advantage,
    sybil_attack,
    sybil_success,
)
from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.papers.part import Finding, statement_rows
from pplab.papers.social.paper import ALPHA, MEASURES, TOP, graphs_of
from pplab.recommenders.communities import communities

VICTIMS = 200
MOST = 0.99
TRIALS = 20_000
LEVELS = (inf, 1.0, 0.1)
METHODS = ("exact", "cluster", "nou", "noe")


def sybil(
    lastfm: Dataset, *, rng: int | np.random.Generator | None = None, victims: int = VICTIMS
) -> pd.DataFrame:
    """Attack seeded victims with every measure and against every method.

    Parameters
    ----------
    lastfm : Dataset
    rng : int, Generator or None
        Seed or generator.
    victims : int, default 200
        How many are attacked at once, each through the victim.

    Returns
    -------
    DataFrame
        Statements (statement, value, witness), successes (measure, method, epsilon; means over
        victims of precision, recall and gain: precision above that of naming popular items) and
        advantages on one edge (measure, method, epsilon, advantage, low, high, bound).
    """
    check_integer("victims", victims, minimum=1)
    graphs = graphs_of(lastfm)
    choice, seeds = as_rng(rng).spawn(2)
    chosen = draw_victims(graphs.social, graphs.preferences, victims, through="victim", rng=choice)
    rows = []
    found: dict[str, Finding] = {}
    bar = tqdm(total=len(MEASURES) * len(METHODS), desc="attack")
    for measure in MEASURES:
        attack = sybil_attack(
            graphs.social, graphs.preferences, chosen, measure=measure, through="victim"
        )
        labels = communities(attack.social, backend="igraph", rng=int(seeds.integers(2**31)))
        for method in METHODS:
            for epsilon in LEVELS if method != "exact" else (inf,):
                seen = sybil_success(
                    attack,
                    epsilon=epsilon,
                    method=method,
                    top_n=TOP,
                    clusters=labels if method == "cluster" else None,
                    rng=int(seeds.integers(2**31)),
                )
                row = {"measure": measure, "method": method, "epsilon": epsilon}
                means = {n: float(np.nanmean(getattr(seen, n))) for n in ("precision", "recall")}
                gain = seen.precision - seen.popular  # over naming popular items, without an attack
                gain = gain[~np.isnan(gain)]
                of_gain = {"gain": gain.mean(), "gain_se": gain.std(ddof=1) / len(gain) ** 0.5}
                rows.append(row | means | of_gain)
                if method == "exact":
                    share = float((seen.precision >= 1).mean())
                    found[f"section-2:attack-succeeds:{measure}"] = (
                        share >= MOST,
                        f"For {share:.1%} of {len(chosen)} victims all that is shown is theirs; "
                        f"mean recall {means['recall']:.2f}.",
                    )
            bar.update()
    bar.close()
    advantages = _advantages(graphs.social, graphs.preferences, chosen, seeds)
    found["section-2:private-stops-attack"] = _stopped(pd.DataFrame(rows), advantages)
    return pd.concat([statement_rows(found), pd.DataFrame(rows), advantages], ignore_index=True)


def _advantages(
    social: sparse.csr_array,
    preferences: sparse.csr_array,
    chosen: np.ndarray,
    seeds: np.random.Generator,
) -> pd.DataFrame:
    """One preference of the first victim, present or absent, guessed from the Sybil's view."""
    attack = sybil_attack(social, preferences, int(chosen[0]), measure="cn", through="victim")
    labels = communities(attack.social, backend="igraph", rng=int(seeds.integers(2**31)))
    rows = []
    for method in ("cluster", "nou", "noe"):
        for epsilon in LEVELS[1:]:
            game = membership_advantage(
                attack,
                epsilon=epsilon,
                method=method,
                trials=TRIALS,
                alpha=ALPHA,
                clusters=labels if method == "cluster" else None,
                rng=int(seeds.integers(2**31)),
            )
            row = {"measure": "cn", "method": method, "epsilon": epsilon}
            names = ("advantage", "low", "high", "bound")
            rows.append(row | {name: getattr(game, name) for name in names})
    return pd.DataFrame(rows)


def _stopped(successes: pd.DataFrame, advantages: pd.DataFrame) -> Finding:
    """Ask whether the attack does as popularity does, and guesses one edge no better than it may.

    The second condition is what the theorem promises; the first asks what it is worth here.
    """
    rows = successes[(successes["method"] == "cluster") & (successes["epsilon"] == 0.1)]
    row = advantages[(advantages["method"] == "cluster") & (advantages["epsilon"] == 0.1)].iloc[0]
    bound = (exp(0.1) - 1) / (exp(0.1) + 1)
    told = ", ".join(
        f"{r.measure} {r.precision:.3f} ({r.gain:+.3f}, standard error {r.gain_se:.3f})"
        for r in rows.itertuples()
    )
    worth = bool((rows["gain"] <= 3 * rows["gain_se"]).all())
    return worth and bool(row["low"] <= bound), (
        f"Share of the shown items that are the victim's, and by how much it is above that of the "
        f"most popular items: {told}. One edge: advantage {row['advantage']:.3f} (from "
        f"{row['low']:.3f} to {row['high']:.3f}), the bound {bound:.3f}."
    )


# The paper's attack, tried on every victim of random small graphs.


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
