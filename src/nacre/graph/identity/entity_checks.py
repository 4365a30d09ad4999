"""Entity checks: why an entity may not be one, as its name names nothing, or its type is no kind of thing."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from nacre.domain.entities import EntityType
from nacre.domain.graph_reports import Reason
from nacre.text.stopwords import STOPWORDS
from nacre.text.words import words

MIN_NAME = 4
MAX_NAME_WORDS = 10

# Types that say how something is believed, and not what it is.
_NOT_THINGS = {
    EntityType.PREFERENCE,
    EntityType.FACT,
    EntityType.TIME,
    EntityType.OBSERVATION,
    EntityType.CLAIM_SLOT,
    EntityType.CLAIM_VALUE,
}
_VAGUE = {EntityType.UNKNOWN, EntityType.CONCEPT, EntityType.TOPIC, *_NOT_THINGS}
# What people give titles to; a title may be a whole sentence, or a common word.
_TITLED = {EntityType.DOCUMENT, EntityType.ARTIFACT, EntityType.PRODUCT, EntityType.SOURCE, EntityType.EVENT}


def _phrases(listed: str) -> frozenset[str]:
    return frozenset(each.strip() for each in listed.replace("\n", "|").split("|") if each.strip())


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_SCAFFOLDING = _phrases(
    """
    user|the user|assistant|the assistant|system|the system|human|bot|chatbot|ai|llm|model|agent|tool|function|entity
    thing|things|something|someone|somebody|anything|everything|nothing|none|null|nil|nan|n/a|undefined|unknown|unnamed
    untitled|placeholder|example|sample|test|foo|bar|baz|lorem ipsum|todo|tbd|misc|other|various|item|object|subject
    speaker|usuario|el usuario|asistente|benutzer|utilisateur|用户|ユーザー
    """
)
_METADATA = _phrases(
    """
    id|uuid|role|author|title|name|type|kind|category|tag|tags|label|status|source|session|session id|timestamp|date
    created at|updated at|created by|metadata|content|message|messages|text|value|key|description|summary id|priority
    importance|confidence|score|version|url|path|filename|file name|language|format|payload|schema|field|attribute
    """
)
_HEADINGS = _phrases(
    """
    summary|introduction|conclusion|conclusions|overview|background|notes|next steps|action items|references|appendix
    table of contents|key points|takeaways|key takeaways|agenda|follow up|follow-up|open questions|changelog|faq
    resumen|introducción|conclusión|zusammenfassung|résumé
    """
)
_EVENT_WORDS = _words(
    """
    meeting meetup call standup retro review launch release deploy outage incident migration conference summit workshop
    hackathon webinar talk keynote interview exam birthday wedding anniversary party festival concert match game race
    tournament election trip visit holiday vacation appointment deadline sprint ceremony funeral graduation opening war
    battle earthquake storm crisis cup olympics expo fair event day week night weekend monday tuesday wednesday thursday
    friday saturday sunday january february march april may june july august september october november december
    reunión boda cumpleaños fiesta viaje cita hochzeit geburtstag treffen reise réunion mariage anniversaire fête
    """
)
_COMMON = _words(
    """
    people person team company work job project task idea plan problem issue question answer time day today tomorrow
    yesterday week month year morning evening night home house place way part number group list data information code
    file change update stuff lot kind reason result point fact case life world yes no ok okay thanks hello please
    """
)
_STARTERS = _words(
    """
    and but so because i i'm i've we we're you you're it's that's this there's maybe okay ok well actually also then
    if when while what why how let's please
    """
)

_ROLE_PREFIX = re.compile(r"(?:user|assistant|system|human|ai|agent|tool|bot|speaker ?\d*)\s*[:>»|]", re.IGNORECASE)
_HEADING_MARKS = re.compile(r"#{1,6}\s|\*\*.*\*\*$|={2,}|-{3,}|\d+(?:\.\d+)*[.)]\s")
_LATIN = re.compile("[A-Za-z]")


@dataclass(frozen=True, slots=True)
class _EntityName:
    """An entity's name as it is, in plain letters, and without what may stand around it."""

    name: str
    kind: str
    plain: str
    spelled: str

    @property
    def is_titled(self) -> bool:
        return self.kind in _TITLED


def suspicion(name: str, kind: str, *, bare: bool = False) -> Reason | None:
    """The gravest reason to doubt an entity. `bare` is one that was never mentioned and of which nothing is known."""
    plain = unicodedata.normalize("NFKC", name.strip()).casefold()
    named = _EntityName(name.strip(), kind, plain, plain.strip(" .:#*_").replace("_", " "))
    found = (reason for reason, holds in _TESTS if holds(named))
    return next(found, Reason.ZERO_MENTIONS if bare else None)


def _is_numeric(name: _EntityName) -> bool:
    return not any(map(str.isalpha, name.plain)) and any(map(str.isdigit, name.plain))


def _is_scaffolding(name: _EntityName) -> bool:
    return name.spelled in _SCAFFOLDING and not name.is_titled


def _is_metadata(name: _EntityName) -> bool:
    return name.spelled in _METADATA and not name.is_titled


def _is_fragment(name: _EntityName) -> bool:
    if name.is_titled:
        return False
    said = name.plain.replace("’", "'").split()
    broken_off = name.plain.endswith(("...", "…", "?", "？", ","))
    return broken_off or len(said) > MAX_NAME_WORDS or (len(said) > 2 and said[0] in _STARTERS)


def _has_a_role(name: _EntityName) -> bool:
    return _ROLE_PREFIX.match(name.name) is not None


def _is_heading(name: _EntityName) -> bool:
    marked = _HEADING_MARKS.match(name.name) is not None or name.name.endswith((":", "："))
    return marked or (name.spelled in _HEADINGS and not name.is_titled)


def _is_short(name: _EntityName) -> bool:
    # Names in other alphabets are often two characters long.
    return len(name.name) < MIN_NAME and name.name.isascii() and name.kind in _VAGUE


def _is_no_event(name: _EntityName) -> bool:
    """It says neither when nor what happens; only names in Latin letters can be judged."""
    if name.kind != EntityType.EVENT or not _LATIN.search(name.name) or any(map(str.isdigit, name.name)):
        return False
    return not any(word in _EVENT_WORDS or word.removesuffix("s") in _EVENT_WORDS for word in words(name.name))


def _is_common(name: _EntityName) -> bool:
    # A capital makes a name of a common word: Home is an app, a home is not.
    said = words(name.name) if name.name == name.name.lower() else []
    return len(said) == 1 and (said[0] in _COMMON or said[0] in STOPWORDS["en"])


_TESTS: tuple[tuple[Reason, Callable[[_EntityName], bool]], ...] = (
    (Reason.NUMERIC_ONLY, _is_numeric),
    (Reason.GENERIC_OR_SCAFFOLDING_NAME, _is_scaffolding),
    (Reason.METADATA_ROLE, _is_metadata),
    (Reason.DISCOURSE_FRAGMENT, _is_fragment),
    (Reason.ROLE_PREFIXED_SCAFFOLDING, _has_a_role),
    (Reason.SECTION_HEADING, _is_heading),
    (Reason.TOO_SHORT, _is_short),
    (Reason.NON_CONCRETE_ENTITY_TYPE, lambda named: named.kind in _NOT_THINGS),
    (Reason.UNKNOWN_ENTITY_TYPE, lambda named: named.kind == EntityType.UNKNOWN),
    (Reason.EVENT_WITHOUT_TIME_OR_EVENT_SIGNAL, _is_no_event),
    (Reason.GENERIC_WORD, _is_common),
)
