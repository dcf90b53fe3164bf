"""Exercises of notebook 18: verdicts, many tries, rounding, worlds, a rule, a dispute."""

from collections.abc import Mapping
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd

from claimbook import own
from claimbook.part import Part
from claimbook.registry import Paper
from claimbook.reproduce import claims_of, plain_rows
from claimbook.rules import NUMBER_RULES, claim_of, printer, read_rules
from claimbook.verdicts import Judgement, MeasuredRows, judge
from pplab_course.answers import Refusal, call, fields, function, number, pairs, parts, text, truth
from pplab_course.exercises import enter
from pplab_papers.collection import find_paper


@cache
def _report() -> Paper:
    """The worked example: a reading club's report."""
    return find_paper(Path(own.__file__).with_name("example"))


# 18-R: cases and the verdicts that they deserve

# A case for each verdict that is easily taken for another; the notebook shows them in this order
# under letters.
MEANINGS = {
    "refuted": "A theorem is about all graphs; we have a small graph on which it is false.",
    "reproduced": "Printed: 0.84. The text is plain, two digits count, and we measure 0.8403.",
    "shape-only": "The authors' data are secret. On made-up data the curve falls, too.",
    "differs": "Printed: 0.84. We measure 0.91 under every reading of the text.",
    "reproduced-under-reading": "Printed: 0.84. 'Lists' may mean all (0.90) or full lists (0.84).",
    "compatible": "Printed: 0.84. We measure 0.80, but our number varies by 0.09 from run to run.",
    "proof-fails": "A step of a proof is wrong. Nobody knows whether the theorem is true.",
    "undecided": "A text says that A beats B. In our runs A gains between -0.02 and 0.05.",
}

LETTERS = dict(zip(MEANINGS, "ABCDEFGH", strict=True))
_NUMBERS = ("reproduced", "reproduced-under-reading", "compatible", "differs")


@enter("18-R")
def _verdicts(answer: Any) -> str | None:
    answers = {
        str(left).strip().lower().replace(" ", "-"): str(right).strip().upper()
        for left, right in pairs(answer).items()
    }
    if missing := [verdict for verdict in MEANINGS if verdict not in answers]:
        raise Refusal(f"one letter per verdict, please; missing: {', '.join(missing)}.")
    if more := sorted(answers.keys() - MEANINGS):
        raise Refusal(f"one letter per verdict, please; not asked for: {', '.join(more)}.")
    numbers = {LETTERS[verdict] for verdict in _NUMBERS}
    if answers["shape-only"] in numbers:
        return "shape-only is not a weak kind of reproduction: other data were measured."
    if answers["refuted"] in numbers:
        return "A refutation needs a case in which a statement is false; it is not about a number."
    if answers["refuted"] == LETTERS["undecided"]:
        return "An effect that was not seen may still exist: a refutation needs a counterexample."
    if answers["proof-fails"] == LETTERS["refuted"]:
        return "A theorem with a counterexample is refuted; a broken proof alone says less."
    if answers["reproduced-under-reading"] == LETTERS["reproduced"]:
        return "If a text has only one meaning, there is no reading to choose."
    if answers["compatible"] == LETTERS["differs"]:
        return "A number that misses under every reading by more than chance is not compatible."
    return "" if all(answers[verdict] == LETTERS[verdict] for verdict in MEANINGS) else None


# 18-P: the room that printed digits leave

ROUNDED = {  # as printed, and as measured
    "0.77": (0.7685, 0.7649, 0.7751),
    "0.40": (0.403, 0.44),
    "1.650": (1.6504, 1.652),
    "10": (10.49, 10.5, 10.51),
    "11": (10.5,),
    "1,024": (1024.3, 1025.0),
    "-0.5": (-0.54, -0.56),
    "250": (251.0,),
}
# What wrong rules show, in the order of `_decided`.
_MISTAKES = (
    "You use one tolerance: a number with three printed decimals needs a smaller tolerance.",
    "The rule depends on the last printed digit, not on a share of the number.",
    "Equality is too strict: the paper has rounded its number, and you have not.",
    "0.40 promises two decimals, 0.4 only one: count digits in the text, not in a float.",
    "A whole unit of the last digit is too much: rounding moves a number by half a unit.",
    "The rule says ≤, but yours says <: a number exactly half a unit away fits.",
    "Python rounds a half to the even digit. By the rule both neighbours fit: use ≤.",
)


def _decided(printed: str, measured: float) -> tuple[bool, ...]:
    """True if a number fits: by the rule, and by wrong rules."""
    plain = printed.replace(",", "")
    value, decimals = float(plain), len(plain.partition(".")[2])
    off, unit = abs(measured - value), 10.0**-decimals
    unit_of_float = 10.0 ** -len(f"{value:g}".partition(".")[2])
    allowed = (unit / 2, 0.005, abs(value) / 100, 0, unit_of_float / 2, unit)
    as_text = f"{measured:.{decimals}f}" == plain
    return *(off <= most for most in allowed), off < unit / 2, as_text


