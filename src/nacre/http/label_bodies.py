"""What the route that names ids takes and gives."""

from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict

from nacre.domain.navigation import MAX_LABELS, LabelKind
from nacre.http.bodies import told
from nacre.http.knowledge_bodies import KnowledgeBody
from nacre.http.queries import AN_ID
from nacre.http.wire import CamelReply


class LabelsBody(KnowledgeBody):
    """The ids that somebody wants names for."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"ids": [AN_ID]}]})

    ids: Annotated[list[UUID], told(maxItems=MAX_LABELS)]


class LabelReply(CamelReply):
    """What an id stands for.

    An entity has a name. A claim is that of `name`, about `key`, and says `text`; a link leads from `name` to `text`;
    an assertion about `name` says `text`.
    """

    id: UUID
    kind: LabelKind
    name: str
    key: str | None
    text: str | None


class LabelsReply(CamelReply):
    """What ids stand for."""

    items: list[LabelReply]
