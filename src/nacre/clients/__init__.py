"""Coding agents and assistants that Nacre installs itself into: their hooks, and their configuration."""
