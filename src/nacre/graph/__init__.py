"""The graph: entities and links, what is believed of them, the one path of every change, and how it is read."""
