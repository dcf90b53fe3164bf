"""Finding claims: by id, by place and setting as printed, by words, by a pasted sentence.

Words are exact: ``k = 9`` does not find ``k = 90``, nor Theorem 9 Theorem 9.1. Case, spaces, commas
and the plural do not matter; ``ε`` is ``epsilon``, ``Thm`` is ``theorem``. Rows that have all that
a query asks for, in their texts, their id or the sentence that they restate, come in the order of
their places: the fewer other words, the sooner. Where there is none, `search` says what no row has;
the nearest rows follow, by the share of the query's words that they have, rare words counting more;
in a word that no row has one letter may be wrong. The number of a place is never another one.
A row may carry a *signature*: hashes of the word stems of the sentence that it restates, so that
a pasted sentence finds it though no sentence of a paper is stored. The page searches by the same
rules (``report/page.html``).
"""

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from claimbook.checks import TERMS
from claimbook.rules import Claim

NAMES: dict[str, str] = TERMS["search"]["signs"]
LONG: dict[str, str] = TERMS["search"]["short"]
PLACES: tuple[str, ...] = tuple(TERMS["search"]["places"])
# E(g) and A.1 are one word, Figure 3(c) is not.
_TOKEN = re.compile(
    r"\b[^\W\d_]\([^()\s]+\)|\b[^\W\d_]\.\d+(?:\.\d+)*|[^\W\d_]+|\d+(?:\.\d+)*|[=<>]+|[%\n]"
)
_NUMBER = re.compile(r"[\d.]+")
# Tables 1, 2 and 3, Figures 3-5: the first numbers, with what stands before them.
LISTED = r"([^\W\d_]+s\.?\s)((?:[\d.]+(?:\s?[-–]\s?|(?:\s?,)?(?:\s(?:and|or|&))?\s))+)(?=\d)"
_PLACE = rf"\b((?:{'|'.join([*PLACES, *LONG])})"
# Lemma A1, which is A.1, and Fig. 1-4, which are several: what comes after the first group.
SPELLINGS = {
    rf"{_PLACE}\.?\s+[a-z])(?=\d)": ".",
    rf"{_PLACE})(?=\.?\s[\d.]+\s?(?:[-–]|and|or|&)\s?\d)": "s",
}
PARTS = "abcdefgh"  # of a figure: 3c, 3(c)


class SearchResult(NamedTuple):
    """Ids of rows, the best first; where no row has all, what is missing: these are the nearest."""

    ids: list[str]
    missing: str = ""


