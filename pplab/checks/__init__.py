"""Every check of an argument, and the rule for random numbers.

One place refuses bad input, so that every refusal reads alike: one sentence that says what
was got and what to do. Conditions are written so that NaN fails them (``if not x > 0``).
"""

from pplab.checks.matrices import (
    check_no_duplicates,
    check_same_shape,
    check_square_symmetric,
    check_stored_values,
    check_structure,
)
from pplab.checks.mechanisms import (
    check_design_matrix,
    check_enumerable,
    check_few_inputs,
    check_few_outputs,
    check_law,
    check_levels,
    check_mechanisms,
    check_odds,
    check_one_level,
    check_unit_of_shape,
    check_values_among,
)
from pplab.checks.numbers import (
    as_fraction,
    as_rng,
    check_alpha,
    check_choice,
    check_epsilon,
    check_flip_probability,
    check_integer,
    check_k,
    check_listed_values,
    check_not_empty,
    check_positive,
    check_probability,
)

__all__ = [
    "as_fraction",
    "as_rng",
    "check_alpha",
    "check_choice",
    "check_design_matrix",
    "check_enumerable",
    "check_epsilon",
    "check_few_inputs",
    "check_few_outputs",
    "check_flip_probability",
    "check_integer",
    "check_k",
    "check_law",
    "check_levels",
    "check_listed_values",
    "check_mechanisms",
    "check_no_duplicates",
    "check_not_empty",
    "check_odds",
    "check_one_level",
    "check_positive",
    "check_probability",
    "check_same_shape",
    "check_square_symmetric",
    "check_stored_values",
    "check_structure",
    "check_unit_of_shape",
    "check_values_among",
]
