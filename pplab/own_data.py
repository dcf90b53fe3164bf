"""From a file or a frame of one's own to a `Table` or `Graph`: columns are named, not guessed."""

from __future__ import annotations

import re
import warnings
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from lzma import LZMAError
from pathlib import Path
from tarfile import TarError
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np
from scipy import sparse

from pplab.checks import as_array, check_choice, check_integer, shown
from pplab.graphs import (
    _in_order,
    _weights,
    as_adjacency,
    as_matrix,
    as_pandas,
    call_for,
    check_blanks,
    edge_weights,
    from_bipartite,
    from_cell_keys,
    is_frame,
    is_network,
    not_a_table,
    paired_values,
    with_frame,
    with_labels,
)
from pplab.labelled import Axis, Graph, Table, outgoing

if TYPE_CHECKING:
    import pandas as pd

Labels = Any  # a list, array, index or range of labels; None


def table(
    data: Any,
    *,
    user: Any = None,
    item: Any = None,
    value: Any = None,
    columns: Any = None,
    users: Labels = None,
    items: Labels = None,
    zero: str | None = None,
    listed: str | None = None,
) -> Table:
    """Make a table of users x items that keeps its labels.

    Parameters
    ----------
    data : DataFrame (of pandas, or with ``to_pandas``), networkx graph, array or scipy sparse
        A long frame, a line an entry (name its `user` and `item`); a wide one, a row a person (name
        its `columns`); a networkx graph in which every node has ``bipartite`` 0 or 1; or a matrix,
        whose labels are its row and column numbers.
    user, item, value : column names, optional
        Of a long frame. Without value every entry is a one, which is refused where another column
        of numbers could be meant. Of a wide frame `user` names the column of labels, by default
        the index. Of a networkx graph `value` names an attribute that all its edges have.
    columns : list of column names, optional
        Columns of a wide frame that are items; NaN is absent.
    users, items : list of labels, optional
        Everybody and everything that may be in a long frame, in the order that results shall
        have. That order is public, like the frame.
    zero : {"rating", "absent"}, optional
        What a 0 of a wide frame or of an array is, where some occur; of an array it is absent where
        nothing is said.
    listed : {"public"}, optional
        States that who and what a long frame lists is public. A mechanism that states an epsilon
        takes a long frame only with its `users` and `items`, or with this.

    Returns
    -------
    Table

    Raises
    ------
    TypeError, ValueError
        If a column is missing or not named, an id is missing, an entry is listed twice, a value is
        no finite number, or a label is not in the frame that was named.

    References
    ----------
    Dwork and Roth 2014, The Algorithmic Foundations of Differential Privacy, section 2.3, doi
    10.1561/0400000042: what neighbours have in common is public.

    Examples
    --------
    >>> import pandas as pd
    >>> lines = pd.DataFrame({"who": [101, 102], "film": [9, 7], "stars": [5, 4]})
    >>> stars = table(lines, user="who", item="film", value="stars")
    >>> stars.users, stars.items, stars.matrix.toarray().tolist()
    ((101, 102), (7, 9), [[0.0, 5.0], [4.0, 0.0]])
    """
    given = {name: value for name, value in locals().items() if name != "data"}
    if isinstance(data, Table):
        _refuse_others(given, (), "a Table", "make another one from its lines")
        return data
    if isinstance(data, Graph):
        raise TypeError(not_a_table("data"))
    named = _public(listed, users, items)
    data = as_pandas(data)
    if is_network(data):
        _refuse_others(given, ("value", "listed"), "a networkx graph", _NODES)
        skipped = _other_attributes(data, value)
        return replace(from_bipartite(data, "data", value, label=_untag), skipped=skipped)
    if not is_frame(data):
        _refuse_others(
            given, ("zero", "listed"), "a matrix",
            "labels come with pplab.table(pandas.DataFrame(data, index=..., columns=...), "
            "columns=...), and lines with names in a DataFrame, or by pplab.read_table(file, ...)",
        )  # fmt: skip
        if zero is not None:
            return _from_array(data, zero)
        matrix, ends = as_matrix(data, name="data"), ("user", "item", "rating")
        rows, goods = (Axis(range(size)) for size in matrix.shape)
        return Table(outgoing(matrix), (rows, goods), columns=ends, named=True)
    if columns is not None:
        wide = ("user", "columns", "zero", "listed")
        _refuse_others(given, wide, "a wide frame", "its rows and columns are the frame")
        return _from_wide(data, user, columns, zero)
    long = {*given} - {"zero"}
    _refuse_others(given, long, "a long frame", "drop the lines of 0 that are not an entry")
    _named_columns(data, {"user": user, "item": item}, value)
    return _of_lines(data, (user, item, value), users, items, named=named, have=data.columns)


