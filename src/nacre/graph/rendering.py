"""The graph as an agent reads it: names, never ids."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from uuid import UUID

from nacre.domain.entities import Entity, EntityType
from nacre.domain.links import Link
from nacre.graph.walks import Reached
from nacre.text.budget import fit

CONNECTIONS_HEADER = "Related knowledge graph connections:"
PROFILE_HEADER = "[KNOWLEDGE GRAPH]"
ARROW = " → "
SHOWN_PROPERTIES = 3
MAX_PROFILE_TOKENS = 40
WORDY = 120

_GROUPS: tuple[tuple[str, frozenset[EntityType]], ...] = (
    ("People", frozenset({EntityType.PERSON})),
    ("Assets", frozenset({EntityType.ASSET})),
    ("Preferences", frozenset({EntityType.PREFERENCE})),
    ("Organizations", frozenset({EntityType.ORGANIZATION})),
    ("Projects", frozenset({EntityType.PROJECT, EntityType.PRODUCT, EntityType.TASK})),
    ("Places", frozenset({EntityType.PLACE, EntityType.LOCATION})),
    ("Tools", frozenset({EntityType.TOOL, EntityType.TECHNOLOGY, EntityType.SYSTEM, EntityType.SKILL})),
    ("Events", frozenset({EntityType.EVENT, EntityType.TIME})),
)
OTHERS = "Other"
_GROUPED = frozenset().union(*(types for _, types in _GROUPS))


def connection_lines(links: Iterable[Link], names: Mapping[UUID, str]) -> list[str]:
    """Links as `- Alice --works_on--> RockBot (confidence=0.90)`."""
    return [f"- {_edge(link, names)} (confidence={link.confidence:.2f})" for link in links]


def edge_lines(links: Iterable[Link], names: Mapping[UUID, str]) -> list[str]:
    """Links as `Alice --works_on--> RockBot`."""
    return [_edge(link, names) for link in links]


def profile_lines(entities: Sequence[Entity]) -> list[str]:
    """Entities grouped by kind, as `People: John (colleague, DevOps), Maria (friend, developer)`."""
    grouped = [(label, [each for each in entities if each.type in types]) for label, types in _GROUPS]
    grouped.append((OTHERS, [each for each in entities if each.type not in _GROUPED]))
    return [f"{label}: {', '.join(map(_profiled, group))}" for label, group in grouped if group]


def chains(start: str, nodes: Sequence[Reached], names: Mapping[UUID, str]) -> list[str]:
    """Ways through the graph as `BTC → price_data → last_updated`; a predicate walked backwards begins with `~`."""
    via = {node.entity_id: node.via for node in nodes}
    return [
        ARROW.join([start, *(part for step in node.path[1:] for part in (via[step], names.get(step, "?")))])
        for node in nodes
    ]


def one_line(text: str) -> str:
    """A text that cannot begin a line of its own."""
    return " ".join(text.split())


def _edge(link: Link, names: Mapping[UUID, str]) -> str:
    end = names.get(link.target, "?") if link.target else link.value or ""
    return f"{one_line(names.get(link.source, '?'))} --{link.predicate}--> {one_line(end)}"


def is_news(entity: Entity, told: Collection[UUID]) -> bool:
    """Whether a profile says more of an entity than its name: what it is like or, unless told of, of what kind."""
    return bool(_said(entity)) or (entity.type in _GROUPED and entity.id not in told)


def _profiled(entity: Entity) -> str:
    said = _said(entity)
    # One wordy entity must not keep all others out. Few are, and counting takes its time.
    inside = fit(said, MAX_PROFILE_TOKENS) if len(said) > WORDY else said
    return f"{one_line(entity.name)} ({inside})" if inside else one_line(entity.name)


def _said(entity: Entity) -> str:
    said = [entity.description] if entity.description else list(entity.properties.values())[:SHOWN_PROPERTIES]
    return ", ".join(one_line(each) for each in said if each)
