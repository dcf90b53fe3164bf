"""Verdicts: claims and the rows that runs measured in, verdicts out; none is typed anywhere.

A paper leaves choices open. Each world of them is held against all numbers that it touches, over
parts and data sets, by one joint test (``claimbook.worlds``); the first that is admitted judges
all these numbers, and a statement is judged in every admitted world.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from numbers import Real
from pathlib import Path

from claimbook import criteria
from claimbook.chance import LEAST_RUNS, LEVEL, WIDE, quantile
from claimbook.checks import TERMS, check_choice, sentence_of
from claimbook.criteria import Answer, Printed, Row, matching, same
from claimbook.registry import Paper
from claimbook.results import Result, read_result
from claimbook.rules import PRINT, STATEMENT_RULES, Claim, is_number, printer, read_rules
from claimbook.worlds import Group, Joint, Reach, World, combined, joint_tests, within, world_text

VERDICTS = {v: facts["means"].format(level=1 - LEVEL) for v, facts in TERMS["verdicts"].items()}
_IN_PRINT = {v: facts["print"] for v, facts in TERMS["verdicts"].items() if "print" in facts}
SHAPE_ONLY = {s: told["measured"] for s, told in TERMS["sources"].items() if "measured" in told}
NOT_AT_HAND = [source for source in SHAPE_ONLY if TERMS["sources"][source].get("here")]
Rows = Sequence[Row]
_FITS = ("reproduced", "reproduced-under-reading", "compatible")
_USUAL = 0.05  # the level that a reader may expect
_BINARY = 1e-12  # of the printed value: decimal digits as binary floats are off by that much


@dataclass(frozen=True)
class MeasuredRows:
    """Rows that a part measured, and where they come from."""

    rows: Sequence[Row]
    source: str = "real"


Measured = Mapping[str, MeasuredRows]  # part -> its rows
Joints = tuple[Joint, ...]


@dataclass(frozen=True)
class Trial(Reach):
    """One world's value held against a published number."""

    reading: str = ""  # the world in words
    width: float = 0.0  # what chance and open choices allow, besides the printed digits
    fits: bool = False
    range: str = ""

    @property
    def misfit(self) -> float:
        """Measured minus published."""
        return self.value - self.size

    @property
    def wide(self) -> bool:
        """True if it leaves so much that a fit shows little."""
        return self.width > (WIDE * abs(self.size) or self.open)

    def __str__(self) -> str:
        relation = "fits" if self.fits else "misses"
        name = self.reading or "plain"
        allowed = f"; allowed for spread ± {self.width:,.3g}" if self.width else ""
        allowed += ", too wide to tell" if self.fits and self.wide else ""
        return f"{name}: {self.value:,.8g}{self.range} {relation} ({self.misfit:+,.4g}{allowed})"


@dataclass(frozen=True)
class Judgement:
    """A verdict with what led to it."""

    verdict: str
    measured: str = ""
    note: str = ""
    trials: tuple[Trial, ...] = ()
    reading: str = ""  # the world that judges, in words; empty for the plain one
    joints: tuple[Joint, ...] = ()  # how the worlds fare over all numbers that they touch
    outcomes: tuple[tuple[str, bool | None], ...] = ()  # of a statement: world -> answer
    null: str = ""  # "fails" or "holds": the criterion where it must fail
    source: str = ""  # for which it is shape-only
    beside: str = ""  # what the authors' tolerance says
    fault: bool = False  # what was measured does not hold what the claim needs; the note says what


def judge(
    claims: Sequence[Claim], measured: Measured, printed: Printed, only: Iterable[str] | None = None
) -> dict[str, Judgement]:
    """Judge claims of a paper by the rows that its parts measured.

    Parameters
    ----------
    claims : sequence of Claim
        Claims of one paper; joint tests look at all of them.
    measured : mapping
        Part -> its rows; a part that nobody ran is not there.
    printed : callable
        Pattern of ids -> printed numbers, for criteria.
    only : iterable of str, optional
        Ids that are judged; all by default.

    Returns
    -------
    dict
        Id -> Judgement; a row that another one judges has none (``folded``). Where rows do not
        hold what a claim needs, it is open with a fault, and so are all whose joint test needs it.
    """
    ids = None if only is None else set(only)
    tests: dict[str, dict[str, Joint]] = {}

    def joints_of(claim: Claim) -> Joints:
        for group in claim.groups:
            if group.text not in tests:
                tests[group.text] = _joints(group, claims, measured)
        mine = (tests[group.text] for group in claim.groups)
        return tuple(joints.get(claim.part, joints[""]) for joints in mine)

    by_id = {claim.id: claim for claim in claims}
    judged = {}
    for claim in claims:
        if claim.same_as or (ids is not None and claim.id not in ids):
            continue
        try:
            judgement = _judge(claim, measured, printed, joints_of)
            origin = by_id.get(claim.follows) if judgement.verdict in _FITS else None
            if origin and _judge(origin, measured, printed, joints_of).verdict == "differs":
                judgement = _after(judgement, origin.id)
            judged[claim.id] = judgement
        except (LookupError, ValueError) as error:
            judged[claim.id] = Judgement("open", note=sentence_of(error), fault=True)
    return judged


