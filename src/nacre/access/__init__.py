"""Who may come in: tokens, and how often they may be used."""
