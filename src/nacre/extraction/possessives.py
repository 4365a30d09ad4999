"""Names as a reader marks them, brought to the form in which they are kept: "my sister ana" is Ana."""

import re
from dataclasses import replace

from nacre.domain.entities import EntityType
from nacre.domain.facts import ExtractedFacts, Fact, NamedEntity, Voice
from nacre.extraction import paths
from nacre.extraction.vocabulary import ANIMALS, RELATIONS, plain_relation

_REL = "|".join(re.escape(word) for word in sorted((*RELATIONS, *ANIMALS), key=len, reverse=True))
_OWN = re.compile(
    rf"(?:my|our|mi|nuestr[oa])\s+(?:[\w-]+\s+){{0,2}}?(?P<rel>{_REL})(?:,?\s+(?P<name>\S.*))?", re.IGNORECASE
)
_CAPITAL_TYPES = (EntityType.PERSON, EntityType.LOCATION, EntityType.PLACE)
_SMALL = re.compile(r"(?<![\w'’])(?!(?:de|la|del|van|von|der|da|di|of|the|y)\b)[^\W\d_]")


def plain(extracted: ExtractedFacts, voice: Voice) -> ExtractedFacts:
    """What was found, with every name as it is kept; who has no name is spoken of as the speaker's."""
    kept = tuple(plain_name for named in extracted.names if (plain_name := _plain(named)))
    facts = tuple(plain_fact for fact in extracted.facts if (plain_fact := _plain_fact(fact, voice)))
    return (
        extracted
        if (kept, facts) == (extracted.names, extracted.facts)
        else replace(extracted, names=kept, facts=facts)
    )


def _plain(named: NamedEntity) -> NamedEntity | None:
    """The name without the words around it; None where nothing is left."""
    own = _OWN.fullmatch(named.name.strip())
    name = own["name"] if own else named.name
    if name is None:
        return None
    start = named.end - len(name) if own else named.start
    if name.islower() and named.type in _CAPITAL_TYPES:
        name = _SMALL.sub(lambda letter: letter[0].upper(), name)
    return named if name == named.name else replace(named, name=name, start=max(start, named.start))


def _plain_fact(fact: Fact, voice: Voice) -> Fact | None:
    if fact.object and not (thing := _plain(fact.object)):
        return None
    if fact.object and thing is not fact.object:
        fact = replace(fact, object=thing)
    if not isinstance(fact.subject, NamedEntity):
        return fact
    if who := _plain(fact.subject):
        return fact if who is fact.subject else replace(fact, subject=who)
    # Somebody without a name is no entity; what is said of them is a claim about the speaker.
    own = _OWN.fullmatch(fact.subject.name.strip())
    relation = paths.snake(plain_relation(own["rel"].casefold())) if own else ""
    about = (fact.path or fact.predicate or "").rpartition("/")[2]
    value = fact.value or (fact.object.name if fact.object else None)
    path = f"relations/{relation}/{about}"
    return replace(fact, subject=voice, path=path, value=value, predicate=None, object=None, instead_of=None)
