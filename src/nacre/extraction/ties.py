"""Ties: what tells two people of one name apart, such as what they are to somebody or where they are known from."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from nacre.domain.claims import Slot
from nacre.domain.entities import Entity
from nacre.domain.facts import Fact, NamedEntity, Polarity, Subject, Voice
from nacre.domain.ids import EntityId
from nacre.domain.links import PARTNER_OF
from nacre.store.base.databases import Transaction
from nacre.store.graph import claims, links
from nacre.store.tables import schema as tables
from nacre.text import names
from nacre.text.caseless_patterns import caseless
from nacre.text.personal_names import Likeness, compare
from nacre.text.relations import ANIMALS, RELATIONS, plain_relation
from nacre.text.times import any_of

KNOWN_FROM = "profile/general/known_from"
_FROM, _FAMILY, _PARTNER, _OTHER = "from", "family", "partner", "other"
_FAMILY_OF = "family_of"
_KINDS = {_FAMILY_OF: _FAMILY, PARTNER_OF: _PARTNER}
_RELATIONS = sorted(set(RELATIONS.values()))
# Who is one's own, and not another's.
_OF_ONE = frozenset({*_RELATIONS, "owns"})
_STEPS = {
    **dict.fromkeys(("brother", "sister", "sibling", "twin", "twin brother", "twin sister"), "sibling"),
    **dict.fromkeys(("mother", "father", "parent"), "parent"),
    **dict.fromkeys(("son", "daughter", "child", "kid", "baby", "boy", "girl"), "child"),
    **dict.fromkeys(("grandmother", "grandfather", "grandparent"), "grandparent"),
    **dict.fromkeys(("grandson", "granddaughter", "grandchild"), "grandchild"),
}
# Of these a person has one at a time: two people rather than one have two.
_SINGLE_LINKS = ("lives_in", "works_at", PARTNER_OF)
_SINGLE_CLAIMS = ("birthday", "origin")
_ANOTHER = r"\b(?:the other|another|a different|a second|(?:el|la) otr[oa]|otr[oa])\s+\Z"
_OTHER_ONE = re.compile(_ANOTHER, re.IGNORECASE)
# So many characters before a name are looked at.
_NEAR = 100
# Words that make a couple of two who are named together.
_COUPLE = caseless(
    r"\b(?:partners?|husbands?|hubby|wi(?:fe|fey|ves)|missus|boyfriends?|girlfriends?|bf|gf|fianc\w+|marr\w+|wed|engaged"
    r"|engagement|dat(?:e|es|ing|ed)|together|seeing|spouse|ex|anniversary|wedding|divorc\w+|relationship|proposed"
    r"|other half|honeymoon|kiss\w*|novi[oa]|marido|mujer|señora|espos[oa]|pareja|cas(?:ad[oa]s?|amos|arnos)|boda"
    r"|fella|broke up|split up|chic[oa]|romp\w+|juntos"
    r"|verheiratet|ehe(?:mann|frau)|freund(?:in)?|mari|femme|cop(?:ain|ine)|namorad[oa])\b"
)
# Right before whoever is another's: "con su mujer, Elena", "her two cats, Pip and Sooty".
_ANOTHERS = re.compile(
    r"(?i:\b(?:sus?|his|her|their|\w++(?<!\bit)(?<!\bhe)(?<!she)(?<!that)(?<!who)(?<!here)['’]s)"
    rf" (?:(?!my|our|mi)\w++ ){{0,2}}?(?:{any_of([*RELATIONS, *ANIMALS])})(?:e?s)?,?"
    r" (?:(?:called|named|llamad[oa]s?) )?)(?:[A-Z]\w++(?:,|,? and| y) )*+\Z"
)


@dataclass(frozen=True, slots=True)
class Tie:
    """What somebody is known by: what they are to `anchor`, or where people know them from."""

    kind: str
    value: str
    anchor: UUID | None = None


def said(facts: Iterable[Fact], name: str, subject: Callable[[Subject], Entity | None]) -> set[Tie]:
    """By what a text tells somebody of a name from others."""
    key, found = names.match_key(name), set()
    for fact in facts:
        if fact.polarity is not Polarity.STATED:
            continue
        if (
            fact.path == KNOWN_FROM
            and isinstance(fact.subject, NamedEntity)
            and names.match_key(fact.subject.name) == key
        ):
            found.add(Tie(_FROM, names.match_key(fact.value or "")))
        related = fact.object and fact.predicate in _RELATIONS and names.match_key(fact.object.name) == key
        if related and fact.predicate and (anchor := subject(fact.subject)):
            found.add(_related(fact.predicate, fact.detail, anchor.id))
    return found


def held(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, set[Tie]]:
    """By what the graph tells entities from others."""
    ties_by_entity: dict[UUID, set[Tie]] = defaultdict(set)
    for link in links.to_entities(tx, ids, _RELATIONS):
        if link.target:
            ties_by_entity[link.target].add(_related(link.predicate, link.properties.get("detail"), link.source))
    known_from = Slot.at(KNOWN_FROM)
    mine = (tables.attributes.c.entity_id.in_(ids), tables.attributes.c.claim_key == known_from.claim)
    for claim in claims.load(tx, *mine, claims.in_force(tx)):
        ties_by_entity[claim.entity].add(Tie(_FROM, names.match_key(claim.value)))
    return ties_by_entity


def clash(one: Collection[Tie], other: Collection[Tie]) -> bool:
    """Whether they cannot well be of one person: nobody is a brother and an uncle, or from the gym and from work."""
    return not agree(one, other) and any(_clash(a, b) for a in one for b in other)


def agree(one: Collection[Tie], other: Collection[Tie]) -> bool:
    """Whether they share a tie."""
    return any(tie in other for tie in one)


def is_another(text: str, entity: NamedEntity) -> bool:
    """Whether words before a name say that it is not the one of before: "the other Tom"."""
    return _OTHER_ONE.search(text, max(0, entity.start - _NEAR), entity.start) is not None


def differ(tx: Transaction, one: Entity, other: Entity) -> bool:
    """Whether anything that is known speaks against two entities being one person."""
    if any(compare(a, b) is Likeness.AGAINST for a in (one.name, *one.aliases) for b in (other.name, *other.aliases)):
        return True
    ids = [one.id, other.id]
    around = links.at_entities(tx, ids)
    if any({link.source, link.target} == set(ids) for link in around):
        return True
    known = {EntityId(key): set[tuple[str, str]]() for key in ids}
    for link in around:
        if link.source in known and link.predicate in _SINGLE_LINKS:
            known[link.source].add((link.predicate, str(link.target or link.value)))
    for key in ids:
        single = (claim for claim in claims.of_entity(tx, key) if claim.slot.claim in _SINGLE_CLAIMS)
        known[key] |= {(claim.slot.claim or "", names.match_key(claim.value)) for claim in single}
    ours, theirs = (dict(known[key]) for key in ids)
    ties = held(tx, ids)
    return any(theirs.get(kind, value) != value for kind, value in ours.items()) or clash(ties[one.id], ties[other.id])


def without_bystanders(
    tx: Transaction,
    facts: Sequence[Fact],
    text: str,
    subject: Callable[[Subject], Entity | None],
    called: Callable[[str], Collection[Entity]],
) -> tuple[Fact, ...]:
    """The facts without bystanders as partners, without whoever is another's, and without partners as mere family.

    Who goes dancing with somebody is no husband: words that make a couple say so, or did before.
    """
    made = _COUPLE.search(text) is not None
    told = [fact for fact in facts if not _is_anothers(text, fact)]
    told = [fact for fact in told if not _is_partner_as_family(tx, fact, subject, called)]
    return tuple(fact for fact in told if made or not _is_bystander(tx, fact, subject, called))


def _is_partner_as_family(
    tx: Transaction,
    fact: Fact,
    subject: Callable[[Subject], Entity | None],
    called: Callable[[str], Collection[Entity]],
) -> bool:
    """Whether somebody's partner is called family, and nothing says what else they are."""
    if fact.predicate != _FAMILY_OF or fact.detail or fact.polarity is not Polarity.STATED or fact.object is None:
        return False
    return not _partners(tx, subject(fact.subject)).isdisjoint(each.id for each in called(fact.object.name))