_NODES = "its nodes are the frame: add people to the graph, in the order that results should have"


def _other_attributes(data: Any, name: Any) -> tuple:
    """Attributes of edges that are not read."""
    edges = (edge for *_, edge in data.edges(data=True))
    return tuple(dict.fromkeys(key for edge in edges for key in edge if key != name))


def _refuse_others(given: dict, used: Collection[str], kind: str, remedy: str) -> None:
    """Refuse what this kind of data does not use: no label or column is dropped silently."""
    for name, value in given.items():
        if value is not None and name not in used:
            raise ValueError(
                f"{name} must be left out where data is {kind}, got {shown(value)}; {remedy}"
            )


def _public(listed: str | None, *frames: Labels) -> bool:
    """Tell whether a frame is stated: by lists of all labels, or as who and what is listed."""
    if listed is not None:
        check_choice("listed", listed, ("public",))
    return listed is not None or all(labels is not None for labels in frames)


def _from_array(data: Any, zero: str) -> Table:
    """Table of an array of which it is said what a 0 is; NaN is absent."""
    import pandas as pd

    if sparse.issparse(data):
        raise ValueError(
            f"zero must be left out for a sparse matrix, got {zero!r}: what it stores is a value"
        )
    frame = pd.DataFrame(as_array("data", data))
    return _from_wide(frame, None, list(frame.columns), zero)


def _of_lines(
    data: pd.DataFrame, ends: tuple, users: Labels, items: Labels, *, named: bool, have: Any
) -> Table:
    """Table of a long frame whose columns have been looked at."""
    user, item, value = ends
    rows, columns_, values = _lines(data, (user, item), value, users)
    [places], people = _number_columns([rows], users, "users")
    [things], goods = _number_columns([columns_], items, "items")
    cells = _unique_cells(places, things, values, (people, goods), (user, item))
    skipped = tuple(name for name in have if name not in ends)
    return Table(cells, (people, goods), columns=ends, named=named, skipped=skipped)


