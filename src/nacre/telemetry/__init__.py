"""Telemetry of a running process: logs, metrics and traces."""
