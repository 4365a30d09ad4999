"""`nacre observe`, `remember`, `recall` and `context`: what an agent does all day."""

from collections.abc import Iterable

from nacre.brain import ScopedNacre
from nacre.cli import options, output
from nacre.cli.options import STDIN
from nacre.domain.contexts import DEFAULT_BUDGET, Context, SeenPolicy
from nacre.domain.hits import Hit, Recall
from nacre.domain.memories import GENERAL, RememberReport
from nacre.domain.turns import Observation, Role


def observe(
    scope: ScopedNacre,
    text: options.Text = STDIN,
    *,
    role: options.Role = Role.USER,
    speaker: options.Speaker = None,
    session: options.Session = None,
    at: options.At = None,
    ref: options.Ref = None,
) -> Observation:
    """Keep one message of a conversation."""
    return scope.observe(role, text, speaker=speaker, session=session, at=at, ref=ref)


def remember(
    scope: ScopedNacre,
    text: options.Text = STDIN,
    *,
    category: options.Category = GENERAL,
    tag: options.Tags = None,
    metadata: options.Metadata = None,
) -> RememberReport:
    """Keep a long-term memory."""
    return scope.remember(text, category=category, tags=tag or (), metadata=options.pairs("metadata", metadata or ()))


def recall(
    scope: ScopedNacre,
    query: options.Query,
    *,
    limit: options.Limit = 10,
    kind: options.Kinds = None,
    category: options.Categories = None,
    min_score: options.MinScore = None,
    session: options.OnlySession = None,
    as_of: options.AsOf = None,
    asked_at: options.AskedAt = None,
    since: options.Since = None,
    until: options.Until = None,
    explain: options.Explain = False,
    rerank: options.Reranked = None,
) -> Recall:
    """Show what is known about a question, best first.

    A score is the probability that a hit bears on the question; the best have about 0.44.
    """
    return scope.recall(
        query,
        limit=limit,
        kinds=kind,
        categories=category,
        min_score=min_score,
        session=session,
        as_of=as_of,
        asked_at=asked_at,
        since=since,
        until=until,
        explain=explain,
        rerank=rerank,
    )


def context(
    scope: ScopedNacre,
    message: options.Query,
    *,
    session: options.Session = None,
    speaker: options.Speaker = None,
    budget: options.Budget = DEFAULT_BUDGET,
    min_score: options.MinScore = None,
    seen: options.Seen = SeenPolicy.SHOW,
    ids: options.Ids = False,
    profile: options.Profile = True,
    block: options.Blocks = None,
    asked_at: options.AskedAt = None,
) -> Context:
    """Print what an agent should read before it answers a message."""
    return scope.context(
        message,
        session=session,
        speaker=speaker,
        budget=budget,
        min_score=min_score,
        seen=seen,
        ids=ids,
        profile=profile,
        blocks=block,
        asked_at=asked_at,
    )


@output.words(Observation)
def _observed(observed: Observation) -> Iterable[str]:
    yield f"Observed {observed.id}."


@output.words(RememberReport)
def _remembered(done: RememberReport) -> Iterable[str]:
    yield f"{done.outcome.value.capitalize()} {done.memory.short} in {done.memory.category}."
    for key in done.replaced:
        yield f"It replaces {key.hex[-12:]}."
    for proposal in done.proposals:
        yield f"It may replace another: see `nacre ontology proposals show {proposal}`."


@output.words(Context)
def _context(built: Context) -> Iterable[str]:
    yield from [built.text] if built.text else []


@output.aside(Context)
def _of_context(built: Context) -> Iterable[str]:
    yield from output.notes(built)
    if built.left_out:
        lines = "relevant line" if built.left_out == 1 else "relevant lines"
        yield f"note: {built.left_out} {lines} did not fit into the budget."
    if all(message.label == "conversation" for message in built.messages) and not built.left_out:
        yield "Nothing that is known bears on this, or it was shown before."


def _who(hit: Hit) -> str:
    return hit.source.speaker or hit.source.role or hit.kind


def _hit_line(hit: Hit) -> str:
    channels = ", ".join(f"{name} {score:.3f}" for name, score in hit.channels.items())
    return f"{hit.text}\n[{channels}]" if channels else hit.text


output.items(Recall, "hits")
output.table(Hit, score="score", when="at", kind="kind", who=_who, what=_hit_line)
