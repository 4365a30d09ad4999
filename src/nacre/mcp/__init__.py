"""Nacre for agents that speak the Model Context Protocol: tools, resources and prompts, over stdio and HTTP."""
