"""Life updates: a new home, job or course outdates the last one, though neither statement says so outright.

"Mattress on the floor in Porto, the van is stuck" tells of a move, "first morning at the payroll office" of a new job.
Each field of life has words by which people speak of how things stand there, and others by which they begin anew.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nacre.domain.outdated import MAX_VALUE
from nacre.memory import value_frames
from nacre.memory.named_updates import names_placed, names_said
from nacre.memory.pairs import Update, shown
from nacre.memory.statements import Sentence, Statements


def _words(lines: str) -> re.Pattern[str]:
    every = "|".join(each.strip() for each in lines.replace("\n", "|").split("|") if each.strip())
    return re.compile(rf"(?<![\w'’-])(?:{every})(?![\w-])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Field:
    """How people speak of a field of life as it is, and of a beginning there; what is a value of it, if not names."""

    name: str
    stands: re.Pattern[str]
    begins: re.Pattern[str]
    named: bool = False
    placed: bool = False


_FIELDS = (
    _Field(
        name="home",
        stands=_words(r"""
            live|living|based|rent|renting|(?:here|still|stuck|back|home|house|flat|apartment|studio|place|room) in
            our place|i['’]m here|the flat|wohne?n?|lebe|vivo|vivimos|moro|moramos|habite|vis"""),
        begins=_words(r"""
            moved (?:to|in|into)|moving (?:van|truck|boxes)|the van with|u-?haul|keys (?:to|in|are|r)|unpack(?:ed|ing)
            last box|mattress on|furniture|hung the last|new (?:place|flat|apartment|house|window|street) in
            found (?:a|an) (?:\w+ )?(?:studio|flat|apartment|place|room)|sublet|signed the lease|mudanza|mudança
            me mud(?:é|ei)|nos mud\w+|ventana nueva|piso nuevo|casa nueva|nuevo piso|umzug\w*|umgezogen|eingezogen
            neue wohnung|emménag\w+|déménag\w+|nouvel appart\w*|casa nova|apê novo"""),
        named=True,
        placed=True,
    ),
    _Field(
        name="work",
        stands=_words(r"""
            work (?:at|for)|working (?:at|for|as)|job at|years (?:into|at)|(?:i['’]m|i am) an? (?:\w+ ){1,3}?at
            trabajo (?:en|de|como)|llevo \w+ años (?:de|en)|arbeite|travaille|trabalho|je suis \w+ chez"""),
        begins=_words(r"""
            first (?:day|morning|week|shift) (?:at|of|as|in|with|on)|started at|took me on|hired me|primer (?:día|turno)
            primera semana|empecé en|erster (?:arbeits)?tag|premier jour|primeiro dia"""),
        placed=True,
    ),
    _Field(
        name="study",
        stands=_words(r"""
            my \w+ degree|i['’]m studying|majoring in|curso de|carrera de|studiere|étudie"""),
        begins=_words(r"""
            changed my major|switched (?:my )?majors?|an? \w+ (?:student|major) (?:now|as of|since)|entrei em|entré en
            me cambié a|mudei para|gewechselt zu"""),
    ),
)
# Of somebody else than who speaks.
_ANOTHER = _words(r"""
    he|she|they|his|her|their|you|your|(?:my|our|mi|mein|meine|mon|ma|meu|minha) \w+
    (?-i:[A-ZÀ-Þ]\w+) (?:is|has|was|got)""")


# Before a beginning: it was none.
_NEARLY = _words(r"""
    almost|nearly|never|casi|por poco|nunca|fast|beinahe|nie|presque|failli|quase""")


def life_keys(said: Statements) -> list[str]:
    """The keys under which a text is found again that tells how things stand in a field of life."""
    return [f"life {each.name}" for each in _FIELDS if each.stands.search(said.text)]


def sought_life_keys(said: Statements) -> list[str]:
    """The keys of what a text may outdate that tells of a beginning."""
    return [f"life {each.name}" for each in _FIELDS if each.begins.search(said.text)]


def find_life_updates(new: Statements, old: Statements) -> Iterator[Update]:
    """What a newer text of the same person begins anew, of what an older one says of how things stood."""
    if not old.at < new.at:
        return
    for field in _FIELDS:
        newer = _beginning(field, new)
        value = _new_value(field, newer, new) if newer else None
        for older in old.every if newer and value else ():
            before = _old_value(field, older)
            if newer and value and before and before not in new.text and value not in old.text:
                yield Update(
                    quote=older.quote,
                    newer_quote=newer.quote,
                    value=before[:MAX_VALUE],
                    new_value=value[:MAX_VALUE],
                    because=f"{shown(newer.text)} begins anew what {shown(older.text)} tells of.",
                    gentle=True,
                )


def _beginning(field: _Field, new: Statements) -> Sentence | None:
    for each in new.every:
        found = field.begins.search(each.text)
        if found and not _is_of_another(each.text, found) and not _NEARLY.search(each.text, 0, found.start()):
            return each if value_frames.is_stated(each.text, asks=each.text.endswith("?")) else None
    return None


def _is_of_another(text: str, found: re.Match[str]) -> bool:
    """Whether what stands before some words makes somebody else their subject."""
    return _ANOTHER.search(text, 0, found.start()) is not None


def _new_value(field: _Field, newer: Sentence, new: Statements) -> str | None:
    """The new place, where one is named beside the move; else what is said of the beginning."""
    if not field.named:
        return newer.text
    places = names_placed(newer.text) or [each for some in new.every for each in names_placed(some.text)]
    return next(iter(places or [each for some in new.every for each in names_said(some.text)]), None)


def _old_value(field: _Field, older: Sentence) -> str | None:
    found = field.stands.search(older.text)
    if found is None or field.begins.search(older.text) or _is_of_another(older.text, found):
        return None
    placed = names_placed(older.text[found.start() :]) if field.placed else []
    if field.named:
        return next(iter(placed or names_said(older.text)), None)
    return next(iter(placed), found[0])
