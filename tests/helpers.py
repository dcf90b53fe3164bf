"""Statistical helpers of the tests, themselves tested in test_statistics.py."""

import numpy as np
from scipy import stats

ALPHA = 1e-6  # the stated rate of false alarms of one test


def count_fits(successes, trials, probability, *, alpha=ALPHA):
    """Two-sided exact binomial test: can so many successes come from this probability?"""
    return bool(stats.binomtest(int(successes), int(trials), float(probability)).pvalue >= alpha)


def outcomes_fit(counts, probabilities, *, alpha=ALPHA):
    """Each outcome's count against its probability, the false-alarm rate shared (Bonferroni)."""
    counts = np.asarray(counts)
    trials = counts.sum()
    share = alpha / len(counts)
    pairs = zip(counts, probabilities, strict=True)
    return all(count_fits(count, trials, p, alpha=share) for count, p in pairs)
