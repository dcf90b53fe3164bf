"""Nothing of one machine, no registry address, no large file and no real data in the project."""

import re
import shutil

from tests.helpers import ROOT, ended

LARGEST = 2 * 1024 * 1024  # bytes

# Written in pieces, so that this file does not find itself.
LEAKS = {
    "a path of one machine": re.compile(
        r"(?<![\w./<])/(?:"
        + "|".join(("work", "root", "home/[a-z]", "Users/[A-Za-z]"))
        + r")[\w-]*/"
        r"|[A-Z]:\\+Users\\|/tmp/ipykernel_" + r"\d"
    ),
    "the address of a package registry": re.compile(
        "|".join((r"py" + r"pi\.org", "python" + r"hosted\.org", r"/simple/?(?=[\s\"']|$)"))
        + r"|(?<![\w-])--(?:extra-)?index"
        + r"-url|(?<![\w-])--find"
        + "-links",
        flags=re.I,
    ),
}
RAW_DATA = re.compile(
    r"u\.(?:data|item|user|genre|info|occupation)|u[1-5ab]\.(?:base|test)"
    r"|ml-100k.*|jester[-_].*\.(?:zip|xlsx?|csv)"
    r"|(?:user_(?:artists|friends|taggedartists)|artists|tags).*\.dat|hetrec.*"
    r"|ca_(?:trust|ratings)\.txt|adult\.(?:data|test|names)|googleplaystore.*"
    r"|.*\.arcs\.txt(?:\.gz)?|.*\.(?:graph|properties)|com-dblp.*|web-stanford.*|flixster.*"
    r"|likes\.(?:csv|zip)|users-likes.*",
    flags=re.I,
)


def project_files(root):
    """Files that git has or would take; in a folder without git, all outside hidden folders."""
    # safe.directory: a clone may belong to another user, and is only listed here
    options = ("-z", "--cached", "--others", "--exclude-standard")
    listed = ended("git", "-c", "safe.directory=*", "ls-files", *options, cwd=root, code=None)
    if listed.returncode == 0:
        paths = [root / name for name in listed.stdout.split("\0") if name]
        return [path for path in paths if path.is_file()]
    return [path for path in root.rglob("*") if path.is_file() and not _made(path, root)]


def copy_project(target):
    """Copy the files that a clone would hold, without git."""
    for path in project_files(ROOT):
        copy = target / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)


def _made(path, root):
    """True if a file was made by running something here, as .gitignore knows it."""
    parts = path.relative_to(root).parts
    ours = {".binder", ".ci", ".github", ".gitattributes", ".gitignore"}
    hidden = {part for part in parts if part.startswith(".")} - ours
    return bool(hidden) or parts[0] in {"build", "dist"} or {"__pycache__"} & set(parts) != set()


def leaks(path):
    """Leaks of a file, in sentences."""
    if RAW_DATA.fullmatch(path.name) and path.suffix not in {".py", ".md"}:
        yield f"{path.name} is named like real data, which must not be redistributed"
    if path.stat().st_size > LARGEST:
        yield f"{path.name} has {path.stat().st_size:,} bytes, more than {LARGEST:,}"
    # Pictures and other binary files decode to nonsense that matches nothing by chance.
    text = path.read_bytes().decode("utf-8", errors="replace")
    for what, pattern in LEAKS.items():
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path.name}, line {line}: {match.group()!r} is {what}"


def test_the_project_leaks_nothing():
    files = project_files(ROOT)
    assert len(files) > 20, "the listing of the project's files is broken"
    assert [complaint for path in files for complaint in leaks(path)] == []


def test_a_leak_is_noticed_and_harmless_text_is_not(tmp_path):
    for name, text, complaint in (
        ("a.py", "DATA = '" + "/ro" + "ot/data/x.csv'", "a path of one machine"),
        ("a.txt", "C:" + "\\Users\\ada\\x", "a path of one machine"),
        ("a.txt", "--index" + "-url https://example.org", "a package registry"),
        ("u.data", "1\t2\t3\t4\n", "real data"),
        ("large.npz", "x" * (LARGEST + 1), "more than"),
    ):
        (tmp_path / name).write_text(text)
        [result] = leaks(tmp_path / name)
        assert complaint in result
    for text in (
        "PPLAB_DATA=../shared/data",
        "uv pip compile --no-emit-index" + "-url",
        "a homework/root/work sentence",
    ):
        (tmp_path / "a.txt").write_text(text)
        assert [*leaks(tmp_path / "a.txt")] == []


def test_a_folder_without_git_is_listed_too(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "b.txt").write_text("")
    assert project_files(tmp_path) == [tmp_path / "a.txt"]
