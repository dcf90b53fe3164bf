"""pyproject.toml, requirements.lock and environment.yml name the same packages and bounds."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]

# Where conda-forge uses another name. An extra in brackets is a package of its own there.
CONDA_NAMES = {
    "igraph": ["python-igraph"],
    "playwright": ["playwright-python"],
    "dask[distributed]": ["dask", "distributed"],
}
ONLY_PIP = {"opendp", "pymatching"}  # not relied on to be on conda-forge
# What environment.yml needs beside the dependencies.
CONDA_ITSELF = {"python", "pip"}


def _project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def declared() -> dict[str, Requirement]:
    """Every requirement of pyproject.toml, core and extras, by its name with brackets."""
    project = _project()
    extras = project["optional-dependencies"]
    lines = project["dependencies"] + [line for name in extras for line in extras[name]]
    requirements = [Requirement(line) for line in lines]
    return {_label(r): r for r in requirements if r.name != project["name"]}


def _label(requirement: Requirement) -> str:
    extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
    return canonicalize_name(requirement.name) + extras


def locked() -> list[tuple[Requirement, list[str]]]:
    """Entries of requirements.lock, each with its hashes."""
    text = (ROOT / "requirements.lock").read_text().replace("\\\n", " ")
    entries = []
    for line in text.splitlines():
        requirement, *hashes = line.split("--hash=")
        entries.append((Requirement(requirement.strip()), [item.strip() for item in hashes]))
    return entries


def conda() -> tuple[dict[str, Requirement], dict[str, Requirement]]:
    """Requirements of environment.yml: those of conda-forge, those left to pip."""
    listed = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    plain = [Requirement(item) for item in listed if isinstance(item, str)]
    by_pip = [
        Requirement(line) for item in listed if isinstance(item, dict) for line in item["pip"]
    ]
    return {r.name: r for r in plain}, {r.name: r for r in by_pip}


def unsatisfied(
    requirement: Requirement, entries: list[tuple[Requirement, list[str]]]
) -> list[str]:
    """What is wrong with a requirement's locked versions; several are several platforms."""
    name = canonicalize_name(requirement.name)
    pins = [entry for entry, _ in entries if canonicalize_name(entry.name) == name]
    if not pins:
        return [f"{name} is not in requirements.lock"]
    wrong = []
    for pin in pins:
        [specifier] = pin.specifier
        if specifier.operator != "==" or not requirement.specifier.contains(specifier.version):
            wrong.append(f"{pin} does not satisfy {requirement}")
    return wrong


@pytest.mark.parametrize("label", sorted(declared()))
def test_the_lock_satisfies_each_dependency(label: str) -> None:
    assert unsatisfied(declared()[label], locked()) == []


def test_an_extra_in_brackets_locks_its_package() -> None:
    assert unsatisfied(Requirement("distributed"), locked()) == []


def test_every_locked_entry_has_hashes_and_no_address() -> None:
    for requirement, hashes in locked():
        assert hashes, f"{requirement} has no hash"
        for value in hashes:
            assert re.fullmatch(r"sha256:[0-9a-f]{64}", value), f"{requirement}: {value}"
        assert requirement.url is None, f"{requirement} names an address"


def test_the_lock_has_nothing_but_names_versions_and_hashes() -> None:
    text = (ROOT / "requirements.lock").read_text()
    assert "://" not in text
    assert not re.findall(r"^\s*-(?!-hash=)", text, flags=re.M)


@pytest.mark.parametrize("label", sorted(declared()))
def test_the_conda_environment_has_each_dependency(label: str) -> None:
    requirement = declared()[label]
    from_forge, by_pip = conda()
    where = by_pip if label in ONLY_PIP else from_forge
    for name in CONDA_NAMES.get(label, [label]):
        assert name in where, f"environment.yml lacks {name}"
        assert where[name].specifier == requirement.specifier, name


def test_the_conda_environment_has_nothing_else() -> None:
    from_forge, by_pip = conda()
    expected = {name for label in declared() for name in CONDA_NAMES.get(label, [label])}
    assert set(from_forge) | set(by_pip) == expected | CONDA_ITSELF
    assert set(by_pip) == ONLY_PIP


def test_python_has_one_lower_bound() -> None:
    project = _project()
    assert str(conda()[0]["python"].specifier) == project["requires-python"]
    target = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["target-version"]
    assert project["requires-python"] == f">={target[2]}.{target[3:]}"


def test_all_means_every_extra() -> None:
    extras = _project()["optional-dependencies"]
    [everything] = [Requirement(line) for line in extras["all"]]
    assert everything.extras == set(extras) - {"all"}


def test_a_wrong_lock_is_noticed() -> None:
    entries = [(Requirement("numpy==1.26.0"), ["sha256:0"])]
    assert unsatisfied(Requirement("numpy>=2.1"), entries) == [
        "numpy==1.26.0 does not satisfy numpy>=2.1"
    ]
    assert unsatisfied(Requirement("scipy>=1.14"), entries) == ["scipy is not in requirements.lock"]
