"""Worlds: what a text leaves open about the program that its authors ran, tried as a whole.

A choice has options; a world takes one of each. Choices that share a number, directly or over
others, are one group, and its worlds are all combinations. A joint test over all numbers of the
group says which worlds the print admits, by two statistics: the largest misfit, in standard errors,
at a level that is shared among the numbers, so that it is valid however they depend on each other;
and the squares of all misfits of a table, summed at a level that is shared among the tables, so
that a table that is off as a whole is seen. In this sum numbers of one draw count once, by the mean
of their squares: at small levels no correlation makes it larger than the square of one (Székely and
Bakirov 2003). Draws are independent where the paper says by which columns they differ; else all of
a table are one.
The worst tenth of the numbers is left out only where no world passes otherwise.

A table that no world fits chooses none, and one that another program gave chooses for
itself alone. A world with the values of an earlier one and other error bars is none.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import translate
from functools import cached_property
from itertools import product
from statistics import fmean

from claimbook.chance import JOINT_LEVEL, JOINT_RUNS, POWER, WIDE, deviation, quantile, squares

MOST_WORLDS = 12
_MISPRINTS = 10  # one number in so many may be a misprint

World = tuple[tuple[str, str], ...]  # choice and option, in the order of the choices


@dataclass(frozen=True)
class Choice:
    """One open choice: options in the order in which they are tried, the plain one first."""

    name: str
    options: tuple[str, ...]
    touches: tuple[str, ...] = ()

    def touch(self, claim: str) -> bool:
        """True if it touches the claim of this id."""
        return claim in self.touches or self._matches(claim) is not None

    @cached_property
    def _matches(self) -> Callable[[str], re.Match[str] | None]:
        patterns = [translate(ids) for ids in self.touches if re.search(r"[*?[]", ids)]
        return re.compile("|".join(patterns or ["(?!)"])).match  # that one matches nothing


@dataclass(frozen=True)
class Group:
    """Choices that are crossed, and the rules of all numbers that they govern."""

    choices: tuple[Choice, ...]
    numbers: tuple[str, ...] = ()
    text: str = ""  # all that decides which worlds are admitted

    @property
    def worlds(self) -> list[World]:
        """All combinations: the plain one first, then those that differ from it in few choices."""
        return combined(self.choices)


def combined(choices: Sequence[Choice]) -> list[World]:
    """Worlds of some choices, in the order in which they are tried.

    Examples
    --------
    >>> both = [Choice("cut", ("whole", "pieces")), Choice("ties", ("first", "any"))]
    >>> [world_text(world, both) for world in combined(both)]
    ['', 'cut: pieces', 'ties: any', 'cut: pieces; ties: any']
    """
    names = [choice.name for choice in choices]
    places = product(*(range(len(choice.options)) for choice in choices))
    ordered = sorted(places, key=lambda p: (sum(map(bool, p)), [not i for i in p], p))
    options = ([c.options[i] for c, i in zip(choices, p, strict=True)] for p in ordered)
    return [tuple(zip(names, chosen, strict=True)) for chosen in options]


def world_text(world: World, choices: Iterable[Choice]) -> str:
    """A world in words: where it departs from the plain one."""
    plain = {choice.name: choice.options[0] for choice in choices}
    return "; ".join(f"{name}: {option}" for name, option in world if option != plain[name])


def within(world: World, choices: Iterable[Choice]) -> World:
    """The part of a world that some choices see."""
    names = {choice.name for choice in choices}
    return tuple(pair for pair in world if pair[0] in names)


def grouped(choices: Sequence[Choice], numbers: Iterable[tuple[str, str]]) -> tuple[Group, ...]:
    """Groups of choices that share numbers, given as ids with everything that affects them.

    Raises
    ------
    ValueError
        If a group has more than `MOST_WORLDS` worlds.
    """
    numbers = list(numbers)
    sets = [[choice] for choice in choices]
    for name, _ in numbers:
        joined = [group for group in sets if any(choice.touch(name) for choice in group)]
        if len(joined) > 1:
            sets = [group for group in sets if group not in joined]
            sets.append([choice for group in joined for choice in group])
    groups = []
    for members in sets:
        group_choices = tuple(choice for choice in choices if choice in members)
        if (count := math.prod(len(choice.options) for choice in group_choices)) > MOST_WORLDS:
            names = ", ".join(choice.name for choice in group_choices)
            raise ValueError(f"{names} have {count} worlds together, {MOST_WORLDS} are the most")
        seen = [(n, core) for n, core in numbers if any(c.touch(n) for c in group_choices)]
        options = ["\x1d".join((choice.name, *choice.options)) for choice in group_choices]
        text = "\x1e".join([*options, *(core for _, core in seen)])
        groups.append(Group(group_choices, tuple(n for n, _ in seen), text))
    return tuple(groups)


@dataclass(frozen=True)
class Reach:
    """A measured number with its printed value: the gap, and the gap that chance allows.

    ``gap`` is the distance to what the print leaves open, ``spread`` one standard error of both
    sides, ``runs`` those behind it, ``open`` the width that the print leaves open, ``size`` the
    printed number, ``value`` the measured one.
    """

    gap: float
    spread: float
    runs: float
    open: float
    size: float
    value: float = math.nan

    @property
    def deviation(self) -> float:
        """The gap as a deviation of the normal law, which its standard error gives."""
        return deviation(self.gap / self.spread, self.runs)

    def reach(self, numbers: int) -> float:
        """The misfit that chance allows at the level shared by so many numbers."""
        if not self.spread:
            return 0.0
        return quantile(self.runs, JOINT_LEVEL / numbers) * self.spread

    def passes(self, numbers: int) -> bool:
        """True if it fits at that level."""
        return self.gap <= self.reach(numbers) + 1e-12 * abs(self.size)

    def seen(self, numbers: int) -> float:
        """Relative error of a world that is large enough for this number to rule it out.

        In nine of ten draws, and wherever in its rounding the print stands.
        """
        power = quantile(self.runs, 2 * (1 - POWER)) * self.spread if self.spread else 0.0
        return (self.open + self.reach(numbers) + power) / abs(self.size) if self.size else math.inf


@dataclass(frozen=True)
class Joint:
    """The joint test of a group: admitted worlds, and the numbers that rule out the others."""

    group: Group
    admitted: tuple[World, ...] = ()
    count: int = 0  # numbers that take part
    left_out: tuple[str, ...] = ()  # with too few runs
    allowed: int = 0  # misprints
    refused: Mapping[World, tuple[str, ...]] = field(default_factory=dict)  # by these numbers
    unseen: Mapping[World, tuple[str, ...]] = field(default_factory=dict)  # numbers not run there
    off: Mapping[World, tuple[str, ...]] = field(default_factory=dict)  # tables, as a whole
    power: float = math.inf  # share of the print: of the number that sees most
    least: tuple[float, str] = (0.0, "")  # of the one that sees least, and its id
    nearest: World = ()  # where none is admitted: that with the smallest largest miss
    miss: tuple[tuple[float, str], tuple[float, str]] = ((0.0, ""), (0.0, ""))  # of print, errors

    table: str = ""  # the one that chooses for itself
    without: tuple[str, ...] = ()  # tables that no world fits

    @property
    def decides(self) -> bool:
        """True if it admits worlds, and would have seen one that is off by a tenth."""
        return bool(self.admitted) and self.power <= WIDE

    @property
    def worlds(self) -> Sequence[World]:
        """Those that judge statements: the admitted, if the test decides, else all."""
        return self.admitted if self.decides else tuple(self.refused) or self.group.worlds

    @property
    def chosen(self) -> World:
        """The world that judges the numbers."""
        return (self.admitted or self.group.worlds)[0]

    @property
    def name(self) -> str:
        """The choices of the group, and its table if it has only one."""
        names = " and ".join(choice.name for choice in self.group.choices)
        return f"{names} for {self.table}" if self.table else names

    @property
    def outcome(self) -> str:
        """Number of values that choose, their level, and the worlds that they admit."""
        if not self.count:
            return f"{self.name}: no number can choose, so every world stands"
        less = f", the worst {self.allowed} of them left out" if self.allowed else ""
        text = f"{self.name}: {self.count} number{'s' * (self.count > 1)}{less}, level "
        text += f"{JOINT_LEVEL:g}. "
        if self.without:
            text += f"No world fits {' or '.join(self.without)}: left out. "
        if not self.admitted:
            (share, name), (errors, worst) = self.miss
            near = world_text(self.nearest, self.group.choices) or "plain"
            text += "None is admitted (numbers: by the plain one, statements: by all). Nearest: "
            text += f"{near}, at most {100 * share:.3g} % off, in {name.partition(':')[2]}"
            if errors:
                where = "there" if worst == name else f"in {worst.partition(':')[2]}"
                text += f", and {errors:.2g} standard errors, {where}"
            whole = (f"; {table} is off as a whole" for table in self.off[self.nearest])
            return text + "".join(whole)
        names = [world_text(world, self.group.choices) or "plain" for world in self.admitted]
        text += f"{'Admitted' if self.decides else 'Not ruled out'}: {' | '.join(names)}"
        share, name = self.least
        if not share:
            return text
        far = f"{100 * share:.3g} % off in {name.partition(':')[2]}, which sees least,"
        text += f". A world {far} is rejected in 9 of 10 draws"
        return text if self.decides else f"{text}: too weak a test to admit any"

    def __str__(self) -> str:
        if not self.count:
            return self.outcome
        names = {w: world_text(w, self.group.choices) or "plain" for w in self.refused}
        counts = "; ".join(f"{name} {self.refusals(world)}" for world, name in names.items())
        text = f"{self.outcome}. Numbers that rule it out: {counts}"
        if self.left_out:
            text += f". Fewer than {JOINT_RUNS} runs, so left out: {len(self.left_out)}"
        return text

    def refusals(self, world: World) -> str:
        """How many of the numbers measured in a world rule it out."""
        unseen = len(self.unseen.get(world, ()))
        run = f" ({unseen} not run)" if unseen else ""
        off = "".join(f" and {table or 'all'} as a whole" for table in self.off.get(world, ()))
        return f"{len(self.refused.get(world, ()))} of {self.count - unseen}{run}{off}"


Tables = Mapping[str, tuple[str, str]]  # id of a number -> its table, and its draw there
Reaches = Mapping[str, Reach | None]  # id of a number -> how far it is; None where nobody ran it
Numbers = Mapping[str, Callable[[World], Reach | None]]  # the same for each world


def joint_tests(
    group: Group, numbers: Numbers, tables: Tables, others: Collection[str] = ()
) -> dict[str, Joint]:
    """The joint test of a group, under "", and those of the tables that choose for themselves.

    These are tables of other programs, and those that no world fits where it fits some.
    """
    mine: dict[str, dict[str, Callable[[World], Reach | None]]] = defaultdict(dict)
    for name, reach in numbers.items():
        mine[tables[name][0]][name] = reach
    alone = {table: joint_test(group, those, tables) for table, those in mine.items()}
    mixed = {table: joint for table, joint in alone.items() if table not in others and joint.count}
    misfits = {table for table, joint in mixed.items() if not joint.admitted}
    if len(misfits) == len(mixed):
        misfits = set()  # they are off together
    chosen = [table for table in alone if table in others or table in misfits]
    apart = {table: replace(alone[table], table=table) for table in chosen}
    rest = {name: reach for name, reach in numbers.items() if tables[name][0] not in apart}
    return {"": replace(joint_test(group, rest, tables), without=tuple(sorted(misfits)))} | apart


def joint_test(group: Group, numbers: Numbers, tables: Tables | None = None) -> Joint:
    """Test each world of a group on all its numbers.

    Parameters
    ----------
    group : Group
    numbers : mapping
        Id of a number -> world -> how far it is from its print there; None where nobody ran it.
    tables : mapping, optional
        Id of a number -> its table and its draw; by default all are of one table and draw.
    """
    worlds = group.worlds
    reaches = {name: [reach(world) for world in worlds] for name, reach in numbers.items()}
    drawn = {name: [r for r in row if r and r.spread] for name, row in reaches.items()}
    few = {name for name, row in drawn.items() if any(r.runs < JOINT_RUNS for r in row)}
    part = {name: row for name, row in reaches.items() if name not in few and any(row)}
    left_out = tuple(name for name in reaches if name in few)
    if not part:
        return Joint(group, left_out=left_out)
    count = len(part)
    cells: dict[World, Reaches] = {}
    refused, unseen, off = {}, {}, {}
    for place, world in enumerate(worlds):
        here = {name: row[place] for name, row in part.items()}
        if any(_other_bars(here, earlier) for earlier in cells.values()):
            continue
        cells[world] = here
        refused[world] = tuple(n for n, r in here.items() if r and not r.passes(count))
        unseen[world] = tuple(n for n, r in here.items() if not r)
        off[world] = _off(here, refused[world], tables or {})
    whole = [world for world, missing in unseen.items() if not missing]
    for allowed in (0, count // _MISPRINTS):
        admitted = tuple(w for w in whole if len(refused[w]) <= allowed and not off[w])
        if admitted:
            break
    tested = Joint(group, admitted, count, left_out, 0, refused, unseen, off)
    if not admitted:
        near = min(whole or cells, key=lambda world: _miss(cells[world]))
        return replace(tested, nearest=near, miss=_miss(cells[near]))
    seen = {n: (r.seen(count), bool(r.spread)) for n, r in cells[admitted[0]].items() if r}
    by_chance = [far for far, chance in seen.values() if chance]  # an exact number sees all
    power = min(by_chance or [far for far, _ in seen.values()])
    finite = ((far, name) for name, (far, _) in seen.items() if far < math.inf)
    return replace(tested, allowed=allowed, power=power, least=max(finite, default=(0.0, "")))


def _other_bars(here: Reaches, earlier: Reaches) -> bool:
    """True if a world has the values of an earlier one, and error bars alone are others."""
    pairs = [(a, b) for a, b in zip(here.values(), earlier.values(), strict=True) if a or b]
    same = all(a and b and a.value == b.value for a, b in pairs)
    return same and any(a and b and a.spread != b.spread for a, b in pairs)


def _off(reaches: Reaches, left_out: Iterable[str], tables: Tables) -> tuple[str, ...]:
    """Tables that are off as a whole: their squares sum to more than chance allows."""
    draws: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for name, reach in reaches.items():
        if reach and reach.spread and name not in left_out:
            table, draw = tables.get(name, ("", ""))
            draws[table][draw].append(reach.deviation**2)
    return tuple(
        table
        for table, drawn in draws.items()
        if sum(map(fmean, drawn.values())) > squares(len(drawn), JOINT_LEVEL / len(draws))
    )


def _miss(reaches: Reaches) -> tuple[tuple[float, str], tuple[float, str]]:
    """The largest misses of a world, as a share of the print and in standard errors, with ids."""
    known = [(r, name) for name, r in reaches.items() if r]
    shares = ((abs(r.gap / r.size), name) for r, name in known if r.size)
    errors = ((r.gap / r.spread, name) for r, name in known if r.spread)
    return max(shares, default=(0.0, "")), max(errors, default=(0.0, ""))
