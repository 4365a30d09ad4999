"""The rules, one file per kind."""

from nacre.extraction.kinds import (
    addresses,
    assets,
    corrections,
    events,
    moves,
    organisations,
    people,
    places,
    possessions,
    preferences,
    profiles,
    projects,
    retractions,
    tools,
)
from nacre.extraction.rules import Rule

RULES: tuple[Rule, ...] = (
    *people.RULES,
    *profiles.RULES,
    *organisations.RULES,
    *projects.RULES,
    *tools.RULES,
    *places.RULES,
    *moves.RULES,
    *addresses.RULES,
    *assets.RULES,
    *events.RULES,
    *preferences.RULES,
    *possessions.RULES,
    *retractions.RULES,
    *corrections.RULES,
)
