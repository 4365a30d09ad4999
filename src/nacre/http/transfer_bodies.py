"""Requests and replies about export and import."""

from typing import Annotated, Literal

from pydantic import Field, StrictBool

from nacre.http.bodies import WORDS, Body, example, limits
from nacre.http.guards import MAX_BODY

Content = Annotated[str, limits(**WORDS, maxLength=MAX_BODY)]

_MCP = '{"type": "entity", "name": "Ana", "entityType": "person", "observations": ["Drinks tea"]}\n'
_EMPTY = '{"format": "nacre-scope", "version": 1, "schema": "0005", "scope": {}, "state": {}, "rows": {}}\n'


class ImportBody(Body):
    """What a file of another system holds."""

    model_config = example(user="ana", format="mcp", content=_MCP, dry_run=True)

    format: Literal["mcp", "mem0", "claude-code", "codex", "chatgpt", "claude", "letta", "graphiti", "langgraph"]
    content: Content
    dry_run: StrictBool = Field(default=False, description="Say what would come in, and change nothing.")


class RestoreBody(Body):
    """What a file of an exported scope holds."""

    model_config = example(user="ana", content=_EMPTY, dry_run=True)

    content: Content
    dry_run: StrictBool = Field(default=False, description="Say what would come back, and change nothing.")
