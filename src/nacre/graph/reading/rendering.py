"""The graph as an agent reads it: names, never ids."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from uuid import UUID

from nacre.domain.entities import Entity, EntityType
from nacre.domain.graph_reports import ReachedNode
from nacre.domain.links import Link, Taste
from nacre.text.budget import fit

CONNECTIONS_HEADER = "Related knowledge graph connections:"
PROFILE_HEADER = "[KNOWLEDGE GRAPH]"
ARROW = " → "
SHOWN_PROPERTIES = 3
MAX_PROFILE_TOKENS = 40
WORDY = 120

PREFERENCES, DISLIKES, OTHERS = "Preferences", "Dislikes", "Other"
_GROUPS: tuple[tuple[str, frozenset[EntityType]], ...] = (
    ("People", frozenset({EntityType.PERSON})),
    ("Assets", frozenset({EntityType.ASSET})),
    (PREFERENCES, frozenset({EntityType.PREFERENCE})),
    # No kind of its own: links tell which preferences are dislikes.
    (DISLIKES, frozenset()),
    ("Organizations", frozenset({EntityType.ORGANIZATION})),
    ("Projects", frozenset({EntityType.PROJECT, EntityType.PRODUCT, EntityType.TASK})),
    ("Places", frozenset({EntityType.PLACE, EntityType.LOCATION})),
    ("Tools", frozenset({EntityType.TOOL, EntityType.TECHNOLOGY, EntityType.SYSTEM, EntityType.SKILL})),
    ("Events", frozenset({EntityType.EVENT, EntityType.TIME})),
)
_GROUP_OF = {kind: label for label, kinds in _GROUPS for kind in kinds}


def connection_lines(links: Iterable[Link], names: Mapping[UUID, str]) -> list[str]:
    """Links as `- Alice --works_on--> RockBot (confidence=0.90)`."""
    return [f"- {_edge(link, names)} (confidence={link.confidence:.2f})" for link in links]


def edge_lines(links: Iterable[Link], names: Mapping[UUID, str]) -> list[str]:
    """Links as `Alice --works_on--> RockBot`."""
    return [_edge(link, names) for link in links]


def profile_lines(entities: Sequence[Entity], tastes: Mapping[UUID, Taste]) -> list[str]:
    """Entities grouped by kind, as `People: John (colleague, DevOps), Maria (friend, developer)`."""
    groups: dict[str, list[str]] = {label: [] for label in (*dict(_GROUPS), OTHERS)}
    for entity in entities:
        for label, people in _places(entity, tastes.get(entity.id)):
            groups[label].append(_profiled(entity, people))
    return [f"{label}: {', '.join(group)}" for label, group in groups.items() if group]


def _places(entity: Entity, taste: Taste | None) -> list[tuple[str, Sequence[str]]]:
    """The groups that an entity stands in, and whom to name there: who likes what others dislike."""
    if taste is None:
        return [(_GROUP_OF.get(entity.type, OTHERS), ())]
    if taste.likers and taste.dislikers:
        return [(PREFERENCES, taste.likers), (DISLIKES, taste.dislikers)]
    return [(PREFERENCES, ())] if taste.likers else [(DISLIKES, ())] if taste.dislikers else []


def chains(start: str, nodes: Sequence[ReachedNode], names: Mapping[UUID, str]) -> list[str]:
    """Ways through the graph as `BTC → price_data → last_updated`; a predicate walked backwards begins with `~`."""
    via = {node.entity_id: node.via for node in nodes}
    return [
        ARROW.join([start, *(part for step in node.path[1:] for part in (via[step], names.get(step, "?")))])
        for node in nodes
    ]


def entity_line(entity: Entity, taste: Taste | None) -> str:
    """An entity as `[person] John — a colleague`; of what is disliked, by whom."""
    said = [str(taste)] if taste and str(taste) else []
    said += [entity.description] if entity.description else []
    return f"[{entity.type.value}] {one_line(' — '.join([entity.name, *said]))}"


def one_line(text: str) -> str:
    """A text that cannot begin a line of its own."""
    return " ".join(text.split())


def _edge(link: Link, names: Mapping[UUID, str]) -> str:
    end = names.get(link.target, "?") if link.target else link.value or ""
    return f"{one_line(names.get(link.source, '?'))} --{link.predicate}--> {one_line(end)}"


def is_news(entity: Entity, told_ids: Collection[UUID]) -> bool:
    """Whether a profile says more of an entity than its name: what it is like or, unless told of, of what kind."""
    return bool(_said(entity)) or (entity.type in _GROUP_OF and entity.id not in told_ids)


def _profiled(entity: Entity, people: Sequence[str]) -> str:
    said = ", ".join(filter(None, (*map(one_line, people), _said(entity))))
    # One wordy entity must not keep all others out. Few are, and counting takes its time.
    inside = fit(said, MAX_PROFILE_TOKENS) if len(said) > WORDY else said
    return f"{one_line(entity.name)} ({inside})" if inside else one_line(entity.name)


def _said(entity: Entity) -> str:
    said = [entity.description] if entity.description else list(entity.properties.values())[:SHOWN_PROPERTIES]
    return ", ".join(one_line(each) for each in said if each)