def _is_anothers(text: str, fact: Fact) -> bool:
    """Whether somebody of the one who speaks is told to be somebody else's: "with his wife, Elena"."""
    if fact.object is None or not isinstance(fact.subject, Voice) or fact.predicate not in _OF_ONE:
        return False
    return _ANOTHERS.search(text, max(0, fact.object.start - _NEAR), fact.object.start) is not None


def _is_bystander(
    tx: Transaction,
    fact: Fact,
    subject: Callable[[Subject], Entity | None],
    called: Callable[[str], Collection[Entity]],
) -> bool:
    if fact.predicate != PARTNER_OF or fact.polarity is not Polarity.STATED or fact.object is None:
        return False
    return _partners(tx, subject(fact.subject)).isdisjoint(each.id for each in called(fact.object.name))


def _partners(tx: Transaction, anchor: Entity | None) -> set[UUID | None]:
    return {link.target for link in links.from_entity(tx, anchor.id, PARTNER_OF)} if anchor else set()


def _related(predicate: str, detail: str | None, anchor: UUID) -> Tie:
    kind = _KINDS.get(predicate, _OTHER)
    relation = plain_relation(detail.casefold()) if detail and kind is _FAMILY else ""
    return Tie(kind, _STEPS.get(relation, relation), anchor)


def _clash(one: Tie, other: Tie) -> bool:
    kinds = {one.kind, other.kind}
    if _FROM in kinds:
        return one.value != other.value if kinds == {_FROM} else not kinds.isdisjoint({_FAMILY, _PARTNER})
    if one.anchor != other.anchor or _FAMILY not in kinds:
        return False
    return kinds != {_FAMILY} or ("" not in (one.value, other.value) and one.value != other.value)
