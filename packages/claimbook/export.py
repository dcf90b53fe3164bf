"""The ledger for other programs: CSV, JSON (``report/claims.schema.json``), a LaTeX table."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

from claimbook.csvfile import csv_text
from claimbook.results import versions
from claimbook.views import Entry, row

SCHEMA_VERSION = "1.0"


def as_csv(entries: Sequence[Entry]) -> str:
    """One line per claim, with the columns of ``pplab.claims()``.

    A text that a spreadsheet would run as a formula begins with an apostrophe.
    """
    rows = [{name: _no_formula(cell) for name, cell in row(entry).items()} for entry in entries]
    return csv_text(list(rows[0]) if rows else ["id"], rows)


def _no_formula(cell: Any) -> Any:
    runs = isinstance(cell, str) and cell[:1] in ("=", "@", "+", "\t", "\r")
    return f"'{cell}" if runs else cell


def as_json(entries: Sequence[Entry]) -> str:
    """Claims with their papers and the versions that wrote them."""
    papers = {entry.claim.paper: entry.paper for entry in entries}
    content = {
        "schema_version": SCHEMA_VERSION,
        "versions": versions(),
        "papers": {
            key: {name: getattr(paper, name) for name in ("title", "authors", "year", "address")}
            for key, paper in papers.items()
        },
        "claims": [row(entry) for entry in entries],
    }
    return f"{json.dumps(content, indent=1, ensure_ascii=False)}\n"


_TEX = (
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "\xa0": "~", "⁄": "/"}
    | {"[": "{[}", "*": "{*}"}  # after the end of a row they would belong to it
    | {"–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''", "§": r"\S{}"}
    | {"ß": r"\ss{}", "ø": r"\o{}", "Ø": r"\O{}", "æ": r"\ae{}", "ł": r"\l{}", "ı": r"\i{}"}
    | dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo", strict=True))
)
# Signs of formulas and Greek letters, each before its command of plain LaTeX.
_FORMULAS = r"""
± \pm − - × \times · \cdot ÷ \div ≤ \le ≥ \ge ≠ \ne ≈ \approx ∼ \sim ≡ \equiv ∝ \propto ∞ \infty
∈ \in ∉ \notin ⊂ \subset ⊆ \subseteq ∪ \cup ∩ \cap ∅ \emptyset ∀ \forall ∃ \exists → \to
← \leftarrow ⇒ \Rightarrow ∑ \sum ∏ \prod ∫ \int √ \surd ∂ \partial ∇ \nabla ∆ \Delta ° ^\circ
α \alpha β \beta γ \gamma δ \delta ε \varepsilon ζ \zeta η \eta θ \theta ι \iota κ \kappa λ \lambda
μ \mu ν \nu ξ \xi π \pi ρ \rho ς \varsigma σ \sigma τ \tau υ \upsilon φ \varphi χ \chi ψ \psi
ω \omega Γ \Gamma Δ \Delta Θ \Theta Λ \Lambda Ξ \Xi Π \Pi Σ \Sigma Υ \Upsilon Φ \Phi Ψ \Psi Ω \Omega
"""
_TEX |= {sign: rf"\ensuremath{{{c}}}" for sign, c in re.findall(r"(\S) (\S+)", _FORMULAS)}
_ACCENTS = dict(zip("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308", "`'^~=u.\"", strict=True))
_ACCENTS |= {"\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c"}


def _tex(text: str) -> str:
    r"""A text for LaTeX in ASCII, so that it compiles in any encoding and font.

    Examples
    --------
    >>> print(_tex("σ² = 5 % ± 1, Erdős"))
    \ensuremath{\sigma}\textsuperscript{2} = 5 \% \ensuremath{\pm} 1, Erd\H{o}s
    """
    signs: list[str] = []
    for sign in unicodedata.normalize("NFC", text):
        if signs and sign in _ACCENTS:  # over a letter that has no sign with it
            signs[-1] = rf"\{_ACCENTS[sign]}{{{signs[-1]}}}"
        else:
            signs.append(_sign(sign))
    return "".join(signs)


def _sign(sign: str) -> str:
    if sign in _TEX or sign.isascii():
        return _TEX.get(sign, sign if sign.isprintable() else " ")
    kind, _, codes = unicodedata.decomposition(sign).rpartition("> ")
    *first, last = [chr(int(code, 16)) for code in codes.split()] or [""]
    before, whole = ("".join(map(_sign, letters)) for letters in (first, [*first, last]))
    if last in _ACCENTS:
        return rf"\{_ACCENTS[last]}{{{before}}}"
    if kind in ("<super", "<sub"):
        return rf"\text{kind[1:]}script{{{whole}}}"
    return whole or f"(U+{ord(sign):04X})"  # plain LaTeX has no such letter


def as_latex(entries: Sequence[Entry]) -> str:
    """A longtable: place, setting, published, measured, verdict; it needs ``longtable`` only."""
    names = ("place", "setting", "published", "measured", "verdict")
    widths = (0.12, 0.18, 0.18, 0.18, 0.14)
    columns = "".join(rf"p{{{width}\linewidth}}" for width in widths)
    lines = [rf"\begin{{longtable}}{{{columns}}}", r"\hline"]
    lines += [rf"{' & '.join(name.capitalize() for name in names)} \\", r"\hline", r"\endhead"]
    for entry in entries:
        cells = row(entry)
        texts = (_tex(str(cells[name])) for name in names)
        name = entry.claim.id.encode("ascii", "backslashreplace").decode()
        lines.append(rf"{' & '.join(texts)} \\ % {name}")
    return "\n".join([*lines, r"\hline", r"\end{longtable}", ""])


FORMATS: dict[str, Callable[..., str]] = {"csv": as_csv, "json": as_json, "latex": as_latex}
