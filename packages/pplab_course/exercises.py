"""One door for all exercises: `check` tests an answer and says one thing about it.

An exercise is a right answer with the mistakes that it knows, in short.toml, or a judge: a function
that takes the answer and returns "" when it is right, the hint for the mistake it recognises, or
None for a wrong answer it does not know. Two general hints stand by for those, and for a harder
exercise a third, a worked first step; those of judges are in judged.toml. Nothing here ever prints
the answer. Numbers are right when three significant digits are (`right`).
"""

import math
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from importlib import import_module
from numbers import Rational
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from pplab.checks import shown
from pplab_course.answers import Refusal, named, number, slug
from pplab_course.draws import TOKEN, Choices, Draw, first, numbers, options, value
from pplab_course.progress import record_solved

Judge = Callable[[Any], str | None]
_SHORT = Path(__file__).with_name("short.toml")
_JUDGED = _SHORT.with_name("judged.toml")
NOTEBOOK = "[0-9]{2}"  # how the name of a notebook begins, and the id of an exercise
# A wrong number or words, what it shows, and how near a number must be.
Mistake = tuple[float | str, str, float]
NEAR = 0.006  # relative


@dataclass(frozen=True)
class Exercise:
    """Everything that `check` knows about one exercise."""

    judge: Judge
    praise: str
    hints: tuple[str, ...]  # of two or three
    rubric: str = ""
    right: float | str | None = None
    mistakes: tuple[Mistake, ...] = ()
    draw: Draw | None = None


@dataclass(frozen=True)
class Feedback:
    """The reply of `check`: true when the answer is right (or, for open exercises, complete)."""

    correct: bool
    message: str
    cell: int = 0  # of IPython in which it was shown; 0 outside

    def __bool__(self) -> bool:
        return self.correct

    def __repr__(self) -> str:
        return self.message

    def _ipython_display_(self) -> None:
        """As the last line of the cell that has shown it already, it is not shown again."""
        if not self.cell or self.cell != _cell():
            print(self.message)


def say(text: str) -> None:
    """Show a sentence with numbers from the run, as Markdown."""
    from IPython.display import Markdown, display

    display(Markdown(text))


