"""World outside: the sources of what is watched, readings, alerts and trends."""
