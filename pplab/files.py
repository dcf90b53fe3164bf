"""Files that are written whole or not at all, for the packages above."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4


@contextmanager
def whole(file: Path) -> Iterator[BinaryIO]:
    """Write a file under another name and rename it, so that it is never incomplete.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with whole(Path(folder, "a.txt")) as out:
    ...         _ = out.write(b"all of it")
    ...     Path(folder, "a.txt").read_text(), len(os.listdir(folder))
    ('all of it', 1)
    """
    aside = file.with_name(f".{file.name}.{uuid4().hex}.tmp")
    try:
        with aside.open("wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        aside.replace(file)
    finally:
        aside.unlink(missing_ok=True)