@enter("18-P")
def _rounding(answer: Any) -> str | None:
    """Try fits(printed, measured) on all cases; "" when each is decided rightly."""
    cases = [(printed, measured) for printed, each in ROUNDED.items() for measured in each]
    answers = tuple(truth(call(answer, *case)) for case in cases)
    decided = [_decided(*case) for case in cases]
    hints = dict(zip(zip(*decided, strict=True), ("", *_MISTAKES), strict=True))
    if answers in hints:
        return hints[answers]
    place = next(place for place, rules in enumerate(decided) if rules[0] != answers[place])
    printed, measured = cases[place]
    return f"Printed {printed}, measured {measured:g}: does it fit? You say {answers[place]}."


# 18-B: the data changed until the plain world passes. The rules stay

TABLE, FEWEST = "reading-club:table-1:attendance", 9
_FILE = "data/attendance.csv"


@enter("18-B")
def _other_data(answer: Any) -> str | None:
    """Judge the row on a changed table; "" when it is reproduced with the fewest changes."""
    year, attended = attendance(), _attendance(answer)
    if not attended[["month", "member"]].equals(year[["month", "member"]]):
        return "Keep the rows: twelve months of the same ten members, in their order."
    if not attended["books"].equals(year["books"]):
        return "Table 1 is about who came. Leave the books as they are."
    changed = int((attended["came"] != year["came"]).sum())
    if not changed:
        return "You handed in the original table, so the verdict has not changed either."
    verdict = verdict_on(attended)
    if verdict == "reproduced":
        return "" if changed <= FEWEST else f"It works, but change fewer than {changed} cells."
    if verdict == "reproduced-under-reading":
        return "The row still fits only in the other world: with all members, 0.77 must be reached."
    return f"With {changed} cells changed the row is {verdict!r}: no world fits the printed number."


def attendance() -> pd.DataFrame:
    """The club's own table."""
    return pd.read_csv(_report().file.parent / _FILE)


def verdict_on(table: pd.DataFrame) -> str:
    """Verdict of Table 1 where a table replaces the club's own."""
    paper = _report()
    part = paper.parts["attendance"]
    in_its_place = StringIO(table.to_csv(index=False))  # which pandas reads as it reads a file
    measured = {part.name: MeasuredRows(_rows(part, in_its_place))}
    return judge(claims_of(paper, part), measured, printer(read_rules(paper)))[TABLE].verdict


def _rows(part: Part, file: Path | StringIO) -> list[dict[str, Any]]:
    return plain_rows(part.experiment(attendance={_FILE: file}))


def _attendance(answer: Any) -> pd.DataFrame:
    columns = ["month", "member", "came", "books"]
    if not isinstance(answer, pd.DataFrame) or not {*columns} <= {*answer.columns}:
        raise Refusal("hand in the changed table alone, a DataFrame with the columns of `year`.")
    table = answer[columns].reset_index(drop=True)
    if len(table) != len(attendance()) or not table["came"].isin([0, 1]).all():
        raise Refusal("the table must keep its 120 rows, and `came` must be 0 or 1 in each.")
    return pd.read_csv(StringIO(table.astype({"came": int}).to_csv(index=False)))  # plain types


# 18-D: a rule for a sentence with a hedge

TEN = (10,) * 12
YEARS: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {  # members and who came, by month
    "always": (TEN, (8, 9, 7, 8, 7, 9, 8, 7, 8, 9, 7, 8)),
    "always, of a long list": ((15,) * 12, (8, 9, 7, 8, 7, 9, 8, 7, 8, 9, 7, 8)),
    "usually": (TEN, (8, 9, 7, 8, 3, 9, 8, 7, 8, 9, 7, 8)),
    "usually, but low": (TEN, (7, 7, 7, 7, 0, 7, 7, 0, 7, 7, 7, 7)),
    "just so": (TEN, (7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6, 7)),
    "usually, of more": ((12,) * 12, (8, 7, 8, 8, 7, 8, 8, 7, 8, 5, 8, 7)),
    "usually, once large enough": ((6, 6) + (8,) * 10, (5, 6, 7, 8, 7, 7, 8, 7, 8, 7, 7, 8)),
    "half": (TEN, (7, 7, 7, 6, 6, 7, 6, 7, 6, 6, 7, 6)),
    "seldom": (TEN, (3, 4, 6, 9, 5, 2, 6, 8, 4, 5, 3, 6)),
    "seldom, but high": (TEN, (10, 10, 10, 10, 6, 6, 6, 6, 6, 6, 6, 6)),
    "seldom, but nearly all": ((7,) * 12, (6, 6, 7, 6, 6, 5, 6, 7, 6, 6, 6, 6)),
    "never": (TEN, (6, 6, 5, 6, 4, 6, 6, 5, 6, 3, 6, 6)),
}
TRUE = [name for name in YEARS if name.startswith(("always", "usually", "just"))]


