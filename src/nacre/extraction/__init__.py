"""Text to facts by rules: no language model, no I/O, nothing stored."""
