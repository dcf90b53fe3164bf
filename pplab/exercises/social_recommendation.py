"""Exercises of notebook 04: what is public, noise on averages, sensitivity, fakes, partitions."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from pplab.exercises.answers import close, number, text
from pplab.exercises.core import enter
from pplab.exercises.fake_friends import not_spying
from pplab.exercises.hidden_friends import not_sensitivity
from pplab.exercises.hidden_points import as_labels
from pplab.exercises.ten_accounts import best_total, circle, errors, last_year, similarities

__all__: list[str] = []

EPSILON = 3 / 2


@enter(
    "04-R",
    praise="right. Whatever is computed from what everyone may see costs nothing.",
    hints=(
        "Two graphs go into a list. Which of them does the promise protect?",
        "The partition is published together with the averages: what may it depend on?",
    ),
)
def _public(answer: Any) -> str | None:
    word = text(answer).lower().removeprefix("the ")
    if "pref" in word:
        return "Its edges are private: a cluster made from them would tell on them."
    if word in ("both", "either", "any"):
        return "One of the two is private, and a cluster made from it would tell on it."
    return "" if word.startswith("soc") else None


@enter(
    "04-C",
    praise="right. √2 times the scale, and the scale is 1/(|c|·ε).",
    hints=(
        "One preference moves the average of a cluster by how much? The scale is that over ε.",
        "The standard deviation of Laplace noise is √2 times its scale.",
    ),
)
def _spread(answer: Any) -> str | None:
    value = number(answer)
    if close(value, 2 * 2**0.5):
        return "That is the noise on a sum of likes: for an average, divide by |c|."
    if close(value, 0.1):
        return "That is the scale of the noise, not its standard deviation."
    if close(value, 0.02):
        return "That is the variance: the question is about its root."
    if close(value, 2**0.5 / 40):
        return "You multiplied by ε = 1/2; a smaller ε means more noise."
    if close(value, 2**0.5 / 10):
        return ""
    return "Nearly: give three digits." if close(value, 2**0.5 / 10, within=0.02) else None


enter(
    "04-P",
    praise="right, on graphs you have not seen. A column of S holds everybody whom one like moves.",
    hints=(
        "One preference of v moves the utility of user u by sim(u, v): add this up over all u.",
        "Common neighbours are social @ social, and here nobody is similar to themselves: put 0 on "
        "the diagonal first.",
    ),
)(not_sensitivity)


enter(
    "04-B",
    praise="right. A chain just long enough to reach one person, and nobody behind.",
    hints=(
        "Count the steps from the watching fake to the victim, and to the victim's friends.",
        "The watcher has to reach the victim and must not reach one step further. For the graph "
        "distance the reach is 2 steps, for Katz 3.",
    ),
)(not_spying)


@enter(
    "04-D",
    praise="right: within 5 % of the best of all partitions of ten accounts.",
    hints=(
        "errors(labels, 3/2, past) gives both errors; their sum is what counts. Compare the four "
        "partitions of the slider first.",
        "Take the best you have, move one account at a time to another cluster, keep what helps.",
    ),
)
def _partition(answer: Any) -> str | None:
    labels = as_labels(answer, 10)[None, :]
    similar = similarities(circle([(9, 0)]))
    parts = errors(labels, similar=similar, likes=last_year(), epsilon=EPSILON)
    total, best = float(np.add(*parts).sum()), best_total(EPSILON)
    if total <= 1.05 * best:
        return ""
    if _modularity(labels[0]) >= max(map(_modularity, _MODULAR)) - 1e-9:
        return "That partition has the largest modularity, which knows nothing of ε: ε was ignored."
    if np.array_equal(np.equal.outer(labels[0], labels[0]), np.equal.outer(_FITTED, _FITTED)):
        return "That one is best on this year's likes, which are private: give errors your past."
    bias, noise = (float(part[0]) for part in parts)
    more = "The noise weighs most: try fewer clusters, or move one account."
    if bias > noise:
        more = "The bias weighs most: who is averaged with people unlike them?"
    return f"Bias² {bias:.2f} plus noise {noise:.2f} is more than 5 % above the least. {more}"


_FITTED = [0, 1, 1, 1, 1, 1, 0, 0, 0, 1]  # the best of all on the likes of this year, not on past
_MODULAR = np.array([[0, 0, 1, 1, 1, 1, 2, 2, 2, 0], [0, 1, 1, 1, 1, 1, 2, 2, 2, 0]])


def _modularity(labels: np.ndarray) -> float:
    social = circle([(9, 0)])
    degrees, ends = social.sum(axis=0), social.sum()
    surplus = social - np.outer(degrees, degrees) / ends
    return float(surplus[labels[:, None] == labels[None, :]].sum() / ends)


@enter(
    "04-O",
    praise="the form is there. Judge your argument yourself:",
    hints=(
        "How many preferences does a user have whom you want to protect, and at which ε each?",
        "Turn the ε of a whole user into an odds factor e^ε, and say whether you would accept it.",
    ),
    rubric=(
        "\n  1 it states ε for a whole user, as a number, and the odds factor that goes with it"
        "\n  2 it says for whom: the number of preferences of that user"
        "\n  3 it says what is left of the recommendations, and how that would be measured"
    ),
)
def _user_level(answer: Any) -> str | None:
    words = text(answer).lower()
    multiplied = re.search(r"times|multipl|product|divid|[·×*/]", words)
    if re.search(r"same (ε|eps|promise|guarantee)", words) and not multiplied:
        return "The same ε? A whole user costs more: multiply by the number of preferences."
    if not re.search(r"\d", words) or not re.search(r"ε|eps", words):
        return "State the ε per user, as a number."
    if not re.search(r"user|person|people", words):
        return "For whom does your ε hold: for one preference, or for a whole user?"
    if len(words.split()) < 15:
        return "Write the whole argument, in two or three sentences."
    return ""
