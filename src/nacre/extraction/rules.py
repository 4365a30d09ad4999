"""A rule: when it is tried, what it looks for, and what it yields.

Patterns are written over shadows (see `shadows`), with slots in angle brackets:

    <who>      the speaker, a person, a pronoun, or "my sister"       <subject>  also anything else that has a name
    <person>   one or more persons; so too <org> <place> <tech> <asset> <project> <name>
    <np>       words up to the next punctuation, cut to one thing     <list>     several things
    <value>    words taken as they are                                <rel>, <animal>  a relation, an animal
    <words>    one to four words for something, up to a `<stop>`

A slot fills the group `what` unless another is named: `<was:place>`. A space stands for one or more.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from nacre.domain.entities import EntityType
from nacre.domain.facts import Polarity
from nacre.extraction import masked_sentences as marks
from nacre.text.needed_words import NeededWords, holds_needed, needed_words
from nacre.text.relations import ANIMALS, RELATIONS
from nacre.text.word_blocks import words


class TimeBound(StrEnum):
    """What a time in the sentence says of the fact: since when, until when, only after "since", or never anything.

    Somebody who leaves did so when it was said, where no time is given.
    """

    BEGINS = "begins"
    ENDS = "ends"
    LEAVES = "leaves"
    HOLDS = "holds"
    UNTIMED = "untimed"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactTemplate:
    """One fact a match gives: a link (`link`) or a claim (`path`) about `of`, with the group `what` as object or value.

    `link` may be `@rel`, the predicate of the relation in that group; `{key}` in a path is filled from the group `key`.
    `instead_of` is the group of what it takes the place of: the fact counts only where that is held. What is `loose` is
    retracted by any words for it, and where the group holds none, whatever is held ends, unless it must be `given`.
    """

    link: str | None = None
    path: str | None = None
    what: str = "what"
    of: str = "who"
    type: EntityType = EntityType.UNKNOWN
    literal: bool = False
    loose: bool = False
    given: bool = False
    constant: str | None = None
    detail: str | None = None
    instead_of: str | None = None
    polarity: Polarity = Polarity.STATED
    bound: TimeBound = TimeBound.HOLDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Tried on a sentence that holds one of `words`. `confidence`: the share of what it yields that is right."""

    id: str
    kind: str
    language: str
    words: frozenset[str]
    written: str
    yields: tuple[FactTemplate, ...]
    confidence: float
    hedges: bool = True
    check: str | None = None
    about_people: bool = False

    def matches(self, shadow: str) -> Iterator[re.Match[str]]:
        """What it finds. Patterns are compiled when they are first tried: all of them together take seconds.

        What follows the one it speaks of is looked for first: that is a tenth of the pattern, and seldom there; and
        before that the words that it needs, of which one is missing nearly always.
        """
        part = _part(self.written)
        if not holds_needed(shadow, needed_in_part(part)):
            return iter(())
        if part != self.written and compiled_part(part).search(shadow) is None:
            return iter(())
        return compiled(self.written).finditer(shadow)


def _longest_first(block: tuple[str, ...] | dict[str, str]) -> str:
    return "|".join(re.escape(word) for word in sorted(block, key=len, reverse=True))


