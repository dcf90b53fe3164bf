"""A mechanism is something to sample from and, on small data, to enumerate exactly.

It has a ``unit`` ("edge", "node", "user" or "item") with its ``epsilon`` and ``delta`` (0 for pure
ones), ``sample(data, *, rng)`` and, where the outputs can be listed, ``distribution(data)``: each
output with its exact probability.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import Rng, as_rng, check_integer, shown
from pplab.graphs import (
    GraphLike,
    as_biadjacency,
    as_matrix,
    cell_keys,
    check_public_frame,
    from_cell_keys,
    with_labels,
)
from pplab.labelled import Labelled, relabelled
from pplab.response._flips import flip_cells

# Output -> exact probability. An output is a number, or a tuple of rows, a row a tuple of cells.
Distribution = dict[Any, Fraction]
_MOST_OUTPUTS = 2**20


class Sampled:
    """A pure mechanism that reads its data once, however many releases it draws."""

    delta = 0.0
    bipartite = True
    reads = "biadjacency"  # what its data are called where they are refused

    def sample(self, data: GraphLike, *, rng: Rng = None) -> Any:
        """Draw one release of the data."""
        return self.sample_many(data, 1, rng=rng)[0]

    def sample_many(self, data: GraphLike, size: int, *, rng: Rng = None) -> list[sparse.csr_array]:
        """Draw this many releases of the data, one after another from the same stream."""
        people, stream = self._with_labels(data), as_rng(rng)
        checked = self._read(people.by_value() if isinstance(people, Labelled) else people)
        return [self._told(people, self._draw(checked, stream)) for _ in range(size)]

    def _with_labels(self, data: GraphLike) -> Any:
        return with_labels(data, bipartite=self.bipartite, name=self.reads)

    def _read(self, data: GraphLike) -> Any:
        """Bring data into the form that the draws take, all of it checked."""
        raise NotImplementedError

    def _draw(self, checked: Any, rng: np.random.Generator) -> sparse.csr_array:
        raise NotImplementedError

    def _told(self, people: Any, release: Any) -> Any:
        """A release with the labels of the data, where those have any."""
        return relabelled(people, release)


class OnUsersAndItems(Sampled):
    """A mechanism whose data are users x items, within a public frame: ones, or ratings."""

    def _read(self, data: GraphLike) -> sparse.csr_array:
        check_public_frame(self.reads, data)
        return as_biadjacency(data, name=self.reads)

    def _table(self, data: GraphLike) -> sparse.csr_array:
        check_public_frame(self.reads, data)
        return as_matrix(data, name=self.reads)


def few_cells(graph: sparse.csr_array) -> np.ndarray:
    """Fill a table whose releases are to be listed; refuse one of too many cells."""
    cells = graph.shape[0] * graph.shape[1]
    check_integer("number of cells of data", cells, minimum=1, maximum=_MOST_OUTPUTS)
    return graph.toarray()


def independent_cells(cells: Iterable[Mapping[Any, Fraction]], *, columns: int) -> Distribution:
    """Combine cells that are answered independently into the distribution of whole tables.

    Parameters
    ----------
    cells : iterable of {answer: probability}
        Row by row.
    columns : int
        Cells in a row.

    Returns
    -------
    dict of {table: Fraction}
    """
    possible = [{answer: q for answer, q in cell.items() if q} for cell in cells]
    outputs = int(np.prod([len(cell) for cell in possible], dtype=float))
    check_integer("number of outputs to enumerate", outputs, minimum=1, maximum=_MOST_OUTPUTS)
    return {_rows(answers, columns): q for answers, q in independent(possible).items()}


def _rows(answers: tuple, columns: int) -> tuple:
    return tuple(answers[i : i + columns] for i in range(0, len(answers), columns))


def independent(laws: Iterable[Mapping[Any, Fraction]]) -> Distribution:
    """Law of independent outputs, as tuples."""
    joint: Distribution = {(): Fraction(1)}
    for law in laws:
        joint = {
            (*outputs, output): chance * q
            for outputs, chance in joint.items()
            for output, q in law.items()
        }
    return joint


# Records that get another answer and cells that appear from nothing: shared by the responses.


def with_answers(
    truth: sparse.csr_array,
    answers: np.ndarray,
    levels: np.ndarray,
    *,
    probability: float,
    rngs: Sequence[np.random.Generator],
) -> sparse.csr_array:
    """Publish an answer for each record, and invent records in the empty cells.

    An answer is the number of a level, counted from 1, or 0 for no record. Each empty cell becomes
    a record with a probability in [0, 1], any level alike; the first generator draws which cells,
    the second their levels. Memory grows with the records drawn. Above 1/2 the cells that stay
    empty are drawn, by flipping a full table: it is at most twice as large as what remains of it.
    """
    rows, columns = truth.shape
    if rows * columns * probability > 2**31:
        raise ValueError(
            f"ratings must get at most 2^31 invented records, got {truth.shape} cells, each with "
            f"probability {probability:g}; take fewer users or items, or a larger epsilon"
        )
    index = sparse.get_index_dtype(maxval=truth.nnz)
    cells = truth.indices.astype(index), truth.indptr.astype(index)
    told = sparse.csr_array((answers, *cells), truth.shape)
    if truth.nnz < rows * columns:
        full = np.arange(rows * columns if probability > 0.5 else 0)
        drawn = from_cell_keys(full, np.ones(len(full), dtype=np.int32), truth.shape)
        drawn = flip_cells(drawn, flip_probability=min(probability, 1 - probability), rng=rngs[0])
        new = rngs[1].integers(len(levels), size=drawn.nnz)  # more than the empty cells among these
        drawn = drawn > sparse.csr_array((np.ones_like(answers), *cells), truth.shape)
        drawn.data = (new[: drawn.nnz] + 1).astype(answers.dtype)
        told = told + drawn
    told.eliminate_zeros()
    values = _values(levels, told.data - 1)
    return sparse.csr_array((values, told.indices, told.indptr), truth.shape)


def _values(levels: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Levels of these numbers, the last one for larger numbers."""
    values = np.empty(len(numbers), dtype=levels.dtype)
    step = 2**16  # numpy makes each number one of 64 bits first
    for start in range(0, len(numbers), step):
        part = slice(start, start + step)
        levels.take(numbers[part], out=values[part], mode="clip")
    return values


