"""The social graph at the door of the recommenders: undirected, without weights."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pandas as pd
from scipy import sparse

from pplab.checks import check_unweighted
from pplab.graph_forms import edge_list, from_array
from pplab.graphs import GraphLike, as_adjacency

__all__ = ["as_social"]


def as_social(social: GraphLike) -> sparse.csr_array:
    """Bring a social graph into a symmetric CSR array of int8 ones; refuse weights.

    `as_adjacency` takes whatever is stored as an edge. The similarities of the paper know no
    weights, so a weight here is more likely a table of ratings in the wrong place.
    """
    if isinstance(social, nx.Graph):
        weights: Any = [weight for *_, weight in social.edges(data="weight", default=1)]
    elif isinstance(social, pd.DataFrame):
        weights = edge_list(social, "social")[2]
    else:
        social = from_array(social, "social")
        weights = social.data
    check_unweighted("social", weights)
    return as_adjacency(social, name="social")
