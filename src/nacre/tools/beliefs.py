"""Beliefs about people and things, set right by an agent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from nacre.brain import ScopedNacre
from nacre.domain import keys
from nacre.domain.audits import AGENT
from nacre.domain.claim_operations import AddClaimValue, ArchiveClaimValue, SetClaimValue
from nacre.domain.claims import Claim, Slot, normalized
from nacre.domain.commands import Operation
from nacre.domain.entities import Entity
from nacre.domain.errors import Invalid, NotFound
from nacre.domain.links import PREDICATES, Link
from nacre.domain.operations import ArchiveLink, SourceQuote, UpsertLink
from nacre.domain.scopes import user_name
from nacre.domain.turns import Role
from nacre.tools import lines

MAX_STALE = 5
NEW_ASPECT = "general"
CORRECTED = "corrected"

# Keys and predicates by which the same is said.
_SAME = tuple(
    frozenset(words.split())
    for words in (
        "lives_in city town home home_city home_town residence location lives based_at based_in place_of_residence",
        "works_at employer company workplace works_for employed_by place_of_work",
        "partner_of partner spouse husband wife boyfriend girlfriend married_to fiance",
        "reports_to boss manager supervisor",
        "role job job_title occupation profession position",
        "has_price price cost",
    )
)
_THE_USER = frozenset({"user", "the user", "me", "myself", "i"})


@dataclass(frozen=True, slots=True)
class HeldBelief:
    """One thing that is believed of an entity: a claim or a link, and what it says."""

    item: Claim | Link
    what: str
    value: str


class BeliefTools:
    """Claims and links of entities, named by words instead of ids."""

    def __init__(self, scope: ScopedNacre, actor: str = AGENT) -> None:
        self._scope, self._actor = scope, actor
        self._ontology, self._graph = scope.ontology, scope.graph

    def correct(
        self,
        entity: Annotated[str, Field(description="Whom or what it is about; `user` is the user.")],
        what: Annotated[str, Field(description="What of it, such as `favourite colour` or `lives in`.")],
        value: Annotated[str, Field(description="What is right.")],
        wrong: Annotated[str | None, Field(description="The value it replaces, where several hold.")] = None,
        said: Annotated[str | None, Field(description="The user's exact words, kept as evidence.")] = None,
    ) -> str:
        """Set right what is known of a person or thing. The old value stays in its history."""
        subject = named(self._scope, entity)
        before, evidence = [*self._held(subject, what), *self._otherwise(subject, what)], self._evidence(said)
        held, others = self._held(subject, what), self._otherwise(subject, what)
        if not held:
            held, others = others, []
        held = self._meant(held, what, value, wrong)
        orders = [_archive(each.item) for each in others if normalized(each.value) != normalized(value)]
        if not any(normalized(each.value) == normalized(value) for each in held):
            orders = [*orders, *self._change(subject, what, value, held, evidence)]
        if orders:
            self._ontology.apply(orders, actor=self._actor)
        was = [each.value for each in before if normalized(each.value) != normalized(value)]
        old = f" It was {', '.join(map(lines.short, was))}." if was else " Nothing was known of it before."
        return "\n".join([f"{lines.short(subject)}: {what} is now {lines.short(value)}.{old}", *self._stale(was)])

    def _held(self, entity: str, what: str) -> list[HeldBelief]:
        every = self._every(entity)
        exact = [each for each in every if _last(each.what) == _last(what)]
        return exact or [each for each in every if fits(each.what, what)]

    def _otherwise(self, entity: str, what: str) -> list[HeldBelief]:
        """What is believed under another word for the same: who lives in Porto has the city Porto."""
        held = {each.item.id for each in self._held(entity, what)}
        words = other_words(keys.canonical("what", what.rsplit("/", 1)[-1]))
        every = self._every(entity) if words else []
        return [each for each in every if "_".join(_last(each.what)) in words and each.item.id not in held]

    def _every(self, entity: str) -> list[HeldBelief]:
        try:
            found = self._graph.get(entity)
        except NotFound:
            return []
        links = [each for each in self._graph.links(found.id) if each.source == found.id]
        return [
            *(HeldBelief(each, str(each.slot), each.value) for each in self._ontology.claims(found.id)),
            *(HeldBelief(each, each.predicate, self._end(each)) for each in links),
        ]

    def _end(self, link: Link) -> str:
        return self._graph.get(link.target).name if link.target else link.value or ""

    def _meant(self, beliefs: Sequence[HeldBelief], what: str, value: str, wrong: str | None) -> list[HeldBelief]:
        """Which of the things that fit is to be replaced."""
        several = sorted({each.what for each in beliefs})
        if len(several) > 1:
            raise Invalid("what", f"fits several things: {', '.join(several)}; say which")
        if wrong is not None:
            meant = [each for each in beliefs if normalized(each.value) in (normalized(wrong), normalized(value))]
            if not meant:
                known = ", ".join(each.value for each in beliefs) or "nothing"
                raise Invalid("wrong", f"must be what is known of `{what}`, which is {known}")
            return meant
        others = [each.value for each in beliefs if normalized(each.value) != normalized(value)]
        if len(others) > 1:
            raise Invalid("wrong", f"is needed, because several values hold: {', '.join(others)}")
        return list(beliefs)

    def _change(
        self, entity: str, what: str, value: str, beliefs: Sequence[HeldBelief], evidence: SourceQuote | None
    ) -> list[Operation]:
        if not beliefs:
            return [self._new(entity, what, value, evidence)]
        item = beliefs[0].item
        if isinstance(item, Link):
            link = UpsertLink(
                source=entity,
                predicate=item.predicate,
                target=value if item.target else None,
                value=None if item.target else value,
                reason=CORRECTED,
                evidence=evidence,
            )
            return [ArchiveLink(link=item.id, reason=CORRECTED), link]
        slot = item.slot
        beside = [each for each in self._ontology.claims(item.entity) if each.slot == slot and each.id != item.id]
        if slot.claim is not None and not beside:
            return [_set(entity, slot, value, evidence)]
        new = AddClaimValue(
            entity=entity,
            aspect=slot.aspect,
            group=slot.group,
            claim=slot.claim,
            value=value,
            reason=CORRECTED,
            evidence=evidence,
        )
        return [ArchiveClaimValue(attribute_id=item.id, reason=CORRECTED), new]

    def _new(self, entity: str, what: str, value: str, evidence: SourceQuote | None) -> Operation:
        predicate = keys.canonical("what", what)
        if predicate in PREDICATES:
            known = self._known(value)
            return UpsertLink(
                source=entity,
                predicate=predicate,
                target=known.id if known else None,
                value=None if known else value,
                reason=CORRECTED,
                evidence=evidence,
            )
        slot = Slot.at(what) if "/" in what else Slot.of(NEW_ASPECT, None, what)
        return _set(entity, slot, value, evidence)

    def _known(self, name: str) -> Entity | None:
        try:
            return self._graph.get(name)
        except (NotFound, Invalid):
            return None

    def _evidence(self, words: str | None) -> SourceQuote | None:
        if words is None:
            return None
        return SourceQuote(source=self._scope.observe(Role.USER, words).id, quote=(0, len(words)))

    def _stale(self, was: Sequence[str]) -> list[str]:
        """The memories that still say what was wrong."""
        found = [match.memory for old in was for match in self._scope.memories.search(old, limit=MAX_STALE)]
        stale = {m.id: m for m in found if any(normalized(old) in normalized(m.content) for old in was)}
        said = [f"- [{each.short}] {lines.short(each.content)}" for each in stale.values()]
        return ["Memories that mention the old value; forget those that are wrong:", *said] if said else []


def named(scope: ScopedNacre, entity: str) -> str:
    """The name of an entity; the user's own where the user is meant."""
    return user_name(scope.scope.user) if entity.strip().casefold() in _THE_USER else entity


def _set(entity: str, slot: Slot, value: str, evidence: SourceQuote | None) -> SetClaimValue:
    return SetClaimValue(
        entity=entity,
        aspect=slot.aspect,
        group=slot.group,
        claim=slot.claim,
        value=value,
        reason=CORRECTED,
        evidence=evidence,
    )


def _archive(item: Claim | Link) -> Operation:
    if isinstance(item, Link):
        return ArchiveLink(link=item.id, reason=CORRECTED)
    return ArchiveClaimValue(attribute_id=item.id, reason=CORRECTED)


def other_words(key: str) -> frozenset[str]:
    """The other keys and predicates that say the same of somebody as a key does."""
    return next((words - {key} for words in _SAME if key in words), frozenset())


def fits(key: str, asked: str) -> bool:
    """Whether words name a claim's path or a predicate: all of them are in it."""
    return set(_words(asked)) <= set(_words(key))


def _words(text: str) -> list[str]:
    return [word for part in text.split("/") if part.strip() for word in keys.canonical("what", part).split("_")]


def _last(text: str) -> list[str]:
    return _words(text.rsplit("/", 1)[-1])
