"""The language of criteria, and the hash of a proof: what counts, what does not."""

import numpy as np
import pytest

from pplab.ledger import criteria
from pplab.ledger.criteria import decide, printed_patterns, proof_hash, under_null

INF, NAN = float("inf"), float("nan")
ROWS = [
    {"measure": measure, "k": k, "epsilon": INF, "value": value, "lost": NAN, "witness": "so."}
    for measure, values in (("cn", (0.5, 0.3)), ("aa", (0.7, 0.4)))
    for k, value in zip((2, 8), values, strict=True)
]


def printed(pattern):
    return {"x:*": [1.0, 2.0, 4.0]}.get(pattern, [])


@pytest.mark.parametrize(
    ("criterion", "answer", "seen"),
    [
        ('all(value(measure="cn") < value(measure="aa"))', True, "0.5, 0.3 < 0.7, 0.4"),
        ("all(steps(value()) < 0)", False, "-0.2, 0.4, -0.3 < 0"),
        ('value(k=8, measure="aa") - 0.4 == 0', True, "0 == 0"),
        ("min(value(epsilon=inf)) > 0.2 and not max(value(k=[2, 8])) > 0.7", True, None),
        ("0 < mean(value(k=2)) <= 0.6", True, "0 < 0.6; 0.6 <= 0.6"),
        ('all(printed("x:*") / 2 ** steps([0, 1]) >= 0.5)', True, None),
        ("sum(where(value() > 0.45, 1, 0)) == 2 or 1 > 2", True, None),
        ("len(value()) == 4", True, "4 == 4"),
        ("all([1, 2, 3, 4, 5] < 4)", False, "5 numbers from 1 to 5 < 4 (2 fail)"),
    ],
)
def test_what_can_be_said(criterion, answer, seen):
    (found,) = decide(criterion, ROWS, printed)
    assert found.true is answer
    assert seen in (None, found.seen)


NOISY = [
    {"k": 2, "value": 0.5, "se": 0.05, "runs": 5},  # known up to 0.331
    {"k": 4, "value": 0.3, "se": 0.05, "runs": 5},
    {"k": 8, "value": -1.0, "se": 0.01, "runs": 20},
    {"k": 16, "value": 2.0, "low": 1.5, "high": 3.0},
]


@pytest.mark.parametrize(
    ("criterion", "answer"),
    [
        ("value(k=2) > 0", True),
        ("value(k=4) > 0", None),
        ("value(k=8) >= 0", False),
        ("all(value() > 0)", False),
        ("all(value(k=[2, 4]) > 0)", None),
        ("any(value() > 0)", True),
        ("any(value(k=[4, 8]) > 0)", None),
        ("not any(value(k=[4, 8]) > 0)", None),
        ("value(k=2) > 0 and value(k=4) > 0", None),
        ("value(k=8) > 0 and value(k=4) > 0", False),
        ("value(k=2) > 0 or value(k=4) > 0", True),
        ("value(k=2) - value(k=8) > 1", True),
        ("value(k=2) - value(k=4) > 0", None),
        ("value(k=2) == value(k=2)", None),
        ("abs(value(k=4)) >= 0", True),
        ("abs(value(k=8)) > 0.9", True),
        ("value(k=4) ** 2 >= 0", True),
        ("1 / value(k=4) > -9", None),
        ("value(k=8) / value(k=2) < 0", True),
        ("-value(k=8) * 2 > 1.9", True),
        ("where(value(k=8) < 0, value(k=2), 9) < 1", True),
        ("where(value(k=4) < 0, 1, 9) < 2", None),
        ("sum(value() > 0) >= 2", True),
        ("sum(value() > 0) >= 3", None),
        ("exp(value(k=2)) > 1", True),
        ("max(value()) > 1.4", True),
        ("1.4 < value(k=16) < 2.9", None),
        ("sum(se(k=[2, 4])) == 0.1", True),  # an error by itself is a number
    ],
)
def test_uncertain_numbers_give_answers_that_are_true_false_or_not_seen(criterion, answer):
    assert decide(criterion, NOISY, printed)[0].true is answer


UNSURE = [
    {"k": k, "value": value, "low": value - off, "high": value + off}
    for k, value, off in ((2, 1.0, 0.2), (4, 1.1, 0.2), (8, 3.0, 0.1))
]


