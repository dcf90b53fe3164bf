"""Certificates as files: what is written is checked, and what is forged is refused."""

import ast
import os
import re
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from benchmarks.house import code_lines
from pplab.smooth.rows import distinct_rows
from smoothbound import proof
from smoothbound.symmetric import prove
from tests.helpers import output_of


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(6)
    ones = (rng.random((70, 16)) < rng.random(16) / 2).astype(np.int8)
    ones[:3] = 0
    return sparse.csr_array(np.vstack([ones, ones[:20]]))


@pytest.fixture(scope="module")
def certificate(table):
    return prove(table, distinct_rows(table), 5)


@pytest.fixture
def written(certificate, tmp_path):
    return proof.save_certificate(certificate, tmp_path / "proof.npz")


def check(*arguments, code=0):
    return " ".join(output_of("certificate", *arguments, code=code).split())


def test_a_certificate_comes_back_from_its_file(certificate, written):
    again = proof.load_certificate(written)
    for name, part, stored in zip(proof.Certificate._fields, certificate, again, strict=True):
        np.testing.assert_array_equal(part, stored, err_msg=name)
    assert [file.name for file in written.parent.iterdir()] == ["proof.npz"]
    assert proof.surplus(again) <= 0 < proof.surplus(again._replace(ratio=again.ratio - 2**10))


def test_the_commands_make_and_check_a_file(table, certificate, tmp_path, monkeypatch):
    from pplab.datasets import load

    monkeypatch.setattr(load, "load_dataset", lambda _: SimpleNamespace(biadjacency=table))
    file = tmp_path / "made" / "it.npz"
    upwards = -(-certificate.ratio * 10**6 // 2**28) / 10**6
    assert f"{upwards:.6f}" in check("make", "anything", 5, "--file", file)
    result = check("check", file, "--dataset", "anything")
    assert re.search(rf"holds: .*5-anonymous.* 90 rows with {table.nnz} entries", result)
    monkeypatch.setattr(load, "load_dataset", lambda _: SimpleNamespace(biadjacency=table[1:]))
    result = check("check", file, "--dataset", "another", code=1)
    assert "is about another table than another" in result
    monkeypatch.setattr(load, "load_dataset", lambda _: SimpleNamespace(biadjacency=None))
    for command in (("make", "anything", 5), ("check", file, "--dataset", "anything")):
        assert "anything holds no table of ones" in check(*command, code=1)
    monkeypatch.setattr(load, "load_dataset", lambda _: SimpleNamespace(biadjacency=table))
    assert "k must be" in check("make", "anything", 1, code=1)


def test_a_forged_certificate_does_not_hold(certificate, tmp_path):
    """Each multiplier counts: a smaller one, or a smaller ratio, is seen."""
    lower = certificate._replace(ratio=certificate.ratio - 2**12)
    fewer = certificate._replace(rows=np.minimum(certificate.rows, 1))
    for forged in (lower, fewer._replace(duals=certificate.duals // 2)):
        file = proof.save_certificate(forged, tmp_path / "forged.npz")
        assert "does not prove" in check("check", file, code=1)


def zeros(*shape):
    return np.zeros(shape, dtype=int)


FORGED = {  # what one part of a certificate is replaced by, by the refusal
    "negative": {"slopes": [-1], "duals": [-1], "case_slopes": [-1]},
    "64 bits": {
        **{"slopes": [2**60], "duals": [2**60], "case_slopes": [2**60]},
        "factors": [2**31 - 1, -(2**31)],
    },
    "not whole": {"ratio": [0.5]},
    "do not fit": {
        "k": [1, 91, np.array([2, 3])],
        "ratio": [-1, 2**28 + 1],
        "rows": [0, -(2**63), 2**62],
        "items": [0, np.array(7)],
        "starts": [3, np.array([0, 2**63 - 1, -2, 2])],
        "blocks": [-1, 10**9],
        "duals": [zeros(3)],
        "factors": [zeros(1, 65)],
        "cuts": [-1, 2**62, zeros(3)],
        "splits": [-1, 2**40, zeros(0, 2), zeros(2, 3)],
        "case_slopes": [zeros(7)],
    },
}
EACH = [(r, n, v) for r, parts in FORGED.items() for n, values in parts.items() for v in values]


@pytest.mark.parametrize(("reason", "name", "value"), EACH, ids=str)
def test_files_that_are_no_certificates_are_refused(certificate, tmp_path, reason, name, value):
    was = getattr(certificate, name)
    if np.ndim(was) and isinstance(value, int):
        value = np.full(np.shape(was), value)
    file = proof.save_certificate(certificate._replace(**{name: value}), tmp_path / "bad.npz")
    assert reason in check("check", file, code=1)


def test_other_files_are_refused_in_a_line(tmp_path):
    (tmp_path / "text.npz").write_text("no zip")
    np.savez(tmp_path / "other.npz", k=3)
    np.save(tmp_path / "array.npy", np.arange(3))
    (tmp_path / "array.npy").rename(tmp_path / "array.npz")
    with zipfile.ZipFile(tmp_path / "members.npz", "w") as archive:
        for name in proof.Certificate._fields:
            archive.writestr(f"{name}.npy", b"no header")
    np.savez(tmp_path / "object.npz", **{key: [None] for key in proof.Certificate._fields})
    for name in ("text", "other", "object", "missing", "array", "members"):
        assert f"{name}.npz" in check("check", tmp_path / f"{name}.npz", code=1)


def test_what_never_ends_is_refused_before_it_is_read(tmp_path):
    os.mkfifo(pipe := tmp_path / "pipe")
    assert "a folder, a device or a pipe; pass the file of" in check("check", pipe, code=1)


def test_the_evaluator_is_short_and_takes_nothing_from_the_search():
    source = Path(proof.__file__).read_text()
    functions = [n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef)]
    code = {n.name: code_lines(ast.get_source_segment(source, n)) for n in functions}
    assert sum(code[name] for name in ("surplus", "_rows", "_case", "_height")) <= 95
    imported = re.findall(r"^from (pplab\S*|smoothbound\S*)", source, re.MULTILINE)
    assert imported == ["pplab.compiled", "pplab.files", "pplab.smooth.rows"]
