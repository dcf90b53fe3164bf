# The public names, read by type checkers and, when one is first asked for, by `pplab/__init__.py`.

import pplab_course

from . import attacks as attacks
from . import counts as counts
from . import datasets as datasets
from . import ledger as ledger
from . import metrics as metrics
from . import microaggregation as microaggregation
from . import plots as plots
from . import recommenders as recommenders
from . import response as response
from . import scale as scale
from . import smooth as smooth
from . import theory as theory
from . import widgets as widgets
from .attacks import audit_epsilon as audit_epsilon
from .datasets import block_model as block_model
from .datasets import load_dataset as load_dataset
from .ledger import claims as claims
from .metrics import disclosure_risk as disclosure_risk
from .metrics import is_k_anonymous as is_k_anonymous
from .metrics import is_smooth_k_anonymous as is_smooth_k_anonymous
from .metrics import jaccard_similarity as jaccard_similarity
from .metrics import k_achieved as k_achieved
from .metrics import ndcg as ndcg
from .metrics import sensitive_attribute_imprecision as sensitive_attribute_imprecision
from .metrics import sensitive_attribute_risk as sensitive_attribute_risk
from .microaggregation import gaussian_noise as gaussian_noise
from .microaggregation import mdav as mdav
from .microaggregation import microaggregate as microaggregate
from .microaggregation import v_mdav as v_mdav
from .own_data import graph as graph
from .own_data import read_table as read_table
from .own_data import table as table
from .recommenders import communities as communities
from .recommenders import recommend as recommend
from .recommenders import similarity as similarity
from .recommenders import utilities as utilities
from .response import bipartite_noise_graph as bipartite_noise_graph
from .response import categorical_response as categorical_response
from .response import epsilon_to_flip as epsilon_to_flip
from .response import flip_to_epsilon as flip_to_epsilon
from .response import noise_graph as noise_graph
from .response import weighted_noise_graph as weighted_noise_graph
from .smooth import jaccard_certificate as jaccard_certificate
from .smooth import smooth_k_anonymize as smooth_k_anonymize
from .smooth import suppress_k_anonymize as suppress_k_anonymize
from .theory import exact_epsilon as exact_epsilon
from .theory import jaccard_bound as jaccard_bound

__all__: list[str]
check = pplab_course.check

__version__: str