def graph(
    data: Any,
    *,
    source: Any = None,
    target: Any = None,
    weight: Any = None,
    nodes: Labels = None,
    reciprocal: str | None = None,
    listed: str | None = None,
) -> Graph:
    """Make an undirected graph of people that keeps its labels.

    Parameters
    ----------
    data : DataFrame (of pandas, or with ``to_pandas``), networkx graph, array or scipy sparse
        A frame with a line for each edge, once or in both directions; a networkx graph; or a
        symmetric matrix, whose labels are its row numbers.
    source, target, weight : column names, optional
        Of a frame; `weight` of a networkx graph names an attribute that all its edges have. Without
        weight every edge is a one.
    nodes : list of labels, optional
        Everybody who may be in a frame, in the order that results should have, which is public.
    reciprocal : {"either", "mutual"}, optional
        Of a frame in which only some pairs stand in both directions: whether an edge is what
        stands in either direction, or in both.
    listed : {"public"}, optional
        States that who is listed in a frame is public, see `table`.

    Returns
    -------
    Graph

    Raises
    ------
    TypeError, ValueError
        If a column is missing or not named, an id is missing, an edge is a loop or is listed twice,
        a weight is not positive, or the list is a directed one.

    References
    ----------
    Dwork and Roth 2014, The Algorithmic Foundations of Differential Privacy, section 2.3, doi
    10.1561/0400000042: what neighbours have in common is public.

    Examples
    --------
    >>> import pandas as pd
    >>> friends = pd.DataFrame({"a": ["Ada", "Bo"], "b": ["Bo", "Cy"]})
    >>> graph(friends, source="a", target="b", nodes=["Cy", "Bo", "Ada"]).matrix.toarray().tolist()
    [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    """
    given = {name: value for name, value in locals().items() if name != "data"}
    if isinstance(data, Graph):
        _refuse_others(given, (), "a Graph", "make another one from its lines")
        return data
    named = _public(listed, nodes)
    data = as_pandas(data)
    if is_network(data):
        _refuse_others(given, ("weight", "listed"), "a networkx graph", _NODES)
        made = replace(with_labels(data, bipartite=None), skipped=_other_attributes(data, weight))
        if weight is None:
            return made
        import networkx as nx

        weights = edge_weights(data, "data", weight)
        kind = _positive("data", weights, f"as {weight} of its edges").dtype
        known = made.axes[0].labels
        pattern = nx.to_scipy_sparse_array(data, known, dtype=kind, weight=weight)
        return replace(made, canonical=outgoing(pattern), columns=("source", "target", weight))
    if not is_frame(data):
        _refuse_others(
            given, ("listed",), "a matrix",
            "labels come with networkx.relabel_nodes(networkx.from_numpy_array(data), "
            "dict(enumerate(labels))), and edges with names in a DataFrame",
        )  # fmt: skip
        matrix = as_matrix(data, name="data")
        as_adjacency(matrix, name="data")
        _positive("data", matrix.data, "as weights")
        if (matrix != matrix.T).nnz:
            raise ValueError(
                "data must have the same weight in both directions, got others; take their mean"
            )
        axis = Axis(range(matrix.shape[0]))
        return Graph(outgoing(matrix), (axis, axis), columns=("source", "target", None), named=True)
    _named_columns(data, {"source": source, "target": target}, weight)
    one, other, weights = _lines(data, (source, target), weight, nodes)
    if weight is not None:
        _positive("data", weights, f"in its column {weight}")
    codes, axis = _number_columns([one, other], nodes, "nodes")
    loops = codes[0] == codes[1]
    if loops.any():
        raise ValueError(
            f"data must have no edge from a person to themselves, got one of "
            f"{shown(axis.labels[codes[0][int(np.argmax(loops))]])}; drop them, for example with "
            f"frame[frame[{source!r}] != frame[{target!r}]]"
        )
    cells = _unique_cells(codes[0], codes[1], weights, (axis, axis), (source, target))
    cells = _undirected(cells, axis.labels, reciprocal)
    ends = (source, target, weight)
    skipped = tuple(name for name in data.columns if name not in ends)
    return Graph(cells, (axis, axis), columns=ends, named=named, skipped=skipped)


