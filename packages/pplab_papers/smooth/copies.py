"""Tables 1 to 3 and Figures 3, 5 and 6: the data sets, and what the paper's recipe keeps of each.

`copies` anonymizes one table at every k by the recipe of Appendix D (smooth votes, and suppression
on the same clusters) and by Mondrian, in all worlds of the two programs; `copies_graphs` does so
with two graphs and compares them with the tables; `sizes` and its sisters count what Table 2
prints. Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, arXiv
2207.06358.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import inf
from typing import Any

import numpy as np
import pandas as pd
import scipy
from scipy import sparse
from tqdm.auto import tqdm

from claimbook.part import Rng, mean_of_any_runs, mean_of_runs
from pplab.checks import as_rng, check_integer
from pplab.datasets.blocks import block_model
from pplab.datasets.catalog import Dataset
from pplab.metrics.error import jaccard_similarity
from pplab.response.levels import epsilon_to_flip
from pplab.response.noise_graph import bipartite_noise_graph
from pplab.smooth.groups import cut_to_size
from pplab.smooth.mondrian import mondrian
from pplab.smooth.recipe import (
    close_small,
    copy_of,
    nearest_in_the_end,
    online_facilities,
    opening_costs,
)
from pplab.smooth.rows import DistinctRows, distinct_rows
from pplab.smooth.vote import publish_votes
from pplab.theory.jaccard_law import epsilon_for_jaccard, jaccard_first_term, sample_jaccard
from pplab_papers.smooth import paper

# Runs of the paper's recipe on one table, with all that does not change kept between them.


NEAREST, WHOLE = "nearest in the end", "whole"
ASSIGNMENT = ("on arrival", NEAREST)
CUT = (WHOLE, "cut to k")
TIES = {"first": "first", "any of equally near": "random"}
FIRST = "first"
KEPT = {"smooth": "half", "non-smooth": "all"}  # of a cluster, by method
SHARES = ("jaccard", "suppressed", "created")
World = dict[str, str]  # choice -> option


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

    def groups(
        self, costs: np.ndarray, k: int, seed: int, *, ties: str = FIRST
    ) -> Iterator[tuple[World, np.ndarray]]:
        """Groups of one run in each world of assignment and cut, after the same arrivals."""
        arriving, closing = np.random.SeedSequence(seed).spawn(2)
        rng = np.random.default_rng(arriving)
        located = online_facilities(
            self.distinct, costs, orders=10, assignment="arrival", rng=rng, ties=TIES[ties]
        )
        for assignment in ASSIGNMENT:
            copied_facilities = located._replace(facilities=copy_of(located.facilities))
            if assignment == NEAREST:
                copied_facilities = nearest_in_the_end(self.distinct, copied_facilities)
            whole = close_small(
                self.distinct, copied_facilities, k, rng=np.random.default_rng(closing)
            )
            for cut in CUT:
                labels = whole if cut == WHOLE else cut_to_size(whole, k, rng=seed)
                yield {"assignment": assignment, "cut": cut}, labels

    def shares(self, labels: np.ndarray, keep: str) -> dict[str, float]:
        """Similarity, suppressed and created entries of a published copy, in per cent."""
        published = publish_votes(self.table, labels, keep=keep)
        entries = self.table.nnz
        return {
            "jaccard": 100 * published.kept / (entries + published.created),
            "suppressed": 100 * published.suppressed / entries,
            "created": 100 * published.created / entries,
        }

    def runs(
        self, k: int, seeds: Sequence[int], *, ties: Sequence[str], b: int = paper.SPREAD
    ) -> list[dict[str, Any]]:
        """Shares of smooth copies and suppression at one k, for each seed, in each world."""
        costs, rows = self.costs(k, b), []
        for rule, (run, seed) in product(ties, enumerate(seeds)):
            for world, labels in self.groups(costs, k, seed, ties=rule):
                settings = {**world, "ties": rule, "run": run, "k": k, "b": b}
                for method, keep in KEPT.items():
                    rows.append(settings | {"method": method} | self.shares(labels, keep))
        return rows


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


# All runs on one data set: a table that stays, or a block model that is drawn anew in each run.


@dataclass(frozen=True)
class Runs:
    """Shares per run: by the recipe, and by Mondrian, which is deterministic."""

    recipe: pd.DataFrame  # assignment, cut, ties, run, k, b, method, density and shares
    mondrian: pd.DataFrame  # mondrian_on where there are two forms, mondrian_cut, run, k, shares


def measure(
    dataset: Dataset | None,
    *,
    rng: np.random.Generator,
    repetitions: int,
    ks: Sequence[int] = paper.K,
    ties: Sequence[str] = tuple(TIES),
    mondrian_on: Sequence[str] = (),
    spreads: Sequence[int] = (),
) -> Runs:
    """Run the recipe at each k, and with other b at the k of Table 3; run Mondrian at each k.

    The other b have the seeds of the paper's: on a drawn table all, on one that stays ten.
    """
    drawn = dataset is None
    by_recipe: list[dict[str, Any]] = []
    by_mondrian: list[dict[str, Any]] = []
    for first in tqdm(range(repetitions) if drawn else [0], desc="tables"):
        table = block_model(**paper.BLOCK_MODEL, rng=rng) if dataset is None else dataset
        recipe = Recipe(table.biadjacency)
        rows = []
        for k in ks:
            seeds = rng.integers(2**31, size=1 if drawn else repetitions).tolist()
            rows += recipe.runs(k, seeds, ties=ties)
            if k == paper.K_TABLE:
                for b in spreads:
                    rows += recipe.runs(k, seeds[: paper.REPETITIONS], ties=ties, b=b)
        measures = {"density": density_of(recipe.table)}
        by_recipe += [row | measures | {"run": row["run"] + first} for row in rows]
        for row in _mondrian(recipe, table.users, mondrian_on, ks):
            by_mondrian.append(row | {"run": first})
    return Runs(pd.DataFrame(by_recipe), pd.DataFrame(by_mondrian))


def _mondrian(
    recipe: Recipe, attributes: pd.DataFrame, looks_at: Sequence[str], ks: Sequence[int]
) -> Iterator[dict[str, Any]]:
    forms = {"columns": recipe.table, "attributes": attributes}
    for form, cut, k in product(looks_at, ("median", "balanced"), ks):
        world = {"mondrian_on": form} if len(looks_at) > 1 else {}
        shares = recipe.shares(mondrian(forms[form], k, cut=cut), "all")
        yield {**world, "mondrian_cut": cut, "k": k} | shares


# Rows over the runs of a world: numbers, and differences within runs that decide statements.


def rows_over(runs: Runs) -> Iterator[dict[str, Any]]:
    """Numbers and gaps of every world."""
    plain = runs.recipe[runs.recipe["b"] == paper.SPREAD]
    rivals = [*_worlds(runs.mondrian, "mondrian_on", "mondrian_cut")]
    for world, of_world in _worlds(plain, "assignment", "cut", "ties"):
        for k, at_k in of_world.groupby("k", sort=False):
            ours, other = (at_k[at_k["method"] == method] for method in KEPT)
            forms = [(form, table.loc[table["k"] == k, "jaccard"]) for form, table in rivals]
            for row in _at_k(ours, other, forms):
                yield world | {"k": k} | row
        for method, of_method in of_world.groupby("method", sort=False):
            yield world | {"quantity": "largest sd", "method": method} | _largest_sd(of_method)
    for form, table in rivals:
        for k, at_k in table.groupby("k", sort=False):
            for quantity in SHARES:
                row = {"quantity": quantity, "method": "mondrian", "k": k} | form | OWN_PROGRAM
                yield row | mean_of_any_runs(at_k[quantity])


OWN_PROGRAM = {"source": "substitute"}  # the paper ran another Mondrian, whose suppression is open


def _worlds(table: pd.DataFrame, *choices: str) -> Iterator[tuple[World, pd.DataFrame]]:
    """Each world of the choices that the table has, with its rows."""
    names = [name for name in choices if name in table]
    for options, rows in table.groupby(names, sort=False) if names else ():
        yield dict(zip(names, options, strict=True)), rows


def _at_k(
    ours: pd.DataFrame, other: pd.DataFrame, forms: Sequence[tuple[World, pd.Series]]
) -> Iterator[dict[str, Any]]:
    """Rows of one world at one k: smooth copies, suppression on the same groups, and Mondrian."""
    for (method, table), quantity in product(zip(KEPT, (ours, other), strict=True), SHARES):
        yield {"quantity": quantity, "method": method} | mean_of_runs(table[quantity])
    smooth, suppression = ours["jaccard"].to_numpy(), other["jaccard"].to_numpy()
    lost = other["suppressed"].to_numpy() - ours["suppressed"].to_numpy()
    yield {"quantity": "gap to suppression"} | mean_of_runs(smooth - suppression)
    yield {"quantity": "gap in suppressed"} | mean_of_runs(lost)
    levels = [equal_epsilon(*pair) for pair in zip(smooth, ours["density"], strict=True)]
    yield {"quantity": "epsilon of equal similarity"} | mean_of_runs(levels)
    for form, column in forms:
        cut = column.to_numpy()  # one per run, or one for all
        against = {"against": "mondrian"} | form | OWN_PROGRAM
        yield {"quantity": "gap to Mondrian"} | against | mean_of_runs(smooth - cut)
        yield {"quantity": "suppression over Mondrian"} | against | mean_of_runs(suppression - cut)
        best, whose = (suppression, {}) if suppression.mean() > cut.mean() else (cut, OWN_PROGRAM)
        row = {"quantity": "ratio to the best baseline"} | form | whose
        yield row | ratio_of_means(smooth, best)


def ratio_of_means(ours: np.ndarray, other: np.ndarray) -> dict[str, float]:
    """Ratio of two means over the same runs, with the spread of its residuals.

    Examples
    --------
    >>> ratio_of_means(np.array([2.0, 4.0]), np.array([1.0, 2.0]))
    {'value': 2.0, 'se': 0.0, 'sd': 0.0, 'runs': 2}
    """
    mean = max(float(other.mean()), _LEAST)  # a baseline may keep nothing
    ratio = ours.mean() / mean
    return mean_of_runs(ratio + (ours - ratio * other) / mean)


_LEAST = 1e-6


def _largest_sd(runs: pd.DataFrame) -> dict[str, float]:
    """Largest standard deviation over k, with what ours and one of ten runs may be off by."""
    sds = runs.groupby("k")["jaccard"].agg(["std", "count"])
    largest, count = float(sds["std"].max()), int(sds["count"].min())
    return {"value": largest, "runs": count} | errors_of_sd(largest, count)


def errors_of_sd(sd: float, runs: int) -> dict[str, float]:
    """Standard error of a standard deviation: over our runs (se), and over the paper's (sd)."""
    counts = {"se": runs, "sd": paper.REPETITIONS}
    return {name: sd / (2 * (count - 1)) ** 0.5 for name, count in counts.items()}


