"""Alembic scripts, one per change of the schema."""
