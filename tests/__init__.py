"""Tests of pplab; the folders mirror those of the package."""