def _after(judgement: Judgement, name: str) -> Judgement:
    """A fit of a number that follows from another, which differs: misses cancel."""
    fits = any(trial.fits for trial in judgement.trials if trial.reading == judgement.reading)
    note = f"It follows from {name}, which differs. {judgement.note}".rstrip()
    return replace(judgement, verdict="compatible" if fits else "differs", note=note)


def _joints(group: Group, claims: Sequence[Claim], measured: Measured) -> dict[str, Joint]:
    """The joint tests over the numbers that are measured as the paper did."""
    numbers, tables, ids = {}, {}, {*group.numbers}
    for claim in (c for c in claims if c.id in ids and c.kind == "number" and not c.follows):
        here = measured.get(claim.part)
        if here and here.source not in SHAPE_ONLY:
            numbers[claim.id] = partial(_reach, claim, here, selected(claim, here.rows))
            tables[claim.id] = (claim.part, claim.draw)
    return joint_tests(group, numbers, tables, {claim.part for claim in claims if claim.apart})


def _reach(claim: Claim, measured: MeasuredRows, chosen: list[Row], world: World) -> Reach | None:
    claim_choices = within(world, claim.choices)
    rows = _in_world(chosen, claim_choices)
    if not rows or rows[0].get("source") in SHAPE_ONLY or "low" in rows[0]:
        return None  # a range fits more than is meant
    return _try(claim, _one(claim, rows, claim_choices, measured.rows), claim_choices)


def _judge(
    claim: Claim, measured: Measured, printed: Printed, joints_of: Callable[[Claim], Joints]
) -> Judgement:
    if claim.rule == "not-testable":
        return Judgement("not-testable")
    if not claim.parts or not set(claim.parts) <= set(measured):
        return Judgement("open", note="nobody has run it")
    run = _merge_parts(claim.parts, measured)
    check_choice(f"for claim {claim.id} the source", run.source, TERMS["sources"])
    joints = joints_of(claim)
    if is_number(claim):
        judgement, used = _judge_number(claim, run.rows, joints)
    else:
        judgement, used = _judge_statement(claim, run.rows, printed, joints)
    judgement = replace(judgement, joints=joints)
    if claim.computed or claim.parts == [PRINT]:
        judgement = replace(judgement, verdict=_IN_PRINT.get(judgement.verdict, judgement.verdict))
    of_rows = (s for row in used if (s := row.get("source")) in SHAPE_ONLY)
    source = str(next(of_rows, run.source))
    if source in SHAPE_ONLY:
        note = f"Measured {SHAPE_ONLY[source]}. {judgement.note}".rstrip()
        return replace(judgement, verdict="shape-only", note=note, source=source, beside="")
    runs = min((float(row["runs"]) for row in used if "runs" in row), default=math.inf)
    least = float(claim.repeats or LEAST_RUNS)
    if runs < least:
        note = f"preliminary, {runs:g} of {least:g} runs: so far {judgement.verdict}"
        return replace(judgement, verdict="open", note=note, beside="")
    return judgement


def _merge_parts(parts: Sequence[str], measured: Measured) -> MeasuredRows:
    """The rows that one part measured, or several: then each row names its part."""
    runs = [measured[part] for part in parts]
    if len(parts) == 1:
        return runs[0]
    rows = [{**r, "part": p} for p, run in zip(parts, runs, strict=True) for r in run.rows]
    sources = [run.source for run in runs]
    return MeasuredRows(rows, next((s for s in sources if s in SHAPE_ONLY), sources[0]))


# Rows of a claim.


def selected(claim: Claim, rows: Iterable[Row]) -> list[Row]:
    """Rows that a claim selects, in all worlds."""
    return matching(rows, claim.conditions)


