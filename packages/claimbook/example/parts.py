"""What can be measured of the report: two experiments, each a function that gives a table."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from claimbook.part import Part


def attendance(attendance: Mapping[str, Path]) -> pd.DataFrame:
    """Members, books and attendance of the whole year, for both meanings of "member"."""
    year = pd.read_csv(attendance["data/attendance.csv"])
    came = year.groupby("member")["came"].sum()
    everybody = {"quantity": "attendance", "members": "all members of the list"}
    those_who_came = {"quantity": "attendance", "members": "members who came at least once"}
    return pd.DataFrame(
        [
            {"quantity": "members", "value": len(came)},
            {"quantity": "books", "value": year["books"].mean()},
            everybody | {"value": year["came"].mean()},
            those_who_came | {"value": year["came"].sum() / (12 * (came > 0).sum())},
        ]
    )


def months(attendance: Mapping[str, Path]) -> pd.DataFrame:
    """Members, those who came, and attendance of each month."""
    year = pd.read_csv(attendance["data/attendance.csv"])
    by_month = year.groupby("month")["came"].agg(members="size", came="sum", attendance="mean")
    return by_month.reset_index().melt("month", var_name="quantity")


DATA = {"attendance": ("attendance", None)}
PARTS = (
    Part("reading-club", "attendance", attendance, DATA),
    Part("reading-club", "months", months, DATA),
)
