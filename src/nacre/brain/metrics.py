"""Metrics that operators watch."""

from nacre.domain.errors import Misconfigured
from nacre.wiring import Parts
from nacre.work import queues


def metrics(parts: Parts) -> str:
    """What was counted, and how much work is left, as Prometheus reads it."""
    if parts.probe is None or parts.probe.metrics is None:
        raise Misconfigured("Nothing is counted here: set NACRE_METRICS=on.")
    return parts.probe.metrics.text(queues.gauges(parts.database)).decode()