def _in_world(rows: Iterable[Row], world: World) -> list[Row]:
    """Rows of one world; a row without a choice's column is of all."""
    left = [*rows]
    for name, option in world:
        left = [r for r in left if (cell := r.get(name, option)) == option or same(cell, (option,))]
    return left


def _one(claim: Claim, in_world: Sequence[Row], world: World, rows: Sequence[Row]) -> Row:
    """The row that a number selects in a world, of all rows of its part."""
    if len(in_world) != 1:
        where = f" in the world {dict(world)}" if claim.choices else ""
        options = {name: option for name, option in world if any(name in row for row in rows)}
        conditions = claim.conditions | options
        why = criteria.differing_columns(in_world)
        why = why if in_world else criteria.available_values(rows, conditions)
        raise LookupError(
            f"claim {claim.id} selects {len(in_world)} rows of part {claim.part}{where}, where one "
            f"must stand: {why}; mend its select ({claim.select!r}) or what touches it"
        )
    return in_world[0]


def _worlds(claim: Claim, joints: Sequence[Joint]) -> tuple[list[World], bool]:
    """Worlds that judge a statement, as its choices see them, and whether no number speaks against.

    Where no number can choose, none does: each world stands.
    """
    admitted = all(joint.decides or not joint.count for joint in joints)
    lists = product(*(joint.worlds for joint in joints))
    seen = (within(sum(worlds, ()), claim.choices) for worlds in lists)
    order = [choice.name for choice in claim.choices]
    ordered = (tuple(sorted(world, key=lambda pair: order.index(pair[0]))) for world in seen)
    return list(dict.fromkeys(ordered)), admitted


# Numbers.


def _judge_number(claim: Claim, rows: Rows, joints: Joints) -> tuple[Judgement, list[Row]]:
    chosen = frozenset(within(sum((joint.chosen for joint in joints), ()), claim.choices))
    trials, used = {}, {}
    claim_rows = selected(claim, rows)
    for world in combined(claim.choices):
        world_rows = _in_world(claim_rows, world)
        key = frozenset(world)
        if world_rows or key == chosen:
            used[key] = _one(claim, world_rows, world, rows)
            trials[key] = _try(claim, used[key], world)
    trial = trials[chosen]
    blunt = any(joint.count and not joint.decides for joint in joints)
    nearest = (trials.get(frozenset(within(joint.nearest, claim.choices))) for joint in joints)
    near = [attempt for attempt in nearest if attempt]
    if not trial.fits and "low" in used[chosen]:  # what a lost label may mean is ours
        verdict = "shape-only"
    elif not trial.fits and not any(attempt.fits for attempt in near):
        verdict = "differs"
    elif not trial.fits or trial.wide or blunt or "low" in used[chosen]:
        verdict = "compatible"
    else:
        verdict = "reproduced-under-reading" if trial.reading else "reproduced"
    notes = [f"in the world {trial.reading}"] if trial.reading else []
    if not trial.fits and (fit := sum(attempt.fits for attempt in trials.values())):
        notes.append(f"It fits in {fit} of {len(trials) - 1} other worlds")
    notes += [
        f"In the world nearest to all, {attempt.reading or 'the plain one'}: {attempt.value:,.6g}"
        for attempt in near
    ]
    start, end = claim.interval
    if claim.cell.percent and not trial.fits and start <= trial.misfit + 99 * trial.value <= end:
        notes.append("It fits times 100: the print is in percent, so measure percent")
    small = claim.cell.percent and claim.cell.bound and trial.fits and 0 < trial.value <= 1
    if small and not start <= trial.misfit + 99 * trial.value <= end:
        notes.append("It fits as percent, and would not fit as a share")
    note, tried = ". ".join(notes), tuple(trials.values())
    judgement = Judgement(verdict, _value_text(claim, trial), note, tried, trial.reading)
    return replace(judgement, beside=_author_tolerance(claim, trial)), [used[chosen]]


def _author_tolerance(claim: Claim, trial: Trial) -> str:
    """The answer of the authors' own tolerance to a number; no verdict depends on it."""
    if not claim.tolerance:
        return ""
    start, end = claim.interval
    allowance = claim.allowance + _BINARY * abs(float(claim.number))
    inside = min(start, -allowance) <= trial.misfit <= max(end, allowance)
    return f"{'within' if inside else 'outside'} the author's tolerance of {claim.tolerance}"


