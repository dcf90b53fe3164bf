"""Tables 1 to 3 and Figures 3, 5 and 6: the data sets, and what the paper's recipe keeps of each.

`copies` anonymizes one table at every k by the recipe of Appendix D (smooth votes, and suppression
on the same clusters) and by Mondrian; `copies_graphs` does so with two graphs and compares them
with the tables; `sizes` and its sisters count what Table 2 prints. What the paper says of the
curves is decided over the rows that are given here. Esfandiari, Epasto, Mirrokni and Munoz Medina,
*Smooth Anonymity for Sparse Graphs*, arXiv 2207.06358.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import inf
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.blocks import block_model
from pplab.datasets.catalog import Dataset
from pplab.papers.part import Rng, mean_of_runs
from pplab.papers.smooth import paper
from pplab.smooth._rows import DistinctRows, distinct_rows
from pplab.smooth.groups import cut_to_size, publish_votes
from pplab.smooth.mondrian import mondrian
from pplab.smooth.recipe import (
    TIES,
    close_small,
    copied,
    nearest_in_the_end,
    online_facilities,
    opening_costs,
)
from pplab.theory.jaccard_law import epsilon_for_jaccard

# Runs of the paper's recipe on one table, with all that does not change kept between them.


ASSIGNMENTS = {"assigned on arrival": "arrival", "nearest in the end": "nearest"}
ARRIVAL, NEAREST = ASSIGNMENTS
WHOLE, CUT = CLUSTERS = "whole", "cut to k"
# Items of a cluster that a published copy keeps: the method, its vote, and `keep`.
VOTES = (
    ("smooth", "half kept", "half"),
    ("smooth", "half dropped", "more-than-half"),
    ("non-smooth", "", "all"),
)
FIRST = "first"  # of equally near facilities the one that opened first, unless ties are varied
ANY = "any of equally near"
SHARES = ("jaccard", "suppressed", "created")


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

    def both(self, costs: np.ndarray, k: int, *, ties: str, seed: int) -> dict[str, np.ndarray]:
        """Groups of one run under each assignment, after the same orders of arrival."""
        arriving, closing = np.random.SeedSequence(seed).spawn(2)
        rng = np.random.default_rng(arriving)
        located = online_facilities(
            self.distinct, costs, orders=10, assignment="arrival", rng=rng, ties=ties
        )
        groups = {}
        for name in ASSIGNMENTS:
            own = located._replace(facilities=copied(located.facilities))
            if name == NEAREST:
                own = nearest_in_the_end(self.distinct, own)
            groups[name] = close_small(self.distinct, own, k, rng=np.random.default_rng(closing))
        return groups

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
        self,
        k: int,
        seeds: Sequence[int],
        *,
        spread: int = paper.SPREAD,
        ties: Sequence[str] = (FIRST,),
    ) -> pd.DataFrame:
        """Run the recipe at one k with each seed, by each rule for ties, for each vote.

        The recipe has no step that cuts large clusters; pieces of k to 2k - 1 rows are the other
        kind of clusters.
        """
        costs, rows = self.costs(k, spread), []
        for rule, seed in product(ties, seeds):
            for name, whole in self.both(costs, k, ties=rule, seed=seed).items():
                for clusters in CLUSTERS:
                    labels = whole if clusters == WHOLE else cut_to_size(whole, k, rng=seed)
                    common = {"k": k, "ties": rule, "assignment": name, "clusters": clusters}
                    common["least"] = int(np.bincount(labels).min())
                    common["labels"] = hashlib.sha256(labels.astype("<i8").tobytes()).hexdigest()
                    for method, vote, keep in VOTES:
                        row = {"method": method, "vote": vote}
                        rows.append(common | row | self.shares(labels, keep))
        return pd.DataFrame(rows)


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


# Rows over the runs: numbers under each reading, and gaps that decide statements.


def _summary(values: np.ndarray) -> dict[str, float]:
    return mean_of_runs(values) | {"runs": len(values)}


def _groups(runs: pd.DataFrame, *keys: str) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    for values, group in runs.groupby(list(keys), sort=False):
        yield dict(zip(keys, values, strict=True)), group


def _reading(group: pd.DataFrame, *more: str, vote: bool = True) -> str:
    first = group.iloc[0]
    words = [first["assignment"], first["vote"] if vote else "", *more]
    words.insert(2, CUT if first["clusters"] == CUT else "")
    return ", ".join(filter(None, words))


def _shares(runs: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Shares at each k under each reading; over all rules for ties where they were varied."""
    for row, group in _groups(runs, "method", "k", "assignment", "vote", "clusters"):
        named = {"method": row["method"], "k": row["k"]}
        for quantity in SHARES:
            by_rule = {r: _summary(part[quantity]) for r, part in group.groupby("ties", sort=False)}
            named["quantity"] = quantity
            yield named | {"reading": _reading(group)} | by_rule[FIRST]
            if len(by_rule) > 1:
                yield named | {"reading": _reading(group, ANY)} | _range([*by_rule.values()])


