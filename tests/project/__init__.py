"""Tests of the project itself: its files, its commands and its house rules."""