def _try(claim: Claim, row: Row, world: World) -> Trial:
    value = _number(claim, row, "value")
    se, sd = (_number(claim, row, name, 0.0) for name in ("se", "sd"))
    low, high = (_number(claim, row, name, value) for name in ("low", "high"))
    runs = _number(claim, row, "runs", math.inf)
    sd = sd if claim.cell.spread is None else claim.cell.spread  # the print's word on one value
    spread = math.hypot(se, sd / math.sqrt(float(claim.draws or 1)))
    published = float(claim.number)
    chance = quantile(runs) * spread if spread else 0.0
    # the misfit of what is nearest in the range of open choices
    nearest = min(max(published, low), high) - published if low < high else value - published
    start, end = claim.interval
    gap = 0.0 if start <= nearest <= end else max(start - nearest, nearest - end)
    border = min(_BINARY * abs(published), claim.cell.last_digit / 100)  # of 13 digits, too
    edge = claim.rule == "truncated" and abs(nearest) >= claim.cell.last_digit - border
    if claim.cell.bound:
        edge = claim.cell.bound in ("<", ">") and not low < high and abs(nearest) <= border
    if edge and not spread:
        gap = max(gap, claim.cell.last_digit / 2)  # the next number does not belong to it
    return Trial(
        *(gap, spread, runs, end - start, published, value),
        reading=world_text(world, claim.choices),
        width=chance + max(0.0, high - low) / 2,
        fits=gap <= chance + border,
        range=f" [{low:,.8g} to {high:,.8g}]" if low < high else "",
    )


def _number(claim: Claim, row: Row, column: str, default: float | None = None) -> float:
    value = row.get(column, default)
    if not isinstance(value, Real):
        got = "nothing (NaN is nothing)" if value is None else repr(value)[:60]
        raise LookupError(
            f"claim {claim.id} needs a number as {column}, got {got}; mend part {claim.part}, or "
            "say not-testable and why"
        )
    number = float(value)
    if column in ("se", "sd") and (number < 0 or math.isinf(number)):
        text = f"claim {claim.id} has the {column} {number:g} in part {claim.part}"
        raise LookupError(f"{text}; it must be finite, and 0 or more")
    return 0.0 if column in ("se", "sd") and math.isnan(number) else number


def _value_text(claim: Claim, trial: Trial) -> str:
    """Our value with two digits more than the printed one, so that the comparison is seen.

    It has more where these would put it on another side of an end of what the print allows.
    """

    def sides(value: float) -> list[float]:
        gaps = [value - trial.size - end for end in claim.interval]
        return [gap and math.copysign(abs(gap) > _BINARY * abs(trial.size), gap) for gap in gaps]

    exponent = int(claim.number.as_tuple().exponent)
    digits = max(0, -exponent + (2 if claim.rule != "exact" or trial.value % 1 else 0))
    while not trial.spread and sides(round(trial.value, digits)) != sides(trial.value):
        digits += 1
    value = f"{trial.value:,.{digits}f}"
    spread = f"{trial.spread:,.0f}" if trial.spread >= 100 else f"{trial.spread:.2g}"
    return f"{value} ± {spread}{trial.range}" if trial.spread else f"{value}{trial.range}"


# Statements.


def _judge_statement(
    claim: Claim, rows: Rows, printed: Printed, joints: Joints
) -> tuple[Judgement, list[Row]]:
    worlds, admitted = _worlds(claim, joints)
    used: list[Row] = []
    outcomes: list[tuple[World, list[Answer]]] = []
    claim_rows = selected(claim, rows)
    for row, column in product(claim_rows, ("se", "low", "high", "runs")):
        _number(claim, row, column, 0.0)
    seen_in = [_in_world(claim_rows, world) for world in worlds]
    for world, world_rows in zip(worlds, seen_in, strict=True):
        _check_choices(claim, world_rows, joints)
        answers = _answers(claim, world_rows, printed, claim.level, quiet=len(worlds) > 1)
        used += [row for answer in answers for row in answer.rows] or world_rows
        outcomes.append((world, answers))
    verdict = _verdict_of_borders(claim, [answers for _, answers in outcomes], admitted)
    beside, own = "", claim.level != LEVEL  # the paper's own level judges what it says of itself
    foreign = any(row.get("source") in SHAPE_ONLY for row in used)  # and gets no second verdict
    if own or (verdict == "undecided" and not foreign):
        level = LEVEL if own else _USUAL
        weaker = [_answers(claim, world_rows, printed, level, True) for world_rows in seen_in]
        if (other := _verdict_of_borders(claim, weaker, admitted)) != verdict or own:
            beside = f"With intervals of {100 - 100 * level:.4g} % it would be: {other}"
            if own:
                ours = f"Judged at the paper's own level, {100 - 100 * claim.level:.4g} %"
                beside = f"{ours}. {beside}"
    confirmed = verdict in ("holds", "holds-under-reading")
    best = next((outcome for outcome in outcomes if confirmed and outcome[1][0].true), outcomes[0])
    told = best[1]
    if len(worlds) > 1:
        told = _answers(claim, _in_world(claim_rows, best[0]), printed, claim.level)
    judgement = Judgement(
        verdict,
        _seen(claim, told),
        ". ".join(filter(None, (_counts(claim, outcomes, admitted), beside))),
        reading=world_text(best[0], claim.choices),
        outcomes=tuple((world_text(w, claim.choices) or "plain", a[0].true) for w, a in outcomes),
    )
    if verdict in ("holds", "holds-under-reading") and claim.null:
        judgement = _check_null(claim, judgement, rows, best[0], printed)
    return judgement, used


