"""`/v1/agents/{agent}/…`: what the Python surface does with evidence and memories."""

from fastapi import APIRouter

from nacre.domain.access import Permission
from nacre.domain.forgetting import ForgetReport
from nacre.domain.hits import Recall
from nacre.domain.memories import Memory, RememberReport
from nacre.http.bodies import (
    ObserveBody,
    ObserveReply,
    RememberBody,
)
from nacre.http.doors import AgentPath, Entered, OfAgent, needs
from nacre.http.native_bodies import (
    CategoriesReply,
    ForgetBody,
    ImportanceBody,
    MemoriesReply,
    MemoryEvidenceReply,
    MemoryHistoryReply,
)
from nacre.http.queries import AsOf, InCategory, Limit, MemoryPath, Offset, Since, Tagged, Until, Words
from nacre.http.recall_bodies import ContextBody, ContextReply, RecallBody
from nacre.http.shapes import SnakeRoute

router = APIRouter(prefix="/v1/agents/{agent}", tags=["memory"], route_class=SnakeRoute)


@router.post("/observe", status_code=201, **needs(Permission.REMEMBER))
def observe(agent: AgentPath, body: ObserveBody, door: Entered) -> ObserveReply:
    """Keep one message, or many all or none, as evidence that can be recalled at once."""
    observed = body.scope(door, agent).observe_many(body.said())
    return ObserveReply(observations=observed)


@router.post("/remember", status_code=201, **needs(Permission.REMEMBER))
def remember(agent: AgentPath, body: RememberBody, door: Entered) -> RememberReport:
    """Keep a text as a long-term memory."""
    return body.scope(door, agent).remember(**body.arguments(), actor=door.actor())


@router.post("/recall", **needs(Permission.RECALL))
def recall(agent: AgentPath, body: RecallBody, door: Entered) -> Recall:
    """What is known about a question, best first."""
    return body.scope(door, agent).recall(**body.arguments())


@router.post("/context", **needs(Permission.RECALL))
def context(agent: AgentPath, body: ContextBody, door: Entered) -> ContextReply:
    """What an agent should read before it answers a message, within a token budget."""
    made = body.scope(door, agent).context(**body.arguments())
    return ContextReply(
        text=made.text,
        messages=made.messages,
        tokens=made.tokens,
        budget=body.budget,
        notes=made.notes,
        lines=made.lines,
        left_out=made.left_out,
    )


@router.post("/forget", **needs(Permission.FORGET))
def forget(agent: AgentPath, body: ForgetBody, door: Entered) -> ForgetReport:
    """Forget one memory, all from before a moment, or everything; `purge` removes it for good."""
    return body.scope(door, agent).forget(**body.arguments(), actor=door.actor())


@router.get("/memories", **needs(Permission.RECALL))
def memories(
    scope: OfAgent,
    *,
    query: Words = None,
    category: InCategory = None,
    tags: Tagged = (),
    since: Since = None,
    until: Until = None,
    as_of: AsOf = None,
    limit: Limit = 10,
    offset: Offset = 0,
) -> MemoriesReply:
    """Memories by words and meaning, best first; without a question, the last seen first."""
    found = scope.memories.search(
        query, category=category, tags=tags, since=since, until=until, as_of=as_of, limit=limit, offset=offset
    )
    return MemoriesReply(memories=found)


@router.get("/memories/categories", **needs(Permission.RECALL))
def memory_categories(scope: OfAgent) -> CategoriesReply:
    """How many memories in force each category holds."""
    return CategoriesReply(categories=scope.memories.categories())


@router.get("/memories/{memory}", **needs(Permission.RECALL))
def memory(memory: MemoryPath, scope: OfAgent, as_of: AsOf = None) -> Memory:
    """One memory, in force or not, as it is or as it was at a moment."""
    return scope.memories.get(memory, as_of=as_of)


@router.get("/memories/{memory}/history", **needs(Permission.RECALL))
def memory_history(memory: MemoryPath, scope: OfAgent) -> MemoryHistoryReply:
    """Everything that happened to a memory, the last change first."""
    return MemoryHistoryReply(changes=scope.memories.history(memory))


@router.get("/memories/{memory}/evidence", **needs(Permission.RECALL))
def memory_evidence(memory: MemoryPath, scope: OfAgent) -> MemoryEvidenceReply:
    """Every source that a memory rests on, with the exact words."""
    return MemoryEvidenceReply(evidence=scope.memories.evidence(memory))


@router.patch("/memories/{memory}", **needs(Permission.MODIFY))
def set_importance(agent: AgentPath, memory: MemoryPath, body: ImportanceBody, door: Entered) -> Memory:
    """Say how much a memory matters."""
    held = body.scope(door, agent).memories
    return held.set_importance(memory, body.importance, actor=door.actor())
