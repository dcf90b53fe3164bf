# The public names, read by type checkers and, when one is first asked for, by `__init__.py`.

from .exercises import Feedback as Feedback
from .exercises import check as check
from .exercises import say as say
from .nb00_find_somebody import film_club as film_club
from .nb05_social_recommendation import last_year as last_year
from .nb10_a_vote_that_decides import nine_voters as nine_voters
from .nb11_how_good_can_anybody_be import shelf_of_six as shelf_of_six
from .nb14_microaggregation_what_means_give_away import reading_club as reading_club
from .nb18_reading_the_ledger import MEANINGS as MEANINGS
from .nb19_your_own_data import film_evenings as film_evenings
