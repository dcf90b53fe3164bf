"""Sliders for notebooks, each with a static twin drawn by the same function."""

from pplab.widgets.efforts import similarity_after
from pplab.widgets.sliders import Control, explore
from pplab.widgets.twins import twin

__all__ = ["Control", "explore", "similarity_after", "twin"]