def read_table(
    path: str | Path,
    *,
    user: Any = None,
    item: Any = None,
    value: Any = None,
    sep: str = ",",
    names: Any = None,
    users: Labels = None,
    items: Labels = None,
    listed: str | None = None,
    like: Table | None = None,
) -> Table:
    """Read a long table from a CSV or Parquet file.

    Parameters
    ----------
    path : str or Path
        A Parquet file where its name ends so, else text.
    user, item, value : column names
        See `table`.
    sep : str
        What stands between two columns of a text file; of several letters with a backslash, such
        as ``r"\\s+"``, a regular expression.
    names : list of str, optional
        Names of the columns of a text file that has no header.
    users, items, listed
        See `table`.
    like : Table, optional
        The original of a release that comes back from a file: gives the frame and the type of
        the labels in place of the others, and the columns that are not named.

    Returns
    -------
    Table

    Raises
    ------
    TypeError, ValueError
        As in `table`; a missing id is told by its line in the file.

    References
    ----------
    Harper and Konstan 2015, The MovieLens Datasets, doi 10.1145/2827872: files in this shape.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "ratings.dat"
    ...     _ = file.write_text("1::1193::5\\n2::1193::4\\n")
    ...     ratings = read_table(
    ...         file, sep="::", names=["who", "film", "x"], user="who", item="film", value="x"
    ...     )
    >>> ratings
    <Table: 2 users x 1 items, 2 entries, with values; frame taken from the entries>
    """
    import pandas as pd

    named = _public(listed, users, items)
    if not isinstance(like, Table | None):
        raise TypeError(f"like must be a Table, got {type(like).__name__}; pass the original one")
    if like is not None:  # a frame that was found stays so: its file is as private as the first
        known = [name if name is None else str(name) for name in like.columns]  # as text has them
        pairs = zip((user, item, value), known, strict=True)
        user, item, value = (name if end is None else end for end, name in pairs)
        users, items, named = like.users, like.items, like.named or listed == "public"
    file, has_header = Path(path), names is None
    ends = (user, item, value)
    used = [name for name in ends if name is not None]
    if file.suffix.lower() in (".parquet", ".pq"):
        first = data = pd.read_parquet(file)
        _named_columns(first, {"user": user, "item": item}, value)
    else:
        if not (sep and isinstance(sep, str)):
            raise TypeError(f"sep must be a text, got {sep!r}; pass what separates two columns")
        label_tuple("names", names)
        several = len(sep.encode()) > 1  # for the C engine
        options: dict[str, Any] = {
            "sep": re.escape(sep) if several and "\\" not in sep else sep,
            "names": names, "header": 0 if has_header else None,
            "na_values": ["\\N", " "],  # of MySQL, of SAS
            "engine": "python" if several else "c", "skip_blank_lines": False,
            "index_col": False,  # else a field without a name moves all the others
            # else a long file mixes numbers with text in a column
            **({} if several else {"low_memory": False}),
        }  # fmt: skip
        try:
            with warnings.catch_warnings(action="error", category=pd.errors.ParserWarning):
                first = pd.read_csv(file, nrows=_FIRST, **options)  # tells the columns
                if has_header:  # x twice is not x and x.1
                    heads = pd.read_csv(file, nrows=1, **options | {"header": None}).iloc[0]
                    twice = heads.duplicated(keep=False) & heads.notna()
                    first.columns = np.where(twice, heads, first.columns)
            _named_columns(first, {"user": user, "item": item}, value, sep=sep)
            data = _ids_as_written(file, used, (user, item), like, options)
        except UnicodeDecodeError as error:
            remedy = "got another letter; save it as CSV UTF-8"
            raise ValueError(f"{file} must be text in UTF-8, {remedy}") from error
        except pd.errors.EmptyDataError as error:
            raise ValueError(
                f"{file} must have lines, got an empty file or first line; mend it"
            ) from error
        except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
            reason = str(error).strip().removeprefix("Error tokenizing data. C error: ")
            if not isinstance(error, ValueError):  # the warning
                reason = "more fields than names in the first line"
            raise ValueError(
                f"{file} must have equally many fields in each line, got: {reason}; mend it, "
                "drop all comments, or name another separator"
            ) from error
        except (OSError, EOFError, BadZipFile, TarError, LZMAError, zlib.error) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise  # no such file, or no right to read it
            raise ValueError(f"{file} must be sound, got: {error}; fetch it again") from error
        data.index = pd.RangeIndex(1 + has_header, len(data) + 1 + has_header, name="line")
        _check_entries(file, data[[user, item]], has_header=has_header)
    return _of_lines(data, ends, users, items, named=named, have=first.columns)


_FIRST = 1000  # lines that tell of each column whether it holds numbers


