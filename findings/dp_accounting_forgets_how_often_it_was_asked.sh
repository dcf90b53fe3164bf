#!/usr/bin/env bash
# Surprise: dp-accounting's exact accountant does not read how often a randomized response is
# asked. Twenty answers of a fair-coin response cost epsilon 1.10 by one call with the number of
# rounds, which is the cost of one answer, and 21.97 by twenty calls. The number counts for a
# Laplace release, and in the Rényi accountant of the same package. So a report on a survey that
# repeats its question states too little by the number of rounds, without a warning.
# Package: dp-accounting 0.6.0.
# Source: https://github.com/google/differential-privacy/tree/main/python/dp_accounting
# (compose takes an event and its count); Kairouz, Oh and Viswanath, The composition theorem
# for differential privacy, https://doi.org/10.1109/TIT.2017.2685505
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check dp-accounting==0.6.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import math
import warnings
from importlib.metadata import version

import dp_accounting
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant

warnings.simplefilter("error")
print("dp-accounting", version("dp-accounting"))
replaced = dp_accounting.NeighboringRelation.REPLACE_ONE
coin = dp_accounting.RandomizedResponseDpEvent(0.5, 2)      # half of the answers are a fair coin


def cost(accountant, event, calls, count):
    book = accountant(neighboring_relation=replaced)
    for _ in range(calls):
        book.compose(event, count)
    return float(book.get_epsilon(1e-6))


def true(epsilon, rounds, delta=1e-6):
    """The least epsilon of so many rounds, by the sum over the number of true answers."""
    p, low, high = math.exp(epsilon) / (1 + math.exp(epsilon)), 0.0, rounds * epsilon

    def lost(level):
        terms = [(math.comb(rounds, k) * p**k * (1 - p) ** (rounds - k), (2 * k - rounds) * epsilon)
                 for k in range(rounds + 1)]
        return sum(mass * max(0.0, -math.expm1(level - loss)) for mass, loss in terms)

    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if lost(middle) <= delta else (middle, high)
    return high


for rounds in (2, 20, 100):
    once, often = cost(PLDAccountant, coin, 1, rounds), cost(PLDAccountant, coin, rounds, 1)
    renyi, exact = cost(RdpAccountant, coin, 1, rounds), true(math.log(3), rounds)
    print(f"{rounds} answers: one call {once:.3f}, {rounds} calls {often:.3f}, Rényi {renyi:.3f}, sum {exact:.3f}")
    assert abs(once - math.log(3)) < 1e-3 and abs(often - exact) < 0.02 and renyi >= exact - 1e-6
noise = dp_accounting.LaplaceDpEvent(1.0)


def laplace(calls, count):
    book = PLDAccountant()
    for _ in range(calls):
        book.compose(noise, count)
    return book.get_epsilon(1e-6)


print(f"Laplace, 20 releases: one call {laplace(1, 20):.3f}, 20 calls {laplace(20, 1):.3f}")
assert abs(laplace(1, 20) - laplace(20, 1)) < 0.01
PYTHON
