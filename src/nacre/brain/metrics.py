"""Metrics that operators watch."""

from nacre.domain.errors import Misconfigured
from nacre.store.work import jobs
from nacre.wiring import Parts


def metrics(parts: Parts) -> str:
    """What was counted, and how much work is left, as Prometheus reads it."""
    if parts.probe is None or parts.probe.metrics is None:
        raise Misconfigured("Nothing is counted here: set NACRE_METRICS=on.")
    with parts.database.read_all() as tx:
        left = jobs.backlog(tx)
        waited = (tx.now - left.oldest).total_seconds() if left.oldest else 0.0
    shared = {
        "jobs_waiting": ("Jobs that wait, those that are to wait included.", left.waiting),
        "jobs_running": ("Jobs that a worker has taken.", left.running),
        "jobs_dead": ("Jobs that were given up; `nacre jobs replay` tries them again.", left.dead),
        "jobs_oldest_seconds": ("How long the job that is due first has been due.", max(0.0, waited)),
    }
    return parts.probe.metrics.text(shared).decode()