@enter("18-D")
def _rule(answer: Any) -> str | None:
    """Judge hidden years by the row; "" when a fair reading of the hedge decides each."""
    form = "give a dict with the keys 'rule', 'part', 'criterion' and 'null'."
    row = fields(answer, ("criterion", "null"), form)
    if row.get("rule") in NUMBER_RULES:
        return "That rule is for a printed number. Which rule is for a sentence?"
    if row.get("rule") != "holds":
        return "If the months contradict the sentence, it is refuted: which rule says so?"
    if row.get("part") != "months":
        return "Which experiment measures single months? Look at the parts of the report."
    judged = {name: _judged(row, *year) for name, year in YEARS.items()}
    holds = {name: year.verdict == "holds" or year.null == "holds" for name, year in judged.items()}
    if all(holds.values()):
        return "Your criterion holds in every year, even the worst. What would refute it?"
    if not any(holds.values()):
        return "Your criterion fails in every year, even the best. What would make it hold?"
    if holds["always"] and not holds["usually"]:
        return "One bad month refutes your criterion: 'usually' is not 'always'."
    if holds["seldom, but high"] and not holds["usually, but low"]:
        return "A mean is not a count: four full months hide eight bad months."
    if holds["usually"] and not holds["just so"]:
        return "Seven members already are 'seven or more'."
    if holds["never"]:
        return "Your criterion holds in a year in which at most six members came: ask for seven."
    if holds["usually"] and not holds["usually, but low"]:
        return "Ten months of twelve are 'usually': your share of the months is above four fifths."
    if holds["half"] and not holds["seldom, but nearly all"]:
        return "Half of the months, or fewer, are not 'more than half': mind the threshold."
    of_others = holds["usually, of more"] and holds["usually, once large enough"]
    if holds["seldom, but nearly all"] or (holds["usually"] and not of_others):
        return "Your criterion fails if the number of members changes. Use only `came`."
    if any(holds[name] != (name in TRUE) for name in YEARS):
        return None
    if any(year.null == "holds" for year in judged.values()):
        return "The criterion is right, but it also holds under its null. Which change spoils it?"
    return ""


def _judged(row: Mapping[str, Any], members: tuple[int, ...], came: tuple[int, ...]) -> Judgement:
    """Judgement of the ledger on the row after such a year."""
    cells = {name: text(row[name]) for name in ("rule", "part", "criterion", "null")}
    cells |= {"id": "18-D", "place": "next report", "select": str(row.get("select", ""))}
    claim = claim_of(_report(), {"published": "", **cells})
    year = pd.DataFrame({"month": range(1, 13), "members": members, "came": came})
    year["attendance"] = year["came"] / year["members"]
    rows = plain_rows(year.melt("month", var_name="quantity"))
    judgement = judge([claim], {"months": MeasuredRows(rows)}, lambda _: [])[claim.id]
    if judgement.fault:
        raise Refusal(judgement.note)
    return judgement


# 18-O: a dispute


@enter("18-O")
def _dispute(answer: Any) -> str | None:
    if isinstance(answer, str):
        return "An opinion has no verdict. What reading do you propose, and what number follows?"
    name, reading, run = parts(answer, 3, "give three: (id of a row, your reading, your function).")
    name, run = text(name), function(run)
    numbers = {claim.id: claim for claim in read_rules(_report()) if claim.kind == "number"}
    if (claim := numbers.get(name) or numbers.get(f"reading-club:{name}")) is None:
        return "No printed number of the report has this id."
    if claim.rule == "not-testable":
        return "These data are unavailable: no reading of the words changes that."
    if len(text(reading).split()) < 4:
        return "State your reading in a whole sentence: which words do you read, and how?"
    year = attendance()
    first, second = (number(call(run, year)) for _ in range(2))
    if first != second:
        return "Two runs gave two numbers: fix the seed, so that others find what you found."
    measured = _rows(_report().parts[claim.part], _report().file.parent / _FILE)
    tried = [row["value"] for row in measured if claim.conditions.items() <= row.items()]
    rounded = {round(value, digits) for value in tried for digits in (2, 3, 4)}
    if first in rounded or any(abs(first - value) < 1e-4 for value in tried):
        return "The row already has this number, as printed or in one of its worlds. Find another."
    if number(call(run, year.assign(came=1 - year["came"], books=year["books"] + 1))) == first:
        return "On another table your number stays the same: compute it from the given table."
    return ""
