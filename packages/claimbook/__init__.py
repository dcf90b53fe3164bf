"""A ledger of claims for any paper: what is published, rules, measurements, verdicts."""

import lazy_loader

# What a name belongs to is imported when it is asked for: a command is to begin at once.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
