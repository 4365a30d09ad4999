"""Statements in a slot without a claim key: whether two of them say different things of one subject."""

import re

from nacre.domain.claims import Cardinality
from nacre.graph.beliefs import values
from nacre.graph.beliefs.cardinality import of_key

_COPULAS = {"is", "are", "was", "were", "costs", "weighs", "equals", "es", "son", "esta", "estan", "cuesta", "pesa"}
_DEFINITE = re.compile(r"\s*(?:the|our|my|el|la|los|las|nuestro|nuestra|mi)\s", re.IGNORECASE)


def at_odds(new: str, old: str) -> bool:
    """Whether both say what one definite thing is, and not the same: `the launch is on May 3`, `… on May 5`."""
    ours, theirs = subject(new), subject(old)
    return ours is not None and ours == theirs and is_definite(new)


def is_definite(statement: str) -> bool:
    """Whether it speaks of one definite thing."""
    return bool(_DEFINITE.match(statement)) or is_single(statement)


def is_single(statement: str) -> bool:
    """Whether its subject is something that is one thing at a time: `her favourite colour is …`."""
    about = subject(statement)
    return bool(about) and of_key("_".join(about or ())) is Cardinality.SINGLE


def subject(statement: str) -> tuple[str, ...] | None:
    """The words before the verb; None for a statement that does not say what something is."""
    keys = [token.key for token in values.tokens(statement)]
    place = next((place for place, key in enumerate(keys) if key in _COPULAS), 0)
    return tuple(keys[:place]) or None