ANSWERS = {True: "holds", False: "fails", None: "is not seen"}


def _seen(claim: Claim, answers: Sequence[Answer]) -> str:
    """What was compared, at the first border; of the others the answer."""
    if len(answers) == 1:
        return answers[0].seen
    _, borders = criteria.with_borders(claim.criterion)
    pairs = zip(borders, answers, strict=True)
    ends = ", ".join(f"at {border:g} it {ANSWERS[answer.true]}" for border, answer in pairs)
    return f"{answers[0].seen.removeprefix(f'at {borders[0]:g}: ')}; {ends}"


def _check_choices(claim: Claim, rows: Iterable[Row], joints: Iterable[Joint]) -> None:
    """Refuse rows that depend on a choice of the paper which does not list the claim."""
    known = {choice.name for joint in joints for choice in joint.group.choices}
    for name in known - {choice.name for choice in claim.choices} - set(claim.conditions):
        if any(name in row for row in rows):
            raise LookupError(f"claim {claim.id} selects rows that depend on the choice {name!r}")


def _answers(
    claim: Claim, rows: Rows, printed: Printed, level: float, quiet: bool = False
) -> list[Answer]:
    witness = " ".join(dict.fromkeys(w for row in rows if isinstance(w := row.get("witness"), str)))
    if criteria.is_proof(claim.criterion) or not claim.criterion:
        return [Answer(_proof_result(claim, rows, "value"), witness)]
    try:
        answers = criteria.decide(claim.criterion, rows, printed, level, quiet=quiet)
    except ValueError as error:
        raise LookupError(f"claim {claim.id}: {error}") from error
    return [replace(answer, seen=witness) if witness else answer for answer in answers]


def _verdict_of_borders(claim: Claim, answers: Sequence[Sequence[Answer]], admitted: bool) -> str:
    """The verdict over all worlds at all borders; where these do not agree, it is ours.

    A border at which it is undecided agrees with none, even if only one world does not see it. A
    border at which it holds in some worlds contradicts none at which it holds in all.
    """
    verdicts = [
        _verdict_of_worlds(claim, [answer.true for answer in border], admitted)
        for border in zip(*answers, strict=True)
    ]
    seen = {verdict for verdict in verdicts if verdict != "undecided"}
    if seen == {"holds", "holds-under-reading"}:
        seen = {"holds-under-reading"}
    undecided = verdicts.count("undecided")
    if 2 * undecided >= len(verdicts) and len(seen) <= 1:
        return "undecided"
    return "shape-only" if undecided or len(seen) > 1 else seen.pop()


def _verdict_of_worlds(claim: Claim, answers: Sequence[bool | None], admitted: bool) -> str:
    if all(answers):
        return "holds"
    if all(answer is False for answer in answers):
        return STATEMENT_RULES[claim.rule]
    return "holds-under-reading" if admitted and any(answers) else "undecided"


def _counts(claim: Claim, outcomes: Sequence[tuple[World, list[Answer]]], admitted: bool) -> str:
    """In how many worlds a statement holds, at each border where they differ."""
    if len(outcomes) == 1:
        return ""
    which = "worlds that no number rules out" if admitted else "worlds, none of which is admitted,"
    _, at = criteria.with_borders(claim.criterion)
    texts = []
    for border in zip(*(answers for _, answers in outcomes), strict=True):
        answers = [answer.true for answer in border]
        counts = [(words, answers.count(answer)) for answer, words in ANSWERS.items()]
        texts.append(" and ".join(f"{words} in {count}" for words, count in counts if count))
    texts_used = texts[:1]
    if len({*texts}) > 1:
        texts_used = [f"{text} at {border:g}" for border, text in zip(at, texts, strict=True)]
    return f"Of {len(outcomes)} {which} {'; '.join(f'it {text}' for text in texts_used)}"


