"""The doctor: checks of a brain, and repairs of what is safe to repair."""