def _other_settings(runs: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Similarity with the paper's b less that with another, run by run; k = 8 against others."""
    smooth = runs[runs["method"] == "smooth"]
    for world, of_world in _worlds(smooth, "assignment", "cut", "ties"):
        eight = of_world[of_world["k"] == paper.K_TABLE]
        plain = of_world[of_world["b"] == paper.SPREAD]
        for name, table, default in (("b", eight, paper.SPREAD), ("k", plain, paper.K_TABLE)):
            by_run = table.pivot_table("jaccard", "run", name)
            for other in OTHERS[name]:
                gap = (by_run[default] - by_run[other]).dropna()
                row = {"quantity": f"over another {name}", "other": other}
                yield world | row | mean_of_runs(gap)


OTHERS = {"b": [b for b in paper.SPREADS if b != paper.SPREAD], "k": (2, 32)}


# The experiment of Table 3 and Figures 3, 5 and 6.


def copies(
    dataset: Dataset | None, *, mondrian_on: Sequence[str], rng: Rng = None, repetitions: int = 20
) -> pd.DataFrame:
    """Anonymize one table at every k by smooth anonymity, suppression and Mondrian.

    None stands for the block model, which is drawn anew in each run.
    """
    check_integer("repetitions", repetitions, minimum=2)
    runs = measure(
        dataset,
        rng=as_rng(rng),
        repetitions=repetitions,
        mondrian_on=mondrian_on,
        spreads=OTHERS["b"],
    )
    only = runs.recipe[runs.recipe["method"] == "non-smooth"]
    most = max(float(table["created"].max()) for table in (only, runs.mondrian))
    created = {"quantity": "created by suppression", "value": most}
    return pd.DataFrame([*rows_over(runs), *_other_settings(runs.recipe), created])


def copies_graphs(
    adult: Dataset,
    playstore: Dataset,
    dblp: Dataset,
    stanford: Dataset,
    *,
    rng: Rng = None,
    repetitions: int = 5,
) -> pd.DataFrame:
    """Anonymize two large graphs, and the three tables at the k at which they are compared.

    Of equally near facilities the one that opened first is taken.
    """
    check_integer("repetitions", repetitions, minimum=2)
    generator = as_rng(rng)
    tables = {"stochastic": None, "adult": adult, "playstore": playstore}
    rows: list[dict[str, Any]] = []
    for name, dataset in (tables | {"dblp": dblp, "stanford": stanford}).items():
        runs = measure(
            dataset,
            rng=generator,
            repetitions=repetitions,
            ks=COMPARED if name in tables else (paper.K_TABLE, *COMPARED),
            ties=(FIRST,),
        )
        settings = {"data": name} | ENCODED.get(name, {})
        of_data = [row | settings for row in rows_over(runs)]
        rows += [{key: v for key, v in row.items() if key != "ties"} for row in of_data]
    table = pd.DataFrame(rows)
    levels = table.query("quantity == 'epsilon of equal similarity' and k == @BETWEEN")
    largest = levels.loc[levels.groupby(["assignment", "cut"])["value"].idxmax()]
    return pd.concat([table, largest.assign(quantity="largest epsilon at k=16")], ignore_index=True)


BETWEEN = 16  # the k at which the paper names the largest epsilon
COMPARED = (BETWEEN, paper.K[-1])
ENCODED = {"playstore": {"source": "substitute"}}  # the paper does not say how


# Figure 3(c): copies by randomized response. The law of their similarity depends on entries and
# cells alone, so that the counts of Table 2 will do.


EDGE_EPSILONS = tuple(np.arange(0.5, 12.01, 0.5).tolist())
COPIED = (1.0, 4.0, 8.0)  # where full copies are made, too


def edge_dp(*, rng: Rng = None, draws: int = 10_000) -> pd.DataFrame:
    """Similarities against epsilon for data sets of the sizes that Table 2 prints."""
    shapes = {name: (row[2], row[0] * row[1]) for name, row in paper.TABLE_2.items()}
    rows: list[dict[str, Any]] = []
    for name, (entries, cells) in shapes.items():
        density = entries / cells
        for epsilon in EDGE_EPSILONS:
            value = jaccard_first_term(density=density, epsilon=epsilon)
            row = {"quantity": "mean similarity", "data": name, "epsilon": epsilon}
            rows.append(row | {"value": value})
        # Algorithm 1 gives each cell of a row its share of the row's epsilon
        for level, cells_of_one in (("node level", paper.TABLE_2[name][1]), ("edge level", 1)):
            kept = jaccard_first_term(density=density, epsilon=paper.NODE_EPSILON / cells_of_one)
            more = kept - density / (1 + density)  # than fair coins
            rows.append({"quantity": level, "data": name, "value": more})
    return pd.DataFrame([*spreads(shapes, rng=rng, draws=draws), *rows])


def edge_dp_copies(adult: Dataset, *, rng: Rng = None, copies: int = 50) -> pd.DataFrame:
    """Kolmogorov-Smirnov test of drawn similarities against those of published copies."""
    generator, original = as_rng(rng), adult.biadjacency
    cells = int(original.shape[0]) * int(original.shape[1])
    rows = []
    for epsilon in tqdm(COPIED, desc="copies of adult"):
        flip = epsilon_to_flip(epsilon)
        made = [
            jaccard_similarity(
                original, bipartite_noise_graph(original, flip_probability=flip, rng=generator)
            )
            for _ in range(copies)
        ]
        sample = sample_jaccard(
            density=original.nnz / cells, cells=cells, epsilon=epsilon, size=copies, rng=generator
        )
        pvalue = float(scipy.stats.ks_2samp(made, sample).pvalue)
        rows.append({"quantity": "p-value", "epsilon": epsilon, "value": pvalue})
    return pd.DataFrame(rows)


def spreads(shapes: Mapping[str, tuple[int, int]], *, rng: Rng, draws: int) -> list[dict[str, Any]]:
    """Largest spread of a copy over the levels in per cent, and what it may be off by.

    Shapes are entries and cells by name. Its errors are of our draws, and of ten runs.
    """
    check_integer("draws", draws, minimum=10)
    generator = as_rng(rng)
    rows: list[dict[str, Any]] = []
    for name, (entries, cells) in shapes.items():
        known: dict[str, Any] = {"density": entries / cells, "cells": cells, "size": draws}
        copies = (sample_jaccard(**known, epsilon=e, rng=generator) for e in EDGE_EPSILONS)
        largest = 100 * max(mean_of_runs(sample)["sd"] for sample in copies)
        row = {"quantity": "largest sd", "data": name, "value": largest}
        rows.append(row | errors_of_sd(largest, draws))
    return rows


# Table 2: rows, columns, entries and density of the data sets.


PLAYSTORE_APPS = 10_841  # rows of the file, the shifted one among them
_COUNTS = ("entries", "density", "inside", "outside")


def sizes_stochastic(*, rng: Rng, repetitions: int = paper.REPETITIONS) -> pd.DataFrame:
    """Measure the block model of the experiments on several draws.

    Table 2 and Appendix D.
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

    Table 2 and Section 6.
    """
    attributes = {"quantity": "attributes", "value": float(dataset.items["attribute"].nunique())}
    return pd.concat([sizes(dataset), pd.DataFrame([attributes])], ignore_index=True)


def sizes_playstore(dataset: Dataset) -> pd.DataFrame:
    """Count what Table 2 prints of playstore, and the share of the file's rows (per cent).

    Table 2 and Section 6.
    """
    rows = dataset.biadjacency.shape[0]
    share = {"quantity": "share", "value": 100 * rows / PLAYSTORE_APPS}
    return pd.concat([sizes(dataset), pd.DataFrame([share])], ignore_index=True)


def sizes(dataset: Dataset) -> pd.DataFrame:
    """Count what Table 2 prints of a data set."""
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
