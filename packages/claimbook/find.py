"""Finding claims: by id, by place and setting as printed, by words, by a pasted sentence.

Words are exact: ``k = 9`` does not find ``k = 90``. Case, spaces, commas and the plural are of no
matter; ``ε`` is ``epsilon``, ``Thm`` is ``theorem``. Rows that have all that a query asks for, in
their texts or their id, come in the order of their places: the fewer other words, the sooner. Where
there is none, rows are ranked by the share of the query's words that they have, rare words counting
more; of a word that no row has one letter may be wrong. A row may carry a *signature*: hashes of
the word stems of the sentence that it restates, so that a pasted sentence finds it though no
sentence of a paper is stored. The page searches by the same rules (``report/page.html``).
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from claimbook.rules import Claim

NAMES = {"ε": "epsilon", "σ": "sigma", "δ": "delta", "α": "alpha", "φ": "phi", "∞": "inf"}
NAMES |= {"≤": "<=", "≥": ">="}
LONG = {"eps": "epsilon", "thm": "theorem", "fig": "figure", "eq": "equation", "eqs": "equation"}
LONG |= {"sec": "section", "tab": "table", "def": "definition", "lem": "lemma", "cor": "corollary"}
# E(g) is one word, Figure 3(c) is not.
_TOKEN = re.compile(r"\b[^\W\d_]\([^()\s]+\)|[^\W\d_]+|\d+(?:\.\d+)*|[=<>]+|[%\n]")


def _tokens(text: str) -> list[str]:
    """Words without the s of a plural, numbers without commas, and signs."""
    text = "".join(NAMES.get(sign, sign) for sign in unicodedata.normalize("NFKC", text).lower())
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    words = (word for word in _TOKEN.findall(text) if word not in ("and", "or"))
    plain = (word[:-1] if len(word) > 3 and word[-1] == "s" else word for word in words)
    return [LONG.get(word, word) for word in plain]


def searched(*texts: str) -> str:
    """Text in which ``units`` are looked up: a list of numbers repeats what stands before it.

    Examples
    --------
    >>> searched("Tables 1 and 3", "n = 19,724")
    ' table 1 table 3 \\n n = 19724 '
    """
    tokens: list[str] = []
    head: list[str] = []  # of numbers: a word, perhaps with a sign
    for token in _tokens("\n".join(texts)):
        if not token[0].isdecimal():
            head = [*head, token] if token[0] in "=<>" else [token]
        elif tokens and tokens[-1][0].isdecimal():
            tokens += head
        tokens.append(token)
    return f" {' '.join(tokens)} "


def units(query: str) -> list[str]:
    """What must stand together: a sign or a number with what comes before it.

    Examples
    --------
    >>> units("Table 3, k = 9")
    [' table 3 ', ' k = 9 ']
    """
    groups: list[list[str]] = []
    before = "\n"
    for token in _tokens(re.sub(r",(?!\d{3}(?!\d))", "\n", query)):
        number = token[0].isdecimal() and not before[0].isdecimal() and before not in "%\n"
        if number or (token[0] in "=<>" and groups):
            groups[-1].append(token)
        elif token != "\n":
            groups.append([token])
        before = token
    return [f" {' '.join(group)} " for group in groups]


ENOUGH = 0.6  # share of a query's words, weighted
MOST = 12  # rows that are shown where none has all words
CLOSE = 0.3  # share from which a row may be meant
STEM = 6  # letters of a word that tell it


def stems(text: str) -> list[str]:
    """Beginnings of the words of a text, numbers as they are; short words tell nothing.

    Examples
    --------
    >>> stems("The sensitivity will be determined by k = 8")
    ['sensit', 'determ', '8']
    """
    kept = (word for word in _tokens(text) if word[0].isdecimal() or len(word) > 2)
    return [word if word[0].isdecimal() else word[:STEM] for word in kept if word not in COMMON]


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

    With a colon in it and no space, the query is an id or a part of one.
    """
    claims = list(claims)
    query = query.strip()
    if ":" in query and not re.search(r"\s", query):
        part = re.compile(rf"(^|:){re.escape(query.strip(':'))}(:|$)", re.IGNORECASE)
        ids = [claim.id for claim, _ in claims if part.search(claim.id)]
        return [query] if query in ids else ids
    if not (wanted := units(query)):
        return []
    whole = [
        claim
        for claim, authors in claims
        if (text := searched(*_texts(claim, authors))) and all(unit in text for unit in wanted)
    ]
    if whole:
        asked = set(_tokens(query))
        whole.sort(key=lambda claim: (_aside(claim), len({*_tokens(claim.place)} - asked)))
        return [claim.id for claim in whole]
    ranked = _ranked(claims, query, signatures or {})
    return [name for name, share in ranked[:MOST] if share >= ENOUGH]


