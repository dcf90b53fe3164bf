"""Shared by the tests of all papers: a part run on small data, and what is wrong with its rows."""

import inspect
from dataclasses import replace

import numpy as np

from pplab.ledger.reproduce import claims_of
from pplab.ledger.rules import judge, select_rows

DECIDED = {"reproduced", "reproduced-under-reading", "differs", "holds", "refuted"}


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


def complaints(part, frame):
    """Claims that find no rows or no verdict; statements without a claim or a sentence."""
    claims, said = claims_of(part), []
    if not claims:
        said.append(f"{part.name} has no claim")
    for claim in claims:
        rows = select_rows(claim, frame)  # refuses where it finds more or fewer than one a reading
        if not np.isfinite(rows["value"].astype(float)).all():
            said.append(f"{claim.id} has no number")
        if judge(claim, frame, "generated").verdict not in DECIDED:
            said.append(f"{claim.id} has no verdict")
    if "statement" in frame.columns:
        told = frame.dropna(subset="statement")
        asked = {claim.conditions.get("statement") for claim in claims} - {None}
        said += [f"{name} has only one side" for name in asked ^ set(told["statement"])]
        open_ended = ~told["witness"].str.endswith(".")
        said += [f"{name} ends without a stop" for name in told.loc[open_ended, "statement"]]
    return said
