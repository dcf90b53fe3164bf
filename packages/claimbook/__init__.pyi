from .command import Command as Command
from .part import Part as Part
from .results import Result as Result
from .rules import Claim as Claim
from .verdicts import VERDICTS as VERDICTS
from .verdicts import Judgement as Judgement
