"""The command line: thin commands, one renderer for people and one for programs."""
