"""A session becomes a few sentences: a language model's where there is one, and else the session's own.

What a model writes takes the place of the session's own words only if every name and number in it comes from there.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, Field

from nacre.domain import checks, ids
from nacre.domain.errors import Busy, Invalid, Misconfigured, NotFound, Unavailable
from nacre.domain.hits import Kind
from nacre.domain.ids import SourceId
from nacre.domain.operations import Selector
from nacre.domain.scopes import Scope
from nacre.domain.summaries import ExpandedSessions, SessionSummary, Summary, SummaryMethod, SummaryReport, span
from nacre.domain.turns import Role, StoredTurn
from nacre.graph.identity import naming
from nacre.memory.passage_drafts import prepare
from nacre.models.embedders import Embedder
from nacre.models.language_models import LanguageModel, ModelPrompt, prompt_text
from nacre.store.base import scopes, sharing
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import passages, summaries, turns
from nacre.store.evidence.passages import PreparedPassages
from nacre.store.evidence.summaries import Extent
from nacre.store.work import usage
from nacre.text import details
from nacre.text.budget import count_tokens
from nacre.text.summaries import Utterance, extract

RULES = "session-summary.md"
PURPOSE = "session-summary"
BUDGET = 200
# A longer session is summed up by what was said last.
MAX_TURNS = 2_000
# A model is shown a longer session in its most telling sentences.
MAX_MATERIAL = 12_000
# A model may use more words than we would, but not many.
SLACK = 2
# The agent's own words are long and general; what people said is what a session came to.
AGENT_WEIGHT = 0.5
TRIES = 5


class WrittenSummary(BaseModel):
    """The summary of one session."""

    summary: str = Field(description="Two to six plain sentences.")


@dataclass(frozen=True, slots=True)
class _SessionText:
    """A session as it was read: what was said in it, and how far it went."""

    session: str
    said: Sequence[StoredTurn]
    extent: Extent


@dataclass(frozen=True, slots=True)
class _SummaryText:
    content: str
    method: SummaryMethod
    notes: tuple[str, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0


def summarize(
    database: Database,
    embedder: Embedder | None,
    scope: Scope,
    session: str,
    *,
    model: LanguageModel | None = None,
    directives: Path | None = None,
) -> SummaryReport:
    """Sum up a session as far as it went, in place of the summary it had."""
    for _ in range(TRIES):
        read = _read(database, scope, session)
        made = _made(read, model, directives)
        summary = _summary(database, read, made)
        prepared = prepare(embedder, [_draft(summary)])
        with database.write(scope) as tx:
            scopes.lock(tx)
            _note_cost(tx, model, made)
            kept = _keep(tx, read, summary, prepared)
        if kept:
            return SummaryReport(
                summary=kept, notes=made.notes, input_tokens=made.input_tokens, output_tokens=made.output_tokens
            )
    raise Busy(f"Turns of the session `{session}` keep being forgotten. Try again.")


def _read(database: Database, scope: Scope, session: str) -> _SessionText:
    with database.read(scope) as tx:
        said = turns.last(tx, session, MAX_TURNS)
        extent = summaries.extent(tx, session)
    if extent is None:
        raise NotFound("session", session)
    return _SessionText(session, said, extent)


def _keep(tx: Transaction, read: _SessionText, summary: Summary, prepared: PreparedPassages) -> Summary | None:
    """Write the summary; None where a turn that it rests on was forgotten meanwhile."""
    if summaries.extent(tx, read.session, read.extent.last_seq) != read.extent:
        return None
    kept = summaries.save(tx, summary, prepared)
    graph = sharing.in_graph_home(tx)
    summaries.note_synthesized(graph, summaries.session_entities(tx, graph, [read.session]).get(read.session, {}))
    return summaries.with_entities(tx, graph, [kept])[0]


def _note_cost(tx: Transaction, model: LanguageModel | None, made: _SummaryText) -> None:
    if model and made.input_tokens:
        usage.add(tx, PURPOSE, model.name, made.input_tokens, made.output_tokens)


def _summary(database: Database, read: _SessionText, made: _SummaryText) -> Summary:
    now = database.clock()
    return Summary(
        id=SourceId(ids.new(now)),
        session=read.session,
        content=made.content,
        method=made.method,
        earliest_at=read.extent.earliest_at,
        latest_at=read.extent.latest_at,
        turns=read.extent.turns,
        last_seq=read.extent.last_seq,
        created_at=now,
        updated_at=now,
    )


def _draft(summary: Summary) -> passages.PassageDraft:
    # Without its session: recall would take it for one more turn of it, and count its words twice.
    return passages.PassageDraft(kind=Kind.SUMMARY, item_id=summary.id, text=summary.content, at=summary.latest_at)


def _made(read: _SessionText, model: LanguageModel | None, directives: Path | None) -> _SummaryText:
    spoken = _spoken(read.said)
    own = _SummaryText(extract(spoken, BUDGET), SummaryMethod.EXTRACTIVE)
    if model is None:
        return own
    prompt = ModelPrompt(instructions=prompt_text(RULES, directives), material=_material(spoken))
    try:
        reply = model.complete(prompt, WrittenSummary)
    except (Unavailable, Misconfigured) as error:
        return _SummaryText(
            own.content, own.method, (f"Summed up by rules, because the language model failed: {error}",)
        )
    cost = (reply.input_tokens, reply.output_tokens)
    try:
        content = checked(reply.output.summary, [f"{each.speaker}: {each.text}" for each in spoken])
    except Invalid as error:
        return _SummaryText(
            own.content, own.method, (f"Summed up by rules, because the model's was refused: {error}",), *cost
        )
    return _SummaryText(content, SummaryMethod.ABSTRACTIVE, (), *cost)


def _material(spoken: Sequence[Utterance]) -> str:
    whole = "\n".join(f"{each.speaker}: {each.text}" for each in spoken)
    shown = whole if count_tokens(whole) <= MAX_MATERIAL else extract(spoken, MAX_MATERIAL)
    return f"<session>\n{shown}\n</session>"


def checked(summary: str, texts: Sequence[str]) -> str:
    """A model's summary. Raises `Invalid`, with the reason, when it must not stand for the session."""
    content = checks.text("summary", summary).strip()
    if count_tokens(content) > SLACK * BUDGET:
        raise Invalid("summary", f"has more than {SLACK * BUDGET} tokens")
    if made_up := details.lost(content, texts):
        named = ", ".join(f"`{each}`" for each in made_up[:5])
        raise Invalid("summary", f"names {named}, which the session does not")
    return content


