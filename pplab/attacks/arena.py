"""An arena for attackers: made-up people, a coin behind one cell of each, and a fair score.

People are of four tastes, and half of them have a public profile. Of each person one like is drawn,
and a fair coin decides whether it stays in the data, as in ``protocol``. One of the four families
publishes the data. An attacker is a function of what anybody can see; it gives the probability that
it says yes for each person. Each round of a score has new people, coins and noise.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pplab.attacks import protocol
from pplab.checks import check_choice, check_epsilon, check_integer, check_k

PEOPLE, ITEMS, TASTES, ROUNDS = 200, 60, 4, 16


@dataclass(frozen=True, eq=False, kw_only=True)
class View(protocol.Release, protocol.Cells):
    """All that an attacker sees: the release and its groups, the cells, and what is public.

    Attributes
    ----------
    known : float array, shape (people, items)
        Public profiles: 1 and 0, and NaN where nothing is public, as in all cells asked about.
    """

    known: np.ndarray


Attack = Callable[[View], Any]


@dataclass(frozen=True)
class Score:
    """Advantage of an attacker, and its lead over the outsider in the same rounds.

    Attributes
    ----------
    advantage, lead : float
        Means over rounds.
    interval, lead_interval : pair of float
        95 % intervals, by Student's t over rounds.
    """

    advantage: float
    interval: tuple[float, float]
    lead: float
    lead_interval: tuple[float, float]


@dataclass(frozen=True)
class Arena:
    """Rounds of one family at one strength, each with new people, coins and noise.

    Attributes
    ----------
    practice : pair of View and bool array
        A round that is not scored, with its coins; in the others nobody sees them.
    limit : float
        What no attacker exceeds: ``(e^epsilon - 1) / (e^epsilon + 1)``, or 1 where k is promised.
    """

    family: str
    strength: float
    seed: int

    @cached_property
    def practice(self) -> tuple[View, np.ndarray]:
        """A round with open coins."""
        return self._round(0)

    @property
    def limit(self) -> float:
        """Advantage that no attacker exceeds, except by chance."""
        family = protocol.FAMILIES[self.family]
        return protocol.advantage_limit(self.strength) if family.has_epsilon else 1.0

    def score(self, attack: Attack) -> Score:
        """Let an attacker answer in rounds that it has not seen.

        Raises
        ------
        ValueError
            If it does not give one probability for each cell asked about.
        """
        gains = self._gains(attack)
        leads = gains - self._outsider
        interval, lead_interval = protocol.over_runs(gains), protocol.over_runs(leads)
        return Score(float(gains.mean()), interval, float(leads.mean()), lead_interval)

    def table(self, **attacks: Attack) -> pd.DataFrame:
        """Scores of the rivals and of the attackers given by name, the best first."""
        rows = [
            {"attacker": name, "given": name in attacks, "limit": self.limit}
            | dict(zip(("value", "low", "high"), (score.advantage, *score.interval), strict=True))
            | {"lead": score.lead}
            for name, attack in (RIVALS | attacks).items()
            for score in [self.score(attack)]
        ]
        return pd.DataFrame(rows).sort_values("value", ascending=False, ignore_index=True)

    @cached_property
    def _scored(self) -> list[tuple[View, np.ndarray]]:
        return [self._round(number) for number in range(1, ROUNDS + 1)]

    @cached_property
    def _outsider(self) -> np.ndarray:
        return self._gains(outsider)

    def _gains(self, attack: Attack) -> np.ndarray:
        rounds = ((_answers(attack, seen), coin) for seen, coin in self._scored)
        return np.array([protocol.advantage(*answers) for answers in rounds])

    def _round(self, number: int) -> tuple[View, np.ndarray]:
        rng, users = np.random.default_rng([self.seed, number]), np.arange(PEOPLE)
        tastes = rng.integers(TASTES, size=PEOPLE)
        likes = rng.random((PEOPLE, ITEMS)) < rng.beta(0.5, 1.5, size=(TASTES, ITEMS))[tastes]
        likes[~likes.any(axis=1), 0] = True
        # friends mostly share a taste: two clusters for each, and three in ten people elsewhere
        moved = np.where(rng.random(PEOPLE) < 0.7, tastes, rng.integers(TASTES, size=PEOPLE))
        clusters = np.unique(2 * moved + rng.integers(2, size=PEOPLE), return_inverse=True)[1]
        items = (rng.random(likes.shape) * likes).argmax(axis=1)
        coin = rng.random(PEOPLE) < 0.5
        likes[users, items] = coin
        known = np.where(rng.random((PEOPLE, 1)) < 0.5, likes, np.nan)
        known[users, items] = np.nan
        release = protocol.FAMILIES[self.family].publish(likes, self.strength, clusters, rng)
        seen = vars(release) | {"table": release.table.astype(float)}
        seen |= {"known": known, "users": users, "items": items}
        for part in seen.values():
            if isinstance(part, np.ndarray):
                part.setflags(write=False)
        return View(**seen), coin


def arena(family: str, strength: float, seed: int) -> Arena:
    """Open an arena for attackers on one family.

    Parameters
    ----------
    family : {"noise graph", "cluster averages", "smooth k-anonymity", "microaggregation"}
    strength : float
        epsilon for one like, above 0, of the first two families; k from 2 to 200 of the others.
    seed : int
        At least 0; of people, coins and noise. An attacker is not told.

    Returns
    -------
    Arena
        ``.score(attack)``, ``.table(name=attack)``, ``.limit``, and ``.practice``.

    Raises
    ------
    TypeError, ValueError
        If the family is none of the four, or strength or seed leaves its interval.

    Examples
    --------
    >>> flips = arena("noise graph", 2, seed=1)
    >>> low, high = flips.score(outsider).interval
    >>> low < flips.limit < high
    True
    >>> flips.score(lambda seen: np.full(len(seen.users), 0.5)).advantage
    0.0
    """
    check_choice("family", family, protocol.FAMILIES)
    if protocol.FAMILIES[family].has_epsilon:
        check_epsilon(strength)
    else:
        check_k(strength, PEOPLE)
    return Arena(family, strength, check_integer("seed", seed, minimum=0))


def _answers(attack: Attack, seen: View) -> np.ndarray:
    chances = np.asarray(attack(seen), dtype=float)
    if chances.shape != seen.users.shape or not ((chances >= 0) & (chances <= 1)).all():
        raise ValueError(
            f"attack must give a probability of yes, from 0 to 1, for each of {len(seen.users)} "
            f"people, got an array of shape {chances.shape}; give one number for each of seen.users"
        )
    return chances


# The rivals, from the one that looks at nothing to the one that knows most.


def popularity(seen: View) -> np.ndarray:
    """Ignores the release: yes as often as public profiles like the item."""
    return np.asarray(np.nanmean(seen.known, axis=0)[seen.items])


def outsider(seen: View) -> np.ndarray:
    """Reads the published cell: yes to an edge, or to a mean above the median of those asked."""
    return protocol.ask_outsider(seen, seen)


def excess(seen: View) -> np.ndarray:
    """Compares the cell with the mean of its item in the whole release."""
    values = seen.of(seen.table) - seen.table.mean(axis=0)[seen.items]
    return protocol.above(values, float(np.median(values)))


def profiles(seen: View) -> np.ndarray:
    """Subtracts public profiles from the group's sum, and expects usual likes of the others."""
    return _subtract(seen, np.broadcast_to(np.nanmean(seen.known, axis=0), seen.known.shape))


def patterns(seen: View) -> np.ndarray:
    """The same, but the others are expected to follow the four strongest patterns of the table."""
    basis = np.linalg.eigh(seen.table.T @ seen.table)[1][:, -4:]
    return _subtract(seen, np.clip(seen.table @ basis @ basis.T, 0, 1))


def _subtract(seen: View, expected: np.ndarray) -> np.ndarray:
    if not seen.means:  # where an edge is published for a vote or a flip, it says all
        return outsider(seen)
    assert seen.labels is not None
    others = seen.labels[seen.users][:, None] == seen.labels
    others[seen.users, seen.users] = False
    usual = expected[seen.users, seen.items][:, None]
    rows = np.where(np.isnan(seen.known.T[seen.items]), usual, seen.known.T[seen.items])
    total = seen.of(seen.table) * (others.sum(axis=1) + 1)
    return protocol.above(total - (others * rows).sum(axis=1), 0.5)


RIVALS: dict[str, Attack] = {
    rival.__name__: rival for rival in (popularity, outsider, excess, profiles, patterns)
}
