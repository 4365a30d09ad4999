"""Facts that rest on words which became outdated: they end with them, and where the new words give another value, that
takes over. All of it is operations, in the batch of the statement that was said.
"""

import re
from collections.abc import Sequence
from uuid import UUID

from nacre.domain.claim_operations import RecordClaim, SupersedeClaimValue
from nacre.domain.commands import Command
from nacre.domain.hits import Kind
from nacre.domain.links import LOCATED_IN
from nacre.domain.operations import UpdateLink
from nacre.domain.outdated import MarkOutdated
from nacre.memory import cues
from nacre.store import associations, claims, entities
from nacre.store.associations import Known
from nacre.store.databases import Transaction
from nacre.text.letters import fold

# What happened stays so, whoever is gone since.
_HAPPENED = frozenset({"events", "visits", "decisions", "opinions", "notes", "purchases", "works"})
# Who knows whom, and what lies where, does not end because somebody or something else does.
_LASTING = frozenset({"knows", "friend_of", "family_of", LOCATED_IN})
# A new value of more words is a whole sentence.
MAX_CARRIED = 5
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?")


def end_facts(home: Transaction, marks: Sequence[MarkOutdated]) -> dict[UUID, list[Command]]:
    """The operations that end what rests on outdated words, by the turn or memory that made these so."""
    items = {each for mark in marks for each in (mark.older, mark.newer)}
    resting = associations.resting_on(home, items) if items else []
    facts = [fact for fact in resting if fact.holds and fact.quote and fact.topic not in _HAPPENED]
    values = _values(home, facts)
    orders: dict[UUID, list[Command]] = {}
    ended: set[UUID] = set()
    for mark in marks:
        known = any(_same(values[fact.id], mark.new_value) for fact in facts if mark.newer in fact.items)
        for fact in facts:
            if fact.id not in ended and _is_meant(fact, values[fact.id], mark):
                ended.add(fact.id)
                orders.setdefault(mark.newer, []).append(_order(home, fact, mark, carried=not known))
    return orders


def _values(home: Transaction, facts: Sequence[Known]) -> dict[UUID, str]:
    ends = {fact.object for fact in facts if fact.object}
    names = {key: entity.name for key, entity in entities.by_id(home, ends).items()} if ends else {}
    return {fact.id: names.get(fact.object, "") if fact.object else _value_of(fact) for fact in facts}


def _value_of(fact: Known) -> str:
    return fact.said.removeprefix(fact.topic.replace("_", " ")).strip()


def _is_meant(fact: Known, value: str, mark: MarkOutdated) -> bool:
    """Whether a fact says what is outdated: it rests on those words and gives that value."""
    if mark.older not in fact.items or fact.quote is None or not mark.quote[0] <= fact.quote[0] < mark.quote[1]:
        return False
    if fact.topic in _LASTING and not cues.is_parting(mark.new_value):
        return False
    return _same(value, mark.value) or bool(_DATE.fullmatch(value) and _is_day(mark.value))


def _same(value: str, other: str) -> bool:
    """Whether one of two values holds the other."""
    ours, theirs = (fold(each.casefold()) for each in (value, other))
    return bool(ours and theirs) and (ours in theirs or theirs in ours)


def _is_day(value: str) -> bool:
    return any(map(str.isdigit, value)) or value.casefold().endswith("day")


def _order(home: Transaction, fact: Known, mark: MarkOutdated, *, carried: bool) -> Command:
    """The end of a fact; a claim goes on with the new value, where that is one and nothing else was learned of it."""
    if fact.kind is Kind.LINK:
        return Command(operation=UpdateLink(link=fact.id, valid_to=mark.at), reason=mark.reason)
    claim = claims.by_id(home, [fact.id])[fact.id]
    if carried and len(mark.new_value.split()) <= MAX_CARRIED and not _DATE.fullmatch(claim.value):
        value = claim.value.replace(mark.value, mark.new_value) if mark.value in claim.value else mark.new_value
        turned = SupersedeClaimValue(attribute_id=claim.id, new_value=value, valid_from=mark.at)
        return Command(operation=turned, reason=mark.reason)
    slot = claim.slot
    gone = RecordClaim(
        entity=claim.entity,
        aspect=slot.aspect,
        group=slot.group,
        claim=slot.claim,
        value=claim.value,
        retracted=True,
        valid_to=mark.at,
    )
    return Command(operation=gone, reason=mark.reason)
