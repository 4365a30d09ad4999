"""What goes out of a scope and comes in: whole scopes, and what other systems remember."""
