"""What is watched outside: sources, readings, alerts and trends."""
