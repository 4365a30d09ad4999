"""Names without capitals: what somebody types in small letters is a name where the graph or a list knows it as one."""

import re
from collections.abc import Sequence

from nacre.domain.entities import EntityType
from nacre.extraction.gazetteers import common_words, gazetteer
from nacre.extraction.mentions import APART, Mention
from nacre.extraction.name_tokens import tokens_of

# What follows may be a name though it is an everyday word: "works at apple".
_AT_NAME = re.compile(r"\b(?:at|for|left|quit|from|by|in|en|dejé|dejó)\s\Z")


def small_words(text: str, span: tuple[int, int], mentions: Sequence[Mention]) -> dict[str, tuple[int, int]]:
    """The words of a sentence that may be names if somebody goes by them, and where they are."""
    taken = {place for each in mentions for place in range(each.start, each.end)}
    words: dict[str, tuple[int, int]] = {}
    for token in tokens_of(text[slice(*span)]):
        place = (token.start + span[0], token.end + span[0])
        everyday = token.key in common_words() and not _AT_NAME.search(text, span[0], place[0])
        if len(token.word) > 2 and not everyday and token.key not in APART and place[0] not in taken:
            words.setdefault(token.word.capitalize(), place)
    return words


def listed_small(text: str, words: dict[str, tuple[int, int]]) -> dict[str, EntityType]:
    """The types of those words that are listed as names of companies and stand where one is named."""
    found = {word: gazetteer().entries.get(word) for word, place in words.items() if _AT_NAME.search(text, 0, place[0])}
    return {
        word: known.type
        for word, known in found.items()
        if known and known.type is EntityType.ORGANIZATION and not known.ambiguous
    }


def small_name(name: str, place: tuple[int, int], kind: EntityType) -> Mention:
    """A name that was typed without its capital."""
    return Mention(*place, name, kind, 0.8)