_REL = _longest_first(RELATIONS)
_ANIMAL = _longest_first(ANIMALS)
_ADJECTIVE = (
    "(?:(?:older|younger|elder|little|big|baby|new|old|current|dear|oldest|youngest|eldest|first"
    "|second|good|great|close"
    "|twin|adopted|beloved|sweet|furry|other|mayor|menor|nuevo|nueva|querido|querida|gran|buen|buena|antiguo"
    "|antigua|\\d+-year-old) )?"
)
_CLASSES = {
    "person": marks.PERSON + marks.OTHER,
    "org": marks.ORGANISATION + marks.OTHER + marks.TECHNOLOGY,
    "place": marks.PLACE + marks.OTHER,
    "tech": marks.TECHNOLOGY + marks.OTHER + marks.ORGANISATION,
    "asset": marks.ASSET,
    "project": marks.PROJECT + marks.OTHER + marks.TECHNOLOGY,
    "name": marks.PERSON
    + marks.ORGANISATION
    + marks.PLACE
    + marks.TECHNOLOGY
    + marks.ASSET
    + marks.OTHER
    + marks.PROJECT,
    "web": marks.WEB,
    "host": marks.HOST + marks.OTHER + marks.WEB,
}
_OF_MINE = rf"(?:my|our|mi|nuestro|nuestra) {_ADJECTIVE}(?:{_REL})"
_PERSON = f"[{_CLASSES['person']}]++"
# Who calls somebody so without a word before it means their own.
_KIN_BY_NAME = (
    "(?<!his )(?<!her )(?<!your )(?<!their )(?<!the )(?<!'s )(?<! a )(?<!\\Aa )(?<!one )(?<!as )(?<!of )"
    "(?:mum|mom|mommy|mummy|mam|dad|daddy|grandma|granny|gran|nana|grandpa|grandad|mamá|papá|mami|papi)"
)
_WHO = (
    rf"(?:the user|el usuario|la usuaria|user|i|we|he|she|they|yo|él|ella|nosotros|{_KIN_BY_NAME}"
    rf"|{_OF_MINE}s?(?:,? {_PERSON}(?: and {_PERSON}| y {_PERSON})?,?)?"
    rf"|{_PERSON}(?: and {_PERSON}| y {_PERSON}| (?:from|del|de la) (?:the |my |our )?[a-zñáéíóú]+)?"
    rf"(?:,? {_OF_MINE},)?)"
)
# Stands where somebody was named before: "Ana is 34 and allergic to nuts", "lives in York and works at Nestlé".
ELIDED = ("and", "but")
# "… and a tortoise" is no job of anybody.
_NO_VERB = "|".join(rf"(?<=\b{word})(?= ++(?!(?:an?|the|my|our|his|her|their|your|some)\b))" for word in ELIDED)
_MACROS = {
    "is": rf"(?:'m| am| is|'s|(?<=\bhe)s|(?<=\bshe)s|'re| are| was| were|{_NO_VERB})",
    "now": rf"(?:'m| am| is|'s|(?<=\bhe)s|(?<=\bshe)s|'re| are|{_NO_VERB})",
    "has": r"(?:'ve| have|'s| has| had|'ve got| have got)",
    "adv": r"(?: (?:also|just|now|currently|recently|still|really|actually|finally|already|always|mostly|usually|only"
    r"|absolutely|totally"
    r"|definitely|honestly|even|both|personally|officially|truly|generally|originally|também|también|ahora"
    r"|actualmente|todavía|ya|siempre))*+",
    "a": r"(?:a|an|my|our|the|un|una|el|la|mi)",
    "mine": r"(?:my|our|mi|nuestro|nuestra)",
    "praise": r"(?:(?:great|good|terrible|famous|serious|bad|big|real|amazing|talented|brilliant|fantastic|wonderful"
    r"|successful|lousy|decent|very|pretty|really"
    r"|huge|awful|horrible|fellow|proud) )*+",
    "adj": _ADJECTIVE.removesuffix("?") + "?",
}
_STOP = (
    r"(?:[,.;:!?)…]| -| –|—|\Z| (?:too|also|any ?more|now|lately|yesterday|today|tonight|last|this|these|in|on|at|to"
    r"|for|from"
    r"|since|after|before|because|and|but|so|with|when|while|again|recently|already|as|until|early|a (?:week|month|year"
    r"|few|couple)|\d+|two|three|four|ayer|hoy|este|esta|el|en|hace|y|pero|porque|por|que|down|away|over|by|me"
    r"|i|we|he|she|they)(?!\w))"
)
_WHEN = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:the )?(?:end|beginning|start|spring|summer|autumn|fall|winter)"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?!\w))"
)
_WORD = r"(?!(?:in|on|at|to|for|with|from|into|by|en|con|para)\b)[\w\ue000-\ue008'&-]+"
# What such a word means is not among its letters.
_PRONOUN = r"(?:me|you|it|him|her|them|us|that|this|those|one|everything|handed)(?!\w)"
_OF_WHOM = (
    "(?:(?:my|our|the|his|her|their|that|this|a|an|mi|mis|nuestro|nuestra|su|el|la|los|las|un|una|old|beloved|poor"
    "|new|used"
    "|all|a|al) )*+"
)
_FREE = r"[^,.…;:!?()\"“”\[\]\n]"
_APOSTROPHE = re.compile(r"(n|\||\(\?:|\))'(t|m|ve)(?=[|) ])")
_GAP = re.compile(r" (?![?*+{])")
_SLOT = re.compile(r"(?<!\?P)<(?:(\w+):)?(\w+)>")
_BEGINS_WITH_WHO = re.compile(r"<(?:who|subject)>|\(\?:<who> \)\?")


