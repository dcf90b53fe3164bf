"""Tables 1 to 3 and Figures 3, 5 and 6: the data sets, and what the paper's recipe keeps of each.

`copies` anonymizes one table at every k by the recipe of Appendix D (smooth votes, and suppression
on the same clusters) and by Mondrian, and judges what the paper says of the curves; `sizes` and its
sisters count what Table 2 prints. Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity
for Sparse Graphs*, arXiv 2207.06358.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.blocks import block_model
from pplab.datasets.catalog import Dataset
from pplab.papers.part import Finding, listed, mean_of_runs, statement_rows
from pplab.papers.smooth import paper
from pplab.smooth._rows import DistinctRows, distinct_rows
from pplab.smooth.groups import cut_to_size, publish_votes
from pplab.smooth.mondrian import mondrian
from pplab.smooth.recipe import close_small, online_facilities, opening_costs
from pplab.theory.jaccard_law import epsilon_for_jaccard

# Runs of the paper's recipe on one table, with all that does not change kept between them.


ASSIGNMENTS = {"assigned on arrival": "arrival", "nearest in the end": "nearest"}
CUT = "cut to k"
KEEPS = {"half kept": "half", "half dropped": "more-than-half"}


@dataclass(frozen=True, eq=False)
class Recipe:
    """A table that is anonymized many times.

    Attributes
    ----------
    table : csr_array of ones
    """

    table: sparse.csr_array

    @cached_property
    def distinct(self) -> DistinctRows:
        """Equal rows, found once."""
        return distinct_rows(self.table)

    def costs(self, k: int, spread: int = paper.SPREAD) -> np.ndarray:
        """Opening costs, which no random number enters."""
        return opening_costs(self.distinct, k, spread=spread)

    def labels(
        self, costs: np.ndarray, k: int, *, assignment: str, rng: int | np.random.Generator
    ) -> np.ndarray:
        """Groups of one run, as ``paper_recipe`` makes them."""
        arriving, closing = np.random.default_rng(rng).spawn(2)
        located = online_facilities(
            self.distinct, costs, orders=10, assignment=assignment, rng=arriving
        )
        return close_small(self.distinct, located, k, rng=closing)

    def shares(self, labels: np.ndarray, keep: str) -> dict[str, float]:
        """Similarity, suppressed and created entries of a published copy, in per cent."""
        published = publish_votes(self.table, labels, keep=keep)
        entries = self.table.nnz
        return {
            "jaccard": 100 * published.kept / (entries + published.created),
            "suppressed": 100 * published.suppressed / entries,
            "created": 100 * published.created / entries,
        }


def density_of(table: sparse.csr_array) -> float:
    """Entries over cells."""
    rows, columns = table.shape
    return float(table.nnz) / (rows * columns)


def equal_epsilon(per_cent: float, density: float) -> float:
    """Epsilon at which randomized response has this mean similarity, by the closed form.

    0 where even fair coins keep more, infinite where nothing may change.
    """
    if per_cent <= 0:
        return 0.0
    return epsilon_for_jaccard(per_cent / 100, density=density) if per_cent < 100 else inf


def runs_of(
    recipe: Recipe,
    *,
    rng: np.random.Generator,
    repetitions: int,
    ks: Sequence[int] = paper.K,
    assignments: Sequence[str] = tuple(ASSIGNMENTS),
) -> pd.DataFrame:
    """Run the recipe at every k, each time for both votes and for suppression.

    The recipe has no step that cuts large groups; pieces of k rows are a reading of their own.

    Returns
    -------
    DataFrame
        Columns k, repetition, method (smooth, non-smooth), reading, jaccard, suppressed, created.
    """
    rows: list[dict[str, Any]] = []
    seeds = rng.integers(2**31, size=(len(ks), repetitions))
    bar = tqdm(total=seeds.size * len(assignments), desc="copies")
    for k, mine in zip(ks, seeds, strict=True):
        costs = recipe.costs(k)
        for repetition, seed in enumerate(mine.tolist()):
            for name in assignments:
                labels = recipe.labels(costs, k, assignment=ASSIGNMENTS[name], rng=seed)
                common = {"k": k, "repetition": repetition}
                for vote, keep in KEEPS.items():
                    row = {"method": "smooth", "reading": f"{name}, {vote}"}
                    rows.append(common | row | recipe.shares(labels, keep))
                row = {"method": "non-smooth", "reading": name}
                rows.append(common | row | recipe.shares(labels, "all"))
                pieces = cut_to_size(labels, k, rng=seed)
                row = {"method": "smooth", "reading": f"{name}, half kept, {CUT}"}
                rows.append(common | row | recipe.shares(pieces, "half"))
                row = {"method": "non-smooth", "reading": f"{name}, {CUT}"}
                rows.append(common | row | recipe.shares(pieces, "all"))
                bar.update()
    bar.close()
    return pd.DataFrame(rows)


# What the paper says of its curves of similarity against k, and of its settings.


SIMILAR = 2.0  # per cent: how far results with b from 2 to 8 may lie apart
HOURS = 3
TIMES = ((60, "a minute"), (600, "ten minutes"), (3600, "an hour"), (3600 * HOURS, "three hours"))
PLAIN = next(iter(ASSIGNMENTS))  # the reading in which statements are judged
SMOOTH = f"{PLAIN}, half kept"


def _values_of(
    runs: pd.DataFrame, method: str, reading: str, k: int, quantity: str = "jaccard"
) -> np.ndarray:
    """One value per run."""
    chosen = (runs["method"] == method) & (runs["reading"] == reading) & (runs["k"] == k)
    return runs.loc[chosen, quantity].to_numpy()


def about_curves(name: str, runs: pd.DataFrame, fixed: pd.DataFrame) -> dict[str, Finding]:
    """Smooth copies against suppression on the same clusters and against Mondrian, if it ran."""
    smooth = {k: _values_of(runs, "smooth", SMOOTH, k) for k in paper.K}
    other = {k: _values_of(runs, "non-smooth", PLAIN, k) for k in paper.K}
    told = _told("smooth", smooth) + "; " + _told("suppression on clusters", other)
    gaps = {k: smooth[k] - other[k] for k in paper.K}  # within a run: the clusters are the same
    behind = [k for k, gap in gaps.items() if gap.min() < 0 or gap.mean() <= 0]
    rises = [b for a, b in itertools.pairwise(paper.K) if _above(smooth[b] - smooth[a])]
    less = _values_of(runs, "smooth", SMOOTH, paper.K_TABLE, "suppressed")
    more = _values_of(runs, "non-smooth", PLAIN, paper.K_TABLE, "suppressed")
    found: dict[str, Finding] = {
        f"figures-3-5:smooth-beats-non-smooth:{name}": (
            not behind,
            f"{told}{_but('not more in every run', behind)}.",
        ),
        f"figures-3-5:falls-with-k:{name}": (
            not rises,
            f"{_told('smooth', smooth)}{_but('a rise', rises)}.",
        ),
        f"table-3:suppresses-less:{name}": (
            _above(more - less),
            f"Suppressed: smooth {less.mean():.1f} %, on clusters {more.mean():.1f} %.",
        ),
    }
    if not len(fixed):
        return found
    forms = list(dict.fromkeys(fixed["reading"]))
    by_form = {form: {k: _values_of(fixed, "mondrian", form, k) for k in paper.K} for form in forms}
    told += "".join(f"; {_told(f'Mondrian on {form}', cuts)}" for form, cuts in by_form.items())
    behind = [
        k
        for k in paper.K
        if smooth[k].mean() <= max(float(cuts[k].mean()) for cuts in by_form.values())
    ]
    found[f"figures-3-5:smooth-beats-mondrian:{name}"] = (
        not behind,
        f"{told}{_but('not more than the best form', behind)}.",
    )
    cuts = by_form[forms[0]]
    last = paper.K[-1]
    if name == "adult":
        found["figure-3a:mondrian-at-large-k"] = (_above(cuts[last] - other[last]), f"{told}.")
    if name in ("adult", "playstore"):
        found[f"section-6:non-smooth-at-small-k:{name}"] = (_above(other[2] - cuts[2]), f"{told}.")
    return found


def _above(gaps: np.ndarray) -> bool:
    """Mean above 0 by more than three standard errors."""
    return float(gaps.mean()) > 3 * float(gaps.std(ddof=1)) / len(gaps) ** 0.5


def _but(what: str, ks: list[int]) -> str:
    return f"; {what} at k = {listed(str(k) for k in ks)}" if ks else ""


def _told(what: str, by_k: dict[int, np.ndarray]) -> str:
    values = listed(f"{values.mean():.1f}" for values in by_k.values())
    return f"{what} {values} % at k = {listed(str(k) for k in by_k)}"


def _about_settings(
    name: str, recipe: Recipe, rng: np.random.Generator, repetitions: int
) -> dict[str, Finding]:
    """What b and k change in result and time."""
    seeds = rng.integers(2**31, size=repetitions).tolist()
    by_spread: dict[int, float] = {}
    longest = 0.0
    for k, spread in [(paper.K_TABLE, spread) for spread in paper.SPREADS] + [(paper.K[-1], 2)]:
        kept, began = [], time.monotonic()
        costs = recipe.costs(k, spread)
        costing = time.monotonic() - began
        for seed in seeds if k == paper.K_TABLE else seeds[:1]:
            began = time.monotonic()
            labels = recipe.labels(costs, k, assignment=ASSIGNMENTS[PLAIN], rng=seed)
            kept.append(recipe.shares(labels, "half")["jaccard"])
            longest = max(longest, costing + time.monotonic() - began)
        if k == paper.K_TABLE:
            by_spread[spread] = float(np.mean(kept))
    told = listed(f"{value:.1f} % with b = {b}" for b, value in by_spread.items())
    within = next((words for limit, words in TIMES if longest < limit), "")
    return {
        f"appendix-D:b-does-not-matter:{name}": (
            max(by_spread.values()) - min(by_spread.values()) <= SIMILAR,
            f"Similarity at k = {paper.K_TABLE}: {told} (runs behind each mean: {repetitions}; "
            f"similar: within {SIMILAR:g} points).",
        ),
        f"section-6:within-hours:{name}": (
            bool(within),
            f"The longest of the runs with k = {paper.K_TABLE} and {paper.K[-1]} took less than "
            f"{within or 'what is allowed: no'}.",
        ),
    }


# The experiment of Table 3 and Figures 3 and 5.


def copies(
    dataset: Dataset | None,
    *,
    name: str,
    mondrian_on: Sequence[str],
    rng: int | np.random.Generator | None = None,
    repetitions: int = paper.REPETITIONS,
) -> pd.DataFrame:
    """Anonymize one table at every k by smooth anonymity, suppression and Mondrian.

    Parameters
    ----------
    dataset : Dataset or None
        Its biadjacency matrix is anonymized; None: a draw of the block model.
    name : str
        The paper's name of the data, for the statements.
    mondrian_on : sequence of "columns" and "attributes"
        What Mondrian looks at: the columns (rows x items cells), and the attributes behind them,
        one value per row. It does not run where this is empty.
    rng : int, Generator or None
        Seed or generator.
    repetitions : int, default 10
        Runs of the recipe at each k, at least 2.

    Returns
    -------
    DataFrame
        Shares in per cent (quantity, method, k, reading, value, se, sd), what follows from them,
        and statements.
    """
    check_integer("repetitions", repetitions, minimum=2)
    generator = as_rng(rng)
    if dataset is None:
        drawing, generator = generator.spawn(2)
        dataset = block_model(**paper.BLOCK_MODEL, rng=drawing)
    running, spreading = generator.spawn(2)
    recipe = Recipe(dataset.biadjacency)
    runs = runs_of(recipe, rng=running, repetitions=repetitions)
    fixed = _mondrian(recipe, dataset.users, mondrian_on)
    density = density_of(recipe.table)
    found = about_curves(name, runs, fixed)
    found |= _about_settings(name, recipe, spreading, repetitions)
    parts = [statement_rows(found), _shares(runs), _shares(fixed), _spreads(runs, repetitions)]
    parts += [_equal_epsilons(runs, density), _saved(runs)]
    if mondrian_on:
        parts.append(_ratios(runs, fixed))
    return pd.concat(parts, ignore_index=True)


def _mondrian(recipe: Recipe, attributes: pd.DataFrame, looks_at: Sequence[str]) -> pd.DataFrame:
    """Mondrian draws nothing: one run at each k for each form of the table."""
    forms = {"columns": recipe.table, "attributes": attributes}
    rows = [
        {"k": k, "repetition": 0, "method": "mondrian", "reading": f"{form}, {cut}"}
        | recipe.shares(mondrian(forms[form], k, cut=cut), "all")
        for form in looks_at
        for cut in ("median", "balanced")  # the program that the paper names has the first
        for k in paper.K
    ]
    return pd.DataFrame(rows)


def _shares(runs: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for (method, k, reading), group in _groups(runs, ["method", "k", "reading"]):
        for quantity in ("jaccard", "suppressed", "created"):
            row = {"quantity": quantity, "method": method, "k": k, "reading": reading}
            rows.append(row | _mean(group[quantity].to_numpy()))
    return pd.DataFrame(rows)


def _mean(values: np.ndarray) -> dict[str, float]:
    """Mean over runs; the printed side is a mean over ten runs, too. One run draws nothing."""
    if len(values) == 1:
        return {"value": float(values[0]), "se": 0.0, "sd": 0.0}
    mean = mean_of_runs(values)
    return mean | {"sd": mean["sd"] / paper.REPETITIONS**0.5}


def _groups(runs: pd.DataFrame, keys: list[str]) -> Any:
    return runs.groupby(keys, sort=False) if len(runs) else ()


def _spreads(runs: pd.DataFrame, repetitions: int) -> pd.DataFrame:
    """Largest standard deviation over k, with what ours and one of ten runs may be off by."""
    half = runs[~runs["reading"].str.endswith("half dropped")]
    half = half.assign(reading=half["reading"].str.replace(", half kept", ""))
    rows = []
    for (method, reading), group in _groups(half, ["method", "reading"]):
        largest = float(group.groupby("k")["jaccard"].std(ddof=1).max())
        row = {"quantity": "largest sd", "method": method, "reading": reading, "value": largest}
        rows.append(row | errors_of_sd(largest, repetitions))
    return pd.DataFrame(rows)


def errors_of_sd(sd: float, runs: int) -> dict[str, float]:
    """What a standard deviation may be off by: over our runs (se), and over the paper's (sd)."""
    counts = {"se": runs, "sd": paper.REPETITIONS}
    return {name: sd / (2 * (count - 1)) ** 0.5 for name, count in counts.items()}


