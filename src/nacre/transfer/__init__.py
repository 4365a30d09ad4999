"""Transfers out of a scope and into it: whole scopes, and the memories of other systems."""
