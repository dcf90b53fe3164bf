"""The language of criteria, and the hash of a proof: what counts, what does not."""

import pytest

from pplab.ledger import criteria
from pplab.ledger.criteria import decide, printed_patterns, proof_hash

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
    ],
)
def test_what_can_be_said(criterion, answer, seen):
    found, told = decide(criterion, ROWS, printed)
    assert found is answer
    assert seen in (None, told)


@pytest.mark.parametrize(
    ("criterion", "words"),
    [
        ("value(k=3) > 0", "finds nothing"),
        ('printed("y:*") > 0', "finds nothing"),
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
        ("any(steps([]) < 0)", "two numbers or more, got 0"),
        ("all(lost(k=2) < 1)", "without a number"),
        ("1 in value()", "not of the language"),
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