def _ids_as_written(
    file: Path, used: list, ends: tuple, like: Table | None, options: dict[str, Any]
) -> pd.DataFrame:
    """Ids as the file has them: whole numbers, or text where one would be changed, such as 007."""
    import pandas as pd

    text, known = {}, {}
    if like is not None:  # its labels as they are written, of which NA may be one
        sides = zip(ends, (axis.labels for axis in like.axes), strict=True)
        known = {end: labels for end, labels in sides if {*map(type, labels)} != {int}}
        text = dict.fromkeys(known, str)
        options = options | {"keep_default_na": False, "na_values": dict.fromkeys(used, "")}
    elif file.suffix.lower() in _PACKED or _zeros_lead(file, options["sep"]):
        text = dict.fromkeys(ends, str)
    data = pd.read_csv(file, dtype=text or None, **options)[used]  # usecols= would be slower
    changed = [end for end in ends if data[end].dtype.kind in "fb" and not data[end].isna().any()]
    if changed:  # 1.50 and 1.5, or True and TRUE, would be one
        data = pd.read_csv(file, usecols=used, dtype=text | dict.fromkeys(changed, str), **options)
    for end in text if like is None else ():
        numbers = pd.to_numeric(data[end], errors="coerce")
        if numbers.dtype.kind in "iu" and (numbers.astype(str) == data[end]).all():
            data[end] = numbers
    for end, labels in known.items():
        names = pd.Index(labels, tupleize_cols=False)
        label_of = dict(zip(names.astype(str), labels, strict=True))
        data[end] = [label_of.get(name, name) for name in data[end]]
    return data


def _check_entries(file: Path, ids: pd.DataFrame, *, has_header: bool) -> None:
    """Refuse a header, a comment, or ids of which a spreadsheet has cut digits."""
    import pandas as pd

    odd = np.zeros(len(ids), dtype=bool)
    if not any(kind.kind in "biuf" for kind in ids.dtypes):
        odd |= (ids.astype(str) == ids.columns).all(axis=1)  # a number may exceed 64 bits
        words = ids[:_FIRST].apply(pd.to_numeric, errors="coerce").isna().to_numpy()
        odd[:1] |= words[:1].all() and len(words) > 1 and not words[1:].any()
    if not has_header:
        odd[:1] |= any(str(name).startswith(("#", "%")) for name in ids[:1].squeeze())
    cut = ids[:_FIRST].astype(str).apply(lambda end: end.str.fullmatch(r"\d([.,]\d+)?E\+\d\d"))
    odd[:_FIRST] |= cut.any(axis=1)
    if odd.any():
        line = int(np.argmax(odd))
        got = shown(ids.iloc[line].astype(str).tolist())
        raise ValueError(
            f"{file} must have an entry in each line, got {got} at {_line(ids.index, line)}, names "
            "of columns or a comment (drop all such lines, or leave names= out) or a number that a "
            "spreadsheet cut (export ids as text)"
        )


def _refuse_total(people: Any, where: Any) -> None:
    """Refuse a total in the last line; a person of this name would be rare, and may be renamed."""
    if len(people) and re.fullmatch(_TOTAL, str(last := people[-1]).strip(), re.IGNORECASE):
        got = f"{shown(last)} at {_line(where, -1)}, a total"
        remedy = "drop it, or name all people (users= or nodes=) if it is one"
        raise ValueError(f"data must have an entry in each line, got {got}; {remedy}")


def _line(index: pd.Index, number: int) -> str:
    """Where a line is: in a file, or in a frame."""
    return f"{'line' if index.name == 'line' else 'index'} {shown(index[number])}"


_TOTAL = r"((grand |sub)?totals?( general)?|all|average|mean|sum|summe|gesamt\w*|somme|totaal):?"


def _zeros_lead(file: Path, sep: str) -> bool:
    """True if some field of a text begins with +, 0 or -0 and another digit."""
    letters = np.memmap(file, np.uint8, "r")
    # BF ends the mark of UTF-8
    marks = [*b'\n\r" -\xbf', *(sep.encode() if len(sep) == 1 else b" \t,;:|")]
    head = letters[:2].tobytes()
    if head[:1] in (b"0", b"+") and head[1:].isdigit():
        return True
    for start in range(0, len(letters), _LETTERS):
        part = letters[start : start + _LETTERS + 2]  # so much stays near the processor
        signs = (part[1:-1] == 48) | (part[1:-1] == 43)
        signs &= part[2:] - np.uint8(48) < 10
        if signs.any() and np.isin(part[:-2][signs], marks).any():
            return True
    return False


