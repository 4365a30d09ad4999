"""Focused entries from one memory, by rules: what expansion does without a language model."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nacre.domain.memories import ANTI_PATTERNS, GENERAL, Memory
from nacre.text import clauses
from nacre.text.details import specifics
from nacre.text.languages import detect_words
from nacre.text.stems import lexicon
from nacre.text.third_person import in_third_person, is_common_verb
from nacre.text.words import words

MAX_ENTRIES = 10
MAX_TAGS = 5
# Longer than this is a document, and no memory entry to be improved.
MAX_CHARS = 12_000

PREFERENCES = "user-preferences"
PROJECTS = "project-context"
ANTI_PATTERN = "anti-pattern"

_WISHES = (
    r"(?:prefers?|likes?|loves?|hates?|dislikes?|enjoys?|avoids?|wants?|would rather|do(?:es)?n['’]t (?:like|want|eat))"
)
_ADVERB = r"(?:(?:also|always|never|usually|really|strongly|mostly|generally)\s+)?"
_PREFERENCE = re.compile(
    rf"(?:I|we|the user)\s+{_ADVERB}{_WISHES}\b|I['’]d rather\b|(?:please )?call me\b"
    r"|my\b.*\b(?:favou?rite|preferred|preference)\b",
    re.IGNORECASE,
)
_PROHIBITION = re.compile(r"(?:please\s+)?(?:don['’]t|do not|never|stop|avoid)\s", re.IGNORECASE)
_PROJECT = re.compile(
    r"\b(?:projects?|launch(?:es|ed)?|deadlines?|milestones?|sprints?|roadmaps?|releases?)\b", re.IGNORECASE
)
# Letters and the marks between them; an account number or an address is no name to write into a sentence.
_READABLE = re.compile(r"[^\W\d_]+(?:[ .'’-]+[^\W\d_]+)*\.?")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntry:
    """An entry that takes a part of a memory's place; `span` is where in the memory's content it was said."""

    content: str
    category: str
    tags: tuple[str, ...] = ()
    span: tuple[int, int] | None = None


def focused(memory: Memory, user: str | None) -> list[NewEntry]:
    """The entries that should take the memory's place; none where it is well as it is."""
    if len(memory.content) > MAX_CHARS:
        return []
    spans = clauses.split(memory.content)
    if not 1 <= len(spans) <= MAX_ENTRIES:
        return []
    entries = [_entry(memory, span, user) for span in spans]
    if len(entries) == 1 and not _is_better(entries[0], memory):
        return []
    return entries


def called(user: str) -> str:
    """What a sentence may call a user: the name, where it is one."""
    return user if _READABLE.fullmatch(user) else "The user"


def _is_better(entry: NewEntry, memory: Memory) -> bool:
    return entry.content != memory.content.strip() or entry.category != memory.category


def _entry(memory: Memory, span: tuple[int, int], user: str | None) -> NewEntry:
    said = memory.content[slice(*span)]
    content = (in_third_person(said, called(user)) if user else None) or said
    category = _category(said) if memory.category == GENERAL else memory.category
    own = (ANTI_PATTERN,) if category == ANTI_PATTERNS else ()
    tags = dict.fromkeys([*memory.tags, *own])
    room = max(0, MAX_TAGS - len(tags))
    fresh = [tag for tag in dict.fromkeys(_salient(said)) if tag not in tags]
    return NewEntry(content=content, category=category, tags=(*tags, *fresh[:room]), span=span)


def _category(text: str) -> str:
    if _PROHIBITION.match(text):
        return ANTI_PATTERNS
    if _PREFERENCE.match(text):
        return PREFERENCES
    return PROJECTS if _PROJECT.search(text) else GENERAL


def _salient(text: str) -> Iterator[str]:
    """Names first, then the other words that say what it is about."""
    yield from (each.casefold() for each in specifics(text) if not each[0].isdecimal())
    found = words(text)
    known = lexicon(detect_words(found))
    for word in found:
        if len(word) >= 4 and not word[0].isdecimal() and not known[word].stop and not is_common_verb(word):
            yield word
