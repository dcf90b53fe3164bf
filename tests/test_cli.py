"""`pplab data` as a user meets it: status, verify, and a download that is killed half way."""

import hashlib
import http.server
import io
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from contextlib import suppress

import pytest

from pplab.datasets import store as fetch_module
from pplab.datasets.load import load_dataset
from pplab.datasets.store import FetchError, fetch
from tests.datasets.made import use_catalog, write_catalog, write_files
from tests.helpers import ended, output_of, until

NAME = "movielens-100k"
PADDING = 400_000  # bytes that make the made archive long enough to be caught half way


def data(*arguments, code=0):
    return output_of("data", *arguments, code=code)


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the archive of its server in small pieces, with a pause after each."""

    def do_GET(self):
        archive = self.server.archive
        self.send_response(200)
        self.send_header("Content-Length", str(len(archive)))
        self.end_headers()
        end = len(archive) // 2 if self.server.cut else len(archive)
        with suppress(BrokenPipeError, ConnectionResetError):  # the client was killed, as it shall
            for start in range(0, end, 4096):
                self.wfile.write(archive[start : min(start + 4096, end)])
                time.sleep(self.server.pause)

    def log_message(self, *arguments):
        """Say nothing."""


def zipped(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as bundle:
        for name, content in files.items():
            bundle.writestr(f"ml-100k/{name}", content)
    return packed.getvalue()


@pytest.fixture
def archive(tmp_path):
    folder = write_files(tmp_path / "made", NAME)
    files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    return zipped(files | {"../evil.txt": "not wanted", "padding": os.urandom(PADDING)})


@pytest.fixture
def server(archive):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.archive, running.pause, running.cut = archive, 0.0, False
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A cache of our own, no PPLAB_DATA, and no proxy between us and the local server."""
    monkeypatch.setenv("PPLAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("PPLAB_DATA", raising=False)
    return tmp_path


@pytest.fixture
def address(place, server, monkeypatch):
    url = f"http://127.0.0.1:{server.server_address[1]}/ml-100k.zip"
    use_catalog(monkeypatch, write_catalog(place / "catalog.toml", download=url))
    return url


def data_files(cache):
    """Every file of the cache that is neither in staging nor there at all."""
    return sorted(p.name for p in cache.glob("*/*") if p.parent.name != ".staging")


def staged(cache):
    return [path for path in (cache / ".staging").rglob("*") if path.suffix != ".lock"]


@pytest.mark.usefixtures("address")
def test_fetch_brings_the_wanted_files_once_and_verify_passes(place, server):
    left = place / "cache" / ".staging" / NAME  # of a fetch that was killed
    left.mkdir(parents=True)
    (left / "ml-100k.zip").write_bytes(b"half")
    fetched = data("fetch", NAME)
    doubt = "not checked: the catalogue has no checksum for u.data, u.user, u.item, u2.base"
    assert f"pplab: {NAME} was {doubt}" in fetched
    assert data_files(place / "cache") == ["u.data", "u.item", "u.user", "u2.base", "u2.test"]
    assert staged(place / "cache") == []
    assert not list(place.rglob("evil.txt"))
    assert "unknown  movielens-100k/u.data: no checksum is known" in data("verify", NAME)
    status = data("status").splitlines()[1]
    assert status.split()[:2] == [NAME, "cache"]
    assert doubt in status
    server.archive = b"this would fail"  # a second fetch downloads nothing
    assert fetch(NAME) == place / "cache" / NAME


FETCHED = """
from importlib import import_module
from pathlib import Path
from pplab.cli import app
import_module("pplab.datasets.catalog").FILE = Path({file!r})
app(["data", "fetch", {name!r}])
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.usefixtures("address")
def test_a_fetch_killed_half_way_leaves_nothing_and_the_next_one_succeeds(place, server):
    server.pause = 0.2  # the whole archive would take about twenty seconds
    cache = place / "cache"
    command = [sys.executable, "-c", FETCHED.format(file=str(place / "catalog.toml"), name=NAME)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        until(lambda: any(p.is_file() and p.stat().st_size for p in staged(cache)), of=process)
        with pytest.raises(FetchError, match="another process is fetching"):
            fetch(NAME)  # and the work in progress of the other one is left alone
        assert staged(cache)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert staged(cache), "nothing was half-written: the test killed too late"
    assert not (cache / NAME).exists()
    assert "nothing to verify" in data("verify", NAME, code=1)
    server.pause = 0.0
    data("fetch", NAME)
    assert staged(cache) == []
    data("verify", NAME)
    assert len(data_files(cache)) == 5


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("a connection that breaks", "ml-100k.zip could not be fetched"),
        ("a silent owner", "ml-100k.zip could not be fetched"),
        ("a flipped byte", "ml-100k.zip is damaged and cannot"),
        ("a member missing", "lacks u.user"),
        ("wrong lines", "expected 6 lines"),
        ("a file without end", "more than any file that is known"),
    ],
)
@pytest.mark.usefixtures("address")
def test_what_does_not_come_whole_leaves_nothing(place, server, monkeypatch, fault, sentence):
    server.cut = fault == "a connection that breaks"
    if fault == "a silent owner":
        monkeypatch.setattr(fetch_module, "_TIMEOUT", 0.5)
        server.pause = 5
    elif fault == "a flipped byte":
        server.archive = server.archive.replace(b"1\t1\t5\t", b"2\t1\t5\t", 1)
    elif fault == "a file without end":
        monkeypatch.setattr(fetch_module, "_LARGEST", 100)
    elif not server.cut:
        others = ["u.user", "u.item"] if fault == "wrong lines" else []
        files = {name: (place / "made" / name).read_bytes() for name in others}
        server.archive = zipped(files | {"u.data": "1\t1\t5\t7\n"})
    assert sentence in data("fetch", NAME, code=1)
    assert data_files(place / "cache") == []
    assert staged(place / "cache") == []


def test_a_wrong_file_is_replaced_by_fetch_and_nothing_else(address, place, server, monkeypatch):
    good = (place / "made" / "u.data").read_bytes()
    known = hashlib.sha256(good).hexdigest()
    catalog = write_catalog(place / "catalog.toml", download=address, sha256=known)
    use_catalog(monkeypatch, catalog)
    fetch(NAME)
    path = place / "cache" / NAME / "u.data"
    notes = path.with_name("my_notes.txt")
    notes.write_text("of a person")
    wrong = good.replace(b"5", b"4", 1)
    path.write_bytes(wrong)
    os.utime(path, ns=(1, 1))
    text = data("verify", code=1)
    assert [line.split()[0] for line in text.splitlines()].count("wrong") == 1
    assert "u.data is not the file" in text
    archive, server.archive = server.archive, b"no archive"
    data("fetch", NAME, code=1)
    assert path.read_bytes() == wrong  # a download that fails changes nothing
    server.archive = archive
    fetch(NAME)
    assert path.read_bytes() == good
    assert notes.read_text() == "of a person"
    assert "right    movielens-100k/u.data" in data("verify")


@pytest.mark.usefixtures("address")
def test_ctrl_c_ends_with_one_line_and_leaves_nothing(place, monkeypatch):
    def interrupted(_wanted, archive):
        archive.write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(fetch_module, "_download", interrupted)
    stopped = "\nstopped; no file is left half-written, run it again\n"
    assert data("fetch", NAME, code=130) == stopped
    assert staged(place / "cache") == []


@pytest.mark.skipif(os.name == "nt", reason="Windows lets administrators alone make links")
@pytest.mark.usefixtures("address")
def test_a_link_in_the_way_of_a_download_is_not_followed(place):
    (place / "elsewhere").mkdir()
    (place / "cache" / ".staging").mkdir(parents=True)
    (place / "cache" / ".staging" / NAME).symlink_to(place / "elsewhere")
    text = data("fetch", NAME, code=1)
    assert (text.count("\n"), "File exists" in text) == (1, True)
    assert not list((place / "elsewhere").iterdir())


def test_files_in_two_places_are_no_data_set_for_status_nor_for_load(address, place, monkeypatch):
    monkeypatch.setenv("PPLAB_DATA", str(place / "data"))
    half = write_files(place / "data" / NAME, NAME)
    rest = write_files(place / "cache" / NAME, NAME)
    for path in (half / "u.user", half / "u.item", rest / "u.data"):
        path.unlink()
    line = data("status").splitlines()[1]
    assert line.split()[:2] == [NAME, "stand-in"]
    lacks = f"{half} lacks u.user, u.item; {rest} lacks u.data; pplab data fetch {NAME}"
    assert line.endswith(lacks), address
    with pytest.raises(FileNotFoundError, match=r"lacks u\.user, u\.item"):
        load_dataset(NAME, source="real")
    write_files(place / "cache" / NAME, NAME)
    assert f"ready: load_dataset('{NAME}')" in data("status")
    assert load_dataset(NAME, source="real").ratings.nnz == 6
    (half / "u.data").write_text("1\t1\t5\t1\n")  # each copy is verified
    verified = [line.split()[:2] for line in data("verify", NAME, code=1).splitlines()]
    assert verified[:2] == [["wrong", f"{NAME}/u.data:"], ["unknown", f"{NAME}/u.data:"]]


def test_a_download_that_is_no_archive_is_the_file_itself(address, place, server):
    packed = write_files(place / "made" / "dblp", "com-dblp") / "com-dblp.ungraph.txt.gz"
    server.archive = packed.read_bytes()
    reader, catalog = 'reader = "com-dblp"', place / "catalog.toml"
    download = f'{reader}\ndownload = "{address.replace("ml-100k.zip", packed.name)}"'
    catalog.write_text(catalog.read_text().replace(reader, download))
    assert list(fetch("com-dblp").iterdir()) == [place / "cache" / "com-dblp" / packed.name]
    assert load_dataset("com-dblp", source="real").biadjacency.nnz == 6


@pytest.mark.usefixtures("place")
def test_what_cannot_be_fetched_answers_with_a_sentence(monkeypatch):
    def no_download(expected, archive):
        raise AssertionError(f"{expected.name} may not be downloaded to {archive}")

    monkeypatch.setattr(fetch_module, "_download", no_download)
    for name, words in (
        ("likes", "never to be obtained: withdrawn"),
        ("playstore", "Kaggle asks for an account"),
        ("nonsense", "name must be one of"),
    ):
        text = data("fetch", name, code=1)
        assert (words in text, text.count("\n")) == (True, 1)


@pytest.mark.usefixtures("place")
def test_real_data_pass_verify_and_status_finds_them(real_data, monkeypatch):
    monkeypatch.setenv("PPLAB_DATA", str(real_data))
    assert "right    movielens-100k/u1.base" in data("verify")
    assert "PPLAB_DATA" in data("status").splitlines()[1]


def test_status_has_a_line_per_name_and_verify_refuses_an_unknown_one(monkeypatch, tmp_path):
    lines = data("status").splitlines()
    assert lines[0].split() == ["name", "found", "size", "what", "to", "do"]
    assert len(lines) == 13
    assert lines[1].split()[:2] == [NAME, "stand-in"]
    assert lines[1].endswith("pplab data fetch movielens-100k")
    assert "never to be obtained" in lines[-1]
    assert max(map(len, lines)) <= 150
    assert "name must be one of" in data("verify", "nonsense", code=1)
    monkeypatch.setenv("PPLAB_DATA", str(tmp_path / "nowhere"))
    assert "which is not a folder; mend or unset it" in data("status")


def test_the_version_is_told():
    assert output_of("--version").startswith("pplab 1.")


def test_a_pipe_that_nobody_reads_ends_quietly():
    command = [sys.executable, "-m", "pplab", "claims", "--format", "csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


# `pplab claims --help`, with a Ctrl-C in the middle of our imports.
STRUCK = """
import os, signal, sys
from pplab.__main__ import main
signal.signal(signal.SIGINT, signal.{action})
class Strike:
    def find_spec(self, name, *_):
        if name == "typer": os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Strike())
sys.argv = ["pplab", "claims", "--help"]
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT")
def test_ctrl_c_during_import_is_one_line_and_a_background_job_ignores_it():
    stopped = "\npplab: stopped; what is finished is kept, the same command goes on\n"
    for action, code, text, usage in (
        ("default_int_handler", 130, stopped, False),
        ("SIG_IGN", 0, "", True),  # as a shell starts it with &
    ):
        done = ended(sys.executable, "-c", STRUCK.format(action=action), code=code)
        assert done.stderr == text
        assert ("Usage: pplab claims" in done.stdout) is usage
