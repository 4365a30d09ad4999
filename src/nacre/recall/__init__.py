"""Question → index → channels → fusion → context."""
