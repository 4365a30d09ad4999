"""Supersession: whether a new value replaces what its slot holds.

The slot's cardinality decides, then the order of events, then the words of the sentence; never a shared verb. Where
these leave a doubt the value stands beside the others or a person is asked. Nothing here touches a database.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from nacre.domain.claims import Cardinality, Claim, ClaimKind, Slot
from nacre.domain.ids import ClaimId
from nacre.graph.beliefs import markers, values
from nacre.graph.beliefs.cardinality import default_cardinality
from nacre.graph.beliefs.markers import ValueMarkers
from nacre.text import medicines

CERTAIN = 1.0
SURE = 0.95
LIKELY = 0.85
FAIR = 0.75
UNSURE = 0.5

# The claim of what somebody takes.
MEDICINES = "medicines"
_SHOWN = 60
# Slots of what is not wanted, and the words whose denial takes something out of them.
_AVERSE = frozenset(
    {"dislikes", "hates", "avoids", "aversions", "allergies", "intolerances", "alergias", "odia", "evita"}
)
_AVERSION = re.compile(
    r"dislik|hate|hating|avoid|avers|allerg|intoleran|\bmind|bother|alerg|odi[ao]|evita", re.IGNORECASE
)


class Action(StrEnum):
    """What becomes of a value: see `Verdict`."""

    REPEAT = "repeat"
    ADD = "add"
    REPLACE = "replace"
    REFINE = "refine"
    LATE = "late"
    RETRACT = "retract"
    REFUSE = "refuse"
    REVIEW = "review"


ENDING = frozenset({Action.REPLACE, Action.REFINE, Action.RETRACT})


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueVerdict:
    """A decision, and in `because` its reason in one sentence. `over` are the versions that it is about.

    =======  ==========================================  ====================================
    action   meaning                                     over
    =======  ==========================================  ====================================
    repeat   it is held already: reinforce it            the version that says so
    add      it stands beside what is held               none
    replace  it takes the place of what is held          what ends
    refine   it says the same more precisely             what ends
    late     it was so before what is held               what came after it
    retract  it is not so, or no longer                  what ends; none if nothing held says so
    refuse   an active constraint holds the slot         the constraints
    review   a person should decide                      what it may replace
    =======  ==========================================  ====================================

    `until` is when the value ends: the end of a passing state, or the beginning of what came after a late one.
    """

    action: Action
    over: tuple[ClaimId, ...]
    confidence: float
    because: str
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _ValueCase:
    """What there is to judge. `peers` are what the value may meet, the oldest first."""

    slot: Slot
    cardinality: Cardinality | None
    peers: tuple[Claim, ...]
    value: str
    at: datetime
    said: str
    saying: ValueMarkers

    @property
    def single(self) -> bool:
        return self.cardinality is Cardinality.SINGLE

    @property
    def multi(self) -> bool:
        return self.cardinality is Cardinality.MULTI

    @property
    def key(self) -> str:
        return self.slot.claim or f"{self.slot.aspect}/{self.slot.group}"

    @property
    def until(self) -> datetime | None:
        return markers.end(self.said, self.at) if self.saying.passes(self.key) else None

    def where(self, condition: Callable[[Claim], bool]) -> tuple[Claim, ...]:
        return tuple(claim for claim in self.peers if condition(claim))


def judge(
    slot: Slot,
    cardinality: Cardinality | None,
    current: Sequence[Claim],
    value: str,
    *,
    at: datetime,
    kind: ClaimKind = ClaimKind.ATTRIBUTE,
    said: str | None = None,
) -> ValueVerdict:
    """What a value does to the active versions of its slot.

    `at` is when it became true, `said` the sentence it was said in. Without a cardinality the words of the claim key
    decide, and where they say nothing, a slot that holds several values already holds several.
    """
    rules = kind is ClaimKind.CONSTRAINT
    standing = [claim for claim in current if claim.valid_to is None or claim.valid_to > at]
    peers = sorted((c for c in standing if not rules or c.kind is kind), key=lambda claim: (claim.since, claim.id))
    known = cardinality or default_cardinality(slot)
    if known is None and slot.claim is not None and len(peers) > 1:
        known = Cardinality.MULTI
    case = _ValueCase(
        slot=slot,
        cardinality=known,
        peers=tuple(peers),
        value=value,
        at=at,
        said=said or value,
        saying=markers.read(said, value, [claim.value for claim in peers]),
    )
    return _guarded(case, next(filter(None, (step(case) for step in _STEPS))))


def _guarded(case: _ValueCase, verdict: ValueVerdict) -> ValueVerdict:
    """A constraint is never ended, and in a slot of one value nothing stands beside it."""
    constraints = case.where(lambda claim: claim.kind is ClaimKind.CONSTRAINT)
    ended = [claim for claim in constraints if claim.id in verdict.over] if verdict.action in ENDING else []
    crowded = case.single and verdict.action is Action.ADD
    if not ended and not (constraints and crowded):
        return verdict
    because = f"{case.key} is held by a rule, {_shown(constraints[0].value)}, and only force changes it."
    return _verdict(Action.REFUSE, constraints, CERTAIN, because)


def _denied(case: _ValueCase) -> ValueVerdict | None:
    """The sentence says that the value is not so, or no longer."""
    saying = case.saying
    denied = saying.denied and not _affirmed_by_denial(case)
    if not denied and not (saying.past and not saying.changed):
        return None
    over = case.where(lambda claim: _says(claim.value, case.value))
    if over and saying.passing:
        because = f"{_shown(over[-1].value)} is said not to be so for a while only; somebody should decide."
        return _verdict(Action.REVIEW, over, UNSURE, because)
    if over:
        return _retract(case, over, f"It is said that {_shown(over[-1].value)} is not so, or no longer.")
    if not denied or values.is_denied(case.value):
        return None
    because = f"{_shown(case.value)} is said not to be so, and nothing held says it is."
    return _verdict(Action.RETRACT, (), LIKELY, because)


def _repeat(case: _ValueCase) -> ValueVerdict | None:
    twins = case.where(lambda claim: values.same(claim.value, case.value))
    if not twins:
        return None
    return _verdict(Action.REPEAT, twins[-1:], SURE, f"{case.key} says {_shown(twins[-1].value)} already.")


def _opposed(case: _ValueCase) -> ValueVerdict | None:
    """The value denies what is held, or affirms what is held to be not so."""
    if values.is_nothing(case.value) and case.peers:
        return _retract(case, case.peers, f"{case.key} is said to be nothing at all.")
    opposed = case.where(lambda claim: values.opposite(case.value, claim.value) or _is_over(case.value, claim.value))
    if not opposed:
        return None
    old, new = _shown(opposed[-1].value), _shown(case.value)
    if values.is_denied(case.value) and not values.is_answer(case.value):
        return _retract(case, opposed, f"{new} denies {old}.")
    return _replace(case, opposed, SURE, f"{new} is the opposite of {old}.")


def _first(case: _ValueCase) -> ValueVerdict | None:
    return None if case.peers else _add(case, CERTAIN, f"{case.key} holds nothing yet.")


def _named(case: _ValueCase) -> ValueVerdict | None:
    """Values that the sentence itself says are over or were wrong."""
    named = case.where(lambda claim: claim.value in case.saying.against)
    if not named:
        return None
    because = f"The sentence puts {_shown(case.value)} in the place of {_shown(named[-1].value)}."
    return _replace(case, case.peers if case.single else named, SURE, because)


def _medicine(case: _ValueCase) -> ValueVerdict | None:
    """A medicine replaces itself in another dose; one that somebody is switched to replaces one of its family.

    A switch that names none, and meets none of its family, is from the only one there is. Of two that fit, neither
    ends.
    """
    if case.slot.claim != MEDICINES:
        return None
    named = medicines.medicine_in(case.value)
    over = case.where(lambda claim: named is not None and medicines.medicine_in(claim.value) == named)
    if not over and case.saying.changed and not case.saying.added:
        alike = case.where(lambda claim: medicines.of_one_family(claim.value, case.value))
        alike = alike or (case.peers if case.saying.switched else ())
        over = alike if len(alike) == 1 else ()
    if not over:
        return _add(case, LIKELY, f"{_shown(case.value)} is taken beside {_shown(case.peers[-1].value)}.")
    return _replace(case, over, LIKELY, f"{_shown(case.value)} is taken in the place of {_shown(over[-1].value)}.")


def _before(case: _ValueCase) -> ValueVerdict | None:
    if not case.saying.past or case.saying.changed:
        return None
    if case.multi or case.slot.claim is None:
        return _verdict(
            Action.RETRACT, (), FAIR, f"{_shown(case.value)} was so once, and nothing held says it still is."
        )
    because = f"{_shown(case.value)} is said to have been so before {_shown(case.peers[-1].value)}."
    return _late(case.peers, because)


def _passing(case: _ValueCase) -> ValueVerdict | None:
    if not case.saying.passes(case.key) or case.multi:
        return None
    because = f"{_shown(case.value)} is said of a while only, so {_shown(case.peers[-1].value)} stays"
    if case.until:
        return _add(case, LIKELY, f"{because} and this ends on {case.until:%Y-%m-%d}.")
    return _verdict(Action.REVIEW, case.peers, UNSURE, f"{because}; somebody should say when this ends.")


def _refined(case: _ValueCase) -> ValueVerdict | None:
    earlier = [claim for claim in case.peers if claim.since <= case.at]
    vaguer = [
        claim
        for claim in earlier
        if values.refines(case.value, claim.value) or (case.single and values.contains(case.value, claim.value))
    ]
    if vaguer:
        because = f"{_shown(case.value)} says the same as {_shown(vaguer[-1].value)}, more precisely."
        return _verdict(Action.REFINE, vaguer, LIKELY, because)
    closer = case.where(lambda claim: values.refines(claim.value, case.value))
    if closer:
        because = f"{_shown(closer[-1].value)} says this already, more precisely."
        return _verdict(Action.REPEAT, closer[-1:], LIKELY, because)
    if case.single and earlier and values.contains(earlier[-1].value, case.value):
        because = f"{_shown(case.value)} may be less than {_shown(earlier[-1].value)}, or a change."
        return _verdict(Action.REVIEW, case.peers, UNSURE, because)
    return None


def _recounted(case: _ValueCase) -> ValueVerdict | None:
    counted = case.where(lambda claim: values.recounted(case.value, claim.value))
    if not counted or case.saying.added:
        return None
    because = f"{_shown(case.value)} is another count of the same as {_shown(counted[-1].value)}."
    return _replace(case, counted, LIKELY, because)


def _by_cardinality(case: _ValueCase) -> ValueVerdict:
    if case.single:
        return _in_single(case)
    if case.multi:
        return _in_multi(case)
    return _in_statements(case) if case.slot.claim is None else _in_unknown(case)


def _in_single(case: _ValueCase) -> ValueVerdict:
    newest = _shown(case.peers[-1].value)
    if case.saying.added:
        because = (
            f"{case.key} holds one value at a time, yet {_shown(case.value)} is said to be one more than {newest}."
        )
        return _verdict(Action.REVIEW, case.peers, UNSURE, because)
    because = f"{case.key} holds one value at a time, and {_shown(case.value)} is not {newest}."
    return _replace(case, case.peers, SURE, because)


def _in_multi(case: _ValueCase) -> ValueVerdict:
    if not case.saying.added and (case.saying.corrected or case.saying.switched):
        because = f"{case.key} holds several values, and it is not said which of them {_shown(case.value)} replaces."
        return _verdict(Action.REVIEW, case.peers, UNSURE, because)
    return _add(case, SURE, f"{case.key} holds several values, and {_shown(case.value)} is not among them.")


def _in_unknown(case: _ValueCase) -> ValueVerdict:
    old, new = case.peers[-1].value, case.value
    if case.saying.added:
        return _add(case, LIKELY, f"{_shown(new)} is said to be one more beside {_shown(old)}.")
    if case.saying.changed or case.saying.corrected:
        return _replace(
            case, case.peers, FAIR, f"The sentence speaks of a change, and {_shown(new)} is not {_shown(old)}."
        )
    if values.is_number(new) and values.renumbered(new, old):
        return _replace(case, case.peers, FAIR, f"{_shown(new)} is another measure of the same as {_shown(old)}.")
    if values.is_short(new) and values.is_short(old):
        because = (
            f"It is not known whether {case.key} holds one value or several, and {_shown(new)} is not {_shown(old)}."
        )
        return _verdict(Action.REVIEW, case.peers, UNSURE, because)
    return _add(case, FAIR, f"Nothing says that {_shown(new)} and {_shown(old)} cannot both be so.")


def _in_statements(case: _ValueCase) -> ValueVerdict:
    """A slot without a key holds whole statements: only two about one subject can be at odds."""
    held = case.where(lambda claim: values.at_odds(case.value, claim.value))
    if not held or case.saying.added:
        return _add(case, SURE, f"Nothing in {case.key} speaks of the same as {_shown(case.value)}.")
    old = held[-1].value
    if case.saying.changed or case.saying.corrected or values.is_single(case.value):
        return _replace(case, held, FAIR, f"{_shown(case.value)} and {_shown(old)} cannot both be so.")
    because = f"{_shown(case.value)} and {_shown(old)} may both be so, or the one replaces the other."
    return _verdict(Action.REVIEW, held, UNSURE, because)


_STEPS: tuple[Callable[[_ValueCase], ValueVerdict | None], ...] = (
    _denied,
    _repeat,
    _opposed,
    _first,
    _named,
    _medicine,
    _before,
    _passing,
    _refined,
    _recounted,
    _by_cardinality,
)


def _says(old_value: str, value: str) -> bool:
    """Whether what is held says the value, in so many words or with a verb before it."""
    if values.same(old_value, value):
        return True
    more = len(values.tokens(old_value)) - len(values.tokens(value))
    return more == 1 and old_value.endswith(f" {value}") and old_value[0].islower()


def _affirmed_by_denial(case: _ValueCase) -> bool:
    """Whether a "not" speaks for the value: "can't stand olives" among dislikes. "Doesn't mind olives" does not."""
    words = frozenset((case.slot.claim or "").split("_"))
    return not _AVERSE.isdisjoint(words) and not _AVERSION.search(case.said)


def _is_over(value: str, old_value: str) -> bool:
    """Whether a value such as `no longer uses Redis` is about what is held, `Redis`."""
    return values.is_over(value) and _says(values.affirmed(value), old_value)


def _replace(case: _ValueCase, over: Sequence[Claim], confidence: float, because: str) -> ValueVerdict:
    """In the place of what is held, unless that began later."""
    later = [claim for claim in over if claim.since > case.at]
    if not later:
        return _verdict(Action.REPLACE, over, confidence, because)
    if case.saying.corrected:
        because = f"{_shown(case.value)} corrects something, but {_shown(later[-1].value)} is newer."
        return _verdict(Action.REVIEW, later, UNSURE, because)
    return _late(later, f"{_shown(later[0].value)} began later than {_shown(case.value)}, so this belongs before it.")


def _late(over: Sequence[Claim], because: str) -> ValueVerdict:
    return _verdict(Action.LATE, over, LIKELY, because, until=min(claim.since for claim in over))


def _retract(case: _ValueCase, over: Sequence[Claim], because: str) -> ValueVerdict:
    earlier = [claim for claim in over if claim.since <= case.at]
    if not earlier:
        because = f"{_shown(over[-1].value)} began later than that, so nothing ends."
    return _verdict(Action.RETRACT, earlier, LIKELY, because)


def _add(case: _ValueCase, confidence: float, because: str) -> ValueVerdict:
    return _verdict(Action.ADD, (), confidence, because, until=case.until)


def _verdict(
    action: Action, over: Sequence[Claim], confidence: float, because: str, until: datetime | None = None
) -> ValueVerdict:
    ids = tuple(claim.id for claim in over)
    return ValueVerdict(action=action, over=ids, confidence=confidence, because=because, until=until)


def _shown(value: str) -> str:
    line = " ".join(value.split()).rstrip(".")
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1].rstrip()}…"
