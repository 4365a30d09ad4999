"""Reading the graph: pages, walks, traversals, profiles and reports. Nothing here changes it."""
