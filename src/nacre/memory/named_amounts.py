"""Named amounts: each number of a text with the words of its own clause, which tell of which thing it is.

"Gym went up to 45. rent down to 850" gives two numbers, and each takes the place of the one that its name had before.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nacre.memory import clause_values, cues, frames, tones, value_frames
from nacre.memory.pairs import Update, shown
from nacre.memory.statements import TextStatements
from nacre.text import clauses, sentences

# How much of the other the smaller of two numbers of one thing is, at least.
LEAST_SHARE = 0.15
_AMOUNT = re.compile(
    r"(?<![\w.,/:-])[€$£]?\d+(?:[.,]\d+)*(?:/\d+)?"
    r"(?: ?(?P<unit>mg|mcg|ml|kg|g|k|lbs?|%|€|euros?|kilos?|miles?|km|min(?:ute)?s?))?(?![\w:/-]|[.,]\d)",
    re.IGNORECASE,
)
_NUMBER, _THOUSANDS = re.compile(r"\d+(?:[.,]\d{3})*(?:[.,]\d+)?"), re.compile(r"[.,](?=\d{3}(?!\d))")
# A clause of so few words gives a value and says nothing else of it.
_TERSE = 4
# Tell when, or that there was a change, and not of what.
_COMMON = tones.read_words("""
    bump up upped gone down drop dropped rose risen rais increas lower cut climb jump fell fallen chang move moved put
    still stay tho though subido bajado subi baja sub baj cost pay paid price cuesta pago
    monday tuesday wednesday thursday friday saturday sunday januari februari march april may june juli august
    septemb octob novemb decemb enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
""")


@dataclass(frozen=True, slots=True)
class NamedAmount:
    """A number as it is written, with its unit, where it stands, its sentence and clause, and what names it."""

    text: str
    unit: str
    span: tuple[int, int]
    sentence: tuple[int, int]
    clause: str
    names: frozenset[str]

    @property
    def size(self) -> float:
        """The number itself; what separates three digits at its end separates thousands."""
        return float(_THOUSANDS.sub("", _NUMBER.search(self.text)[0]).replace(",", "."))  # type: ignore[index]


@dataclass(frozen=True, slots=True)
class AmountPair:
    """The number that a name has in a newer text, and the one that it had in an older one."""

    older: NamedAmount
    newer: NamedAmount

    @property
    def differs(self) -> bool:
        """Whether the two are different."""
        return self.older.text != self.newer.text

    @property
    def is_told(self) -> bool:
        """Whether the newer clause gives its number as what it is now."""
        return len(self.newer.clause.split()) <= _TERSE or cues.is_changed(self.newer.clause)


def by_name(updates: Sequence[Update], new: TextStatements, old: TextStatements) -> list[Update]:
    """The updates, those of a number with the one that had its name before, and what else both texts give by name."""
    if not any(map(_has_digit, updates)) or max(len(_AMOUNT.findall(each.text)) for each in (new, old)) == 1:
        return list(updates)
    pairs = _pairs(new, old)
    righted: list[Update] = []
    told: list[AmountPair] = []
    for update in updates:
        meant = _meant(update, pairs, new.text, old.text) if _has_digit(update) else None
        if meant is None:
            righted.append(update)
        elif meant not in told and meant.differs:
            told.append(meant)
            righted.append(_update(update, meant, new.text, old.text))
    first = next(each for each in updates if _has_digit(each))
    others = [pair for pair in pairs if pair.differs and pair.is_told and pair not in told]
    return [*righted, *(_update(first, pair, new.text, old.text) for pair in others)]


def _has_digit(update: Update) -> bool:
    return any(map(str.isdigit, update.value)) and any(map(str.isdigit, update.new_value))


def _meant(update: Update, pairs: Sequence[AmountPair], new: str, old: str) -> AmountPair | None:
    """The pair of which an update gives both numbers, or else the newer, or the older."""
    said = [each for each in pairs if _holds(new, update.newer_quote, update.new_value, each.newer)]
    was = [each for each in pairs if _holds(old, update.quote, update.value, each.older)]
    both = [each for each in said if each in was]
    return next(iter((*both, *said, *was)), None)


def _holds(text: str, sentence: tuple[int, int], value: str, amount: NamedAmount) -> bool:
    start = text.find(value, *sentence)
    return start >= 0 and start <= amount.span[0] and amount.span[1] - len(amount.unit) <= start + len(value)


def _update(update: Update, pair: AmountPair, new: str, old: str) -> Update:
    was, now = pair.older, pair.newer
    if (update.value, update.new_value) == (was.text, now.text) or (
        _holds(old, update.quote, update.value, was)
        and _holds(new, update.newer_quote, update.new_value, now)
        and len(_AMOUNT.findall(update.value)) == len(_AMOUNT.findall(update.new_value)) == 1
    ):
        return update
    said, before = shown(new[slice(*now.sentence)]), shown(old[slice(*was.sentence)])
    because = f"{said} gives another value than {before}."
    return replace(
        update,
        quote=was.sentence,
        newer_quote=now.sentence,
        value=was.text,
        new_value=now.text,
        because=because,
        loose=False,
    )


def _pairs(new: TextStatements, old: TextStatements) -> list[AmountPair]:
    """The numbers of both texts that have one name, which no other number of either has."""
    language = frames.detect_language(new.text, old.text)
    ours, theirs = _amounts(new.text, language), _amounts(old.text, language)
    found = [
        AmountPair(before, now)
        for now in ours
        for before in theirs
        if now.names & before.names and not (now.unit and before.unit and now.unit != before.unit)
        # "All gates after number 9" gives no code that was 4471.
        if min(now.size, before.size) >= LEAST_SHARE * max(now.size, before.size)
    ]
    taken = Counter(id(each) for pair in found for each in (pair.older, pair.newer))
    return [pair for pair in found if taken[id(pair.older)] == taken[id(pair.newer)] == 1]


def _amounts(text: str, language: str) -> list[NamedAmount]:
    amounts: list[NamedAmount] = []
    for sentence in sentences.split(text):
        for found in _AMOUNT.finditer(text, *sentence):
            clause = text[slice(*clauses.part_around(text, sentence, found.span()))]
            words = value_frames.topic_words(_AMOUNT.sub(" ", clause), language)
            names = frozenset(words) - clause_values.WEAK - clause_values.GENERIC - _COMMON
            unit = (found["unit"] or "").casefold()
            amounts.append(NamedAmount(found[0], unit, found.span(), sentence, clause, names))
    said = Counter(name for each in amounts for name in each.names)
    return [replace(each, names=frozenset(name for name in each.names if said[name] == 1)) for each in amounts]
