"""Updates: whether a newer statement makes an older one outdated, because it gives another value of the same thing.

A wrong mark hides what is true. Where the newer statement does not speak of a change, both must say how things stand,
and more of what they are about must be the same.
"""

from collections.abc import Iterator
from dataclasses import replace

from nacre.domain.outdated_marks import MAX_VALUE
from nacre.memory import clause_values, life_updates, loose_updates, named_updates, replacements, tones
from nacre.memory.pairs import Update, shown
from nacre.memory.statements import TextStatements
from nacre.memory.value_frames import ValueFrame
from nacre.text.counts import PLACE
from nacre.text.measures import SPAN, Measure, Quantity, differ

_PEOPLE = tones.read_words("""
    sister brother mother father mom mum dad son daughter wife husband friend cousin aunt uncle boss neighbour neighbor
    colleagu partner girlfriend boyfriend roommat kid child grandma grandmoth grandpa grandfath hermano hermana madr
    padr hijo hija espos marido mujer amigo amiga primo prima
""")
# What a shared word is worth, and how much of a clause must be shared.
_WEAK, _NAME, _FAR = 0.4, 1.5, 0.5
_ENOUGH, _MORE, _COVER = 2.0, 0.5, 0.5
# A clause with so few words beside what it counts is about that.
_FEW = 1
# With so few words a clause says nothing that could be left out.
_SHORT = 4


def find_updates(new: TextStatements, old: TextStatements, *, spoken: bool = False) -> list[Update]:
    """The statements of an older text that a newer one makes outdated, one for each sentence.

    With `spoken`, only what speaks of a change counts: within one talk people say more of a thing than one value.
    """
    updates_by_index: dict[int, Update] = {}
    repeated = {(each.family, each.quantity.key, each.unit) for each in new.frames}
    for older in old.frames:
        if (older.family, older.quantity.key, older.unit) in repeated:
            continue
        newer = next((each for each in new.frames if (each.is_change or not spoken) and outdates(each, older)), None)
        if newer:
            updates_by_index.setdefault(older.quote[0], _update(new, newer, old, older))
    for update in _by_sentences(new, old):
        updates_by_index.setdefault(update.quote[0], update)
    named = (*named_updates.find_named_updates(new, old), *life_updates.find_life_updates(new, old))
    for update in (*_by_size(new, old, spoken=spoken), *named):
        updates_by_index.setdefault(update.quote[0], update)
    return list(updates_by_index.values())


def _by_size(new: TextStatements, old: TextStatements, *, spoken: bool) -> Iterator[Update]:
    """What quantities say of which little more is told than that they are new."""
    repeated = {(each.family, each.quantity.key) for each in new.frames}
    for newer in new.frames if old.at < new.at else ():
        if spoken and not newer.is_corrected:
            continue
        for older in reversed(old.frames):
            if (older.family, older.quantity.key) in repeated or _told_apart(newer, older):
                continue
            if loose_updates.outdates_loosely(newer, older, new.at, old.at):
                yield replace(_update(new, newer, old, older), loose=True, gentle=True)
                break


def _update(new: TextStatements, newer: ValueFrame, old: TextStatements, older: ValueFrame) -> Update:
    said, before = new.text[slice(*newer.quote)], old.text[slice(*older.quote)]
    return Update(
        quote=older.quote,
        newer_quote=newer.quote,
        value=older.value[:MAX_VALUE],
        new_value=newer.value[:MAX_VALUE],
        because=f"{shown(said)} gives another value than {shown(before)}.",
    )


def _by_sentences(new: TextStatements, old: TextStatements) -> list[Update]:
    """What whole sentences say, as memories are compared."""
    found = []
    for newer in new.sentences:
        for older in old.sentences if newer.is_telling else ():
            if newer.stems.isdisjoint(older.stems):
                continue
            verdict = replacements.judge_sentence(newer.text, new.at, older.text, old.at)
            if verdict and not verdict.terse and (verdict.sure or (newer.is_change and verdict.value)):
                value, said = (verdict.value or older.text)[:MAX_VALUE], newer.text[:MAX_VALUE]
                found.append(
                    Update(
                        quote=older.quote,
                        newer_quote=newer.quote,
                        value=value,
                        new_value=said,
                        because=verdict.because,
                    )
                )
    return found


def outdates(new: ValueFrame, old: ValueFrame) -> bool:
    """Whether a newer frame takes an older one's place."""
    if new.family != old.family or not old.is_state or not new.is_state:
        return False
    if not _is_other(new.quantity, old.quantity) or not _same_unit(new, old) or _told_apart(new, old):
        return False
    if new.is_sum and old.is_sum and not new.is_switch and _number(new.quantity) < _number(old.quantity):
        return False
    return _same_topic(new, old)


def _is_other(one: Quantity, other: Quantity) -> bool:
    if one.measure is Measure.TIME and (SPAN in one.key) != (SPAN in other.key):
        return False
    return differ(one, other) if one.measure is other.measure else one.key != other.key


