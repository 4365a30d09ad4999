"""Tests of Nacre inside other programs."""
