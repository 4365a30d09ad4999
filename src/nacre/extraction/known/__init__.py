"""Word lists written by hand: given names, places, organisations, technologies, assets, jobs, everyday words."""
