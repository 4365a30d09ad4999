"""New memories that take the place of older ones, in the transaction that keeps them."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from nacre.domain.commands import Command, Quotation
from nacre.domain.hits import Evidence, Kind
from nacre.domain.ids import ProposalId
from nacre.domain.memories import Memory, Status
from nacre.domain.replacements import Doubt, ReplaceMemory, Trace, with_doubts, with_traces
from nacre.graph.operations import endings, path, proposals
from nacre.memory import duplicates, replacements
from nacre.memory.changing import Changes
from nacre.memory.pairs import UpdateVerdict, shown
from nacre.memory.replacements import Replacement
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction
from nacre.store.evidence import memories, passages, sources
from nacre.store.reads import associations, hit_rows
from nacre.text import tokens

ACTOR = "replacement"
CONFIDENCE = 0.5
REVIEW = "review_required"
# So many memories of others may have come between a plan and its transaction.
_MOST = 100


def add_traces(memory: Memory, candidates: Sequence[Replacement]) -> Memory:
    """A new memory with the traces of those that it surely replaces."""
    sure = [each for each in candidates if each.verdict.sure]
    traces = [Trace(id=each.memory.id, value=each.verdict.value or "", names=each.names) for each in sure]
    return replace(memory, metadata=with_traces(memory.metadata, traces)) if traces else memory


def recheck_replacements(
    tx: Transaction, memory: Memory, planned: Sequence[Replacement], revision: int, now_at: int
) -> list[Replacement]:
    """What a memory replaces now: of those planned, what is as it was, and what others saved since a revision."""
    if revision == now_at:
        return list(planned)
    now = memories.by_id(tx, [each.memory.id for each in planned]) if planned else {}
    kept = [each for each in planned if _is_same(now.get(each.memory.id), each.memory)]
    since = passages.find_items_since(tx, revision, Kind.MEMORY, _MOST)
    known = {each.memory.id for each in planned}
    fresh = memories.by_id(tx, [key for key in since if key not in known]) if since else {}
    came = replacements.find_replacements(memory.content, memory.category, memory.created_at, list(fresh.values()))
    return [*kept, *came]


def propose_doubtful(
    tx: Transaction, changes: Changes, memory: Memory, candidates: Sequence[Replacement]
) -> tuple[Memory, tuple[ProposalId, ...]]:
    """Keep for review what a memory that was just stored may replace; the memory as it is then."""
    doubted = [each for each in candidates if not each.verdict.sure]
    if not doubted:
        return memory, ()
    made = proposals.propose(tx, [_order(tx, memory, each) for each in doubted], actor=ACTOR)
    doubts = [Doubt(id=each.memory.id, proposal=kept.id) for each, kept in zip(doubted, made, strict=True)]
    told = replace(memory, metadata=with_doubts(memory.metadata, doubts))
    changes.save(told)
    return told, tuple(each.id for each in made)


def end_replaced(tx: Transaction, memory: Memory, candidates: Sequence[Replacement], batch: UUID) -> Memory:
    """End what a memory that is stored surely replaces, as a part of a batch of the log; the memory as it is then."""
    sure = [each for each in candidates if each.verdict.sure]
    if not sure:
        return memory
    path.apply(tx, [_order(tx, memory, each) for each in sure], actor=ACTOR, batch=batch)
    return memories.by_id(tx, [memory.id])[memory.id]


def add_ended_by_facts(
    tx: Transaction, memory: Memory, candidates: Sequence[Replacement], batch: UUID | None
) -> list[Replacement]:
    """What a memory replaces by its words, and what by the facts that a batch learned from it."""
    by_facts = _ended_by_facts(tx, memory, batch) if batch else []
    ended = {each.memory.id for each in by_facts}
    return [*(each for each in candidates if each.memory.id not in ended), *by_facts]


def _ended_by_facts(tx: Transaction, memory: Memory, batch: UUID) -> list[Replacement]:
    """The memories that say nothing but what the graph ended when it heard this one."""
    graph = sharing.in_graph_home(tx)
    ended = endings.find_endings(graph, batch)
    told = memories.resting_on(tx, {each.source for each in ended}) if ended else []
    found = []
    for other in told:
        mine = [each for each in ended if each.source == other.source]
        kept = other.id == memory.id or other.pinned or duplicates.stands_apart(other.category)
        if not kept and _is_all(tx, graph, other, mine):
            because = f"{shown(memory.content)} ends what {shown(other.content)} says."
            verdict = UpdateVerdict(sure=True, because=because, value=mine[0].value or None)
            found.append(Replacement(memory=other, verdict=verdict, sentence=memory.content))
    return found


def _is_all(tx: Transaction, graph: Transaction, memory: Memory, ended: Sequence[endings.EndedFact]) -> bool:
    """Whether a memory has no words but those of facts that ended, and nothing that holds rests on them."""
    start, end = memory.quote
    rest = sources.text_of(tx, memory.source)[start:end]
    # One that was extended says more than its quote; one made to stand alone may have its user's name in it.
    if not ended or len(tokens.terms(memory.content)) > len(tokens.terms(rest)) + 1:
        return False
    for each in ended:
        left, right = each.quote[0] - start, each.quote[1] - start
        if left < 0 or right > end - start:
            return False
        rest = f"{rest[:left]}{' ' * (right - left)}{rest[right:]}"
    holding = associations.resting_on(graph, [memory.id, memory.source])
    return not tokens.content_words(rest) and not any(
        each.holds and each.quote and start <= each.quote[0] < end for each in holding
    )


def _is_same(now: Memory | None, then: Memory) -> bool:
    return now is not None and now.status is Status.ACTIVE and now.content == then.content


def _words(tx: Transaction, memory: Memory) -> Evidence:
    """The words that a memory rests on as it is now."""
    return next(each for each in hit_rows.evidence_of(tx, memory.id) if each.id == memory.source)


def _order(tx: Transaction, memory: Memory, replacement: Replacement) -> Command:
    newer, older = _words(tx, memory), _words(tx, replacement.memory)
    said = replacement.sentence if replacement.sentence in newer.quote else newer.quote
    return Command(
        operation=ReplaceMemory(older=replacement.memory.id, newer=memory.id, value=replacement.verdict.value),
        reason=replacement.verdict.because,
        evidence=(Quotation(quote=said, source=newer.id), Quotation(quote=older.quote, source=older.id)),
        confidence=None if replacement.verdict.sure else CONFIDENCE,
        risk=None if replacement.verdict.sure else REVIEW,
    )
