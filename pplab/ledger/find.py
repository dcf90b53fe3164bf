"""Finding claims: by id, by place and setting as printed, by words of the restated statement.

Words are exact: ``k = 9`` does not find ``k = 90``. Case, spaces, commas and the plural are of no
matter; ``ε`` is ``epsilon``. The page searches by the same rules (``report/page.html``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

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


def matching(claims: Iterable[tuple[Claim, str]], query: str) -> list[str]:
    """Ids that a query finds among claims with their authors.

    With a colon in it, the query is an id or a part of one.
    """
    claims = list(claims)
    if ":" in query:
        part = re.compile(rf"(^|:){re.escape(query.strip(':'))}(:|$)", re.IGNORECASE)
        found = [claim.id for claim, _ in claims if part.search(claim.id)]
        return [query] if query in found else found
    wanted = units(query)
    return [
        claim.id
        for claim, authors in claims
        if wanted
        and (text := searched(claim.place, claim.setting, claim.published, authors))
        and all(unit in text for unit in wanted)
    ]
