"""Beliefs: claims and their versions, and which of two values holds."""
