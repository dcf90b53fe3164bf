"""Metric uncapacitated facility location on dense costs: exact, bounded, approximated."""

from pplab.anonymity.facility.bound import FacilityBound, facility_bound
from pplab.anonymity.facility.comparison import cost_ratios, random_instance
from pplab.anonymity.facility.exact import exact_facilities
from pplab.anonymity.facility.greedy import greedy_facilities
from pplab.anonymity.facility.li import LiAlgorithm, li_facilities
from pplab.anonymity.facility.meyerson import meyerson_facilities
from pplab.anonymity.facility.plan import FacilityPlan, nearest_plan

__all__ = [
    "FacilityBound",
    "FacilityPlan",
    "LiAlgorithm",
    "cost_ratios",
    "exact_facilities",
    "facility_bound",
    "greedy_facilities",
    "li_facilities",
    "meyerson_facilities",
    "nearest_plan",
    "random_instance",
]
