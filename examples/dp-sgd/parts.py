"""Levels of differentially private SGD under four ways to account for it.

A step takes each record with probability q and adds Gaussian noise of sigma to a sum in which a
record counts one at most. Levels are for a record that is added or removed.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import product
from math import ceil, exp, log, sqrt
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import gammaln, logsumexp, ndtr

from claimbook.part import Part

PAPER = "dp-sgd"
DELTA = 1e-5
MIRONOV, TODAY, EXACT = "Mironov 2017", "Canonne, Kamath and Steinke 2020", "exact"
COMMAND = (1.25, 1.5, 1.75, 2, 2.25, 2.5, 3, 3.5, 4, 4.5, *range(5, 64), 128, 256, 512)
WALKTHROUGH = (*(1 + x / 10 for x in range(1, 100)), *range(12, 64))
LISTS = {"compute_dp_sgd_privacy": COMMAND, "walkthrough": WALKTHROUGH}
LIBRARY = (*(1 + x / 10 for x in range(1, 100)), *range(11, 64), 128, 256, 512, 1024)
FIRST_32 = tuple(range(2, 34))  # moments 1 to 32 of the paper


@cache
def renyi(q: float, sigma: float, order: float) -> float:
    """Rényi level of one step: the log of an integral, which a fine sum gives to all digits."""
    if q == 1:
        return order / (2 * sigma**2)
    z = np.linspace(-12 * sigma, order + 12 * sigma, 20_001)
    ratio = np.logaddexp(log(1 - q), log(q) + (2 * z - 1) / (2 * sigma**2))
    density = -(z**2) / (2 * sigma**2) - log(sigma * sqrt(2 * np.pi))
    return float(logsumexp(density + order * ratio) + log(z[1] - z[0])) / (order - 1)


def renyi_sum(q: float, sigma: float, order: int) -> float:
    """The same at a whole order, as the sum of its binomial terms."""
    k = np.arange(order + 1)
    ways = gammaln(order + 1) - gammaln(k + 1) - gammaln(order - k + 1)
    terms = ways + (order - k) * log(1 - q) + k * log(q) + k * (k - 1) / (2 * sigma**2)
    return float(logsumexp(terms)) / (order - 1)


def converted(level: float, order: float, delta: float, conversion: str) -> float:
    """Epsilon at delta of a Rényi level, by the old conversion or by the improved one."""
    if conversion == MIRONOV:
        return level + log(1 / delta) / (order - 1)
    return level + log(1 - 1 / order) - log(delta * order) / (order - 1)


def best(
    q: float, sigma: float, steps: float, orders: Sequence[float], conversion: str, delta: float
) -> tuple[float, float]:
    """The least epsilon over some orders, and the order that gives it."""
    found = (
        (converted(steps * renyi(q, sigma, a), a, delta, conversion), float(a)) for a in orders
    )
    return min(found)


def dp_accounting() -> Any:
    """The package behind the exact levels, which the rest does without."""
    try:
        return import_module("dp_accounting")
    except ImportError:
        raise ValueError(
            "the exact levels need dp-accounting: python -m pip install dp-accounting"
        ) from None


@cache
def exact(q: float, sigma: float, steps: int, delta: float = DELTA, grid: float = 1e-4) -> float:
    """Epsilon by the distribution of the privacy loss on a grid, from above."""
    one = dp_accounting().pld.privacy_loss_distribution.from_gaussian_mechanism(
        standard_deviation=sigma, sampling_prob=q, value_discretization_interval=grid
    )
    return float(one.self_compose(steps).get_epsilon_for_delta(delta))


def accountant(q: float, sigma: float, steps: int, order: float) -> float:
    """Epsilon by the Rényi accountant of dp-accounting at a single order."""
    of = dp_accounting()
    event = of.PoissonSampledDpEvent(q, of.GaussianDpEvent(sigma))
    whole = of.rdp.RdpAccountant([order]).compose(of.SelfComposedDpEvent(event, steps))
    return float(whole.get_epsilon(DELTA))


def steps_of(records: int, lot: int, epochs: float) -> int:
    """Steps in some epochs, as the library counts them."""
    return ceil(epochs * records / lot)


# The printed settings of the tutorials and of the paper: q, sigma, steps.
TUTORIALS = {
    "readme, 1 epoch": (256 / 60000, 1.1, steps_of(60000, 256, 1)),
    "readme, 2 epochs": (256 / 60000, 1.1, steps_of(60000, 256, 2)),
    "readme, 60 epochs": (256 / 60000, 1.1, steps_of(60000, 256, 60)),
    "readme, noise 1.3": (256 / 60000, 1.3, steps_of(60000, 256, 15)),
    "readme, noise 0.7": (256 / 60000, 0.7, steps_of(60000, 256, 45)),
}
OF_THE_PAPER = {
    "paper, 100 epochs": (0.01, 4.0, 10_000),
    "paper, 400 epochs": (0.01, 4.0, 40_000),
}


def levels() -> pd.DataFrame:
    """The printed levels, in every world."""
    rows: list[dict[str, Any]] = []
    tutorials = [({"setting": name}, how) for name, how in TUTORIALS.items()]
    for epochs in (3, 15):
        how = (250 / 60000, 1.3, steps_of(60000, 250, epochs))
        tutorials.append(({"setting": "notebook", "epochs": str(epochs)}, how))
    for names, how in tutorials:
        rows.append(names | {"conversion": EXACT, "value": exact(*how)})
        for conversion, (orders, listed) in product((MIRONOV, TODAY), LISTS.items()):
            world = {"conversion": conversion, "orders": orders}
            rows.append(names | world | {"value": best(*how, listed, conversion, DELTA)[0]})
    for name, how in OF_THE_PAPER.items():
        rows.append({"setting": name, "conversion": EXACT, "value": exact(*how)})
        for conversion in (MIRONOV, TODAY):
            value = best(*how, FIRST_32, conversion, DELTA)[0]
            rows.append({"setting": name, "conversion": conversion, "value": value})
    q, steps = 256 / 60000, steps_of(60000, 256, 60)
    accounts: dict[str, Callable[[float], float]] = {
        MIRONOV: lambda sigma: best(q, sigma, steps, COMMAND, MIRONOV, DELTA)[0],
        TODAY: lambda sigma: best(q, sigma, steps, COMMAND, TODAY, DELTA)[0],
        EXACT: lambda sigma: exact(q, sigma, steps),
    }
    for conversion, level in accounts.items():
        sigma = brentq(lambda s, level=level: level(s) - 2.92, 0.8, 1.4, xtol=1e-5)
        rows.append({"setting": "noise for 2.92", "conversion": conversion, "value": sigma})
    return pd.DataFrame(rows)


def orders() -> pd.DataFrame:
    """What the texts say of orders, and the condition of Appendix D."""
    rows: list[dict[str, Any]] = [
        {"quantity": "lower end", "value": 1 + log(1 / DELTA) / 10},
        {"quantity": "upper end", "value": 1 + log(1 / DELTA)},
    ]
    for name, how in TUTORIALS.items():
        least, order = best(*how, COMMAND, MIRONOV, DELTA)
        rows.append({"quantity": "best order", "setting": name, "value": order})
        beside = {"one": (order - 1, order + 1), "less": (order - 1,), "more": (order + 1,)}
        for away, moved in (beside | {"half": (1 + (order - 1) / 2,)}).items():
            worst = max(best(*how, [each], MIRONOV, DELTA)[0] for each in moved)
            row = {"quantity": "increase", "setting": name, "away": away}
            rows.append(row | {"value": worst / least - 1})
    for settings in (6700, 7000):
        rows.append({"quantity": "loss", "settings": settings, "value": 8 * log(40 * settings)})
    return pd.DataFrame(rows)


# Strong composition: T steps of level e at delta each are private at the level below.


def composed(level: float, steps: int, rest: float) -> float:
    """The strong composition theorem, with `rest` of delta for the composition."""
    return sqrt(2 * steps * log(1 / rest)) * level + steps * level * (exp(level) - 1)


AMPLIFIED: dict[str, Callable[[float, float], float]] = {
    "q epsilon": lambda q, level: q * level,
    "log(1 + q (exp(epsilon) - 1))": lambda q, level: float(np.log1p(q * np.expm1(level))),
}
CONSTANTS = {"5/4": 5 / 4, "4/5": 4 / 5}
SPLITS = {"half": [0.5], "best": np.linspace(0.001, 0.999, 999)}


def strong() -> pd.DataFrame:
    """Levels by strong composition in eight worlds, and by moments, along Figure 2."""
    q, sigma = 0.01, 4.0
    rows: list[dict[str, Any]] = []
    for epochs in (10, 20, 50, 100, 150, 200, 250, 300, 350, 400):
        steps = round(epochs / q)
        value = best(q, sigma, steps, FIRST_32, MIRONOV, DELTA)[0]
        at = {"quantity": "epsilon", "epochs": epochs}
        rows.append(at | {"method": "moments accountant", "value": value})
        for amplification, constant, split in product(AMPLIFIED, CONSTANTS, SPLITS):
            tried = []
            for share in SPLITS[split]:
                for_one = (1 - share) * DELTA / (steps * q)
                lot = sqrt(2 * log(CONSTANTS[constant] / for_one)) / sigma
                step = AMPLIFIED[amplification](q, lot)
                tried.append((composed(step, steps, share * DELTA), lot))
            value, lot = min(tried)
            world = {"amplification": amplification, "constant": constant, "split": split}
            rows.append(at | world | {"method": "strong composition", "value": value})
            if epochs in (100, 400):
                row = {"quantity": "level of a lot", "epochs": epochs}
                rows.append(row | world | {"value": lot})
    return pd.DataFrame(rows)


def true_delta(sigma: float, epsilon: float) -> float:
    """The least delta of one Gaussian mechanism of sensitivity one."""
    half = 1 / (2 * sigma)
    return float(ndtr(half - epsilon * sigma) - exp(epsilon) * ndtr(-half - epsilon * sigma))


def gaussian() -> pd.DataFrame:
    """The least delta over the one that a condition allows, where the latter is below one."""
    factors = {"4/5": 4 / 5, "5/4": 5 / 4, "1/4": 1 / 4}
    rows = []
    for sigma, epsilon in product(
        (0.25, 0.5, 1, 2, 4, 8, 16), (0.01, 0.05, *np.arange(1, 10) / 10)
    ):
        for name, factor in factors.items():
            allowed = factor * exp(-((sigma * epsilon) ** 2) / 2)
            if allowed < 1:
                value = true_delta(sigma, epsilon) / allowed
                rows.append({"factor": name, "sigma": sigma, "epsilon": epsilon, "value": value})
    return pd.DataFrame(rows)


def moments() -> pd.DataFrame:
    """How much is lost by the first 32 moments alone, or by four, in the paper's six settings."""
    mnist = ((0.01, 8.0, 0.5), (0.01, 4.0, 2.0), (0.01, 2.0, 8.0))
    cifar = ((0.04, 6.0, 2.0), (0.08, 6.0, 4.0), (0.08, 6.0, 8.0))
    rows = []
    for q, sigma, epsilon in mnist + cifar:

        def over(steps: float, q: float = q, sigma: float = sigma, level: float = epsilon) -> float:
            return best(q, sigma, steps, range(2, 514), MIRONOV, DELTA)[0] - level

        steps = brentq(over, 1, 1e6)
        for most in (32, 4):
            level = best(q, sigma, steps, range(2, most + 2), MIRONOV, DELTA)[0]
            row = {"most": most, "q": q, "sigma": sigma, "epsilon": epsilon}
            rows.append(row | {"value": level / epsilon - 1})
    return pd.DataFrame(rows)


