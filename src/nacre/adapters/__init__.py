"""Nacre in the words of other libraries. Each adapter needs its library only when it is imported."""
