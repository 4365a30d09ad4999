"""All that is known of one entity, within a budget of tokens."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from nacre.domain.claims import Claim, ClaimKind
from nacre.domain.entities import Entity
from nacre.domain.links import Link
from nacre.domain.scopes import Scope
from nacre.domain.traversals import EntityExpansion, Excerpt, ExpandedAspect, ExpandedDependency, Focus, TraversalConfig
from nacre.graph.reading import profiles, traversal
from nacre.graph.reading.evidence import EvidenceHomes
from nacre.store.base.databases import Transaction
from nacre.store.evidence import memories, turns
from nacre.store.graph import claims, links
from nacre.store.reads import traversals
from nacre.text.budget import count_tokens

MAX_ASPECTS = 20
MAX_DEPENDENCIES = 50
MAX_EVIDENCE = 100
# What is believed may take so much of the budget; the rest is for what was said.
BELIEFS = 2 / 3

Shown = TypeVar("Shown")


@dataclass(slots=True)
class _Budget:
    left: float

    def fitting(self, shown: Iterable[Shown], text: Callable[[Shown], str]) -> tuple[Shown, ...]:
        """Those that fit, each whole."""
        kept = []
        for each in shown:
            cost = count_tokens(text(each))
            if cost <= self.left:
                self.left -= cost
                kept.append(each)
        return tuple(kept)


def expand(tx: Transaction, scope: Scope, entity: Entity, aspect: str | None, max_tokens: int) -> EntityExpansion:
    """An entity's constraints, aspects, links and evidence, as much as fits, the weightier and stronger first."""
    config = TraversalConfig(
        scope=scope, max_dependency_hops=0, max_traversal_paths=MAX_EVIDENCE, aspect_filter=aspect, timeout_ms=5_000
    )
    found = traversal.traverse(tx, Focus(entity_ids=(entity.id,), source="given"), config)
    beliefs = _Budget(max_tokens * BELIEFS)
    constraints = beliefs.fitting(found.constraints, lambda claim: claim.value)
    aspects = _aspects(tx, entity, config.aspect_filter, beliefs)
    dependencies = beliefs.fitting(_dependencies(tx, entity), lambda each: f"{each.type} {each.target}")
    evidence = _Budget(max_tokens * (1 - BELIEFS) + beliefs.left)
    places = EvidenceHomes.of(tx, scope)
    known, said = memories.by_id(places.memories, found.memory_ids), turns.by_id(places.turns, found.turn_ids)
    told = [Excerpt(id=key, content=known[key].content) for key in found.memory_ids]
    heard = [Excerpt(id=key, content=said[key].turn.text) for key in found.turn_ids]
    return EntityExpansion(
        entity=entity,
        constraints=constraints,
        aspects=aspects,
        dependencies=dependencies,
        memory_count=len(told),
        memories=evidence.fitting(told, lambda each: each.content),
        turn_count=len(heard),
        turns=evidence.fitting(heard, lambda each: each.content),
    )


def _aspects(tx: Transaction, entity: Entity, key: str | None, budget: _Budget) -> tuple[ExpandedAspect, ...]:
    top = traversals.top_aspects(tx, [entity.id], MAX_ASPECTS, key)
    believed = [claim for claim in claims.of_entity(tx, entity.id) if claim.kind is ClaimKind.ATTRIBUTE]
    return tuple(
        ExpandedAspect(
            name=aspect.name,
            weight=aspect.weight,
            attributes=budget.fitting(
                _by_importance([claim for claim in believed if claim.aspect == aspect.id]), lambda claim: claim.value
            ),
        )
        for aspect in top
    )


def _by_importance(current: Sequence[Claim]) -> list[Claim]:
    return sorted(current, key=lambda claim: -claim.importance)


def _dependencies(tx: Transaction, entity: Entity) -> list[ExpandedDependency]:
    """The links to and from other entities in force, the strongest first."""
    edges = traversals.edges_of(tx, entity.id, 0.0, MAX_DEPENDENCIES)
    known = links.by_id(tx, [edge.id for edge in edges])
    names = profiles.names_of(tx, known.values())
    return [_dependency(known[edge.id], entity, names[edge.other], edge.strength) for edge in edges]


def _dependency(link: Link, entity: Entity, name: str, strength: float) -> ExpandedDependency:
    return ExpandedDependency(target=name, type=link.predicate, strength=strength, incoming=link.target == entity.id)
