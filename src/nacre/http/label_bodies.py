"""Requests and replies of the route that names ids."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict

from nacre.domain.navigation import MAX_LABELS, Label
from nacre.http.bodies import limits
from nacre.http.knowledge_bodies import KnowledgeBody
from nacre.http.queries import AN_ID


class LabelsBody(KnowledgeBody):
    """The ids that somebody wants names for."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"ids": [AN_ID]}]})

    ids: Annotated[list[UUID], limits(maxItems=MAX_LABELS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelsReply:
    """What ids stand for."""

    items: Sequence[Label]
