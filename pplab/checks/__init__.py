"""Every check of an argument, and the rule for random numbers.

One place refuses bad input, so that every refusal reads alike: one sentence that says what
was got and what to do. Conditions are written so that NaN fails them (``if not x > 0``).
"""

from pplab.checks.attacks import check_finite_numbers, check_labels
from pplab.checks.comparison import check_compared, check_full, check_some_rated
from pplab.checks.matrices import check_same_shape, check_stored_values
from pplab.checks.mechanisms import (
    check_levels,
    check_odds,
    check_unit_of_shape,
    check_values_among,
)
from pplab.checks.numbers import (
    as_fraction,
    as_rng,
    check_alpha,
    check_choice,
    check_epsilon,
    check_flag,
    check_flip_probability,
    check_integer,
    check_k,
    check_not_empty,
    check_positive,
    check_probability,
    check_settings,
)
from pplab.checks.partitions import check_installed, check_partition
from pplab.checks.points import as_points
from pplab.checks.ratings import (
    check_dense_room,
    check_few_points,
    check_items,
    check_line,
    check_not_negative,
    check_rated,
    check_rating_range,
    check_squares,
    check_table_values,
    check_whole_ratings,
)
from pplab.checks.recommendations import (
    check_noise_scale,
    check_preferences,
    check_top_n,
    check_users,
)

__all__ = [
    "as_fraction",
    "as_points",
    "as_rng",
    "check_alpha",
    "check_choice",
    "check_compared",
    "check_dense_room",
    "check_epsilon",
    "check_few_points",
    "check_finite_numbers",
    "check_flag",
    "check_flip_probability",
    "check_full",
    "check_installed",
    "check_integer",
    "check_items",
    "check_k",
    "check_labels",
    "check_levels",
    "check_line",
    "check_noise_scale",
    "check_not_empty",
    "check_not_negative",
    "check_odds",
    "check_partition",
    "check_positive",
    "check_preferences",
    "check_probability",
    "check_rated",
    "check_rating_range",
    "check_same_shape",
    "check_settings",
    "check_some_rated",
    "check_squares",
    "check_stored_values",
    "check_table_values",
    "check_top_n",
    "check_unit_of_shape",
    "check_users",
    "check_values_among",
    "check_whole_ratings",
]
