"""The taught part: judges of the exercises, marks for a class, a student's folder and machine.

A notebook imports ``check``, and a few things to work on, which are loaded when they are asked for.
The names are listed once, in ``__init__.pyi``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
