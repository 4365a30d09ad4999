"""Statements that give different quantities: another day, another price, another hour for the same thing."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from nacre.memory import tones
from nacre.memory.frames import Frame, is_since
from nacre.memory.pairs import FEW, StatementPair, UpdateVerdict, shown
from nacre.text.measures import SPAN, Measure, Quantity, differ
from nacre.text.times import Period

_WHEN = frozenset({Measure.DATE, Measure.WEEKDAY, Measure.TIME})
# Several of these stand beside each other, unless a change is spoken of.
_LOOSE = frozenset({Measure.WEEKDAY, Measure.LABEL, Measure.CODE})
_CALLED = {Measure.DATE: "day", Measure.WEEKDAY: "day", Measure.TIME: "time", Measure.MONEY: "amount"}
# Come right before a quantity that is turned down: not June 16.
_NOT = re.compile(
    r"\b(?:not|no longer|instead of|rather than|y no|en vez de|en lugar de)\s+(?:the |el |la )?\Z", re.IGNORECASE
)
_FROM = re.compile(r"\b(?:from|de|del|desde)\s+\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Clash:
    """The quantities that contradict each other, and in what.

    With `apart`, one of them says something beside it that the other does not, and several values may be meant.
    """

    new: Quantity
    old: Quantity
    measures: frozenset[Measure]
    apart: bool


def judge_quantities(pair: StatementPair) -> UpdateVerdict | None:
    """What the quantities of two statements say."""
    clash = _clash(pair)
    newer, older = pair.newer, pair.older
    if clash is None or not pair.shared or newer.saying.added:
        return None
    told = newer.switched or newer.saying.corrected
    if not told and (tones.is_event(newer.text) or tones.is_event(older.text)):
        return None
    if pair.is_of_others or (newer.saying.passing and Measure.DATE not in clash.measures):
        return None
    if max(len(pair.more), len(pair.less)) > FEW or (pair.more and pair.less and not _nearly_same(pair)):
        return None
    return _weighed(pair, clash)


def _nearly_same(pair: StatementPair) -> bool:
    return pair.newer.changed and len(pair.shared) >= FEW and len(pair.more) == len(pair.less) == 1


def _weighed(pair: StatementPair, clash: _Clash) -> UpdateVerdict:
    """Whether it is sure that one takes the other's place."""
    newer, older, value = pair.newer, pair.older, pair.older.words_of(clash.old)
    if pair.more or clash.apart or tones.is_guessed(newer.text) or tones.is_guessed(older.text):
        return pair.asks(value)
    called = _CALLED.get(clash.old.measure, "number")
    because = f"{shown(newer.text)} gives another {called} than {shown(older.text)}."
    sure = UpdateVerdict(sure=True, because=because, value=value)
    if pair.less:
        # Whoever speaks of a change leaves out the name of what changed, but not what it is.
        return replace(sure, terse=True) if newer.changed and pair.less <= older.names else pair.asks(value)
    if newer.changed:
        return sure
    if clash.old.period and _is_past(clash.old.period, older, newer):
        # It took place; another one comes.
        return pair.asks(value)
    return sure if _is_plain(clash) and _gives(newer, clash.new) and _gives(older, clash.old) else pair.asks(value)


def _is_past(day: Period, older: Frame, newer: Frame) -> bool:
    """Whether a day had gone by when the newer statement was made."""
    meant = day
    if day.yearless:
        years = [day.of_year(older.at.year + step) for step in (0, 1)]
        meant = next((each for each in years if each and each.end > older.at), day)
    return meant.end <= newer.at


def _is_plain(clash: _Clash) -> bool:
    """Whether nothing but another value can be meant: one quantity, and one that does not come several times."""
    loose = clash.old.measure in _LOOSE or SPAN in clash.old.key + clash.new.key or clash.old.unit != clash.new.unit
    return len(clash.measures) == 1 and not loose


def _gives(frame: Frame, quantity: Quantity) -> bool:
    """Whether a statement says of one definite thing that it now is so."""
    head = frame.text[: quantity.start]
    given = tones.gives_time(head) if quantity.measure in _WHEN else tones.gives_amount(head)
    return (given or frame.switched) and not tones.is_one_of_many(frame.text) and not tones.is_new(frame.text)


def _clash(pair: StatementPair) -> _Clash | None:
    """What the two cannot both be right about; None where they can, or speak of different days of one thing."""
    newer, older = pair.newer, pair.older
    if any(_is_other(each, [*older.qualifiers, *older.values]) for each in newer.qualifiers if not is_since(each)):
        return None
    new, old = _beside(_affirmed(newer), older.values), older.values
    clashing = []
    for measure in dict.fromkeys(each.measure for each in old):
        ours, theirs = ([each for each in some if each.measure is measure] for some in (new, old))
        if not ours:
            continue
        if not _is_other(ours[0], theirs) or len(ours) != len(theirs):
            if not (len(ours) == len(theirs) == 1):
                return None
            continue
        if not _are_alike(ours[0], theirs[0]):
            return None
        clashing.append((ours, theirs))
    if not clashing:
        return None
    measures = frozenset(theirs[0].measure for _, theirs in clashing)
    several = any(len(ours) > 1 for ours, _ in clashing)
    ours, theirs = clashing[0]
    return _Clash(ours[0], theirs[0], measures, several or _is_apart(newer, older, new, measures))


def _is_other(quantity: Quantity, others: Iterable[Quantity]) -> bool:
    """Whether others of its measure are there, and none of them may be meant by it."""
    alike = [each for each in others if each.measure is quantity.measure]
    return bool(alike) and all(not _are_alike(each, quantity) or differ(each, quantity) for each in alike)


def _is_apart(newer: Frame, older: Frame, new: Sequence[Quantity], measures: frozenset[Measure]) -> bool:
    theirs = {each.measure for each in (*older.values, *older.qualifiers) if each.measure is not Measure.LABEL}
    ours = {
        each.measure for each in (*new, *newer.qualifiers) if each.measure is not Measure.LABEL and not is_since(each)
    }
    more = ours - theirs
    # An hour says more of the day; a day beside an hour may say of which day the hour is.
    return bool(theirs - ours) or bool(more and not (more == {Measure.TIME} and measures == {Measure.DATE}))


def _affirmed(frame: Frame) -> list[Quantity]:
    """The values of a statement without those that it turns down."""
    return [each for each in frame.values if not _is_turned_down(each, frame)]


def _is_turned_down(quantity: Quantity, frame: Frame) -> bool:
    head = frame.text[: quantity.start]
    away = quantity.lead == "from" or bool(_FROM.search(head))
    return bool(_NOT.search(head)) or (away and frame.switched and len(frame.values) > 1)


def _beside(new: Sequence[Quantity], old: Sequence[Quantity]) -> list[Quantity]:
    """The newer quantities; what may be an hour is a number beside numbers: raised to 11."""
    measures = {each.measure for each in old}
    if Measure.NUMBER not in measures or Measure.TIME in measures:
        return list(new)
    hours = [each for each in new if each.measure is Measure.TIME and each.lead and each.key.endswith(":00?")]
    return [
        replace(each, measure=Measure.NUMBER, key=each.key.partition(":")[0]) if each in hours else each for each in new
    ]


def _are_alike(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities of one measure are of one unit; how often it is due may be left out."""
    ours, our_rate = one.unit.partition("/")[::2]
    theirs, their_rate = other.unit.partition("/")[::2]
    return ours == theirs and (not our_rate or not their_rate or our_rate == their_rate)
