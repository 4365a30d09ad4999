"""Names that the graph knows, and their types: found where capitals do not tell them."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from nacre.domain.entities import Entity, EntityType
from nacre.domain.facts import ExtractedFacts, Fact, NamedEntity
from nacre.extraction.gazetteers import common_words, gazetteer, given_names
from nacre.extraction.pipeline import ExtractedText
from nacre.extraction.rule_extraction import extract
from nacre.store.base.databases import Transaction
from nacre.store.graph import entities
from nacre.text.caseless_patterns import caseless
from nacre.text.names import is_matched, match_key
from nacre.text.stopwords import STOPWORDS
from nacre.text.words import words

# Longer texts are no talk; what is known of them is what capitals tell.
MAX_TEXT = 2_000
_LONGEST = 3
# What has a name of its own. Likings and topics are everyday words.
_NAMED = {
    EntityType.PERSON,
    EntityType.ORGANIZATION,
    EntityType.LOCATION,
    EntityType.PLACE,
    EntityType.PROJECT,
    EntityType.PRODUCT,
}
_EVERYDAY = STOPWORDS["en"] | STOPWORDS["es"]


def possible_keys(text: str) -> set[str]:
    """The keys of all that may be a name in a text; none in a long one."""
    return set(_keys(words(text))) if len(text) <= MAX_TEXT else set()


def recognise(tx: Transaction, heard: ExtractedText, role: str | None, keys: Collection[str]) -> ExtractedText:
    """What was heard, with the names that the graph knows besides and what is said of them.

    `keys` are the possible ones of the text, without those that the graph does not have.
    """
    known = _missed(tx, heard.text, heard.found.names, keys) if keys else {}
    if not known:
        return heard
    again = extract(heard.text, speaker=heard.speaker, role=role, at=heard.at, known_names=known)
    return replace(heard, found=_with(heard.found, again, set(known)))


def _missed(
    tx: Transaction, text: str, names: Sequence[NamedEntity], keys: Collection[str]
) -> dict[str, tuple[str, EntityType]]:
    taken = {match_key(named.name) for named in names} | {match_key(text[each.start : each.end]) for each in names}
    wanted = sorted(set(keys) - taken)
    held = entities.by_keys(tx, wanted) if wanted else []
    owners = entities.by_id(tx, {each.entity_id for each in held}) if held else {}
    names_by_key: dict[str, tuple[str, EntityType]] = {}
    # The most mentioned comes first.
    for each in held:
        owner = owners[each.entity_id]
        if each.key not in names_by_key and _is_told(text, each.key, owner):
            names_by_key[each.key] = (owner.name if match_key(owner.name) == each.key else each.name, owner.type)
    return names_by_key


def _keys(words: Sequence[str]) -> Iterator[str]:
    """The words and short runs of words that may be a name."""
    for start in range(len(words)):
        for end in range(start + 1, min(start + _LONGEST, len(words)) + 1):
            run = words[start:end]
            if run[0] not in _EVERYDAY and run[-1] not in _EVERYDAY and is_matched(" ".join(run)):
                yield " ".join(run)


def _is_told(text: str, key: str, owner: Entity) -> bool:
    """Whether words of a text are the name of an entity, and not words that anybody uses."""
    given = given_names().get(key)
    listed = gazetteer().entries.get(owner.name)
    if key in common_words() or (given and given[1]) or (listed and listed.ambiguous):
        return False
    if not any(letter.isupper() for letter in owner.name) and owner.type is not EntityType.PERSON:
        return False
    capital = re.search(rf"(?<!\w){re.escape(owner.name)}(?!\w)", text) is not None
    return owner.type in _NAMED or (owner.type is EntityType.UNKNOWN and capital)


def _with(extracted: ExtractedFacts, again: ExtractedFacts, keys: Collection[str]) -> ExtractedFacts:
    """Both readings: the first, and of the second what has to do with the names that the first missed."""
    taken = {place for named in extracted.names for place in range(named.start, named.end)}
    fresh = [named for named in again.names if match_key(named.name) in keys and named.start not in taken]
    if not fresh:
        return extracted
    known = {_statement(fact) for fact in extracted.facts}
    facts = [fact for fact in again.facts if _statement(fact) not in known and _is_about(fact, keys)]
    names = sorted((*extracted.names, *fresh), key=lambda named: named.start)
    return replace(
        extracted, names=tuple(names), facts=tuple(sorted((*extracted.facts, *facts), key=lambda fact: fact.quote))
    )


def _is_about(fact: Fact, keys: Collection[str]) -> bool:
    ends = [each for each in (fact.subject, fact.object) if isinstance(each, NamedEntity)]
    return any(match_key(end.name) in keys for end in ends)


def _statement(fact: Fact) -> tuple[object, ...]:
    thing = fact.object.name if fact.object else fact.value
    who = fact.subject.name if isinstance(fact.subject, NamedEntity) else fact.subject
    return who, fact.predicate, fact.path, match_key(thing or ""), fact.polarity


# What is left, switched or changed may be an employer, a place or a tool, and the words alone do not tell.
_LEAVING = caseless(
    r"\b(?:left|leav\w+|quit|mov\w+|switch\w+|chang\w+|went|trad\w+|swap\w+|transfer\w+"
    r"|dej\w+|cambi\w+|pas[éó]|sal[ií]\w*|fui|fue|renunci\w+)\b"
)
# Without capitals a name is only known as one by the graph, and that matters where something may end.
_ENDING = re.compile(
    r"\b(?:\w+n'?t|not|no|longer|any ?more|work\w*|liv\w+|fired|laid|retired|resigned|lost|divorced|broke|split|died"
    r"|married|dating|sold|gave|ya|trabaj\w+|viv\w+|despid\w+|jubil\w+|divorci\w+|muri\w+)\b"
)


def needs_types(text: str) -> bool:
    """Whether the meaning of a text depends on what the graph knows of the names in it."""
    return _LEAVING.search(text) is not None or (text.islower() and _ENDING.search(text) is not None)


def known_types(tx: Transaction, wanted_names: Collection[str]) -> dict[str, EntityType]:
    """The types of names that one type of entity goes by, in the graph of the transaction's scope."""
    keys = {match_key(name): name for name in wanted_names}
    found = entities.by_keys(tx, sorted(keys))
    held = entities.by_id(tx, {each.entity_id for each in found}) if found else {}
    types: dict[str, set[EntityType]] = defaultdict(set)
    for each in found:
        types[keys[each.key]].add(held[each.entity_id].type)
    return {name: kinds.pop() for name, kinds in types.items() if len(kinds) == 1}
