"""Watch how an experiment is run: doubles that write down in which order they were called."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab.exercises.answers import call
from pplab.exercises.core import Refusal

__all__ = ["watched_run"]

SEEDS = (11, 5, 83, 29, 47)


class _Laboratory:
    """Folds, noise and accuracy that do nothing but remember who asked for what."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.released: list[int] = []
        self.folds_used: list[int] = []
        self.published_used: list[int] = []

    def make_folds(self) -> tuple[str, int]:
        self.calls.append("folds")
        return ("folds", self.calls.count("folds"))

    def add_noise(self, seed: int) -> tuple[str, int]:
        self.calls.append("noise")
        self.released.append(seed)
        return ("published", seed)

    def accuracy(self, published: Any, folds: Any) -> float:
        self.calls.append("accuracy")
        if not isinstance(folds, tuple) or folds[:1] != ("folds",):
            raise Refusal("accuracy(published, folds) wants what make_folds() gave back, second.")
        if not isinstance(published, tuple) or published[:1] != ("published",):
            raise Refusal("accuracy(published, folds) wants what add_noise(seed) gave back, first.")
        self.folds_used.append(folds[1])
        self.published_used.append(published[1])
        return self.of(published[1])

    @staticmethod
    def of(seed: int) -> float:
        return 0.6 + (37 * seed % 101) / 1000


def watched_run(answer: Any) -> str | None:
    """Run a design on doubles; "" when it is fair, else what a reader would object to."""
    here = _Laboratory()
    given = call(answer, here.make_folds, here.add_noise, here.accuracy, list(SEEDS))
    wanted = [here.of(seed) for seed in SEEDS]
    single = isinstance(given, (int, float, np.number)) and not isinstance(given, bool)
    if here.calls.count("folds") == 0:
        return "No folds were made: call make_folds(), and judge every release by them."
    if here.calls[0] != "folds":
        return "The folds came after the noise: fix them before anything is drawn."
    if len(set(here.folds_used)) > 1 or here.calls.count("folds") > 1:
        return "New folds for each release mix two kinds of chance: draw the folds once."
    if single and abs(float(given) - max(wanted)) < 1e-9:
        return "That is the best seed. A reader needs all seeds, the bad ones too."
    if set(here.published_used) != set(SEEDS):
        return "Some seeds were not used: one release, and one accuracy, for every seed."
    if single:
        return "One number hides the spread: return the accuracies of all seeds, as a list."
    if not isinstance(given, (list, tuple, np.ndarray)) or len(given) != len(SEEDS):
        raise Refusal(f"a list of {len(SEEDS)} accuracies, one per seed, please, got {given!r}.")
    same = all(
        isinstance(value, (int, float, np.number)) and abs(float(value) - want) < 1e-9
        for value, want in zip(given, wanted, strict=True)
    )
    return "" if same else None
