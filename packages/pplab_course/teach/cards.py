"""Cards for the oral exam: mechanisms that the course does not contain, with numbers to draw."""

import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pplab_course.draws import Choices, numbers, options, value
from pplab_course.start import write_whole
from pplab_course.teach.course import answers


@dataclass(frozen=True)
class Card:
    """A mechanism, and for the examiner its leak and a repair.

    ``results`` are formulas in the names of the choices; the texts may name them, too.
    """

    title: str
    text: str
    leak: str
    repair: str
    choices: Choices
    results: dict[str, str] = field(default_factory=dict)


def read_cards() -> list[Card]:
    """All cards, from a clone.

    Raises
    ------
    ValueError
        Of an installed pplab, which holds no answers.
    """
    cards = tomllib.loads(answers()["cards.toml"].decode())["card"]
    return [Card(**card | {"choices": options(card["choices"])}) for card in cards]


def written(card: Card, sample: dict[str, Any]) -> tuple[str, str]:
    """The text of a card, and the answers for the examiner."""
    names = sample | {name: value(formula, sample) for name, formula in card.results.items()}
    text = card.text.format(**names)
    return text, f"*Leak:* {card.leak.format(**names)} *Repair:* {card.repair.format(**names)}"


def write_cards(cards: list[Card], students: list[str], secret: str, file: Path) -> int:
    """Write a card for each student into a new file; give their number.

    Raises
    ------
    ValueError
        If the file exists.
    """
    hands = list(deal(cards, students, secret))
    write_whole(file, "\n\n".join(hands) + "\n", new=True)
    return len(hands)


def deal(cards: list[Card], students: list[str], secret: str) -> Iterator[str]:
    """A card for each student, in their order: every dozen gets all the cards, in a new order.

    Numbers are drawn again while an earlier student has the card with the same ones.
    """
    used = set[str]()
    for start in range(0, len(students), len(cards)):
        order = random.Random(f"{secret} {start}").sample(cards, len(cards))
        for student, card in zip(students[start : start + len(cards)], order, strict=False):
            for again in range(100):
                seed = f"{secret} {student}{' again' * again}"
                text, answer = written(card, numbers(card.choices, seed))
                if text not in used:
                    break
            used.add(text)
            yield f"## {student}\n\n**{card.title}.** {text}\n\n---\n\nFor the examiner. {answer}"