def _check_null(
    claim: Claim, judgement: Judgement, rows: Rows, world: World, printed: Printed
) -> Judgement:
    """Ask that the criterion fails where it must; one that cannot fail says nothing."""
    world_rows = _in_world(selected(claim, rows), world)
    if claim.null.startswith("wrong:"):
        fails = not _proof_result(claim, world_rows, "null")
    else:

        def instead(column: str, value: str) -> list[Row]:
            return _in_world(matching(rows, claim.conditions | {column: value}), world)

        null_rows = () if claim.part == PRINT else world_rows
        try:
            tries = criteria.under_null(claim.null, claim.criterion, null_rows, instead, printed)
        except ValueError as error:
            raise LookupError(f"claim {claim.id}, its null: {error}") from error
        fails = sum(bool(answers[0].true) for answers in tries) <= len(tries) / 2
    if fails:
        return replace(judgement, null="fails")
    note = "It holds under its null, too, so it says nothing"
    return replace(judgement, verdict="undecided", note=note, null="holds")


def _proof_result(claim: Claim, rows: Sequence[Row], column: str) -> bool:
    """The result of a proof's function, or its result under the null."""
    values = [row.get(column) for row in rows]
    if len(values) != 1 or values[0] not in (0, 1):
        raise LookupError(
            f"claim {claim.id} needs one true or false {column}, got {str(values)[:60]}; "
            f"mend its select ({claim.select!r})"
        )
    return bool(values[0])


def folded(verdicts: Mapping[str, Judgement], claims: Iterable[Claim]) -> dict[str, Judgement]:
    """Verdicts with those of rows that another row judges."""
    judged = dict(verdicts)
    for claim in (claim for claim in claims if claim.same_as):
        if claim.same_as not in judged:
            raise ValueError(f"claim {claim.id} is judged by {claim.same_as}, which is not there")
        judgement = judged[claim.same_as]
        note = f"judged by {claim.same_as}. {judgement.note}".rstrip(". ")
        judged[claim.id] = replace(judgement, note=note)
    return judged


# A paper's claims, judged by the results that are stored of its parts.


def parts_behind(claims: Iterable[Claim], only: Collection[str]) -> set[str]:
    """Parts that decide about some claims: theirs, those of all numbers of their groups, and of
    what they follow from.
    """
    by_id = {claim.id: claim for claim in claims}
    asked_claims = [by_id[by_id[name].same_as or name] for name in only]
    numbers = {name for claim in asked_claims for group in claim.groups for name in group.numbers}
    asked = {name for c in asked_claims for name in (c.id, c.follows) if name in by_id}
    return {part for name in numbers | asked for part in by_id[name].parts}


def read_results(paper: Paper, parts: Iterable[str], folder: Path) -> dict[str, Result]:
    """The stored results of some parts, without those that were never run."""
    results = ((part, read_result(paper.key, part, folder)) for part in parts)
    return {part: result for part, result in results if result is not None}


def judge_stored(
    paper: Paper, results: Mapping[str, Result], *, only: Collection[str] | None = None
) -> dict[str, Judgement]:
    """Judge claims by stored rows; a rule that is not the one of its run has no verdict."""
    claims = read_rules(paper)
    ids = {claim.id for claim in claims if only is None or claim.id in only}
    ids |= {claim.same_as for claim in claims if claim.id in ids and claim.same_as}
    stale = {claim.id for claim in claims if claim.id in ids and _has_changed(claim, results)}
    measured = {part: MeasuredRows(result.rows, result.source) for part, result in results.items()}
    judgements = judge(claims, measured, printer(claims), only=ids - stale)
    judgements |= dict.fromkeys(stale, Judgement("open", note="rule changed, not yet run"))
    return folded(judgements, [claim for claim in claims if claim.id in ids])


def _has_changed(claim: Claim, results: Mapping[str, Result]) -> bool:
    if claim.rule == "not-testable" or claim.same_as or not set(claim.parts) <= set(results):
        return False
    return any(results[part].rules.get(claim.id) != claim.rule_hash for part in claim.parts)
