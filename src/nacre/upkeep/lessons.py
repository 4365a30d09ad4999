"""Corrections become anti-patterns, each once: it is consumed in the transaction that keeps what it taught."""

from nacre.domain import ids
from nacre.domain.dreams import PassChange
from nacre.domain.feedback import MAX_SIGNALS, FeedbackKind, Signal
from nacre.domain.ids import SourceId
from nacre.domain.memories import ANTI_PATTERNS, Memory, MemoryFilter, Note, Outcome
from nacre.memory import duplicates
from nacre.memory.anti_patterns import from_correction
from nacre.memory.changing import REMEMBER
from nacre.memory.duplicates import Neighbour
from nacre.models.embedders import Embedder
from nacre.store.base import scopes, sharing
from nacre.store.base.databases import Transaction
from nacre.store.base.homes import Homes
from nacre.store.evidence import feedback, memories, sources
from nacre.store.evidence.sources import SourceKind, SourceRow
from nacre.upkeep.cycles import PassContext
from nacre.upkeep.learned_notes import LearnedNote, NoteQuote, keep
from nacre.upkeep.steps import brief, writing

WHY = "Somebody corrected the agent."
_MOST_HELD = 1_000


def learn(homes: Homes, night: PassContext, embedder: Embedder | None) -> list[PassChange]:
    """Learn from the corrections that nothing was learned from yet, until people come."""
    with night.database.read(night.scope) as tx:
        signals = feedback.unconsumed(tx, MAX_SIGNALS, FeedbackKind.CORRECTION)
    learned = []
    for signal in signals:
        if night.disturbed():
            break
        with writing(homes, night) as tx:
            scopes.lock(tx)
            change = _learn(tx, night, signal, embedder)
        if change:
            learned.append(change)
    return learned


def _learn(tx: Transaction, night: PassContext, signal: Signal, embedder: Embedder | None) -> PassChange | None:
    if not feedback.consume(sharing.moved(tx, night.scope), [signal.id]):
        return None
    # One that teaches nothing is consumed too, or it would stand in the way of those behind it.
    note = from_correction(signal)
    if note is None:
        return None
    source = SourceRow(id=SourceId(ids.new(tx.now)), kind=SourceKind.NOTE, text=note.text, at=signal.at)
    sources.add(tx, [source])
    quote = NoteQuote(SourceId(source.id), (0, len(note.text)))
    finding = LearnedNote(note=note, quotes=[quote], operation=REMEMBER, why=WHY)
    keep(tx, finding, memories.newest(tx, MemoryFilter(category=ANTI_PATTERNS), _MOST_HELD), _says_it, embedder)
    return PassChange(what=f"learned “{brief(note.text)}”", why=WHY, items=(str(signal.id),))


def _says_it(note: Note, memory: Memory) -> bool:
    return duplicates.outcome(note, Neighbour(memory)) is Outcome.REINFORCED
