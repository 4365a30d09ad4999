"""Reader forms: what a fact of the reader becomes in the graph, by its predicate. The one place that says so."""

from collections.abc import Mapping
from dataclasses import dataclass

from nacre.domain.entities import EntityType

PLANS = "plans/general/plans"
AVOIDS = "diet/general/avoids"
ALLERGY = "health/general/allergy"
MEDICINES = "health/general/medicines"
EMAIL, PHONE = "profile/contact/email", "profile/contact/phone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A link to an entity of `type` (`link`), or a claim (`path`). A form with both is a link where the object can be
    called by name, and a claim where it is only described.

    `happens`: it takes place once, so that having done it is no ending. `of_things`: it is said of things, and of no
    speaker. `intended` are the words that make a plan of it: to "live in" Rome; None where no plan is made of it.
    """

    link: str | None = None
    path: str | None = None
    type: EntityType = EntityType.UNKNOWN
    detail: str | None = None
    happens: bool = False
    of_things: bool = False
    intended: str | None = None


def _link(predicate: str, kind: EntityType, path: str, *, happens: bool = False, intended: str | None = None) -> Form:
    return Form(link=predicate, path=path, type=kind, happens=happens, intended=intended)


def _claim(path: str, *, happens: bool = False, of_things: bool = False, intended: str | None = None) -> Form:
    return Form(path=path, happens=happens, of_things=of_things, intended=intended)


def _person(predicate: str, key: str) -> Form:
    return Form(link=predicate, path=f"relations/general/{key}", type=EntityType.PERSON)


FORMS: Mapping[str, Form] = {
    "name": _claim("profile/general/name"),
    "role": _claim("work/general/role", intended="be"),
    "works_at": _link("works_at", EntityType.ORGANIZATION, "work/general/workplaces", intended="work at"),
    "studies": _claim("study/general/subject", intended="study"),
    "lives_in": _link("lives_in", EntityType.LOCATION, "home/general/home", intended="live in"),
    "from": _claim("profile/general/origin"),
    "visited": _claim("life/general/visits", happens=True, intended="visit"),
    "family": _person("family_of", "relatives"),
    "partner": _person("partner_of", "partner"),
    "friend": _person("friend_of", "friends"),
    "knows": _person("knows", "acquaintances"),
    "colleague": _person("colleague_of", "colleagues"),
    "pet": Form(link="owns", path="possessions/general/pets", detail="pet", intended="get"),
    "owns": _link("owns", EntityType.ARTIFACT, "possessions/general/things", intended="own"),
    "bought": _link("owns", EntityType.ARTIFACT, "possessions/general/things", happens=True, intended="buy"),
    "uses": _link("uses", EntityType.TOOL, "possessions/general/tools", intended="use"),
    "likes": _link("prefers", EntityType.PREFERENCE, "taste/general/likes"),
    "dislikes": _link("dislikes", EntityType.PREFERENCE, "taste/general/dislikes"),
    "favourite": Form(link="prefers", path="taste/general/favourites", type=EntityType.PREFERENCE, detail="likes most"),
    "hobby": _claim("leisure/general/hobbies", intended=""),
    "skill": _claim("profile/general/skills", intended="learn"),
    "goal": _claim("plans/general/goals", happens=True),
    "plan": _claim(PLANS, intended=""),
    "event": _claim("life/general/events", happens=True, intended=""),
    "did": _claim("life/general/events", happens=True, intended=""),
    "health": _claim("health/general/conditions", happens=True, intended=""),
    "diet": _claim("diet/general/diet"),
    "habit": _claim("life/general/habits", intended=""),
    "age": _claim("profile/general/age"),
    "birthday": _claim("profile/general/birthday"),
    "date": _claim("schedule/general/date", of_things=True),
    "member_of": _link("member_of", EntityType.ORGANIZATION, "life/general/memberships", intended="join"),
    "works_on": _link("works_on", EntityType.PROJECT, "work/general/projects", intended="work on"),
    "made": _link("created", EntityType.ARTIFACT, "life/general/works", happens=True, intended="make"),
    "opinion": _claim("views/general/opinions", happens=True),
    "cost": _claim("price/general/price", of_things=True),
    "contact": _claim("profile/contact/details"),
    "decision": _claim("plans/general/decisions", happens=True, intended=""),
    "status": _claim("state/general/status"),
    "located_in": _claim("place/general/location", of_things=True),
    "part_of": Form(link="part_of", path="place/general/part_of", of_things=True),
    "other": _claim("notes/general/notes", happens=True, intended=""),
}
# What was bought and is not the buyer's own.
BOUGHT = _claim("life/general/purchases", happens=True, intended="buy")
