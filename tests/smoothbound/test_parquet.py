"""Runs over files in this process: what is published, what is refused, and runs that stop."""

import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from distributed import KilledWorker

from benchmarks._common import workers
from pplab.metrics.anonymity import is_smooth_k_anonymous
from smoothbound import parquet as parts
from smoothbound.parquet import made_rows, make_edges, smooth_k_anonymize_parquet, verify_parquet
from tests.smoothbound.cases import content, read, write

ROWS, ITEMS, K = 2000, 400, 4


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("edges")
    make_edges(folder, rows=ROWS, items=ITEMS, files=5)
    return folder


def run(source, target, k=K, **options):
    return smooth_k_anonymize_parquet(
        source, target, k, **{"chunk_rows": 300, "rng": 1, "rows": ROWS} | options
    )


@pytest.fixture(scope="module")
def whole(source, tmp_path_factory):
    """Folder of a run that nobody disturbed, and its numbers."""
    target = tmp_path_factory.mktemp("whole") / "target"
    return target, run(source, target)


def test_published_files_are_a_smooth_k_anonymous_copy(source, whole):
    target, result = whole
    original, copy = (read(f, ROWS, ITEMS) for f in (source, target / "edges"))
    assert is_smooth_k_anonymous(original, copy, K)
    groups = pq.read_table(target / "groups").to_pandas()
    assert sorted(groups["row"]) == list(range(ROWS))
    sizes = groups["group"].value_counts()
    assert sizes.min() == result.smallest_group >= K
    assert len(sizes) == result.groups
    both = original.multiply(copy).nnz
    assert (result.rows, result.entries, result.kept) == (ROWS, original.nnz, both)
    assert result.created == copy.nnz - both
    assert result.jaccard == both / (original.nnz + result.created)
    assert result.empty_rows == (np.diff(copy.indptr) == 0).sum()
    assert verify_parquet(target).holds
    assert verify_parquet(target).jaccard == result.jaccard
    # chunks have about the wanted rows
    sizes = [pq.read_metadata(f).num_rows for f in (target / "groups").iterdir()]
    assert len(sizes) == result.chunks == round(ROWS / 300)
    assert min(sizes) >= 150
    assert max(sizes) <= 450
    # nothing but the result is left
    names = {entry.name for entry in target.iterdir()}
    assert names == {"edges", "groups", "plan.json", "manifest.json"}
    assert {f.suffix for f in target.rglob("*") if f.is_file()} == {".json", ".parquet"}
    assert json.loads((target / "manifest.json").read_text())["found"]["kept"] == result.kept


def test_how_rows_are_cut_into_files_changes_nothing(source, whole, tmp_path):
    rows, items = (pq.read_table(source)[name].to_numpy() for name in ("row", "item"))
    rng = np.random.default_rng(1)
    files = []
    for first, until in ((0, 700), (700, 701), (701, ROWS)):
        mine = rng.permutation(np.flatnonzero((rows >= first) & (rows < until)))
        files.append((rows[mine], items[mine]))
    other = write(tmp_path / "other", *files[::-1], write_statistics=False)
    run(other, tmp_path / "again")
    assert content(tmp_path / "again") == content(whole[0])


def test_large_numbers_of_rows_and_items(tmp_path):
    rows, items = made_rows(200, 60, 1, 0, 200)
    narrow = write(tmp_path / "narrow", (rows, items.astype(np.int32)))
    wide = write(tmp_path / "wide", (rows * 10**15, items * 10**14))
    options = {"rows": None, "chunk_rows": 60}
    one, other = (run(s, s.parent / f"{s.name} out", **options) for s in (narrow, wide))
    assert one.rows == other.rows == len(np.unique(rows))
    types = [pq.read_schema(tmp_path / f"{name} out/edges/part-00000.parquet").field("item").type
             for name in ("narrow", "wide")]  # fmt: skip
    assert types == [pa.int32(), pa.int64()]
    assert verify_parquet(tmp_path / "wide out").holds