def near(
    claims: Iterable[tuple[Claim, str]], query: str, signatures: Mapping[str, str] | None = None
) -> list[str]:
    """Ids that come closest to a query which finds nothing: those of "did you mean"."""
    ranked = _ranked(list(claims), _words(query), signatures or {})
    return [name for name, share in ranked[:3] if share >= CLOSE]


def _words(name: str) -> str:
    return re.sub("[-_:]", " ", name)


def _texts(claim: Claim, authors: str) -> list[str]:
    """Texts in which a row is looked for, the words of its id among them, but for the paper."""
    name = _words(claim.id.partition(":")[2])
    return [claim.place, claim.setting, claim.published, authors, name]


def _aside(claim: Claim) -> bool:
    """Whether a row is none that the paper prints, or is judged by another one."""
    return claim.kind not in ("number", "statement") or bool(claim.same_as)


def _ranked(
    claims: Sequence[tuple[Claim, str]], query: str, signatures: Mapping[str, str]
) -> list[tuple[str, float]]:
    """Ids with the share of a query's words that their rows have, weighted by rarity.

    Of equal ones those come first that have more in their own texts.
    """
    rows = {claim.id: _beginnings(claim, authors) for claim, authors in claims}
    signed = {name: {*re.findall("....", signatures.get(name, ""))} for name in rows}
    count = Counter(word for words in rows.values() for word in words)
    hashes = {digest for some in signed.values() for digest in some}
    asked = {
        word if word in count or hashed(word) in hashes else _meant(word, count)
        for word in stems(query)
    }
    shares, own, total = dict.fromkeys(rows, 0.0), dict.fromkeys(rows, 0.0), 0.0
    for word in sorted(asked):
        code = hashed(word)
        having = [name for name in rows if word in rows[name] or code in signed[name]]
        weight = math.log(1 + len(rows) / (1 + len(having)))
        total += weight
        for name in having:
            shares[name] += weight
            own[name] += weight if word in rows[name] else 0
    best = sorted((-shares[c.id], -own[c.id], _aside(c), i) for i, (c, _) in enumerate(claims))
    return [(claims[i][0].id, -share / total if total else 0.0) for share, *_, i in best]


def _beginnings(claim: Claim, authors: str) -> set[str]:
    """Beginnings of a row's words, of three letters and more; numbers as they are."""
    words = stems(" ".join((*_texts(claim, authors), _words(claim.paper))))
    return {
        word if word[0].isdecimal() else word[:letters]
        for word in words
        for letters in range(3, STEM + 1)
    }


def _meant(word: str, count: Mapping[str, int]) -> str:
    """The commonest of the words that differ from one in a letter; itself where none does."""
    if word[0].isdecimal() or len(word) < 5:
        return word
    close = [other for other in count if len(other) > 4 and _less(word) & _less(other)]
    return min(close, key=lambda other: (-count[other], other), default=word)


def _less(word: str) -> set[str]:
    """A word with one letter less, each in turn."""
    return {word[:i] + word[i + 1 :] for i in range(len(word))}
