"""The source, the rules and the webhook of the world that the settings choose."""

from typing import TYPE_CHECKING

from nacre.domain.errors import Misconfigured
from nacre.settings import Settings
from nacre.world.alert_rules import Rules
from nacre.world.hours import Hours

if TYPE_CHECKING:
    from nacre.world.http_source import HttpSource
    from nacre.world.webhooks import Webhook


def source(settings: Settings) -> "HttpSource | None":
    """The source of prices that the settings name."""
    if not settings.world_url:
        return None
    from nacre.world.http_source import HttpSource, Paths  # noqa: PLC0415 - httpx

    paths = Paths(value=settings.world_value, change=settings.world_change, at=settings.world_time)
    return HttpSource(settings.world_url, paths, unit=settings.world_unit, seconds=settings.world_seconds)


def rules(settings: Settings) -> Rules:
    """Which moves are worth an alert, and when it is told."""
    return Rules(
        threshold=settings.world_threshold,
        step=settings.world_step,
        hours=Hours.of(settings.world_quiet, settings.world_timezone),
        cap=settings.world_daily_cap,
        posts=bool(settings.world_webhook),
    )


def webhook(settings: Settings) -> "Webhook | None":
    """Where alerts are posted to."""
    if not settings.world_webhook:
        return None
    secret = settings.world_webhook_secret
    if not secret or not secret.get_secret_value():
        raise Misconfigured("A webhook needs a secret to be signed with: set NACRE_WORLD_WEBHOOK_SECRET.")
    from nacre.world.webhooks import Webhook  # noqa: PLC0415 - httpx

    return Webhook(settings.world_webhook, secret.get_secret_value(), settings.world_seconds)
