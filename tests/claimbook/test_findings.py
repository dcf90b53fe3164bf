"""docs/findings.md says nothing of a row but what the ledger says of it today."""

import re
from fnmatch import fnmatchcase
from functools import cache

from claimbook.verdicts import VERDICTS
from claimbook.views import remark, row
from pplab_papers.collection import judged_claims, papers
from tests.helpers import ROOT, script

PAGE = (ROOT / "docs" / "findings.md").read_text()
NAMED = re.compile(r"`((?:" + "|".join(papers()) + r"):[^`]+)`:\s([a-z0-9,\s-]+)")
NUMBER = re.compile(r"\d[\d,]*\d(?:\.\d+)?|\d(?:\.\d+)?")
counts = script(ROOT / "docs" / "counts.py")


@cache
def ledger():
    return {entry.claim.id: entry for entry in judged_claims()}


def sections():
    """The part of the page on each paper: from its heading to the next."""
    return re.split(r"^## ", PAGE, flags=re.M)[1:]


def items(section):
    """Paragraphs and list items of a section, without its heading and its address."""
    return re.split(r"\n\s*\n|\n(?=- )", section)[2:]


def named(text):
    """Rows that a text names, each with the verdict beside it."""
    return [(id, " ".join(message.split()).strip(", ")) for id, message in NAMED.findall(text)]


def rows_of(id):
    """The row of an id; a * stands for several, of which repeats count elsewhere."""
    if "*" not in id:
        return [ledger()[id]] if id in ledger() else []
    match = [entry for key, entry in ledger().items() if fnmatchcase(key, id)]
    return [entry for entry in match if entry.kind in ("number", "statement")]


def verdict_of(id):
    """The verdict of one row, or how many rows of a group have which."""
    if "*" in id:
        return str(counts.group(id))
    rows = rows_of(id)
    return rows[0].judgement.verdict if rows else "not in the ledger"


def test_each_row_exists_and_has_the_verdict_that_stands_beside_it():
    texts = [(id, text) for section in sections() for id, text in named(section)]
    assert len(texts) > 100
    wrong = [f"{id}: {text}, not {verdict_of(id)}" for id, text in texts if text != verdict_of(id)]
    assert wrong == []


def test_no_row_is_named_without_a_verdict():
    mentioned = re.findall(r"`((?:" + "|".join(papers()) + r"):[^`]+)`", PAGE)
    assert mentioned == [id for id, _ in NAMED.findall(PAGE)]


def test_each_paper_has_a_readable_length():
    for key in papers():
        section = next(text for text in sections() if f"`{key}:" in text)
        words = re.sub(r"\[?`[^`]*`[a-z0-9:;,\s-]*\]?", "", section).split()
        assert 500 <= len(words) <= 800, f"{key}: {len(words)} words"


def test_documents_count_as_the_ledger_does():
    for name in counts.DOCUMENTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert counts.written(text) == text, f"{name} is out of step; mend it with: make counts"
        wrong = re.sub(r"(counts: [\w-]+ -->\n).*?(<!-- end)", r"\1stale\n\2", text, flags=re.S)
        assert wrong.count("stale") == text.count("<!-- end")
        wrong = re.sub(r"(Minutes\.\*\*\s)\d+", r"\g<1>1", wrong)
        wrong = re.sub(r"(read 09, discussion.* \| )\d+:", r"\g<1>9:", wrong)
        assert wrong != text, name
        assert counts.written(wrong) == text


# A typed count of verdicts or claims; "Theorem 1 holds" is none.
TYPED = re.compile(
    r"(?<!Theorem )(?<!Figure )(?<!Table )(?<!Lemma )\b\d[\d,]* (?:of the )?"
    rf"(?:{'|'.join(VERDICTS)}|claims|printed numbers|statements)\b"
)


def typed_counts(text):
    """Counts that no command writes."""
    text = re.sub(r"<!-- counts: .*?<!-- end -->", "", text, flags=re.S)
    text = re.sub(r"(`[\w-]+:[^`]*\*[^`]*`:\s)[a-z0-9,\s-]+(?=[;\]])", "", text)
    return TYPED.findall(" ".join(text.split()))


def test_no_document_types_a_count_by_hand():
    assert typed_counts("Of 348 statements\n3 refuted.") == ["348 statements", "3 refuted"]
    texts = {name: (ROOT / name).read_text("utf-8") for name in ("README.md", "CHANGELOG.md")}
    texts["CHANGELOG.md"] = texts["CHANGELOG.md"].partition("\n## 1.0.0")[0]  # a release stays so
    for file in (*(ROOT / "docs").rglob("*.md"), *(ROOT / "notebooks" / "src").glob("*.py")):
        prose = file.read_text(encoding="utf-8")
        if file.suffix == ".py":
            prose = "\n".join(line[1:] for line in prose.splitlines() if line[:1] == "#")
        texts[file.name] = prose
    typed = {name: hits for name, text in texts.items() if (hits := typed_counts(text))}
    mend = "write it between <!-- counts: NAME --> and <!-- end -->, then: make counts"
    assert typed == {}, mend


def test_each_number_stands_in_a_row_that_is_named_beside_it():
    strange = []
    for section in sections():
        for item in items(section):
            prose = re.sub(r"\]\([^)]*\)", "", NAMED.sub("", item))
            entries = [entry for id, _ in named(item) for entry in rows_of(id)]
            cells = " ".join(str(cell) for entry in entries for cell in row(entry).values())
            remarks = " ".join(remark(entry.judgement) for entry in entries)
            if "The ledger has" not in item:
                known = set(NUMBER.findall(f"{cells} {remarks}"))
                numbers = NUMBER.findall(prose)
                strange += [f"{n} in {item[:60]!r}" for n in numbers if n not in known]
    assert strange == []