@lru_cache(10_000)
def _tokens(text: str) -> tuple[str, ...]:
    """Words without the s of a plural, numbers without commas, and signs."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text.lower().translate(_SIGNS))
    text = re.sub(r"(?<![\w.])\.(?=\d)", "0.", text)
    return tuple(_word(word) for word in _TOKEN.findall(text) if word not in ("and", "or"))


_SIGNS = str.maketrans(NAMES)


@lru_cache(10_000)
def _word(word: str) -> str:
    word = word[:-1] if len(word) > 3 and word[-1] == "s" else word
    return LONG.get(word, word)


def search_text(*texts: str) -> str:
    """Text in which ``units`` are looked up: a list of numbers repeats what stands before it.

    Examples
    --------
    >>> search_text("Tables 1 and 3", "n = 19,724")
    ' table 1 table 3 \\n n = 19724 '
    """
    tokens: list[str] = []
    head: list[str] = []  # of numbers: a word, perhaps with a sign
    for token in [token for text in texts for token in ("\n", *_tokens(text))][1:]:
        part = token in PARTS and head[0] in PLACES and tokens[-1][0].isdecimal()
        if not (token[0].isdecimal() or part):
            head = [*head, token] if token[0] in "=<>" else [token]
        elif tokens and not part and tokens[-1] not in head:
            tokens += head
        tokens.append(token)
    return f" {' '.join(tokens)} "


def units(query: str) -> list[str]:
    """Units that must stay whole: a sign, a number or an appendix's letter with the word before.

    Examples
    --------
    >>> units("Tables 3 and 4, k = 9")
    [' table 3 ', ' table 4 ', ' k = 9 ']
    """
    groups: list[list[str]] = []
    before = "\n"
    query = re.sub(
        LISTED, lambda m: "\n".join(m[1] + n for n in [*_NUMBER.findall(m[2]), ""]), query
    )
    for token in _tokens(re.sub(r",(?!\d{3}(?!\d))", "\n", query)):
        number = token[0].isdecimal() and not before[0].isdecimal() and before not in "%\n"
        number = number or (before == "appendix" and len(token) == 1)
        part = token in PARTS and before[0].isdecimal() and groups[-1][0] in PLACES
        if number and groups[-1][0] in PLACES and before in PARTS:  # Figures 3a and 3c
            groups.append([groups[-1][0], token])
        elif number or part or (token[0] in "=<>" and groups):
            groups[-1].append(token)
        elif token != "\n":
            groups.append([token])
        before = token
    return [f" {' '.join(group)} " for group in groups]


ENOUGH = 0.6  # share of a query's words, weighted
MOST = 12  # rows that are shown where none has all words
CLOSE = 0.3  # share from which a row may be meant
FEW = 3  # words; with more, a query is a pasted sentence
STEM = 6  # letters of a word that tell it


def stems(text: str) -> list[str]:
    """Word stems of a text, with numbers kept whole and short words dropped.

    Examples
    --------
    >>> stems("The sensitivity will be determined by k = 8")
    ['sensit', 'determ', '8']
    """
    return _stems(_tokens(text))


def _stems(words: Iterable[str]) -> list[str]:
    return [*filter(None, map(_stem, words))]


@lru_cache(10_000)
def _stem(word: str) -> str:
    """Stem of a word; empty for a short or common one."""
    word = word[2:] if word[1:2] == "." and word[0].isalpha() else word
    if word[0].isdecimal():
        return "" if word in COMMON else word
    return word[:STEM] if len(word) > 2 and word not in COMMON else ""


COMMON = frozenset(_tokens(TERMS["search"]["common"]))


@lru_cache(10_000)
def hashed(stem: str) -> str:
    """Four hexadecimal digits for a stem: 32-bit FNV-1a, its halves folded."""
    value = 2166136261
    for byte in stem.encode():
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return f"{(value >> 16) ^ (value & 0xFFFF):04x}"


def signature(sentence: str) -> str:
    """The stems of a sentence, hashed and sorted, which find the sentence without revealing it."""
    return "".join(sorted({hashed(stem) for stem in stems(sentence)}))


def search(
    claims: Iterable[tuple[Claim, str]], query: str, signatures: Mapping[str, str] | None = None
) -> SearchResult:
    """Rows that a query finds among claims, each with its paper's authors and, below, its title.

    With a colon in it and no space, the query is an id or a part of one.
    """
    claims, query = [*claims], query.strip()
    for pattern, suffix in SPELLINGS.items():
        query = re.sub(pattern, rf"\1{suffix}", query, flags=re.IGNORECASE)
    if named := ":" in query and not re.search(r"\s|//", query):
        part = re.compile(rf"(^|:){re.escape(query.strip(':'))}(:|$)", re.IGNORECASE)
        if ids := [claim.id for claim, _ in claims if part.search(claim.id)]:
            return SearchResult([query] if query in ids else ids)
        query = _words(query)
    if not (query_units := units(query)):
        return SearchResult([], f"got {query!r}, which has no word or number to look for")
    signed, tokens = signatures or {}, {*_tokens(query)}
    rows = [_Row(claim, about, signed.get(claim.id, "")) for claim, about in claims]
    if not named:
        whole = [row for row in rows if all(unit in row.text for unit in query_units)]
        whole.sort(key=lambda row: (row.aside, len({*_tokens(row.claim.place)} - tokens)))
        if whole := whole or _complete_rows(rows, query_units):
            return SearchResult([row.claim.id for row in whole])
    lost, ids = _nearest(rows, query_units, named)
    typed = {token: w.strip(",;:") for w in reversed(query.split()) for token in _tokens(w)}
    terms = [" ".join({typed.get(token, token): 1 for token in unit.split()}) for unit in lost]
    missing_terms = " or ".join(f'"{words}"' for words in terms) if len(terms) <= FEW else ""
    return SearchResult(ids, f"no row has {'this id' if named else missing_terms or 'all of this'}")


class _Row:
    """A row as it is looked for: its texts, the words of its id and its paper, its sentence."""

    def __init__(self, claim: Claim, about: str, signature: str) -> None:
        authors, _, title = about.partition("\n")
        paper, _, name = claim.id.partition(":")
        texts = [claim.place, claim.setting, claim.published, authors, _words(name)]
        self.claim, self.text = claim, search_text(*texts)
        self._paper, self._signature = f"{_words(paper)} {title}", signature
        # none that the paper prints, or judged by another one
        self.aside = claim.kind not in ("number", "statement") or bool(claim.same_as)

    @cached_property
    def stems(self) -> set[str]:
        """Stems of all its words; most queries are answered by the texts."""
        return {*_stems(self.text.split(" ")[1:-1]), *stems(self._paper)}

    @cached_property
    def signed(self) -> set[str]:
        """Hashed stems of the sentence that it restates."""
        return {*re.findall("....", self._signature)}

    def restates(self, words: Iterable[str]) -> bool:
        """True if the sentence has all of these stems."""
        return self.signed.issuperset(map(hashed, words))


def _complete_rows(rows: Iterable[_Row], query_units: Iterable[str]) -> list[_Row]:
    """Rows whose texts have places and settings as asked, and the other words in any order.

    The sentence that a row restates has words, too; of a pasted one, it has places and settings. A
    word alone must be in the texts: its hash may be that of another word.
    """
    fixed, words = _split_query(query_units)
    pasted = len(words) > FEW
    found = [
        (len(missing), row)
        for row in rows
        if words
        and (len(words) > 1 or words <= row.stems)
        and row.restates(missing := words - row.stems)
        and all(unit in row.text or (pasted and row.restates(stems(unit))) for unit in fixed)
    ]
    return [row for _, row in sorted(found, key=lambda pair: (pair[0], pair[1].aside))]


def _nearest(
    rows: Sequence[_Row], query_units: Sequence[str], named: bool
) -> tuple[list[str], list[str]]:
    """Words that no row has, and ids of rows that have most of the rest.

    Places and settings stay whole: rows have as many of them as any, unless a sentence is pasted.
    """
    fixed, words = _split_query(map(_spelling, query_units))
    stemmed: dict[str, set[int]] = defaultdict(set)  # stem -> places of the rows that have it
    signed: dict[str, set[int]] = defaultdict(set)
    begun: dict[str, set[int]] = defaultdict(set)  # numbers as they are, words by three letters on
    for place, row in enumerate(rows):
        for stem in row.stems:
            stemmed[stem].add(place)
        for code in row.signed:
            signed[code].add(place)
    for stem, places in stemmed.items():
        for n in range(3, STEM + 1):
            begun[stem if stem[0].isdecimal() else stem[:n]] |= places
    codes = signed.keys() | set(map(hashed, stemmed))
    nowhere = {unit for unit in fixed if not any(unit in row.text for row in rows)}
    words |= {stem for unit in nowhere if not _is_place(unit) for stem in stems(unit)}
    lost = []
    for unit in query_units:
        unit = unit if unit in fixed or _spelling(unit) not in nowhere else _spelling(unit)
        if unit in nowhere:
            lost.append(unit)
        elif unit not in fixed:
            lost += [w for w in unit.split() if not codes.issuperset(map(hashed, stems(w)))]
    # Section 5 has Section 5.1 in it, and Figure 3 is near to Figure 3(c)
    inside = {unit: f"{unit[:-1]}." if _is_place(unit) else unit for unit in fixed}
    inside |= {unit: unit[:-2] for unit in fixed if re.search(rf"\d [{PARTS}] $", unit)}
    held = [sum(u in row.text or inside[u] in row.text for u in fixed) for row in rows]
    shares = [[0.0, 0.0] for _ in rows]  # of all that is asked, and of that in a row's own texts
    total = 0.0
    for word in sorted(words):
        word = word if word in begun or hashed(word) in signed else _correction(word, begun)
        own = begun.get(word, set())
        having = own | signed.get(hashed(word), set())
        weight = math.log(1 + len(rows) / (1 + len(having)))
        total += weight
        for i in having:
            shares[i][0] -= weight
            shares[i][1] -= weight * (i in own)
    most = max(held) if rows and len(words) <= FEW else 0
    best = sorted(
        (shares[i][0], shares[i][1], row.aside, i)
        for i, row in enumerate(rows)
        if held[i] >= most and (most or -shares[i][0] >= CLOSE * total > 0)
    )
    near = [one for one in best if most or (not named and -one[0] >= ENOUGH * total)]
    return [*dict.fromkeys(lost)], [rows[one[3]].claim.id for one in near[:MOST] or best[:3]]


def _split_query(query_units: Iterable[str]) -> tuple[set[str], set[str]]:
    """Units that stay whole, places and settings; and the stems of the others."""
    query_units = [*query_units]
    fixed = {unit for unit in query_units if _is_place(unit) or re.search("[=<>]", unit)}
    lettered = any(unit[2] == "." for unit in fixed)  # then its place says nothing alone
    loose = [u for u in query_units if not (u in fixed or (lettered and u.strip() in PLACES))]
    return fixed, {stem for unit in loose for stem in stems(unit)}


def _is_place(unit: str) -> bool:
    first, *rest = unit.split()
    return first[1:2] == "." or (first in PLACES and bool(rest))


def _spelling(unit: str) -> str:
    """A unit with its place right, where one letter of it is not."""
    first, *rest = unit.split()
    if rest and rest[0][0].isdecimal() and len(first) > 3:
        forms = {first, *_deletions(first)}
        first = next((place for place in PLACES if forms & {place, *_deletions(place)}), first)
    return f" {' '.join([first, *rest])} "


def _words(name: str) -> str:
    return re.sub("[-_:]", " ", name)


def _correction(word: str, begun: Mapping[str, Collection[int]]) -> str:
    """The commonest of the words that differ from one in a letter; itself where none does."""
    if word[0].isdecimal() or len(word) < 5:
        return word
    close = [other for other in begun if len(other) > 4 and _deletions(word) & _deletions(other)]
    return min(close, key=lambda other: (-len(begun[other]), other), default=word)


def _deletions(word: str) -> set[str]:
    """A word with one letter less, each in turn."""
    return {word[:i] + word[i + 1 :] for i in range(len(word))}
