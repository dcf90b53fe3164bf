"""Whether the joint tests of the papers keep their level and see what they say, by simulation.

Run with ``python benchmarks/joint_tests.py``; seconds. A joint test rejects a world by the largest
misfit of all numbers that its choices touch, at a level that they share. Here the world that judges
is made the truth: prints are drawn around our values with the spread of both sides, that spread is
estimated anew from as many runs as there were, and the digits are cut as in the paper. The share of
tables in which the true world is rejected must be at most the level. A second simulation takes a
world that is off by what the test should see in nine of ten draws: one of its numbers must be seen.
"""

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pandas as pd
from _common import options

from claimbook.chance import JOINT_LEVEL, quantile
from claimbook.worlds import Joint, Reach
from pplab_papers.collection import judged_claims


def refused(
    reach: Reach, count: int, off: float, draws: int, rng: np.random.Generator
) -> np.ndarray:
    """Draws in which one number refuses a world that is off by a share of the print."""
    where = rng.uniform(0, reach.open, draws)  # of the truth, within what the digits leave open
    misfit = off * abs(reach.size) + rng.normal(0, reach.spread, draws)
    print_at = where + misfit  # beside an open width from 0 on
    gap = np.maximum(np.maximum(-print_at, print_at - reach.open), 0)
    if not reach.spread:
        return gap > 1e-12 * abs(reach.size)
    freedom = reach.runs - 1
    estimate = 1.0 if math.isinf(freedom) else np.sqrt(rng.chisquare(freedom, draws) / freedom)
    return gap > quantile(reach.runs, JOINT_LEVEL / count) * reach.spread * estimate


def simulated(joint: Joint, reaches: Sequence[Reach], draws: int, seed: int) -> dict[str, float]:
    """Share of tables in which the true world is refused, and in which one that is off is seen."""
    rng = np.random.default_rng(seed)
    level = np.zeros(draws, dtype=bool)
    for reach in reaches:
        level |= refused(reach, joint.count, 0.0, draws, rng)
    result = {"numbers": joint.count, "level": level.mean(), "stated off": joint.power}
    if 0 < joint.power < math.inf:  # exact numbers see every difference
        by_chance = [reach for reach in reaches if reach.spread] or list(reaches)
        best = min(by_chance, key=lambda reach: reach.seen(joint.count))
        result["seen"] = refused(best, joint.count, joint.power, draws, rng).mean()
    return result


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--draws", type=int, default=100_000)
    arguments = parser.parse_args()
    reaches: dict[tuple[str, str], list[Reach]] = defaultdict(list)
    joints: dict[tuple[str, str], Joint] = {}
    for entry in judged_claims("noise-graphs" if arguments.trial else None):
        for joint in entry.judgement.joints:
            names = set(joint.group.numbers) - set(joint.left_out)
            trials = {trial.reading: trial for trial in entry.judgement.trials}
            chosen = trials.get(entry.judgement.reading)
            if joint.count and entry.claim.id in names and chosen and not entry.claim.follows:
                key = entry.paper.key, joint.name
                joints[key] = joint
                reaches[key].append(chosen)
    draws = 1_000 if arguments.trial else arguments.draws
    rows = [
        {"paper": key[0], "choices": key[1], **simulated(joints[key], each, draws, seed=1)}
        for key, each in reaches.items()
    ]
    print(pd.DataFrame(rows).round(5).to_string(index=False))


if __name__ == "__main__":
    main()
