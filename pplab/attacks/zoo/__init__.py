"""A zoo of broken mechanisms, and right ones beside them, to test an auditor with."""

from pplab.attacks.zoo.base import Animal
from pplab.attacks.zoo.flips import (
    BothDirections,
    DesignMatrixByRows,
    EarlyExit,
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
from pplab.attacks.zoo.right import (
    BipartiteFlips,
    DegreesOfNoisyGraph,
    FairCoins,
    GeometricCount,
    LaplaceCount,
    UndirectedFlips,
    UserAtFullPrice,
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
RIGHT: tuple[Animal, ...] = (
    BipartiteFlips(),
    UndirectedFlips(),
    DegreesOfNoisyGraph(),
    FairCoins(),
    UserAtFullPrice(),
    LaplaceCount(),
    GeometricCount(),
)

__all__ = [
    "BROKEN",
    "RIGHT",
    "Animal",
    "BipartiteFlips",
    "BothDirections",
    "CountNeverBelowTruth",
    "DegreeInTheClear",
    "DegreesOfNoisyGraph",
    "DesignMatrixByRows",
    "EarlyExit",
    "FairCoins",
    "GeometricCount",
    "LaplaceCount",
    "MarkedNoise",
    "NoiseReused",
    "OnlyEdgesFlipped",
    "PaperWeighted",
    "RedrawnUntilCountFits",
    "SeedFromData",
    "SeedReusedAcrossUsers",
    "UndirectedFlips",
    "UserAtEdgePrice",
    "UserAtFullPrice",
    "WeakNoise",
]
