"""Finding claims: by id, by place and setting as printed, by words, by a pasted sentence.

Words are exact: ``k = 9`` does not find ``k = 90``. Case, spaces, commas and the plural are of no
matter; ``ε`` is ``epsilon``. Where no row has all that a query asks for, rows are ranked by the
share of its words that they have, rare words counting more. A row may carry a *signature*: hashes
of the word stems of the sentence that it restates, so that a pasted sentence finds it though no
sentence of a paper is stored. The page searches by the same rules (``report/page.html``).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from pplab.ledger.rules import Claim

_NAMES = str.maketrans(
    {"ε": "epsilon", "σ": "sigma", "δ": "delta", "α": "alpha", "∞": "inf", "≤": "<="}
)
# E(g) is one word, Figure 3(c) is not.
_TOKEN = re.compile(r"\b[^\W\d_]\([^()\s]+\)|[^\W\d_]+|\d+(?:\.\d+)*|[=<>]+|[%\n]")


def _tokens(text: str) -> list[str]:
    """Words without the s of a plural, numbers without commas, and signs."""
    text = text.lower().translate(_NAMES)
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    words = (each for each in _TOKEN.findall(text) if each not in ("and", "or"))
    return [each[:-1] if len(each) > 3 and each[-1] == "s" else each for each in words]


def searched(*texts: str) -> str:
    """Text in which ``units`` are looked up: a list of numbers repeats what stands before it.

    Examples
    --------
    >>> searched("Tables 1 and 3", "n = 19,724")
    ' table 1 table 3 \\n n = 19724 '
    """
    found: list[str] = []
    head: list[str] = []  # of numbers: a word, perhaps with a sign
    for token in _tokens("\n".join(texts)):
        if not token[0].isdecimal():
            head = [*head, token] if token[0] in "=<>" else [token]
        elif found and found[-1][0].isdecimal():
            found += head
        found.append(token)
    return f" {' '.join(found)} "


def units(query: str) -> list[str]:
    """What must stand together: a sign or a number with what comes before it.

    Examples
    --------
    >>> units("Table 3, k = 9")
    [' table 3 ', ' k = 9 ']
    """
    found: list[list[str]] = []
    before = "\n"
    for token in _tokens(re.sub(r",(?!\d{3}(?!\d))", "\n", query)):
        number = token[0].isdecimal() and not before[0].isdecimal() and before not in "%\n"
        if number or (token[0] in "=<>" and found):
            found[-1].append(token)
        elif token != "\n":
            found.append([token])
        before = token
    return [f" {' '.join(each)} " for each in found]


_ENOUGH = 0.6  # share of a query's words, weighted
_MOST = 12  # rows that are shown where none has all words
_STEM = 6  # letters of a word that tell it


def stems(text: str) -> list[str]:
    """Beginnings of the words of a text, numbers as they are; short words tell nothing.

    Examples
    --------
    >>> stems("The sensitivity will be determined by k = 8")
    ['sensit', 'determ', '8']
    """
    kept = (each for each in _tokens(text) if each[0].isdecimal() or len(each) > 2)
    return [each[:_STEM] for each in kept if each not in COMMON]


COMMON = frozenset(
    _tokens(
        "the and for are that this with from has have not but can will was were which their its "
        "our than then they these those such also all any each more most only other some"
    )
)


def hashed(stem: str) -> str:
    """Four hexadecimal digits for a stem: 32-bit FNV-1a, its halves folded."""
    value = 2166136261
    for byte in stem.encode():
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return f"{(value >> 16) ^ (value & 0xFFFF):04x}"


def signature(sentence: str) -> str:
    """The stems of a sentence, hashed and sorted: it finds the sentence and does not tell it."""
    return "".join(sorted({hashed(stem) for stem in stems(sentence)}))


def matching(
    claims: Iterable[tuple[Claim, str]], query: str, signatures: Mapping[str, str] | None = None
) -> list[str]:
    """Ids that a query finds among claims with their authors, the best first.

    With a colon in it, the query is an id or a part of one.
    """
    claims = list(claims)
    if ":" in query:
        part = re.compile(rf"(^|:){re.escape(query.strip(':'))}(:|$)", re.IGNORECASE)
        found = [claim.id for claim, _ in claims if part.search(claim.id)]
        return [query] if query in found else found
    wanted = units(query)
    whole = [
        claim.id
        for claim, authors in claims
        if wanted
        and (text := searched(claim.place, claim.setting, claim.published, authors))
        and all(unit in text for unit in wanted)
    ]
    if whole or not wanted:
        return whole
    ranked = _ranked(claims, query, signatures or {})
    return [name for name, share in ranked if share >= _ENOUGH][:_MOST]


def near(
    claims: Iterable[tuple[Claim, str]], query: str, signatures: Mapping[str, str] | None = None
) -> list[str]:
    """Ids that come closest to a query which finds nothing: those of "did you mean"."""
    claims = list(claims)
    if ":" in query:
        return get_close_matches(query, [claim.id for claim, _ in claims], n=3, cutoff=0.3)
    ranked = _ranked(claims, query, signatures or {})
    return [name for name, share in ranked[:3] if share > 0.3]


def _ranked(
    claims: Sequence[tuple[Claim, str]], query: str, signatures: Mapping[str, str]
) -> list[tuple[str, float]]:
    """Ids with the share of a query's words that their rows have, weighted by rarity."""
    asked = [hashed(stem) for stem in dict.fromkeys(stems(query))]
    rows = {claim.id: _words(claim, authors, signatures) for claim, authors in claims}
    count = Counter(word for words in rows.values() for word in words)
    weight = {word: math.log(1 + len(rows) / (1 + count[word])) for word in asked}
    total = sum(weight.values()) or 1.0
    shares = [
        (name, sum(weight[w] for w in asked if w in words) / total) for name, words in rows.items()
    ]
    return sorted(shares, key=lambda each: -each[1])


def _words(claim: Claim, authors: str, signatures: Mapping[str, str]) -> set[str]:
    """Hashed beginnings of a row's words, and the stems of the sentence that it restates."""
    name = re.sub(r"[-_:=]", " ", claim.id)
    text = " ".join((claim.place, claim.setting, claim.published, authors, name))
    own = {hashed(stem[:letters]) for letters in range(3, _STEM + 1) for stem in stems(text)}
    signed = signatures.get(claim.id, "")
    return own | {signed[i : i + 4] for i in range(0, len(signed), 4)}