def shell() -> Any:
    """IPython's shell, which is not imported to find out; None outside."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def _cell() -> int:
    """Number of the cell that runs; 0 outside IPython."""
    return getattr(shell(), "execution_count", 0)


_register: dict[str, Exercise] = {}
UNREADABLE = "this answer, or what it returned, cannot be read"
ROUNDED = "right but for rounding: give at least 3 significant digits, rounded and not cut off."
WHOLE = "near, but it is an exact whole number: count it."
NEARLY = "near, but not to 3 significant digits: calculate with all digits, and round at the end."
PERCENT = "Your number is a percentage: divide it by 100."
_wrong_tries: dict[str, int] = {}
MOVED = {"16-R": "20-R"}  # ids in notebooks that are handed out: what they are called now


def hidden(seed: int) -> int:
    """Seed of what a judge hides: the one given, or one drawn from a graded course's secret.

    The process that marks a course sets PPLAB_SECRET before it loads the judges.
    """
    if secret := os.environ.get("PPLAB_SECRET"):
        return int.from_bytes(sha256(f"{secret} {seed}".encode()).digest()[:4], "big")
    return seed


def enter(exercise_id: str) -> Callable[[Judge], Judge]:
    """Enter an exercise of judged.toml into the register, as the decorator of its judge."""
    texts = judged_words()[exercise_id]
    rubric = "".join(f"\n  {n} {line}" for n, line in enumerate(texts.get("rubric", ()), 1))

    def keep(judge: Judge) -> Judge:
        _register[exercise_id] = Exercise(judge, texts["praise"], tuple(texts["hints"]), rubric)
        return judge

    return keep


@cache
def judged_words() -> dict[str, Any]:
    """The words of judged.toml, by exercise."""
    return tomllib.loads(_JUDGED.read_text(encoding="utf-8"))


@cache
def _enter_short() -> None:
    """Enter the exercises of short.toml, each a right answer with the mistakes that it knows."""
    for exercise_id, record in tomllib.loads(_SHORT.read_text(encoding="utf-8")).items():
        _register[exercise_id] = _short(**record)


def _short(
    *,
    hints: list[str],
    praise: str,
    mistakes: Mapping[str, Any],
    word: str = "",
    right: float | str = "",
    drawn: str = "",
    choices: Choices = MappingProxyType({}),
) -> Exercise:
    """The exercise that a table of short.toml describes; the file says what the keys mean."""
    choices = options(choices)
    printed = first(choices)
    if not word and 0 < (expected := value(str(right), printed)) < 1:
        mistakes = {**mistakes, f"100 * ({right})": PERCENT}
    known = []
    for wrong, hint in mistakes.items():
        hint, near = hint if isinstance(hint, list) else (hint, NEAR)
        known.append((wrong if word else value(wrong, printed), hint, near))
    if word:
        judge = partial(_judge_word, word, known)
        return Exercise(judge, praise, tuple(hints), "", word, tuple(known))
    slips = [wrong for wrong in mistakes if set(re.findall(r"\w+", wrong)) & set(choices)]
    draw = Draw(drawn, choices, str(right), slips) if choices else None
    judge = partial(_judge_number, expected, known)
    return Exercise(judge, praise, tuple(hints), "", expected, tuple(known), draw)


def _judge_number(expected: float, mistakes: Iterable[Mistake], answer: Any) -> str | None:
    value = number(answer)
    for wrong, hint, within in mistakes:
        if close(value, float(wrong), within=within):
            return hint
    return right(value, expected)


def _judge_word(expected: str, mistakes: Iterable[Mistake], answer: Any) -> str | None:
    word = re.sub(r"\b(the|an?)-|,-not-.*", "", slug(answer), flags=re.DOTALL)
    for wrong, hint, _ in mistakes:
        if re.fullmatch(str(wrong), word, re.DOTALL):
            return hint
    return "" if re.fullmatch(expected, word, re.DOTALL) else None


def notebook_of(name: str) -> str:
    """The number of a notebook, from an exercise or the notebook's name; "" where it has none.

    Examples
    --------
    >>> notebook_of("02-C"), notebook_of("02_noise_graphs")
    ('02', '02')
    """
    begins = re.match(f"({NOTEBOOK})[-_]", name)
    return begins[1] if begins else ""


def judges_of(notebook: str = "") -> list[Path]:
    """The files that judge a notebook, such as nb02_*.py, or all of them."""
    return sorted(Path(__file__).parent.glob(f"nb{notebook}*.py"))


def exercises(notebook: str = "") -> dict[str, Exercise]:
    """The exercises of one notebook, such as "02", or of all; judges load with the first look."""
    _enter_short()
    for file in judges_of(notebook):
        import_module(f"pplab_course.{file.stem}")
    return {name: _register[name] for name in sorted(_register) if name.startswith(notebook)}


def check(exercise_id: str, answer: Any) -> Feedback:
    """Test the answer to an exercise and give a hint, wherever the call is in a cell.

    The first wrong try gets one hint, the next a second one, and any later one a worked first step
    where the exercise has it; a mistake that is recognised gets the hint made for it, too. The
    answer is never shown. Functions are run on instances that the notebook does not show. Open
    exercises are tested for their form, and the rubric is printed. Whatever is given, the reply is
    a short sentence. That an exercise is solved is noted in the folder of the notebooks alone;
    ``pplab progress`` shows it.

    Parameters
    ----------
    exercise_id : str
        Number of the notebook and letter of the exercise, such as "02-C".
    answer : number, Fraction, text, function, list, pair or dict
        What the exercise asks for.

    Returns
    -------
    Feedback
        True or false in an ``if``; reads as a sentence.

    Raises
    ------
    ValueError
        If no exercise has this id; the sentence lists those of its notebook.

    References
    ----------
    Gusukuma, Bart, Kafura and Ernst 2018, Misconception-driven feedback: results from an
    experimental study, ICER 2018, doi 10.1145/3230977.3231002.

    Examples
    --------
    >>> from pplab_course import check
    >>> said = check("02-C", 11)
    02-C: not yet. You added all the noise, but a flip on an edge removes the edge.
    """
    if isinstance(exercise_id, str):
        exercise_id = MOVED.get(exercise_id, exercise_id)
    notebook = notebook_of(exercise_id) if isinstance(exercise_id, str) else ""
    near = exercises(notebook) if notebook else {}
    if not near or exercise_id not in near:
        known = ", ".join(near) or "the number of a notebook and a letter, such as 02-C"
        raise ValueError(f"exercise_id must be {known}, got {shown(exercise_id)}")
    correct, message = judged(exercise_id, answer)
    if correct:
        record_solved(exercise_id)
    feedback = Feedback(correct, f"{exercise_id}: {message}", _cell())
    if feedback.cell or not hasattr(sys, "ps1"):  # at Python's own prompt the repr is shown
        print(feedback.message)
    return feedback


def judged(exercise_id: str, answer: Any) -> tuple[bool, str]:
    exercise_id = MOVED.get(exercise_id, exercise_id)
    exercise, drawn = exercises(notebook_of(exercise_id))[exercise_id], own_exercise(exercise_id)
    judge = partial(_judge_number, *drawn[1:]) if drawn else exercise.judge
    if answer is None or answer is ...:
        return False, "no answer yet. Fill in the line marked YOUR CODE."
    try:
        hint = judge(answer)
    except Refusal as refusal:
        return False, _brief(str(refusal))
    except (Exception, SystemExit) as error:  # of objects of any kind, so of any class
        problem = f"{UNREADABLE}, got {named(answer)} ({type(error).__name__} came up)"
        form = "give numbers, text, lists, dicts, arrays or a function, as the exercise asks."
        return False, f"{problem}; {form}"
    if hint == "":
        _wrong_tries.pop(exercise_id, None)
        return True, f"{exercise.praise}{exercise.rubric}"
    tries = _wrong_tries[exercise_id] = _wrong_tries.get(exercise_id, 0) + 1
    sentences = [_brief(hint)] if hint else [exercise.hints[0]] if tries == 1 else []
    if tries > 1:
        sentences.append(exercise.hints[min(tries, len(exercise.hints)) - 1])
    return False, f"not yet. {' '.join(sentences)}{exercise.rubric}"


def own_exercise(exercise_id: str, token: str = "") -> tuple[str, float, Iterable[Mistake]] | None:
    """The numbers of a student in words, the answer, and the mistakes that are made with them.

    None for an exercise without a draw, or where no token is given and none is in the environment.
    """
    token = token or os.environ.get(TOKEN, "")
    near = exercises(notebook_of(exercise_id)) if token and notebook_of(exercise_id) else {}
    exercise = near.get(exercise_id)
    if exercise is None or (draw := exercise.draw) is None:
        return None
    sample = numbers(draw.choices, f"{token} {exercise_id}", draw.answer)
    text, wanted = draw.text.format(**sample), value(draw.answer, sample)
    slips = {value(slip, first(draw.choices)): value(slip, sample) for slip in draw.slips}
    known = [(slips[wrong], hint) for wrong, hint, _ in exercise.mistakes if wrong in slips]
    known.append((float(exercise.right or 0), f"Use your own numbers: {text}."))
    mistakes = [(slip, hint, NEAR) for slip, hint in known if not close(slip, wanted, within=0.02)]
    return text, wanted, mistakes


def recognised(answer: Any, known: Iterable[tuple[Any, str]], *, within: float) -> str | None:
    """The hint of the first known result, of arrays, that the given one equals."""
    near = (hint for result, hint in known if np.allclose(answer, result, rtol=0, atol=within))
    return next(near, None)


def close(value: float, expected: float, *, within: float = NEAR) -> bool:
    """True if a number is close enough to be this mistake; right answers are judged by `right`."""
    return abs(value - expected) <= within * abs(expected)


def right(value: float, expected: float) -> str | None:
    """The one rule of precision: right when three significant digits are, rounded.

    A whole number, an int or a Fraction, is right when it is equal. A number that is the answer
    rounded or cut off to two digits, or cut off to three, is refused as such, one that is within
    1 % as near; other numbers are wrong, a single digit too.

    Put it last in a judge, after the mistakes that it recognises: ``return right(value, wanted)``.

    Examples
    --------
    >>> right(0.667, 2 / 3), right(8.0, 8), right(0.7, 2 / 3)
    ('', '', None)
    >>> right(0.666, 2 / 3)
    Traceback (most recent call last):
    pplab_course.answers.Refusal: right but for rounding: give at least 3 significant digits...
    """
    unit = 10.0 ** (math.floor(math.log10(abs(expected))) - 2) if expected else 0.001
    error = abs(value - expected)
    whole = expected == int(expected) and isinstance(expected, Rational)
    if error <= (1e-9 if whole else unit / 2 * (1 + 1e-9)):
        return ""
    scaled = [(step, round(expected / step, 9)) for step in (unit, 10 * unit)]  # 59.99... is 60
    fewer = [f(digits) * step for step, digits in scaled for f in (round, math.trunc)]
    if any(math.isclose(value, digits) for digits in fewer):
        raise Refusal(WHOLE if whole else ROUNDED)
    if error <= (5 * unit * (1 + 1e-9) if whole else 0.01 * abs(expected)):
        raise Refusal(WHOLE if whole else NEARLY)
    return None


def exactly(
    answer: Any, expected: Any, known: Iterable[tuple[Any, str]] = (), *, within: float = 1e-6
) -> str | None:
    """Judge the result of a function: right if all of it is, with a hint if it was only rounded.

    Wrong results that are known come with their hints. Put it last in a judge, as `right`; a
    result may be rounded to two decimals, or to two significant digits.
    """
    answer, expected = (np.asarray(side, dtype=float) for side in (answer, expected))
    if answer.shape == expected.shape and np.allclose(answer, expected, rtol=within, atol=within):
        return ""
    if hint := recognised(answer, known, within=within):
        return hint
    if answer.shape == expected.shape and np.allclose(answer, expected, rtol=5e-3, atol=5e-3):
        raise Refusal("right but for rounding: give back all digits, and round only to print.")
    return None


def _brief(sentence: str) -> str:
    sentence = " ".join(sentence.split())
    return sentence if len(sentence) <= 300 else f"{sentence[:297]}..."
