#!/usr/bin/env bash
# Surprise: in an undirected network of teneto paths go back in time, for whoever has the smaller number.
# Asked for the contacts of a person on a day, it returns those of all days where the person is the
# smaller of the two. Four people meet once each, 0 and 1 on day 0, 1 and 2 on day 1, 2 and 3 on day
# 2: from day 2 on person 0 still reaches everybody within a day, and 24 of 36 paths exist where time
# allows 16, or 28 if the same people are numbered from the other end; the efficiency is 0.86 or
# 0.74. Declared as directed the same contacts have the 16. Efficiency is one divided by the mean
# distance of those who have a path: 0.53 there, and 1, the maximum, where two people meet daily and
# two never meet anybody; with 0 for no path, as is defined, 0.29 and 0.17.
# Package: teneto 0.5.3 (with the older numpy 1.23.5, pandas 1.5.3 and scipy 1.10.1 that it needs).
# Source: https://github.com/wiheto/teneto (utils/utils.py, get_network_when: ij and t; networkmeasures);
# https://teneto.readthedocs.io; Tang, Musolesi, Mascolo and Latora, Temporal distance metrics for
# social network analysis, https://doi.org/10.1145/1592665.1592674 (a path follows the order of time)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    teneto==0.5.3 numpy==1.23.5 pandas==1.5.3 scipy==1.10.1 networkx==2.8.8 matplotlib==3.7.5 \
    scikit-learn==1.2.2 python-louvain==0.16 pybids==0.20.0 templateflow==23.0.0 nilearn==0.10.4 \
    statsmodels==0.14.1
cd "$folder"
HOME="$folder" venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy
from teneto import TemporalNetwork
from teneto.networkmeasures import shortest_temporal_path, temporal_efficiency

print("teneto", version("teneto"), "numpy", numpy.__version__)


def of(days, kind):
    contacts = numpy.zeros((4, 4, len(days)))
    for day, (one, other) in enumerate(days):
        contacts[one, other, day] = contacts[other, one, day] = 1
    return TemporalNetwork(from_array=contacts, nettype=kind)


def paths_that_time_allows(days):
    """Distances in days from each person and first day, each day with one contact."""
    distances = []
    for start in range(len(days)):
        for person in range(4):
            reached = {person: 0}
            for day in range(start, len(days)):
                one, other = days[day]
                for here, there in ((one, other), (other, one)):
                    if here in reached and there not in reached:
                        reached[there] = day - start + 1
            distances += [distance for distance in reached.values() if distance]
    return distances


def measured(days, kind):
    table = shortest_temporal_path(of(days, kind))
    return table, int(table["temporal-distance"].notna().sum()), round(float(temporal_efficiency(paths=table)), 2)


days = [(0, 1), (1, 2), (2, 3)]
backwards = [(3 - one, 3 - other) for one, other in days]
right = paths_that_time_allows(days)
print("contacts of person 0 on day 2:", of(days, "bu").get_network_when(ij=0, t=2)[["i", "j", "t"]].values.tolist())
table, found, efficiency = measured(days, "bu")
late = table[(table["from"] == 0) & (table["t_start"] == 2)]
print("from person 0, day 2 on, distances to the others:", late["temporal-distance"].tolist())
_, found_backwards, efficiency_backwards = measured(backwards, "bu")
_, found_directed, efficiency_directed = measured(days, "bd")
print("paths of", len(table), "- undirected", found, "numbered backwards", found_backwards, end=" ")
print("declared as directed", found_directed, "time allows", len(right))
print("efficiency - undirected", efficiency, "numbered backwards", efficiency_backwards, "directed", efficiency_directed)
assert late["temporal-distance"].tolist() == [1, 1, 1]
assert (found, found_backwards, found_directed, len(right), len(table)) == (24, 28, 16, 16, 36)
assert (efficiency, efficiency_backwards, efficiency_directed) == (0.86, 0.74, 0.53)

daily = [(0, 1)] * 3
table, found, alone = measured(daily, "bd")
values = [round(sum(1 / d for d in paths_that_time_allows(each)) / 36, 2) for each in (days, daily)]
print("two meet daily, two nobody - paths", found, "of", len(table), "efficiency", alone, end=" ")
print("- with 0 for no path the two networks have", *values)
assert (found, alone, values) == (6, 1.0, [0.29, 0.17])
PYTHON
