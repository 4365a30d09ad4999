"""Rows of background work, and of the world it watches."""