def test_rows_without_entries_count_if_asked(tmp_path):
    rows, items = np.repeat([3, 5, 6, 11, 12], 2), np.tile([1, 2], 5)
    folder = write(tmp_path / "source", (rows[:4], items[:4]), (rows[4:], items[4:]))
    without = run(folder, tmp_path / "without", 2, rows=None)
    assert (without.rows, without.jaccard) == (5, 1)
    assert set(pq.read_table(tmp_path / "without/groups")["row"].to_pylist()) == {3, 5, 6, 11, 12}
    with_empty = run(folder, tmp_path / "with", 2, rows=16)
    assert with_empty.rows == 16
    assert sorted(pq.read_table(tmp_path / "with/groups")["row"].to_pylist()) == list(range(16))
    assert all(verify_parquet(tmp_path / name).holds for name in ("with", "without"))


def test_only_rows_without_entries_in_a_chunk(tmp_path):
    folder = write(tmp_path / "source", (np.repeat(np.arange(40), 2), np.tile([1, 2], 40)))
    result = run(folder, tmp_path / "target", rows=400, chunk_rows=40)
    assert (result.rows, result.jaccard, result.empty_rows) == (400, 1, 360)
    assert verify_parquet(tmp_path / "target").holds


def test_a_stopped_run_goes_on_and_keeps_finished_parts(source, whole, tmp_path, monkeypatch):
    target, labels_of = tmp_path / "target", parts.chunk_labels

    def stops(table, k, number, **options):
        if number == 3:
            raise InterruptedError("stopped")
        return labels_of(table, k, number, **options)

    monkeypatch.setattr(parts, "chunk_labels", stops)
    with pytest.raises(InterruptedError):
        run(source, target)
    monkeypatch.undo()
    assert not (target / "manifest.json").exists()
    finished = {file: file.stat().st_mtime_ns for file in (target / "groups").iterdir()}
    assert 0 < len(finished) < whole[1].chunks
    with pytest.raises(FileNotFoundError, match="finished run"):
        verify_parquet(target)
    result = run(source, target, rng=None)  # the seed is that of the run that was begun
    assert result.kept == whole[1].kept
    assert content(target) == content(whole[0])
    assert all(file.stat().st_mtime_ns == when for file, when in finished.items())
    assert run(source, target) == result  # a finished run is told again
    with pytest.raises(FileExistsError, match="got another seed"):
        run(source, target, rng=2)
    with pytest.raises(FileExistsError, match="got another k"):
        run(source, target, 5)


def edges(rows, items):
    return np.array(rows), np.array(items)


def test_refused(tmp_path):
    plain, nothing = edges([0, 1], [1, 1]), pa.array([], pa.int64())
    cases = (
        ([plain, edges([1, 2], [2, 2])], {}, "each row in one file"),
        ([edges([0, 2], [1, 1]), edges([1, 3], [2, 2])], {}, "each row in one file"),
        ([edges([0, 1, 0], [1, 1, 1])], {}, "got row 0 with item 1 twice"),
        ([edges([0, -1], [1, 1])], {}, "whole numbers from 0, of at most 63 bits, got -1"),
        ([edges([0, 1], [1, -4])], {}, "from 0, of at most 63 bits, got -4"),
        ([edges([0, 1], [1.0, 1.5])], {}, "of whole numbers"),
        ([(pa.array([0, 1, None]), pa.array([1, 1, 1]))], {}, "got 1 missing"),
        ([edges([0, 7], [1, 1])], {"rows": 7}, "got 7 and an entry of row 7"),
        ([plain], {"rows": None}, "k must be an integer between 2 and 2, got 4"),
        ([(nothing, nothing)], {}, "at least one entry"),
        ([plain], {"client": 2}, "dask.distributed.Client or None"),
        ([plain], {"chunk_rows": 3}, "chunk_rows must be"),
        ([plain], {"method": "alg1"}, "method must be one of"),
        ([], {}, "folder of Parquet files"),
    )
    for number, (files, options, sentence) in enumerate(cases):
        folder = write(tmp_path / f"source {number}", *files)
        with pytest.raises((TypeError, ValueError, FileNotFoundError), match=sentence):
            run(folder, tmp_path / f"target {number}", **options)
    with pytest.raises(FileExistsError, match="empty or a new folder"):
        run(write(tmp_path / "source", plain), tmp_path, 2)


