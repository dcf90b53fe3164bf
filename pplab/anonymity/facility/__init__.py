"""Metric uncapacitated facility location on dense costs: exact, bounded, approximated."""

from pplab.anonymity.facility.bound import FacilityBound, facility_bound
from pplab.anonymity.facility.comparison import random_instance
from pplab.anonymity.facility.exact import exact_facilities
from pplab.anonymity.facility.greedy import greedy_facilities
from pplab.anonymity.facility.li import LiAlgorithm
from pplab.anonymity.facility.plan import FacilityPlan, nearest_plan

__all__ = [
    "FacilityBound",
    "FacilityPlan",
    "LiAlgorithm",
    "exact_facilities",
    "facility_bound",
    "greedy_facilities",
    "nearest_plan",
    "random_instance",
]
