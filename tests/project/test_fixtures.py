"""The fixture of the real data: a folder, or a failure, or a skip that says why."""

import pytest

from tests import conftest


def test_real_data_is_a_folder(real_data):
    assert any(real_data.iterdir())


def test_real_data_refuses_a_wrong_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("PPLAB_DATA", str(tmp_path / "missing"))
    with pytest.raises(pytest.fail.Exception, match="no folder"):
        conftest.real_data.__wrapped__()
    monkeypatch.delenv("PPLAB_DATA")
    with pytest.raises(pytest.skip.Exception, match="set PPLAB_DATA"):
        conftest.real_data.__wrapped__()
