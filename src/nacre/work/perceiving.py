"""Perception by the clock: each scope with something to watch looks at the world now and then."""

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from nacre.domain import ids
from nacre.domain.scopes import Scope
from nacre.store.base import scopes
from nacre.store.base.databases import Database, Transaction
from nacre.store.work import alerts, jobs, watches
from nacre.work.queues import Apply, Handler, Payload
from nacre.work.schedules import Periodic
from nacre.world import alert_rules
from nacre.world.perceptions import Perceiver

if TYPE_CHECKING:
    from nacre.world.webhooks import Webhook

KIND = "perceive"
# The round comes a few times as often as a scope looks, so that a look is not put off by a whole turn.
_TURNS = 3


def handlers(database: Database, perceiver: Perceiver, webhook: "Webhook | None") -> Mapping[str, Handler]:
    """Who does each kind of work of the world model."""

    def perceive(scope: Scope, _payload: Payload) -> Apply:
        seen = perceiver.look(scope)
        # Each change of the graph is kept for good, so those that come by the clock have to be worth it.
        return lambda tx: _dropped(perceiver.take_in(tx, seen, step=perceiver.rules.step))

    def release(_scope: Scope, _payload: Payload) -> Apply:
        def apply(tx: Transaction) -> None:
            hours = perceiver.rules.hours
            if hours.are_quiet(tx.now):
                jobs.enqueue(tx, alert_rules.RELEASE, {}, run_at=hours.ends(tx.now))
            alert_rules.release(tx, perceiver.rules)

        return apply

    def post(scope: Scope, payload: Payload) -> Apply | None:
        delivery = ids.parse("delivery", str(payload.get("delivery")))
        with database.read(scope) as tx:
            told, now = alerts.together(tx, delivery), tx.now
        if webhook is None or not told or told[0].posted_at:
            return None
        webhook.post(scope, told, now)
        return lambda tx: alerts.posted(tx, delivery)

    posting = {alert_rules.POST: post} if webhook else {}
    looking = {KIND: perceive} if perceiver.sources else {}
    return {alert_rules.RELEASE: release, **looking, **posting}


def rounds(every: timedelta) -> Periodic:
    """The round that asks for a look where one is due."""

    def request(database: Database) -> int:
        with database.read_all() as everywhere:
            due = watches.due(everywhere, every)
        for scope in due:
            with database.write(scope) as tx:
                scopes.lock(tx)
                # Another worker may have looked since the round asked who is due.
                if not watches.looked(tx, every):
                    jobs.request(tx, KIND)
        return len(due)

    return Periodic("perceive", every / _TURNS, request)


def _dropped(_report: object) -> None:
    """A job has nobody to report to; what failed is told by the watches."""
