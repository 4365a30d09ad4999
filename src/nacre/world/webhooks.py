"""Alerts sent to an address of the settings, signed, so that who receives them knows where they come from."""

import hashlib
import hmac
import json
from collections.abc import Sequence
from datetime import datetime

import httpx

from nacre.domain.errors import Unavailable
from nacre.domain.plain import plain
from nacre.domain.scopes import Scope
from nacre.domain.world import Alert
from nacre.world import addresses

TIMESTAMP, SIGNATURE, DELIVERY = "X-Nacre-Timestamp", "X-Nacre-Signature", "X-Nacre-Delivery"


class Webhook:
    """Posts deliveries. Who receives one twice, after an answer got lost, knows it by its id."""

    def __init__(self, url: str, secret: str, seconds: float = 10.0) -> None:
        self._url = addresses.check("NACRE_WORLD_WEBHOOK", url)
        self._secret = secret.encode()
        self._client = addresses.client(seconds)

    def post(self, scope: Scope, alerts: Sequence[Alert], now: datetime) -> None:
        """Send what was told together; `Unavailable` where it was not taken."""
        delivery = str(alerts[0].delivery)
        body = json.dumps(
            {
                "delivery": delivery,
                "agent": scope.agent,
                "user": scope.user,
                "chat": scope.chat,
                "alerts": [{**_plain(alert), "text": alert.text} for alert in alerts],
            },
            ensure_ascii=False,
        ).encode()
        stamp = str(int(now.timestamp()))
        headers = {
            "Content-Type": "application/json",
            TIMESTAMP: stamp,
            SIGNATURE: signature(self._secret, stamp, body),
            DELIVERY: delivery,
        }
        try:
            with self._client.stream("POST", self._url, content=body, headers=headers) as reply:
                status = reply.status_code
        except httpx.HTTPError as error:
            # The address may hold a secret, so what the client says of it is not repeated.
            raise Unavailable(f"The webhook cannot be reached: {type(error).__name__}.") from error
        if not 200 <= status < 300:
            raise Unavailable(f"The webhook answered {status}.")

    def close(self) -> None:
        """Drop the connections."""
        self._client.close()


def signature(secret: bytes, stamp: str, body: bytes) -> str:
    """What only those who know the secret can say of a body and the time it was sent."""
    return "sha256=" + hmac.new(secret, f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()


def _plain(alert: Alert) -> dict[str, object]:
    shown = plain(alert)
    left_out = {"delivery", "posted_at"}
    return {name: value for name, value in shown.items() if name not in left_out} if isinstance(shown, dict) else {}
