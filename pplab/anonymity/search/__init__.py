"""Groups of rows for anonymity, searched for: built, then improved step by step."""
