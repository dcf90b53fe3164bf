"""Shared by the tests of all papers: a part run on small data, and what is wrong with its rows."""

import inspect
from dataclasses import replace

import numpy as np
import pandas as pd

from claimbook.reproduce import claims_of, plain_rows
from claimbook.rules import printer, read_rules
from claimbook.verdicts import MeasuredRows, judge
from pplab.datasets.catalog import Dataset
from pplab_papers.collection import papers


def made(name, **tables):
    """A made data set: users and items, as many as its last table has, have numbers alone."""
    *_, table = tables.values()
    people, things = (pd.DataFrame(index=range(1, count + 1)) for count in table.shape)
    return Dataset(name=name, source="generated", users=people, items=things, **tables)


def first_rows(dataset, rows):
    return replace(
        dataset,
        biadjacency=dataset.biadjacency[:rows],
        users=dataset.users.iloc[:rows],
        labels=None if dataset.labels is None else dataset.labels[:rows],
    )


def frame_of(part, data, few):
    """Run a part on data sets by (name, split), with few repetitions where it takes them."""
    takes = inspect.signature(part.experiment).parameters
    options = {**part.fixed, **part.options} | {k: v for k, v in few.items() if k in takes}
    if part.seed is not None:
        options["rng"] = part.seed
    tables = {argument: data[name] for argument, name in part.datasets.items()}
    return part.experiment(**tables, **options)


def complaints(part, frame, others=None):
    """Claims that find no rows or no verdict; statements without a claim or a sentence.

    ``others`` are frames by part, for claims that several parts measure.
    """
    paper, texts = papers()[part.paper], []
    claims = claims_of(paper, part)
    if not claims:
        texts.append(f"{part.name} has no claim")
    # refuses where a number finds more or fewer rows than one a world, or no true or false
    frames = (others or {}) | {part.name: frame}
    measured = {name: MeasuredRows(plain_rows(each), "generated") for name, each in frames.items()}
    verdicts = judge(claims, measured, printer(read_rules(paper)))
    for name, judgement in verdicts.items():
        if judgement.verdict == "open" and not judgement.note.startswith("preliminary"):
            texts.append(f"{name} has no verdict")
        if any(not np.isfinite(trial.value) for trial in judgement.trials):
            texts.append(f"{name} has no number")
    if "statement" in frame.columns:
        text = frame.dropna(subset="statement")
        asked = {claim.conditions.get("statement") for claim in claims} - {None}
        texts += [f"{name} has only one side" for name in asked ^ set(text["statement"])]
        open_ended = ~text["witness"].str.endswith(".")
        texts += [f"{name} ends without a stop" for name in text.loc[open_ended, "statement"]]
    return texts
