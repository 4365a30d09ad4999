"""Reads across tables, for one purpose each."""
