"""The reader of large graphs: LAW's arcs and SNAP's lists, on made files and the real ones."""

import re
import time

import numpy as np
import pytest

from pplab.datasets import DataFileError, catalog, load_dataset
from pplab.datasets.arcs import read_arcs
from pplab.datasets.store import find_member

from .tables import LAW, SNAP, write_table_catalog, write_tables, write_text


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("PPLAB_CATALOG", str(write_table_catalog(tmp_path / "catalog.toml")))
    return write_tables(tmp_path / "data")


def test_rows_and_columns_without_an_entry_are_left_out(place):
    data = load_dataset("cnr-2000", source="real", root=place)
    assert data.users.index.tolist() == [0, 2, 5]
    assert data.items.index.tolist() == [1, 2, 3]
    assert data.biadjacency.toarray().tolist() == [[1, 0, 1], [0, 1, 0], [0, 0, 1]]  # 2 to itself
    assert data.biadjacency.dtype == np.int8
    assert set(data.checksums) == {"cnr-2000.arcs.txt.gz"}


def test_a_line_of_an_undirected_graph_is_two_entries(place):
    data = load_dataset("com-dblp", source="real", root=place)
    assert data.users.index.tolist() == data.items.index.tolist() == [1, 4, 9]
    assert data.biadjacency.toarray().tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_a_directed_graph_with_the_ends_of_lines_of_windows(place):
    data = load_dataset("web-stanford", source="real", root=place)
    assert data.users.index.tolist() == [1, 4]
    assert data.biadjacency.toarray().tolist() == [[1, 1], [0, 1]]


def test_both_directions_of_a_symmetric_graph_are_in_its_file(place):
    data = load_dataset("dblp-2010", source="real", root=place)
    assert data.biadjacency.toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]


def test_order_and_repetition_of_the_lines_mean_nothing(place):
    first = load_dataset("cnr-2000", source="real", root=place).biadjacency
    lines = LAW.splitlines(keepends=True)
    write_text(place / "cnr-2000" / "cnr-2000.arcs.txt.gz", "".join(lines[::-1] + lines[:2]))
    again = load_dataset("cnr-2000", source="real", root=place).biadjacency
    assert (first != again).nnz == 0
    assert again.data.tolist() == [1, 1, 1, 1]


def test_a_list_without_a_known_checksum_may_lie_there_unpacked(place):
    packed = place / "com-dblp" / "com-dblp.ungraph.txt.gz"
    first = load_dataset("com-dblp", source="real", root=place)
    packed.unlink()
    with pytest.raises(FileNotFoundError, match=r"lacks com-dblp\.ungraph\.txt\.gz"):
        load_dataset("com-dblp", source="real", root=place)
    write_text(packed.with_suffix(""), SNAP)
    again = load_dataset("com-dblp", source="real", root=place)
    assert (first.biadjacency != again.biadjacency).nnz == 0
    assert set(again.checksums) == {"com-dblp.ungraph.txt"}
    assert find_member("com-dblp", packed.name, place) == packed.with_suffix("")


def test_a_list_with_a_known_checksum_is_not_taken_unpacked(tmp_path, monkeypatch):
    monkeypatch.delenv("PPLAB_CATALOG", raising=False)
    (tmp_path / "graphs").mkdir()
    write_text(tmp_path / "graphs" / "cnr-2000.arcs.txt", LAW)
    with pytest.raises(FileNotFoundError, match=r"lacks cnr-2000\.arcs\.txt\.gz"):
        load_dataset("cnr-2000", source="real", root=tmp_path)


@pytest.mark.parametrize("name", ["com-dblp", "web-stanford"])
def test_a_graph_of_another_size_is_refused(tmp_path, monkeypatch, name):
    monkeypatch.delenv("PPLAB_CATALOG", raising=False)
    place = write_tables(tmp_path / "data")
    with pytest.raises(DataFileError, match=r"it has \d rows.*expected \d{3},\d{3} rows.*fetch"):
        load_dataset(name, root=place)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "the file is empty"),
        ("# nothing else", 2, "the file is empty"),
        (SNAP[:-1], 6, "in the middle of a line"),
        (SNAP.replace("1\t9", "1 9"), 5, "got 1 columns, expected 2"),
        (SNAP.replace("1\t9", "1\t9\t3"), 5, "got 3 columns, expected 2"),
        (SNAP.replace("1\t9", "1\t-9"), 5, "target must be a whole number, got '-9'"),
        (SNAP + "# the end\n", 7, "got 1 columns, expected 2"),
    ],
)
@pytest.mark.parametrize("file", ["made.txt", "made.txt.gz"])
def test_a_doubtful_line_is_refused_with_file_and_line(tmp_path, file, text, line, words):
    path = write_text(tmp_path / file, text)
    with pytest.raises(DataFileError, match=re.escape(f"{path}, line {line}: ") + ".*" + words):
        read_arcs(path)


def test_a_damaged_archive_is_refused(tmp_path):
    path = write_text(tmp_path / "made.gz", LAW * 100)
    whole = path.read_bytes()
    for raw in (whole[:-9], whole[:20] + b"\xff" + whole[21:], b"no archive"):
        path.write_bytes(raw)
        with pytest.raises(DataFileError, match="is damaged and cannot be unpacked"):
            read_arcs(path)


@pytest.mark.parametrize("name", ["dblp-2010", "cnr-2000"])
def test_real_graphs_have_the_published_sizes(real_data, name):
    start = time.process_time()
    data = load_dataset(name, source="real", root=real_data)
    assert time.process_time() - start < 20  # 2 s on an idle machine
    facts = catalog()[name].statistics
    matrix, known = data.biadjacency, facts["biadjacency"]
    assert (*matrix.shape, matrix.nnz) == (known["rows"], known["columns"], known["entries"])
    assert matrix.nnz == facts["arcs"]
    assert np.diff(matrix.indptr).min() >= 1
    assert np.bincount(matrix.indices).min() >= 1
    assert data.items.index.max() < facts["nodes"]
    nodes = data.users.index[np.repeat(np.arange(known["rows"]), np.diff(matrix.indptr))]
    loops = int((nodes == data.items.index[matrix.indices]).sum())
    assert loops == facts.get("self_loops", 0)
    if name == "dblp-2010":
        assert (matrix != matrix.T).nnz == 0


@pytest.mark.parametrize("name", ["com-dblp", "web-stanford"])
def test_snap_graphs_have_the_published_sizes_where_they_are(real_data, name):
    try:
        data = load_dataset(name, source="real", root=real_data)
    except FileNotFoundError:
        pytest.skip(f"{name} is not in PPLAB_DATA")
    known = catalog()[name].statistics["biadjacency"]
    found = (*data.biadjacency.shape, data.biadjacency.nnz)
    assert found == (known["rows"], known["columns"], known["entries"])
