"""Observing and remembering."""
