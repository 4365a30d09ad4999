"""Whether a text says what a memory says already: then it reinforces or extends it, else it is new.

Nothing may be lost by it, so the rules are strict. A text only reinforces a memory that contains all its words in the
same order, and it never joins one that differs in a number, a name or a "not".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nacre.domain.memories import ITEMS, Memory, Note, Outcome
from nacre.text import tokens

SIMILAR_COSINE = 0.88
SIMILAR_WORDS = 0.6
# With vectors to vouch for the meaning, fewer words need to be the same.
SIMILAR_WORDS_AND_COSINE = 0.4
MAX_EXTENDED = 2_000

# Claims about what the agent can do, what people thought of it, and what programs keep under a key must each stand
# on their own.
_APART = {"feedback", "capabilities", "capability", ITEMS}
_NEGATIONS = {"no", "not", "never", "none", "nobody", "nothing", "without", "cannot", "nor", "neither", "longer"}
_NEGATIONS |= {"nunca", "jamás", "sin", "tampoco", "nadie", "nada", "ya"}
_CONTRACTED = re.compile(r"n['’]t\b", re.IGNORECASE)
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-ZÀ-ÖØ-Þ][\w-]*")
_NUMBER = re.compile(r"\d[\d.,:/-]*\d|\d")


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A memory that may say the same, and its cosine with the text where both have vectors."""

    memory: Memory
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The memories that may say what a text says, nearest first, at a revision of their scope."""

    neighbours: Sequence[Neighbour] = ()
    revision: int = 0

    def __iter__(self) -> Iterator[Neighbour]:
        return iter(self.neighbours)


def outcome(note: Note, neighbour: Neighbour) -> Outcome:
    """What the text does to the memory."""
    memory = neighbour.memory
    if _apart(note, memory) or not _similar(note.text, neighbour) or contradicts(note.text, memory.content):
        return Outcome.CREATED
    if _within(tokens.words(note.text), tokens.words(memory.content)):
        return Outcome.REINFORCED
    return Outcome.EXTENDED if len(extended(memory.content, note.text)) <= MAX_EXTENDED else Outcome.CREATED


def extended(old: str, new: str) -> str:
    """One text that says both: the new one where it contains the old, else one after the other."""
    if _within(tokens.words(old), tokens.words(new)):
        return new
    return f"{old.rstrip()}\n{new.strip()}"


def top_level(category: str) -> str:
    """The first part of a category."""
    return category.partition("/")[0]


def stands_apart(category: str) -> bool:
    """Whether entries of a category are never joined."""
    return top_level(category) in _APART


def _apart(note: Note, memory: Memory) -> bool:
    return top_level(note.category) != top_level(memory.category) or stands_apart(note.category)


def _similar(text: str, neighbour: Neighbour) -> bool:
    ours, theirs = terms_of(text), terms_of(neighbour.memory.content)
    alike = len(ours & theirs) / max(len(ours | theirs), 1)
    vouched = neighbour.cosine is not None and neighbour.cosine >= SIMILAR_COSINE
    contained = ours >= theirs or theirs >= ours
    return alike >= (SIMILAR_WORDS_AND_COSINE if vouched or contained else SIMILAR_WORDS)


# A text is compared with each of its neighbours, by more than one rule, and they with the next text.
@lru_cache(maxsize=128)
def terms_of(text: str) -> frozenset[str]:
    """The terms of a text, each once."""
    return frozenset(tokens.terms(text))


def contradicts(new: str, old: str) -> bool:
    """Whether two texts differ in a number, a name or a "not"."""
    if negations(new) != negations(old):
        return True
    return any(_differ(set(found.findall(new)), set(found.findall(old))) for found in (_NUMBER, _NAME))


def _differ(new: set[str], old: set[str]) -> bool:
    """Each has something the other lacks: one may add a name, but not put another in its place."""
    return bool(new - old) and bool(old - new)


def negations(text: str) -> int:
    """How often a text says "not"."""
    return sum(word in _NEGATIONS for word in tokens.words(text)) + len(_CONTRACTED.findall(text))


def _within(part: list[str], whole: list[str]) -> bool:
    """Whether all of `part` stands in `whole`, in the same order."""
    rest = iter(whole)
    return all(word in rest for word in part)
