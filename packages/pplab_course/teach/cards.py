"""Cards for the oral exam: mechanisms that the course does not contain, with numbers to draw."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pplab_course.draws import Choices, first, numbers, one_of, value
from pplab_course.start import write_whole


@dataclass(frozen=True)
class Card:
    """A mechanism, and for the examiner its leak and a repair.

    The first of each choice stands in docs/teach/oral.md. ``results`` are formulas in the names of
    the choices; the texts may name them, too.
    """

    title: str
    text: str
    leak: str
    repair: str
    choices: Choices
    results: dict[str, str] = field(default_factory=dict)


CARDS = (
    Card(
        "The polite counter",
        "A server counts how many people like a film, adds Laplace noise of scale {scale}, and "
        'publishes 0 when the noisy count is negative, and "no data" when nobody likes the film.',
        '"no data" has probability 0 as soon as one person likes the film, and 1 before. '
        "Infinite odds, at any scale.",
        "Publish the noisy count always, cut at 0 afterwards (post-processing): ε = {epsilon:.3g}.",
        {"scale": (1, 2, 4, 5)},
        {"epsilon": "1 / scale"},
    ),
    Card(
        "The careful voter",
        "Each of n people flips their bit with probability {p}, twice, but whoever has flipped the "
        "last time must tell the truth now. Both answers are published.",
        "Two lies in a row cannot happen: the output (1, 1) has probability 0 when the truth is 0, "
        "and {both:.3g} when it is 1. Infinite odds. (The others, for the truth x: (x, not x) "
        "{late:.3g}, (not x, x) {early:.3g}.)",
        "Fresh coins each time; the odds multiply to {odds:.4g}.",
        {"p": one_of(4, 5, 3, 10)},
        {"both": "(1 - p) ** 2", "late": "(1 - p) * p", "early": "p", "odds": "((1 - p) / p) ** 2"},
    ),
    Card(
        "The rounded mean",
        "A club of at least {members} publishes the mean rating of each film, rounded to one "
        "decimal, and how many rated it.",
        "For films with one or two raters the count says that the mean is a rating, or nearly; two "
        "releases differ by one person. No noise, so no finite odds for any club.",
        "No counts, a minimum of raters, noise on the sum: one rating from 1 to 5 moves it by 5 "
        "at most, so Laplace noise of scale 5/ε.",
        {"members": (5, 8, 12, 20)},
    ),
    Card(
        "The shared seed",
        "All phones flip their own bit with probability {p}, and draw the coins from a generator "
        "that every phone starts with today's date.",
        "Everybody can repeat the coins and undo all flips. The odds are infinite, not {odds:.4g}.",
        "A secret seed for each phone. An audit that draws fresh seeds would not see it.",
        {"p": one_of(10, 4, 5, 20)},
        {"odds": "(1 - p) / p"},
    ),
    Card(
        "The list with counts",
        "Groups of {k} publish the items that at least half of them have, and the exact number of "
        "members who have each.",
        "A number of {k} of {k} tells everybody's bit; {others:.0f} insiders subtract theirs from "
        "any number. No noise, so infinite odds.",
        "No numbers, or noise on them; insiders who split a vote still read the last one.",
        {"k": (10, 6, 8, 12)},
        {"others": "k - 1"},
    ),
    Card(
        "The rare accident",
        "A server adds Laplace noise of scale 1 to a count of {people} people. With probability "
        "{delta} it prints the whole table by accident. It is sold as (1, {delta})-private, once "
        "a month for {years} years.",
        "The promise of one release is true: an event of probability {delta} escapes ε. But when "
        "it happens, all {people} rows are out at once, and it happens within the years with "
        "probability {some:.3g}. Infinite odds for that event.",
        "No such event: the noisy count alone has δ = 0. For a mechanism that needs δ, far below "
        "1/{people}, counted over all releases.",
        {"people": (1000, 500, 5000), "delta": one_of(1000, 2000, 500), "years": (5, 3, 10)},
        {"some": "1 - (1 - delta) ** (12 * years)"},
    ),
    Card(
        "The noise that fits",
        "A server counts triangles of a friendship graph and adds Laplace noise of scale c/ε, with "
        "ε = {epsilon} for an edge, where c is the largest number of common friends of any two "
        "people in this graph.",
        "Two people who are no friends have {c} common friends and nobody else has more than 2; "
        "take one edge away. Both graphs have no triangle, but one has noise of scale {wide:.3g}, "
        "the other of {narrow:.3g}. At distance {far} the odds are {odds:.3g}, above e^ε = "
        "{promised:.3g}, and further out they grow without end.",
        "The global sensitivity n − 2, or smooth sensitivity.",
        {"c": (4, 5, 6), "epsilon": one_of(2, 4, 3), "far": (100, 150)},
        {
            "wide": "c / epsilon",
            "narrow": "(c - 1) / epsilon",
            "odds": "(c - 1) / c * exp(far * epsilon / (c * (c - 1)))",
            "promised": "exp(epsilon)",
        },
    ),
    Card(
        "The friendly statistician",
        "A site publishes its number of friendships with Laplace noise of scale {scale}, and "
        'writes to its members: "the odds about you move by a factor of {factor:.3g} at most".',
        "The noise is right for an edge. A person with {friends} friends moves the count by "
        "{friends}: odds up to {odds:.3g} for that person. The unit is not named.",
        "Say *edge*; or let the site allow θ friends at most, a public rule: then a person moves "
        "the count by θ, and the noise has scale θ·{scale}. (A cap put on the data afterwards is a "
        "projection, whose own sensitivity must be proved.)",
        {"scale": (2, 4, 5), "friends": (30, 40, 50)},
        {"factor": "exp(1 / scale)", "odds": "exp(friends / scale)"},
    ),
    Card(
        "The family",
        "In a survey everybody flips their bit with probability {p}. The office writes to each "
        "person: the odds about you move by a factor of {factor:.3g} at most.",
        "A household of {members} agrees on the question, and it is known that it does. All "
        "{members} say 1: its odds move by {odds:.4g}. The cap is for one bit, the others fixed.",
        "The unit is the household: the factor of each cell is the root of order {members}, so "
        "p = {flip:.3g}; or say for whom the cap holds.",
        {"p": one_of(4, 5, 10), "members": (3, 4, 5)},
        {
            "factor": "(1 - p) / p",
            "odds": "((1 - p) / p) ** members",
            "flip": "1 / (1 + ((1 - p) / p) ** (1 / members))",
        },
    ),
    Card(
        "The newcomer",
        "A group of {k} publishes the exact mean of its ratings each month. In May it was "
        "{may:.0f}/{k}; one person joined, in June it was {june:.0f}/{more:.0f}.",
        "{june:.0f} − {may:.0f} = {rating}: the newcomer's rating, exactly. Two exact releases of "
        "groups that differ by one person.",
        "Noise on the sum in each month, and a budget for the months; or no second release.",
        {"k": (9, 4, 7, 11), "rating": (2, 1, 4, 5)},
        {"may": "3 * k + 2", "june": "3 * k + 2 + rating", "more": "k + 1"},
    ),
    Card(
        "The sample",
        "An office asks each person with probability {q} and publishes the exact number of those "
        "asked who said yes.",
        "Nobody says yes, or one person would: the output 1 has probability 0 and {q}. Infinite "
        "odds; drawing a sample is no noise.",
        "Laplace noise of scale 1/ε on the number. Then the sample helps: with ε = {epsilon} the "
        "level is ln(1 + q(e^ε − 1)) = {level:.3g}, where nobody sees who was asked.",
        {"q": one_of(10, 5, 20, 4), "epsilon": (1, 2)},
        {"level": "log(1 + q * (exp(epsilon) - 1))"},
    ),
    Card(
        "The best film",
        "A site has {films} films. With probability {chance} it names a film drawn at random, "
        "otherwise the one with the most likes. It says ε = ln {sold}.",
        "Two films are equal but for one like, which decides. The winner has probability "
        "{top:.4g}, and {low:.4g} when the like is gone: odds {odds:.4g}, not {sold}.",
        "The exponential mechanism: probability proportional to e^(ε·likes/2). A winner that is "
        "far ahead is then named nearly always, and one that is just ahead is not.",
        {"films": (50, 100, 200), "chance": one_of(2, 4), "sold": (3, 2)},
        {
            "top": "1 - chance + chance / films",
            "low": "chance / films",
            "odds": "(1 - chance + chance / films) / (chance / films)",
        },
    ),
)


def written(card: Card, sample: dict[str, Any]) -> tuple[str, str]:
    """The text of a card, and the answers for the examiner."""
    names = sample | {name: value(formula, sample) for name, formula in card.results.items()}
    text = card.text.format(**names)
    answers = f"*Leak:* {card.leak.format(**names)} *Repair:* {card.repair.format(**names)}"
    return text, answers


def page() -> str:
    """All cards with their first numbers, for the examiner."""
    shown = []
    for number, card in enumerate(CARDS, 1):
        text, answers = written(card, first(card.choices))
        shown.append(textwrap.fill(f"**{number} {card.title}.** {text} {answers}", 110))
    return "\n\n".join(shown)


def write_cards(students: list[str], secret: str, file: Path) -> int:
    """Write a card for each student into a new file; give their number.

    Raises
    ------
    ValueError
        If the file exists.
    """
    cards = list(deal(students, secret))
    write_whole(file, "\n\n".join(cards) + "\n", new=True)
    return len(cards)


def deal(students: list[str], secret: str) -> Iterator[str]:
    """A card for each student, in their order: every dozen gets all the cards, in a new order.

    Numbers are drawn again while an earlier student has the card with the same ones.
    """
    dealt = set[str]()
    for start in range(0, len(students), len(CARDS)):
        order = random.Random(f"{secret} {start}").sample(CARDS, len(CARDS))
        for student, card in zip(students[start : start + len(CARDS)], order, strict=False):
            for again in range(100):
                seed = f"{secret} {student}{' again' * again}"
                text, answers = written(card, numbers(card.choices, seed))
                if text not in dealt:
                    break
            dealt.add(text)
            yield f"## {student}\n\n**{card.title}.** {text}\n\n---\n\nFor the examiner. {answers}"
