"""The vault: documents, who may see them, and what a search over the vault finds."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NewType
from uuid import UUID

from nacre.domain import checks
from nacre.domain.errors import Denied, Invalid
from nacre.domain.ids import SourceId
from nacre.domain.memories import Status
from nacre.domain.scopes import Scope
from nacre.domain.sharing import own_scope

DocumentId = NewType("DocumentId", UUID)
Properties = Mapping[str, str | list[str]]

# What may look like the end of a part, or of a line.
_UNFIT = re.compile(r"[\\\x00-\x1f\x7f-\x9f\u2028\u2029]")

MAX_TEAMS = 100
MAX_MEMBERS = 1_000
MAX_LINKS = 10_000


class Visibility(StrEnum):
    """Who may see a document: its owner, the members of a team, or every user of the agent."""

    PERSONAL = "personal"
    TEAM = "team"
    SHARED = "shared"


class FoundIn(StrEnum):
    """Where a search over the vault looks."""

    VAULT = "vault"
    EPISODES = "episodes"
    GRAPH = "graph"


class SaveOutcome(StrEnum):
    """What became of a document that was to be kept."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    RESTORED = "restored"


def check_path(field: str, value: object) -> str:
    """`value`, if it is a path such as `notes/launch.md`: relative, its parts joined by `/`."""
    path = unicodedata.normalize("NFC", checks.name(field, value))
    if _UNFIT.search(path):
        raise Invalid(field, "must have its parts joined by `/`, and no control characters")
    if any(part.strip() in ("", ".", "..") for part in path.split("/")):
        raise Invalid(field, f"must be a path such as notes/launch.md, without empty parts, `.` and `..`, not {path!r}")
    # What is normalized can be longer than what was given.
    return checks.name(field, path)


def check_visibility(visibility: object, team: str | None) -> Visibility | None:
    """The visibility that a caller named; a team alone means its documents, and nothing at all means any."""
    checks.optional_name("team", team)
    if visibility is None:
        return Visibility.TEAM if team else None
    chosen = Visibility(checks.choice("visibility", visibility, Visibility))
    if team and chosen is not Visibility.TEAM:
        raise Invalid("team", f"is for documents of a team, not for {chosen.value} ones")
    return chosen


def check_members(values: object) -> tuple[str, ...]:
    """`values` in order and without repeats, if each is the name of a user."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise Invalid("members", "must be a list of users")
    members = sorted({checks.name("members", value) for value in values})
    if len(members) > MAX_MEMBERS:
        raise Invalid("members", f"has {len(members):,} users; at most {MAX_MEMBERS:,} are allowed")
    return tuple(members)


def home(scope: Scope, visibility: Visibility | None, team: str | None, teams: Iterable[str]) -> Scope:
    """The scope in which a caller keeps documents of a visibility; without one they are personal.

    What an agent keeps for itself is for all its users.
    """
    mine = own_scope(scope.agent)
    match visibility:
        case Visibility.TEAM:
            if team is None:
                raise Invalid("team", "is needed for a document of a team")
            if team not in set(teams):
                # Whether there is such a team is none of the others' business.
                raise Denied(f"Only the members of the team `{team}` may do that.")
            return Scope(agent=scope.agent, team=team)
        case Visibility.SHARED:
            return mine
        case Visibility.PERSONAL if scope == mine:
            raise Invalid("visibility", "cannot be personal where no user is named")
    return scope


def visibility_of(place: Scope) -> Visibility:
    """Who may see what is kept in a scope."""
    if place.team:
        return Visibility.TEAM
    return Visibility.SHARED if place == own_scope(place.agent) else Visibility.PERSONAL


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInfo:
    """A document without its words; `properties` are those at its head."""

    id: DocumentId
    path: str
    title: str
    visibility: Visibility
    team: str | None
    properties: Properties
    source: SourceId
    created_at: datetime
    updated_at: datetime
    status: Status = Status.ACTIVE
    archived_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(DocumentInfo):
    """A document and its words, which are evidence: `source` names them."""

    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedDocument:
    """What keeping a document did, and how it is now; `flags` say what to be wary of in new words."""

    document: DocumentInfo
    outcome: SaveOutcome
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentLink:
    """A wikilink as it is written in the document `source`, and the document it leads to; None where it is broken."""

    source: DocumentInfo
    target: str
    heading: str | None
    label: str | None
    embed: bool
    start: int
    end: int
    document: DocumentInfo | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentLinks:
    """Where a document leads, and what leads to it."""

    document: DocumentInfo
    outgoing: tuple[DocumentLink, ...]
    backlinks: tuple[DocumentLink, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultQuery:
    """What is looked for in the vault. `visibility`, `team` and `prefix` narrow documents, `origins` where to look."""

    text: str
    limit: int = 10
    visibility: Visibility | None = None
    team: str | None = None
    prefix: str | None = None
    origins: frozenset[FoundIn] = frozenset(FoundIn)

    def __post_init__(self) -> None:
        checks.text("query", self.text)
        checks.count("limit", self.limit)
        object.__setattr__(self, "visibility", check_visibility(self.visibility, self.team))
        if self.prefix is not None:
            object.__setattr__(
                self, "prefix", check_path("prefix", checks.name("prefix", self.prefix).removesuffix("/"))
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultHit:
    """One thing that a search over the vault found. `kind` is document, turn, memory or the type of an entity.

    `score` is how well it fits, compared with the best of its origin, times the weight of the origin.
    """

    origin: FoundIn
    kind: str
    id: UUID
    title: str
    snippet: str
    score: float
    path: str | None = None
    visibility: Visibility | None = None
    team: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultHits:
    """What a search over the vault found, best first, and notes on anything that did not go as usual."""

    items: tuple[VaultHit, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedFile:
    """A file that was left out, and why."""

    path: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What became of the documents of a folder, by path."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    unchanged: int = 0
    skipped: tuple[SkippedFile, ...] = field(default=())
    dry_run: bool = False
