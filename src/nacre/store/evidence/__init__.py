"""Rows of what was said and remembered, and of what recall searches."""