@pytest.mark.parametrize(
    ("criterion", "answer"),
    [
        ("all(rank([0.3, 0.9, 0.9, 0.1]) == [3, 1, 1, 4])", True),
        ("all(rank(value())[0] == 1)", "not of the language"),
        ("argmax([1, 5, 3]) == 2", True),
        ("argmax([1, 5, 3], [10, 20, 30]) == 20", True),
        ("argmax([1, 5], [1, 2, 3]) == 2", "2 numbers and 3 labels"),
        ("correlation([1, 2, 3], [2, 4, 6]) == 1", True),
        ("correlation([1, 2, 3], [3, 2, 1]) == -1", True),
        ("abs(correlation(rank([1, 2, 3, 4]), rank([10, 30, 20, 40])) - 0.8) < 0.000001", True),
        ("correlation([1, 1], [1, 2]) > 0", "all equal"),
        ("correlation([1, 2], [1, 2, 3]) > 0", "got 2 and 3 numbers"),
        ("correlation([1], [1]) > 0", "two numbers or more, got 1"),
        ("abs(std([2, 4, 4, 4, 5, 5, 7, 9]) ** 2 - 32 / 7) < 0.000001", True),
        ("quantile([4, 3, 2, 1], 0.25) == 1.75", True),
        ("quantile([4, 3, 2, 1], 2) == 1.75", "Quantiles must be"),
        ("quantile([4, 3], [0.1, 0.2]) > 1", "one exact share"),
        ("argmax(value()) == 3", True),
        ("all(rank(value(k=[2, 8])) == [2, 1])", True),
        ("any(rank(value()) == 1)", True),
        ("all(rank(value()) == [3, 2, 1])", None),
        ("all(rank(value()) <= [3, 3, 1])", True),
        ("argmax(value(), k()) == 8", True),
        ("argmax(value(k=[2, 4]), k(k=[2, 4])) == 4", None),
        ("argmax(value(k=[2, 4]), k(k=[2, 4])) < 8", True),
        ("quantile(value(), 0.5) < 1.31", True),
        ("quantile(value(), 0.5) < 1.2", None),
        # middles 1 and 3, std 1.414, off by sqrt(0.05) = 0.224
        ("std(value(k=[2, 8])) > 1.19", True),
        ("std(value(k=[2, 8])) > 1.5", None),
        ("std(value(k=[2, 8])) > 1.64", False),
        # a side of length 1.571, off by 0.3: an angle of 0.192 each way around 0.182
        ("correlation(value(), [1, 1.1, 3]) > 0.98", True),
        ("correlation(value(), [1, 1.1, 3]) > 0.99", None),
        ("correlation(value(k=[2, 4]), [1, 2]) > -1", None),
    ],
)
def test_more_that_criteria_say(criterion, answer):
    if isinstance(answer, str):
        with pytest.raises(ValueError, match=answer):
            decide(criterion, UNSURE, printed)
    else:
        assert decide(criterion, UNSURE, printed)[0].true is answer


def test_intervals_hold_what_numbers_within_them_give():
    rng = np.random.default_rng(2)
    for _ in range(20):
        middle, off = rng.normal(size=5), rng.uniform(0, 0.3, size=5)
        rows = [
            {"n": n, "value": m, "low": m - o, "high": m + o}
            for n, (m, o) in enumerate(zip(middle, off, strict=True))
        ]
        for x in middle + off * rng.uniform(-1, 1, size=(5, 5)):
            r = np.corrcoef(x, np.arange(5))[0, 1]
            for term, true in (
                ("std(value())", float(x.std(ddof=1))),
                ("correlation(value(), n())", float(r)),
            ):
                for sign, border in ((">", true + 1e-9), ("<", true - 1e-9)):
                    found = decide(f"{term} {sign} {border!r}", rows, printed)
                    assert found[0].true is not True


@pytest.mark.parametrize("more", [0, 1])
def test_whole_numbers_are_exact_however_long(more):
    rows = [{"value": 2**63 + 1, "count": 3}]
    assert decide(f"value() == 2 ** 63 + {more}", rows, printed)[0].true is bool(more)
    assert decide(f"value() + count() == 2 ** 63 + {3 + more}", rows, printed)[0].true is bool(more)


