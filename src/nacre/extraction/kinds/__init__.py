"""The rules, one file per kind."""

from nacre.extraction.kinds import (
    addresses,
    assets,
    corrections,
    departures,
    disposals,
    events,
    moves,
    organisations,
    people,
    places,
    possessions,
    preferences,
    prices,
    profiles,
    projects,
    retractions,
    separations,
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
    *prices.RULES,
    *events.RULES,
    *preferences.RULES,
    *possessions.RULES,
    *retractions.RULES,
    *departures.RULES,
    *separations.RULES,
    *disposals.RULES,
    *corrections.RULES,
)