def _same_unit(new: ValueFrame, old: ValueFrame) -> bool:
    ones, others = new.quantity.unit.split(), old.quantity.unit.split()
    if {each for each in ones if each[0] == "/"} != {each for each in others if each[0] == "/"}:
        return False
    # How far one has come is no count of all that there is.
    if (PLACE in ones) != (PLACE in others) and not (new.is_sum if PLACE in others else old.is_sum):
        return False
    ones, others = ([each for each in unit if each != PLACE and each[0] != "/"] for unit in (ones, others))
    if not ones or not others:
        return not ones and not others
    return ones[-1] in others or others[-1] in ones


def _told_apart(new: ValueFrame, old: ValueFrame) -> bool:
    """Whether they speak of different people, days or things."""
    if _are_of_others(new, old):
        return True
    for measure in (Measure.WEEKDAY, Measure.DATE, Measure.LABEL):
        ours, theirs = ([each for each in some if each.measure is measure] for some in (new.beside, old.beside))
        alike = [(one, other) for one in ours for other in theirs if one.unit == other.unit]
        if alike and all(differ(one, other) for one, other in alike):
            return True
        if measure is Measure.WEEKDAY and bool(ours) != bool(theirs):
            return True
    places = [{each.unit: each.key for each in some.beside if PLACE in each.unit.split()} for some in (new, old)]
    if any(places[0][unit] != places[1][unit] for unit in places[0].keys() & places[1].keys()):
        return True
    units = [each.unit & each.names for each in (new, old)]
    if units[0] - old.topic - old.unit or units[1] - new.topic - new.unit:
        return True
    return bool(new.names - old.topic - old.far - old.unit) and bool(old.names - new.topic - new.far - new.unit)


def _are_of_others(new: ValueFrame, old: ValueFrame) -> bool:
    if new.persons and old.persons and new.persons.isdisjoint(old.persons):
        return True
    return bool(_PEOPLE & new.topic) != bool(_PEOPLE & old.topic) and not _shared(new, old)


def _shared(new: ValueFrame, old: ValueFrame) -> frozenset[str]:
    return ((new.topic | new.far) & (old.topic | old.far)) - clause_values.WEAK - new.unit - old.unit


def _same_topic(new: ValueFrame, old: ValueFrame) -> bool:
    unit = new.unit | old.unit
    ours, theirs = new.own - unit, old.own - unit
    wide, old_wide = new.topic | new.far, old.topic | old.far
    # Of what is counted, only the words beside the noun tell it from others.
    shared = ((wide & old_wide) - unit) | ((new.unit & old.unit) - {each.noun for each in (new, old)})
    worth = sum(_worth(each, new, old) for each in shared) + len(_same_days(new, old))
    shares = _share(ours, old_wide), _share(theirs, wide)
    most = max(shares)
    if new.family == "day":
        return new.is_rescheduled and worth >= 1 and (most == 1 or worth >= _ENOUGH)
    rest, said = (ours | theirs) - clause_values.WEAK, [words - clause_values.WEAK for words in (ours, theirs)]
    if not unit <= clause_values.GENERIC and len(rest) <= _FEW and not all(said):
        # What is counted is all that they are about.
        return new.is_change or not rest
    if new.is_switch:
        return worth >= 1 and (most == 1 or (worth >= _ENOUGH and most >= _COVER))
    if new.family in ("time", "money"):
        habit = bool(_same_days(new, old)) and worth >= _ENOUGH and most == 1
        covered = worth >= 1 and min(shares) >= (_COVER if new.is_change else 1)
        return habit or (covered and (new.is_change or not new.is_one_of_many))
    if not new.is_change and max(len(ours), len(theirs)) <= _SHORT and min(shares) < 1 and most < 1:
        # Of two short statements, each says something that the other does not: the north plant, the south plant.
        return False
    return bool(unit) and (
        (worth >= 1 and min(shares) == 1) or _is_counted_alike(new, worth, most, generic=unit <= clause_values.GENERIC)
    )


def _is_counted_alike(new: ValueFrame, worth: float, most: float, *, generic: bool) -> bool:
    if new.is_change and not generic and most == 1 and worth >= 1:
        return True
    return worth >= _ENOUGH + _MORE * generic and most >= _COVER


def _same_days(new: ValueFrame, old: ValueFrame) -> set[str]:
    """The days of the week that both are of."""
    ours, theirs = ({each.key for each in some.beside if each.measure is Measure.WEEKDAY} for some in (new, old))
    return ours & theirs


def _worth(stem: str, new: ValueFrame, old: ValueFrame) -> float:
    if stem in clause_values.WEAK:
        return _WEAK
    worth = _NAME if stem in new.names or stem in old.names else 1.0
    return worth * _FAR if stem in new.far or stem in old.far else worth


def _share(words: frozenset[str], others: frozenset[str]) -> float:
    return len(words & others) / len(words) if words else 0.0


def _number(quantity: Quantity) -> float:
    try:
        return float(quantity.key.partition(SPAN)[0].replace(":", "."))
    except ValueError:
        return 0.0
