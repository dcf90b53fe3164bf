"""The taught part: judges of the exercises, marks for a class, a student's folder and machine.

A notebook imports ``check``, and a few things to work on, which are loaded when they are asked for.
"""

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from pplab_course.exercises import Feedback, check
    from pplab_course.nb00_find_somebody import film_club
    from pplab_course.nb05_social_recommendation import last_year
    from pplab_course.nb10_a_vote_that_decides import nine_voters
    from pplab_course.nb11_how_good_can_anybody_be import shelf_of_six
    from pplab_course.nb14_microaggregation_what_means_give_away import reading_club
    from pplab_course.nb18_reading_the_ledger import MEANINGS

__all__ = [
    "MEANINGS",
    "Feedback",
    "check",
    "film_club",
    "last_year",
    "nine_voters",
    "reading_club",
    "shelf_of_six",
]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "exercises": ["Feedback", "check"],
        "nb00_find_somebody": ["film_club"],
        "nb05_social_recommendation": ["last_year"],
        "nb10_a_vote_that_decides": ["nine_voters"],
        "nb11_how_good_can_anybody_be": ["shelf_of_six"],
        "nb14_microaggregation_what_means_give_away": ["reading_club"],
        "nb18_reading_the_ledger": ["MEANINGS"],
    },
)
