"""The notebooks that a teacher hands out, and the two archives of them."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pplab.shipped import shipped
from pplab_course.handed_out import refuse_edited
from pplab_course.start import course_files, write_whole


def student_notebooks() -> Iterator[tuple[str, str]]:
    """Name and text of each notebook as students get it."""
    refuse_edited(shipped() / "notebooks")
    return _notebooks(shipped() / "notebooks")


def solved_notebooks(place: Path | None) -> Iterator[tuple[str, str]]:
    """Name and text of each solved notebook, from a clone, a folder or the teacher's archive."""
    place = place or shipped() / "notebooks" / "solutions"
    texts = dict(_notebooks(place))
    for name, text in student_notebooks():
        if name not in texts or _exercises(text) & _exercises(texts[name]):
            raise ValueError(
                f"{place} holds no solution of {name}: name a folder of solved notebooks or the "
                "teacher's archive with --solutions"
            )
        yield name, texts[name]


def _exercises(notebook: str) -> set[str]:
    """Sources of the cells that are to be filled in."""
    cells = json.loads(notebook)["cells"]
    tagged = (cell for cell in cells if "solution" in cell["metadata"].get("tags", []))
    return {"".join(cell["source"]) for cell in tagged}


def _notebooks(place: Path) -> Iterator[tuple[str, str]]:
    root: Any = place
    if place.is_file():
        if not zipfile.is_zipfile(place):
            raise ValueError(f"{place} is no archive: name a folder or the teacher's archive")
        root = zipfile.Path(place) / "solutions"
    files = root.iterdir() if root.is_dir() else ()
    for file in sorted(files, key=lambda file: file.name):
        if file.name.endswith(".ipynb"):
            yield file.name.removesuffix(".ipynb"), file.read_text(encoding="utf-8")


def answers(place: Path | None = None) -> dict[str, bytes]:
    """File that only examiners read, by its name, from a clone or the teacher's archive.

    Raises
    ------
    ValueError
        Of an installed pplab, which holds none.
    """
    packed = place is not None and zipfile.is_zipfile(place)
    root: Any = zipfile.Path(str(place)) if packed else shipped()
    folder = root / "docs" / "teach" / "answers"
    if not folder.is_dir():
        raise ValueError(
            "an installed pplab holds no answers for examiners, which are in a clone: type the "
            "command there"
        )
    files = sorted(folder.iterdir(), key=lambda file: file.name)
    return {file.name: file.read_bytes() for file in files}


def archives(folder: Path, *, solutions: Path | None = None) -> list[Path]:
    """Write a student's and a teacher's archive; the second also has solutions, guide and answers.

    Raises
    ------
    ValueError
        If an archive is there already, or solutions or answers are missing.
    """
    student, guide = course_files(), sorted((shipped() / "docs" / "teach").glob("*.md"))
    teacher: dict[str, str | bytes] = {**student}
    teacher |= {f"solutions/{name}.ipynb": text for name, text in solved_notebooks(solutions)}
    teacher |= {f"docs/teach/{file.name}": file.read_bytes() for file in guide}
    teacher |= {f"docs/teach/answers/{name}": text for name, text in answers(solutions).items()}
    written = []
    for whom, files in (("student", student), ("teacher", teacher)):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files.items():
                archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
        written.append(folder / f"pplab-course-{whom}.zip")
        write_whole(written[-1], packed.getvalue(), new=True)
    return written
