"""The reader: its labelled conversations, its training and its export. README.md one folder up has the figures."""