def _equal_epsilons(runs: pd.DataFrame, density: float) -> pd.DataFrame:
    """Epsilon at which randomized response has the mean similarity of k."""
    smooth = runs[runs["method"] == "smooth"]
    rows = []
    for (k, reading), group in _groups(smooth, ["k", "reading"]):
        value = equal_epsilon(float(group["jaccard"].mean()), density)
        row = {"quantity": "epsilon of equal similarity", "k": k, "reading": reading}
        rows.append(row | {"value": value, "se": 0.0, "sd": 0.0})
    return pd.DataFrame(rows)


def _saved(runs: pd.DataFrame) -> pd.DataFrame:
    """Entries that suppression loses and smooth anonymity does not, on the same clusters."""
    rows = []
    for name, cut in itertools.product(ASSIGNMENTS, ("", f", {CUT}")):
        smooth = _values_of(runs, "smooth", f"{name}, half kept{cut}", paper.K_TABLE, "suppressed")
        other = _values_of(runs, "non-smooth", f"{name}{cut}", paper.K_TABLE, "suppressed")
        row = {"quantity": "suppressed saved", "reading": f"{name}{cut}"}
        rows.append(row | _mean(other - smooth))
    return pd.DataFrame(rows)


def _ratios(runs: pd.DataFrame, fixed: pd.DataFrame) -> pd.DataFrame:
    """Similarity over that of the best baseline."""
    form = fixed["reading"].iloc[0]
    rows = []
    for name, k in itertools.product(ASSIGNMENTS, paper.K):
        smooth = _values_of(runs, "smooth", f"{name}, half kept", k)
        others = _values_of(runs, "non-smooth", name, k), _values_of(fixed, "mondrian", form, k)
        best = max(float(values.mean()) for values in others)
        row = {"quantity": "ratio to the best baseline", "k": k, "reading": f"{name}, half kept"}
        rows.append(row | _mean(smooth / best))
    return pd.DataFrame(rows)


# Table 2: rows, columns, entries and density of the data sets.


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
    exact = sizes(first).query("quantity in ('rows', 'columns')").to_dict("records")
    exact.append({"quantity": "blocks", "value": float(len(np.unique(np.asarray(first.labels))))})
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
    table = dataset.biadjacency
    values = {"rows": table.shape[0], "columns": table.shape[1], "entries": table.nnz}
    values["density"] = density_of(table)
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
