"""An entity and what leads to and from it."""

from dataclasses import dataclass

from nacre.domain.entities import Entity
from nacre.domain.links import Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """An entity and the links at it, in both directions, the newest first, as they were at one moment."""

    entity: Entity
    links: tuple[Link, ...] = ()
