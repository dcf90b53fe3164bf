"""Mutants of the code that draws noise, states a level or judges a person: how many do tests kill?

    make mutants MUTANTS_ARGS="--most 20 pplab/response"

Cosmic Ray makes the mutants. Of each file a seeded sample of places is drawn, and one mutant of
each; one that changes annotations alone is not a mutant. They are tried one by one in a copy of
what git knows, against the tests that are named here and the file's own examples, so `make test`
may kill more. Tests that run five times as long as without a mutant count as failed. Compiled files
run with numba off.
"""

import argparse
import ast
import os
import random
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

from cosmic_ray.commands.init import _all_work_items as all_work_items
from cosmic_ray.mutating import mutate_and_test, mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_item import TestOutcome

ROOT = Path(__file__).parents[1]
TREE = ROOT / "build" / "mutants" / "tree"
SEED, MOST = 49, 200
TABLE = "tests/test_every_mechanism.py tests/test_refusals.py"
LISTED = f"{TABLE} -k 'listed or door or value'"
RECOMMENDERS = f"{TABLE} -k 'added or choices or value'"
SOCIAL = "tests/recommenders/test_social_privacy.py tests/recommenders/test_social_doors.py"
OWN = {  # runs of tests of a file, the quickest first; a folder stands for files without a row
    "pplab/response": ("tests/response -k 'not memory and not independent'", LISTED),
    "pplab/response/levels.py": (
        "tests/response/test_levels.py",
        "tests/response/test_mechanism.py",
    ),
    "pplab/response/_flips.py": ("tests/response tests/golden -k 'law_of_a_cell or noise_graph'",),
    "pplab/counts": ("tests/counts", f"{TABLE} -k 'NoisyCount or TopItem or value'"),
    "pplab/theory": ("tests/theory tests/response/test_mechanism.py", LISTED),
    "pplab/tradeoff.py": ("tests/theory/test_exact.py tests/counts/test_counts.py", TABLE),
    "pplab/recommenders/private.py": ("tests/recommenders/test_private.py", RECOMMENDERS),
    "pplab/recommenders/clusters.py": ("tests/recommenders/test_clusters.py", SOCIAL, RECOMMENDERS),
    "pplab/recommenders/recommend.py": (
        "tests/recommenders/test_recommend.py", SOCIAL, RECOMMENDERS
    ),
    "pplab/attacks/auditor.py": ("tests/attacks/test_auditor.py", f"{TABLE} -k person"),
    "pplab/attacks/membership.py": ("tests/attacks/test_sybil.py", f"{TABLE} -k person"),
    "pplab/attacks/person.py": ("tests/attacks/test_person.py", f"{TABLE} -k person"),
    "pplab/attacks/protocol.py": ("tests/attacks/test_arena.py",),
    "pplab/metrics": ("tests/metrics tests/test_refusals.py",),
    **{
        f"packages/claimbook/{name}.py": (f"tests/claimbook/test_{name}.py", *more)
        for name, *more in (
            ("verdicts",),
            ("worlds", "tests/claimbook/test_verdicts.py"),
            ("criteria", "tests/claimbook/test_verdicts.py"),
        )
    },
}  # fmt: skip


def files(asked):
    """Files to mutate, with the runs of their tests."""
    for name, tests in OWN.items():
        inside = [ROOT / name] if name.endswith(".py") else sorted((ROOT / name).glob("*.py"))
        if not all(path.is_file() for path in inside or [ROOT / name]):
            sys.exit(f"{name} is not here: mend OWN in benchmarks/_mutants.py")
        for path in inside:
            file = path.relative_to(ROOT).as_posix()
            own = file == name or (file not in OWN and path.name != "__init__.py")
            if own and any(file.startswith(part) for part in asked or [""]):
                examples = [file] if ">>> " in path.read_text(encoding="utf-8") else []
                yield file, (*examples, *tests, "tests/test_refusals.py")


def meaning(code):
    """Code without annotations, which no function here reads."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            if getattr(node, name, None) is not None:
                setattr(node, name, ast.Constant(0))
    return ast.dump(tree)


def sample(file, most):
    """A seeded mutant of each of so many seeded places, and the number of places."""
    text = (TREE / file).read_text(encoding="utf-8")
    places = {}
    for item in all_work_items([TREE / file], {}):
        [mutation] = item.mutations
        places.setdefault((mutation.start_pos, mutation.end_pos), []).append(mutation)
    rng, whole, chosen = random.Random(SEED), meaning(text), []
    for place in rng.sample(sorted(places), len(places)):
        mutation = rng.choice(places[place])
        operator = get_operator(mutation.operator_name)(**mutation.operator_args)
        if meaning(mutate_code(text, operator, mutation.occurrence)) != whole:
            chosen.append(mutation)
        if len(chosen) == most:
            break
    return chosen, len(places)


def interval(killed, tried):
    """Wilson's 95 % interval of a share."""
    z, share = 1.96, killed / tried
    middle = (share + z**2 / (2 * tried)) / (1 + z**2 / tried)
    half = z / (1 + z**2 / tried) * (share * (1 - share) / tried + z**2 / (4 * tried**2)) ** 0.5
    return max(middle - half, 0.0), min(middle + half, 1.0)


def copy():
    """Copy what git knows, as it stands, into a folder of its own."""
    shutil.rmtree(TREE, ignore_errors=True)
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True, text=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, TREE / name)


def tried(file, tests, most):
    """Mutants of one file that were tried, and those that no test killed, as differences."""
    options = "-q -x -p no:xdist -p no:cacheprovider"
    if Path(file).name.startswith("_"):
        os.environ["NUMBA_DISABLE_JIT"] = "1"
        options += " -W ignore::RuntimeWarning"  # whole numbers run over, as compiled ones do
    else:
        os.environ.pop("NUMBA_DISABLE_JIT", None)
    python = shlex.quote(str(ROOT / ".venv" / "bin" / "python"))
    runs = " && ".join(f"{python} -m pytest {options} {run}" for run in tests)
    command = shlex.join(["sh", "-c", runs])
    limit = []
    for _ in range(2):  # the first time functions are compiled
        start = time.monotonic()
        process = subprocess.run(shlex.split(command), capture_output=True, text=True, check=False)
        limit.append(5 * (time.monotonic() - start) + 10)
        if process.returncode:
            sys.exit(f"{file}: its tests fail without a mutant:\n{process.stdout[-3000:]}")
    chosen, places = sample(file, most)
    survivors = []
    for mutation in chosen:
        result = mutate_and_test([mutation], command, limit[1])
        if result.test_outcome is TestOutcome.INCOMPETENT:
            sys.exit(f"{file}: a mutant could not be tried:\n{result.output}")
        if result.test_outcome is TestOutcome.SURVIVED:
            survivors.append(result.diff)
    return len(chosen), places, survivors


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", help="beginnings of paths; all by default")
    parser.add_argument("--most", type=int, default=MOST, help=f"mutants of a file ({MOST})")
    asked = parser.parse_args()
    copy()
    os.chdir(TREE)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(TREE), str(TREE / "packages")])
    os.environ.pop("PPLAB_DATA", None)
    for file, tests in files(asked.files):
        count, places, survivors = tried(file, tests, asked.most)
        killed = count - len(survivors)
        low, high = interval(killed, count) if count else (0.0, 1.0)
        print("\n".join(survivors))
        print(
            f"{file}: {killed} of {count} killed ({low:.0%} to {high:.0%}), {places} places",
            flush=True,
        )


if __name__ == "__main__":
    main()
