"""Every public function with generated inputs: what means the same gives the same, and what
means nothing is refused in a sentence that names the argument, soon and without a crash.

An input is one call. ``pytest tests/generated -m verify --hypothesis-seed 7`` tries other ones.
"""

import inspect
import pkgutil
import re
from importlib import import_module
from itertools import chain

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import pplab
from tests.generated import judge as asks
from tests.generated import table
from tests.generated.inputs import read

# Hypothesis also draws the constants of all modules imported by then: have the same in each run.
for _package in map(import_module, ("pplab", "smoothbound", "claimbook", "pplab_papers")):
    for _module in pkgutil.walk_packages(_package.__path__, f"{_package.__name__}."):
        if not _module.name.endswith("__main__"):
            import_module(_module.name)

MANY = settings().max_examples > 100  # make verify
PARTS = 8  # of the table, so that processes can share it
# How often each row of the table is asked, and with how many inputs at a time.
TIMES = {"agree": 30 if MANY else 2, "odd": 30 if MANY else 2, "malformed": 8 if MANY else 2}
TIMES["neighbours"] = 30 if MANY else 4
INPUTS = {"agree": 4, "odd": 4, "malformed": 2, "neighbours": 2}
ROWS = {
    "agree": [row for row in table.ROWS if row.call not in table.SLOW_TO_ANSWER],
    "odd": [row for row in table.ROWS if row.kinds],
    "malformed": [row for row in table.ROWS if asks.may_be_sparse(row)],
    "neighbours": [row for row in table.ROWS if asks.may_be_framed(row)],
}


def doors_asked(ask, rows):
    """One question of a kind about each row, in one list."""
    make = {
        "agree": lambda row: st.lists(
            asks.agreeing(row, INPUTS["agree"] - 1), min_size=1, max_size=1
        ),
        "odd": lambda row: st.lists(asks.odd(row), min_size=INPUTS["odd"], max_size=INPUTS["odd"]),
        "malformed": lambda row: st.lists(asks.malformed(row), min_size=2, max_size=2),
        "neighbours": lambda row: st.lists(asks.neighbours(row), min_size=1, max_size=1),
    }[ask]
    return st.tuples(*map(make, rows))


@pytest.fixture(scope="module")
def judge():
    made = asks.Judge()
    yield made
    made.close()


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("ask", TIMES)
def test_generated_inputs(ask, part, judge, record_property, pytestconfig):
    """Always the same inputs, or those of `--hypothesis-seed`."""
    report, always = asks.Report(), pytestconfig.getoption("--hypothesis-seed") is None

    @settings(
        max_examples=TIMES[ask], derandomize=always, database=None, deadline=None,
        phases=[Phase.generate], suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(doors_asked(ask, ROWS[ask][part::PARTS]))
    def ask_all(cases):
        for case in chain(*cases):
            report.add(judge.verdict(case))

    ask_all()
    record_property("inputs", report.counts["inputs"])
    assert not report.shortest, str(report)


# NaN at every door, as a number and as one cell of a table or a list.


def without_a_number(row):
    """Name of an argument, texts of a call in which it is or holds NaN, the sentence promised."""
    calls = [row.valid(seed) for seed in range(30)]
    for name, kind in row.kinds.items():
        words = "|".join(asks.NAMES.get(name, (name,)))
        if is_number(kind):
            yield (
                name,
                asks._usual(row, calls[0]) | {name: "np.nan"},
                rf"({words}) must .*, got nan",
            )
        listed = [valid for valid in calls if re.match(r"[\[(]+[\d.]", valid[name])]
        for valid in listed[:1]:
            forms = ["changed({}, np.nan)", "changed({}, np.nan).tolist()"]
            if re.match(r"\[\[.*[1-9]", valid[name]):
                forms.append("stored(sparse.csr_array({}), np.nan)")
            for form in forms:
                texts = asks._usual(row, valid) | {name: form.replace("{}", valid[name])}
                yield name, texts, rf"({words})(\[\d\])? must .*, got .+"


def is_number(kind):
    """True if an argument may be a number, and is neither a table nor anything at all."""
    numbers = (0.5, 0.75, 1, 2, 3, 5, 9, 100)
    return not kind.shape and any(map(kind.legal, numbers)) and not kind.legal("x")


def test_nan_is_refused_by_the_sentence_of_the_door(judge):
    complaints, asked = [], 0
    for row in ROWS["odd"]:
        for name, texts, sentence in without_a_number(row):
            if not row.kinds[name].legal(asks._value(texts[name])):
                call, asked = asks.written(row.call, texts), asked + 1
                case = {"ask": "example", "call": call, "wanted": sentence, "valid": {}}
                if result := judge.verdict(case)["complaint"]:
                    complaints.append(f"{call}\n    {result}")
    assert not complaints, "\n".join(complaints)
    assert asked > 350


def test_there_are_enough_of_them():
    asked = sum(TIMES[ask] * INPUTS[ask] * len(ROWS[ask]) for ask in TIMES)
    assert asked >= (21_000 if MANY else 1_000)  # few of them are none that numpy or scipy makes


def test_what_went_wrong_once(judge):
    match = [re.fullmatch(r"([^:(]+): (.+) -> (.+)", entry) for entry in read("examples.txt")]
    cases = [{"ask": "example", "call": one[2], "wanted": one[3], "valid": {}} for one in match]
    complaints = [(case, result) for case in cases if (result := judge.verdict(case)["complaint"])]
    assert not complaints, "\n".join(map(str, complaints))


def test_every_public_function_and_argument_has_its_row():
    topics = [import_module(f"pplab.{topic}") for topic in table.TOPICS]
    public = {name: getattr(home, name) for home in (pplab, *topics) for name in home.__all__}
    rows = " ".join(row.call for row in table.ROWS)
    missing = [
        name
        for name, thing in public.items()
        if callable(thing) and not (isinstance(thing, type) and not hasattr(thing, "sample"))
        if name not in table.ELSEWHERE and not re.search(rf"\b{name}\b", rows)
    ]
    assert not missing, f"add a call of {missing} to tests/generated/functions.txt"
    for row in table.ROWS:
        arguments = set(inspect.signature(eval(row.call, vars(table))).parameters)
        wrong = arguments ^ set(row.kinds)
        assert not wrong, f"{row.call}: tests/generated/functions.txt lacks, or has, {wrong}"
