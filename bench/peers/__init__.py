"""Nacre beside other memories: the same turns and questions, each system in an environment and a process of its own."""
