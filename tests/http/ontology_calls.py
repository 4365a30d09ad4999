"""What the tests of `/api/ontology` send, and who sends it."""

from typing import Any

from nacre import Nacre

URL = "/api/ontology"


def order(operation: str, /, **payload: Any) -> dict[str, Any]:
    """An envelope."""
    return {"operation": operation, "payload": payload}


def claim(value: str, **grounds: Any) -> dict[str, Any]:
    """An envelope that sets the one claim that these tests are about."""
    payload = {"entity": "Newsletter", "aspect": "schedule", "claim_key": "weekday", "value": value}
    return {"operation": "set_claim_value", "payload": payload, **grounds}


PATH = {"entity": "Newsletter", "aspect": "schedule", "claim": "weekday"}


def bearer(brain: Nacre, role: str = "agent", name: str = "ci", **bound: Any) -> dict[str, str]:
    """The headers of a caller with a token."""
    return {"Authorization": f"Bearer {brain.tokens.issue(name, role, **bound).secret}"}


def failure(reply: Any) -> tuple[int, str, str | None]:
    """The status, the code and the field of a failure."""
    error = reply.json()["error"]
    return reply.status_code, error["code"], error["details"].get("field")
