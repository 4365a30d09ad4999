"""Succession readings: what the succession model finds in pairs of speeches, and which updates it is sure enough of."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from nacre.domain.outdated_marks import MAX_VALUE
from nacre.extraction import amount_guards
from nacre.extraction import succession_guards as guards
from nacre.extraction.speeches import Speech, is_same_talk, spoken_turn
from nacre.memory import cues, named_amounts
from nacre.memory.pairs import Update, shown
from nacre.memory.statements import TextStatements
from nacre.models.local_succession import LocalSuccession, SuccessionReading
from nacre.text import languages

# How sure the model must be: a wrong mark puts what is true behind something else. Of writers it never read 83 and
# 89 of 100 are right from here on. Within one talk people come back to a subject without taking anything back.
SURE, VERY_SURE = 0.98, 0.99
# What a turn changes besides what it most likely changes is less often right: in lives that were kept from training 12
# of 31 instead of 173 of 231 from 0.98 on, and 5 of 42 from 0.9 on. Fitted there, that is worth so much of the chance.
SURE_BESIDES = 0.997
# From here on a reader is told that something may be outdated: of such marks in talk that was kept from training nearly
# half are right, and of those below a third.
DOUBTFUL, VERY_DOUBTFUL = 0.9, 0.95
# From here on what is not marked is noted, with how likely it is: `recall/successions.py` says what that is good for.
LIKELY = 0.2
# What rules conclude holds where the model finds it at least this likely: below, six of seven are wrong.
UPHELD = 0.1
# Who says what changed says it briefly: two longer texts are reports or pages, of which the model knows nothing.
LONG_TALK = 300
_READ_MOST = frozenset({"en", languages.UNDETERMINED})


class ReadPair(NamedTuple):
    """Two speeches, and what the model reads in them."""

    older: Speech
    newer: Speech
    reading: SuccessionReading


def is_upheld(newer: Speech, older: Speech, model: LocalSuccession) -> bool:
    """Whether a model that reads both finds it likely enough that one makes something of the other outdated.

    It understands no slip that is put right in a word or two, nor every word for doing away with something; of other
    languages it has read little, and of reports nothing.
    """
    was, now = older.statements.text, newer.statements.text
    terse = cues.is_mistaken(now) or cues.is_given_up(now) or cues.is_away(now)
    if terse or languages.detect(now) not in _READ_MOST or min(len(was), len(now)) > LONG_TALK:
        return True
    reading = model.read_pair(spoken_turn(older), spoken_turn(newer))
    return reading is None or reading.chance >= UPHELD


def read_pairs(speech: Speech, wide: Sequence[Speech], model: LocalSuccession) -> Iterator[ReadPair]:
    """The pairs of a speech and one that is like it which the model finds likely."""
    near = model.nearest(speech.statements.text, [other.statements.text for other in wide])
    for other in (wide[place] for place in near):
        older, newer = sorted((speech, other), key=lambda one: one.order)
        was, now = older.statements.text, newer.statements.text
        if min(len(was), len(now)) > LONG_TALK:
            continue
        found = model.read_pair(spoken_turn(older), spoken_turn(newer))
        if found is None or found.chance < LIKELY:
            continue
        if guards.is_of_another(was, now, found) or guards.is_of_another_couple(was, now, found):
            continue
        if guards.is_out_of_place(was, now, found) or guards.is_of_another_job(was, now, found):
            continue
        yield ReadPair(older, newer, found)


def believed_updates(read: Iterable[ReadPair]) -> Iterator[tuple[ReadPair, float, Update]]:
    """What the model believes in, with how sure it is; of two the one that shares more words comes first."""
    for older, newer, found in read:
        was, now = older.statements.text, newer.statements.text
        # Of Spanish the model has read little.
        strict = languages.detect(now) not in _READ_MOST or is_same_talk(newer, older)
        sure, doubtful = (VERY_SURE, VERY_DOUBTFUL) if strict else (SURE, DOUBTFUL)
        if found.chance < doubtful:
            continue
        update = _update_of(newer.statements, older.statements, amount_guards.whole_ranges(was, now, found))
        update = replace(update, doubtful=found.chance < sure or guards.is_unanswered_harm(update))
        update = amount_guards.right_amount(was, now, update)
        named = named_amounts.by_name([update], newer.statements, older.statements)
        for told in (amount_guards.comparable_amount(was, now, each) for each in named):
            if amount_guards.is_same_amount(told) or amount_guards.is_of_another_amount(was, now, told):
                continue
            if guards.is_no_change(now, told):
                continue
            if guards.is_news_of_somebody(was, now, told):
                continue
            right = guards.right_wish(now, guards.right_medicine(now, told))
            yield ReadPair(older, newer, found), found.chance + guards.shared_worth(was, now), right


def _update_of(newer: TextStatements, older: TextStatements, found: SuccessionReading) -> Update:
    quote, said = _sentence(older, found.was), _sentence(newer, found.now)
    return Update(
        quote=quote,
        newer_quote=said,
        value=older.text[slice(*found.was)][:MAX_VALUE],
        new_value=newer.text[slice(*found.now)][:MAX_VALUE],
        because=f"{shown(newer.text[slice(*said)])} makes {shown(older.text[slice(*quote)])} outdated.",
        gentle=True,
        soft=True,
    )


def _sentence(statements: TextStatements, words: tuple[int, int]) -> tuple[int, int]:
    """The sentence that some words stand in."""
    quotes = (each.quote for each in statements.every)
    return next((quote for quote in quotes if quote[0] <= words[0] < quote[1]), words)


def as_besides(update: Update, chance: float) -> Update | None:
    """An update by a turn that more likely makes something else outdated; None where that is too unlikely."""
    if chance < SURE:
        return None
    return replace(update, doubtful=update.doubtful or chance < SURE_BESIDES)