@pytest.mark.parametrize("options", [{}, {"rows": 4}])
def test_a_k_above_the_rows_leaves_the_target_free(tmp_path, options):
    source, target = write(tmp_path / "source", ([0, 1, 2, 3], [5, 5, 7, 7])), tmp_path / "target"
    with pytest.raises(ValueError, match="k must be an integer between 2 and 4, got 9"):
        smooth_k_anonymize_parquet(source, target, 9, chunk_rows=20, rng=1, **options)
    assert not target.exists() or not list(target.iterdir())
    result = smooth_k_anonymize_parquet(source, target, 2, chunk_rows=20, rng=1, **options)
    assert result.jaccard == 1


def test_a_file_that_cannot_be_used_is_named_and_nothing_is_written(tmp_path):
    """Columns nested, doubled, unsigned or of no whole numbers; a file damaged, foreign or gone."""
    folder, target = tmp_path / "source", tmp_path / "target"
    write(folder, ([0, 0, 1, 1, 2, 3], [5, 7, 5, 7, 9, 9]), ([4, 5], [7, 7]))
    odd = folder / "part-00001.parquet"
    good, fine = odd.read_bytes(), pa.array([4, 5])
    unfit = [pa.array(column) for column in ([{"a": 4}] * 2, [[4], [5]], [4.0, 5.0], ["4", "5"])]
    unfit += [pa.array([[(4, 4)]] * 2, pa.map_(pa.int64(), pa.int64())), pa.nulls(2)]
    unfit += [fine.cast(kind) for kind in (pa.uint64(), pa.decimal128(20), pa.timestamp("ns"))]
    unfit += [pa.array([True, False]), pa.array([4, 2**63 + 5], pa.uint64())]
    tables = [{"row": [column], "item": [fine]} for column in unfit]
    tables += [{"row": [fine], "item": [column]} for column in unfit]
    for table in (*tables, {"row": [fine, fine], "item": [fine]}, {"row": [fine]}):
        columns = [(name, column) for name, some in table.items() for column in some]
        names, values = zip(*columns, strict=True)
        pq.write_table(pa.Table.from_arrays(values, names=list(names)), odd)
        with pytest.raises(ValueError, match=r"part-00001\.parquet must have one column row and"):
            smooth_k_anonymize_parquet(folder, target, 2, rng=1)
    gone = ["gone"] if os.name != "nt" else []  # Windows lets administrators alone make links
    for some in (b"", b"row,item\n" * 9, good[:-20], b"\xff" * 99, *gone, "folder"):
        odd.unlink()
        if isinstance(some, bytes):
            odd.write_bytes(some)
        elif some == "gone":
            odd.symlink_to(tmp_path / "nowhere")
        else:
            odd.mkdir()
        unread = r"part-00001\.parquet cannot be read as a Parquet file"
        with pytest.raises(ValueError, match=unread):
            smooth_k_anonymize_parquet(folder, target, 2, rng=1)
    assert not target.exists()


def test_a_path_is_a_path(tmp_path):
    source = write(tmp_path / "source", ([0, 1], [5, 5]))
    for wrong in (None, 5, [], b"x", "", "a\0b"):
        kind = ValueError if isinstance(wrong, str) else TypeError
        with pytest.raises(kind, match="source must be the path of a folder"):
            smooth_k_anonymize_parquet(wrong, tmp_path / "t", 2)
        with pytest.raises(kind, match="target must be the path of a folder"):
            smooth_k_anonymize_parquet(source, wrong, 2)
        with pytest.raises(kind, match="target must be the path of a folder"):
            verify_parquet(wrong)
    with pytest.raises(FileExistsError, match=r"part-00000\.parquet', a file"):
        smooth_k_anonymize_parquet(source, source / "part-00000.parquet", 2)
    with pytest.raises(ValueError, match="rows must be at most 100000000 to a file"):
        smooth_k_anonymize_parquet(source, tmp_path / "t", 2, rows=10**12)


