"""Embedders and language models, each behind a small protocol."""
