"""With real data: the quick parts and one long part of each paper are measured again."""

import pytest

from pplab.ledger.registry import papers
from pplab.ledger.reproduce import load_part, run_part
from pplab.ledger.results import read_result
from pplab.papers import PARTS

QUICK = 30.0  # seconds that a part took when its result was stored
LONG = {
    ("noise-graphs", "repair"),
    ("social", "lastfm_communities"),
    ("smooth", "copies_playstore"),
    ("microaggregation", "movielens_noise"),
}


def chosen():
    """The same parts on every day: those stored as quick, and the four long ones."""
    stored = {name: read_result(part.paper, part.name) for name, part in PARTS.items()}
    quick = {name for name, result in stored.items() if result and result.seconds < QUICK}
    return [
        PARTS[name] for name in sorted(quick | LONG, key=lambda name: (-stored[name].seconds, name))
    ]


@pytest.mark.verify("recomputed")
@pytest.mark.parametrize("part", chosen(), ids=lambda part: part.name)
def test_stored_verdicts_are_measured_again(part, real_data, tmp_path):
    assert real_data.is_dir()
    stored = read_result(part.paper, part.name)
    measured = run_part(papers()[part.paper], part, load_part(part, source="real"), folder=tmp_path)
    assert measured.checksums == stored.checksums
    assert measured.rules.keys() == stored.rules.keys()
    verdicts = {name: rule["verdict"] for name, rule in measured.rules.items()}
    assert verdicts == {name: rule["verdict"] for name, rule in stored.rules.items()}
