"""Formulas as pictures, so that a page of feedback needs no network."""

import base64
import html
import io
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

LONGEST = 400  # characters of a formula that is drawn
MOST = 1000  # formulas of a notebook that are drawn: ours have a hundred
_FORMULA = re.compile(r"\$\$([^$]+)\$\$|(?<![\\$\w])\$(?=[^\s$])([^$\n]*(?:\n[^$\n]+)?)\$")
# What matplotlib calls otherwise, or does without.
_OTHERWISE = {
    r"\\(le|ge|ne)(?![a-zA-Z])": r"\\\1q",
    r"\\[bB]igg?[lr]?(?![a-zA-Z])": "",
    r"\\Pr(?![a-zA-Z])": r"\\mathrm{Pr}",
    r"\\[td]frac": r"\\frac",
    r"\\frac\s*(\w)\s*(\w)(?![a-zA-Z{])": r"\\frac{\1}{\2}",
    r"\\sqrt\s*(\w)": r"\\sqrt{\1}",
    r"\\lvert|\\rvert|\\mid(?![a-zA-Z])": "|",
}


def draw_formulas(nb: Any, resources: Any) -> tuple[Any, Any]:
    """A preprocessor of nbconvert: the formulas of a notebook as pictures."""
    left = iter(range(MOST))
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            cell.source = drawn(cell.source, left)
        for output in cell.get("outputs", []):
            if prose := output.get("data", {}).get("text/markdown"):
                output.data["text/markdown"] = drawn(prose, left)
    return nb, resources


def drawn(markdown: str, left: Iterable[int] = range(MOST)) -> str:
    """Markdown in which each formula that matplotlib can draw is a picture, with its TeX as text.

    As many are drawn as ``left`` gives numbers; the others are text.

    Examples
    --------
    >>> drawn("costs 5 $")
    'costs 5 $'
    >>> drawn(r"$\\alpha < 1$").startswith('<img alt="')
    True
    >>> drawn(r"$\\unknown{x}$")
    '&#92;unknown&#123;x&#125;'
    """
    parts = re.split(r"(```.*?```|`[^`]*`)", markdown, flags=re.DOTALL)
    numbers = iter(left)

    def replaced(place: re.Match[str]) -> str:
        tex = " ".join((place[1] or place[2]).split())
        tag = _as_text(tex) if next(numbers, None) is None else _picture(tex)
        return f"\n\n{tag}\n\n" if place[1] else tag

    parts[::2] = [_FORMULA.sub(replaced, part) for part in parts[::2]]
    return "".join(parts)


@cache
def _picture(tex: str) -> str:
    from matplotlib.font_manager import FontProperties
    from matplotlib.mathtext import math_to_image

    svg = io.BytesIO()
    text = html.escape(html.unescape(tex), quote=True)
    try:
        if len(tex) > LONGEST:
            raise ValueError("a formula as long as a page")
        known = html.unescape(tex)
        for plain_text, ours in _OTHERWISE.items():
            known = re.sub(plain_text, ours, known)
        size = FontProperties(size=11, math_fontfamily="cm")
        math_to_image(f"${known}$", svg, prop=size, format="svg")
    except (ValueError, RuntimeError):  # TeX that matplotlib does not read
        return _as_text(tex)
    data = base64.b64encode(svg.getvalue()).decode()
    style = "vertical-align: middle; display: inline"
    return f'<img alt="{text}" style="{style}" src="data:image/svg+xml;base64,{data}">'


def _as_text(tex: str) -> str:
    """Every sign as a number: text wherever Markdown sees it, where backticks could be paired."""
    return re.sub(r"[^\w\s]", lambda sign: f"&#{ord(sign[0])};", html.unescape(tex))
