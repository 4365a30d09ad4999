"""Upkeep keeps a memory clean over months: dreaming in passes, and the doctor."""
