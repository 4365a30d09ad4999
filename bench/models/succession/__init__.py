"""Training of the succession model: which words of an older turn a newer one makes outdated."""
