"""The Sybil attack of Section 2: end to end on Last.fm, and on every victim of small graphs.

`sybil` attacks exact and private lists as epsilon falls. Jorgensen and Yu 2014,
doi 10.5441/002/edbt.2014.51.
"""

from collections.abc import Iterator
from math import inf
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from claimbook.part import Rng, mean_of_runs
from pplab.attacks.membership import METHODS, membership_advantage
from pplab.attacks.sybil import draw_victims, lonely_friends, sybil_attack, sybil_success
from pplab.checks import as_rng
from pplab.datasets.catalog import Dataset
from pplab.recommenders.communities import communities
from pplab_papers.social.paper import ALPHA, MEASURES, TOP, graphs_of

VICTIMS = 200
TRIALS = 20_000
LEVELS = (inf, 1.0, 0.1)


def sybil(lastfm: Dataset, *, rng: Rng = None, victims: int = VICTIMS) -> pd.DataFrame:
    """Attack seeded victims with every measure and against every method."""
    graphs = graphs_of(lastfm)
    choice, seeds = as_rng(rng).spawn(2)
    chosen = draw_victims(graphs.social, graphs.preferences, victims, rng=choice)
    rows = []
    for measure in MEASURES:
        attack = sybil_attack(
            graphs.social, graphs.preferences, chosen, measure=measure, through="victim"
        )
        labels = communities(attack.social, backend="igraph", rng=int(seeds.integers(2**31)))
        for method in tqdm(METHODS, desc=f"attack, {measure}"):
            for epsilon in LEVELS if method != "exact" else (inf,):
                seen = sybil_success(
                    attack,
                    epsilon=epsilon,
                    method=method,
                    top_n=TOP,
                    clusters=labels if method == "cluster" else None,
                    rng=int(seeds.integers(2**31)),
                )
                gain = seen.precision - seen.popular  # over naming popular items, without an attack
                means = {
                    "precision": seen.precision,
                    "recall": seen.recall,
                    "gain over popular items": gain,
                }
                if method == "exact":
                    means["victims read alone"] = (seen.precision >= 1).astype(float)
                row = {"measure": measure, "method": method, "epsilon": epsilon}
                rows += [
                    {"quantity": name} | row | mean_of_runs(values[~np.isnan(values)])
                    for name, values in means.items()
                ]
    advantages = _advantages(graphs.social, graphs.preferences, chosen, seeds)
    return pd.concat([pd.DataFrame(rows), advantages], ignore_index=True)


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
            row = {"quantity": "advantage", "measure": "cn", "method": method, "epsilon": epsilon}
            limits = {name: getattr(game, name) for name in ("low", "high", "bound")}
            rows.append(row | {"value": game.advantage} | limits)
    return pd.DataFrame(rows)


# The paper's attack, tried on every victim of random small graphs.


SEED = 53
GRAPHS = 200
USERS = 12


def _instances() -> Iterator[tuple[sparse.csr_array, sparse.csr_array, np.ndarray, np.ndarray]]:
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
) -> tuple[int, int, int]:
    """Victims whom the attack reads alone, or beside the friend, of all to whom it should apply."""
    worked = beside = tried = 0
    for social, likes, friends, known in _instances():
        chosen = known if lonely is None else known & ((friends >= 0) == lonely)
        victims = np.flatnonzero(chosen)
        for measure in measures if len(victims) else ():
            attack = sybil_attack(
                social, likes, victims, measure=measure, through=through, chain=chain
            )
            worked += int(attack.applies.sum())
            of_friend = attack.similar[np.arange(len(victims)), friends[victims]] > 0
            read = attack.similar[np.arange(len(victims)), victims] > 0
            others = np.diff(attack.similar.indptr) - read - of_friend
            beside += int((read & (others == 0)).sum())
            tried += len(victims)
    return worked, beside, tried


def read_alone() -> pd.DataFrame:
    """Share of the victims whom each attack of the paper reads alone, a chain of one more too.

    A chain hangs on a friend of the victim who knows nobody else, or on the victim; the observer
    is its last Sybil. Where the friend's likes are known (Section 2.3 lets the adversary know all
    edges but one), what else the observer is shown must be the victim's.
    """
    attacks: list[tuple[str, tuple[str, ...], str, int, bool | None]] = [
        ("cn and aa", ("cn", "aa"), "friend", 1, True),
        ("cn and aa", ("cn", "aa"), "victim", 2, False),
    ]
    for measure, length in (("gd", 1), ("katz", 2)):
        attacks += [
            (measure, (measure,), "friend", length, True),
            (measure, (measure,), "victim", length, None),
            (measure, (measure,), "victim", length + 1, None),
        ]
    rows = []
    for name, measures, through, chain, lonely in attacks:
        worked, beside, tried = _tried(measures, through, chain, lonely=lonely)
        row: dict[str, Any] = {"quantity": "share read alone", "of": name}
        row["attack"] = f"{through}, {chain}"
        text = f"A chain of {chain} through the {through}{{}}: {{:,}} of {tried:,}."
        if through == "victim" or name == "cn and aa":
            rows.append(row | {"value": worked / tried, "witness": text.format("", worked)})
            continue
        for option, count in (("not known", worked), ("known", beside)):
            witness = text.format(f", whose likes are {option}", count)
            result = {"value": count / tried, "witness": witness}
            rows.append(row | {"friend_likes": option} | result)
    return pd.DataFrame(rows)
