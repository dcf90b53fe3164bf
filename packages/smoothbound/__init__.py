"""Closest smooth k-anonymous copies, bounds on anybody's, their proofs, and files past one machine.

The names are listed once, in ``__init__.pyi``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
