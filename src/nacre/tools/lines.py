"""Lines of replies: short, with days that people read, and ids that other tools take."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, time

from nacre.domain import checks
from nacre.domain.claims import Claim
from nacre.domain.contexts import LABELS, Message, text_of
from nacre.domain.errors import Invalid
from nacre.domain.explanations import Explanation, LinkExplanation
from nacre.domain.fences import harmless
from nacre.domain.hits import Evidence, Hit, Kind
from nacre.text.budget import fit
from nacre.text.injections import neutral

MAX_TOKENS = 200


def moment(field: str, value: str | None) -> datetime | None:
    """The time that an agent wrote; a day alone means its end, and no time zone means UTC."""
    if value is None:
        return None
    try:
        read = datetime.fromisoformat(checks.text(field, value).strip())
    except ValueError as error:
        raise Invalid(field, f"must be a time such as 2026-05-03 or 2026-05-03T10:00:00Z, not {value!r}") from error
    if "T" not in value and ":" not in value:
        read = datetime.combine(read, time.max)
    return checks.instant(field, read if read.tzinfo else read.replace(tzinfo=UTC))


def short(text: str) -> str:
    """A text as one line that costs little, gives no orders and closes no fence."""
    return fit(" ".join(harmless(neutral(text), LABELS).split()), MAX_TOKENS)


def fenced(text_lines: Iterable[str]) -> str:
    """Lines that were recalled, between tags that they cannot close, and said to be data."""
    return text_of((Message(role="tool", text="\n".join(text_lines), label="memory"),))


def notes(texts: Iterable[str]) -> list[str]:
    """What did not go as usual, a line each."""
    return [f"note: {short(each)}" for each in texts]


def hit(recalled: Hit) -> str:
    """A recalled passage: who said it when, or the memory it is."""
    gone = _outdated(recalled)
    if recalled.kind is Kind.MEMORY:
        return f"- [{recalled.id.hex[-12:]}] memory of {recalled.at:%Y-%m-%d}: {short(recalled.text)}{gone}"
    who = recalled.source.speaker or recalled.source.role
    said = f"{who} said" if recalled.kind is Kind.TURN and who else recalled.kind.value
    return f"- {said} on {recalled.at:%Y-%m-%d}: {short(recalled.text)}{gone}"


def _outdated(recalled: Hit) -> str:
    """What was said later instead, or perhaps, in brackets."""
    return "".join(
        f" ({'perhaps ' if each.doubtful else ''}outdated since {each.at:%Y-%m-%d}: {short(each.value)} →"
        f" {short(each.new_value)})"
        for each in recalled.outdated
    )


def belief(why: Explanation) -> Iterator[str]:
    """What a claim says, since when, on whose words, and what it said before."""
    claim = why.claim
    until = f" until {why.until:%Y-%m-%d}" if why.until else ""
    yield f"{short(why.entity.name)} — {claim.slot}: {short(claim.value)} (since {why.since:%Y-%m-%d}{until})"
    yield from grounds(why.evidence)
    decided = f": {short(claim.decision)}" if claim.decision else ""
    yield f"  decided by {short(claim.actor)} on {claim.created_at:%Y-%m-%d}{decided}"
    yield from (f"  before: {_spell(version)}" for version in why.replaced)
    yield from (f"  after: {_spell(version)}" for version in why.followed)


def connection(why: LinkExplanation) -> Iterator[str]:
    """A link, the words it rests on and who made it."""
    link = why.link
    end = why.target.name if why.target else link.value or ""
    until = f" until {link.valid_to:%Y-%m-%d}" if link.valid_to else ""
    since = link.valid_from or link.created_at
    yield f"{short(why.source.name)} --{link.predicate}--> {short(end)} (since {since:%Y-%m-%d}{until})"
    yield from grounds(why.evidence)
    for record in why.decisions:
        yield f"  decided by {short(record.actor)} on {record.at:%Y-%m-%d} ({record.operation})"


def grounds(evidence: Evidence | None) -> Iterator[str]:
    """The exact words that something rests on."""
    if evidence is None:
        yield "  no words are on record for it"
    else:
        who = evidence.speaker or evidence.role
        yield f'  said: "{short(evidence.quote)}"' + (f" ({short(who)})" if who else "")


def _spell(version: Claim) -> str:
    until = f" to {version.valid_to:%Y-%m-%d}" if version.valid_to else ""
    return f"{short(version.value)} ({version.since:%Y-%m-%d}{until}, {version.status.value})"
