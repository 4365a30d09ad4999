"""`/v1/agents/{agent}/working`, `/feedback` and `/skills`: scratch space, what people thought, and procedures."""

from typing import Annotated

from fastapi import APIRouter, Query

from nacre.domain.access import Permission
from nacre.domain.feedback import MAX_SIGNALS, Signal
from nacre.domain.skills import Skill
from nacre.domain.working import WorkingEntry
from nacre.http.doors import AgentPath, Entered, OfAgent, needs
from nacre.http.native_bodies import (
    EntriesReply,
    FeedbackBody,
    InventoryReply,
    RemovedReply,
    ScratchBody,
    SignalsReply,
    SkillBody,
    SkillsReply,
)
from nacre.http.queries import Below, InCategory, Key, Limit, Namespace, Offset, SkillPath, Tagged, Words
from nacre.http.shapes import SnakeRoute

router = APIRouter(prefix="/v1/agents/{agent}", tags=["working memory, feedback and skills"], route_class=SnakeRoute)

Signals = Annotated[
    int, Query(description="At most so many.", json_schema_extra={"minimum": 1, "maximum": MAX_SIGNALS})
]


@router.put("/working", **needs(Permission.REMEMBER))
def save_scratch(agent: AgentPath, body: ScratchBody, door: Entered) -> WorkingEntry:
    """Store an entry for a while, in place of what its key held; a namespace holds at most 50."""
    own = body.scope(door, agent).working(body.namespace)
    return own.save(body.key, body.data, ttl=body.lifetime(), category=body.category, tags=body.tags)


@router.get("/working", **needs(Permission.RECALL))
def search_scratch(
    scope: OfAgent,
    *,
    namespace: Namespace,
    query: Words = None,
    category: InCategory = None,
    tags: Tagged = (),
    below: Below = None,
    limit: Limit = 20,
) -> EntriesReply:
    """The entries that have to do with a question, best first; without one, the newest first."""
    found = scope.working(namespace).search(query, category=category, tags=tags, namespace=below, limit=limit)
    return EntriesReply(entries=found)


@router.get("/working/inventory", **needs(Permission.RECALL))
def scratch_inventory(scope: OfAgent, namespace: Namespace, below: Below = None) -> InventoryReply:
    """One line an entry: its key, how long it is there, and its labels."""
    return InventoryReply(text=scope.working(namespace).inventory(below))


@router.get("/working/entry", **needs(Permission.RECALL))
def scratch(scope: OfAgent, namespace: Namespace, key: Key) -> WorkingEntry:
    """The entry under a key of the namespace, or under a full path."""
    return scope.working(namespace).get(key)


@router.delete("/working/entry", **needs(Permission.FORGET))
def delete_scratch(scope: OfAgent, namespace: Namespace, key: Key) -> RemovedReply:
    """Remove an entry of the namespace."""
    return RemovedReply(removed=scope.working(namespace).delete(key))


@router.post("/feedback", status_code=201, **needs(Permission.REMEMBER))
def give_feedback(agent: AgentPath, body: FeedbackBody, door: Entered) -> Signal:
    """Keep what somebody thought of what the agent did, for dreaming to learn from."""
    return body.scope(door, agent).feedback.record(**body.arguments())


@router.get("/feedback", **needs(Permission.RECALL))
def recent_feedback(scope: OfAgent, limit: Signals = MAX_SIGNALS) -> SignalsReply:
    """The feedback of the last seven days, newest first."""
    return SignalsReply(signals=scope.feedback.recent(limit=limit))


@router.get("/skills", **needs(Permission.RECALL))
def skills(scope: OfAgent, query: Words = None, limit: Limit = 100, offset: Offset = 0) -> SkillsReply:
    """Skills by summary: those that fit a question, best first, or all by name."""
    found = scope.skills.list() if query is None else scope.skills.search(query, limit=limit)
    return SkillsReply(skills=found[offset : offset + limit])


@router.get("/skills/{name:path}", **needs(Permission.RECALL))
def skill(name: SkillPath, scope: OfAgent) -> Skill:
    """A whole skill."""
    return scope.skills.get(name)


@router.put("/skills/{name:path}", **needs(Permission.REMEMBER))
def save_skill(agent: AgentPath, name: SkillPath, body: SkillBody, door: Entered) -> Skill:
    """Keep a skill under a name, in place of any that has it."""
    return body.scope(door, agent).skills.save(name, **body.arguments())


@router.delete("/skills/{name:path}", **needs(Permission.FORGET))
def delete_skill(name: SkillPath, scope: OfAgent) -> RemovedReply:
    """Delete a skill for good."""
    return RemovedReply(removed=scope.skills.delete(name))
