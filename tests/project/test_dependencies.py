"""pyproject.toml, requirements.lock and environment.yml name the same packages and bounds."""

import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.helpers import ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT, TOOLS = PYPROJECT["project"], PYPROJECT["tool"]
EXTRAS = PROJECT["optional-dependencies"]
CAP = ",<3.15"  # of conda's Python: what is newer lacks builds of some packages

# Where conda-forge uses another name. An extra in brackets is a package of its own there.
CONDA_NAMES = {
    "igraph": ["python-igraph"],
    "playwright": ["playwright-python"],
    "dask[distributed]": ["dask", "distributed"],
}
# not relied on to be on conda-forge
ONLY_PIP = {
    "axe-playwright-python",
    "prv-accountant",
    "dp-accounting",
    "opendp",
    "sphinx-mathjax-offline",
    "sphinx-revealjs",
}


def declared(*extras):
    """Every requirement of pyproject.toml, core and extras, by its name with brackets."""
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in EXTRAS[extra])]
    results = {}
    for requirement in map(Requirement, lines):
        brackets = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
        results[canonicalize_name(requirement.name) + brackets] = requirement
    return {label: r for label, r in results.items() if r.name != PROJECT["name"]}


def conda(file):
    """Requirements of an environment.yml, and those of them that are left to pip."""
    listed = yaml.safe_load((ROOT / file).read_text())["dependencies"]
    plain = [Requirement(item) for item in listed if isinstance(item, str)]
    lists = [item["pip"] for item in listed if isinstance(item, dict)]
    by_pip = [Requirement(line) for lines in lists for line in lines]
    return {r.name: r.specifier for r in plain + by_pip}, {r.name for r in by_pip}


def complaints_of_the_lock(text, expected):
    """Faults of a lock, in sentences; several pins of a name are several platforms."""
    if "://" in text:
        yield "the lock names an address"
    pins, options = {}, re.compile(r"^\s*-(?!-hash=).*\n?", flags=re.M)
    yield from (f"the lock has the option {option.strip()}" for option in options.findall(text))
    text = options.sub("", text)
    for line in text.replace("\\\n", " ").splitlines():
        entry, *hashes = (part.strip() for part in line.split("--hash="))
        pin = Requirement(entry)
        pins.setdefault(canonicalize_name(pin.name), []).append(pin)
        if not hashes or not all(re.fullmatch(r"sha256:[0-9a-f]{64}", value) for value in hashes):
            yield f"{pin.name} has no proper hash"
    for requirement in expected:
        name = canonicalize_name(requirement.name)
        if name not in pins:
            yield f"{name} is not locked"
        for pin in pins.get(name, []):
            [version] = pin.specifier
            if version.operator != "==" or not requirement.specifier.contains(version.version):
                yield f"{pin} does not satisfy {requirement}"


@pytest.mark.parametrize(
    ("file", "extras"), [("requirements.lock", tuple(EXTRAS)), ("requirements-lab.lock", ("lab",))]
)
def test_a_lock_has_each_dependency_with_hashes_and_no_address(file, extras):
    expected = list(declared(*extras).values())
    if "scale" in extras:  # of an extra in brackets the package itself, too
        expected.append(Requirement("distributed"))
    assert [*complaints_of_the_lock((ROOT / file).read_text(), expected)] == []


def test_students_get_the_versions_that_were_tested_and_no_tools():
    pins = re.compile(r"^([\w.-]+)==(\S+)", flags=re.M)
    tested = pins.findall((ROOT / "requirements.lock").read_text())
    arguments = pins.findall((ROOT / "requirements-lab.lock").read_text())
    assert set(arguments) <= set(tested)
    tools = {canonicalize_name(Requirement(each).name) for each in EXTRAS["test"] + EXTRAS["docs"]}
    needed = {"jupyterlab", "setuptools", "psutil"}  # JupyterLab brings them
    assert {name for name, _ in arguments} & tools - needed == set()


def test_the_conda_environment_has_the_same():
    result, by_pip = conda("environment.yml")
    expected = {
        name: str(requirement.specifier)
        for label, requirement in declared(*EXTRAS).items()
        for name in CONDA_NAMES.get(label, [label])
    }
    python = SpecifierSet(PROJECT["requires-python"] + CAP)
    known = {name: SpecifierSet(each) for name, each in expected.items()}
    assert result == known | {"python": python, "pip": SpecifierSet()}
    assert by_pip == ONLY_PIP


def test_binder_has_core_and_lab_alone():
    result, by_pip = conda(".binder/environment.yml")
    expected = {label: requirement.specifier for label, requirement in declared("lab").items()}
    build = Requirement("setuptools>=80").specifier
    expected |= {"python": SpecifierSet(PROJECT["requires-python"] + CAP), "setuptools": build}
    assert result == expected | {"pip": SpecifierSet()}
    assert by_pip == ONLY_PIP & set(expected)


def test_python_has_one_lower_bound_and_all_means_every_extra():
    ruff = TOOLS["ruff"]["target-version"]
    assert PROJECT["requires-python"] == f">={ruff[2]}.{ruff[3:]}"
    [everything] = [Requirement(line) for line in EXTRAS["all"]]
    assert everything.extras == set(EXTRAS) - {"all"}


def test_make_and_ci_look_for_every_python_that_is_named():
    label = "Programming Language :: Python :: "
    named = [each.removeprefix(label) for each in PROJECT["classifiers"] if label + "3." in each]
    assert len(named) > 3
    for file in ("Makefile", ".ci/run"):
        [line] = [line for line in (ROOT / file).read_text().splitlines() if "python3.12" in line]
        matches = re.findall(r"\bpython(3\.\d+)", line)
        assert matches == named[::-1], f"{file}, the newest first"


def test_mypy_checks_for_the_python_that_runs_it():
    """numpy's newest types are for newer versions; read as for 3.11, they give false errors."""
    assert "python_version" not in TOOLS["mypy"]
