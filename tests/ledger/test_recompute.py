"""With real data: quick parts are measured again, and a rotating tenth of the slow ones."""

import datetime
import os

import pytest

from pplab.experiments import PARTS
from pplab.ledger import read_result
from pplab.ledger.reproduce import load_part, run_part

QUICK_SECONDS = 5.0
BUDGET_SECONDS = 480.0


def parts_of_today():
    """Parts under five seconds, and of the rest every tenth, another one each day."""
    stored = [(part, read_result(part.paper, part.name)) for part in PARTS.values()]
    quick = [part for part, result in stored if result and result.seconds < QUICK_SECONDS]
    slow = [(part, result) for part, result in stored if result and part not in quick]
    day = int(os.environ.get("PPLAB_ROTATION", datetime.date.today().toordinal()))
    chosen, spent = [], 0.0
    for number, (part, result) in enumerate(slow):
        if number % 10 == day % 10 and spent + result.seconds <= BUDGET_SECONDS:
            chosen.append(part)
            spent += result.seconds
    return quick + chosen


@pytest.mark.parametrize("part", parts_of_today(), ids=lambda part: part.name)
def test_stored_verdicts_are_measured_again(part, real_data, tmp_path):
    assert real_data.is_dir()
    stored = read_result(part.paper, part.name)
    measured = run_part(part, load_part(part, source="real"), folder=tmp_path)
    assert measured.checksums == stored.checksums
    for name, rule in stored.rules.items():
        assert measured.rules[name]["verdict"] == rule["verdict"], name
