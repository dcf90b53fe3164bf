"""Made data sets in the owners' file formats, and a catalogue that knows them."""

from __future__ import annotations

import gzip
import zipfile
from importlib import import_module
from pathlib import Path

from pplab.datasets.load import _say_once

_CATALOG = import_module("pplab.datasets.catalog")
OURS = _CATALOG.FILE


def rating_lines(ratings):
    return "".join(f"{user}\t{item}\t{value}\t88125094{item}\n" for user, item, value in ratings)


RATINGS = [(1, 1, 5), (1, 2, 3), (2, 1, 4), (2, 4, 1), (3, 2, 2), (3, 3, 5)]
FILMS = [
    ("1|Café (1995)|01-Jan-1995|", {5, 8}),
    ("2|Nothing known||", {0}),
    ("3|Third (1998)|23-Feb-1998|", {8}),
    ("4|Fourth (1922)|1-Dec-1922|", {1, 2, 18}),
]
MOVIELENS = {
    "u.data": rating_lines(RATINGS),
    "u.user": "3|41|F|doctor|V0R2H\n1|24|M|technician|01234\n2|53|F|other|94043\n",
    "u.item": "".join(
        f"{start}|http://example.org|" + "|".join("01"[g in genres] for g in range(19)) + "\n"
        for start, genres in FILMS
    ),
    "u2.base": rating_lines(RATINGS[:4]),
    "u2.test": rating_lines(RATINGS[4:]),
}
LASTFM = {
    "user_artists.dat": "userID\tartistID\tweight\n2\t51\t900\n2\t10\t1\n3\t10\t352698\n5\t51\t2\n",
    "user_friends.dat": "userID\tfriendID\n2\t3\n3\t2\n3\t5\n5\t3\n",
    "artists.dat": "id\tname\turl\tpictureURL\n51\t51\thttp://u/51\thttp://p/51\n"
    '10\tSigur Rós ☆\thttp://u/10\thttp://p/10\n7\t"quoted" name\thttp://u/7\t\n',
}
CIAO = {  # no line end after the last line, as the owners have it
    "ca_ratings.txt": "1 3 5\n1 8 4\n1 8 2\n2 8 3\n4 9 1\n7 9 0",
    "ca_trust.txt": "1 2 1\n2 1 1\n4 1 1\n4 4 1",
}
FLIXSTER = {
    "ratings.txt": "1\t2\t4.5\n3\t2\t5\n3\t66\t0.5\n901\t66\t2.5\n901\t66\t3.0\n",
    "links.txt": "1\t3\n3\t1\n3\t900\n901\t901\n",
}
ADULT = {
    "adult.data": "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, "
    "Not-in-family, White, Male, 2174, 0, 40, Atlantis, <=50K\n"
    "50, ?, 83311, Masters, 14, Divorced, ?, Wife, Other, Female, 0, 0, 13, ?, >50K\n"
    "23, State-gov, 11111, Masters, 14, Divorced, Sales, Wife, White, Female, 0, 0, 13, ?, <=50K\n"
    "\n",
    "adult.test": "|1x3 Cross validator\n"
    "31, ?, 222, Bachelors, 13, Divorced, Sales, Wife, White, Male, 0, 0, 40, ?, >50K.\n"
    "32, ?, 333, Masters, 14, Divorced, ?, Wife, Other, Male, 0, 0, 40, Atlantis, <=50K.\n"
    "\n",
}
PLAYSTORE = {
    "googleplaystore.csv": "App,Category,Rating,Reviews,Size,Installs,Type,Price,Content Rating,"
    "Genres,Last Updated,Current Ver,Android Ver\n"
    'First,GAME,4.1,1,19M,"10,000+",Free,0,Everyone,Art;Play,"January 7, 2018",1.0,4.0 and up\n'
    '"Second, too",GAME,NaN,2,900k,"1,000+",Paid,$0.99,Teen,Art,"May 17, 2017",NaN,4.0 and up\n'
    'Shifted,3.9,19,3.0M,"1,000+",Free,0,Everyone,,"February 11, 2018",1.0.19,4.0 and up\n'
    "Third,TOOLS,3.0,3,Varies with device,5+,NaN,0,Teen,Tools,"
    '"May 1, 2017",NaN,Varies with device\n'
    'Fourth,TOOLS,5.0,4,1M,5+,Free,0,Teen,Tools,"June 30, 2018",2,NaN\n'
    'Fifth,TOOLS,4.0,4,0.9M,5+,Free,0,Teen,Tools,"June 1, 2018",2,1.0 and up\n'
}
SNAP = "# Undirected graph: made\n# Nodes: 4 Edges: 3\n# FromNodeId\tToNodeId\n1\t4\n1\t9\n4\t9\n"
FILES = {
    "movielens-100k": MOVIELENS,
    "jester": {f"jester-data-{part}.zip": None for part in (1, 2, 3)},  # see write_jester
    "lastfm": LASTFM,
    "ciao": CIAO,
    "flixster": FLIXSTER,
    "adult": ADULT,
    "playstore": PLAYSTORE,
    "dblp-2010": {"dblp-2010.arcs.txt.gz": "0\t1\n1\t0\n4\t1\n1\t4\n"},
    "cnr-2000": {"cnr-2000.arcs.txt.gz": "0\t1\n0\t3\n2\t2\n5\t3\n"},
    "com-dblp": {"com-dblp.ungraph.txt.gz": SNAP},
    "web-stanford": {"web-Stanford.txt.gz": SNAP.replace("\n", "\r\n")},
}
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
