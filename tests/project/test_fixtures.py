"""The counts that the docstrings of the tiny graphs promise, and the fixture of the real data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from tests import conftest


def degrees(matrix: sparse.csr_array, axis: int) -> list[int]:
    return np.asarray(matrix.sum(axis=axis)).ravel().tolist()


def test_tiny_graphs(
    path_of_4: sparse.csr_array,
    bigraph_6x8: sparse.csr_array,
    empty_graph: sparse.csr_array,
    disconnected: sparse.csr_array,
) -> None:
    assert path_of_4.nnz == 2 * 3
    assert degrees(path_of_4, 1) == [1, 2, 2, 1]
    assert bigraph_6x8.shape == (6, 8)
    assert degrees(bigraph_6x8, 1) == [4, 4, 4, 4, 2, 0]
    assert degrees(bigraph_6x8, 0) == [3, 2, 2, 2, 3, 2, 2, 2]
    rows = bigraph_6x8.toarray().tolist()
    assert (rows[0], rows[2]) == (rows[1], rows[3])
    assert (empty_graph.shape, empty_graph.nnz) == ((5, 5), 0)
    assert degrees(disconnected, 1) == [2, 2, 2, 1, 1, 0]
    assert connected_components(disconnected, directed=False)[0] == 3
    for graph in (path_of_4, disconnected):
        assert (graph != graph.T).nnz == 0


def test_real_data_is_a_folder(real_data: Path) -> None:
    assert any(real_data.iterdir())


def test_real_data_refuses_a_wrong_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PPLAB_DATA", str(tmp_path / "missing"))
    with pytest.raises(pytest.fail.Exception, match="no folder"):
        conftest.real_data.__wrapped__()
    monkeypatch.delenv("PPLAB_DATA")
    with pytest.raises(pytest.skip.Exception, match="set PPLAB_DATA"):
        conftest.real_data.__wrapped__()
