"""Table 2: rows, columns, entries and density of the data sets."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pplab.checks import check_integer
from pplab.datasets.blocks import block_model
from pplab.datasets.catalog import Dataset
from pplab.experiments.runs import mean_of_runs
from pplab.experiments.smooth import paper

__all__ = ["sizes", "sizes_adult", "sizes_playstore", "sizes_stochastic"]

PLAYSTORE_APPS = 10_841  # rows of the file, the shifted one among them
_COUNTS = ("entries", "density", "inside", "outside")


def sizes_stochastic(
    *, rng: int | np.random.Generator | None, repetitions: int = paper.REPETITIONS
) -> pd.DataFrame:
    """Measure the block model of the experiments on several draws.

    Parameters
    ----------
    rng : int, Generator or None
    repetitions : int
        Draws, at least 2; the paper has one, and ``sd`` is how far one may be from the mean.

    Returns
    -------
    DataFrame
        Columns quantity, value, se and sd.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Table 2
    and Appendix D, arXiv 2207.06358.
    """
    check_integer("repetitions", repetitions, minimum=2)
    generator = np.random.default_rng(rng)
    draws = [block_model(**paper.BLOCK_MODEL, rng=generator) for _ in range(repetitions)]
    measured = pd.DataFrame([_block_counts(draw) for draw in draws])
    first = draws[0]
    assert first.labels is not None
    exact = sizes(first).query("quantity in ('rows', 'columns')").to_dict("records")
    exact.append({"quantity": "blocks", "value": float(len(np.unique(first.labels)))})
    random = [{"quantity": name, **mean_of_runs(measured[name].to_numpy())} for name in _COUNTS]
    return pd.DataFrame(exact + random)


def sizes_adult(dataset: Dataset) -> pd.DataFrame:
    """Count what Table 2 prints of adult, and its attributes.

    Parameters
    ----------
    dataset : Dataset

    Returns
    -------
    DataFrame
        Columns quantity and value.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Table 2
    and Section 6, arXiv 2207.06358.
    """
    attributes = {"quantity": "attributes", "value": float(dataset.items["attribute"].nunique())}
    return pd.concat([sizes(dataset), pd.DataFrame([attributes])], ignore_index=True)


def sizes_playstore(dataset: Dataset) -> pd.DataFrame:
    """Count what Table 2 prints of playstore, and the share of the file's rows (per cent).

    Parameters
    ----------
    dataset : Dataset

    Returns
    -------
    DataFrame
        Columns quantity and value.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Table 2
    and Section 6, arXiv 2207.06358.
    """
    rows = dataset.biadjacency.shape[0]
    share = {"quantity": "share", "value": 100 * rows / PLAYSTORE_APPS}
    return pd.concat([sizes(dataset), pd.DataFrame([share])], ignore_index=True)


def sizes(dataset: Dataset) -> pd.DataFrame:
    """Count what Table 2 prints of a data set.

    Parameters
    ----------
    dataset : Dataset

    Returns
    -------
    DataFrame
        Columns quantity and value.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Table 2,
    arXiv 2207.06358.
    """
    rows, columns = dataset.biadjacency.shape
    entries = dataset.biadjacency.nnz
    values = {
        "rows": rows,
        "columns": columns,
        "entries": entries,
        "density": entries / (rows * columns),
    }
    return pd.DataFrame([{"quantity": name, "value": float(v)} for name, v in values.items()])


def _block_counts(draw: Dataset) -> dict[str, float]:
    """Entries, density, and the share of ones inside matching blocks and elsewhere."""
    users, items = draw.users["block"].to_numpy(), draw.items["block"].to_numpy()
    graph = draw.biadjacency.tocoo()
    ones = int((users[graph.coords[0]] == items[graph.coords[1]]).sum())
    cells = int((users[:, None] == items).sum())
    return {
        "entries": graph.nnz,
        "density": graph.nnz / (len(users) * len(items)),
        "inside": ones / cells,
        "outside": (graph.nnz - ones) / (len(users) * len(items) - cells),
    }