def _slot(match: re.Match[str]) -> str:
    group, name = match[1], match[2]
    if name in ("stop", "when"):
        return _STOP if name == "stop" else _WHEN
    if name == "words":
        return rf"{_OF_WHOM}(?!{_PRONOUN})(?P<{group or 'what'}>{_WORD}(?: {_WORD}){{0,3}}?)(?={_STOP})"
    if name in _MACROS:
        return _MACROS[name]
    if name in ("who", "subject"):
        inner = _WHO if name == "who" else rf"(?:{_WHO}|it|[{_CLASSES['name']}]++)"
        return rf"(?P<{group or 'who'}>{inner})"
    if name in _CLASSES:
        one = f"[{_CLASSES[name]}]++"
        return rf"(?P<{group or 'what'}>{one}(?:(?:,|, and| and| or| &| y| e| o) {one}(?!'s))*+)"
    inner = {
        "np": rf"{_FREE}{{2,80}}+",
        "list": r"[^.…;:!?()\"“”\[\]\n]{2,160}+",
        "value": rf"{_FREE}{{1,60}}+",
        "rel": rf"(?:{_REL})",
        "animal": rf"(?:{_ANIMAL})",
    }[name]
    return rf"(?P<{group or (name if name in ('rel', 'animal') else 'what')}>{inner})"


@cache
def clause_subject() -> re.Pattern[str]:
    """Who a clause speaks of, where it begins; a pronoun stands for nobody else wherever it is."""
    begins = (
        r"(?:\A[^\w\ue000-\ue008]*+|[,;:(] ?|\b(?:and|but|so|because|that|while|since|btw|well|yeah|ok|oh|hi|hey),? )"
    )
    pronouns = r"i(?=[' ]|m\b|ve\b)|s?he(?=[' ]|s\b)|(?:we|they)(?=[' ])"
    return re.compile(rf"{begins}(?P<who>{_WHO})(?=[' ]\w)|(?<![\w'-])(?P<pronoun>{pronouns})")


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern with its slots filled in; it begins and ends at the edges of words."""
    return re.compile(rf"(?<![\w'-]){_filled(pattern)}(?!\w)")


@cache
def compiled_part(pattern: str) -> re.Pattern[str]:
    """What follows a slot in a pattern, and may begin anywhere."""
    return re.compile(_filled_part(pattern))


@cache
def needed_in_part(pattern: str) -> NeededWords:
    """The words and marks without which that is not there."""
    return needed_words(_filled_part(pattern))


@cache
def _part(pattern: str) -> str:
    """What follows the one that a pattern speaks of, where it begins with that."""
    who = _BEGINS_WITH_WHO.match(pattern)
    return pattern[who.end() :] if who else pattern


def _filled_part(pattern: str) -> str:
    return rf"{_filled(f'(?:){pattern}')}(?!\w)"


def _filled(pattern: str) -> str:
    spaced = _GAP.sub(" ++", pattern)
    if spaced.startswith("<who>"):
        spaced = spaced.replace("<who>", rf"(?P<who>{_WHO}|{'|'.join(ELIDED)})", 1)
    filled = _SLOT.sub(_slot, spaced)
    # Many type "dont", "im" and "ive".
    return _APOSTROPHE.sub(lambda found: f"{found[1]}'?{found[2]}", filled)


def _last(phrase: str) -> str:
    """The word of a phrase by which a rule is found; `#asset` stands for any name of that type."""
    if phrase.startswith("#"):
        return phrase
    parts: list[str] = re.findall(r"[^\W\d_]+", phrase)
    return parts[-1]


def link(predicate: str, kind: EntityType = EntityType.UNKNOWN, **more: Any) -> FactTemplate:
    """A link to a named object."""
    return FactTemplate(link=predicate, type=kind, **more)


def claim(path: str, **more: Any) -> FactTemplate:
    """A claim with the group `what` as its value."""
    return FactTemplate(path=path, **more)


def rule(
    identity: str,
    language: str,
    keywords: str,
    pattern: str,
    *yields: FactTemplate,
    confidence: float = 0.9,
    hedges: bool = True,
    check: str | None = None,
) -> Rule:
    """A rule as its file writes it: the kind is the part of the id before the dot."""
    return Rule(
        id=identity,
        kind=identity.partition(".")[0],
        language=language,
        words=frozenset(_last(word) for word in words(keywords)),
        written=pattern,
        yields=yields,
        confidence=confidence,
        hedges=hedges,
        check=check,
        about_people=re.search(r"(?<!\?P)<who>", pattern) is not None,
    )
