"""Checks, backups, purges and rebuilds."""
