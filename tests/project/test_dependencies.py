"""pyproject.toml, requirements.lock and environment.yml name the same packages and bounds."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
LOCK = (ROOT / "requirements.lock").read_text()

# Where conda-forge uses another name. An extra in brackets is a package of its own there.
CONDA_NAMES = {
    "igraph": ["python-igraph"],
    "playwright": ["playwright-python"],
    "dask[distributed]": ["dask", "distributed"],
}
ONLY_PIP = {"opendp"}  # not relied on to be on conda-forge


def declared() -> dict[str, Requirement]:
    """Every requirement of pyproject.toml, core and extras, by its name with brackets."""
    lines = [*PROJECT["dependencies"], *(line for extra in EXTRAS.values() for line in extra)]
    found = {}
    for requirement in map(Requirement, lines):
        brackets = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
        found[canonicalize_name(requirement.name) + brackets] = requirement
    return {label: r for label, r in found.items() if r.name != PROJECT["name"]}


def conda() -> tuple[dict[str, Requirement], dict[str, Requirement]]:
    """Requirements of environment.yml: those of conda-forge, those left to pip."""
    listed = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    plain = [Requirement(item) for item in listed if isinstance(item, str)]
    by_pip = [
        Requirement(line) for item in listed if isinstance(item, dict) for line in item["pip"]
    ]
    return {r.name: r for r in plain}, {r.name: r for r in by_pip}


def complaints_of_the_lock(text: str, wanted: list[Requirement]) -> list[str]:
    """What is wrong with a lock, in sentences; several pins of a name are several platforms."""
    found = ["the lock names an address"] * ("://" in text)
    options = re.findall(r"^\s*-(?!-hash=).*\n?", text, flags=re.M)
    found += [f"the lock has the option {option.strip()}" for option in options]
    for option in options:
        text = text.replace(option, "")
    pins: dict[str, list[Requirement]] = {}
    for line in text.replace("\\\n", " ").splitlines():
        entry, *hashes = (part.strip() for part in line.split("--hash="))
        pin = Requirement(entry)
        pins.setdefault(canonicalize_name(pin.name), []).append(pin)
        if not hashes or not all(re.fullmatch(r"sha256:[0-9a-f]{64}", value) for value in hashes):
            found.append(f"{pin.name} has no proper hash")
    for requirement in wanted:
        name = canonicalize_name(requirement.name)
        found += [f"{name} is not locked"] * (name not in pins)
        for pin in pins.get(name, []):
            [version] = pin.specifier
            if version.operator != "==" or not requirement.specifier.contains(version.version):
                found.append(f"{pin} does not satisfy {requirement}")
    return found


def test_the_lock_has_each_dependency_with_hashes_and_no_address() -> None:
    # of an extra in brackets the package itself, too
    wanted = [*declared().values(), Requirement("distributed")]
    assert complaints_of_the_lock(LOCK, wanted) == []


def test_the_conda_environment_has_the_same() -> None:
    from_forge, by_pip = conda()
    wanted = {
        name: str(requirement.specifier)
        for label, requirement in declared().items()
        for name in CONDA_NAMES.get(label, [label])
    }
    found = {name: str(r.specifier) for name, r in (from_forge | by_pip).items()}
    assert found == wanted | {"python": PROJECT["requires-python"], "pip": ""}
    assert set(by_pip) == ONLY_PIP


def test_python_has_one_lower_bound_and_all_means_every_extra() -> None:
    ruff = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["target-version"]
    assert PROJECT["requires-python"] == f">={ruff[2]}.{ruff[3:]}"
    [everything] = [Requirement(line) for line in EXTRAS["all"]]
    assert everything.extras == set(EXTRAS) - {"all"}
