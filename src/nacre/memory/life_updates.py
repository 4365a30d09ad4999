"""Life updates: a new home, job or course outdates the last one, though neither statement says so outright.

"Mattress on the floor in Porto, the van is stuck" tells of a move, "first morning at the payroll office" of a new job.
Each field of life has words by which people speak of how things stand there, and others by which they begin anew.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from nacre.domain.outdated_marks import MAX_VALUE
from nacre.memory import value_frames
from nacre.memory.life_fields import FIELDS, Field, read_phrases
from nacre.memory.named_updates import names_placed, names_said
from nacre.memory.pairs import Update, shown
from nacre.memory.statements import StatedSentence, TextStatements
from nacre.text.caseless_patterns import caseless

# Of somebody else than who speaks.
_ANOTHER = re.compile(
    read_phrases(r"""
    he|she|they|his|her|their|you|your|(?:my|our|mi|mein|meine|mon|ma|meu|minha) \w+
    (?-i:[A-ZÀ-Þ]\w+) (?:is|has|was|got)"""),
    re.IGNORECASE,
)


# Before a beginning: it was none. Who tried the new place in Soho ate there.
_NEARLY = caseless(
    read_phrases(r"""
    almost|nearly|never|casi|por poco|nunca|fast|beinahe|nie|presque|failli|quase
    tried|ate|lunch|dinner|brunch|drinks|coffee|checked out|comimos|cenamos""")
)

_BEGINNINGS = {each.name: each.begins for each in FIELDS}


def life_keys(text_statements: TextStatements) -> list[str]:
    """The keys under which a text is found again that tells how things stand in a field of life."""
    return [f"life {each.name}" for each in FIELDS if each.stands.search(text_statements.text)]


def sought_life_keys(text_statements: TextStatements) -> list[str]:
    """The keys of what a text may outdate that tells of a beginning."""
    return [f"life {each.name}" for each in FIELDS if each.begins.search(text_statements.text)]


def find_life_updates(new: TextStatements, old: TextStatements) -> Iterator[Update]:
    """What a newer text of the same person begins anew, of what an older one says of how things stood."""
    if not old.at < new.at:
        return
    for field in FIELDS:
        newer = _beginning(field, new)
        value = _new_value(field, newer, new) if newer else None
        for older in old.every if newer and value else ():
            before = _old_value(field, older)
            if newer and value and before and value not in old.text and not _speaks_of(before, older, new.text):
                yield Update(
                    quote=older.quote,
                    newer_quote=newer.quote,
                    value=before[:MAX_VALUE],
                    new_value=value[:MAX_VALUE],
                    because=f"{shown(newer.text)} begins anew what {shown(older.text)} tells of.",
                    gentle=True,
                )


def _speaks_of(before: str, older: StatedSentence, text: str) -> bool:
    """Whether a newer text speaks of what the older sentence names: who got a job there has its first week there."""
    said = text.casefold()
    return before.casefold() in said or any(name.casefold() in said for name in names_said(older.text))


def _beginning(field: Field, new: TextStatements) -> StatedSentence | None:
    for each in new.every:
        if _tells_of_beginning(field.name, each.text):
            return each if value_frames.is_stated(each.text, asks=each.text.endswith("?")) else None
    return None


# Asked for each older text that a newer one is compared with.
@lru_cache(maxsize=4_000)
def _tells_of_beginning(field: str, text: str) -> bool:
    found = _BEGINNINGS[field].search(text)
    return bool(found and not _is_of_another(text, found) and not _NEARLY.search(text, 0, found.start()))


def _is_of_another(text: str, match: re.Match[str]) -> bool:
    """Whether what stands before some words makes somebody else their subject."""
    return _ANOTHER.search(text, 0, match.start()) is not None


def _new_value(field: Field, newer: StatedSentence, new: TextStatements) -> str | None:
    """The new place, where one is named beside the move; else what is said of the beginning."""
    if not field.named:
        return newer.text
    places = names_placed(newer.text) or [each for some in new.every for each in names_placed(some.text)]
    return next(iter(places or [each for some in new.every for each in names_said(some.text)]), None)


def _old_value(field: Field, older: StatedSentence) -> str | None:
    found = field.stands.search(older.text)
    if found is None or field.begins.search(older.text) or _is_of_another(older.text, found):
        return None
    placed = names_placed(older.text[found.start() :]) if field.placed else []
    if field.named:
        return next(iter(placed or names_said(older.text)), None)
    return next(iter(placed), older.text[slice(*found.span())])
