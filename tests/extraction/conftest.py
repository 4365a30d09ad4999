"""Facts in a form that reads like the sentence."""

from datetime import UTC, datetime

import pytest

from nacre.domain.facts import Fact, NamedEntity
from nacre.extraction.rule_extraction import extract

AT = datetime(2026, 5, 15, 12, tzinfo=UTC)


def line(fact: Fact) -> str:
    """`user lives_in Rome`, with `not` before what no longer holds."""
    subject = fact.subject.name if isinstance(fact.subject, NamedEntity) else str(fact.subject)
    thing = fact.object.name if fact.object else fact.value
    gone = "not " if fact.polarity == "retracted" else ""
    return f"{gone}{subject} {fact.predicate or fact.path} {thing}"


@pytest.fixture
def said():
    """The facts of a text as lines."""

    def lines(text: str, **given) -> list[str]:
        given.setdefault("at", AT)
        return [line(fact) for fact in extract(text, **given).facts]

    return lines
