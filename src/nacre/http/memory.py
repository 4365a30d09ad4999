"""`/api/memory/…`: what is remembered, in the words of the document that these routes are from."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import AfterValidator

from nacre.brain import Nacre
from nacre.domain import checks
from nacre.domain.access import Permission
from nacre.domain.answers import MAX_FOUND, MemoryQuery
from nacre.http.bodies import LINE, WORDS
from nacre.http.doors import Entered, OfAgentId, brain, needs
from nacre.http.memory_bodies import LookupBody, MemorizeBody
from nacre.http.memory_replies import AnswerReply, EntriesReply, EntryReply, ForgotReply, MemorizedReply
from nacre.http.ontology_bodies import Limit, spelled
from nacre.http.queries import MAX_WORDS, InCategory, MemoryPath, Offset, Since, Tagged, Until
from nacre.http.shapes import SnakeRoute

router = APIRouter(prefix="/api/memory", tags=["memory"], route_class=SnakeRoute)

Question = Annotated[
    str,
    AfterValidator(lambda value: checks.text("q", value, limit=MAX_WORDS)),
    Query(description="What to look for.", json_schema_extra={"maxLength": MAX_WORDS, **WORDS}),
]
TextFilter = Annotated[str | None, Query(description="Only memories that say so.", json_schema_extra=LINE)]


def _asked(
    *,
    q: Question,
    limit: Annotated[int, Query(json_schema_extra={"minimum": 1, "maximum": MAX_FOUND})] = 10,
    type: Annotated[str | None, Query(description="A kind, or a category of memories.")] = None,  # noqa: A002
    tags: Tagged = [],  # noqa: B006 - FastAPI copies it
    who: TextFilter = None,
    project: TextFilter = None,
    pinned: bool | None = None,
    importance_min: Annotated[float | None, Query(json_schema_extra={"minimum": 0, "maximum": 1})] = None,
    since: Since = None,
    until: Until = None,
    session: Annotated[str | None, Query(alias="sessionKey", description="The session that is told.")] = None,
    include_recalled: Annotated[bool, Query(alias="includeRecalled")] = False,
    explain: bool = False,
) -> MemoryQuery:
    with spelled(query="q", session="sessionKey"):
        return MemoryQuery(
            query=q,
            limit=limit,
            type=type,
            tags=tuple(tags),
            who=who,
            project=project,
            pinned=pinned,
            importance_min=importance_min,
            since=since,
            until=until,
            session=session,
            include_recalled=include_recalled,
            explain=explain,
        )


@router.post("/recall", response_model_exclude_unset=True, **needs(Permission.RECALL))
def look_up(body: LookupBody, door: Entered) -> AnswerReply:
    """What is known about a question, best first, and what is believed of the entities that it names."""
    scope = body.scope(door)
    with spelled(session="sessionKey"):
        asked = body.lookup()
    return AnswerReply.shown(scope.memories.look_up(**asdict(asked)), asked, scope.scope.chat)


@router.get("/search", response_model_exclude_unset=True, **needs(Permission.RECALL))
def search_memory(scope: OfAgentId, asked: Annotated[MemoryQuery, Depends(_asked)]) -> AnswerReply:
    """As recall, for a question in the address."""
    return AnswerReply.shown(scope.memories.look_up(**asdict(asked)), asked, scope.scope.chat)


@router.post("/remember", **needs(Permission.REMEMBER))
def memorize(body: MemorizeBody, door: Entered, nacre: Annotated[Nacre, Depends(brain)]) -> MemorizedReply:
    """Keep a text as a long-term memory, together with what it is about."""
    scope = body.scope(door)
    with spelled(text="content", category="type"):
        made = scope.remember(**body.arguments(), actor=door.actor())
    embedder = nacre.parts.embedder
    return MemorizedReply.shown(
        made,
        entities=len(scope.graph.mentioned(made.memory.content)),
        hints=body.hint_count(made),
        embedded=bool(embedder and embedder.local),
    )


@router.get("", **needs(Permission.RECALL))
def list_memories(scope: OfAgentId, type: InCategory = None, limit: Limit = 50, offset: Offset = 0) -> EntriesReply:  # noqa: A002
    """Memories in force, the last seen first."""
    entries = [EntryReply.shown(each) for each in scope.memories.newest(category=type, limit=limit, offset=offset)]
    return EntriesReply(memories=entries, count=len(entries), limit=limit, offset=offset)


@router.get("/{memory}", **needs(Permission.RECALL))
def get_memory(scope: OfAgentId, memory: MemoryPath) -> EntryReply:
    """One memory, in force or not."""
    return EntryReply.shown(scope.memories.get(memory))


@router.post("/{memory}/pin", **needs(Permission.MODIFY))
def pin_memory(scope: OfAgentId, memory: MemoryPath, door: Entered) -> EntryReply:
    """Keep a memory from fading and from being pruned."""
    return EntryReply.shown(scope.memories.pin(memory, actor=door.actor()))


@router.delete("/{memory}/pin", **needs(Permission.MODIFY))
def unpin_memory(scope: OfAgentId, memory: MemoryPath, door: Entered) -> EntryReply:
    """Let a memory age as any other."""
    return EntryReply.shown(scope.memories.unpin(memory, actor=door.actor()))


@router.delete("/{memory}", **needs(Permission.FORGET))
def forget_memory(
    scope: OfAgentId,
    memory: MemoryPath,
    door: Entered,
    purge: Annotated[bool, Query(description="Remove it for good, with all that rests on it alone.")] = False,
) -> ForgotReply:
    """Take a memory out of force; `purge` removes it for good."""
    entry = scope.memories.get(memory)
    scope.forget(entry.id, purge=purge, actor=door.actor())
    return ForgotReply(id=entry.id, forgotten=True, purged=purge)
