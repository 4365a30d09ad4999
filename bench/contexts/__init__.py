"""Contexts: what `context` puts in front of a model, measured line by line."""