def lots() -> pd.DataFrame:
    """Levels for five sizes of lot, after N / L epochs and after 100."""
    records, sigma = 60000, 4.0
    rows = []
    for lot in (150, 300, 600, 1200, 2400):
        for name, epochs in (("N / L", records / lot), ("100", 100)):
            steps = round(epochs * records / lot)
            value = best(lot / records, sigma, steps, FIRST_32, MIRONOV, DELTA)[0]
            rows.append({"epochs": name, "lot": lot, "value": value})
    return pd.DataFrame(rows)


def ladder() -> pd.DataFrame:
    """Each printed setting under the three accountings."""

    def rows() -> Iterator[dict[str, Any]]:
        for name, how in (TUTORIALS | OF_THE_PAPER).items():
            of = "output" if "epoch" in name else "table"
            where = {"of": name if name in OF_THE_PAPER else of, "setting": name}
            listed = FIRST_32 if name in OF_THE_PAPER else COMMAND
            for conversion in (MIRONOV, TODAY):
                value = best(*how, listed, conversion, DELTA)[0]
                yield where | {"accounting": conversion, "value": value}
            yield where | {"accounting": EXACT, "value": exact(*how)}

    return pd.DataFrame(list(rows()))


def library() -> pd.DataFrame:
    """Our Rényi levels and the accountant beside what is known of them otherwise."""
    tests = {
        "Test0": best(150 / 60000, 1.3, steps_of(60000, 150, 15), COMMAND, TODAY, 1e-5)[0],
        "Test1": best(100 / 100000, 1.0, steps_of(100000, 100, 30), COMMAND, TODAY, 1e-7)[0],
        "no sampling, Renyi": best(1, 0.7, 2, LIBRARY, TODAY, DELTA)[0],
        "sampling, Renyi": best(0.01, 0.7, 120, LIBRARY, TODAY, DELTA)[0],
        "no sampling, exact": exact(1, 0.7, 2),
        "sampling, exact": exact(0.01, 0.7, 120),
    }
    rows: list[dict[str, Any]] = [{"setting": n, "value": value} for n, value in tests.items()]
    whole = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
    for (q, sigma), order in product(((256 / 60000, 1.1), (0.01, 4.0), (0.08, 6.0)), whole):
        at = {"quantity": "Renyi level", "setting": f"{q:.4f}, {sigma}", "order": order}
        rows.append(at | {"way": "integral", "value": renyi(q, sigma, order)})
        rows.append(at | {"way": "sum", "value": renyi_sum(q, sigma, order)})
    for order in (3.5, 3.9, 4, 4.1, 4.4, 4.5, 5, 5.5):
        at = {
            "quantity": "single order",
            "order": order,
            "whole": "yes" if order % 1 == 0 else "no",
        }
        ours = best(0.01, 0.7, 120, [order], TODAY, DELTA)[0]
        rows.append(at | {"way": "integral", "value": ours})
        rows.append(at | {"way": "accountant", "value": accountant(0.01, 0.7, 120, order)})
    for sigma in (20.0, 40.0, 80.0):
        at = {"quantity": "no sampling", "setting": f"noise {sigma:g}"}
        formula = brentq(lambda e, s=sigma: true_delta(s / 10, e) - DELTA, 0.01, 10)
        rows.append(at | {"way": "formula", "value": formula})
        rows.append(at | {"way": "accountant", "value": exact(1, sigma, 100)})
    for (name, how), grid in product((TUTORIALS | OF_THE_PAPER).items(), (1e-4, 5e-5)):
        value = exact(*how, grid=grid)
        rows.append({"quantity": "grid", "setting": name, "grid": grid, "value": value})
    return pd.DataFrame(rows)


PARTS = tuple(
    Part(PAPER, part.__name__, part)
    for part in (levels, orders, strong, gaussian, moments, lots, ladder, library)
)
