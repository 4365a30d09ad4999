"""The background server of one user and one store: its address, how it is called, and how it answers."""