def level_array(levels: tuple) -> np.ndarray:
    """Levels as stored values: whole numbers stay whole."""
    whole = all(isinstance(level, int) for level in levels)
    return np.array(levels, dtype=np.int64 if whole else np.float64)


class Levelled(OnUsersAndItems):
    """A response whose cells answer "no edge" or one of some rating levels, each on its own."""

    reads = "ratings"
    levels: Any

    def table(self) -> dict[Any, dict[Any, Fraction]]:
        """Probability of each answer for each truth; None stands for no edge."""
        raise NotImplementedError

    def distribution(self, data: GraphLike) -> Distribution:
        """Exact probabilities of all published tables; None stands for no edge."""
        ratings, table = self._read(data), self.table()
        few_cells(ratings)
        keys, numbers = cell_keys(ratings).tolist(), ratings.data.tolist()
        stored = {key: self.levels[number] for key, number in zip(keys, numbers, strict=True)}
        places = range(ratings.shape[0] * ratings.shape[1])
        cells = (table[stored.get(place)] for place in places)
        return independent_cells(cells, columns=ratings.shape[1])

    def _read(self, data: GraphLike) -> sparse.csr_array:
        """Read ratings as the numbers of their levels, counted from 0."""
        ratings, levels = self._table(data), level_array(self.levels)
        if levels.dtype.kind == "i" and levels[-1] - levels[0] < len(levels):  # without gaps
            numbers = ratings.data - levels[0]
        else:
            numbers = np.searchsorted(levels, ratings.data)
        with np.errstate(invalid="ignore"):  # what does not fit is no level
            numbers = numbers.astype(np.min_scalar_type(2 * len(levels)))
        strange = _values(levels, numbers) != ratings.data
        if strange.any():
            raise ValueError(
                f"ratings must store only the levels {shown(self.levels)}, got "
                f"{ratings.data[strange][0]}; add it to levels or drop such entries (a stored 0 "
                "is a rating too)"
            )
        return sparse.csr_array((numbers, ratings.indices, ratings.indptr), ratings.shape)
