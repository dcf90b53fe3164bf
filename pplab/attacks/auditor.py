"""The statistical auditor: it can refute a privacy level, and never establishes one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from pplab.attacks.audit import DIRECTIONS, Audit
from pplab.attacks.events import choose_event
from pplab.attacks.releases import ReleaseTable
from pplab.attacks.scores import Event
from pplab.checks import as_rng, check_alpha, check_integer, check_positive
from pplab.intervals import log_ratio_bound

__all__ = ["Sampled", "audit_epsilon"]


class Sampled(Protocol):
    """What the auditor needs of a mechanism; ``sample_many(data, size, *, rng)`` is a shortcut."""

    def sample(self, data: Any, *, rng: Any) -> Any:
        """Draw one release."""


def audit_epsilon(
    mechanism: Sampled,
    pair: Sequence[Any],
    *,
    claimed: float,
    samples: int,
    alpha: float,
    rng: int | np.random.Generator | None = None,
) -> Audit:
    """Try to refute a claimed privacy level by sampling releases of two neighbouring inputs.

    On one half of the releases an event is chosen for each direction of the ratio; on the other
    half it is judged by exact binomial bounds, half of alpha for each direction and no slack.
    A claim that survives is not established: the pair or the event may be the wrong one.

    Parameters
    ----------
    mechanism : object with ``sample(data, *, rng)``
        May also offer ``sample_many(data, size, *, rng)``. A release is an array, a sparse
        matrix, a number, a string or another hashable, or a tuple or list of such.
    pair : two inputs
        Neighbours in the claimed privacy unit, the worst that come to mind.
    claimed : float
        Privacy level in (0, inf), natural log.
    samples : int
        Releases of each input, 8 at least.
    alpha : float
        Greatest rate of false alarms, in (0, 1).
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    Audit
        ``.lower_bound`` on epsilon, ``.violated``, ``.event``, ``.direction``, ``.counts``.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, the pair has not two inputs, the mechanism cannot be
        sampled, or its releases are of no known kind.

    References
    ----------
    Clopper and Pearson 1934, doi 10.1093/biomet/26.4.404; Ding, Wang, Wang, Zhang and Kifer 2018,
    doi 10.1145/3243734.3243818: events chosen on other samples than those that judge them.

    Examples
    --------
    >>> from pplab.response import BipartiteNoiseGraph
    >>> weak = BipartiteNoiseGraph(0.1)  # the odds are 9 to 1
    >>> found = audit_epsilon(weak, ([[0]], [[1]]), claimed=1.0, samples=800, alpha=1e-3, rng=1)
    >>> found.violated, str(found)[:31]
    (True, 'The audit refutes epsilon = 1. ')
    """
    check_positive("claimed", claimed)
    check_integer("samples", samples, minimum=8)
    check_alpha(alpha)
    first, second = _two(pair)
    streams = as_rng(rng).spawn(2)
    table = ReleaseTable.of(
        [
            _draw(mechanism, first, samples, rng=streams[0]),
            _draw(mechanism, second, samples, rng=streams[1]),
        ]
    )
    rows = (np.arange(samples), np.arange(samples, 2 * samples))
    found = [_audit_direction(table, side, alpha=alpha / 2) for side in (rows, rows[::-1])]
    best = int(found[1][0] > found[0][0])
    bound, event, counts = found[best]
    return Audit(
        lower_bound=max(bound, 0.0),
        claimed=float(claimed),
        alpha=float(alpha),
        samples=samples,
        judged=samples - samples // 2,
        event=event,
        direction=DIRECTIONS[best],
        counts=(counts[best], counts[1 - best]),
    )


def _audit_direction(
    table: ReleaseTable, rows: tuple[np.ndarray, np.ndarray], *, alpha: float
) -> tuple[float, Event, tuple[int, int]]:
    """Bound on ln(P / Q): a quarter of the rows learns, a quarter chooses, a half judges."""
    first, second = rows
    half, quarter = len(first) // 2, len(first) // 4
    trials = len(first) - half
    event, members = choose_event(
        table,
        learn=(first[:quarter], second[:quarter]),
        choose=(first[quarter:half], second[quarter:half]),
        trials=trials,
        alpha=alpha,
    )
    counts = int(members[first[half:]].sum()), int(members[second[half:]].sum())
    return float(log_ratio_bound(*counts, trials, alpha=alpha)), event, counts


def _two(pair: Sequence[Any]) -> tuple[Any, Any]:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        got = f"{len(pair)} inputs" if isinstance(pair, (tuple, list)) else type(pair).__name__
        raise ValueError(f"pair must be two neighbouring inputs, got {got}; pass (one, other)")
    return pair[0], pair[1]


def _draw(mechanism: Any, data: Any, size: int, *, rng: np.random.Generator) -> Any:
    many = getattr(mechanism, "sample_many", None)
    if many is not None:
        outputs = many(data, size, rng=rng)
        if len(outputs) != size:
            raise ValueError(
                f"sample_many must give {size} releases, got {len(outputs)}; "
                "return one per draw, along the first axis of an array"
            )
        return outputs
    if not callable(getattr(mechanism, "sample", None)):
        raise TypeError(
            f"mechanism must have a method sample(data, *, rng), got {type(mechanism).__name__}; "
            "wrap your function into a class with that method"
        )
    return [mechanism.sample(data, rng=rng) for _ in range(size)]