def _range(summaries: Sequence[dict[str, float]]) -> dict[str, float]:
    """From the least to the largest mean, with the largest errors."""
    means = [row["value"] for row in summaries]
    largest = {name: max(row[name] for row in summaries) for name in ("se", "sd", "runs")}
    return {"value": float(np.mean(means)), "low": min(means), "high": max(means)} | largest


def _saved(runs: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Entries at the k of Table 3 that suppression loses and the smooth copy does not."""
    for name, clusters in product(ASSIGNMENTS, CLUSTERS):
        wanted = {"k": paper.K_TABLE, "assignment": name}
        by_rule = [
            _summary(
                _values(runs, "suppressed", method="non-smooth", clusters=clusters, **own)
                - _values(runs, "suppressed", method="smooth", **own)
            )
            for own in ({**wanted, "ties": rule} for rule in runs["ties"].unique())
        ]
        row = {"quantity": "suppressed saved", "k": paper.K_TABLE}
        reading = name if clusters == WHOLE else f"{name}, {CUT}"
        yield row | {"reading": reading} | by_rule[0]
        if len(by_rule) > 1:
            yield row | {"reading": f"{reading}, {ANY}"} | _range(by_rule)


def _values(runs: pd.DataFrame, quantity: str, **wanted: Any) -> np.ndarray:
    """One value per run; of smooth copies those of whole clusters that keep a half."""
    if wanted["method"] == "smooth":
        wanted = {"clusters": WHOLE, "vote": "half kept", **wanted}
    chosen = np.logical_and.reduce([runs[name] == value for name, value in wanted.items()])
    values: np.ndarray = runs.loc[chosen, quantity].to_numpy()
    return values


def _gaps(runs: pd.DataFrame, fixed: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Smooth copies against both baselines within each run, and the baselines against each other.

    A reading names the clusters of suppression; smooth copies are those of whole clusters. The best
    baseline is the better of suppression and of Mondrian in the first of its forms. Where ties
    were varied, at one k, the other rows of such a reading are those of the first rule.
    """
    also = ("", f", {ANY}") if (runs["ties"] != FIRST).any() else ("",)
    for name, clusters, k in product(ASSIGNMENTS, CLUSTERS, runs["k"].unique()):
        own = {"assignment": name, "k": k, "ties": FIRST}
        smooth, other = (
            {q: _values(runs, q, method=method, **own, **where) for q in SHARES}
            for method, where in (("smooth", {}), ("non-smooth", {"clusters": clusters}))
        )
        gaps: list[tuple[dict[str, str], np.ndarray]] = [
            ({"quantity": "similarity"}, smooth["jaccard"]),
            ({"quantity": "smooth created"}, smooth["created"]),
            ({"quantity": "gap to suppression"}, smooth["jaccard"] - other["jaccard"]),
            ({"quantity": "gap in suppressed"}, other["suppressed"] - smooth["suppressed"]),
        ]
        cuts = {} if fixed.empty else dict(_cuts(fixed, k))
        for form, cut in cuts.items():
            over = {"quantity": "suppression over Mondrian", "form": form}
            gaps.append((over, other["jaccard"] - cut))
            gaps.append(({"quantity": "gap to Mondrian", "form": form}, smooth["jaccard"] - cut))
        if cuts:
            best = max(float(other["jaccard"].mean()), next(iter(cuts.values())))
            gaps.append(({"quantity": "ratio to the best baseline"}, smooth["jaccard"] / best))
        reading = name if clusters == WHOLE else f"{name}, {CUT}"
        for (row, values), more in product(gaps, also):
            yield row | {"k": k, "reading": reading + more} | _summary(values)


def _cuts(fixed: pd.DataFrame, k: int) -> Iterator[tuple[str, float]]:
    rows = fixed[fixed["k"] == k]
    yield from zip(rows["reading"], rows["jaccard"], strict=True)


def _checks(runs: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Rows of the smallest group over all runs, and one checksum of all their groups."""
    for row, group in _groups(
        runs[runs["method"] == "non-smooth"], "k", "ties", "assignment", "clusters"
    ):
        labels = hashlib.sha256("".join(group["labels"]).encode()).hexdigest()[:16]
        result = {"value": float(group["least"].min()), "labels": labels, "runs": len(group)}
        yield {"quantity": "k achieved"} | row | result


def _spreads(runs: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Largest standard deviation over k, with what ours and one of ten runs may be off by."""
    kept = runs[runs["vote"] != "half dropped"]
    for row, group in _groups(kept, "method", "assignment", "clusters"):
        sds = group.groupby("k")["jaccard"].agg(["std", "count"])
        largest, count = float(sds["std"].max()), int(sds["count"].min())
        named = {"quantity": "largest sd", "method": row["method"]}
        named |= {"reading": _reading(group, vote=False), "value": largest, "runs": count}
        yield named | errors_of_sd(largest, count)


def errors_of_sd(sd: float, runs: int) -> dict[str, float]:
    """Standard error of a standard deviation: over our runs (se), and over the paper's (sd)."""
    counts = {"se": runs, "sd": paper.REPETITIONS}
    return {name: sd / (2 * (count - 1)) ** 0.5 for name, count in counts.items()}


def _equal_epsilons(runs: pd.DataFrame, density: float) -> Iterator[dict[str, Any]]:
    """Epsilon at which randomized response has the similarity of a smooth copy."""
    for row, group in _groups(runs[runs["method"] == "smooth"], "k", "assignment", "vote"):
        whole = group[group["clusters"] == WHOLE]
        levels = np.array([equal_epsilon(value, density) for value in whole["jaccard"]])
        named = {"quantity": "epsilon of equal similarity", "k": row["k"]}
        yield named | {"reading": _reading(whole)} | _summary(levels)


def _by_spread(runs: pd.DataFrame, spread: int) -> Iterator[dict[str, Any]]:
    for name in ASSIGNMENTS:
        values = _values(runs, "jaccard", method="smooth", assignment=name, ties=FIRST)
        yield {"quantity": "by b", "b": spread, "assignment": name} | _summary(values)


def _mondrian(recipe: Recipe, attributes: pd.DataFrame, looks_at: Sequence[str]) -> pd.DataFrame:
    """Mondrian draws nothing: one run at each k for each form of the table."""
    forms = {"columns": recipe.table, "attributes": attributes}
    rows = [
        {"k": k, "method": "mondrian", "reading": f"{form}, {cut}"}
        | recipe.shares(mondrian(forms[form], k, cut=cut), "all")
        for form in looks_at
        for cut in ("median", "balanced")  # the program that the paper names has the first
        for k in paper.K
    ]
    return pd.DataFrame(rows)


def _of_mondrian(fixed: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for row, quantity in product(fixed.to_dict("records"), SHARES):
        kept = {name: row[name] for name in ("k", "method", "reading")}
        yield {"quantity": quantity, "value": row[quantity]} | kept


# The experiment of Table 3 and Figures 3, 5 and 6.


def copies(
    dataset: Dataset | None,
    *,
    mondrian_on: Sequence[str],
    rng: Rng = None,
    repetitions: int = paper.REPETITIONS,
) -> pd.DataFrame:
    """Anonymize one table at every k by smooth anonymity, suppression and Mondrian.

    At the k of Table 3 the recipe runs by each rule for ties and with each b, too.
    """
    check_integer("repetitions", repetitions, minimum=2)
    generator = as_rng(rng)
    if dataset is None:
        drawing, generator = generator.spawn(2)
        dataset = block_model(**paper.BLOCK_MODEL, rng=drawing)
    recipe = Recipe(dataset.biadjacency)
    seeds = _seeds(generator, repetitions)
    at = paper.K_TABLE
    varied = tuple(rule for rule in TIES if rule != FIRST)
    runs = _at_every_k(recipe, seeds)
    runs = pd.concat([runs, recipe.runs(at, seeds[at], ties=varied)], ignore_index=True)
    fixed = _mondrian(recipe, dataset.users, mondrian_on)
    rows = [*_over_runs(recipe, runs, fixed), *_saved(runs), *_of_mondrian(fixed)]
    most = max(float(fixed["created"].max()), float(runs.query("vote == ''")["created"].max()))
    rows.append({"quantity": "created by suppression", "value": most})
    for b in paper.SPREADS:
        other = runs[runs["k"] == at] if b == paper.SPREAD else recipe.runs(at, seeds[at], spread=b)
        rows += _by_spread(other, b)
    return pd.DataFrame(rows)


def _seeds(rng: np.random.Generator, repetitions: int) -> dict[int, list[int]]:
    seeds = rng.integers(2**31, size=(len(paper.K), repetitions)).tolist()
    return dict(zip(paper.K, seeds, strict=True))


def _at_every_k(recipe: Recipe, seeds: dict[int, list[int]]) -> pd.DataFrame:
    tables = [recipe.runs(k, mine) for k, mine in tqdm(seeds.items(), desc="copies")]
    return pd.concat(tables, ignore_index=True)


def _over_runs(recipe: Recipe, runs: pd.DataFrame, fixed: pd.DataFrame) -> Iterator[dict[str, Any]]:
    plain = runs[runs["ties"] == FIRST]
    yield from _shares(runs)
    yield from _gaps(runs, fixed)
    yield from _spreads(plain)
    yield from _equal_epsilons(plain, density_of(recipe.table))
    yield from _checks(runs)


def copies_graphs(
    adult: Dataset,
    playstore: Dataset,
    dblp: Dataset,
    stanford: Dataset,
    *,
    rng: Rng = None,
    repetitions: int = 2,
) -> pd.DataFrame:
    """Anonymize two large graphs at every k, and the three tables where they are compared."""
    check_integer("repetitions", repetitions, minimum=2)
    drawing, generator = as_rng(rng).spawn(2)
    tables = {"stochastic": block_model(**paper.BLOCK_MODEL, rng=drawing)}
    tables |= {"adult": adult, "playstore": playstore}
    rows: list[dict[str, Any]] = []
    for name, dataset in (tables | {"dblp": dblp, "stanford": stanford}).items():
        recipe, seeds = Recipe(dataset.biadjacency), _seeds(generator, repetitions)
        if name in tables:
            seeds = {k: seeds[k] for k in (BETWEEN, paper.K[-1])}
        runs = _at_every_k(recipe, seeds)
        rows += [row | {"data": name} for row in _over_runs(recipe, runs, pd.DataFrame())]
    levels = [
        row["value"]
        for row in rows
        if row["quantity"] == "epsilon of equal similarity"
        and (row["k"], row["reading"]) == (BETWEEN, f"{ARRIVAL}, half kept")
    ]
    rows.append({"quantity": "largest epsilon at k=16", "value": max(levels)})
    return pd.DataFrame(rows)


BETWEEN = 16  # the k at which the paper names the largest epsilon


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
