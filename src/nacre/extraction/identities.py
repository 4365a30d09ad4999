"""Identities: which names in a text mean one person, and which of several people of one name is meant."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nacre.domain.entities import Entity, EntityType
from nacre.domain.facts import ExtractedFacts, Fact, NamedEntity, Polarity, Voice
from nacre.extraction import ties
from nacre.extraction.name_directories import NameDirectory
from nacre.graph.beliefs import markers
from nacre.store.graph import entities, links
from nacre.text import names, similarity
from nacre.text.personal_names import Likeness, compare, parse

# Claims that give somebody another name, and those of them that may be any.
OWN_NAMES = {f"profile/general/{claim}" for claim in ("name", "nickname", "first_name", "full_name")}
_NICKNAME = "profile/general/nickname"
# An introduction that is surer than this holds though it is not the first.
_EXPLICIT = 0.9
# A name that is typed wrongly is still the other speaker's.
_MISSPELT = 0.9
# So many doubts about one name are queued.
_MAX_DOUBTS = 3
_AND = r"(?:and|or|y|e|o|u|und|vs\.?)\s"
_BETWEEN = re.compile(rf"\s*+(?:[&/]|,(?:\s++{_AND})?|(?<=\s){_AND})\s*+", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?\n](?=\s|\Z)")
_LONGEST_SENTENCE = 4_000
_STATES = ("lives_in", "works_at")

# Names as they are looked for, by the key under which they are kept.
WantedNames = Mapping[tuple[str, EntityType], object]


@dataclass(frozen=True, slots=True)
class Relatives:
    """Whom a new name means: somebody who is known by another, or perhaps one of some."""

    same: Entity | None = None
    perhaps: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class Introduction:
    """A fact by which somebody gives a name of their own."""

    fact: Fact
    name: str

    @property
    def key(self) -> str:
        return names.match_key(self.name)


@dataclass(frozen=True, slots=True)
class Identities:
    """The people whom one text speaks of; `company` are the others who spoke in its session before."""

    people: NameDirectory
    text: str
    found: ExtractedFacts
    speaker: str | None
    company: Sequence[str] = ()

    def choose(self, wanted_names: WantedNames) -> None:
        """Settle which of those of one name are meant, where the text says more than the name."""
        for name in dict.fromkeys(name for name, kind in wanted_names if kind is EntityType.PERSON):
            called = self.people.people_called(name)
            said = self._ties(name) if called else set()
            another = any(self._is_another(name)) if called else False
            if not said and not another:
                continue
            held = ties.held(self.people.tx, [each.id for each in called])
            agreeing = [each for each in called if ties.agree(said, held[each.id])]
            fitting = [each for each in called if not ties.clash(said, held[each.id])]
            meant = agreeing or (called[1:] if another else fitting)
            key = names.match_key(name)
            if meant:
                self.people.meant[key] = meant[0]
            else:
                self.people.strangers.add(key)

    def relatives(self, name: str, kind: EntityType) -> Relatives:
        """Who a name that nobody goes by may mean."""
        if kind not in (EntityType.PERSON, EntityType.UNKNOWN) or names.match_key(name) in self.people.strangers:
            return Relatives()
        alike = self.people.people_like(name)
        same = [each for each in alike[Likeness.SAME] if not self._is_apart(name, each)]
        if kind is EntityType.UNKNOWN:
            return Relatives(same[0]) if len(same) == 1 and _is_surname(name, same[0]) else Relatives()
        if len(same) == 1 and not self._contradicts(name, same[0]):
            return Relatives(same[0])
        maybe = [each for each in alike[Likeness.MAYBE] if not self._is_apart(name, each)]
        return Relatives(perhaps=tuple([*same, *maybe][:_MAX_DOUBTS]))

    def introductions(self, least_sure: float) -> list[Introduction]:
        """The names that people give themselves or others."""
        return [
            Introduction(fact, fact.value)
            for fact in self.found.facts
            if fact.path in OWN_NAMES
            and fact.polarity is Polarity.STATED
            and fact.confidence >= least_sure
            and fact.value
            and parse(fact.value)
        ]

    def accepts(self, subject: Entity, introduction: Introduction) -> bool:
        """Whether somebody may go by a name of their own: what was only gathered from "I'm" must fit the others."""
        fact = introduction.fact
        if fact.path == _NICKNAME or fact.confidence >= _EXPLICIT:
            return True
        # What an application calls its user is no name that somebody gave.
        own = () if fact.subject is Voice.USER else (subject.name,)
        others = [each for each in (*own, *subject.aliases) if parse(each)]
        return not others or any(compare(introduction.name, each) >= Likeness.MAYBE for each in others)

    def vocatives(self) -> Iterator[tuple[str, str]]:
        """Names by which the only other speaker is addressed, each with what that speaker is called."""
        if len(self.company) != 1:
            return
        companion = self.company[0]
        held = self.people.people_called(companion)
        known = [companion, *((held[0].name, *held[0].aliases) if held else ())]
        own = names.match_key(self.speaker or "")
        for named in self.found.names:
            key = names.match_key(named.name)
            if named.addressed and key not in (own, names.match_key(companion)) and _may_call(named.name, known):
                yield named.name, companion

    def _ties(self, name: str) -> set[ties.Tie]:
        return ties.said(self.found.facts, name, lambda subject: self.people.subject(subject, self.speaker))

    def _is_another(self, name: str) -> Iterator[bool]:
        return (ties.is_another(self.text, each) for each in self._places([name]))

    def _places(self, called: Collection[str]) -> list[NamedEntity]:
        keys = {names.match_key(name) for name in called}
        return [named for named in self.found.names if names.match_key(named.name) in keys]

    def _is_apart(self, name: str, entity: Entity) -> bool:
        """Whether the text itself has both: side by side, or as two who speak with each other."""
        known = {names.match_key(each) for each in (entity.name, *entity.aliases)}
        speaks = self.speaker and names.match_key(self.speaker) == names.match_key(name)
        if speaks and not known.isdisjoint(map(names.match_key, self.company)):
            return True
        ours, theirs = self._places([name]), self._places([entity.name, *entity.aliases])
        return any(_is_beside(self.text, one, other) for one in ours for other in theirs)

    def _contradicts(self, name: str, entity: Entity) -> bool:
        """Whether what the text says of a name differs from what is known of somebody."""
        tx, key = self.people.tx, names.match_key(name)
        said = self._ties(name)
        if said and ties.clash(said, ties.held(tx, [entity.id])[entity.id]):
            return True
        plain = {
            fact.predicate: fact.object
            for fact in self.found.facts
            if isinstance(fact.subject, NamedEntity)
            and names.match_key(fact.subject.name) == key
            and fact.predicate in _STATES
            and fact.polarity is Polarity.STATED
            # Who moves is still who they were.
            and not (fact.valid_from or fact.correction or self._speaks_of_change(fact))
        }
        held = [link for link in links.at_entities(tx, [entity.id]) if link.source == entity.id] if plain else []
        ends = entities.by_id(tx, [link.target for link in held if link.target and link.predicate in plain])
        return any(
            names.match_key(said_end.name) not in map(names.match_key, (end.name, *end.aliases))
            for link in held
            if (said_end := plain.get(link.predicate)) and link.target and (end := ends.get(link.target))
        )

    def _speaks_of_change(self, fact: Fact) -> bool:
        start, end = fact.quote
        # Not the whole of a long text, for each of its facts.
        earliest = max(0, start - _LONGEST_SENTENCE)
        ends = (found.end() for found in _SENTENCE_END.finditer(self.text, earliest, start + 1))
        begin = max((each for each in ends if each <= start), default=earliest)
        last = _SENTENCE_END.search(self.text, end - 1)
        tone = markers.tone(self.text[begin : last.end() if last else len(self.text)])
        return tone.changed or tone.corrected


def _is_beside(text: str, one: NamedEntity, other: NamedEntity) -> bool:
    first, second = sorted((one, other), key=lambda each: each.start)
    return first.end <= second.start and _BETWEEN.fullmatch(text, first.end, second.start) is not None


def _is_surname(name: str, entity: Entity) -> bool:
    lone = parse(name)
    known = [parse(each) for each in (entity.name, *entity.aliases)]
    return lone is not None and lone.is_lone and any(each and lone.given in each.surnames for each in known)


def _may_call(name: str, known_names: Sequence[str]) -> bool:
    """Whether somebody known by some names may be addressed so; a label that is no name may stand for anybody."""
    personal = [each for each in known_names if parse(each)]
    if not personal:
        return parse(name) is not None
    return any(
        compare(name, each) >= Likeness.MAYBE or similarity.name_similarity(name, each) >= _MISSPELT
        for each in personal
    )
