#!/usr/bin/env bash
# Surprise: PyDP's percentile of whole numbers is 0, whichever percentile is asked for. Of the
# numbers 1 to 1,000 the percentiles 25, 50 and 90 are all 0 at epsilon 10, in each of twenty
# answers, even where the lower bound is 100; whole numbers are what the class takes unless another
# kind is named. The same numbers as floats give 250, 500 and 900, and Median of whole numbers
# gives 500.
# Package: python-dp 1.1.5 (PyDP).
# Source: https://github.com/OpenMined/PyDP (the class is said to find the value with that
# percentile). The core is compiled: the cause is not read.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check python-dp==1.1.5
cd "$folder"
venv/bin/python - <<'PYTHON'
import warnings
from importlib.metadata import version
from statistics import median

from pydp.algorithms.laplacian import Median, Percentile

warnings.simplefilter("error")
print("python-dp", version("python-dp"))
numbers = list(range(1, 1001))


def ask(percentile, lower, **kind):
    """The median and the values of 20 answers at epsilon 10."""
    data = [float(one) for one in numbers] if kind.get("dtype") == "float" else numbers
    seen = []
    for _ in range(20):
        judge = Percentile(epsilon=10.0, percentile=percentile, lower_bound=lower, upper_bound=1000, **kind)
        assert judge.percentile == percentile
        seen.append(judge.quick_result(data))
    return median(seen), set(seen)


for lower in (0, 100):
    for percentile in (0.25, 0.5, 0.9):
        whole, long, floats = (ask(percentile, lower, **kind) for kind in ({}, {"dtype": "int64"}, {"dtype": "float"}))
        print(f"between {lower} and 1,000, percentile {percentile}: whole numbers {whole[1]}, int64 {long[1]}, floats {floats[0]:.1f}")
        assert whole[1] == long[1] == {0}
        assert abs(floats[0] - 1000 * percentile) < 10
middle = median(Median(epsilon=10.0, lower_bound=0, upper_bound=1000).quick_result(numbers) for _ in range(20))
print("Median of the same whole numbers:", middle)
assert abs(middle - 500) < 10
PYTHON
