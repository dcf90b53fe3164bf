"""Runs on workers of dask: the same with 1 and 2, and with one that is killed on the way."""

import contextlib
import os
import re
import signal
import threading
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from pplab.metrics.anonymity import is_smooth_k_anonymous
from pplab.smooth.parquet import make_edges, smooth_k_anonymize_parquet, verify_parquet
from tests.edge_files import content, read, write

ROWS, ITEMS, K = 20_000, 5_000, 8
OPTIONS = {"rows": ROWS, "chunk_rows": 1000, "rng": 3}
ROOM = 900 * 2**20  # bytes that a worker may take at its peak, most of them libraries


@contextlib.contextmanager
def workers(count, folder):
    """A cluster that talks to this machine only, each worker a process with one thread."""
    with (
        LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            memory_limit="2GB",
            local_directory=str(folder),
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def peak():
    """Bytes; getrusage would count what this process's parent took when it forked."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]) * 1024


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("edges")
    make_edges(folder, rows=ROWS, items=ITEMS, files=6)
    return folder


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with workers(2, tmp_path_factory.mktemp("dask")) as both:
        yield both


@pytest.fixture(scope="module")
def undisturbed(source, client, tmp_path_factory):
    """Folder of a run with two workers, its numbers, and the workers' peaks of memory."""
    target = tmp_path_factory.mktemp("two") / "target"
    found = smooth_k_anonymize_parquet(source, target, K, client=client, **OPTIONS)
    return target, found, client.run(peak)


def test_two_workers_publish_a_smooth_k_anonymous_copy(source, client, undisturbed):
    target, found, peaks = undisturbed
    assert (found.rows, found.chunks) == (ROWS, ROWS // 1000)
    assert found.smallest_group >= K
    assert is_smooth_k_anonymous(read(source, ROWS, ITEMS), read(target / "edges", ROWS, ITEMS), K)
    assert verify_parquet(target, client=client).holds
    assert len(peaks) == 2
    assert max(peaks.values()) < ROOM


def test_one_worker_and_this_process_make_the_same_files(source, undisturbed, tmp_path):
    target, found, _ = undisturbed
    with workers(1, tmp_path / "dask") as client:
        alone = smooth_k_anonymize_parquet(source, tmp_path / "one", K, client=client, **OPTIONS)
    here = smooth_k_anonymize_parquet(source, tmp_path / "here", K, **OPTIONS)
    assert alone.kept == here.kept == found.kept
    assert content(tmp_path / "one") == content(tmp_path / "here") == content(target)


def test_what_goes_wrong_on_a_worker_is_told_as_it_is(client, tmp_path):
    folder = write(tmp_path / "source", ([0, 0, 1, 2, 3], [1, 1, 2, 2, 2]), ([4, 5], [1, 1]))
    with pytest.raises(ValueError, match=r"part-00000.parquet must list each entry once"):
        smooth_k_anonymize_parquet(folder, tmp_path / "target", 2, client=client)


def test_a_folder_that_a_worker_does_not_see_is_refused(source, client, tmp_path, monkeypatch):
    answers = {"one": True, "other": False}
    monkeypatch.setattr(client, "run", lambda *_: answers)
    with pytest.raises(FileNotFoundError, match="got 1 that do not, the first other"):
        smooth_k_anonymize_parquet(source, tmp_path / "target", K, client=client, **OPTIONS)


def test_a_killed_worker_loses_and_changes_nothing(source, client, undisturbed, tmp_path):
    target, found, _ = undisturbed
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
    again = smooth_k_anonymize_parquet(source, disturbed, K, client=client, **OPTIONS)
    killer.join()
    client.wait_for_workers(2)
    assert victim not in client.run(os.getpid).values()
    assert other in client.run(os.getpid).values()
    assert 1 <= killed[0] < found.chunks
    assert (again.kept, again.groups) == (found.kept, found.groups)
    assert content(disturbed) == content(target)
    assert not [*disturbed.rglob("*.tmp")]
