"""Calls to an agent's graph, and the shapes that the tests of it share."""

from typing import Any

KG = "/v1/agents/a/kg"
NOBODY = "01890a5d-ac96-774b-bcce-b302099a8057"
ENTITY = {
    "id",
    "agent_id",
    "user_id",
    "external_id",
    "name",
    "entity_type",
    "description",
    "properties",
    "source_id",
    "confidence",
    "created_at",
    "updated_at",
}


def put(client: Any, name: str, **fields: Any) -> dict[str, Any]:
    """Add an entity over HTTP; returns it as the list shows it."""
    slug = name.lower().replace(" ", "-")
    user = fields.get("user_id")
    done = client.post(f"{KG}/entities", json={"external_id": slug, "name": name, "entity_type": "person", **fields})
    assert (done.status_code, done.json()) == (200, {"status": "ok", "audit": done.json()["audit"]}), done.text
    found: dict[str, Any] = client.get(
        f"{KG}/entities/{fields.get('external_id', slug)}", params={"user_id": user} if user else {}
    ).json()["entity"]
    return found


def names(reply: Any) -> list[str]:
    assert reply.status_code == 200, reply.text
    return [each["name"] for each in reply.json()]


def failure(reply: Any) -> tuple[int, str, str | None]:
    error = reply.json()["error"]
    return reply.status_code, error["code"], error["details"].get("field")
