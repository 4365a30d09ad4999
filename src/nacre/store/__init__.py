"""The only door to a database."""
