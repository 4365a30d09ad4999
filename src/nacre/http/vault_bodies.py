"""Requests to the vault and its replies."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field, StrictInt

from nacre.domain import checks
from nacre.domain.documents import MAX_MEMBERS, DocumentInfo, DocumentLink, FoundIn, Visibility
from nacre.domain.errors import Invalid
from nacre.http.bodies import Body, Name, Text, example, limits
from nacre.http.guards import MAX_BODY
from nacre.http.wire import Reply

_UNSEEN = r"\\\x00-\x1f\x7f-\x9f\u2028\u2029"
_PART = rf"(?!\s*\.{{1,2}}\s*(?:/|$))[^/{_UNSEEN}]*[^/\s{_UNSEEN}][^/{_UNSEEN}]*"
PATH = {"minLength": 1, "maxLength": checks.MAX_NAME, "pattern": rf"^{_PART}(?:/{_PART})*$"}

DocumentPath = Annotated[str, limits(**PATH)]
One = Annotated[
    str, Query(description="The document's path or id.", examples=["notes/launch.md"], json_schema_extra=PATH)
]
For = Annotated[Visibility | None, Query(description="Only documents for these readers.")]
OfTeam = Annotated[Name | None, Query(description="Only documents of this team; it means the visibility `team`.")]
Below = Annotated[DocumentPath | None, Query(description="Only documents below this path.")]
Archived = Annotated[bool, Query(description="Those out of force instead.")]


class SelectBody(Body):
    """A document that is meant."""

    model_config = example(user="ana", document="notes/launch.md")

    document: DocumentPath = Field(description="Its path or id.")
    visibility: Visibility | None = Field(default=None, description="For whom it is, where several have the path.")
    team: Name | None = Field(default=None, description="The team, for a document of a team.")

    def options(self) -> dict[str, str | None]:
        """Which of several documents is meant."""
        return {"visibility": self.visibility, "team": self.team}


class DocumentBody(Body):
    """A Markdown document to keep."""

    model_config = example(
        user="ana", path="notes/launch.md", content="# Launch\n\nOn May 3, see [[Budget]].", visibility="personal"
    )

    path: DocumentPath
    content: Text
    visibility: Visibility | None = Field(default=None, description="For whom it is; for its user if left out.")
    team: Name | None = Field(default=None, description="The team, for a document of a team.")


class FileBody(Body):
    """A file to keep as a document."""

    model_config = example(user="ana", path="notes/launch.html", data="PGgxPkxhdW5jaDwvaDE+PHA+T24gTWF5IDMuPC9wPg==")

    path: DocumentPath
    data: Annotated[str, limits(contentEncoding="base64", minLength=4, maxLength=MAX_BODY)]
    name: Name | None = Field(default=None, description="The name of the file, which tells its kind; else the path.")
    visibility: Visibility | None = Field(default=None, description="For whom it is; for its user if left out.")
    team: Name | None = Field(default=None, description="The team, for a document of a team.")

    def arguments(self) -> dict[str, Any]:
        """The fields that the vault takes, with the file's bytes."""
        try:
            held = base64.b64decode(self.data, validate=True)
        except ValueError as error:
            raise Invalid("data", "must be base64") from error
        return {**super().arguments(), "data": held}


class VaultSearchBody(Body):
    """What to look for in documents, episodes and the graph."""

    model_config = example(user="ana", query="When is the launch?", limit=5)

    query: Text
    limit: Annotated[StrictInt, limits(minimum=1, maximum=checks.MAX_LIMIT)] = 10
    visibility: Visibility | None = Field(default=None, description="Only documents for these readers.")
    team: Name | None = Field(default=None, description="Only documents of this team.")
    prefix: DocumentPath | None = Field(default=None, description="Only documents below this path.")
    origins: list[FoundIn] | None = Field(default=None, description="Where to look; everywhere if left out.")


class MembersBody(BaseModel):
    """Who is in a team."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"members": ["ana", "bob"]}]})

    members: Annotated[list[Name], limits(maxItems=MAX_MEMBERS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsReply:
    """Documents, the last changed first."""

    documents: Sequence[DocumentInfo]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenReply:
    """Links that lead nowhere."""

    links: Sequence[DocumentLink]


class TeamsReply(Reply):
    """Every team and its members."""

    teams: dict[str, list[str]]
