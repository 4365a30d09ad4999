"""Rows of entities, links, claims, and of what waits for a decision about them."""
