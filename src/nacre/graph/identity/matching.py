"""Find the entities that a message speaks of.

Every run of the message's words is a key, and the keys are looked up in the alias index: the work follows the length
of the message, never the size of the catalogue.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from nacre.domain.entities import Entity, EntityType
from nacre.domain.ids import EntityId
from nacre.store.base.databases import Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.graph import entities
from nacre.store.graph.entities import Name
from nacre.text.letters import UNSPACED
from nacre.text.names import is_matched
from nacre.text.words import words

MAX_WORDS = 2_000
LONGEST_NAME = 8
# Unspaced text has a word for each pair of characters, so its names are longer runs.
LONGEST_UNSPACED_NAME = 16
_MAX_CHARACTERS = 64 * MAX_WORDS
_UNSPACED = re.compile(f"[{UNSPACED}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityMatch:
    """An entity that a message names: as which name, at which of its words, how often it is mentioned, and its type."""

    entity_id: EntityId
    name: str
    start: int
    words: int
    mentions: int
    type: EntityType


@dataclass(frozen=True, slots=True)
class _WordRun:
    """Words `start` to `end` of a message, and the name they make."""

    start: int
    end: int
    key: str


def mentioned(tx: Transaction, text: str) -> list[Entity]:
    """The entities that a text names, in its order."""
    found = find(tx, text)
    known = entities.by_id(tx, [each.entity_id for each in found])
    return [known[each.entity_id] for each in found]


def find(tx: Transaction, text: str) -> list[EntityMatch]:
    """The entities in force that `text` names, each once, in the order of the text.

    Names match as whole words or phrases in any case. A name inside a longer name that was found is not reported,
    unless it also stands elsewhere. Only the first 2,000 words of a message count.
    """
    runs = _word_runs(text)
    known = _known(tx, _keys(runs))
    matches: dict[EntityId, EntityMatch] = {}
    for run in _outermost(run for run in runs if run.key in known):
        for name in known[run.key]:
            entity = EntityId(name.entity_id)
            length = run.end - run.start
            matches.setdefault(
                entity,
                EntityMatch(
                    entity_id=entity,
                    name=name.name,
                    start=run.start,
                    words=length,
                    mentions=name.mentions,
                    type=name.type,
                ),
            )
    return list(matches.values())


def name_calls(tx: Transaction, text: str) -> list[Call]:
    """What `find` reads."""
    return entities.key_calls(tx, _keys(_word_runs(text)))


# A message is looked at by whoever asks what it is about.
@lru_cache(maxsize=16)
def _word_runs(text: str) -> tuple[_WordRun, ...]:
    return tuple(_runs(_first_words(text)))


def _keys(runs: Iterable[_WordRun]) -> list[str]:
    return list(dict.fromkeys(run.key for run in runs))


def _first_words(text: str) -> list[str]:
    found = words(text[:_MAX_CHARACTERS])
    if len(text) > _MAX_CHARACTERS:
        # The cut may have gone through a word, and half a word names nobody.
        found = found[:-1]
    return found[:MAX_WORDS]


def _runs(message_words: Sequence[str]) -> Iterator[_WordRun]:
    longest = LONGEST_UNSPACED_NAME if any(map(_UNSPACED.match, message_words)) else LONGEST_NAME
    for start in range(len(message_words)):
        keys = accumulate(message_words[start : start + longest], lambda key, word: f"{key} {word}")
        for length, key in enumerate(keys, 1):
            if is_matched(key):
                yield _WordRun(start, start + length, key)


def _known(tx: Transaction, keys: Sequence[str]) -> Mapping[str, Sequence[Name]]:
    names_by_key: dict[str, list[Name]] = defaultdict(list)
    for name in entities.by_keys(tx, keys):
        if is_matched(name.name.strip()):
            names_by_key[name.key].append(name)
    return names_by_key


def _outermost(runs: Iterable[_WordRun]) -> Iterator[_WordRun]:
    """The runs that lie inside no other, from left to right."""
    reached = 0
    for run in sorted(runs, key=lambda run: (run.start, -run.end)):
        if run.end > reached:
            reached = run.end
            yield run
