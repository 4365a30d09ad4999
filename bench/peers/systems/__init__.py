"""One system a file. Each is run as a program in its own environment and imports nothing that is not there."""