_PACKED = (".gz", ".bz2", ".zip", ".xz", ".zst", ".tar")  # as pandas reads them
_LETTERS = 2**18


def _named_columns(data: pd.DataFrame, ends: dict[str, Any], value: Any, sep: str = "") -> None:
    """Refuse columns that are not there or not named, and numbers that nobody named."""
    from pandas.api.types import is_hashable

    have, headless = list(data.columns), ""
    if sep and re.fullmatch(r"[#%].*|[\d.]+", str(have[0])):
        headless = "pass names=, since the first line is an entry or a comment (drop all comments)"
    if any(end is None for end in ends.values()):
        raise TypeError(
            f"data given as a DataFrame must have its columns named, got columns {shown(have)}; "
            f"{headless or 'call for example ' + call_for(data, people='source' in ends)}"
        )
    columns = [*ends.values(), *([] if value is None else [value])]
    for column in columns:
        if not is_hashable(column) or have.count(column) != 1:  # a Series is no name
            kept = not sep and is_hashable(column) and column in data.index.names
            remedy = "call frame.reset_index() first" if kept else headless or "name one of these"
            remedy += f", or another separator than {sep!r}" if sep and len(have) == 1 else ""
            raise ValueError(
                f"data must have the column {shown(column)} once, got columns {shown(have)}; "
                f"{remedy}"
            )
    if len(set(columns)) < len(columns):
        raise ValueError(
            f"data must have another column for each of {', '.join(ends)} and values, got "
            f"{shown(columns)}; name each once"
        )
    others = [
        name
        for name, column in data.items()
        if name not in (*columns, "Unnamed: 0") and _holds_numbers(column)  # no row numbers
    ]
    if value is None and others:
        word = "value" if "user" in ends else "weight"
        raise ValueError(
            f"data must have its values named, got another column of numbers, {shown(others[0])}; "
            f"pass {word}={others[0]!r}, or frame[{list(ends.values())}] if every entry is a one"
        )


def _holds_numbers(column: pd.Series) -> bool:
    """True for numbers in whatever form, also as categories or objects, such as decimals."""
    from pandas.api.types import infer_dtype

    column = getattr(column, "cat", column)
    column = getattr(column, "categories", column)
    kind, what = column.dtype, infer_dtype(column, skipna=True)
    if what == "string":  # a decimal comma, per cent, or a sign for none
        cells = column[:_FIRST].dropna().astype(str).str
        return cells.fullmatch(r"[-+]?\d+([.,]\d+)? ?%?|[-.]").all() and cells.contains(r"\d").any()
    return kind.kind in "biufc" or (kind == "object" and what in _AS_OBJECTS)


_AS_OBJECTS = ("integer", "floating", "mixed-integer-float", "decimal", "boolean", "complex")


def _lines(data: Any, ends: tuple, value: Any, frame: Labels) -> tuple[Any, Any, np.ndarray]:
    """Both ids and the value of each line."""
    import pandas as pd

    needed = {"an id": list(ends), "a number": [] if value is None else [value]}
    for what, columns in needed.items():
        without = data[columns].isna().any(axis=1).to_numpy()
        if without.any():
            where = _line(data.index, int(np.argmax(without)))
            raise ValueError(
                f"data must have {what} in {shown(columns)} of each line, got none at {where}"
                f" ({int(without.sum()):,} such lines in all; words such as NA and null count as "
                "none); drop them, or fill them in"
            )
    one, other = (
        pd.Series(x.array if isinstance(x.dtype, pd.StringDtype) else np.asarray(x), copy=False)
        for x in (data[end] for end in ends)
    )
    if frame is None:  # else it is one of the people who were named
        _refuse_total(one.array, data.index)
    if value is None:
        return one, other, np.ones(len(data), dtype=np.int32)
    return one, other, _weights("data", data[value], f"in its column {value}")


