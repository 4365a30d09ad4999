"""Guards of consolidation: what it must not do, whoever proposes it. Each is a loss that some system has suffered."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from nacre.domain.errors import Invalid
from nacre.domain.memories import HINTS, MAX_IMPORTANCE, MAX_TAGS, MERGED_FROM, Memory, with_hints
from nacre.domain.replacements import traces, with_traces
from nacre.memory import duplicates, proposing
from nacre.text import details, tokens
from nacre.text.languages import detect
from nacre.upkeep import ratings

MAX_SOURCES = 3
MAX_DEPTH = 3
# The scale of a model's ratings. What a person rated may lie above it.
LEAST_IMPORTANT = 0.2
# How many of a source's words a merge keeps at least; of a protected one, all.
WORDS_KEPT = 0.75

MERGE_DEPTH = "merge_depth"

# Two content words without a name or a number say nothing that anyone would miss.
NOISE_WORDS = 2
NOISE_IMPORTANCE = 0.5


def shown(names: Iterable[str], memories: Mapping[str, Memory]) -> list[Memory]:
    """The entries that a model names, each once. Raises `Invalid` for a name that it was not shown."""
    named = list(dict.fromkeys(names))
    if strange := [name for name in named if name not in memories]:
        raise Invalid("ids", f"{_quoted(strange)} were not among the entries shown")
    return [memories[name] for name in named]


def check_joinable(sources: Sequence[Memory], *, rewritten: bool = True) -> None:
    """Raise `Invalid` unless the entries may become one: few, of one kind, and not merged too often already."""
    if not 1 <= len(sources) <= MAX_SOURCES:
        raise Invalid("sources", f"must be from 1 to {MAX_SOURCES} entries, not {len(sources)}")
    if len({duplicates.top_level(each.category) for each in sources}) > 1:
        raise Invalid("sources", "belong to different categories")
    if len(sources) > 1 and any(duplicates.stands_apart(each.category) for each in sources):
        raise Invalid("sources", "are claims that must each stand on their own")
    if rewritten:
        check_depth(sources)


def check_depth(sources: Sequence[Memory]) -> None:
    """Raise `Invalid` if an entry is a merge of merges of merges: each rewriting loses a little."""
    if max(map(depth, sources)) >= MAX_DEPTH:
        raise Invalid("sources", f"were rewritten {MAX_DEPTH} times already")


def check_related(sources: Sequence[Memory], groups: Collection[Collection[Memory]]) -> None:
    """Raise `Invalid` unless the host itself found the entries alike."""
    ids = {each.id for each in sources}
    if len(ids) > 1 and not any(ids <= {each.id for each in group} for group in groups):
        raise Invalid("sources", "are not alike enough to be one entry")


def check_kept(sources: Sequence[Memory], content: str, user: str | None = None) -> None:
    """Raise `Invalid` unless a text says what the entries say: their names and numbers, their words, their "not"."""
    proposing.check_kept("\n".join(each.content for each in sources), [content], user)
    for each in sources:
        words = _terms(each.content)
        gone = words - _terms(content, detect(each.content))
        if len(gone) > (1 - WORDS_KEPT) * len(words):
            raise Invalid("content", f"loses {_quoted(sorted(gone))} of {each.short}")
        if gone and ratings.is_protected(each):
            raise Invalid("content", f"loses {_quoted(sorted(gone))} of {each.short}, which is protected")
    if any(duplicates.negations(each.content) for each in sources) != bool(duplicates.negations(content)):
        raise Invalid("content", 'loses a "not", or has one that no entry has')


def check_prunable(memory: Memory, others: Iterable[Memory]) -> None:
    """Raise `Invalid` unless nothing is lost with an entry: it is noise, or another one that stays says it all."""
    if ratings.is_protected(memory):
        raise Invalid("toDelete", f"names {memory.short}, which is protected")
    if not is_noise(memory) and not any(covers(other, memory) for other in others if other.id != memory.id):
        raise Invalid("toDelete", f"names {memory.short}, and no other entry says what it says")


def covers(one: Memory, other: Memory) -> bool:
    """Whether an entry says all that another one does."""
    if duplicates.top_level(one.category) != duplicates.top_level(other.category):
        return False
    if duplicates.stands_apart(other.category):
        return False
    # In the same order: a train there is not the train back.
    held = iter(tokens.terms(one.content, detect(other.content)))
    if not all(term in held for term in tokens.terms(other.content)) or details.lost(other.content, [one.content]):
        return False
    return not duplicates.contradicts(one.content, other.content)


def is_noise(memory: Memory) -> bool:
    """Whether an entry says next to nothing: "ok", "thanks a lot"."""
    if ratings.is_protected(memory) or ratings.rating(memory) > NOISE_IMPORTANCE or memory.reinforced:
        return False
    words = tokens.content_words(memory.content)
    is_plain = memory.category == "general" and not details.specifics(memory.content)
    # Scripts without capitals and without spaces say a lot in two words; leave those alone.
    return is_plain and memory.content.isascii() and len(words) <= NOISE_WORDS and not any(map(str.isdigit, words))


def importance(proposed: float, sources: Sequence[Memory]) -> float:
    """What a model may rate an entry: on its scale, and never below what it rests on."""
    on_scale = min(MAX_IMPORTANCE, max(LEAST_IMPORTANT, proposed))
    return max(on_scale, *map(ratings.rating, sources))


def depth(memory: Memory) -> int:
    """How many rewritings lie behind an entry."""
    text = memory.metadata.get(MERGE_DEPTH, "0")
    return int(text) if text.isdecimal() else 0


def joined(sources: Sequence[Memory], survivor: Memory, *, rated: float | None = None, rewritten: bool) -> Memory:
    """`survivor` in the place of `sources`: when they were made and seen, and how often, is counted here."""
    oldest_first = sorted(sources, key=lambda each: (each.created_at, each.id))
    metadata: dict[str, str] = {}
    for each in reversed(oldest_first):
        metadata |= each.metadata
    metadata = with_hints(
        metadata, [hint for each in oldest_first for hint in each.metadata.get(HINTS, "").splitlines()]
    )
    metadata = with_traces(metadata, [trace for each in oldest_first for trace in traces(each.metadata)])
    # Seen anew or rated anew, it fades anew.
    metadata.pop(ratings.FADED, None)
    metadata[MERGED_FROM] = " ".join(_ancestors(oldest_first, survivor))
    metadata[MERGE_DEPTH] = str(max(map(depth, sources)) + rewritten or "")
    return replace(
        survivor,
        tags=tuple(dict.fromkeys([*survivor.tags, *(tag for each in oldest_first for tag in each.tags)]))[:MAX_TAGS],
        metadata={name: value for name, value in metadata.items() if value},
        created_at=oldest_first[0].created_at,
        last_seen_at=max(each.last_seen_at for each in sources),
        reinforced=sum(each.reinforced for each in sources),
        importance=max(map(ratings.rating, sources)) if rated is None else rated,
    )


def may_reopen(at: datetime, times: int, now: datetime) -> bool:
    """Whether a settled group has rested long enough: a week, then two, four, and eight from then on."""
    return (now - at).days >= min(7 << min(max(0, times - 1), 8), 56)


def _ancestors(sources: Sequence[Memory], survivor: Memory) -> list[str]:
    """Where an entry comes from. One that stays keeps what it had; a new one leads there through its sources."""
    stays = survivor.id in {each.id for each in sources}
    before = survivor.metadata.get(MERGED_FROM, "").split() if stays else []
    return list(dict.fromkeys([*before, *(str(each.id) for each in sources if each.id != survivor.id)]))


def _terms(text: str, language: str | None = None) -> set[str]:
    return set(tokens.terms(text, language))


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"`{word}`" for word in words[:5])
