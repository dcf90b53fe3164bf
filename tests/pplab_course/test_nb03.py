"""Notebook 03: designs that mix things up, estimates that are off, margins held against results."""

import numpy as np

from pplab_course.exercises import check
from pplab_course.nb03_noise_graphs_experiments import TABLE_5
from pplab_papers.collection import read_result


def least_squares(counts):
    return sum(p * x for p, x in counts.items()) / sum(p * p for p in counts)


def solved(counts):
    p, x = np.array(list(counts)), np.array(list(counts.values()))
    return np.linalg.lstsq(p[:, None], x, rcond=None)[0]  # an array of one number


def weighted(counts):
    return sum(x / (1 - p) for p, x in counts.items()) / sum(p / (1 - p) for p in counts)


def line(counts):
    return float(np.polyfit(list(counts), list(counts.values()), 1)[0])


def fair(make_folds, add_noise, accuracy, seeds):
    folds = make_folds()
    return [accuracy(add_noise(seed), folds) for seed in seeds]


def folds_late(make_folds, add_noise, accuracy, seeds):
    published, folds = [add_noise(seed) for seed in seeds], make_folds()
    return [accuracy(graph, folds) for graph in published]


def folds_anew(make_folds, add_noise, accuracy, seeds):
    return [accuracy(add_noise(seed), folds) for seed in seeds if (folds := make_folds())]


def one_fold_each(make_folds, add_noise, accuracy, seeds):
    return [accuracy(add_noise(seeds[0]), make_folds()) for _ in seeds]


def swapped(make_folds, add_noise, accuracy, seeds):
    return fair(make_folds, add_noise, lambda graph, folds: accuracy(folds, graph), seeds)


WHY = "The films are put into another order for all users alike, so nothing that is used changes."
GENDERS = "Users' genders were permuted: nothing can be guessed, so it must come out near one half."
TEST = {"change": lambda table: table[:, ::-1], "expected": (0.7, 0.75), "measured": 0.726}
TEST["why"] = WHY
LOST = {"expected": [0.45, 0.55], "measured": 0.487, "why": GENDERS}


def shuffled(table):
    return np.random.default_rng(1).permutation(table)


def noisier(table):
    return table ^ (np.random.default_rng(1).random(table.shape) < 0.2)


def test_designs_that_mix_things_up_do_not_pass():
    for design in (swapped, one_fold_each, lambda *arguments: sorted(fair(*arguments))):
        assert not check("03-D", design)


def test_margins_are_held_against_the_stored_measurement():
    stored = read_result("noise-graphs", "table5")
    p, printed, world = TABLE_5
    rows = stored.frame.query(f"p == {p} and {world}")
    misfit = abs(rows["value"].item() - printed)
    assert check("03-B", (0.99 * misfit, 1.01 * misfit))
