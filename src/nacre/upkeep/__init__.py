"""What keeps a memory clean over months: dreaming, in passes."""
