"""Made data sets in the owners' file formats, and a catalogue that knows them."""

import gzip
import zipfile
from importlib import import_module
from pathlib import Path

from pplab.datasets.load import _say_once

_CATALOG = import_module("pplab.datasets.catalog")
OURS = _CATALOG.FILE
HERE = Path(__file__).parent / "files"

# As the owners have them, but for gzip; the texts are in the folder `files`.
NAMES_OF_FILES = {
    "movielens-100k": ("u.data", "u.user", "u.item", "u2.base", "u2.test"),
    "jester": ("jester-data-1.zip", "jester-data-2.zip", "jester-data-3.zip"),
    "lastfm": ("user_artists.dat", "user_friends.dat", "artists.dat"),
    "ciao": ("ca_ratings.txt", "ca_trust.txt"),
    "flixster": ("ratings.txt", "links.txt"),
    "adult": ("adult.data", "adult.test"),
    "playstore": ("googleplaystore.csv",),
    "dblp-2010": ("dblp-2010.arcs.txt.gz",),
    "cnr-2000": ("cnr-2000.arcs.txt.gz",),
    "com-dblp": ("com-dblp.ungraph.txt.gz",),
}


def text_of(name: str, file: str) -> str | None:
    if file.endswith(".zip"):
        return None  # see write_jester
    return (HERE / name / f"made-{file.removesuffix('.gz')}.text").read_text("utf-8")


FILES = {
    name: {file: text_of(name, file) for file in files} for name, files in NAMES_OF_FILES.items()
}
SNAP = FILES["com-dblp"]["com-dblp.ungraph.txt.gz"]
FILES["web-stanford"] = {"web-Stanford.txt.gz": SNAP.replace("\n", "\r\n")}
FACTS = {  # of the members, beside what a test adds
    "u.data": "lines = 6",
    "u.user": "lines = 3",
    "u.item": "lines = 4",
    "u2.base": "lines = 4, needed = false",
    "u2.test": "lines = 2, needed = false",
    "jester-data-2.zip": "needed = false",
    "jester-data-3.zip": "needed = false",
    "ca_ratings.txt": "lines = 6",
}


def matrices(data):
    """The matrices of a data set, each with the three arrays of its form."""
    parts = (data.ratings, data.times, data.biadjacency, data.social, data.preferences)
    return [(part.data, part.indices, part.indptr) for part in parts if part is not None]


def use_catalog(monkeypatch, file: Path = OURS) -> None:
    """Another catalogue, or the package's own again."""
    monkeypatch.setattr(_CATALOG, "FILE", file)


def without_data(folder: Path, monkeypatch) -> None:
    """Nothing but the made catalogue, an empty cache, and no banner shown so far."""
    use_catalog(monkeypatch, write_catalog(folder / "catalog.toml"))
    monkeypatch.setenv("PPLAB_CACHE", str(folder / "cache"))
    _say_once.cache_clear()


def write_files(folder: Path, name: str) -> Path:
    """Write the made files of one data set into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in FILES[name].items():
        write_text(folder / file, text)
    return folder


def write_text(path: Path, text: str) -> Path:
    raw = text.encode("latin-1" if path.name.startswith("u.") else "utf-8")
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return path


def write_catalog(path: Path, *, download: str = "", **known: str) -> Path:
    """Write a catalogue of all made sets; `known` is a fact (sha256, numbers) of the first file."""
    entries = []
    for name, files in FILES.items():
        how = f'download = "{download}"' if name == "movielens-100k" else 'by_hand = "make it"'
        entries.append(
            f'[{name}]\ntitle = "made"\nhome = "http://localhost"\n{how}\nterms = "none"\n'
            f'citation = "none"\narchive_folder = "ml-100k"\nreader = "{name.split("-100k")[0]}"\n'
            f"[{name}.members]"
        )
        for file in files:
            facts = [FACTS[file]] if file in FACTS else []
            if file in ("u.data", "jester-data-1.zip"):
                facts += [f'{word} = "{value}"' for word, value in known.items()]
            entries.append(f'"{file}" = {{ {", ".join(facts)} }}')
    parts = "".join(f"part_{part} = {{ users = {len(JOKES[part])} }}\n" for part in JOKES)
    path.write_text("\n".join(entries) + f"\n[jester.statistics]\nusers = 7\n{parts}")
    return path


def joke_row(ratings: dict[int, float]) -> str:
    """One line of a Jester file: the count, then 100 values, 99 where there is no rating."""
    return ",".join([str(len(ratings)), *(str(ratings.get(joke, 99)) for joke in range(1, 101))])


JOKES = {
    1: [{1: -7.82, 5: 0, 100: 10}, dict.fromkeys(range(1, 101), 2.5), {}],
    2: [{2: -10, 3: 0.01}, {5: 0}],
    3: [{7: 9.5}, {8: -0.29, 100: 1}],
}


def joke_lines(part: int) -> str:
    return "".join(joke_row(row) + "\n" for row in JOKES[part])


def write_jokes(path: Path, text: str, *, inside: str = "jester.csv") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr(inside, text)
    return path


def write_jester(folder: Path, parts=(1, 2, 3)) -> Path:
    for part in parts:
        write_jokes(folder / f"jester-data-{part}.zip", joke_lines(part))
    return folder