def _number_columns(
    columns: Sequence[pd.Series], frame: Labels, name: str
) -> tuple[list[np.ndarray], Axis]:
    """Number the labels of columns that belong together; list them, or their frame, in order."""
    import pandas as pd

    known = label_tuple(name, frame) or ()
    label_columns = [pd.Series(list(known))] * bool(known) + list(columns)
    labels = pd.concat(label_columns) if len(label_columns) > 1 else label_columns[0]
    if labels.dtype == object:
        _check_alike(labels.tolist())
    elif labels.dtype.kind == "f" and labels.abs().max() >= 2**53:
        raise ValueError(
            f"data must have ids up to 2^53 where some are floats, got {labels.abs().max():g}; "
            "convert all of them to integers or names"
        )
    sortable = labels.dtype != object and labels.dtype.kind != "c"
    codes, distinct = pd.factorize(labels, sort=sortable)
    listed = distinct.tolist()
    if not sortable:
        place = {label: number for number, label in enumerate(_in_order(listed, "data"))}
        codes, listed = np.array([place[label] for label in listed])[codes], list(place)
    else:
        check_blanks(listed)
    if known and len(listed) > len(known):
        strange = listed[np.setdiff1d(codes, codes[: len(known)])[0]]
        raise ValueError(
            f"data must have labels of its frame only, got {shown(strange)}, which is not in it; "
            "add it to the frame, or drop its edges"
        )
    ends = np.cumsum([len(known), *map(len, columns)])
    axis = Axis(listed, None if frame is None else list(frame))
    return [codes[start:end] for start, end in pairwise(ends)], axis


def _check_alike(labels: list[Any]) -> None:
    """Refuse labels that cannot be compared, or are equal and of different types."""
    try:
        distinct = len(set(labels))
    except TypeError as error:
        from pandas.api.types import is_hashable

        unfit = next((label for label in labels if not is_hashable(label)), error)
        raise TypeError(
            f"data must have names or numbers as labels, got {shown(unfit)}; turn lists into tuples"
        ) from error
    if len(set(zip(map(str, labels), labels, strict=True))) > distinct:
        raise ValueError(
            "data must have labels of one type, got labels that are equal and of different "
            "types, such as 1 and True; convert them, for example with frame.astype(str)"
        )


def label_tuple(name: str, labels: Labels) -> tuple | None:
    """Bring the labels of a frame into a tuple in their order; None stays None."""
    if labels is None:
        return None
    several = isinstance(labels, Collection) and getattr(labels, "ndim", 1) == 1
    if not several or isinstance(labels, (str, bytes, Mapping)) or is_network(labels):
        raise TypeError(
            f"{name} must be a list of labels, got {shown(labels)}; pass for example range(100) or "
            "a list of names"
        )
    check_integer(f"the number of {name}", len(labels), minimum=1, maximum=2**31 - 1)
    return tuple(_in_order(labels.tolist() if hasattr(labels, "tolist") else labels, name))


def _unique_cells(
    rows: np.ndarray, columns: np.ndarray, values: np.ndarray, axes: tuple[Axis, Axis], ends: tuple
) -> sparse.csr_array:
    """Cells in canonical order; refuse one that is listed twice."""
    shape = (len(axes[0].labels), len(axes[1].labels))
    if not min(shape):
        raise ValueError(f"data must have lines, or users and items named, got shape {shape}")
    cells = sparse.coo_array((values, (rows, columns)), shape=shape).tocsr()  # adds up duplicates
    if cells.nnz < len(values):
        keys = np.sort(rows * np.int64(shape[1]) + columns)
        row, column = divmod(int(keys[np.argmax(keys[1:] == keys[:-1])]), shape[1])
        raise ValueError(
            f"data must list each entry once, got {ends[0]} {shown(axes[0].labels[row])} with "
            f"{ends[1]} {shown(axes[1].labels[column])} more than once; merge or drop duplicates"
        )
    return outgoing(cells)


