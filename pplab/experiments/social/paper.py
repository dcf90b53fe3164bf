"""Settings of the paper that its experiments take as input."""

from __future__ import annotations

from math import inf

MEASURES = ("cn", "aa", "gd", "katz")
EPSILONS = (inf, 1.0, 0.6, 0.1, 0.05, 0.01)
LISTS = (10, 50, 100)
TOP = 50  # the list length of Figures 3 and 4
REPETITIONS = 10
DEGREE = 10  # Figure 3 splits the users here
LEAST_COUNT = 2  # listening counts and ratings below are dropped
SAMPLED_USERS = 10_000  # of Flixster
