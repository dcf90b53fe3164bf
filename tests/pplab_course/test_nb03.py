"""Notebook 03: designs that mix things up, estimates that are off, margins held against results."""

from decimal import Decimal

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


RIGHT = {
    "03-R": ["shape-only", "Shape only", "only the shape"],
    "03-C": [0.251, 0.2512, np.float64(0.25115)],
    "03-P": [least_squares, solved, lambda counts: round(least_squares(counts))],
    "03-B": [(0.001, 0.1), [0.0005, 0.5], (0.012, 0.013)],
    "03-D": [
        fair,
        lambda *given: np.array(fair(*given)),
        lambda *given: iter(fair(*given)),
        folds_late,
    ],
    "03-O": [
        TEST,
        LOST | {"change": shuffled},
        LOST | {"change": lambda table: np.random.default_rng(1).permuted(table, axis=1)},
        TEST | {"change": lambda table: table[:, :200].tolist()},
        TEST | {"change": noisier, "expected": (0.6, 0.7), "measured": 0.6512},
        TEST | {"expected": (0.5, 0.6), "measured": Decimal("0.559"), "why": WHY.upper()},
    ],
}

WRONG = {
    "03-R": ["reproduced", "differs", "not-testable", "open", ("compatible", "Whose data")],
    "03-C": [
        *(0.2446, 14.96, -5.38, -0.251, 66.5),
        (0.2448, "p(1 − p) for each cell"),  # p in place of p(1 - p)
        (0.25, "but for rounding"),
    ],
    "03-P": [
        (lambda _: 943 * 1682, "catalogue"),
        (lambda _: 943 * 1650, "same number"),
        (lambda counts: sum(x / p for p, x in counts.items()) / len(counts), "smallest p"),
        (lambda counts: sum(counts.values()) / sum(counts), "ratio of the sums"),
        (line, "intercept"),
        (weighted, "variance"),
        (lambda counts: 1.001 * least_squares(counts), "has a smaller sum"),
    ],
    "03-B": [
        ((0.1, 0.2), "'reproduced'"),
        ((0.001, 0.002), "'differs'"),
        ((0, 0.1), "above 0"),
        ((0.1, 0.001), "comes first"),
        ((-1, 1), "above 0"),
    ],
    "03-D": [
        (lambda *given: max(fair(*given)), "best seed"),
        (lambda *given: float(np.mean(fair(*given))), "hides the spread"),
        (folds_anew, "draw the folds once"),
        (lambda *given: fair(*given[:3], given[3][:3]), "not used"),
        (lambda *given: fair(*given[:3], [seed + 1 for seed in given[3]]), "a second try"),
        (lambda *_: [0.6] * 5, "No folds"),
        (lambda *given: np.round(fair(*given), 2), "but for rounding"),
    ],
    "03-O": [
        (TEST | {"expected": (0.2, 0.9)}, "no power"),
        (TEST | {"measured": 0.5}, "is outside the interval"),
        (TEST | {"measured": 0.7}, "before the run"),
        (TEST | {"expected": (0.8, 0.7)}, "(low, high)"),
        (TEST | {"expected": (0.45, 0.55), "measured": 0.5}, "as the run printed it"),
        (TEST | {"why": "x"}, "12 different words"),
        (TEST | {"why": "bla " * 20}, "12 different words"),
        (TEST | {"change": shuffled}, "destroys it"),
        (TEST | {"change": np.copy}, "cannot fail"),
        (TEST | LOST, "it survives your change"),
        (TEST | {"change": lambda table: table[:9]}, "the same people"),
        (TEST | {"change": "the films are shuffled"}, "takes a function"),
        ("Because sums survive and cells do not.", "a dict"),
    ],
}


SECRETS = {"03-R": "shape-only", "03-C": "0.251", "03-P": "1555950"}


def test_designs_that_mix_things_up_do_not_pass():
    for design in (swapped, one_fold_each, lambda *arguments: sorted(fair(*arguments))):
        assert not check("03-D", design)


def test_margins_are_held_against_the_stored_measurement():
    stored = read_result("noise-graphs", "table5")
    p, printed, world = TABLE_5
    rows = stored.frame.query(f"p == {p} and {world}")
    misfit = abs(rows["value"].item() - printed)
    assert check("03-B", (0.99 * misfit, 1.01 * misfit))