def _positive(name: str, values: Any, where: str) -> np.ndarray:
    weights = _weights(name, values, where)
    if (weights <= 0).any():
        raise ValueError(
            f"{name} must have positive numbers {where}, got {weights[weights <= 0][0]}; drop what "
            "is no edge, and of signed edges keep one sign, or make all weights 1"
        )
    return weights


def _undirected(cells: sparse.csr_array, labels: tuple, reciprocal: str | None) -> sparse.csr_array:
    """Make one edge of what stands once, or in both directions."""
    # what is listed, and what is listed the other way round
    keys, there, back = paired_values(cells, cells.T.tocsr(), absent=np.nan)
    mutual = ~np.isnan(there + back)
    if reciprocal is not None:
        check_choice("reciprocal", reciprocal, ("either", "mutual"))
    elif mutual.any() and not mutual.all():
        row, column = divmod(int(keys[np.argmax(np.isnan(back))]), len(labels))
        raise ValueError(
            "data must list every pair once, or every pair in both directions, got "
            f"{shown(labels[row])} to {shown(labels[column])} in one direction beside others in "
            'both, so it is a directed list; pass reciprocal="either" or reciprocal="mutual"'
        )
    unequal = mutual & (there != back)
    if unequal.any():
        row, column = divmod(int(keys[np.argmax(unequal)]), len(labels))
        raise ValueError(
            f"data must have one weight for each pair, got two for {shown(labels[row])} and "
            f"{shown(labels[column])}; merge them first"
        )
    kept = mutual if reciprocal == "mutual" else slice(None)
    values = np.where(np.isnan(there), back, there).astype(cells.data.dtype)
    return from_cell_keys(keys[kept], values[kept], cells.shape)


def _untag(node: Any) -> Any:
    """The id of a node that `Table.to_networkx` wrote, else the node itself."""
    tagged = isinstance(node, tuple) and len(node) == 2 and node[0] in ("user", "item")
    return node[1] if tagged else node


def _from_wide(data: pd.DataFrame, user: Any, columns: Any, zero: str | None) -> Table:
    """A row a person, a column an item; NaN is absent."""
    import pandas as pd

    label_tuple("columns", columns)
    chosen = list(columns)
    missing = [c for c in [*chosen, user] if c is not None and list(data.columns).count(c) != 1]
    if missing:
        raise ValueError(
            f"columns must name columns of the frame, each once, got {shown(missing)}; "
            f"it has {shown(list(data.columns))}"
        )
    if user is not None and user in chosen:
        raise ValueError(
            f"columns must be items, got {shown(user)}, which names the people; leave it out"
        )
    people = data.index if user is None else data[user]
    if isinstance(people, pd.MultiIndex):
        people = people.to_flat_index()
    if people.isna().any():
        row = int(np.argmax(people.isna()))
        raise ValueError(f"data must have an id for each person, got none in row {row}; fill it in")
    _refuse_total(people.array, data.index)
    if texts := [column for column in chosen if data[column].dtype.kind not in "biuf"]:
        raise ValueError(
            f"columns must hold numbers, got text in {shown(texts[0])}; convert it, or leave it "
            "out (l_diversity and t_closeness take a column of text as values)"
        )
    numbers = np.column_stack([data[c].to_numpy(dtype=np.float64, na_value=np.nan) for c in chosen])
    if np.isinf(numbers).any():
        raise ValueError("data must have finite numbers in its columns, got inf; drop it")
    if zero is not None:
        check_choice("zero", zero, ("rating", "absent"))
    elif (numbers == 0).any():
        raise ValueError(
            'data has zeros, so zero must be given, got none; pass zero="absent" where a 0 says '
            'that there is no entry, or zero="rating" where it is a value'
        )
    stored = ~np.isnan(numbers) & ((numbers != 0) | (zero != "absent"))
    cells = sparse.csr_array((numbers[stored], np.nonzero(stored)), shape=stored.shape)
    name = data.index.name if user is None else user
    person = "user" if name is None else name
    ends = (person, "item" if person != "item" else "column", "value" if person != "value" else "x")
    return with_frame(cells, people.tolist(), chosen, ends, names=("data", "columns"))
