"""Titles of films and names of artists for stand-ins: put together from lists of words.

Nobody made these films, and nobody bears these names; each stands once, and always in the same
place. Their chance is their own, so that words may change here and no number with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

_SEED = 1895  # the year of the first public film show; any other would do
_NAMES = "Anneli Bruno Dilek Emeka Farida Goran Hilma Ilkay Jovan Kirsi Lorcan Marit"
_LOOKS = """
    Alphabetical Backward Borrowed Buttoned Cardboard Carbonated Chequered Corduroy Damp
    Double-Parked Embroidered Forgetful Freckled Gluten-Free Half-Price Hesitant Inflatable Itchy
    Jammed Knitted Laminated Left-Handed Lopsided Lukewarm Misfiled Mumbling Non-Slip Overbooked
    Overdue Pickled Portable Punctual Quilted Reheated Reversible Second-Best Seasick Slanted
    Sleepless Snoring Squeaking Starched Tax-Free Tiptoeing Unironed Upholstered Waterproof Wobbly
"""
_THINGS = """
    Accordion Armchair Artichoke Ashtray Barometer Bathtub Beetroot Bicycle Birdhouse Bookend
    Bucket Cactus-Pot Calculator Casserole Clarinet Coat-Hanger Colander Corkscrew Crumpet Cucumber
    Doorbell Doormat Dumpling Envelope Escalator Filing-Cabinet Flowerpot Gherkin Hairdryer Hammock
    Ironing-Board Jar Kettle Ladle Lampshade Marrow Milk-Float Mitten Oven-Glove Paperclip Parasol
    Radiator Rhubarb-Pie Saucepan Sideboard Teapot Turnip Umbrella-Stand
"""


def titles(years: Sequence[int]) -> list[str]:
    """Give a film of each of these years a title, at most 2,304 of them.

    Examples
    --------
    >>> len(set(titles([1994] * 1682)))
    1682
    """
    words = _combined(len(years), _LOOKS, _THINGS)
    return [f"The {' '.join(each)} ({year})" for each, year in zip(words, years, strict=True)]


def artists(count: int) -> list[str]:
    """Give so many artists a name, at most 27,648 of them.

    Examples
    --------
    >>> len(set(artists(17_632)))
    17632
    """
    return [
        f"{name} and the {look} {thing}s"
        for name, look, thing in _combined(count, _NAMES, _LOOKS, _THINGS)
    ]


def _combined(count: int, *lists: str) -> list[tuple[str, ...]]:
    """Different combinations, a word of each list, in an order drawn from the seed."""
    every = list(product(*map(str.split, lists)))
    return [every[place] for place in np.random.default_rng(_SEED).permutation(len(every))[:count]]
