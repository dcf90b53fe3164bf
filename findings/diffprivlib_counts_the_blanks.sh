#!/usr/bin/env bash
# Surprise: diffprivlib's private mean and sum that leave blanks out count the blanks all the same.
# Ten of a thousand users have rated a film. nanmean divides the noise by 1,000 instead of 10: its
# deviation at epsilon 1 is 0.006 where mean of the ten stars, by the same library, has about 0.6.
# So tables in which one of ten people says 5 or 1 give means of 3.2 and 2.8 that never overlap in
# 2,000 answers each; at epsilon 1 no yes or no may be more than 2.72 times as likely for one as for
# the other. nansum cannot fall below 1,000 times the lowest star: the sum of ten 3s is 1000.
# Package: diffprivlib 0.6.6.
# Source: https://diffprivlib.readthedocs.io/en/latest/modules/tools.html (nanmean and nansum ignore
# NaNs and satisfy differential privacy)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    diffprivlib==0.6.6 scikit-learn==1.6.1 scipy==1.17.1 numpy==2.4.6
cd "$folder"
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

import diffprivlib.tools as private
import numpy as np

print("diffprivlib", version("diffprivlib"), "numpy", np.__version__)


def answers(function, stars, times):
    """As many private answers at epsilon 1, for stars from 1 to 5."""
    return np.array(
        [function(stars, epsilon=1, bounds=(1, 5), random_state=seed) for seed in range(times)]
    )


film = np.full(1000, np.nan)
film[:10] = 3
blanks, rated = answers(private.nanmean, film, 500), answers(private.mean, film[:10], 500)
print(f"deviation of the mean: {blanks.std():.4f} with 990 blanks, {rated.std():.2f} of the ten stars")
assert blanks.std() < 0.01 and rated.std() > 0.4

five, one = film.copy(), film.copy()
five[0], one[0] = 5, 1
above, below = answers(private.nanmean, five, 2000), answers(private.nanmean, one, 2000)
print(f"one of ten people says 5: {above.min():.2f} or more; 1: {below.max():.2f} or less")
assert below.max() < 2.9 < 3.1 < above.min()

sums = answers(private.nansum, film, 500)
print("sum of ten 3s:", sorted(set(sums.tolist())), "with 990 blanks")
assert set(sums) == {1000}
PYTHON
