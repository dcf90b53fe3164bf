"""A zoo of broken mechanisms, and a right one beside them, to try an auditor on."""

from pplab.attacks.zoo.base import Animal
from pplab.attacks.zoo.flips import (
    BothDirections,
    DesignMatrixByRows,
    EarlyExit,
    FairCoins,
    OnlyEdgesFlipped,
    RedrawnUntilCountFits,
    UserAtEdgePrice,
    WeakNoise,
)
from pplab.attacks.zoo.leaks import (
    CountNeverBelowTruth,
    DegreeInTheClear,
    MarkedNoise,
    NoiseReused,
    PaperWeighted,
    SeedFromData,
    SeedReusedAcrossUsers,
)

BROKEN: tuple[Animal, ...] = (
    WeakNoise(),
    BothDirections(),
    DegreeInTheClear(),
    SeedFromData(),
    OnlyEdgesFlipped(),
    NoiseReused(),
    SeedReusedAcrossUsers(),
    MarkedNoise(),
    PaperWeighted(),
    RedrawnUntilCountFits(),
    DesignMatrixByRows(),
    EarlyExit(),
    UserAtEdgePrice(),
    CountNeverBelowTruth(),
)

__all__ = [
    "BROKEN",
    "Animal",
    "BothDirections",
    "CountNeverBelowTruth",
    "DegreeInTheClear",
    "DesignMatrixByRows",
    "EarlyExit",
    "FairCoins",
    "MarkedNoise",
    "NoiseReused",
    "OnlyEdgesFlipped",
    "PaperWeighted",
    "RedrawnUntilCountFits",
    "SeedFromData",
    "SeedReusedAcrossUsers",
    "UserAtEdgePrice",
    "WeakNoise",
]
