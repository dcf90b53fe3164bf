"""The language of criteria, and the hash of a proof: what counts, what does not."""

import numpy as np
import pytest

from claimbook.criteria import check_criterion, decide, printed_patterns, proof_hash, under_null
from tests.claimbook.cases import cases

INF, NAN = float("inf"), float("nan")
ROWS = [
    {"measure": measure, "k": k, "epsilon": INF, "value": value, "lost": NAN, "witness": "so."}
    | {"twice": 2 * k}  # tells no rows apart that k does not
    for measure, values in (("cn", (0.5, 0.3)), ("aa", (0.7, 0.4)))
    for k, value in zip((2, 8), values, strict=True)
]


def printed(pattern):
    return {"x:*": [1.0, 2.0, 4.0], "x:1": [0.1]}.get(pattern, [])


NOISY = [
    {"k": 2, "value": 0.5, "se": 0.05, "runs": 5},  # known up to 0.331
    {"k": 4, "value": 0.3, "se": 0.05, "runs": 5},
    {"k": 8, "value": -1.0, "se": 0.01, "runs": 20},
    {"k": 16, "value": 2.0, "low": 1.5, "high": 3.0},
]
KNOWN = ((2, 1.0, 0.2), (4, 1.1, 0.2), (8, 3.0, 0.1))  # k, a value, how far it may be off
UNSURE = [{"k": k, "value": v, "low": v - off, "high": v + off} for k, v, off in KNOWN]
TABLES = {"certain": ROWS, "noisy": NOISY, "unsure": UNSURE}
TABLES["many"] = [{"k": k, "value": k} for k in range(12)]
ANSWERS = {"true": True, "false": False, "not seen": None}


CASES = [(name, *case) for name in TABLES for case in cases("criteria.txt", name)]


@pytest.mark.parametrize(("rows", "criterion", "answer"), CASES)
def test_answers_are_true_false_or_not_seen_and_others_are_refused(rows, criterion, answer):
    if answer in ANSWERS:
        for quiet in (False, True):
            [result] = decide(criterion, TABLES[rows], printed, quiet=quiet)
            assert result.true is ANSWERS[answer]
        return
    with pytest.raises(ValueError, match="criterion") as refused:
        decide(criterion, TABLES[rows], printed)
    assert answer in str(refused.value)


@pytest.mark.parametrize("case", cases("criteria.txt", "what is compared"))
def test_what_is_compared_is_told(case):
    criterion, answer, *seen = case
    (result,) = decide(criterion, ROWS, printed)
    assert result.true is ANSWERS[answer]
    assert result.seen in (seen or [result.seen])


def test_intervals_hold_what_numbers_within_them_give():
    rng = np.random.default_rng(2)
    for _ in range(20):
        middle, off = rng.normal(size=5), rng.uniform(0, 0.3, size=5)
        both = enumerate(zip(middle, off, strict=True))
        rows = [{"n": n, "value": m, "low": m - o, "high": m + o} for n, (m, o) in both]
        for x in middle + off * rng.uniform(-1, 1, size=(5, 5)):
            for term, true in (
                ("median(value())", float(np.median(x))),
                ("max(value()) - mean(value())", float(x.max() - x.mean())),
            ):
                for sign, border in ((">", true + 1e-9), ("<", true - 1e-9)):
                    result = decide(f"{term} {sign} {border!r}", rows, printed)
                    assert result[0].true is not True


@pytest.mark.parametrize("more", [0, 1])
def test_whole_numbers_are_exact_however_long(more):
    rows = [{"value": 2**63 + 1, "count": 3}]
    assert decide(f"value() == 2 ** 63 + {more}", rows, printed)[0].true is bool(more)
    assert decide(f"value() + count() == 2 ** 63 + {3 + more}", rows, printed)[0].true is bool(more)


@pytest.mark.parametrize("criterion", ["2 ** 10 ** 8 > 0", "value() + 9 ** 9 ** 8 > 0"])
def test_a_power_that_is_too_long_is_refused_before_there_are_rows(criterion):
    with pytest.raises(ValueError, match="a power has more than 100,000 binary digits"):
        check_criterion(criterion)


def test_borders_are_tried_one_by_one():
    answers = decide("for B in (0.1, 0.4): min(value(k=2)) > B", ROWS, printed)
    assert [each.true for each in answers] == [True, True]
    answers = decide("for B in (0.4, 0.6): min(value(k=2)) > B", ROWS, printed)
    assert [(each.true, each.seen) for each in answers] == [
        (True, "at 0.4: 0.5 > 0.4"),
        (False, "at 0.6: 0.5 > 0.6 (fails)"),
    ]


def test_there_are_six_nulls_and_no_others():
    with pytest.raises(ValueError, match=r"null must be shuffle, .*, got 'reverse'"):
        under_null("reverse", "min(value()) > 0", ROWS, lambda *_: ROWS, printed)
    shuffled = under_null("shuffle", "min(value()) > 0", ROWS, lambda *_: ROWS, printed)
    assert len(shuffled) == 20
    ((flat,),) = under_null("flat", "all(value() == 0.475)", ROWS, lambda *_: ROWS, printed)
    assert (flat.true, flat.seen) == (True, "")  # nobody reads what is compared there
    ends = "1.79 < min(value()) < 2.21"  # of a range from 0.8 to 1.2, moved along
    assert under_null("plus 1", ends, UNSURE, lambda *_: [], printed)[0][0].true


def test_patterns_of_printed_numbers_are_known_without_rows():
    assert printed_patterns('all(printed("a:*") > printed("b:1"))') == ["a:*", "b:1"]


CODE = {
    "one/a.py": '''
from pplab_papers.one import b
from pplab_papers.one.b import helper
LIMIT = 3
def theorem():
    """Say."""
    return helper(LIMIT) + b.OTHER  # a remark
def neighbour():
    return 1
''',
    "one/b.py": "OTHER = 4\ndef helper(x):\n    return deeper(x)\ndef deeper(x):\n    return x\n",
}


def hashed(folder, texts):
    """Hash of the theorem where these are the files of the papers."""
    folder = folder / "pplab_papers"
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return proof_hash("proof: one.a.theorem", folder)


@pytest.mark.parametrize(("file", "old", "new", "same"), cases("cases.txt", "proofs"))
def test_a_proof_is_hashed_with_what_it_calls(tmp_path, file, old, new, same):
    changed = CODE | {file: CODE[file].replace(old, new)}
    before = hashed(tmp_path / "before", CODE)
    after = hashed(tmp_path / "after", changed)
    assert (before == after) is (same == "the same")
    with pytest.raises(ValueError, match="names no function"):
        proof_hash("proof: one.a.lemma", tmp_path / "after" / "pplab_papers")
    with pytest.raises(ValueError, match="for there is none"):
        proof_hash("proof: one.a.lemma", None)


def test_what_a_proof_calls_in_the_engine_is_hashed_with_it(tmp_path):
    text = "from {} import listed\ndef theorem():\n    return listed([])\n"
    modules = ("claimbook.part", "claimbook.rules")  # the second has no such function
    assert len({hashed(tmp_path / each, {"one/a.py": text.format(each)}) for each in modules}) == 2


def test_a_package_that_names_its_own_modules_does_not_lead_in_circles(tmp_path):
    texts = {
        "one/__init__.py": "from pplab_papers.one import b\n",
        "one/a.py": "from pplab_papers.one import b\ndef theorem():\n    return b\n",
        "one/b.py": "OTHER = 4\n",
    }
    assert hashed(tmp_path, texts)
