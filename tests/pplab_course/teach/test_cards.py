"""Cards of the oral: numbers of one's own, and answers that are right for all of them."""

import itertools
from fractions import Fraction
from math import exp, isclose, log

from pplab_course.draws import value
from pplab_course.teach import course
from pplab_course.teach.cards import deal, read_cards, written
from tests.helpers import output_of

CARDS = read_cards()
BY_TITLE = {card.title: card for card in CARDS}


def _drawn(card):
    """All numbers that a card may have."""
    choices = itertools.product(*card.choices.values())
    return [dict(zip(card.choices, each, strict=True)) for each in choices]


def _cases(title):
    formulas = BY_TITLE[title].results.items()
    drawn = _drawn(BY_TITLE[title])
    return [each | {name: value(formula, each) for name, formula in formulas} for each in drawn]


def test_twelve_cards_are_written_for_all_their_numbers():
    assert len(BY_TITLE) == 12
    for card in CARDS:
        texts = {written(card, each) for each in _drawn(card)}
        assert len(texts) >= 4, card.title
        assert not any("{" in part or "Fraction" in part for text in texts for part in text)
        assert all("*Leak:*" in answers and "*Repair:*" in answers for _, answers in texts)


def test_the_voters_answers_have_the_probabilities_told():
    for case in _cases("The careful voter"):
        p, law = case["p"], dict.fromkeys(itertools.product((0, 1), repeat=2), Fraction(0))
        for first, second in itertools.product((0, 1), repeat=2):  # 1: a lie; the truth is 1
            share = (p if first else 1 - p) * ((1 - second) if first else (p if second else 1 - p))
            law[1 - first, 1 - second] += share
        texts = {(1, 1): case["both"], (1, 0): case["late"], (0, 1): case["early"], (0, 0): 0}
        assert all(isclose(law[pair], texts[pair]) for pair in law)
        assert isclose(case["odds"], ((1 - p) / p) ** 2)


def test_the_noise_that_fits_tells_and_the_best_film_too():
    for case in _cases("The noise that fits"):
        wide, narrow, far = case["wide"], case["narrow"], case["far"]
        densities = [exp(-far / width) / (2 * width) for width in (wide, narrow)]
        assert isclose(case["odds"], densities[0] / densities[1])
        assert case["odds"] > case["promised"]
    for case in _cases("The best film"):
        others = (case["films"] - 1) * case["low"]
        assert isclose(case["top"] + others, 1)
        assert case["odds"] > case["sold"]


def test_the_newcomer_the_sample_the_family_and_the_accident():
    for case in _cases("The newcomer"):
        assert 1 <= case["may"] / case["k"] <= 5
        assert case["june"] - case["may"] == case["rating"]
    for case in _cases("The sample"):
        q, epsilon = float(case["q"]), case["epsilon"]
        mixed = [1 - q + q * factor for factor in (exp(epsilon), exp(-epsilon))]
        assert isclose(case["level"], log(mixed[0]))
        assert -log(mixed[1]) < case["level"]
    for case in _cases("The family"):
        assert isclose(((1 - case["flip"]) / case["flip"]) ** case["members"], case["factor"])
    for case in _cases("The rare accident"):
        assert 0 < case["some"] < 12 * case["years"] * case["delta"]


def test_each_dozen_gets_all_cards_and_the_same_secret_gives_the_same():
    students = [f"student-{number}" for number in range(60)]
    cards = list(deal(CARDS, students, "a secret"))
    assert cards == list(deal(CARDS, students, "a secret"))
    assert cards != list(deal(CARDS, students, "another secret"))
    for start in range(0, 60, 12):
        dozen = cards[start : start + 12]
        assert all(any(title in card for card in dozen) for title in BY_TITLE)
    without_names = [card.split("\n\n", 1)[1] for card in cards]
    assert len({*without_names}) > 40
    assert len({*without_names[:36]}) == 36


def test_the_command_writes_a_card_for_each_line(tmp_path, monkeypatch):
    """Of an installed pplab it says that there are none, and leaves nothing behind."""
    (tmp_path / "class.txt").write_text("ada\nben\n")
    files = (tmp_path / "class.txt", tmp_path / "cards.md", "--secret", tmp_path / "secret")
    with monkeypatch.context() as installed:
        installed.setattr(course, "shipped", lambda: tmp_path)
        text = output_of("teach", "cards", *files, code=1).replace("\n", " ")
    assert "holds no answers for examiners, which are in a clone: type the command there" in text
    assert [path.name for path in tmp_path.iterdir()] == ["class.txt"]
    assert "2 cards" in output_of("teach", "cards", *files)
    text = (tmp_path / "cards.md").read_text(encoding="utf-8")
    assert text.startswith("## ada")
    assert text.count("For the examiner.") == 2
    output_of("teach", "cards", *files, code=1)
    assert len((tmp_path / "secret").read_text().strip()) == 32  # made, as by export