def _spoken(stored_turns: Sequence[StoredTurn]) -> list[Utterance]:
    """What people and agents said; what tools gave back only where there is nothing else."""
    talk = [each for each in stored_turns if each.turn.role in (Role.USER, Role.ASSISTANT)] or stored_turns
    return [
        Utterance(
            each.turn.speaker or each.turn.role,
            each.turn.text,
            AGENT_WEIGHT if each.turn.role == Role.ASSISTANT else 1.0,
        )
        for each in talk
    ]


def of(tx: Transaction, session: str) -> Summary:
    """The summary of a session, with those whom it speaks of."""
    held = summaries.of(tx, session)
    if held is None:
        raise NotFound("summary of a session", session)
    return summaries.with_entities(tx, sharing.in_graph_home(tx), [held])[0]


def listed(tx: Transaction, limit: int, offset: int) -> list[Summary]:
    """Summaries, the session in which something was said last first."""
    return summaries.with_entities(tx, sharing.in_graph_home(tx), summaries.page(tx, limit, offset))


def expanded(
    tx: Transaction, entity: Selector | None, session: str | None, time_range: str | None, limit: int
) -> ExpandedSessions:
    """The sessions that speak of an entity or in which it speaks, the newest first; none where it is unknown."""
    between = span(time_range, tx.now)
    graph = sharing.in_graph_home(tx)
    known = None
    if entity is not None:
        with suppress(NotFound):
            known = naming.find(graph, entity)
        if known is None:
            return ExpandedSessions(entity_name=str(entity))
    about = (graph, known.id) if known else None
    found, total = summaries.found(tx, between, limit, session=session, entity=about)
    shown = tuple(_shown(tx, each) for each in found)
    return ExpandedSessions(entity_name=known.name if known else None, summaries=shown, total=total)


def _shown(tx: Transaction, summary: Summary) -> SessionSummary:
    return SessionSummary(
        id=summary.id,
        session_key=summary.session,
        harness=tx.scope.agent,
        earliest_at=summary.earliest_at,
        latest_at=summary.latest_at,
        content=summary.content,
    )
