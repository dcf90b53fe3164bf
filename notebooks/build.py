"""Build the notebooks from their sources: `make notebooks`, or `python notebooks/build.py 02`.

Each `src/NN_name.py` is run once; `solutions/NN_name.ipynb` gets its outputs, `NN_name.ipynb`
the same with solution cells turned into stubs. Only notebooks out of step with their source are
run again, unless `--all` says otherwise (use it after a change in `pplab` itself).
"""

import argparse
import json
import math
import os
import sys
import tempfile
import time
from pathlib import Path
from queue import Empty
from typing import Any

import nbformat
from cells import (
    HERE,
    clean,
    out_of_step,
    private_paths,
    read_source,
    sources,
    student_copy,
    tags_of,
)
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from pplab_course.handed_out import RECORD, hashes

# Run in the notebook's own kernel after its last cell: which results came from a stand-in?
_PROBE = """
print([name for name, value in list(globals().items())
       if not name.startswith(("_", "standin"))
       and "standin" in str(getattr(value, "source", ""))])
"""
# Each start warns that messages to the kernel are not encrypted; they never leave this machine.
_KERNEL = ["--IPKernelApp.log_level=40"]


class BuildError(Exception):
    """A notebook that must not be written, with one sentence that says why."""


class _Client(NotebookClient):
    """A client that looks for the kernel's answer each second.

    Its one long look, up to the timeout, may miss that the answer has come: notebook 17 then waited
    ten minutes for a cell that was done, three times in ten.
    """

    async def async_start_new_kernel_client(self) -> Any:
        """Start it, and let its shell channel look often."""
        client = await super().async_start_new_kernel_client()
        look = client.shell_channel.get_msg

        async def get_msg(timeout: float | None = None) -> Any:
            end = math.inf if timeout is None else time.monotonic() + timeout
            while True:
                try:
                    return await look(timeout=1)
                except Empty:
                    if time.monotonic() > end:
                        raise

        client.shell_channel.get_msg = get_msg
        return client


def run(notebook: Any, *, name: str, timeout: int = 600) -> list[str]:
    """Run a notebook in place, in an empty folder; give the names that hold stand-in data."""
    probe = nbformat.v4.new_code_cell(_PROBE)
    notebook.cells.append(probe)
    try:
        with tempfile.TemporaryDirectory() as folder:
            _Client(
                notebook,
                timeout=timeout,
                kernel_name="python3",
                coalesce_streams=True,  # what is printed piece by piece is one text
                resources={"metadata": {"path": folder}},
                extra_arguments=_KERNEL,
            ).execute()
    except CellExecutionError as error:
        raise BuildError(
            f"{name}: {error.ename}: {error.evalue}, in the cell\n{_broken(notebook)}"
        ) from error
    finally:
        notebook.cells.remove(probe)
    answer = "".join(output.get("text", "") for output in probe.outputs).strip()
    return [word.strip("[]' ") for word in answer.split(",") if word.strip("[]' ")]


def _broken(notebook: Any) -> str:
    """The source of the cell that stopped the run."""
    return next(
        cell.source
        for cell in notebook.cells
        if any(output.output_type == "error" for output in cell.get("outputs", []))
    )


def build(source: Path, *, allow_standin: bool = False) -> None:
    """Run one source and write its two notebooks."""
    name = source.stem
    print(f"{name}: running ...", flush=True)
    start = time.monotonic()
    notebook = read_source(source)
    standins = run(notebook, name=name)
    clean(notebook)
    uses_real_data = any("real-data" in tags_of(cell) for cell in notebook.cells)
    if standins and uses_real_data and not allow_standin:
        raise BuildError(
            f"{name}: {', '.join(standins)} came from the stand-in, but outputs must show real "
            "data; set PPLAB_DATA to the folder of real data, or pass --allow-standin to look only"
        )
    if paths := private_paths(notebook):
        raise BuildError(f"{name}: outputs hold paths of this machine: {'; '.join(paths)}")
    folder = source.parent.parent
    write(notebook, folder / "solutions" / f"{name}.ipynb")
    write(student_copy(notebook, name), folder / f"{name}.ipynb")
    record(folder)
    print(f"{name}: written in {time.monotonic() - start:.0f} s", flush=True)


def write(notebook: Any, path: Path) -> None:
    """Write a notebook whole or not at all."""
    nbformat.validate(notebook)
    path.parent.mkdir(exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
    part.replace(path)


def record(folder: Path) -> None:
    """Write the hash of the cells of each notebook: what differs from it is not handed out."""
    text = json.dumps(hashes(folder), indent=1) + "\n"
    (folder / RECORD).write_text(text, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Build what is out of step, or what is named."""
    parser = argparse.ArgumentParser(description="Run the notebook sources, write the notebooks.")
    parser.add_argument("names", nargs="*", help="beginnings of names, such as 02; default: all")
    parser.add_argument("--all", action="store_true", help="run also what is in step already")
    parser.add_argument("--allow-standin", action="store_true", help="write stand-in outputs too")
    parser.add_argument("--folder", type=Path, default=HERE, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    chosen = [
        source
        for source in sources(options.folder)
        if not options.names or source.stem.startswith(tuple(options.names))
    ]
    if not chosen:
        print(f"no source matches {options.names}; there are: {[s.stem for s in sources()]}")
        return 2
    os.environ.setdefault("PYTHONHASHSEED", "0")
    os.environ["PPLAB_PROGRESS"] = os.devnull  # what is solved here is nobody's progress
    if os.environ.get("PPLAB_DATA"):  # notebooks run in another folder
        os.environ["PPLAB_DATA"] = str(Path(os.environ["PPLAB_DATA"]).resolve())
    for source in chosen:
        if not options.all and not out_of_step(source):
            print(f"{source.stem}: in step with its source, left alone (--all runs it again)")
            continue
        try:
            build(source, allow_standin=options.allow_standin)
        except BuildError as error:
            print(error, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
