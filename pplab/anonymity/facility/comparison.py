"""Random instances of metric facility location."""

from __future__ import annotations

import numpy as np

from pplab.checks import as_rng, check_integer

__all__ = ["random_instance"]


def random_instance(
    clients: int, facilities: int, *, rng: int | np.random.Generator | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Draw a metric instance: shortest ways in a random bipartite graph, random opening costs.

    Ways of 1 and 3 (or ways drawn from an interval and completed by detours) are harder for
    approximations than points in a plane; which kind it is, is drawn too.

    Parameters
    ----------
    clients, facilities : int
        At least 1 each.
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    costs : float array, shape (clients, facilities)
        With c_ij <= c_il + c_kl + c_kj for all clients i, k and facilities j, l.
    opening_costs : float array, shape (facilities,)

    Raises
    ------
    TypeError, ValueError
        If a number is not a positive integer.

    Examples
    --------
    >>> costs, opening_costs = random_instance(4, 3, rng=1)
    >>> costs.shape, opening_costs.shape
    ((4, 3), (3,))
    """
    check_integer("clients", clients, minimum=1)
    check_integer("facilities", facilities, minimum=1)
    generator = as_rng(rng)
    if generator.random() < 0.5:
        costs = np.where(generator.random((clients, facilities)) < 0.4, 1.0, 3.0)
    else:
        costs = generator.exponential(1.0, (clients, facilities))
        for _ in range(clients):  # ways get shorter by detours; each visits a client once at most
            between = (costs[:, None] + costs[None]).min(axis=2)
            costs = np.minimum(costs, (between[:, :, None] + costs[None]).min(axis=1))
    scale = generator.choice([0.3, 1.0, 3.0]) * costs.mean()
    return costs, scale * generator.uniform(0.2, 1.8, facilities) * clients / facilities