def test_a_nested_column_before_the_rows_is_no_row(tmp_path):
    """Its leaves come before those of the rows: limits of these would let row 1 be in two files."""
    other = [pa.array([{"a": 1, "b": b} for b in some]) for some in ([0, 1, 2], [10, 11, 12])]
    for name, meta, rows in zip("ab", other, ([0, 0, 1], [1, 2, 3]), strict=True):
        table = pa.table({"meta": meta, "row": rows, "item": [1, 2, 3]})
        pq.write_table(table, tmp_path / f"{name}.parquet")
    with pytest.raises(ValueError, match=r"up to row 1 and b\.parquet from row 1"):
        smooth_k_anonymize_parquet(tmp_path, tmp_path / "target", 2, rng=1)
    (tmp_path / "a.parquet").unlink()
    assert smooth_k_anonymize_parquet(tmp_path, tmp_path / "target", 2, rng=1, rows=4).rows == 4


@pytest.mark.parametrize("rows", [None, 8])
@pytest.mark.parametrize("stage", ["survey", "scatter"])
def test_a_file_replaced_on_the_way_stops_the_run(tmp_path, monkeypatch, rows, stage):
    first, other = ([0, 1, 2, 3], [1, 1, 2, 2]), ([4, 5, 6, 7], [3, 3, 4, 4])
    source, target = write(tmp_path / "s", first, other), tmp_path / "t"
    run_tasks = parts._run_tasks
    replaced = source / "part-00001.parquet"
    before = replaced.read_bytes()

    def run_replaced(work, *jobs, **options):
        if work.__name__ == stage:
            shutil.copy(source / "part-00000.parquet", replaced)
        return run_tasks(work, *jobs, **options)

    monkeypatch.setattr(parts, "_run_tasks", run_replaced)
    with pytest.raises(ValueError, match=r"part-00001\.parquet must stay as it was"):
        smooth_k_anonymize_parquet(source, target, 2, rows=rows, rng=1)
    assert not content(target)
    monkeypatch.undo()
    replaced.write_bytes(before)
    assert smooth_k_anonymize_parquet(source, target, 2, rows=rows, rng=1).rows == 8
    # a finished run: the same limits, size and time, another item
    facts = replaced.stat()
    write(tmp_path / "o", first, (other[0], [3, 3, 4, 3]))
    shutil.copy(tmp_path / "o" / "part-00001.parquet", replaced)
    os.utime(replaced, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert replaced.stat().st_size == facts.st_size
    with pytest.raises(FileExistsError, match=r"got another part-00001\.parquet; repeat the call"):
        smooth_k_anonymize_parquet(source, target, 2, rows=rows, rng=1)
    result = verify_parquet(target)
    assert (result.holds, math.isnan(result.jaccard)) == (False, True)
    assert "part-00001.parquet must stay" in result.unreadable


def test_without_pyarrow_a_sentence_says_what_to_install(source, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'pplab\[scale\]'"):
        run(source, tmp_path / "target")


def changed(file, **columns):
    """Write columns of a file anew, with the same limits for all else."""
    table = pq.read_table(file)
    for name, change in columns.items():
        place = table.schema.get_field_index(name)
        values = pa.array(change(table[name].to_numpy().copy()), table.schema.field(name).type)
        table = table.set_column(place, table.schema.field(name), values)
    pq.write_table(table, file)


def swap_two(groups):
    a, b = 0, int(np.flatnonzero(groups != groups[0])[0])
    groups[[a, b]] = groups[[b, a]]
    return groups


def test_verification_notices_what_is_wrong(whole):
    def fails(name, **columns):
        file = whole[0] / name
        before = file.read_bytes()
        changed(file, **columns)
        result = verify_parquet(whole[0])
        file.write_bytes(before)
        return [f for f in ("every_row_once", "groups_large_enough", "votes_right")
                if not getattr(result, f)]  # fmt: skip

    groups, published = "groups/part-00002.parquet", "edges/part-00001.parquet"
    assert fails(published, item=lambda v: np.append(v[:-1], ITEMS + 1)) == ["votes_right"]
    assert "groups_large_enough" in fails(groups, group=lambda v: np.append(10**9, v[1:]))
    assert "votes_right" in fails(groups, group=swap_two)
    assert "every_row_once" in fails(groups, row=lambda v: np.append(v[1], v[1:]))


def test_verification_of_damaged_files_is_false_and_never_an_error(whole, tmp_path):
    target = shutil.copytree(whole[0], tmp_path / "moved")
    assert verify_parquet(target).holds
    foreign = pa.table({"row": ["a"], "item": [0.5], "group": [[1]]})
    nothing = pa.table({name: pa.array([], pa.int64()) for name in ("row", "item", "group")})
    wrong = []
    for name in ("plan.json", "manifest.json", "edges/part-00001.parquet",
                 "groups/part-00000.parquet", "groups/part-00006.parquet"):  # fmt: skip
        file = target / name
        before = file.read_bytes()
        for some in (before[: len(before) // 2], b"", b"[]", b'{"plan": 5, "files": 3}', b"\xff"):
            file.write_bytes(some)
            wrong += [(name, some[:20])] * verify_parquet(target).holds
        for table in (foreign, nothing) if file.suffix == ".parquet" else ():
            pq.write_table(table, file)
            wrong += [(name, table.num_rows)] * verify_parquet(target).holds
        if name != "manifest.json":  # without it the run is not finished
            file.unlink()
            wrong += [(name, "gone")] * verify_parquet(target).holds
        file.write_bytes(before)
    shutil.copy(target / "edges/part-00000.parquet", target / "edges/part-00099.parquet")
    wrong += ["one more"] * verify_parquet(target).holds
    assert not wrong


def test_what_is_missing_when_a_run_goes_on_is_made_again(source, whole, tmp_path, monkeypatch):
    target, finish = tmp_path / "target", parts._finish
    monkeypatch.setattr(parts, "_finish", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run(source, target)
    files = ("scratch/run-00001.arrow", "edges/part-00000.parquet", "groups/part-00001.parquet")
    for name in files:
        (target / name).unlink()
    monkeypatch.setattr(parts, "_finish", finish)
    run(source, target)
    assert content(target) == content(whole[0])


STOPS = """
import sys, threading
from smoothbound import parquet
def stops(table, k, number, **_):
    print("at work" if number == 1 else "", end="", flush=True)
    threading.Event().wait(60)
parquet.chunk_labels = stops
parquet.smooth_k_anonymize_parquet(sys.argv[1], sys.argv[2], 4, chunk_rows=300, rng=1, rows=2000)
"""


def test_a_second_run_is_refused_until_the_first_has_died(source, whole, tmp_path):
    target = tmp_path / "target"
    command = [sys.executable, "-c", STOPS, str(source), str(target)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout.read(7) == "at work"
        for k in (K, K + 1):
            with pytest.raises(FileExistsError, match="target', in use by another run; choose"):
                run(source, target, k)
        first.kill()
    (target / ".plan.json.0.tmp").touch()  # left by a run that was killed while it wrote
    run(source, target)
    assert content(target) == content(whole[0])
    names = {entry.name for entry in target.iterdir()}
    assert names == {"edges", "groups", "plan.json", "manifest.json"}


# Runs on workers of dask: the same with 1 and 2, and with one that is killed on the way.


MANY_ROWS, MANY_ITEMS, MANY_K = 8_000, 2_000, 8
OPTIONS = {"rows": MANY_ROWS, "chunk_rows": 400, "rng": 3}
MOST_MEMORY = 900 * 2**20  # bytes that a worker may take at its peak, most of them libraries


def peak():
    """Bytes; getrusage would count what this process's parent took when it forked."""
    if sys.platform != "linux":
        return None
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]) * 1024


@pytest.fixture(scope="module")
def wide_source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("edges")
    make_edges(folder, rows=MANY_ROWS, items=MANY_ITEMS, files=6)
    return folder


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with workers(2, tmp_path_factory.mktemp("dask"), memory="2GB") as both:
        yield both


@pytest.fixture(scope="module")
def undisturbed(wide_source, client, tmp_path_factory):
    """Folder of a run with two workers, its numbers, and the workers' peaks of memory."""
    target = tmp_path_factory.mktemp("two") / "target"
    result = smooth_k_anonymize_parquet(wide_source, target, MANY_K, client=client, **OPTIONS)
    return target, result, client.run(peak)


def test_two_workers_publish_what_this_process_does(wide_source, client, undisturbed, tmp_path):
    target, result, _ = undisturbed
    assert (result.rows, result.chunks) == (MANY_ROWS, MANY_ROWS // 400)
    assert result.smallest_group >= MANY_K
    assert verify_parquet(target, client=client).holds
    here = smooth_k_anonymize_parquet(wide_source, tmp_path / "here", MANY_K, **OPTIONS)
    assert here.kept == result.kept
    assert content(tmp_path / "here") == content(target)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak of a process")
def test_two_workers_take_little_memory(undisturbed):
    _, _, peaks = undisturbed
    assert len(peaks) == 2
    assert max(peaks.values()) < MOST_MEMORY


def test_what_goes_wrong_on_a_worker_is_told_as_it_is(client, tmp_path):
    folder = write(tmp_path / "source", ([0, 0, 1, 2, 3], [1, 1, 2, 2, 2]), ([4, 5], [1, 1]))
    with pytest.raises(ValueError, match=r"part-00000.parquet must list each entry once"):
        smooth_k_anonymize_parquet(folder, tmp_path / "target", 2, client=client)


def test_a_folder_that_a_worker_does_not_see_is_refused(wide_source, client, tmp_path, monkeypatch):
    answers = {"one": True, "other": False}
    monkeypatch.setattr(client, "run", lambda *_, **__: answers)
    with pytest.raises(FileNotFoundError, match="got 1 that do not, the first other"):
        smooth_k_anonymize_parquet(
            wide_source, tmp_path / "target", MANY_K, client=client, **OPTIONS
        )


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.verify("commands")
def test_a_killed_worker_loses_and_changes_nothing(wide_source, client, undisturbed, tmp_path):
    target, result, _ = undisturbed
    disturbed, killed = tmp_path / "disturbed", []
    victim, other = client.run(os.getpid).values()

    def kill_one():
        """End a worker as soon as one part is finished, and note how many were."""
        while not (done := len([*disturbed.glob("groups/*.parquet")])):
            threading.Event().wait(0.002)
        os.kill(victim, signal.SIGKILL)
        killed.append(done)

    killer = threading.Thread(target=kill_one, daemon=True)
    killer.start()
    again = smooth_k_anonymize_parquet(wide_source, disturbed, MANY_K, client=client, **OPTIONS)
    killer.join()
    client.wait_for_workers(2)
    assert victim not in client.run(os.getpid).values()
    assert other in client.run(os.getpid).values()
    assert 1 <= killed[0] < result.chunks
    assert (again.kept, again.groups) == (result.kept, result.groups)
    assert content(disturbed) == content(target)
    assert not [*disturbed.rglob("*.tmp")]


def test_workers_that_do_not_come_end_a_run(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "PATIENCE", 0.2)
    source = write(tmp_path / "source", ([0, 1, 2, 3], [5, 5, 7, 7]))
    refused = pytest.raises(RuntimeError, match=r"with 0 of 1 tasks \(files\) done; start workers")
    with workers(0, tmp_path / "dask", memory="2GB") as client, refused:
        smooth_k_anonymize_parquet(source, tmp_path / "target", 2, client=client)


def test_workers_that_die_again_and_again_end_a_run(client):
    def dies(*_):
        raise KilledWorker("task", SimpleNamespace(address="a worker"), 3)

    with pytest.raises(RuntimeError, match=r"got .*task.* with 0 of 1 tasks \(chunks\) done"):
        parts._run_tasks(dies, "", [1], client=client, label="chunks")
