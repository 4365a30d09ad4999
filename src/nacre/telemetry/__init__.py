"""What operators see of a running process: logs, metrics and traces."""
