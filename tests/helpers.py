"""What tests of several folders need: commands, a script, and whether counts fit."""

import importlib.util
import os
import re
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path

import numba
import numpy as np
import psutil
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse, stats
from typer.testing import CliRunner

from claimbook.reproduce import standing_of
from pplab import claims
from pplab.cli import app

ROOT = Path(__file__).parents[1]
PYTHONPATH = os.pathsep.join([str(ROOT), str(ROOT / "packages")])  # of what is not installed
ALPHA = 1e-6  # the stated rate of false alarms of one test


def ended(*command, code=0, **options):
    """A command that has ended with this status (None: with any), and what it said."""
    process = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert code in (None, process.returncode), process.stdout[-6000:] + process.stderr[-3000:]
    return process


def until(look, *, seconds=60, of=None, log=None):
    """Value of a look as soon as it sees something; the process it waits for must go on."""
    end = time.monotonic() + seconds
    while not (seen := look()):
        text = log.read_text()[-3000:] if log else ""
        assert of is None or of.poll() is None, f"the process ended early: {text}"
        assert time.monotonic() < end, f"nothing in {seconds} seconds: {text}"
        time.sleep(0.02)
    return seen


@contextmanager
def served(command, named, log, **options):
    """The address in what a server says, once it gives a page; it ends with all that it started."""
    with log.open("wb") as sink:
        server = subprocess.Popen(command, stdout=sink, stderr=sink, **options)
        try:
            address = until(lambda: named.search(log.read_text()), of=server, log=log)
            # it may say its address a moment before it listens there
            until(lambda: _answers(address[0]), of=server, log=log)
            yield address
        finally:
            _end(server)


def _answers(address):
    with suppress(OSError), urllib.request.urlopen(address, timeout=30):
        return True
    return False


def _end(server):
    """End a server and every process that it started, such as kernels."""
    started = [psutil.Process(server.pid)]
    started += started[0].children(recursive=True)
    server.terminate()
    _, alive = psutil.wait_procs(started, timeout=15)
    for process in alive:
        process.kill()
    _, alive = psutil.wait_procs(alive, timeout=5)
    server.wait(timeout=5)
    assert not alive, f"processes left over: {alive}"


def run(*arguments, typed="", columns=200):
    """The result of a pplab command, in a terminal as wide as that."""
    values = [str(each) for each in arguments]
    return CliRunner().invoke(app, values, input=typed, env={"COLUMNS": str(columns)})


def output_of(*arguments, code=0, **options):
    """Output of a pplab command that ended with this status and did not crash."""
    result = run(*arguments, **options)
    assert result.exit_code == code, result.output
    assert isinstance(result.exception, SystemExit | None)
    return result.output


def verdicts(folder):
    """The verdict of each claim of a paper's folder, by its id without the paper."""
    ledger = claims(paper=folder)
    return dict(zip(ledger["id"].str.partition(":")[2], ledger["verdict"], strict=True))


def edit(file, old, new):
    """Write a file again with `old` replaced wherever it stands."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def dead_links(text, folder):
    """Links of a Markdown text to files that are not there, seen from a folder."""
    targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)
    return [target for target in targets if not (folder / target).exists()]


def script(path):
    """A script, which is in no package, as a module."""
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def is_finished(paper, part, data, *, folder, full=False):
    """True if a stored result need not be run again."""
    return standing_of(paper, part, data, folder=folder, full=full) == "finished"


def count_fits(successes, trials, probability, *, alpha=ALPHA):
    """Two-sided exact binomial test: can so many successes come from this probability?"""
    return bool(stats.binomtest(int(successes), int(trials), float(probability)).pvalue >= alpha)


def outcomes_fit(counts, probabilities, *, alpha=ALPHA):
    """Each outcome's count against its probability, the false-alarm rate shared (Bonferroni)."""
    counts = np.asarray(counts)
    trials = counts.sum()
    share = alpha / len(counts)
    pairs = zip(counts, probabilities, strict=True)
    return all(count_fits(count, trials, p, alpha=share) for count, p in pairs)


def some_ratings(users, items, seed, filled=0.7):
    """Ratings from 1 to 5 and gaps; one rating at least."""
    rng = np.random.default_rng(seed)
    table = rng.integers(1, 6, (users, items)).astype(float)
    table[rng.random((users, items)) >= filled] = np.nan
    table[0, 0] = 3.0
    return table


def mirrored(table):
    """The upper half of a square table on both sides of its diagonal, which is empty."""
    upper = np.triu(table, 1)
    return upper + upper.T


def tables_with_gaps(*values, most=7):
    """Up to so many rows of three cells, each a gap or one of these values, for hypothesis."""
    shapes = st.tuples(st.integers(1, most), st.just(3))
    return arrays(np.float64, shapes, elements=st.sampled_from([np.nan, *values]))


def lists_and_k(elements, most):
    """Lists of two to so many elements, and a k from 2 to their number, for hypothesis."""
    listed = st.lists(elements, min_size=2, max_size=most)
    return listed.flatmap(lambda some: st.tuples(st.just(some), st.integers(2, len(some))))


def plain(x):
    """Lists instead of arrays, sparse matrices and columns."""
    x = x.toarray() if sparse.issparse(x) else x
    return x.tolist() if hasattr(x, "tolist") else x


def by_threads(call):
    """Results of a call with one thread and with two, where there are two."""
    before, results = numba.get_num_threads(), []
    try:
        for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
            numba.set_num_threads(threads)
            results.append(call())
    finally:
        numba.set_num_threads(before)
    return results
