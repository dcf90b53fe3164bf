"""Made files of tables and graphs in the owners' formats, and a catalogue that knows them."""

from __future__ import annotations

import gzip
from pathlib import Path

ADULT = (
    "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, "
    "Male, 2174, 0, 40, Atlantis, <=50K\n"
    "50, ?, 83311, Masters, 14, Divorced, ?, Wife, Other, Female, 0, 0, 13, ?, >50K\n"
    "23, State-gov, 11111, Masters, 14, Divorced, Sales, Wife, White, Female, 0, 0, 13, ?, <=50K\n"
    "\n"
)
ADULT_TEST = (
    "|1x3 Cross validator\n"
    "31, ?, 222, Bachelors, 13, Divorced, Sales, Wife, White, Male, 0, 0, 40, ?, >50K.\n"
    "32, ?, 333, Masters, 14, Divorced, ?, Wife, Other, Male, 0, 0, 40, Atlantis, <=50K.\n"
    "\n"
)
APPS = (
    "App,Category,Rating,Reviews,Size,Installs,Type,Price,Content Rating,Genres,Last Updated,"
    "Current Ver,Android Ver\n"
    'First,GAME,4.1,1,19M,"10,000+",Free,0,Everyone,Art;Play,"January 7, 2018",1.0,4.0 and up\n'
    '"Second, too",GAME,NaN,2,900k,"1,000+",Paid,$0.99,Teen,Art,"May 17, 2017",NaN,4.0 and up\n'
    'Shifted,3.9,19,3.0M,"1,000+",Free,0,Everyone,,"February 11, 2018",1.0.19,4.0 and up\n'
    "Third,TOOLS,3.0,3,Varies with device,5+,NaN,0,Teen,Tools,"
    '"May 1, 2017",NaN,Varies with device\n'
    'Fourth,TOOLS,5.0,4,1M,5+,Free,0,Teen,Tools,"June 30, 2018",2,NaN\n'
    'Fifth,TOOLS,4.0,4,0.9M,5+,Free,0,Teen,Tools,"June 1, 2018",2,1.0 and up\n'
)
LAW = "0\t1\n0\t3\n2\t2\n5\t3\n"
SNAP = "# Undirected graph: made\n# Nodes: 4 Edges: 3\n# FromNodeId\tToNodeId\n1\t4\n1\t9\n4\t9\n"

TABLES = {
    "adult": {"adult.data": ADULT, "adult.test": ADULT_TEST},
    "playstore": {"googleplaystore.csv": APPS},
    "dblp-2010": {"dblp-2010.arcs.txt.gz": "0\t1\n1\t0\n4\t1\n1\t4\n"},
    "cnr-2000": {"cnr-2000.arcs.txt.gz": LAW},
    "com-dblp": {"com-dblp.ungraph.txt.gz": SNAP},
    "web-stanford": {"web-Stanford.txt.gz": SNAP.replace("\n", "\r\n")},
}


def write_tables(folder: Path) -> Path:
    for name, files in TABLES.items():
        (folder / name).mkdir(parents=True)
        for file, text in files.items():
            write_text(folder / name / file, text)
    return folder


def write_text(path: Path, text: str) -> Path:
    packed = path.suffix == ".gz"
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return path


def write_table_catalog(path: Path) -> Path:
    entries = [
        f'[{name}]\ntitle = "made"\nhome = "http://localhost"\nterms = "none"\n'
        f'by_hand = "make it"\ncitation = "none"\nreader = "{name}"\n[{name}.members]\n'
        + "".join(f'"{file}" = {{}}\n' for file in files)
        for name, files in TABLES.items()
    ]
    path.write_text("\n".join(entries))
    return path
