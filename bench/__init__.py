"""Measures Nacre's recall quality and its speed through the public surface."""
