"""Made data sets in the owners' file formats: 3 users and 4 films, seven users and 100 jokes."""

from __future__ import annotations

import zipfile
from pathlib import Path

RATINGS = [(1, 1, 5), (1, 2, 3), (2, 1, 4), (2, 4, 1), (3, 2, 2), (3, 3, 5)]
USERS = ["3|41|F|doctor|V0R2H", "1|24|M|technician|85711", "2|53|F|other|94043"]
ITEMS = [
    ("1|Café (1995)|01-Jan-1995|", {5, 8}),
    ("2|Nothing known||", {0}),
    ("3|Third (1998)|23-Feb-1998|", {8}),
    ("4|Fourth (1922)|1-Dec-1922|", {1, 2, 18}),
]


def rating_lines(ratings=RATINGS):
    return "".join(f"{user}\t{item}\t{value}\t88125094{item}\n" for user, item, value in ratings)


def item_lines():
    return "".join(
        f"{start}|http://example.org|" + "|".join("01"[g in genres] for g in range(19)) + "\n"
        for start, genres in ITEMS
    )


def write_made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "u.data").write_text(rating_lines())
    (folder / "u.user").write_text("\n".join(USERS) + "\n")
    (folder / "u.item").write_bytes(item_lines().encode("latin-1"))
    (folder / "u2.base").write_text(rating_lines(RATINGS[:4]))
    (folder / "u2.test").write_text(rating_lines(RATINGS[4:]))
    return folder


MADE_CATALOG = """
[movielens-100k]
title = "made"
home = "http://localhost"
download = "{download}"
archive_folder = "ml-100k"
terms = "none"
citation = "none"
reader = "movielens"
standin = true

[movielens-100k.members]
"u.data" = {{ lines = 6{sha256} }}
"u.user" = {{ lines = 3 }}
"u.item" = {{ lines = 4 }}
"u2.base" = {{ lines = 4, needed = false }}
"u2.test" = {{ lines = 2, needed = false }}
"""


def write_catalog(path: Path, *, download: str = "", sha256: str | None = None) -> Path:
    known = f', sha256 = "{sha256}"' if sha256 else ""
    path.write_text(MADE_CATALOG.format(download=download, sha256=known))
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


JESTER_CATALOG = """
[jester]
title = "made"
home = "http://localhost"
by_hand = "make it"
terms = "none"
citation = "none"
reader = "jester"
standin = true

[jester.members]
"jester-data-1.zip" = {{{known}}}
"jester-data-2.zip" = {{ needed = false }}
"jester-data-3.zip" = {{ needed = false }}

[jester.statistics]
users = 7
part_1 = {{ users = 3 }}
part_2 = {{ users = 2 }}
part_3 = {{ users = 2 }}
"""


def write_jester_catalog(path: Path, **known: str) -> Path:
    facts = ", ".join(f'{name} = "{value}"' for name, value in known.items())
    path.write_text(JESTER_CATALOG.format(known=facts))
    return path


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
SOCIAL = {"lastfm": LASTFM, "ciao": CIAO, "flixster": FLIXSTER}


def write_social(folder: Path, name: str) -> Path:
    """Write the made files of one social network into its folder."""
    (folder / name).mkdir(parents=True, exist_ok=True)
    for file, text in SOCIAL[name].items():
        (folder / name / file).write_text(text, encoding="utf-8")
    return folder / name


def write_social_catalog(path: Path) -> Path:
    entries = [
        f'[{name}]\ntitle = "made"\nhome = "http://localhost"\nterms = "none"\n'
        f'by_hand = "make it"\ncitation = "none"\nreader = "{name}"\n[{name}.members]\n'
        + "".join(f'"{file}" = {{}}\n' for file in files)
        for name, files in SOCIAL.items()
    ]
    path.write_text("\n".join(entries))
    return path
