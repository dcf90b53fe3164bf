"""With real data: the quick parts and one long part of each paper are measured again."""

import pytest

from claimbook.reproduce import load_part, run_part
from claimbook.rules import read_rules
from claimbook.verdicts import judge_stored, parts_behind, read_results
from pplab_papers import PARTS
from pplab_papers.collection import papers, read_result, results_folder

QUICK = 20.0  # seconds, of the processor where known, that a part took when it was stored
LONG = {
    ("noise-graphs", "repair"),
    ("social", "lastfm_communities"),
    ("smooth", "approximation"),
    ("microaggregation", "jester_users"),
}


def chosen():
    """The same parts on every day: those stored as quick, and the four long ones."""
    stored = {name: read_result(part.paper, part.name) for name, part in PARTS.items()}
    took = {name: r.processor_seconds or r.seconds for name, r in stored.items() if r}
    quick = {name for name, seconds in took.items() if seconds < QUICK}
    return [
        PARTS[name] for name in sorted(quick | LONG, key=lambda name: (-stored[name].seconds, name))
    ]


@pytest.mark.verify("recomputed")
@pytest.mark.parametrize("part", chosen(), ids=lambda part: part.name)
def test_stored_verdicts_are_measured_again(part, real_data, tmp_path):
    assert real_data.is_dir()
    stored = read_result(part.paper, part.name)
    paper = papers()[part.paper]
    data = load_part(paper, part, source="real")
    measured = run_part(paper, part, data, folder=tmp_path)
    assert measured.checksums == stored.checksums
    assert measured.rules == stored.rules
    paper, ids = papers()[part.paper], set(stored.rules)
    others = read_results(paper, parts_behind(read_rules(paper), ids), results_folder())
    there, here = (
        judge_stored(paper, {**others, part.name: result}, only=ids)
        for result in (stored, measured)
    )
    assert {k: v.verdict for k, v in here.items()} == {k: v.verdict for k, v in there.items()}
