#!/usr/bin/env bash
# Surprise: pygrank's disparate mistreatment is 1, perfectly fair, whatever the scores are and whoever the
# sensitive group is. It should measure the quality of the scores for the group and for all others and
# say how near the two are; unless nodes to leave out are given, which is optional, it measures all
# nodes twice and compares a number with itself. In a club of 34, scores that are right for everybody
# outside the group of 17 and turned round for everybody inside have AUC 1 and 0, and a mistreatment
# measure of 1. With an empty list of nodes to leave out the same call says 0. So a node ranker
# that serves one group only passes the check that is meant for it.
# Package: pygrank 0.2.14 (with networkx 3.4.2, numpy 2.2.6, scipy 1.15.3 and scikit-learn 1.7.2).
# Source: https://github.com/MKLab-ITI/pygrank (measures/supervised/fairness/mistreatment.py: exclude is
# optional, and without it both measures are made alike); Zafar and others, Fairness beyond disparate
# treatment and disparate impact, https://doi.org/10.1145/3038912.3052660 (mistreatment: errors differ
# between the groups)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    pygrank==0.2.14 networkx==3.4.2 numpy==2.2.6 scipy==1.15.3 scikit-learn==1.7.2
cd "$folder"
HOME="$folder" venv/bin/python -W ignore - <<'PYTHON'
from importlib.metadata import version

import networkx
import pygrank

print("pygrank", version("pygrank"), "networkx", networkx.__version__)
club = networkx.karate_club_graph()
liked = {person for person in club if club.nodes[person]["club"] == "Mr. Hi"}
group = set(range(17))
others = set(club) - group


def signal(people):
    return pygrank.to_signal(club, {person: 1.0 for person in people})


def turned_round_inside(people):
    """Scores that are right outside the group and turned round inside."""
    return signal(person for person in club if (person in liked) != (person in people))


def auc(scores, people):
    return float(pygrank.AUC(signal(liked), exclude=signal(set(club) - people))(scores))


def mistreatment(scores, people, **more):
    return float(pygrank.Mistreatment(signal(liked), sensitive=signal(people), measure=pygrank.AUC, **more)(scores))


for name, people in {"the group": group, "nobody": set(), "everybody": set(club)}.items():
    scores = turned_round_inside(people)
    parts = auc(scores, group), auc(scores, others)
    plain, empty = mistreatment(scores, group), mistreatment(scores, group, exclude=signal(set()))
    print("turned round for", name, "- AUC in the group", parts[0], "of others", parts[1], end=" ")
    print("mistreatment", plain, "with nobody left out", empty, "by definition", 1 - abs(parts[0] - parts[1]))
    assert plain == 1 and empty == 1 - abs(parts[0] - parts[1])
    if name == "the group":
        assert parts == (0, 1) and empty == 0
    # the sensitive group does not matter
    assert mistreatment(scores, {0}) == mistreatment(scores, others) == 1
PYTHON
