"""Loose updates: a newer quantity takes an older one's place though little of what they are about is said again.

"From June on it's 1,350" tells nothing of rent. That it is new, that the last amount of the same person was of the same
kind and size, and that nothing speaks of another thing, must do; so only the latest of several is ever meant.
"""

from datetime import datetime, timedelta

from nacre.domain.clocks import shifted
from nacre.memory import clause_values, tones
from nacre.memory.value_frames import ValueFrame
from nacre.text.counts import CLOCK, PLACE
from nacre.text.measures import SPAN, Measure, Quantity, differ

# How much of the other the smaller of two amounts of one thing is, at least: told in one unit, in money, or with the
# unit left out of one of them.
_SAME_UNIT, _SAME_MONEY, _NO_UNIT = 0.2, 0.3, 0.7
# With so few words beside it, a value goes on with what was said before.
_FEW = 1
# Have a number because there are several of them.
_PLACES = tones.read_words(
    "room gate harbour flight bus tram line platform street road apart flat floor group team bay"
)
_WHEN = tones.read_words("morn afternoon even night tonight yesterday weekend everybodi everyon tard noch anoch")
# A day that passed so long ago is no longer waited for.
_OVER, _JUST_OVER = timedelta(days=2), timedelta(days=75)


def outdates_loosely(new: ValueFrame, old: ValueFrame, at: datetime, said_at: datetime) -> bool:
    """Whether a newer frame may take the place of an older one that it is not told apart from."""
    if new.family == old.family == "day":
        return _is_moved(new, old, at, said_at)
    if Measure.CODE in (new.quantity.measure, old.quantity.measure) or new.family in ("day", "time"):
        return False
    return new.family == old.family and _is_another_amount(new, old, corrected=_is_corrected(new, at, said_at))


def _is_moved(new: ValueFrame, old: ValueFrame, at: datetime, said_at: datetime) -> bool:
    if Measure.WEEKDAY in (new.quantity.measure, old.quantity.measure) or not differ(new.quantity, old.quantity):
        return False
    if not (new.is_moved_day or _is_corrected(new, at, said_at)):
        return False
    if not (_is_waited_for(old, at, said_at) and _is_waited_for(new, at, at)):
        return False
    return bool(_shared(new, old)) or not _rest(new) or (_goes_on(new) and _is_corrected(new, at, said_at))


def _is_waited_for(frame: ValueFrame, at: datetime, said_at: datetime) -> bool:
    """Whether a day that was named earlier was to come then, and still is or has only just passed."""
    period = frame.quantity.period
    if period is None:
        return False
    years = [said_at.year - 1, said_at.year, said_at.year + 1] if period.yearless else [period.start.year]
    meant = [each for year in years if (each := period.of_year(year) if period.yearless else period)]
    if frame.is_event and any(timedelta() < said_at - each.end < _JUST_OVER for each in meant):
        return False
    return any(each.end >= shifted(at, -_OVER) and each.end >= said_at for each in meant)


def _is_corrected(new: ValueFrame, at: datetime, said_at: datetime) -> bool:
    """Whether something is taken back that was said just before."""
    return new.is_corrected and at - said_at <= _OVER


def _is_another_amount(new: ValueFrame, old: ValueFrame, *, corrected: bool) -> bool:
    if _is_next_version(new, old):
        return True
    least = _least_share(new, old)
    cued = new.is_cued or corrected
    if least is None or not (cued or _goes_on(new)) or new.quantity.key == old.quantity.key:
        return False
    if new.is_sum and old.is_sum and not cued and _amount(new.quantity) < _amount(old.quantity):
        return False
    if new.family == "money" and (not cued or new.is_event or (old.is_event and not _shared(new, old))):
        return False
    if not _shared(new, old) and not _is_said_alone(new, old):
        return False
    return _ratio(new, old) >= least


def _is_said_alone(new: ValueFrame, old: ValueFrame) -> bool:
    """Whether an amount of which nothing is told can only be that of the older: both are money at one rate, or count
    the same. A bare number may be an age, a size or a mark, unless it is given as new and is nearly as much
    as what was paid.
    """
    if new.family == "money":
        return new.quantity.unit == old.quantity.unit and (_goes_on(new) or len(new.bare) <= len(old.bare) + 1)
    if _goes_on(new) and _plain_unit(new) & _plain_unit(old) - clause_values.GENERIC:
        return True
    paid = any(each[0] == "/" for each in old.quantity.unit.split())
    return paid and new.is_cued and not _rest(new) and _ratio(new, old) >= _NO_UNIT


def _is_next_version(new: ValueFrame, old: ValueFrame) -> bool:
    """Whether both name one thing by a number, and the newer by a higher one: Node 16, Node 22."""
    if not new.quantity.measure is old.quantity.measure is Measure.LABEL or new.unit != old.unit:
        return False
    return not new.unit & _PLACES and new.is_named and 0 < _amount(old.quantity) < _amount(new.quantity)


def _least_share(new: ValueFrame, old: ValueFrame) -> float | None:
    """How near two amounts must be to be of one thing; None where they measure different things."""
    ours, theirs = (_plain_unit(each) for each in (new, old))
    other = bool(ours) and new.quantity.measure is not old.quantity.measure
    if other or _are_other_rates(new, old) or not _PLACES.isdisjoint(ours | theirs):
        return None
    if new.family == "money":
        return _SAME_MONEY if ours == theirs else None
    if not ours and not theirs:
        return _SAME_MONEY
    if not ours:
        return _NO_UNIT if theirs - clause_values.GENERIC else None
    return _SAME_UNIT if (ours & theirs) - clause_values.GENERIC else None


def _are_other_rates(new: ValueFrame, old: ValueFrame) -> bool:
    rates = [{each for each in frame.quantity.unit.split() if each[0] == "/"} for frame in (new, old)]
    return all(rates) and rates[0] != rates[1]


def _plain_unit(frame: ValueFrame) -> set[str]:
    """What is counted, but for words that name any number."""
    return {each for each in frame.quantity.unit.split() if each != PLACE and each[0] != "/"} - {"number"}


def _goes_on(new: ValueFrame) -> bool:
    """Whether a clause says so little beside its value that it can only go on with what was said before."""
    return len(_rest(new)) <= _FEW


def _rest(new: ValueFrame) -> frozenset[str]:
    return new.bare - clause_values.WEAK - _WHEN - new.unit


def _ratio(new: ValueFrame, old: ValueFrame) -> float:
    one, other = sorted((_amount(new.quantity), _amount(old.quantity)))
    return one / other if other > 0 else 0.0


def _shared(new: ValueFrame, old: ValueFrame) -> frozenset[str]:
    """What both clauses speak of; the sentences around them may be about anything."""
    return ((new.own | new.bare) & (old.own | old.bare)) - clause_values.WEAK - new.unit - old.unit


def _amount(quantity: Quantity) -> float:
    key = quantity.key.partition(SPAN)[0]
    if quantity.unit == CLOCK:
        whole = 0.0
        for part in key.split(":"):
            whole = whole * 60 + float(part)
        return whole
    try:
        return float(key)
    except ValueError:
        return 0.0