def test_borders_are_tried_one_by_one():
    answers = decide("for B in (0.1, 0.4): min(value(k=2)) > B", ROWS, printed)
    assert [each.true for each in answers] == [True, True]
    answers = decide("for B in (0.4, 0.6): min(value(k=2)) > B", ROWS, printed)
    assert [(each.true, each.seen) for each in answers] == [
        (True, "at 0.4: 0.5 > 0.4"),
        (False, "at 0.6: 0.5 > 0.6"),
    ]


def test_there_are_six_nulls_and_no_others():
    with pytest.raises(ValueError, match="no null 'reverse'; say shuffle, swap"):
        under_null("reverse", "min(value()) > 0", ROWS, lambda *_: ROWS, printed)


@pytest.mark.parametrize(
    ("criterion", "words"),
    [
        ("value(k=3) > 0", "selects nothing"),
        ('printed("y:*") > 0', "selects nothing"),
        ("value()", "not one true or false"),
        ("value() > 0.1", "not one true or false"),
        ("value(k=2) + value() > 0", "2 numbers meet 4"),
        ("witness() > 0", "without a number"),
        ("all(value() > se())", "without a number"),
        ("value.real > 0", "not of the language"),
        ("[v for v in value()] > 0", "not of the language"),
        ('__import__("os")', "__import__('os')"),
        ("open", "not of the language"),
        ("value() >", "no expression"),
        ('all(steps(value(k=2, measure="cn")) > 0)', "two numbers or more, got 1"),
        ("any(steps([]) < 0)", "a list selects nothing"),
        ("all(lost(k=2) < 1)", "selects what is no number"),
        ("1 in value()", "not of the language"),
        ("inf - inf < 1", "invalid value"),
        ("log(-1) < 1", "invalid value"),
        ('1 / (value(k=2, measure="cn") - 0.5) > 0', "divides by zero"),
        ("for B in (x): value() > B", "no list of borders"),
        ('value(k=2, measure="cn") > "x"', "text meets a number"),
    ],
)
def test_what_cannot_be_said_is_refused(criterion, words):
    with pytest.raises(ValueError, match="criterion") as refused:
        decide(criterion, ROWS, printed)
    assert words in str(refused.value)


def test_patterns_of_printed_numbers_are_known_without_rows():
    assert printed_patterns('all(printed("a:*") > printed("b:1"))') == ["a:*", "b:1"]


CODE = {
    "one/a.py": '''
from pplab.papers.one import b
from pplab.papers.one.b import helper
LIMIT = 3
def theorem():
    """Say."""
    return helper(LIMIT) + b.OTHER  # a remark
def neighbour():
    return 1
''',
    "one/b.py": "OTHER = 4\ndef helper(x):\n    return deeper(x)\ndef deeper(x):\n    return x\n",
}


def hashed(monkeypatch, folder, texts):
    """Hash of the theorem where these are the files of the papers."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.setattr(criteria, "_PAPERS", folder)
    return proof_hash("proof: one.a.theorem")


@pytest.mark.parametrize(
    ("file", "old", "new", "same"),
    [
        ("one/a.py", "# a remark", "# another", True),
        ("one/a.py", '"""Say."""', '"""Say more."""', True),
        ("one/a.py", "return 1", "return 2", True),
        ("one/a.py", "LIMIT = 3", "LIMIT = 4", False),
        ("one/a.py", "+ b.OTHER", "- b.OTHER", False),
        ("one/b.py", "OTHER = 4", "OTHER = 5", False),
        ("one/b.py", "return x", "return x + 1", False),
    ],
)
def test_a_proof_is_hashed_with_what_it_calls(monkeypatch, tmp_path, file, old, new, same):
    changed = CODE | {file: CODE[file].replace(old, new)}
    before = hashed(monkeypatch, tmp_path / "before", CODE)
    after = hashed(monkeypatch, tmp_path / "after", changed)
    assert (before == after) is same
    with pytest.raises(ValueError, match="names no function"):
        proof_hash("proof: one.a.lemma")


def test_a_package_that_names_its_own_modules_does_not_lead_in_circles(monkeypatch, tmp_path):
    texts = {
        "one/__init__.py": "from pplab.papers.one import b\n",
        "one/a.py": "from pplab.papers.one import b\ndef theorem():\n    return b\n",
        "one/b.py": "OTHER = 4\n",
    }
    assert hashed(monkeypatch, tmp_path, texts)
