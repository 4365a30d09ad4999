"""Whether a newer text replaces older memories: both speak of the same, and the newer gives another value.

An older memory is only ended where that is sure. Where it may be so, a person is asked. Nothing here touches a
database.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from nacre.domain import replacements
from nacre.domain.memories import ANTI_PATTERNS, GENERAL, Memory
from nacre.graph.beliefs import values
from nacre.memory import clashes, duplicates, frames, substitutions, tones
from nacre.memory.pairs import FEW, StatementPair, UpdateVerdict, shown

# So many may be offered for review on account of one text.
_MOST_ASKED = 3
# The value that a statement turns down beside the one that it gives: on July 14, not June 16.
_NOT_BUT = re.compile(r"(?:,|(?<!\s))\s*+\b(?:and not|not|y no|no)\s+(?=(?:on |at |the |el )?[\dA-ZÁ-Ú])[^,;.]*")
_MOVED_FROM = re.compile(
    r"\b(?:from|de|desde|del)\s[^,;:\d]{0,20}\d[^,;:]{0,20}?(?=\b(?:to|a|al|hasta)\b)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """A memory that a sentence replaces, or may replace, and the names of it that the newer text leaves out."""

    memory: Memory
    verdict: UpdateVerdict
    sentence: str
    names: tuple[str, ...] = ()


def find_replacements(text: str, category: str, at: datetime, others: Sequence[Memory]) -> list[Replacement]:
    """Which of some older memories, the likeliest first, a text that is said at a moment replaces or may replace."""
    peers = [(each, duplicates.terms_of(each.content)) for each in others if _are_peers(category, each)]
    candidates: dict[UUID, Replacement] = {}
    for sentence in frames.split_sentences(text) if peers else ():
        terms = duplicates.terms_of(sentence)
        judged = [_judge_memory(sentence, at, each) for each, held in peers if not terms.isdisjoint(held)]
        for each in _settle([each for each in judged if each]):
            rival = candidates.get(each.memory.id)
            if rival is None or each.verdict.sure > rival.verdict.sure:
                candidates[each.memory.id] = replace(each, names=_omitted_names(text, each.memory))
    sure = [each for each in candidates.values() if each.verdict.sure]
    return [*sure, *[each for each in candidates.values() if not each.verdict.sure][:_MOST_ASKED]]


def judge_sentence(
    new: str, at: datetime, old: str, said_at: datetime, names: Sequence[str] = ()
) -> UpdateVerdict | None:
    """What a sentence does to an older text, which must be one statement; `names` are others that it is about."""
    statement = old.strip()
    if frames.split_sentences(statement) != (statement,):
        return None
    if tones.is_switched(statement):
        # The day or the amount that something moved from was over when it was said.
        statement = _MOVED_FROM.sub("", statement)
    pair = StatementPair.of(new, at, statement, said_at, names)
    if _is_denied(new) or values.is_denied(statement):
        return _denied(pair, new, statement)
    return clashes.judge_quantities(pair) or substitutions.judge_words(pair, new, statement)


# The same sentence is judged beside each older one.
@lru_cache(maxsize=64)
def _is_denied(sentence: str) -> bool:
    return values.is_denied(_NOT_BUT.sub("", sentence))


def _judge_memory(sentence: str, at: datetime, memory: Memory) -> Replacement | None:
    verdict = judge_sentence(sentence, at, memory.content, memory.updated_at, replacements.names(memory.metadata))
    if verdict is None:
        return None
    # What somebody pinned is to stay, unless somebody decides otherwise.
    return Replacement(
        memory=memory, verdict=replace(verdict, sure=verdict.sure and not memory.pinned), sentence=sentence
    )


def _are_peers(category: str, memory: Memory) -> bool:
    """Whether both are of one category; what nobody has sorted yet may be of any."""
    tops = {duplicates.top_level(each) for each in (category, memory.category)}
    alone = any(top == ANTI_PATTERNS or duplicates.stands_apart(top) for top in tops)
    return not alone and (len(tops) == 1 or GENERAL in tops)


def _settle(judged: Sequence[Replacement]) -> list[Replacement]:
    """Of all that a sentence may mean: those that it surely means, else those that should be asked about."""
    sure = [each for each in judged if each.verdict.sure and not each.verdict.terse]
    if sure:
        return sure
    if len(judged) == 1:
        return list(judged)
    return [replace(each, verdict=replace(each.verdict, sure=False)) for each in judged]


def _denied(pair: StatementPair, new: str, old: str) -> UpdateVerdict | None:
    """One of the two says that something is not so, or no longer."""
    over = values.is_over(new) and not values.is_denied(old) and bool(pair.older.topic) and not pair.less
    if not values.opposite(new, old) and not (over and len(pair.more) <= FEW):
        return None
    # What is over on some days only, or somewhere, is not over.
    narrowed = bool(pair.more) or len(pair.newer.values) > len(pair.older.values)
    doubtful = narrowed or tones.is_guessed(new) or pair.newer.saying.passing or tones.is_event(old)
    return UpdateVerdict(sure=not doubtful, because=f"{shown(new)} denies {shown(old)}.")


def _omitted_names(text: str, memory: Memory) -> tuple[str, ...]:
    """The names that a memory is about and a newer text does not say."""
    frame = frames.read_frame(memory.content, memory.updated_at, frames.detect_language(memory.content, text))
    own = [word for stem, word in frame.topic.items() if stem in frame.names]
    every = dict.fromkeys([*own, *replacements.names(memory.metadata)])
    return tuple(name for name in every if name.casefold() not in text.casefold())
