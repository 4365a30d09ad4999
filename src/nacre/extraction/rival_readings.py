"""Rival readings: what a surer fact of the same turn, or the verb before its words, makes of a fact of the reader."""

import re
from collections.abc import Iterable

from nacre.models.readings import FactReading
from nacre.text.conditions import names_condition
from nacre.text.medicines import medicine_in

# Of these somebody has one, whatever else is read into a turn: "in Dayton, Ohio", "14 feb (yes, valentines)".
_SINGLE = ("name", "lives_in", "role", "age", "birthday")
# Right before somebody with whom something has begun.
_SEES = re.compile(
    r"\b(?:been seeing|(?:i'm|im|am|started) seeing|dating|going out with|saliendo con)"
    r"(?: (?:this|a|an|some|new|una?|girl|guy|woman|man|lad|bloke|chic[oa]|called|named|llamad[oa])){0,4} \Z"
)
# Right before a place or an employer.
_DWELLS_OR_WORKS = re.compile(
    r"\b(?:(?P<lives>liv(?:es?|ed|ing) (?:in|at|near))|(?:work(?:s|ed|ing)?|job|employed) (?:at|for|with)"
    r"|(?:cogid[oa]|contratad[oa]|fichad[oa]|cogieron|contrataron|ficharon|(?:dado|dieron|encontrado|conseguido|encontré"
    r"|conseguí)(?: un| el)? (?:trabajo|puesto|empleo|curro|plaza)) en)"
    r"(?: (?:the|an?|el|la|los|las|una?))? \Z"
)
# "Soy Iker, de Bilbao".
_DE = re.compile(r"\bsoy(?: \w++){0,3}(?:,| ) ?de \Z")
# "Alergia al polen y a los gatos".
_ALLERGIC_TOO = re.compile(r"\bal[ée]rg\w+ al? [^.;!?]{1,40}(?:,| y| e| o|,? ni) a(?:l| la| los| las)? \Z")


def is_outdone(reading: FactReading, others: Iterable[FactReading]) -> bool:
    """Whether a surer fact has some of the same words, or says the one thing that there can be otherwise."""
    return any(
        (_is_within(each, reading) or _is_of_one_kind(each, reading)) and each.chance > reading.chance
        for each in others
        if each is not reading
    )


def _is_within(inner: FactReading, outer: FactReading) -> bool:
    """Whether the words of one are a part of the other's: "vegan" of "vegan since 2019, cant do gluten"."""
    one, whole = inner.object, outer.object
    return inner.predicate == outer.predicate and whole.start <= one.start and one.end <= whole.end


def _is_of_one_kind(one: FactReading, other: FactReading) -> bool:
    same = one.predicate == other.predicate and one.subject is other.subject and one.mode == other.mode == "now"
    named = (one.mention.text if one.mention else None) == (other.mention.text if other.mention else None)
    return same and named and one.predicate in _SINGLE and not (one.time or other.time)


def predicate(text: str, reading: FactReading) -> str:
    """What is said of somebody: the verb right before the words counts for more than what the reader makes of it."""
    if reading.predicate in ("works_at", "lives_in"):
        told = _DWELLS_OR_WORKS.search(text[: reading.object.start].casefold())
        if reading.predicate == "lives_in" and _DE.search(text[: reading.object.start].casefold()):
            return "from"
        return reading.predicate if told is None else "lives_in" if told["lives"] else "works_at"
    if reading.predicate in ("family", "friend", "knows") and _SEES.search(text[: reading.object.start].casefold()):
        return "partner"
    taken = reading.predicate in ("uses", "habit") and medicine_in(reading.object.text)
    suffered = reading.predicate in ("owns", "pet") and (
        names_condition(reading.object.text) or _ALLERGIC_TOO.search(text[: reading.object.start].casefold())
    )
    return "health" if taken or suffered else reading.predicate
