"""Focused entries from one memory, by a language model, and what is checked before they are believed."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, Field

from nacre.domain import checks
from nacre.domain.errors import Invalid
from nacre.domain.memories import ANTI_PATTERNS, GENERAL, Memory, check_category, check_tags
from nacre.memory.focusing import ANTI_PATTERN, MAX_ENTRIES, MAX_TAGS, NewEntry, called
from nacre.models.language_models import LanguageModel, ModelPrompt, prompt_text
from nacre.text import details

RULES = "memory-rules.md"
# A statement that is made to stand alone takes a few words more; much more than that was made up.
GROWTH = 2
SLACK = 400


class ProposedEntry(BaseModel):
    """One memory entry."""

    content: str = Field(description="One or two sentences that can be read alone.")
    category: str = Field(default=GENERAL, description="A path such as user-preferences/food.")
    tags: list[str] = Field(default_factory=list, description="Up to five words to find it by.")


class ProposedEntries(BaseModel):
    """The entries that together say what the note says."""

    entries: list[ProposedEntry]


def proposed(model: LanguageModel, memory: Memory, user: str | None, directives: Path | None) -> list[NewEntry]:
    """The entries that the model puts in the memory's place; none where it would leave it as it is.

    Entries that fail a check go back to the model once, with the reason. Raises `Invalid` when they fail again.
    """
    instructions, material = prompt_text(RULES, directives), _material(memory, user)
    reply = model.complete(ModelPrompt(instructions=instructions, material=material), ProposedEntries).output
    try:
        entries = checked(memory, reply, user)
    except Invalid as error:
        again = f"{material}\n\nYour last entries were refused: {error} Write all entries anew."
        reply = model.complete(ModelPrompt(instructions=instructions, material=again), ProposedEntries).output
        entries = checked(memory, reply, user)
    same = len(entries) == 1 and (entries[0].content, entries[0].category) == (memory.content.strip(), memory.category)
    return [] if same else entries


def checked(memory: Memory, proposal: ProposedEntries, user: str | None) -> list[NewEntry]:
    """The proposal as entries. Raises `Invalid`, with the reason, when it must not take the memory's place."""
    distinct = {" ".join(each.content.split()).casefold(): each for each in proposal.entries}
    if not 1 <= len(distinct) <= MAX_ENTRIES:
        raise Invalid("entries", f"must be from 1 to {MAX_ENTRIES}, not {len(proposal.entries)}")
    entries = [_entry(memory, each) for each in distinct.values()]
    check_kept(memory.content, [entry.content for entry in entries], user)
    return entries


def check_kept(text: str, contents: Sequence[str], user: str | None = None) -> None:
    """Raise `Invalid` unless `contents` have every name and number of `text`, and none that it has not."""
    if gone := details.lost(text, contents):
        raise Invalid("entries", f"lose {_quoted(gone)}, which the memory names")
    if sum(map(len, contents)) > GROWTH * len(text) + SLACK:
        raise Invalid("entries", "are far longer than the memory")
    told = [text, user or "", "The user User Don't"]
    if made_up := [each for content in contents for each in details.lost(content, told) if _is_certain(each, content)]:
        raise Invalid("entries", f"name {_quoted(made_up)}, which the memory does not")


def _is_certain(specific: str, content: str) -> bool:
    # The word that begins a sentence has its capital from there, more often than not.
    return specific.isdecimal() or not content.startswith(specific)


def _entry(memory: Memory, each: ProposedEntry) -> NewEntry:
    content = checks.text("content", each.content).strip()
    category = _category(memory, check_category(each.category.strip().strip("/")))
    own = [ANTI_PATTERN] if category.partition("/")[0] == ANTI_PATTERNS else []
    tags = check_tags(tag.strip().casefold() for tag in each.tags if tag.strip())[:MAX_TAGS]
    return NewEntry(content=content, category=category, tags=tuple(dict.fromkeys([*memory.tags, *own, *tags])))


def _category(memory: Memory, proposed_category: str) -> str:
    """What the caller chose stays; a model may only say it more exactly."""
    within = proposed_category.startswith(f"{memory.category}/")
    return proposed_category if memory.category == GENERAL or within else memory.category


def _material(memory: Memory, user: str | None) -> str:
    lines = [f"The user's name: {called(user)}"] if user and called(user) == user else []
    lines += [f"The note's category so far: {memory.category}", "", "<note>", memory.content, "</note>"]
    return "\n".join(lines)


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"`{word}`" for word in words[:5])
