"""One attacker with some true ratings of a user: what is drawn, what is named, what it is worth."""

from __future__ import annotations

import numpy as np

from pplab.attacks.matching import Searcher

__all__ = ["SCORES", "Attacker"]

SCORES = ("success", "abstained", "candidates", "error", "item_error", "others")


class Attacker:
    """Attacks users of one published table; row u of it is that of user u.

    The knowledge is drawn from the original table (NaN where there is no rating), off by up to
    ``reach``; rows are named when they stand out by ``threshold``.
    """

    def __init__(
        self,
        table: np.ndarray,
        protected: np.ndarray,
        *,
        rarity: bool,
        reach: float,
        threshold: float,
    ) -> None:
        support = (~np.isnan(table)).sum(axis=0)
        # an item that one user rated would weigh infinitely much: count 2 at least
        weights = 1 / np.log(support.clip(2)) if rarity else np.ones(len(support))
        self.table = table
        self.searcher = Searcher(protected, weights)
        self.item_means = np.nansum(table, axis=0) / support.clip(1)
        self.reach = reach
        self.threshold = threshold

    def scores(
        self, user: int, counts: tuple[int, ...], draws: int, rng: np.random.Generator
    ) -> np.ndarray:
        """Means of the scores over the draws, a line per number of known ratings.

        The two errors are sums over the other ratings of the user, whose number comes last.
        """
        return np.mean([self._once(user, counts, rng) for _ in range(draws)], axis=0)

    def _once(self, user: int, counts: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
        row = self.table[user]
        items = rng.permutation(np.flatnonzero(~np.isnan(row)))  # the first ones are known first
        values = row[items] + rng.uniform(-self.reach, self.reach, len(items))
        own = self.searcher.row_of[user]
        lines = np.zeros((len(counts), len(SCORES)))
        matches = self.searcher.matches(items, values, counts, eccentric=self.threshold > 0)
        for line, count, match in zip(lines, counts, matches, strict=True):
            others = items[count:]
            answers = match.eccentricity >= self.threshold
            line[0] = answers * np.sum(match.rows == own) / match.candidates
            line[1:3] = not answers, match.candidates
            line[3] = np.abs(self.searcher.predict(others, match) - row[others]).sum()
            line[4:] = np.abs(self.item_means[others] - row[others]).sum(), len(others)
        return lines
