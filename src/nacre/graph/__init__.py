"""Entities and links: written by operations, matched, walked, resolved and merged."""
