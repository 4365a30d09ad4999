"""What the tests of the knowledge routes share: addresses, shapes, and how a failure is read."""

from typing import Any

API = "/api/knowledge"
WHO = {"agent_id": "a", "user_id": "ana"}
NOBODY = "01890a5d-ac96-774b-bcce-b302099a8057"
ENTITY = {
    "id",
    "name",
    "slug",
    "entityType",
    "description",
    "aliases",
    "properties",
    "confidence",
    "mentions",
    "pinned",
    "pinnedAt",
    "status",
    "archivedAt",
    "archivedBy",
    "archiveReason",
    "lastReferencedAt",
    "lastSynthesizedAt",
    "proposalId",
    "createdAt",
    "updatedAt",
}
ASPECT = {
    "id",
    "entityId",
    "name",
    "canonicalName",
    "weight",
    "status",
    "archivedAt",
    "archivedBy",
    "archiveReason",
    "proposalId",
    "createdAt",
    "updatedAt",
}
ATTRIBUTE = {
    "id",
    "entityId",
    "aspectId",
    "aspect",
    "groupKey",
    "claimKey",
    "kind",
    "content",
    "confidence",
    "importance",
    "status",
    "version",
    "versionRootId",
    "previousAttributeId",
    "supersededBy",
    "validFrom",
    "validUntil",
    "memoryId",
    "sourceId",
    "quote",
    "createdBy",
    "decision",
    "archivedAt",
    "archivedBy",
    "archiveReason",
    "proposalId",
    "createdAt",
    "updatedAt",
}


def failure(reply: Any) -> tuple[int, str, str | None]:
    error = reply.json()["error"]
    return reply.status_code, error["code"], error["details"].get("field")
