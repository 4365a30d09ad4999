"""Wordings: links and claims as a person would say them, with since when, and what it was before."""

import re
from datetime import datetime

# A predicate as the words between both ends.
_LINKS = {
    "lives_in": "lives in",
    "works_at": "works at",
    "works_on": "works on",
    "works_with": "works with",
    "located_in": "is in",
    "based_at": "is based at",
    "part_of": "is part of",
    "member_of": "is a member of",
    "belongs_to": "belongs to",
    "depends_on": "depends on",
    "hosted_on": "is hosted on",
    "integrates_with": "integrates with",
    "prefers": "likes",
    "uses_tool": "uses",
    "preferred_source": "prefers to get news from",
    "has_role": "is",
    "has_price": "costs",
    "family_of": "is family of",
    "partner_of": "is the partner of",
    "friend_of": "is a friend of",
    "colleague_of": "is a colleague of",
    "related_to": "has to do with",
    "scheduled_for": "is scheduled for",
    "assigned_to": "is assigned to",
    "project_name": "is called",
    "created": "made",
    "authored_by": "was written by",
    "owned_by": "is owned by",
}
# Their detail is a word for the other person.
_KINDS_OF_PEOPLE = frozenset(
    {"family_of", "friend_of", "partner_of", "colleague_of", "knows", "owns", "reports_to", "manages"}
)
# What the other is where nobody said so.
_DETAILS = {"reports_to": "boss"}
# A claim's path as the words before its value.
_CLAIMS = {
    "health/general/allergy": "is allergic to",
    "health/general/medicines": "takes",
    "diet/general/avoids": "avoids",
    "profile/general/name": "is called",
    "profile/general/nickname": "goes by",
    "profile/general/origin": "is from",
    "profile/general/known_from": "is known from",
    "profile/general/age": "is aged",
    "profile/general/birthday": "has a birthday on",
    "profile/general/marital_status": "is",
    "work/general/status": "is",
    "health/general/pregnancy": "is",
    "profile/general/nationality": "is",
    "profile/contact/phone": "has the phone number",
    "profile/contact/email": "has the email address",
    "home/general/address": "lives at",
    "work/general/role": "works as",
    "work/general/area": "works in",
    "work/general/workplaces": "works at",
    "work/general/projects": "works on",
    "taste/general/likes": "likes",
    "taste/general/dislikes": "dislikes",
    "taste/general/favourites": "likes most",
    "possessions/general/things": "owns",
    "possessions/general/tools": "uses",
    "home/general/home": "lives in",
    "life/general/works": "made",
    "life/general/purchases": "bought",
    "life/general/memberships": "is a member of",
    "life/general/visits": "visited",
    "diet/general/diet": "eats:",
    "price/general/price": "costs",
    "place/general/location": "is at",
    "place/general/part_of": "is part of",
    "schedule/general/date": "is on",
    "study/general/subject": "studies",
    "schedule/general/deadline": "has the deadline",
}
_RELATION = re.compile(r"relations/(?!general/)(?P<who>\w+)/(?P<what>\w+)")
_UNDERSCORES = str.maketrans("_", " ")
# What is said of something of somebody's follows the name at once.
POSSESSIVE = "'s "

# What somebody does, and not what they are: run a startup, drive for a living.
_DOING = re.compile(r"[a-z]+ (?:(?:an?|the|my|our) |for a living)")

_CLOCK = re.compile(r"\d{1,2}(?:[:.]\d\d|\s?[ap]m\b|h\b)", re.IGNORECASE)
# Claims whose path names a thing. A day on a calendar may be another's: a sister's wedding is not the speaker's.
_NAMED_CLAIMS = (
    (re.compile(r"profile/languages/(\w+)"), "speaks {name} ({value})"),
    (re.compile(r"calendar/\w+/(\w+)"), POSSESSIVE + "calendar: {name} {lead} {value}"),
    (re.compile(r"prices/(\w+)/price"), POSSESSIVE + "{name} costs {value}"),
    (re.compile(r"possessions/pets/(\w+)"), "has a {name} ({value})"),
    (re.compile(r"replies/general/(\w+)"), "wants replies like this: {value}"),
)


def link_words(predicate: str, end: str, detail: str | None = None) -> str:
    """A link in words, without whom it begins at: `lives in Porto`, `'s sister is Eva`."""
    if detail := detail or _DETAILS.get(predicate):
        return f"{POSSESSIVE}{detail} is {end}" if predicate in _KINDS_OF_PEOPLE else f"{detail} {end}"
    return f"{_LINKS.get(predicate, predicate.translate(_UNDERSCORES))} {end}"


def claim_words(path: str, value: str) -> str:
    """A claim in words, without whom it is about."""
    if found := _RELATION.fullmatch(path):
        told = next((f"{words} {value}" for path, words in _CLAIMS.items() if path.endswith(f"/{found['what']}")), None)
        return f"{POSSESSIVE}{found['who'].translate(_UNDERSCORES)} {told or link_words(found['what'], value)}"
    for shape, worded in _NAMED_CLAIMS:
        if found := shape.fullmatch(path):
            lead = "at" if _CLOCK.match(value) else "on"
            told = worded.format(name=found[1].translate(_UNDERSCORES), value=value, lead=lead)
            return told.replace(f"{value} ({value})", value)
    if path == "work/general/role" and _DOING.match(value):
        return f"{POSSESSIVE}work: {value}"
    if path in _CLAIMS:
        return f"{_CLAIMS[path]} {value}"
    aspect, _, rest = path.partition("/")
    group, _, claim = rest.partition("/")
    named = claim or (group if group != "general" else aspect)
    return f"{POSSESSIVE}{named.translate(_UNDERSCORES)}: {value}"


def sentence(name: str, words: str) -> str:
    """Whom it is about, and what is said of them."""
    return f"{name}{words}" if words.startswith(POSSESSIVE) else f"{name} {words}"


def day_words(moment: datetime) -> str:
    """A moment as a day: 2026-05-03; one that opens a month, as only a month was named: May 2026."""
    opens = (moment.day, moment.hour, moment.minute, moment.second) == (1, 0, 0, 0)
    return f"{moment:%B %Y}" if opens else f"{moment:%Y-%m-%d}"
